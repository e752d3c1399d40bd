//! Rule 10: when no mail reached us, the program proposes the credit, and what the director grants is taken out of every
//! clock.

use super::{reflection::last_days, *};
use chrono::TimeDelta;
use knightmail::domain::{
    alarm::Matter,
    command::{Nondelivery, SentLetter},
    docket::About,
    ids::LetterId,
    notice::NoticeName as N,
    outage::Outage,
    post::Failing,
};

impl World {
    /// Mail is read again on a day, after so many days without.
    fn deaf_until(&mut self, on: &str, days: i64) -> Vec<Event> {
        self.today = day(on);
        let to = noon(self.today);
        let from = to - TimeDelta::days(days);
        let (first, last) = (from.date_naive(), to.date_naive());
        let (what, sections) = ("the mailbox was out of reach".to_owned(), Vec::new());
        self.act(&Command::NoteOutage(Outage { from, to, first, last, what, sections }))
    }
}

fn outages(world: &World) -> Vec<Item> {
    world.state.open_of_kind(ItemKind::Outage).cloned().collect()
}

#[test]
fn rule_10_an_outage_is_credited_to_all_who_were_to_move() {
    let mut world = World::starting("2020-06-01");
    let id = game(1, 2);
    world.move_on(&id, "2020-06-02");
    assert_eq!(last_days(&world, &id, Side::Black, "2020-06-12"), 10);
    world.deaf_until("2020-06-08", 3);
    let [item] = &outages(&world)[..] else { panic!("one item") };
    assert_eq!(item.choices, ["credit", "dismiss"]);
    assert_eq!(item.recommended.as_deref(), Some("credit"));
    assert!(item.evidence[1].contains("21 running games, in 19N01"), "{:?}", item.evidence);
    assert!(item.evidence[2].contains("2020-06-05 to 2020-06-08, 4 days"), "{:?}", item.evidence);
    let number = item.item;
    assert_eq!(last_days(&world, &id, Side::Black, "2020-06-12"), 10, "nothing by itself");
    world.rule(number, "credit");
    assert_eq!(last_days(&world, &id, Side::Black, "2020-06-12"), 6);
    // A day that he had leave on as well is not taken out twice.
    world.grant(2, "2020-06-08", "2020-06-09");
    assert_eq!(last_days(&world, &id, Side::Black, "2020-06-12"), 5);
}

#[test]
fn rule_10_an_outage_that_the_director_dismisses_changes_no_clock() {
    let mut world = World::starting("2020-06-01");
    let id = game(1, 2);
    world.move_on(&id, "2020-06-02");
    world.deaf_until("2020-06-08", 3);
    let number = outages(&world)[0].item;
    world.rule(number, "dismiss");
    assert_eq!(last_days(&world, &id, Side::Black, "2020-06-12"), 10);
}

#[test]
fn rule_10_a_complaint_waits_longer_for_a_credit() {
    for (choice, first) in [("dismiss", "2020-06-22"), ("credit", "2020-06-26")] {
        let mut world = World::starting("2020-06-01");
        world.move_on(&game(1, 2), "2020-06-02");
        world.deaf_until("2020-06-08", 3);
        let number = outages(&world)[0].item;
        world.rule(number, choice);
        let events = world.complain("2020-06-20", None, Some("2020-06-13"));
        let found = events.iter().find_map(|event| match event {
            Event::ComplaintChecked(complaint) => complaint.premature_until,
            _ => None,
        });
        assert_eq!(found, Some(day(first)), "{choice}");
    }
}

#[test]
fn an_outage_is_noted_once_and_asked_about_where_clocks_ran() {
    let mut world = World::with_section();
    let events = world.deaf_until("2020-06-08", 2);
    assert!(matches!(&events[..], [Event::OutageNoted(_), Event::ItemOpened(_)]), "{events:?}");
    assert_eq!(world.deaf_until("2020-06-08", 2), [], "the program was stopped in between");
    assert_eq!(outages(&world).len(), 1);
    let mut idle = World::new("2019-01-02");
    let events = idle.deaf_until("2020-06-08", 2);
    assert!(matches!(&events[..], [Event::OutageNoted(_)]), "{events:?}");
}

#[test]
fn the_director_is_told_once_a_day_what_is_the_matter_with_the_program() {
    let mut world = World::new("2019-01-02");
    let mut alerts = Vec::new();
    for on in ["2019-01-09", "2019-01-09", "2019-01-10"] {
        world.today = day(on);
        let words = vec!["The mailbox is out of reach.".to_owned()];
        let events = world.act(&Command::Alarm(Matter::Deaf, words));
        alerts.extend(world.told(&events));
    }
    let alert = ("director".to_owned(), N::DirectorAlert);
    assert_eq!(alerts, [alert.clone(), alert]);
}

#[test]
fn where_letter_after_letter_is_refused_the_director_has_one_alert() {
    let mut world = World::with_section();
    let failed = |n: u16| {
        let about =
            About { letter: Some(LetterId(n.into())), player: Some(member(n)), ..About::default() };
        let sent = SentLetter {
            to: Some(address(n)),
            written: day("2019-01-08"),
            notice: N::Assignment,
            director: Vec::new(),
        };
        Command::NoteUndelivered(Box::new(Nondelivery {
            about,
            sent: Some(sent),
            recipient: None,
            status: Some("5.7.1".to_owned()),
            said: "554 no relaying".to_owned(),
            mail: None,
            how: Failing::Address,
            proved: true,
        }))
    };
    let events = world.act(&failed(1));
    assert_eq!(world.told(&events).len(), 1, "one letter that fails is told");
    let words = vec!["12 of 12 letters were refused.".to_owned()];
    let events = world.act(&Command::Alarm(Matter::Letters, words));
    assert_eq!(world.told(&events).len(), 1);
    let events = world.act(&failed(2));
    assert_eq!(world.told(&events), [], "it stands in the docket and in the summary");
    assert_eq!(world.state.open_of_kind(ItemKind::LetterFailed).count(), 2);
}
