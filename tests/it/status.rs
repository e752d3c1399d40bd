//! `status`: what it says for people and for programs, when it needs a person, and what the program makes of a mailbox
//! that was out of reach.

use crate::world::{Mail, World, entry_mail, rename, write};
use std::fs;

/// Takes the mailbox away, or brings it back.
fn away(world: &World, gone: bool) {
    let (here, there) = (world.path("mail/in"), world.path("mail/away"));
    if gone { rename(&here, &there) } else { rename(&there, &here) }
}

#[test]
fn a_home_that_is_well_says_so_in_words_and_in_json() {
    let world = World::with_section();
    let status = world.object(&["status"]);
    assert_eq!((&status["ok"], &status["problems"]), (&true.into(), &serde_json::json!([])));
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(status["last_pass"], "2019-01-07T15:30:00Z");
    assert_eq!(status["last_mail"], "2019-01-02T15:00:00Z");
    assert_eq!(status["daemon"]["running"], false);
    assert_eq!(status["inboxes"][0]["deaf_since"], serde_json::Value::Null);
    assert_eq!(status["outbox"]["waiting"], 0);
    assert!(status["journal"]["bytes"].as_u64().unwrap() > 1000);
    assert!(status["jobs"].as_array().unwrap().len() == 3);
    let text = world.run(&["status"]).code(0).text();
    for words in ["last pass", "2019-01-07 09:30 CST", "does not run", "GK2019", "21 games run"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    world.run(&["status", "--expect-daemon"]).code(1).says("no daemon");
    // It is derived: without it nothing is lost, and one that is torn is as good as none.
    write(&world.path("store/status.json"), b"{\"last_pa");
    assert_eq!(world.object(&["status"])["last_pass"], serde_json::Value::Null);
    world.pass();
    assert_eq!(world.object(&["status"])["last_pass"], "2019-01-07T15:30:00Z");
}

#[test]
fn a_damaged_journal_is_code_3() {
    let world = World::with_section();
    let segment = crate::world::files(&world.path("store/journal")).remove(0);
    let text = fs::read_to_string(&segment).unwrap();
    write(&segment, text.replacen("GK2019", "GK2018", 1).as_bytes());
    world.run(&["status"]).code(3);
}

#[test]
fn a_mailbox_that_is_away_is_told_and_its_days_are_offered_as_a_credit() {
    let world = World::with_section();
    world.receive(&entry_mail("ann"));
    away(&world, true);
    world.at("2019-01-10T09:00:00-06:00");
    world.run(&["run", "--once"]).code(1);
    world.run(&["status"]).code(0); // not for an hour yet
    world.at("2019-01-10T10:30:00-06:00");
    world.run(&["status"]).code(1).says("out of reach since 2019-01-10 15:00");
    for at in ["2019-01-10T10:30:00-06:00", "2019-01-10T12:00:00-06:00"] {
        world.at(at);
        world.run(&["run", "--once"]).code(1);
    }
    let told = world.notices_to("director@example.org");
    assert_eq!(told.iter().filter(|n| *n == "director-alert").count(), 1, "once a day: {told:?}");
    assert!(!world.docket().contains(&"outage".to_owned()), "it lasts");
    away(&world, false);
    world.at("2019-01-12T09:00:00-06:00");
    world.run(&["run", "--once"]).code(0);
    let items = world.json(&["docket"]);
    let outage = items.iter().find(|item| item["kind"] == "outage").expect("it is offered");
    assert_eq!(outage["recommended"], "credit");
    let evidence = outage["evidence"].to_string();
    assert!(evidence.contains("2019-01-10 15:00 UTC") && evidence.contains("3 days"), "{evidence}");
    world.run(&["status"]).code(0);
    world.run(&["rule", outage["item"].as_str().unwrap(), "credit"]).code(0);
    world.audit();
    // The same days are not offered again.
    world.at("2019-01-20T09:00:00-06:00");
    world.pass();
    assert!(!world.docket().contains(&"outage".to_owned()));
}

#[test]
fn a_mailbox_that_was_away_for_a_day_is_no_outage() {
    let world = World::with_section();
    away(&world, true);
    world.at("2019-01-10T09:00:00-06:00");
    world.run(&["run", "--once"]).code(1);
    away(&world, false);
    world.at("2019-01-11T09:00:00-06:00");
    world.pass();
    assert!(!world.docket().contains(&"outage".to_owned()));
}

#[test]
fn letters_that_wait_or_came_back_need_a_person() {
    let world = World::with_seven();
    rename(&world.path("mail/out"), &world.path("mail/out-away"));
    write(&world.path("mail/out"), b"something else");
    world.receive(&Mail::of("ann").subject("x").text("How do I enter?\n"));
    let _ = world.run(&["run", "--once"]);
    assert_eq!(world.object(&["status"])["outbox"]["waiting"], 1);
    world.at("2019-01-03T09:30:00-06:00");
    world.run(&["status"]).code(1).says("waited for over a day");
    fs::remove_file(world.path("mail/out")).unwrap();
    rename(&world.path("mail/out-away"), &world.path("mail/out"));
    world.pass();
    world.run(&["status"]).code(0);
}
