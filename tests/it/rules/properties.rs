//! What holds whatever is asked for: random commands over random books, from seeds. A failure names its seed.

use super::*;
use knightmail::domain::{
    command::{AdoptedSection, HeldMail},
    docket::About,
    event::{Topic, Trouble},
    ids::LetterId,
};

const SEEDS: u64 = 150;
const STEPS: usize = 150;

fn any_member(dice: &mut Dice) -> MemberId {
    member(u16::try_from(1 + dice.below(14)).expect("few"))
}

fn any_correspondent(dice: &mut Dice) -> Correspondent {
    if dice.once_in(6) { stranger() } else { from(u16::try_from(1 + dice.below(12)).expect("few")) }
}

fn any_player(dice: &mut Dice) -> Player {
    let number = u16::try_from(1 + dice.below(12)).expect("few");
    let rating = *dice.pick(&[None, Some(1500), Some(1501), Some(2200)]);
    let country = dice.pick(&["US", "US", "US", "CA", "DE", "", "XX"]);
    let expires = dice.once_in(5).then(|| day("2019-04-01"));
    let emails = if dice.once_in(8) { Vec::new() } else { vec![address(number % 9)] };
    Player { country: Some((*country).to_owned()), expires, emails, ..player(number, rating) }
}

fn any_game(dice: &mut Dice, world: &World) -> GameId {
    let sections: Vec<&Section> = world.state.sections.values().collect();
    if sections.is_empty() || dice.once_in(10) {
        let seat = |dice: &mut Dice| u8::try_from(dice.below(9)).expect("few");
        return game(seat(dice), seat(dice));
    }
    let section = dice.pick(&sections);
    let games: Vec<&Game> = section.games.iter().collect();
    if games.is_empty() { game(0, 0) } else { section.game_id(dice.pick::<&Game>(&games)) }
}

fn any_outcome(dice: &mut Dice) -> Outcome {
    let result = *dice.pick(&[
        Score::WhiteWins,
        Score::BlackWins,
        Score::Draw,
        Score::Draw,
        Score::BothLose,
    ]);
    Outcome { result, how: *dice.pick(&[How::Played, How::Mate, How::TimeForfeit, How::Death]) }
}

fn any_form(dice: &mut Dice, world: &World) -> EntryForm {
    let passed = u64::try_from(dice.below(40)).expect("days");
    let postmark = world.today - Days::new(passed);
    EntryForm {
        event: (!dice.once_in(20)).then(|| "GK2019".into()),
        id: dice.once_in(20).then(|| EntryId(format!("GK2019-{:03}", dice.below(1100)))),
        member: (!dice.once_in(20)).then(|| any_member(dice)),
        from: (!dice.once_in(4)).then(|| any_correspondent(dice)),
        count: u8::try_from(*dice.pick(&[0, 1, 1, 1, 2, 3, 10, 255])).expect("few"),
        postmark_doubt: dice.once_in(9).then(|| "It is odd.".to_owned()),
        arrived: noon(world.today),
        paid: !dice.once_in(3),
        ..form(1, &postmark.to_string())
    }
}

fn any_ruling(dice: &mut Dice, world: &World) -> Command {
    let items: Vec<&Item> = world.state.docket.values().map(|(item, _)| item).collect();
    let (item, choice) = if items.is_empty() || dice.once_in(10) {
        (ItemId(dice.next() % 5), "accept".to_owned())
    } else {
        let item = dice.pick(&items);
        (item.item, dice.pick(&item.choices).clone())
    };
    Command::Rule { item, choice, reason: "so be it".to_owned(), by: "Pat Marlow".to_owned() }
}

fn any_section(dice: &mut Dice, world: &World) -> Command {
    let members: Vec<MemberId> = (0..2 + dice.below(6)).map(|_| any_member(dice)).collect();
    let seats = members.into_iter().map(|m| (None, m)).collect();
    let section = SectionCode(format!("19N{:02}", 1 + dice.below(30)));
    let (event, round, start) = ("GK2019".into(), dice.below(4), world.today);
    Command::AdoptSection(AdoptedSection { section, event, round, start, seats })
}

fn any_mail(dice: &mut Dice) -> Command {
    let why = *dice.pick(&[Trouble::NothingFound, Trouble::TooMany, Trouble::Parked]);
    let (answer, docket) = (dice.once_in(2), dice.once_in(2));
    let (from, mail) = (any_correspondent(dice), "sha256:00".to_owned());
    Command::Hold(HeldMail {
        from,
        why,
        read: vec!["a result".to_owned()],
        words: Vec::new(),
        mail,
        answer,
        docket,
    })
}

fn any_command(dice: &mut Dice, world: &World) -> Command {
    match dice.below(20) {
        0 | 1 => Command::ListPlayers((0..dice.below(4)).map(|_| any_player(dice)).collect()),
        2..=5 => Command::Enter(any_form(dice, world)),
        6 => {
            let amount = *dice.pick(&["25.00", "0.01", "75.00", "-25.00"]);
            let number = u16::try_from(1 + dice.below(14)).expect("few");
            payment(number, amount, "2019-03-01", dice.pick::<&str>(&["check", "shop 1"]))
        }
        7..=11 => {
            let (from, game, outcome) =
                (any_correspondent(dice), any_game(dice, world), any_outcome(dice));
            Command::ReportResult(ResultClaim { from, game, outcome, mail: None })
        }
        12 | 13 => any_ruling(dice, world),
        14 => {
            let (game, outcome) = (any_game(dice, world), any_outcome(dice));
            Command::FixResult { game, outcome, reason: "so be it".to_owned() }
        }
        15 => any_section(dice, world),
        16 => {
            let (game, outcome) = (any_game(dice, world), any_outcome(dice));
            Command::AdoptResult { game, outcome, on: world.today }
        }
        17 => any_mail(dice),
        18 => {
            let letter = dice.once_in(2).then(|| LetterId(dice.next() % 9));
            let about = About { letter, ..About::default() };
            unsent(about, "550 gone")
        }
        _ => match dice.below(4) {
            0 => Command::OpenBooks { since: world.today },
            1 => Command::Resend { letter: LetterId(dice.next() % 9) },
            _ => {
                let (from, topic) = (any_correspondent(dice), Topic::Games);
                Command::Ask { from, topic, section: None }
            }
        },
    }
}

/// Money adds up: what is used is the fees of the paid entries, and nobody has used more than came.
fn check_money(world: &World, seed: u64) {
    for ((event, who), account) in &world.state.accounts {
        let paid = world.state.entries_in(event, who).filter(|e| e.paid).count();
        let fees = rust_decimal::Decimal::from(25 * paid);
        assert_eq!(account.used, fees, "seed {seed}: {who}");
    }
}

/// An entry that waits for the director has an open item, and the other way round.
fn check_docket(world: &World, seed: u64) {
    for entry in world.state.entries.values().filter(|e| e.state == EntryState::Docket) {
        let asks = |item: &Item| item.kind.holds_entries() && item.entries.contains(&entry.id);
        let open = world.state.open_docket().any(asks);
        assert!(open, "seed {seed}: {} waits for nothing", entry.id);
    }
}

/// No entry is left between its states: whoever came in is judged.
fn check_entries(world: &World, seed: u64) {
    for entry in world.state.entries.values() {
        assert_ne!(entry.state, EntryState::Received, "seed {seed}: {} is not judged", entry.id);
        if entry.state == EntryState::Assigned {
            assert!(!entry.sections.is_empty(), "seed {seed}: {} sits nowhere", entry.id);
        }
    }
}

#[test]
fn random_commands_never_break_the_books() {
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        let mut world = World::new("2019-01-10");
        for _ in 0..STEPS {
            world.today = later(world.today, u64::try_from(dice.below(5)).expect("days"));
            let command = if dice.once_in(6) {
                let job = *dice.pick(&[Job::Assignments, Job::Reminders, Job::Summary]);
                Command::Tick { job, slot: world.today }
            } else {
                any_command(&mut dice, &world)
            };
            let events = world.act(&command);
            tell::notices(&world.state, &events);
            check_money(&world, seed);
            check_docket(&world, seed);
            check_entries(&world, seed);
        }
        let lines: Vec<String> =
            world.log.iter().map(|e| serde_json::to_string(e).expect("it is JSON")).collect();
        let mut replayed = State::default();
        for (line, event) in lines.iter().zip(&world.log) {
            let read: Event = serde_json::from_str(line).expect(line);
            assert_eq!(&read, event, "seed {seed}: {line}");
            apply(&mut replayed, &read);
        }
        assert_eq!(replayed, world.state, "seed {seed}: a replay gives the same books");
    }
}

#[test]
fn an_event_about_something_unknown_changes_no_game_and_no_entry() {
    let mut world = World::with_section();
    for n in 1..=7 {
        world.report(n, &game(1, 2), played(Score::Draw));
    }
    let mut strange = State::default();
    for event in world.log.iter().rev().filter(|e| !matches!(e, Event::EntryReceived { .. })) {
        apply(&mut strange, event);
    }
    assert!(strange.entries.is_empty(), "apply is total and invents nothing");
}
