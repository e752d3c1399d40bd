//! Rule 7: what the director did can be taken back as long as nothing has followed from it.

use super::{
    rulings::{KINDS, with_item},
    *,
};
use knightmail::domain::{acts::Assigned, command::Undo, intent::Scope, rules::undoing};

/// Books before an act, what it decided, and its number.
struct Done {
    before: State,
    events: Vec<Event>,
}

fn done(world: &mut World, command: &Command) -> Done {
    let before = world.state.clone();
    let events = world.act(command);
    assert!(!events.is_empty(), "it is done: {command:?}");
    Done { before, events }
}

fn undo(done: &Done, later: &[Event]) -> Undo {
    Undo {
        transaction: 7,
        events: done.events.clone(),
        before: done.before.clone(),
        later: (8..).zip(later.iter().cloned()).collect(),
        reason: "a slip of the pen".to_owned(),
        unheard: Vec::new(),
    }
}

/// Makes sure that taking it back gives the books as they were; only the counters go on.
#[track_caller]
fn comes_back(world: &World, done: &Done, what: &str) {
    let mut world = world.clone();
    assert_eq!(undoing::check(&world.state, &undo(done, &[])), Ok(()), "{what}");
    let events = world.act(&Command::Undo(Box::new(undo(done, &[]))));
    assert!(matches!(events[..], [Event::Undone(_)]), "{what}: {events:?}");
    let written = serde_json::to_string(&events[0]).expect("an event becomes JSON");
    assert_eq!(serde_json::from_str::<Event>(&written).ok().as_ref(), Some(&events[0]), "{what}");
    world.state.last_item = done.before.last_item;
    world.state.last_entry.clone_from(&done.before.last_entry);
    assert_eq!(world.state, done.before, "{what}");
}

fn ruling(item: &Item, choice: &str) -> Command {
    let (choice, reason) = (choice.to_owned(), "seen the papers".to_owned());
    Command::Rule { item: item.item, choice, reason, by: "Pat Marlow".to_owned() }
}

fn every_choice(world: &World) {
    let item = world.item();
    for choice in &item.choices {
        let mut world = world.clone();
        let done = done(&mut world, &ruling(&item, choice));
        comes_back(&world, &done, &format!("{:?} {choice}", item.kind));
    }
}

fn silent(world: &mut World) {
    for (game, result) in [(game(1, 2), Score::BlackWins), (game(3, 1), Score::WhiteWins)] {
        let outcome = Outcome { result, how: How::SilenceForfeit };
        world.act(&Command::FixResult { game, outcome, reason: "silent".to_owned() });
    }
}

#[test]
fn rule_7_every_choice_of_every_kind_of_item_can_be_taken_back() {
    for kind in KINDS {
        every_choice(&with_item(kind));
    }
    let mut world = World::with_section();
    silent(&mut world);
    every_choice(&world);
    let mut world = World::with_section();
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    games[1..].iter().for_each(|id| drop(world.settle(id, Score::Draw)));
    world.tick(Job::Reminders, "2021-09-04");
    every_choice(&world);
    world.act(&Command::NoteDeath { member: member(1) });
    every_choice(&world);
}

/// Every other act of the director.
fn acts(waits: &EntryId) -> Vec<Command> {
    let reason = "so it is".to_owned();
    let outcome = Outcome { result: Score::BothLose, how: How::DoubleForfeit };
    let within = |scope, section: Option<&str>| Command::Withdraw {
        member: member(1),
        scope,
        section: section.map(SectionCode::from),
        event: None,
        reason: reason.clone(),
    };
    let (from, to) = (day("2019-04-01"), day("2019-04-10"));
    let moved = Player { emails: vec!["new@example.org".to_owned()], ..player(1, Some(2300)) };
    vec![
        Command::Enter(EntryForm { paid: true, from: None, count: 2, ..form(9, "2019-03-02") }),
        Command::Enter(EntryForm { from: None, ..form(8, "2019-02-02") }),
        payment(9, "25.00", "2019-03-02", "check"),
        payment(8, "25.00", "2019-03-02", "check"),
        Command::ListPlayers(vec![moved]),
        Command::ListPlayers(vec![player(55, None)]),
        Command::FixResult { game: game(1, 2), outcome, reason: reason.clone() },
        within(Scope::Section, Some("19N01")),
        within(Scope::All, None),
        Command::NoteDeath { member: member(1) },
        Command::GrantLeave { member: member(1), from, to, reason: reason.clone() },
        Command::KeepApart { one: member(1), other: member(9), lifted: false },
        Command::Merge { from: member(8), into: member(9) },
        Command::Merge { from: member(9), into: member(1) },
        Command::FixAssigned(Assigned {
            event: "GK2019".into(),
            number: 121,
            reason: reason.clone(),
        }),
        Command::Substitute {
            section: "19N01".into(),
            seat: Seat(1),
            entry: waits.clone(),
            reason,
        },
    ]
}

#[test]
fn rule_7_every_act_of_the_director_can_be_taken_back() {
    let mut start = World::with_section();
    start.enter(EntryForm { paid: true, ..form(8, "2019-03-04") });
    start.settle(&game(1, 4), Score::WhiteWins);
    start.report(5, &game(5, 1), played(Score::Draw));
    let waits = start.state.entries_of[&member(8)][0].clone();
    for command in acts(&waits) {
        let mut world = start.clone();
        let done = done(&mut world, &command);
        comes_back(&world, &done, &format!("{command:?}"));
    }
}

/// What followed: in words, as an act, and the thing that it touches.
type Later<'a> = (&'a str, &'a dyn Fn(&mut World) -> Vec<Event>, &'a str);

#[test]
fn rule_7_what_something_followed_from_stays() {
    let fix = |result| {
        let outcome = Outcome { result, how: How::Adjudication };
        Command::FixResult { game: game(1, 2), outcome, reason: "seen".to_owned() }
    };
    let later: &[Later<'_>] = &[
        ("another ruling", &|w| w.act(&fix(Score::BlackWins)), "game 19N01 1-2"),
        (
            "a substitute",
            &|w| {
                w.enter(EntryForm { paid: true, ..form(8, "2019-03-04") });
                let entry = w.state.entries_of[&member(8)][0].clone();
                let (section, seat) = ("19N01".into(), Seat(1));
                w.act(&Command::Substitute { section, seat, entry, reason: String::new() })
            },
            "entry GK2019-001",
        ),
        (
            "a withdrawal",
            &|w| {
                let (member, scope, reason) = (member(2), Scope::All, String::new());
                w.act(&Command::Withdraw { member, scope, section: None, event: None, reason })
            },
            "entry GK2019-002",
        ),
    ];
    for (what, follow, names) in later {
        let mut world = World::with_section();
        let done = done(&mut world, &fix(Score::Draw));
        let events = follow(&mut world);
        let why = undoing::check(&world.state, &undo(&done, &events)).expect_err(what);
        assert!(why.contains(names), "{what}: {why}");
        assert!(why.contains("transaction 7") && why.contains(" came after it"), "{what}: {why}");
        assert!(world.act(&Command::Undo(Box::new(undo(&done, &events)))).is_empty(), "{what}");
    }
}

#[test]
fn rule_7_what_has_nothing_to_do_with_it_is_no_hindrance() {
    let mut world = World::with_section();
    let outcome = Outcome { result: Score::Draw, how: How::Adjudication };
    let reason = "seen".to_owned();
    let command = Command::FixResult { game: game(1, 2), outcome, reason };
    let done = done(&mut world, &command);
    let events = world.settle(&game(3, 4), Score::Draw);
    let back = undo(&done, &events);
    assert_eq!(undoing::check(&world.state, &back), Ok(()));
    world.act(&Command::Undo(Box::new(back)));
    assert_eq!(world.game_state(&game(1, 2)), "running");
    assert_eq!(world.game_state(&game(3, 4)), "confirmed");
}

#[test]
fn rule_7_an_entry_that_was_accepted_and_plays_is_not_unaccepted() {
    let mut world = World::with_section();
    world.act(&Command::ListPlayers(vec![Player { country: None, ..player(8, None) }]));
    world.enter(EntryForm { paid: true, ..form(8, "2019-03-01") });
    let item = world.item();
    let done = done(&mut world, &ruling(&item, "accept"));
    let entry = world.state.entries_of[&member(8)][0].clone();
    comes_back(&world, &done, "it waits");
    let (section, reason) = ("19N01".into(), String::new());
    let events = world.act(&Command::Substitute { section, seat: Seat(3), entry, reason });
    let why = undoing::check(&world.state, &undo(&done, &events)).expect_err("it plays");
    assert!(why.contains("transaction 8 came after it"), "{why}");
}

#[test]
fn rule_7_an_undo_is_not_taken_back_and_nothing_twice() {
    let mut world = World::with_section();
    let outcome = Outcome { result: Score::Draw, how: How::Adjudication };
    let command = Command::FixResult { game: game(1, 2), outcome, reason: "seen".to_owned() };
    let ruled = done(&mut world, &command);
    let back = done(&mut world, &Command::Undo(Box::new(undo(&ruled, &[]))));
    let why = undoing::check(&world.state, &undo(&back, &[])).expect_err("it is an undo");
    assert!(why.contains("took back another"), "{why}");
    let why = undoing::check(&world.state, &undo(&ruled, &back.events)).expect_err("twice");
    assert!(why.contains("was taken back by transaction 8"), "{why}");
    let nothing = Done { before: world.state.clone(), events: Vec::new() };
    let why = undoing::check(&world.state, &undo(&nothing, &[])).expect_err("nothing");
    assert!(why.contains("changed nothing"), "{why}");
}

#[test]
fn rule_7_the_number_of_an_item_that_is_gone_is_not_given_again() {
    let mut world = World::with_section();
    let done = done(&mut world, &Command::NoteDeath { member: member(1) });
    let last = world.state.last_item;
    world.act(&Command::Undo(Box::new(undo(&done, &[]))));
    assert!(world.state.docket.is_empty());
    silent(&mut world);
    assert_eq!(world.item().item, ItemId(last.0 + 1));
}
