//! Who is told what by which event, for what rules and the director bring about: each letter once, to whom it concerns
//! and to nobody else. The words are in the golden files.

use super::{Job, World, day, form, from, game, member, noon, player, told::lines};
use knightmail::domain::{
    acts::{Apart, Leave, Overstep, Reminded, Substitution},
    apply::apply,
    command::{Command, EntryForm},
    docket::{About, Item, ItemKind},
    event::{Advance, Event},
    honours::{Award, AwardGiven, CreditUsed, Prize, PrizeList},
    ids::{EntryId, GameId, ItemId, Seat},
    intent::{self, Intent},
    notice::{Act, Facts, Honour, NoticeName as N},
    player::Player,
    points::{How, Outcome, Points, Score, Side},
    tell,
};
use rust_decimal::Decimal;

impl World {
    /// Writes events into the books and says who is told what.
    fn happen(&mut self, events: &[Event]) -> Vec<(String, N)> {
        for event in events {
            apply(&mut self.state, event);
        }
        self.told(events)
    }

    fn facts(&self, events: &[Event]) -> Vec<Facts> {
        tell::notices(&self.state, events).into_iter().map(|notice| notice.facts).collect()
    }
}

fn entry(number: u16) -> EntryId {
    EntryId(format!("GK2019-{number:03}"))
}

fn ruled(game: GameId, result: Score, how: How) -> Event {
    let (outcome, on) = (Outcome { result, how }, day("2019-06-03"));
    Event::ResultRuled { game, outcome, on, reason: "no answer".to_owned() }
}

/// Seat 7's games: Black against 2, 4 and 6, White against 1, 3 and 5.
fn games_of_seven(how: How) -> Vec<Event> {
    let white = [1, 3, 5].map(|n| ruled(game(7, n), Score::BlackWins, how));
    let black = [2, 4, 6].map(|n| ruled(game(n, 7), Score::WhiteWins, how));
    white.into_iter().chain(black).collect()
}

fn all(who: impl IntoIterator<Item = u16>, what: N) -> Vec<(String, N)> {
    who.into_iter().map(|n| (format!("player {n}"), what)).collect()
}

fn sorted(mut told: Vec<(String, N)>) -> Vec<(String, N)> {
    told.sort();
    told
}

#[test]
fn rule_10_a_forfeit_is_told_to_both_and_other_rulings_are_rulings() {
    for (how, result, name) in [
        (How::TimeForfeit, Score::WhiteWins, N::Forfeit),
        (How::SilenceForfeit, Score::BlackWins, N::Forfeit),
        (How::Administrative, Score::BlackWins, N::Forfeit),
        (How::Withdrawal, Score::WhiteWins, N::Forfeit),
        (How::DoubleForfeit, Score::BothLose, N::Forfeit),
        (How::Adjudication, Score::Draw, N::Ruling),
        (How::Death, Score::WhiteWins, N::Ruling),
    ] {
        let told = World::with_section().happen(&[ruled(game(1, 2), result, how)]);
        assert_eq!(told, all([1, 2], name), "{how}");
    }
}

#[test]
fn rule_11_several_forfeits_are_one_letter_to_each() {
    let mut world = World::with_section();
    let events = games_of_seven(How::SilenceForfeit);
    let told = world.happen(&events);
    assert_eq!(sorted(told), all(1..=7, N::Forfeit));
    let longest = world.facts(&events).into_iter().filter_map(|facts| match facts {
        Facts::Act(Act::Forfeit { games }) => Some(games.len()),
        _ => None,
    });
    assert_eq!(longest.max(), Some(6), "who lost them all reads of them all");
}

#[test]
fn rule_10_a_withdrawal_is_one_letter_to_who_withdraws_and_one_to_each_opponent() {
    let mut world = World::with_section();
    let mut events = vec![Event::EntryWithdrawn { entry: entry(7) }];
    events.extend(games_of_seven(How::Withdrawal));
    let told = world.happen(&events);
    let mut expected = all(1..=6, N::Forfeit);
    expected.push(("player 7".to_owned(), N::WithdrawalConfirmed));
    assert_eq!(sorted(told), sorted(expected));
    let waiting = world.happen(&[Event::EntryWithdrawn { entry: entry(6) }]);
    assert_eq!(waiting, all([6], N::WithdrawalConfirmed), "also without a game");
}

#[test]
fn rule_10_a_death_is_told_to_the_opponents_and_nothing_to_the_dead() {
    let mut world = World::with_section();
    world.settle(&game(1, 2), Score::WhiteWins);
    let asked = |number: u64, game| Event::AdjudicationAsked { game, item: ItemId(number) };
    let died = Event::PlayerDied { member: member(1), on: day("2019-06-03") };
    let told = world.happen(&[died, asked(1, game(1, 4)), asked(2, game(3, 1))]);
    assert_eq!(sorted(told), all(3..=7, N::Bereavement), "2 has no game with 1 any more");

    assert_eq!(world.happen(&[asked(3, game(1, 4))]), all([4], N::AdjudicationRequest));
    let fixed = [ruled(game(1, 4), Score::Draw, How::Death)];
    assert_eq!(world.happen(&fixed), all([4], N::Ruling));
    let reminded = Reminded { member: member(1), expires: day("2019-07-03"), days: 30 };
    assert!(world.happen(&[Event::MembershipReminded(reminded)]).is_empty());
}

#[test]
fn rule_7_both_are_asked_what_they_claim() {
    let asked = Event::AdjudicationAsked { game: game(1, 2), item: ItemId(1) };
    assert_eq!(World::with_section().happen(&[asked]), all([1, 2], N::AdjudicationRequest));
}

#[test]
fn rule_10_leave_is_told_to_who_has_it_and_to_each_opponent_once() {
    let mut world = World::with_section();
    world.settle(&game(1, 2), Score::WhiteWins);
    let (from, to) = (day("2019-06-03"), day("2019-06-20"));
    let granted = |number| {
        let (member, reason) = (member(number), "an illness".to_owned());
        Event::LeaveGranted(Leave { member, from, to, allowed: false, reason })
    };
    let mut expected = all([1], N::LeaveGranted);
    expected.extend(all(3..=7, N::LeaveAnnounced));
    assert_eq!(sorted(world.happen(&[granted(1)])), sorted(expected));
    assert_eq!(world.happen(&[granted(9)]), all([9], N::LeaveGranted), "he plays nowhere");
}

#[test]
fn rule_10_leave_that_was_granted_at_once_is_the_answer_to_its_mail() {
    let mut world = World::with_section();
    let mail = Event::MailRead { from: from(1), aside: Vec::new() };
    let (first, last) = (day("2019-06-03"), day("2019-06-20"));
    let (reason, member) = (String::new(), member(1));
    let leave = Leave { member, from: first, to: last, allowed: true, reason };
    let granted = Event::LeaveGranted(leave);
    let told = world.happen(&[mail.clone(), granted.clone()]);
    let to_sender = |told: &[(String, N)]| -> Vec<N> {
        told.iter().filter(|(who, _)| who == "player 1").map(|(_, what)| *what).collect()
    };
    assert_eq!(to_sender(&told), [N::LeaveGranted]);

    let game = intent::Game { section: "19N01".into(), white: Seat(1), black: Seat(2) };
    let intent = Box::new(Intent::TimeComplaint { game, sent: None, repeated: None });
    let petition = Event::PetitionReceived { from: from(1), intent, item: ItemId(1) };
    let told = world.happen(&[mail, petition, granted]);
    assert_eq!(to_sender(&told), [N::Receipt, N::LeaveGranted], "a line of the receipt names it");
}

#[test]
fn rule_10_a_substitute_has_the_sheet_and_the_others_hear_who_sits_there() {
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-03-05") });
    let taken = Event::SeatTaken(Substitution {
        section: "19N01".into(),
        seat: Seat(7),
        left: entry(7),
        entry: entry(8),
        rating: Some(1600),
        reason: "He has withdrawn.".to_owned(),
        on: day("2019-06-03"),
    });
    let mut expected = all(1..=7, N::Substitution);
    expected.extend(all([8], N::Assignment));
    assert_eq!(sorted(world.happen(&[taken])), sorted(expected));
}

fn complaint(until: Option<&str>, item: Option<u64>) -> Event {
    let (premature_until, item) = (until.map(day), item.map(ItemId));
    let (from, game) = (from(1), game(1, 2));
    serde_json::from_value(serde_json::json!({"complaint-checked": {
        "from": from, "game": game, "premature_until": premature_until, "repeat_first": false, "item": item,
    }}))
    .expect("an event of the journal")
}

#[test]
fn rule_10_an_early_complaint_is_told_to_who_complains_and_one_in_time_to_both() {
    let mut world = World::with_section();
    let early = [complaint(Some("2019-06-20"), None)];
    assert_eq!(world.happen(&early), all([1], N::ComplaintPremature));
    let in_time = [complaint(None, Some(1))];
    assert_eq!(world.happen(&in_time), all([1, 2], N::TimeComplaintReceived));

    let mail = Event::MailRead { from: from(1), aside: Vec::new() };
    let game = intent::Game { section: "19N01".into(), white: Seat(1), black: Seat(2) };
    let intent = Box::new(Intent::TimeComplaint { game, sent: None, repeated: None });
    let petition = Event::PetitionReceived { from: from(1), intent, item: ItemId(1) };
    let told = world.happen(&[mail, petition, complaint(None, Some(1))]);
    assert_eq!(told, all([1, 2], N::TimeComplaintReceived), "it is the receipt as well");

    let warned = Overstep {
        game: super::game(1, 2),
        side: Side::Black,
        penalty_days: 5,
        reason: "36 days".to_owned(),
        on: day("2019-06-03"),
    };
    assert_eq!(world.happen(&[Event::OverstepWarned(warned)]), all([1, 2], N::TimeWarning));
}

#[test]
fn rule_1_who_still_plays_is_reminded_of_his_membership() {
    let reminded = Reminded { member: member(3), expires: day("2019-07-03"), days: 30 };
    let told = World::with_section().happen(&[Event::MembershipReminded(reminded)]);
    assert_eq!(told, all([3], N::MembershipReminder));
}

#[test]
fn rule_10_another_address_is_told_to_the_player_and_a_new_player_is_told_nothing() {
    let mut world = World::with_players(2);
    let known = world.state.players[&member(1)].clone();
    let moved = Player { emails: vec!["new@example.org".to_owned()], ..known.clone() };
    let events = world.act(&Command::ListPlayers(vec![moved.clone()]));
    assert_eq!(world.told(&events), all([1], N::AddressChanged));
    let rated = Player { rating: Some(2000), ..moved };
    for quiet in [rated, player(8, None)] {
        let events = world.act(&Command::ListPlayers(vec![quiet]));
        assert!(!events.is_empty() && world.told(&events).is_empty(), "{events:?}");
    }
    let new = Some("third@example.org".to_owned());
    world.ask_director(1, Intent::AddressChange { old: None, new, from: None });
    let item = world.item().item;
    let events = world.rule(item, "change");
    assert_eq!(world.told(&events), all([1], N::AddressChanged));
}

#[test]
fn rule_9_entries_that_are_all_carried_forward_have_their_own_letter() {
    let mut world = World::with_players(2);
    let events = world.enter(EntryForm { count: 2, ..form(1, "2020-01-05") });
    assert_eq!(world.told(&events), all([1], N::EntryCarriedForward));

    let here = EntryId("GK2020-001".to_owned());
    let received = Event::EntryReceived {
        entry: here.clone(),
        event: "GK2020".into(),
        member: member(1),
        name: String::new(),
        number: 1,
        postmark: day("2020-01-05"),
        arrived: noon(day("2020-01-05")),
        from: None,
    };
    let accepted = Event::EntryAccepted { entry: here.clone() };
    let brought = serde_json::json!({"entry-brought-forward": {"entry": entry(1), "here": here}});
    let brought: Event = serde_json::from_value(brought).expect("an event of the journal");
    let told = world.happen(&[received, accepted, brought]);
    assert_eq!(told, all([1], N::EntryCarriedForward), "not a second letter about its new number");
}

#[test]
fn rule_8_the_receipt_of_an_entry_says_how_much_credit_was_used() {
    let mut world = World::with_players(1);
    let mut events = world.enter(form(1, "2019-03-01"));
    let (amount, currency, on) = (Decimal::new(700, 2), "USD".to_owned(), day("2019-03-01"));
    let used = CreditUsed { member: member(1), entry: entry(1), amount, currency, on };
    events.push(Event::CreditUsed(used));
    let facts = world.facts(&events);
    assert!(
        matches!(&facts[..], [Facts::EntryReceived { credit, .. }] if *credit == amount),
        "{facts:?}"
    );
}

#[test]
fn rule_3_how_an_entry_goes_on_is_told_to_its_player() {
    for (why, name) in [
        (Advance::Points, N::Advancement),
        (Advance::NextBest, N::Advancement),
        (Advance::Fill, N::FilledIn),
        (Advance::Ruling, N::FilledIn),
    ] {
        let points = Points::from_halves(8);
        let (section, mut world) = (Some("19N01".into()), World::with_section());
        let advanced = Event::EntryAdvanced { entry: entry(2), section, points, why };
        assert_eq!(world.happen(&[advanced]), all([2], name), "{why:?}");
    }
}

#[test]
fn rule_4_who_is_out_is_told_so_and_each_award_has_its_letter() {
    let mut world = World::with_section();
    let section = || Some("19N01".into());
    let points = Points::from_halves(7);
    let out = Event::EntryEliminated { entry: entry(2), section: section(), points };
    let given = |award| {
        let (entry, on) = (entry(2), day("2019-06-03"));
        Event::AwardGiven(AwardGiven { entry, award, section: section(), on })
    };
    let (amount, currency) = (Decimal::new(700, 2), "USD".to_owned());
    let gift = given(Award::GiftCertificate { amount, currency });
    let told = world.happen(&[out, gift]);
    let expected = [("player 2", N::NotAdvancing), ("player 2", N::GiftCertificate)];
    assert_eq!(lines(&told), expected);
    for (award, name) in [
        (Award::FramingCertificate, N::FramingCertificate),
        (Award::Pin, N::Pin),
        (Award::Title("Champion".to_owned()), N::Champion),
    ] {
        assert_eq!(world.happen(&[given(award)]), all([2], name));
    }
}

#[test]
fn rule_5_every_entry_with_a_prize_has_a_letter() {
    let mut world = World::with_section();
    let prize = |place, number, cents| Prize {
        place,
        entry: entry(number),
        amount: Decimal::new(cents, 2),
        tied_with: Vec::new(),
    };
    let list = PrizeList {
        event: "GK2019".into(),
        section: None,
        entries_assigned: 7,
        fund: Decimal::new(8_050, 2),
        places: vec![prize(1, 3, 2_800), prize(2, 5, 1_750), prize(3, 4, 0)],
        undistributed: Decimal::ZERO,
        on: day("2019-06-03"),
    };
    let events = [Event::PrizesAwarded(list)];
    assert_eq!(world.happen(&events), all([3, 5], N::Prize), "nothing is no prize");
    let facts = world.facts(&events);
    assert!(
        matches!(&facts[0], Facts::Honour(Honour::Prize { entry: first, .. }) if *first == entry(3))
    );
}

#[test]
fn rule_7_the_director_is_alerted_to_what_cannot_wait_and_to_nothing_else() {
    let mut world = World::with_players(2);
    let second = Player {
        emails: vec!["a@example.org".to_owned(), "b@example.org".to_owned()],
        ..player(2, None)
    };
    world.act(&Command::ListPlayers(vec![second]));
    let opened = |kind, player| {
        Event::ItemOpened(Item {
            item: ItemId(1),
            kind,
            rule: 7,
            about: About { player, ..About::default() },
            since: noon(day("2019-06-03")),
            choices: Vec::new(),
            recommended: None,
            evidence: Vec::new(),
            entries: Vec::new(),
            asked: None,
            flood: None,
            outage: None,
        })
    };
    for (kind, player, alerts) in [
        (ItemKind::StandingsUnsound, None, true),
        (ItemKind::PrizesDiffer, None, true),
        (ItemKind::LetterFailed, Some(1), true),
        (ItemKind::LetterFailed, Some(2), false),
        (ItemKind::LetterFailed, None, false),
        (ItemKind::FillIn, None, false),
        (ItemKind::Adjudication, Some(1), false),
    ] {
        let told = world.clone().happen(&[opened(kind, player.map(member))]);
        let expected = [("director", N::DirectorAlert)];
        assert_eq!(lines(&told), expected[..usize::from(alerts)], "{kind:?} {player:?}");
    }
}

#[test]
fn rule_2_nobody_is_told_who_asked_not_to_meet_him() {
    let (one, other) = (member(1), member(2));
    let apart = Event::KeptApart(Apart { one, other, lifted: false });
    assert!(World::with_section().happen(&[apart]).is_empty());
}

#[test]
fn rule_3_a_finished_section_says_to_each_where_he_stands() {
    let mut world = World::with_section();
    let ids: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let mut told = Vec::new();
    for id in ids {
        let win = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        let events = world.settle(&id, win);
        told.extend(world.told(&events));
    }
    let complete = told.iter().filter(|(_, what)| *what == N::SectionComplete);
    assert_eq!(complete.count(), 7);
    let events = world.tick(Job::Summary, "2019-09-02");
    assert_eq!(lines(&world.told(&events)), [("director", N::DirectorSummary)]);
}
