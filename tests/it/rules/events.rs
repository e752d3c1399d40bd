//! Every tournament that is shipped, and others that only a file makes, played through commands to its prizes. There is
//! no code for any of them.

use super::*;
use knightmail::domain::{
    crosstable::crosstable,
    honours::{Award, PrizeList},
    rules::scoring,
    tournament::Tournament,
};
use rust_decimal::Decimal;

/// Plays a tournament with so many players, each with one entry, to the announcement of its prizes.
fn season(mut world: World, event: &str, players: u16, seed: u64) -> World {
    let tournament = world.rules.tournaments[&event.into()].clone();
    world.rules.tournaments.retain(|id, _| id == &tournament.id);
    world.today = tournament.entry.opens;
    let rated = |n: u16| player(n, (!n.is_multiple_of(9)).then(|| 2300 - 37 * (n % 30)));
    world.act(&Command::ListPlayers((1..=players).map(rated).collect()));
    for n in 1..=players {
        let postmark = later(tournament.entry.opens, u64::from(n)).to_string();
        let event = Some(tournament.id.clone());
        world.enter(EntryForm { event, paid: true, ..form(n, &postmark) });
    }
    let mut dice = Dice(seed);
    world.today = tournament.entry.pairings_from;
    let end = later(tournament.closes(), 10 * 365);
    while world.today < end && !is_over(&world, &tournament) {
        let today = later(world.today, 20).to_string();
        world.tick(Job::Assignments, &today);
        play(&mut world, &mut dice);
        world.tick(Job::Reminders, &today);
        decide_all(&mut world);
    }
    assert!(
        is_over(&world, &tournament),
        "{event}: {:?}",
        world.state.open_docket().collect::<Vec<_>>()
    );
    world
}

/// Tells whether prizes are announced for the tournament, or for each of its sections, and nobody waits.
fn is_over(world: &World, tournament: &Tournament) -> bool {
    let waits = |e: &Entry| {
        matches!(e.state, EntryState::Waiting | EntryState::Assigned | EntryState::Advanced)
    };
    let announced = |s: &Section| {
        let of = |section| world.state.prizes.contains_key(&(tournament.id.clone(), section));
        of(None) || of(Some(s.code.clone()))
    };
    world.today > tournament.closes()
        && !world.state.entries.values().any(waits)
        && world.state.sections.values().all(announced)
}

/// Gives every running game an outcome.
fn play(world: &mut World, dice: &mut Dice) {
    let running = |section: &Section| {
        let games = section.games.iter().filter(|game| game.settled().is_none());
        games.map(|game| section.game_id(game)).collect::<Vec<_>>()
    };
    let games: Vec<GameId> = world.state.sections.values().flat_map(running).collect();
    for game in games {
        let result = *dice.pick(&[Score::WhiteWins, Score::Draw, Score::BlackWins]);
        let forfeit = result != Score::Draw && dice.once_in(40);
        let how = if forfeit { How::TimeForfeit } else { How::Played };
        let (outcome, on) = (Outcome { result, how }, world.today);
        world.act(&Command::AdoptResult { game, outcome, on });
    }
}

/// The director decides what waits for him: as it is recommended, else what stands first.
fn decide_all(world: &mut World) {
    let open: Vec<Item> = world.state.open_docket().cloned().collect();
    for item in open {
        let choice = item.recommended.clone().unwrap_or_else(|| item.choices[0].clone());
        world.rule(item.item, &choice);
    }
}

/// Makes sure of what holds for every list of prizes, whatever the tournament.
fn check(world: &World, tournament: &Tournament, list: &PrizeList) {
    let paid: Decimal = list.places.iter().map(|prize| prize.amount).sum();
    assert_eq!(paid + list.undistributed, list.fund, "{}", tournament.id);
    assert!(list.undistributed >= Decimal::ZERO);
    let standings = scoring::standings(tournament, &world.state, world.today);
    let row = |id: &EntryId| standings.iter().find(|row| &row.entry == id).expect("it stands");
    let totals: Vec<Decimal> = list.places.iter().map(|prize| row(&prize.entry).weighted).collect();
    assert!(totals.is_sorted_by(|a, b| a >= b), "{}: {totals:?}", tournament.id);
    for prize in &list.places {
        let row = row(&prize.entry);
        assert_eq!((row.forfeit_losses, row.state), (0, EntryState::Finished), "{}", prize.entry);
    }
}

#[test]
fn rule_5_every_shipped_tournament_is_played_to_its_prizes() {
    for (event, players) in
        [("GK2019", 30), ("EK2019", 37), ("CQ2020", 23), ("AB2020", 17), ("VP2019", 21)]
    {
        let world = season(World::new("2019-01-01"), event, players, 7);
        let tournament = &world.rules.tournaments[&event.into()];
        let sections = world.state.sections.values().count();
        let lists: Vec<&PrizeList> = world.state.prizes.values().collect();
        for list in &lists {
            check(&world, tournament, list);
        }
        let wanted = if tournament.rounds.len() == 1 { sections } else { 1 };
        assert_eq!(lists.len(), wanted, "{event}");
    }
    assert_eq!(shipped::EVENTS.len(), 5, "each of them is played here");
}

#[test]
fn rule_5_each_section_of_a_one_round_tournament_has_its_own_prizes() {
    let world = season(World::new("2019-01-01"), "CQ2020", 23, 3);
    for section in world.state.sections.values() {
        let list = &world.state.prizes[&("CQ2020".into(), Some(section.code.clone()))];
        assert_eq!(list.fund.to_string(), "30.00");
        assert_eq!(section.games.len(), section.seats.len() * (section.seats.len() - 1));
        let mut rows = crosstable(section);
        rows.retain(|row| row.forfeit_losses == 0);
        let most = rows.iter().map(|row| row.points).max();
        let first: Vec<_> = rows.iter().filter(|row| Some(row.points) == most).collect();
        assert_eq!(list.places.len(), first.len(), "{}: the first, or all of them", section.code);
        assert!(list.places.iter().all(|p| first.iter().any(|row| row.entry == p.entry)));
    }
}

#[test]
fn rule_2_the_absolute_has_thirteen_seats_and_one_champion_at_most() {
    let world = season(World::new("2019-01-01"), "AB2020", 17, 11);
    let sections: Vec<&Section> = world.state.sections.values().collect();
    assert_eq!(sections.iter().map(|s| s.seats.len()).collect::<Vec<_>>(), [13]);
    assert_eq!(sections[0].games.len(), 78);
    let has_title = |e: &&Entry| e.awards.iter().any(|award| matches!(award, Award::Title(_)));
    assert!(world.state.entries.values().filter(has_title).count() <= 1);
    let list = &world.state.prizes[&("AB2020".into(), Some(sections[0].code.clone()))];
    assert_eq!(list.fund.to_string(), "1000.00");
}

/// A tournament of a director's own: two rounds of five, other weights, other prizes for another number of entries.
fn own() -> Tournament {
    let text = shipped::event("EK2019").expect("it is shipped").text;
    let (head, rest) = text.split_once("[[round]]").expect("the rounds");
    let (_, tail) = rest.split_once("# Rules 5 and 6").expect("the prizes");
    let rounds = r#"[[round]]
name = "league"
code = "19C"
size = 5
games_per_pair = 1
months = 12
weight = "1.25"
advance = "3"
otherwise = "2.5"

[[round]]
name = "playoff"
code = "19Cf"
size = 5
games_per_pair = 2
months = 12
weight = "3"

# Rules 5 and 6"#;
    let text = format!("{head}{rounds}{tail}");
    let changes = [
        ("id = \"EK2019\"", "id = \"OWN2019\""),
        (
            "places = [\"800\", \"500\", \"300\", \"100\", \"100\", \"100\", \"100\", \"100\", \"100\", \"100\"]",
            "places = [\"99.99\", \"50\"]",
        ),
        ("scaled_to_entries = 200", "scaled_to_entries = 30"),
        ("framing_certificate_round = \"semifinal\"", "framing_certificate_round = \"league\""),
    ];
    let text = changes.iter().fold(text, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    });
    tournament::read("events/own.toml", &text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn rule_6_other_weights_and_prizes_need_no_code() {
    let mut world = World::new("2019-01-01");
    let own = own();
    world.rules.tournaments.insert(own.id.clone(), own.clone());
    let world = season(world, "OWN2019", 26, 5);
    let list = &world.state.prizes[&("OWN2019".into(), None)];
    check(&world, &own, list);
    let assigned = Decimal::from(list.entries_assigned);
    let fund = ("149.99".parse::<Decimal>().expect("an amount") * assigned / Decimal::from(30))
        .trunc_with_scale(2);
    assert_eq!(list.fund, fund, "{} entries assigned", list.entries_assigned);
    let points: Vec<_> = ["2.5", "7.5"].map(|text| Some(text.parse().expect("points"))).into();
    assert_eq!(scoring::worked(&own, &points), "2.5 x 1.25 + 7.5 x 3 = 25.625");
}
