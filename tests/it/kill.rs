//! The real program as a process: killed at any moment while it takes mail in, told to stop, started twice. `KNIGHTMAIL_LONG=1` kills it over 2,000 mails.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{
    running::{hurry, signal, start, stop, wait_for, wait_until_up},
    world::{Mail, SEVEN, World, end, entry_mail, files, id},
};
use serde_json::Value;
use std::{collections::BTreeSet, fs, thread::sleep, time::Duration};

/// Pseudo-random numbers, the same for a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn count() -> u64 {
    if std::env::var_os("KNIGHTMAIL_LONG").is_some() { 2_000 } else { 300 }
}

/// Fills the mailbox with mails that are all different and all answered: entries and questions.
fn fill(world: &World, count: u64) {
    for name in SEVEN {
        world.receive(&entry_mail(name));
    }
    for n in 7..count {
        let mail = Mail::from(&format!("Guest {n} <guest{n}@example.net>"));
        world.receive(
            &mail.subject("a question").text(&format!("How do I enter? I am guest {n}.\n")),
        );
    }
}

/// Makes sure that each mail was acted on once and each letter is there once.
#[track_caller]
fn all_is_well(world: &World, count: u64) {
    let audit = world.audit();
    let mails = &audit["mails"];
    assert_eq!(mails["received"], count, "{audit}");
    assert_eq!(mails["duplicate"], 0, "no mail was taken twice: {audit}");
    // Whoever kills it twice in the same few milliseconds of the same mail may see it parked: it had two tries.
    assert!(mails["acted"].as_u64().unwrap() >= count - 3, "{audit}");
    assert!(world.docket().iter().all(|kind| kind == "mail-parked"));
    let letters = world.json(&["letters"]);
    assert_eq!(letters.len() as u64, mails["acted"].as_u64().unwrap());
    let ids: BTreeSet<&str> = letters.iter().map(|l| l["message_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), letters.len(), "every Message-ID is unique");
    let to: BTreeSet<&str> = letters.iter().map(|l| l["to"].as_str().unwrap()).collect();
    assert_eq!(to.len(), letters.len(), "nobody got two");
    for (n, letter) in (1..).zip(&letters) {
        assert_eq!(
            (&letter["letter"], &letter["state"]),
            (&Value::from(format!("L{n}")), &"sent".into())
        );
    }
    assert_eq!(
        files(&world.path("mail/out/new")).len(),
        letters.len(),
        "every letter lies there once"
    );
    assert!(files(&world.path("mail/in/new")).is_empty());
    let entries = fs::read_to_string(world.path("views/entries.txt")).unwrap();
    let members: Vec<_> =
        entries.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    let once: BTreeSet<_> = members.iter().collect();
    assert_eq!(once.len(), members.len(), "nobody entered twice: {entries}");
}

fn killed_at_random(seed: u64) {
    let (world, count) = (World::with_seven(), count());
    fill(&world, count);
    let mut dice = Dice(seed);
    let mut kills = 0;
    loop {
        let mut run = start(world.command(&["run", "--once"]));
        // Sooner and later: in the start, in a batch, in the deliveries.
        sleep(Duration::from_millis(20 + dice.below(20) * dice.below(20) * (1 + kills / 4)));
        if let Some(status) = run.try_wait().expect("our child") {
            assert!(status.success(), "seed {seed}: {}", end(run).err);
            break;
        }
        signal(&run, "-KILL");
        run.wait().expect("our child");
        kills += 1;
        assert!(kills < 500, "seed {seed}: it never comes to an end");
    }
    world.pass();
    all_is_well(&world, count);
    assert!(kills > 0, "seed {seed}: it was never killed");
}

#[test]
fn killed_at_random_it_acts_on_each_mail_once_seed_1() {
    killed_at_random(0x1234_5678_9ABC_DEF1);
}

#[test]
fn killed_at_random_it_acts_on_each_mail_once_seed_2() {
    killed_at_random(0x0F0F_1E1E_2D2D_3C3C);
}

#[test]
fn a_killed_daemon_goes_on_where_it_was() {
    let (world, count) = (World::with_seven(), 120);
    hurry(&world);
    fill(&world, count);
    let mut dice = Dice(42);
    for _ in 0..6 {
        let mut daemon = start(world.command(&["run"]));
        sleep(Duration::from_millis(60 + dice.below(500)));
        signal(&daemon, "-KILL");
        daemon.wait().expect("our child");
    }
    let daemon = start(world.command(&["run"]));
    wait_until_up(&world, &daemon);
    wait_for("the letters", || files(&world.path("mail/out/new")).len() as u64 >= count - 3);
    stop(daemon);
    all_is_well(&world, count);
}

#[test]
fn two_daemons_on_one_home_the_second_refuses() {
    let world = World::with_seven();
    let daemon = start(world.command(&["run"]));
    wait_until_up(&world, &daemon);
    let pid = daemon.id().to_string();
    world.run(&["run"]).code(1).says(&pid);
    world.run(&["run", "--once"]).code(1).says(&pid);
    stop(daemon);
    world.pass();
}

#[test]
fn a_director_works_while_the_daemon_runs_and_it_goes_on_with_the_new_books() {
    let world = World::new();
    hurry(&world);
    let daemon = start(world.command(&["run"]));
    wait_for("the first pass", || !world.journal().is_empty());
    let ann = id("ann");
    world.roster(&SEVEN.map(crate::world::player)).code(0);
    world.receive(&entry_mail("ann"));
    wait_for("her letter", || files(&world.path("mail/out/new")).len() == 1);
    assert_eq!(world.object(&["show", "entry", "GK2019-001"])["state"], "awaiting-payment");
    world.run(&["direct", "payment", "GK2019", &ann, "25.00"]).code(0);
    // A rating nobody has asked for: an entry whose country is not known waits for the director.
    let row = "33333331,Max Roth,max@example.org,,,1700,2018-01-01,2022-01-01".to_owned();
    world.roster(&[row]).code(0);
    world.receive(
        &Mail::from("Max Roth <max@example.org>")
            .subject("Entry")
            .text("Please enter me in the 2019 Golden Knights, 1 entry, ID 33333331.\n"),
    );
    wait_for("the docket", || world.docket().len() == 1);
    let order = ["rule", "D1", "accept", "--at-once", "--reason", "he lives in Maine"];
    world.run(&order).code(0);
    assert_eq!(world.object(&["show", "entry", "GK2019-002"])["state"], "awaiting-payment");
    wait_for("the letters", || world.audit()["letters"]["waiting"] == 0);
    stop(daemon);
    assert_eq!(world.audit()["mails"]["acted"], 2);
}

#[test]
fn views_that_are_deleted_under_a_running_daemon_come_back() {
    let world = World::with_section();
    hurry(&world);
    let daemon = start(world.command(&["run"]));
    fs::remove_dir_all(world.path("views")).unwrap();
    let sheet = world.path("views/sections/19N01.txt");
    wait_for("the views", || sheet.is_file() && world.path("views/docket.txt").is_file());
    stop(daemon);
}
