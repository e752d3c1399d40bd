//! Rule 7: the director decides. Every choice of every kind of item has its effect; a ruling adds to the record.

use super::*;
use knightmail::domain::{
    acts::{Overstep, Refund},
    command::HeldMail,
    docket::About,
    event::Trouble,
    ids::LetterId,
    intent::{self, DrawGround, Intent, Scope},
    refusal::Refusal,
};

/// Books with one open item of a kind.
pub(super) fn with_item(kind: ItemKind) -> World {
    let mut world = World::with_players(2);
    let paper = |n| EntryForm { from: None, ..form(n, "2019-02-01") };
    match kind {
        ItemKind::ResidenceUnknown => {
            world.act(&Command::ListPlayers(vec![Player { country: None, ..player(1, None) }]));
            world.enter(paper(1));
        }
        ItemKind::MemberUnknown => drop(world.enter(paper(77))),
        ItemKind::MembershipLapsed => {
            let expires = Some(day("2019-01-31"));
            world.act(&Command::ListPlayers(vec![Player { expires, ..player(1, None) }]));
            world.enter(paper(1));
        }
        ItemKind::AddressUnknown => {
            world.enter(EntryForm { from: Some(stranger()), ..paper(1) });
        }
        ItemKind::PostmarkDoubtful => {
            world.enter(EntryForm { postmark_doubt: Some("It is odd.".to_owned()), ..paper(1) });
        }
        ItemKind::EntryLate => {
            world.enter(paper(1));
            world.enter(EntryForm { postmark: day("2019-10-01"), ..paper(1) });
        }
        ItemKind::PaymentUnclear => drop(world.act(&payment(2, "25.00", "2019-02-01", "check"))),
        ItemKind::SectionShort => {
            world.enter(EntryForm { paid: true, ..paper(1) });
            world.enter(EntryForm { paid: true, ..paper(2) });
            world.tick(Job::Assignments, "2020-01-06");
        }
        ItemKind::ResultDisputed => {
            world = World::with_section();
            world.report(1, &game(1, 2), played(Score::WhiteWins));
            world.report(2, &game(1, 2), Outcome { result: Score::Draw, how: How::Agreement });
        }
        ItemKind::ResultContested => {
            world = World::with_section();
            world.settle(&game(1, 2), Score::WhiteWins);
            world.report(2, &game(1, 2), played(Score::Draw));
        }
        ItemKind::NobodyAdvances => {
            world = World::with_section();
            let all: Vec<GameId> =
                world.section().games.iter().map(|g| world.section().game_id(g)).collect();
            for id in all {
                world.settle(&id, Score::Draw);
            }
        }
        ItemKind::MailHeld | ItemKind::MailParked => {
            let parked = kind == ItemKind::MailParked;
            let why = if parked { Trouble::Parked } else { Trouble::ForDirector };
            let (from, mail) = (from(1), "sha256:00".to_owned());
            let (answer, docket, read, words) = (false, true, Vec::new(), Vec::new());
            world.act(&Command::Hold(HeldMail { from, why, read, words, mail, answer, docket }));
        }
        ItemKind::MailDenied => {
            world = World::with_section();
            let resign = Intent::Resign { game: reflection::named(&game(1, 2)) };
            world.unproved(1, vec![resign]);
            world.answer_from(from(1), 0);
        }
        ItemKind::LetterFailed => {
            let about = About { letter: Some(LetterId(12)), ..About::default() };
            world.act(&unsent(about, "no font can write it"));
        }
        ItemKind::TimeComplaint
        | ItemKind::LeaveAsked
        | ItemKind::WithdrawalAsked
        | ItemKind::AddressChanged
        | ItemKind::MembershipNews
        | ItemKind::Objection
        | ItemKind::Death
        | ItemKind::Conduct
        | ItemKind::EntryWishes
        | ItemKind::DrawClaimed => {
            world = World::with_section();
            world.ask_director(1, petition(kind));
        }
        // What these kinds offer is tested with the rules that open them.
        ItemKind::FeeMissing
        | ItemKind::MembershipLapse
        | ItemKind::FillIn
        | ItemKind::AdvancementInDoubt
        | ItemKind::InvitationTied
        | ItemKind::ForfeitsSpread
        | ItemKind::Adjudication
        | ItemKind::TitleOpen
        | ItemKind::PrizesDiffer
        | ItemKind::StandingsUnsound
        | ItemKind::TimePenalty
        | ItemKind::Flood
        | ItemKind::Outage => unreachable!("it is none of `KINDS`"),
    }
    assert_eq!(world.item().kind, kind);
    world
}

/// What a player writes to bring about an item of a kind.
fn petition(kind: ItemKind) -> Intent {
    let game = intent::Game { section: "19N01".into(), white: Seat(1), black: Seat(2) };
    match kind {
        ItemKind::TimeComplaint => Intent::TimeComplaint { game, sent: None, repeated: None },
        ItemKind::LeaveAsked => Intent::Leave { from: None, to: None },
        ItemKind::WithdrawalAsked => {
            Intent::Withdraw { scope: Scope::Section, section: Some("19N01".into()) }
        }
        ItemKind::AddressChanged => {
            let new = Some("new@example.org".to_owned());
            Intent::AddressChange { old: None, new, from: None }
        }
        ItemKind::MembershipNews => Intent::Membership { expires: Some(day("2021-05-31")) },
        ItemKind::Objection => {
            Intent::Objection { game: Some(game), about: "I protest.".to_owned() }
        }
        ItemKind::Death => Intent::Death { player: Some(member(2)), about: "He died.".to_owned() },
        ItemKind::Conduct => Intent::Conduct { game: None, about: "He cheats.".to_owned() },
        ItemKind::EntryWishes => Intent::Entry {
            event: Some("GK2019".into()),
            count: 1,
            member_id: Some(member(1)),
            name: String::new(),
            paid: false,
            postmark: day("2019-03-01"),
            wishes: vec!["not with Player 2".to_owned()],
        },
        _ => Intent::DrawClaim { game, ground: DrawGround::FiftyMoves },
    }
}

pub(super) const KINDS: [ItemKind; 25] = [
    ItemKind::ResidenceUnknown,
    ItemKind::MemberUnknown,
    ItemKind::MembershipLapsed,
    ItemKind::AddressUnknown,
    ItemKind::PostmarkDoubtful,
    ItemKind::EntryLate,
    ItemKind::PaymentUnclear,
    ItemKind::SectionShort,
    ItemKind::ResultDisputed,
    ItemKind::ResultContested,
    ItemKind::NobodyAdvances,
    ItemKind::MailHeld,
    ItemKind::MailParked,
    ItemKind::MailDenied,
    ItemKind::LetterFailed,
    ItemKind::TimeComplaint,
    ItemKind::LeaveAsked,
    ItemKind::WithdrawalAsked,
    ItemKind::AddressChanged,
    ItemKind::MembershipNews,
    ItemKind::Objection,
    ItemKind::Death,
    ItemKind::Conduct,
    ItemKind::EntryWishes,
    ItemKind::DrawClaimed,
];

/// What a choice brings about, as the shortest words for its events.
fn effect(events: &[Event]) -> Vec<String> {
    let word = |event: &Event| match event {
        Event::PlayerListed(_) => "listed".to_owned(),
        Event::EntryAccepted { entry } => format!("{entry} accepted"),
        Event::EntryRefused { entry, refusal } => format!("{entry} refused {}", refusal.code()),
        Event::EntryCarriedForward { entry, .. } => format!("{entry} carried forward"),
        Event::SectionFormed { section, seats, .. } => format!("{section} of {}", seats.len()),
        Event::ResultRuled { outcome, .. } => format!("{} by {}", outcome.result, outcome.how),
        Event::EntryAdvanced { entry, .. } => format!("{entry} advances"),
        Event::LetterResent { letter } => format!("{letter} again"),
        Event::EntryWithdrawn { entry } => format!("{entry} withdrawn"),
        Event::AddressChanged(moved) => format!("letters to {}", moved.new),
        Event::PaymentRefunded(Refund { amount, .. }) => format!("{amount} back"),
        Event::OverstepWarned(Overstep { game, side, .. }) => {
            let seat = if *side == Side::White { game.white } else { game.black };
            format!("{seat} warned in {game}")
        }
        Event::PlayerDied { member, .. } => format!("{member} died"),
        Event::ItemOpened(item) => {
            let game = item.about.game.as_ref().map(|g| format!(" of {g}")).unwrap_or_default();
            format!("{}{game}", item.kind.text())
        }
        Event::AdjudicationAsked { game, .. } => format!("{game} asked"),
        Event::KeptApart(apart) => format!("{} and {} apart", apart.one, apart.other),
        other => format!("{other:?}"),
    };
    // Who is out when somebody has been taken is tested with Rule 3.
    let follows =
        |event: &&Event| !matches!(event, Event::EntryEliminated { .. } | Event::AwardGiven(_));
    events.iter().filter(follows).map(word).collect()
}

/// Every choice of every kind of item, and what it brings about.
const EFFECTS: &[(ItemKind, &str, &[&str])] = &[
    (ItemKind::ResidenceUnknown, "accept", &["GK2019-001 accepted"]),
    (ItemKind::ResidenceUnknown, "refuse", &["GK2019-001 refused by-ruling"]),
    (ItemKind::MemberUnknown, "accept", &["listed", "GK2019-001 accepted"]),
    (ItemKind::MemberUnknown, "refuse", &["GK2019-001 refused by-ruling"]),
    (ItemKind::MembershipLapsed, "accept", &["GK2019-001 accepted"]),
    (ItemKind::MembershipLapsed, "refuse", &["GK2019-001 refused by-ruling"]),
    (ItemKind::AddressUnknown, "accept", &["GK2019-001 accepted"]),
    (ItemKind::AddressUnknown, "refuse", &["GK2019-001 refused by-ruling"]),
    (ItemKind::PostmarkDoubtful, "noted", &[]),
    (ItemKind::EntryLate, "accept", &["GK2019-002 accepted"]),
    (ItemKind::EntryLate, "carry-forward", &["GK2019-002 carried forward"]),
    (ItemKind::EntryLate, "refund", &["GK2019-002 refused by-ruling"]),
    (ItemKind::PaymentUnclear, "keep", &[]),
    (ItemKind::PaymentUnclear, "refund", &["25.00 back"]),
    (ItemKind::SectionShort, "play-short", &["19N01 of 2"]),
    (
        ItemKind::SectionShort,
        "carry-forward",
        &["GK2019-001 carried forward", "GK2019-002 carried forward"],
    ),
    (ItemKind::SectionShort, "by-hand", &[]),
    (ItemKind::ResultDisputed, "1-0", &["1-0 by played"]),
    (ItemKind::ResultDisputed, "0-1", &["0-1 by adjudication"]),
    (ItemKind::ResultDisputed, "1/2-1/2", &["1/2-1/2 by agreement"]),
    (ItemKind::ResultDisputed, "0-0", &["0-0 by double-forfeit"]),
    (ItemKind::ResultContested, "keep", &["1-0 by played"]),
    (ItemKind::ResultContested, "1-0", &["1-0 by played"]),
    (ItemKind::ResultContested, "0-1", &["0-1 by adjudication"]),
    (ItemKind::ResultContested, "1/2-1/2", &["1/2-1/2 by adjudication"]),
    (ItemKind::ResultContested, "0-0", &["0-0 by double-forfeit"]),
    (ItemKind::NobodyAdvances, "nobody", &[]),
    (ItemKind::NobodyAdvances, "GK2019-001", &["GK2019-001 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-002", &["GK2019-002 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-003", &["GK2019-003 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-004", &["GK2019-004 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-005", &["GK2019-005 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-006", &["GK2019-006 advances"]),
    (ItemKind::NobodyAdvances, "GK2019-007", &["GK2019-007 advances"]),
    (ItemKind::MailHeld, "answered", &[]),
    (ItemKind::MailHeld, "dismiss", &[]),
    (ItemKind::MailParked, "answered", &[]),
    (ItemKind::MailParked, "dismiss", &[]),
    (ItemKind::MailDenied, "answered", &[]),
    (ItemKind::MailDenied, "dismiss", &[]),
    (ItemKind::LetterFailed, "resend", &["L12 again"]),
    (ItemKind::LetterFailed, "dismiss", &[]),
    (ItemKind::TimeComplaint, "forfeit", &["1-0 by time-forfeit"]),
    (ItemKind::TimeComplaint, "warn", &["2 warned in 19N01 1-2"]),
    (ItemKind::TimeComplaint, "dismiss", &[]),
    (ItemKind::LeaveAsked, "answered", &[]),
    (ItemKind::LeaveAsked, "dismiss", &[]),
    (
        ItemKind::WithdrawalAsked,
        "withdraw",
        &[
            "GK2019-001 withdrawn",
            "0-1 by withdrawal",
            "1-0 by withdrawal",
            "0-1 by withdrawal",
            "1-0 by withdrawal",
            "0-1 by withdrawal",
            "1-0 by withdrawal",
        ],
    ),
    (ItemKind::WithdrawalAsked, "answered", &[]),
    (ItemKind::WithdrawalAsked, "dismiss", &[]),
    (ItemKind::AddressChanged, "change", &["listed", "letters to new@example.org"]),
    (ItemKind::AddressChanged, "answered", &[]),
    (ItemKind::AddressChanged, "dismiss", &[]),
    (ItemKind::MembershipNews, "renewed", &["listed"]),
    (ItemKind::MembershipNews, "answered", &[]),
    (ItemKind::MembershipNews, "dismiss", &[]),
    (ItemKind::Objection, "keep", &[]),
    (ItemKind::Objection, "1-0", &["1-0 by adjudication"]),
    (ItemKind::Objection, "0-1", &["0-1 by adjudication"]),
    (ItemKind::Objection, "1/2-1/2", &["1/2-1/2 by adjudication"]),
    (ItemKind::Objection, "0-0", &["0-0 by double-forfeit"]),
    (ItemKind::Objection, "answered", &[]),
    (ItemKind::Objection, "dismiss", &[]),
    (
        ItemKind::Death,
        "died",
        &[
            "10000002 died",
            "adjudication of 19N01 1-2",
            "19N01 1-2 asked",
            "adjudication of 19N01 2-3",
            "19N01 2-3 asked",
            "adjudication of 19N01 4-2",
            "19N01 4-2 asked",
            "adjudication of 19N01 2-5",
            "19N01 2-5 asked",
            "adjudication of 19N01 6-2",
            "19N01 6-2 asked",
            "adjudication of 19N01 2-7",
            "19N01 2-7 asked",
        ],
    ),
    (ItemKind::Death, "answered", &[]),
    (ItemKind::Death, "dismiss", &[]),
    (ItemKind::Conduct, "answered", &[]),
    (ItemKind::Conduct, "dismiss", &[]),
    (ItemKind::EntryWishes, "keep-apart", &["10000001 and 10000002 apart"]),
    (ItemKind::EntryWishes, "answered", &[]),
    (ItemKind::EntryWishes, "dismiss", &[]),
    (ItemKind::DrawClaimed, "1/2-1/2", &["1/2-1/2 by fifty-moves"]),
    (ItemKind::DrawClaimed, "answered", &[]),
    (ItemKind::DrawClaimed, "dismiss", &[]),
];

#[test]
fn rule_7_every_choice_of_every_kind_of_item_has_its_effect() {
    for kind in KINDS {
        let start = with_item(kind);
        let item = start.item();
        let rows: Vec<_> = EFFECTS.iter().filter(|row| row.0 == kind).collect();
        let known: Vec<&str> = rows.iter().map(|row| row.1).collect();
        let mut choices = item.choices.clone();
        let mut sorted = known.clone();
        choices.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(choices, sorted, "the table has every choice of {kind:?}");
        for (_, choice, expected) in rows {
            let mut world = start.clone();
            let events = world.rule(item.item, choice);
            let ruled = matches!(&events[0], Event::ItemRuled { ruling, .. }
                if ruling.choice == *choice && ruling.reason == "seen the papers");
            assert!(ruled, "the ruling itself is on record: {events:?}");
            assert_eq!(effect(&events[1..]), *expected, "{kind:?} {choice}");
            let new = events.iter().filter(|e| matches!(e, Event::ItemOpened(_))).count();
            assert_eq!(world.open_kinds().len(), new, "what is decided does not wait");
        }
    }
}

#[test]
fn rule_7_an_impossible_ruling_changes_nothing() {
    for kind in KINDS {
        let mut world = with_item(kind);
        let item = world.item().item;
        let before = world.state.clone();
        assert!(world.rule(item, "forgive").is_empty(), "{kind:?} has no such choice");
        assert!(world.rule(ItemId(99), "accept").is_empty(), "there is no such item");
        assert_eq!(world.state, before);
        let choice = world.item().choices[0].clone();
        world.rule(item, &choice);
        let decided = world.state.clone();
        assert!(world.rule(item, &choice).is_empty(), "{kind:?} is decided already");
        assert_eq!(world.state, decided);
    }
}

#[test]
fn rule_7_a_ruling_adds_to_the_record_and_edits_nothing() {
    for kind in KINDS {
        let mut world = with_item(kind);
        let (item, before) = (world.item(), world.log.clone());
        world.rule(item.item, &item.choices[0]);
        assert_eq!(world.log[..before.len()], before[..]);
        let (kept, ruling) = &world.state.docket[&item.item];
        assert_eq!(kept, &item, "the item stays as it was asked");
        assert_eq!(ruling.as_ref().map(|r| r.by.as_str()), Some("Pat Marlow"));
    }
}

#[test]
fn rule_7_the_directors_reason_is_what_the_player_reads() {
    let mut world = with_item(ItemKind::MembershipLapsed);
    let item = world.item().item;
    world.rule(item, "refuse");
    let reason = Refusal::ByRuling { reason: "seen the papers".to_owned() };
    assert_eq!(entry(&world, "GK2019-001").refusal, Some(reason));
}

#[test]
fn rule_7_the_director_fixes_a_result_and_what_waited_about_it_is_closed() {
    for kind in [ItemKind::ResultDisputed, ItemKind::ResultContested] {
        let mut world = with_item(kind);
        let outcome = Outcome { result: Score::BlackWins, how: How::TimeForfeit };
        let reason = "second overstep".to_owned();
        world.act(&Command::FixResult { game: game(1, 2), outcome, reason });
        assert!(world.open_kinds().is_empty());
        assert_eq!(world.game(&game(1, 2)).settled(), Some(outcome));
        assert_eq!(world.game_state(&game(1, 2)), "ruled");
    }
}

#[test]
fn rule_7_a_ruling_may_complete_a_section_and_send_players_on() {
    let mut world = World::with_section();
    let all: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let (last, others) = all.split_last().expect("21 games");
    for id in others {
        let win = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        world.settle(id, win);
    }
    let outcome = Outcome { result: Score::Draw, how: How::Adjudication };
    let reason = "a dead draw".to_owned();
    let events = world.act(&Command::FixResult { game: last.clone(), outcome, reason });
    assert!(events.iter().any(|e| matches!(e, Event::SectionCompleted { .. })), "{events:?}");
    assert!(world.section().complete);
}
