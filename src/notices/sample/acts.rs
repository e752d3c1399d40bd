//! What befell persons in the made-up books: leave, a death, a letter that came back; and the notices of acts of the
//! director (Rules 1, 7, 10 and 11).

use super::{
    Books, day, entry, event, game,
    notices::{Sample, ann, player, sample, thread},
    outcome,
};
use crate::domain::{
    acts::{Leave, Overstep, Substitution},
    docket::{About, ItemKind},
    event::Event,
    ids::{EntryId, GameId, ItemId, Seat},
    notice::{Act, Facts, Forfeited, Matter, Recipient, Reproach},
    player::Player,
    points::{How, Score, Side},
    post::{AddressNews, PostEvent},
};
use rust_decimal::Decimal;

impl Books {
    /// One player is on leave, one has died; the figures of a tournament do not add up.
    pub(super) fn befall(&mut self) {
        self.tell(&Event::LeaveGranted(leave()));
        self.tell(&Event::PlayerDied { member: "10000009".into(), on: day(2019, 6, 12) });
        self.tell(&Event::PlayerListed(Player {
            member: "10000013".into(),
            name: "Moss, Mabel".to_owned(),
            emails: vec!["mabel@example.com".to_owned()],
            ..Player::default()
        }));
        let lost = AddressNews {
            member: Some("10000013".into()),
            address: "mabel@example.com".to_owned(),
            on: day(2019, 6, 13),
        };
        self.tell(&Event::Post(PostEvent::AddressFailed(lost)));
        self.receive(&entry(22), "10000008", "Hale, Harriet", 3, day(2020, 1, 2));
        self.tell(&Event::EntryCarriedForward { entry: entry(22), to: Some("GK2020".into()) });
        let here = EntryId("GK2020-001".to_owned());
        self.receive(&here, "10000008", "Hale, Harriet", 1, day(2020, 1, 2));
        self.tell(&Event::EntryPaid { entry: here.clone(), fee: Decimal::new(2500, 2) });
        self.tell(&Event::EntryBroughtForward { entry: entry(22), here, fee: None });
        let about = About { event: Some("GK2016".into()), ..About::default() };
        let why = "The scores of 16Nf02 add up to 20.5; the games of a section make 21.";
        let choices = ["announce", "hold"];
        self.open(3, ItemKind::StandingsUnsound, (5, 17), about, why, &choices);
    }
}

fn leave() -> Leave {
    Leave {
        member: "10000004".into(),
        from: day(2019, 6, 14),
        to: day(2019, 6, 30),
        allowed: true,
        reason: String::new(),
    }
}

fn in_19n03(white: u8, black: u8) -> GameId {
    GameId { section: "19N03".into(), white: Seat(white), black: Seat(black) }
}

/// Adds the notices of acts.
pub(super) fn add(all: &mut Vec<Sample>) {
    persons(all);
    forfeits(all);
    complaints(all);
    let items = vec![ItemId(3)];
    let facts = Facts::DirectorAlert { items, words: Vec::new() };
    all.push(sample("", Recipient::Director, About::default(), facts, None));
    super::director::add(all);
    let deaf = "The mailbox mail.example.net has been out of reach since 2019-06-17 06:30 UTC: \
                connection refused.";
    let facts = Facts::DirectorAlert { items: Vec::new(), words: vec![deaf.to_owned()] };
    all.push(sample("program", Recipient::Director, About::default(), facts, None));
}

fn persons(all: &mut Vec<Sample>) {
    let mut add = |variant, to, act| {
        all.push(sample(variant, to, About::default(), Facts::Act(act), None));
    };
    add("", ann(), Act::MembershipReminder { expires: day(2019, 8, 16), days: 60 });
    add("today", ann(), Act::MembershipReminder { expires: day(2019, 6, 17), days: 0 });
    let old = Some("ann.adams@example.net".to_owned());
    add("", ann(), Act::AddressChanged { old, new: "ann@example.org".to_owned() });
    let new = "12 Mill Lane, Springfield, OH 45501".to_owned();
    add("post", player("10000005"), Act::AddressChanged { old: None, new });
    add("", player("10000004"), Act::LeaveGranted { leave: leave() });
    let ruled = Leave { allowed: false, reason: "illness".to_owned(), ..leave() };
    add(
        "ruled",
        player("10000012"),
        Act::LeaveGranted { leave: Leave { member: "10000012".into(), ..ruled } },
    );
    let games = vec![game(6, 4)];
    add("", player("10000006"), Act::LeaveAnnounced { leave: leave(), games });
    let (dead, games) = ("10000009".into(), vec![in_19n03(6, 2)]);
    add("", player("10000012"), Act::Bereavement { player: dead, games });
    let taken = || Substitution {
        section: "19N04".into(),
        seat: Seat(5),
        left: entry(5),
        entry: entry(20),
        rating: Some(2210),
        reason: "The player has withdrawn.".to_owned(),
        on: day(2019, 6, 17),
    };
    add("", ann(), Act::Substitution { taken: taken() });
    add("finished", player("10000003"), Act::Substitution { taken: taken() });
    add("left", player("10000005"), Act::Substitution { taken: taken() });
}

fn forfeits(all: &mut Vec<Sample>) {
    let mut add = |variant, to, about, act| {
        all.push(sample(variant, to, about, Facts::Act(act), None));
    };
    let lost = |game: GameId, result, how| Forfeited {
        game,
        outcome: outcome(result, how),
        reason: "No move and no answer since 2 May, in spite of two repeats.".to_owned(),
    };
    let about = |id: GameId| About { game: Some(id), ..About::default() };
    let time = || vec![lost(game(5, 3), Score::BlackWins, How::TimeForfeit)];
    add("", player("10000003"), about(game(5, 3)), Act::Forfeit { games: time() });
    add("lost", player("10000005"), about(game(5, 3)), Act::Forfeit { games: time() });
    let both = vec![lost(game(5, 6), Score::BothLose, How::DoubleForfeit)];
    add("both", player("10000006"), about(game(5, 6)), Act::Forfeit { games: both });
    let section = || About { section: Some("19N03".into()), ..About::default() };
    let several = |how| {
        let white = [1, 3, 5].map(|n| lost(in_19n03(7, n), Score::BlackWins, how));
        let black = [4].map(|n| lost(in_19n03(n, 7), Score::WhiteWins, how));
        white.into_iter().chain(black).collect::<Vec<_>>()
    };
    let silent = Act::Forfeit { games: several(How::SilenceForfeit) };
    add("several", player("10000007"), section(), silent);
    let (entries, games) = (vec![entry(19)], several(How::Withdrawal));
    add("", player("10000007"), section(), Act::WithdrawalConfirmed { entries, games });
    let matters = vec![Matter::Game(game(1, 6)), Matter::Entry(entry(13))];
    let reason = "The letter of 3 June came in late; it was posted in time.".to_owned();
    add("", ann(), About::default(), Act::TakenBack { matters, reason });
    let (matters, reason) = (vec![Matter::Entry(entry(10))], String::new());
    add("entry", player("10000010"), About::default(), Act::TakenBack { matters, reason });
    let (entries, about) =
        (vec![entry(13), entry(14)], About { event: Some(event()), ..About::default() });
    add("unplayed", ann(), about, Act::WithdrawalConfirmed { entries, games: Vec::new() });
}

fn complaints(all: &mut Vec<Sample>) {
    let mut add = |variant, to, id: GameId, act, thread| {
        let about = About { section: Some(id.section.clone()), game: Some(id), ..About::default() };
        all.push(sample(variant, to, about, Facts::Act(act), thread));
    };
    let fiore = || player("10000006");
    let request = |game| Act::AdjudicationRequest { game, item: ItemId(9) };
    add("", ann(), game(1, 6), request(game(1, 6)), None);
    add("bereft", player("10000012"), in_19n03(6, 2), request(in_19n03(6, 2)), None);
    // The last one falls under the rule set that begins before the day that is named.
    let newer = day(2021, 10, 13);
    for (variant, repeat_first, until) in [
        ("", true, day(2019, 7, 5)),
        ("repeated", false, day(2019, 7, 5)),
        ("newer-rules", true, newer),
    ] {
        let early = Act::ComplaintPremature { game: game(1, 6), until, repeat_first };
        add(variant, ann(), game(1, 6), early, Some(thread()));
    }
    let complaint =
        || Act::TimeComplaintReceived { game: game(1, 6), by: Side::White, item: ItemId(8) };
    add("", ann(), game(1, 6), complaint(), Some(thread()));
    add("other", fiore(), game(1, 6), complaint(), None);
    let warning = || Act::TimeWarning {
        warned: Overstep {
            game: game(1, 6),
            side: Side::Black,
            penalty_days: 5,
            reason: "The first ten moves took 36 days.".to_owned(),
            on: day(2019, 6, 17),
        },
        reproach: Reproach::Overstep,
    };
    add("", fiore(), game(1, 6), warning(), None);
    add("other", ann(), game(1, 6), warning(), None);
}
