//! Rule 10: reflection time. The ledger of a game, by the books' dates alone: controls, the limit on one move, leave,
//! letters that did not arrive, days charged, and whose zone a date is in.

use super::*;
use knightmail::domain::{
    command::{AdoptedSection, MoveOrder},
    ids::LetterId,
    intent::{self, Fault, Move, MoveFault},
    rules::reflection::{self, Ledger, Row, Standstill},
    tournament::Counting,
};

/// Four single moves that lead back to where they began: a game as long as one likes.
const TO_AND_FRO: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

impl World {
    /// Books with the section 19N01, whose games start on a day.
    pub(super) fn starting(start: &str) -> Self {
        let mut world = Self::with_section();
        let code = SectionCode::from("19N01");
        world.state.sections.get_mut(&code).expect("it is formed").start = day(start);
        world
    }

    /// The side to move sends its next move on a day.
    pub(super) fn move_on(&mut self, id: &GameId, on: &str) -> Vec<Event> {
        let (number, side, place) = {
            let record = &self.game(id).record;
            (record.next_number(), record.next_side(), record.len())
        };
        let uci = TO_AND_FRO[place % 4];
        self.order(id, on, (number, side, Some(uci)), None)
    }

    fn order(
        &mut self,
        id: &GameId,
        on: &str,
        (number, side, uci): (u16, Side, Option<&str>),
        fault: Option<MoveFault>,
    ) -> Vec<Event> {
        self.today = day(on);
        let member = self.state.member_of(id, side).expect("it is a game").clone();
        let said = Move {
            game: named(id),
            number,
            side,
            san: uci.unwrap_or("Bg6").to_owned(),
            uci: uci.map(str::to_owned),
            conditional: Vec::new(),
            repeat: false,
            before: Vec::new(),
            fault,
        };
        let (sent, mail) = (Some(self.today), Some("sha256:00".to_owned()));
        let from = from(super::number(&member));
        self.act(&Command::PlayMove(MoveOrder { from, said, offer: false, sent, mail }))
    }

    /// The last move is sent once more on a day.
    pub(super) fn repeat_on(&mut self, id: &GameId, on: &str) -> Vec<Event> {
        let place = self.game(id).record.len() - 1;
        let side = if place.is_multiple_of(2) { Side::White } else { Side::Black };
        let number = u16::try_from(place / 2 + 1).expect("it is short");
        self.order(id, on, (number, side, Some(TO_AND_FRO[place % 4])), None)
    }

    fn ledger(&self, id: &GameId, today: &str) -> Ledger {
        self.ledger_with(id, &[], today)
    }

    fn ledger_with(&self, id: &GameId, outages: &[Standstill], today: &str) -> Ledger {
        let tournament = &self.rules.tournaments[&"GK2019".into()];
        reflection::ledger(tournament, &self.state, id, outages, day(today))
    }

    pub(super) fn grant(&mut self, who: u16, from: &str, to: &str) -> Vec<Event> {
        let (member, from, to) = (member(who), day(from), day(to));
        self.act(&Command::GrantLeave { member, from, to, reason: "a rest".to_owned() })
    }
}

pub(super) fn named(id: &GameId) -> intent::Game {
    intent::Game { section: id.section.clone(), white: id.white, black: id.black }
}

/// Returns the days of a side's last move, or of the one it thinks about.
pub(super) fn last_days(world: &World, id: &GameId, side: Side, today: &str) -> u32 {
    last(&world.ledger(id, today), side).days
}

/// The row of a side's last move, or of the one it thinks about.
fn last(ledger: &Ledger, side: Side) -> &Row {
    ledger.of(side).next_back().expect("the side has a row")
}

#[test]
fn rule_10_thirty_days_for_ten_moves_and_what_is_unused_carries_over() {
    // Days for each of White's moves; then days so far, left up to the control, and whether that is too much.
    let cases: [(&[u64], u32, i64, bool); 8] = [
        (&[0], 0, 30, false),
        (&[30], 30, 0, false),
        (&[31], 31, -1, true),
        (&[3; 10], 30, 0, false),
        (&[3, 3, 3, 3, 3, 3, 3, 3, 3, 4], 31, -1, true),
        (&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 25], 35, 25, false),
        (&[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 30], 60, 0, false),
        (&[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 31], 61, -1, true),
    ];
    for (days, total, left, over) in cases {
        let (mut world, id) = (World::starting("2020-02-20"), game(1, 2));
        let mut today = day("2020-02-20");
        for taken in days {
            today = later(today, *taken);
            world.move_on(&id, &today.to_string());
            world.move_on(&id, &today.to_string());
        }
        let ledger = world.ledger(&id, &today.to_string());
        let number = u16::try_from(days.len()).unwrap();
        let row = ledger.of(Side::White).find(|row| row.number == number).unwrap();
        assert_eq!(
            (row.total, row.left, row.overstepped),
            (total, left, over),
            "{days:?}: {row:?}"
        );
        let controls = (number - 1) / 10 + 1;
        assert_eq!((row.control, row.allowed), (10 * controls, 30 * u32::from(controls)));
        assert_eq!(last(&ledger, Side::Black).total, 0, "who answers on the day uses none");
    }
}

#[test]
fn rule_10_days_are_dates_and_each_policy_counts_them_in_its_own_way() {
    use Counting::{DateDifference, Full24Hours, NextDayGrace};
    let cases = [
        (DateDifference, "2020-03-01", "2020-03-01", 0),
        (DateDifference, "2020-03-01", "2020-03-05", 4),
        (DateDifference, "2020-02-27", "2020-03-02", 4), // by way of 29 February
        (DateDifference, "2021-02-27", "2021-03-02", 3),
        (DateDifference, "2020-03-07", "2020-03-09", 2), // the clocks go forward on the 8th
        (DateDifference, "2019-12-30", "2020-01-02", 3),
        (NextDayGrace, "2020-03-01", "2020-03-01", 0),
        (NextDayGrace, "2020-03-01", "2020-03-02", 0),
        (NextDayGrace, "2020-03-01", "2020-03-05", 3),
        (Full24Hours, "2020-03-01", "2020-03-02", 0),
        (Full24Hours, "2020-02-28", "2020-03-01", 1),
    ];
    for (counting, received, answered, days) in cases {
        let (mut world, id) = (World::starting(received), game(1, 2));
        let tournament = world.rules.tournaments.get_mut(&"GK2019".into()).unwrap();
        for clock in &mut tournament.clocks {
            clock.counting = counting;
        }
        world.move_on(&id, received);
        world.move_on(&id, answered);
        let row = last(&world.ledger(&id, answered), Side::Black).clone();
        assert_eq!(row.days, days, "{counting:?} {received} {answered}: {}", row.why());
        let day = |text: &str| Some(super::day(text));
        assert_eq!((Some(row.received), row.answered), (day(received), day(answered)));
    }
}

#[test]
fn rule_10_the_newer_rules_hold_for_a_running_game_from_their_day_on() {
    // Received, answered: days used, and whether that is too long for one move.
    let cases = [
        ("2021-08-20", "2021-09-15", 26, false), // nothing limits one move yet
        ("2021-09-10", "2021-09-30", 20, false), // the day before
        ("2021-09-10", "2021-10-01", 21, false), // none of them counts from 1 October on
        ("2021-09-20", "2021-10-11", 21, false), // ten since 1 October
        ("2021-09-20", "2021-10-12", 22, true),  // eleven
        ("2021-10-01", "2021-10-11", 10, false),
        ("2021-10-05", "2021-10-15", 10, false),
        ("2021-10-05", "2021-10-16", 11, true),
    ];
    for (received, answered, days, over) in cases {
        let (mut world, id) = (World::starting(received), game(1, 2));
        world.move_on(&id, received);
        world.move_on(&id, answered);
        let row = last(&world.ledger(&id, answered), Side::Black).clone();
        assert_eq!((row.days, row.overstepped), (days, over), "{received} {answered}: {row:?}");
    }
}

#[test]
fn rule_10_the_day_of_an_act_chooses_the_rule_set() {
    let world = World::new("2019-01-01");
    let tournament = &world.rules.tournaments[&"GK2019".into()];
    for (on, repeat, complaint, slow) in [
        ("2018-01-01", 10, 20, Some(10)),
        ("2019-06-01", 10, 20, Some(10)),
        ("2021-09-30", 10, 20, Some(10)),
        ("2021-10-01", 14, 28, None),
        ("2026-01-01", 14, 28, None),
    ] {
        let clock = tournament.clock_on(day(on)).unwrap();
        let found = (clock.repeat_after_days, clock.complaint_from_day, clock.slow_move_days);
        assert_eq!(found, (repeat, complaint, slow), "{on}");
    }
    assert_eq!(tournament.longest_move_on(day("2021-09-30")), None);
    assert_eq!(tournament.longest_move_on(day("2023-01-01")), Some((10, day("2021-10-01"))));
}

#[test]
fn rule_10_leave_stops_the_clock_on_its_days_both_included() {
    // Received, leave, answered: days used.
    let cases = [
        ("2020-06-01", "2020-06-05", "2020-06-10", "2020-06-12", 5),
        ("2020-06-01", "2020-06-01", "2020-06-05", "2020-06-08", 3),
        ("2020-06-01", "2020-06-05", "2020-06-10", "2020-06-08", 3), // he moves during his leave
        ("2020-06-01", "2020-06-08", "2020-06-20", "2020-06-08", 6),
        ("2020-06-01", "2020-07-01", "2020-07-05", "2020-06-08", 7),
        ("2020-02-25", "2020-02-28", "2020-03-01", "2020-03-03", 4), // 28, 29 February and 1 March
    ];
    for (received, from, to, answered, days) in cases {
        let (mut world, id) = (World::starting(received), game(1, 2));
        world.grant(2, from, to);
        world.move_on(&id, received);
        world.move_on(&id, answered);
        let row = last(&world.ledger(&id, answered), Side::Black).clone();
        assert_eq!(row.days, days, "{received} {from} {to} {answered}: {}", row.why());
    }
    // Over a control: White uses 29 days for ten moves, and eleven more of leave are not among them.
    let (mut world, id) = (World::starting("2020-05-01"), game(1, 2));
    world.grant(1, "2020-05-20", "2020-05-30");
    for n in 0..9 {
        let today = later(day("2020-05-01"), 2 * n).to_string();
        world.move_on(&id, &today);
        world.move_on(&id, &today);
    }
    world.move_on(&id, "2020-06-10");
    let ledger = world.ledger(&id, "2020-06-10");
    let row = last(&ledger, Side::White);
    assert_eq!((row.number, row.total, row.left), (10, 29, 1), "{}", row.why());
    assert!(row.why().contains("11 taken out for leave"), "{}", row.why());
}

#[test]
fn rule_10_a_letter_that_did_not_arrive_starts_no_clock_and_outages_are_taken_out() {
    let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
    world.move_on(&id, "2020-06-01");
    world.today = day("2020-06-03");
    // It comes back; he has no other address, so that it goes on paper.
    world.act(&super::post::came_back(9, 2, &id, "2020-06-01"));
    let waits = last(&world.ledger(&id, "2020-06-20"), Side::Black).days;
    assert_eq!(waits, 0, "it has not gone another way");
    world.today = day("2020-06-08");
    world.act(&Command::NoteDelivered { letter: LetterId(9), on_paper: true });
    // Three days on its way: it counts as received on the 11th.
    world.move_on(&id, "2020-06-20");
    let row = last(&world.ledger(&id, "2020-06-20"), Side::Black).clone();
    assert_eq!(row.days, 9, "{}", row.why());
    assert!(row.why().contains("10 taken out for a letter that did not arrive"), "{}", row.why());
    let (from, to) = (day("2020-06-13"), day("2020-06-14"));
    let outage = Standstill { side: None, from, to, why: "an outage".to_owned() };
    let row = last(&world.ledger_with(&id, &[outage], "2020-06-20"), Side::Black).clone();
    assert_eq!(row.days, 7, "{}", row.why());
    assert!(row.why().contains("2 taken out for an outage"), "{}", row.why());
}

#[test]
fn rule_10_a_move_by_post_travels_three_days() {
    let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
    world.act(&Command::ListPlayers(vec![Player { emails: Vec::new(), ..player(2, Some(2200)) }]));
    world.move_on(&id, "2020-06-01");
    world.move_on(&id, "2020-06-08");
    let row = last(&world.ledger(&id, "2020-06-08"), Side::Black).clone();
    assert_eq!((row.received, row.days), (day("2020-06-04"), 4), "{}", row.why());
}

#[test]
fn rule_10_dates_are_each_players_own_where_his_zone_is_known() {
    // It is 18:00 UTC when the move comes in: the next day in Tokyo, the same day elsewhere.
    for (zone, received) in
        [(None, "2020-06-01"), (Some("Asia/Tokyo"), "2020-06-02"), (Some("UTC"), "2020-06-01")]
    {
        let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
        let timezone = zone.map(str::to_owned);
        world.act(&Command::ListPlayers(vec![Player { timezone, ..player(2, Some(2200)) }]));
        world.move_on(&id, "2020-06-01");
        let row = last(&world.ledger(&id, "2020-06-05"), Side::Black).clone();
        assert_eq!(row.received, day(received), "{zone:?}");
        assert_eq!((row.answered, row.sent), (None, None), "he has not moved");
    }
}

#[test]
fn rule_10_what_came_with_a_score_or_was_promised_uses_no_days() {
    let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
    world.today = day("2020-06-21");
    let before = ["g1f3", "g8f6"].map(str::to_owned).to_vec();
    let said = Move {
        game: named(&id),
        number: 2,
        side: Side::White,
        san: "Ng1".to_owned(),
        uci: Some("f3g1".to_owned()),
        conditional: Vec::new(),
        repeat: false,
        before,
        fault: None,
    };
    let (sent, mail) = (Some(world.today), Some("sha256:00".to_owned()));
    world.act(&Command::PlayMove(MoveOrder { from: from(1), said, offer: false, sent, mail }));
    let ledger = world.ledger(&id, "2020-06-21");
    let used: Vec<u32> = ledger.rows.iter().map(|row| row.days).collect();
    assert_eq!(used, [0, 0, 0, 0]);
    assert!(ledger.rows[0].why().contains("came with a score"), "{}", ledger.rows[0].why());
    assert!(World::with_section().ledger(&id, "2020-06-21").rows.is_empty(), "no move, no ledger");
}

#[test]
fn rule_10_a_slow_move_is_to_be_announced_under_the_older_rules() {
    for (received, answered, remarked) in [
        ("2020-06-01", "2020-06-11", false),
        ("2020-06-01", "2020-06-12", true),
        ("2022-06-01", "2022-06-10", false),
    ] {
        let (mut world, id) = (World::starting(received), game(1, 2));
        world.move_on(&id, received);
        world.move_on(&id, answered);
        let why = last(&world.ledger(&id, answered), Side::Black).why();
        assert_eq!(why.contains("announced within a week"), remarked, "{why}");
    }
}

/// Books with a final in which game 1-2 is played, from 1 June 2020 on.
fn with_final() -> (World, GameId) {
    let mut world = World::with_players(9);
    world.today = day("2020-06-01");
    world.act(&Command::AdoptSection(AdoptedSection {
        section: "19Nf01".into(),
        event: "GK2019".into(),
        round: 2,
        start: day("2020-06-01"),
        seats: (1..=7).map(|n| (None, member(n))).collect(),
    }));
    (world, GameId { section: "19Nf01".into(), white: Seat(1), black: Seat(2) })
}

fn fault(fault: Fault) -> MoveFault {
    let why = "there is no bishop that can go there".to_owned();
    MoveFault { fault, why, candidates: Vec::new() }
}

#[test]
fn rule_10_a_move_that_cannot_be_played_in_a_final_is_proposed_to_cost_five_days() {
    for (kind, asked) in [
        (Fault::Illegal, true),
        (Fault::Ambiguous, true),
        (Fault::Unreadable, true),
        (Fault::WrongNumber, false),
        (Fault::NotYourMove, false),
    ] {
        let (mut world, id) = with_final();
        world.order(&id, "2020-06-03", (1, Side::White, None), Some(fault(kind)));
        let kinds: &[ItemKind] = if asked { &[ItemKind::TimePenalty] } else { &[] };
        assert_eq!(world.open_kinds(), kinds, "{kind:?}");
    }
    let (mut world, id) = with_final();
    world.order(&id, "2020-06-03", (1, Side::White, None), Some(fault(Fault::Illegal)));
    world.order(&id, "2020-06-04", (1, Side::White, None), Some(fault(Fault::Illegal)));
    let item = world.item();
    assert_eq!((item.rule, item.recommended.as_deref()), (10, Some("charge")));
    assert_eq!(item.choices, ["charge", "dismiss"]);
    let events = world.rule(item.item, "charge");
    let told: Vec<String> =
        world.told(&events).into_iter().map(|(who, name)| format!("{who} {name}")).collect();
    assert_eq!(told, ["player 1 time-warning", "player 2 time-warning"]);
    world.move_on(&id, "2020-06-05");
    let row = last(&world.ledger(&id, "2020-06-05"), Side::White).clone();
    assert_eq!((row.days, row.total, row.left), (4, 9, 21), "the clock ran on: {}", row.why());
    // Elsewhere the clock runs on and that is all.
    let (mut world, id) = (World::with_section(), game(1, 2));
    world.order(&id, "2020-06-03", (1, Side::White, None), Some(fault(Fault::Illegal)));
    assert!(world.open_kinds().is_empty());
    let (mut world, id) = with_final();
    world.order(&id, "2020-06-03", (1, Side::White, None), Some(fault(Fault::Illegal)));
    let item = world.item().item;
    world.rule(item, "dismiss");
    world.move_on(&id, "2020-06-05");
    assert_eq!(last(&world.ledger(&id, "2020-06-05"), Side::White).total, 4);
}
