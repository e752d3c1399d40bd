//! The daemon as systemd sees it: ready, alive, stopping within a pass, reloading; a bad configuration changes nothing.

use crate::{
    running::{Manager, hurry, signal, start, stop, wait_for},
    world::{Mail, World, entry_mail, files, write},
};
use std::fs;

#[test]
fn systemd_hears_that_it_is_ready_alive_and_stopping() {
    let world = World::with_seven();
    hurry(&world);
    world.receive(&entry_mail("ann"));
    let (manager, daemon) = Manager::start(&world);
    manager.wait_for("READY=1", 1);
    manager.wait_for("STATUS=at work: 1 mails", 1);
    manager.wait_for("STATUS=waiting for mail", 1);
    manager.wait_for("WATCHDOG=1", 3);
    stop(daemon);
    assert!(manager.heard().contains(&"STOPPING=1".to_owned()), "{:?}", manager.heard());
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
}

#[test]
fn it_says_since_when_it_is_deaf_and_that_it_hears_again() {
    let world = World::with_seven();
    hurry(&world);
    let (away, new) = (world.path("away"), world.path("mail/in/new"));
    crate::world::rename(&new, &away);
    let (manager, daemon) = Manager::start(&world);
    manager.wait_for("STATUS=deaf since 20", 2);
    crate::world::rename(&away, &new);
    manager.wait_for("STATUS=waiting for mail", 1);
    let ran = stop(daemon);
    assert!(ran.err.contains("can be reached again"), "{}", ran.err);
    assert_eq!(ran.err.matches("mail/in/new").count(), 1, "told once: {}", ran.err);
}

/// Mails that are all answered; many batches of them.
fn questions(world: &World, count: usize) {
    for n in 0..count {
        let mail = Mail::from(&format!("Guest {n} <guest{n}@example.net>"));
        world.receive(
            &mail.subject("a question").text(&format!("How do I enter? I am guest {n}.\n")),
        );
    }
}

#[test]
fn sigterm_ends_a_pass_at_its_next_batch() {
    let (world, count) = (World::with_seven(), 600);
    questions(&world, count);
    let daemon = start(world.command(&["run"]));
    let begun = world.path("store/in-hand");
    wait_for("the first batch", || fs::metadata(&begun).is_ok_and(|note| note.len() > 1_000));
    let ran = stop(daemon);
    assert!(ran.err.contains("the pass is finished"), "{}", ran.err);
    let waiting = files(&world.path("mail/in/new")).len();
    assert!(waiting > 0 && waiting < count, "it ended between two batches: {waiting} wait");
    let taken = world.audit()["mails"]["received"].as_u64().unwrap();
    assert_eq!(taken, (count - waiting) as u64, "what was taken was filed away");
    world.pass();
    let audit = world.audit();
    assert_eq!(
        (&audit["mails"]["acted"], &audit["letters"]["sent"]),
        (&count.into(), &count.into())
    );
    assert_eq!(files(&world.path("mail/out/new")).len(), count, "each was answered once");
}

#[test]
fn a_reload_takes_a_good_configuration_and_refuses_a_bad_one() {
    let world = World::with_seven();
    hurry(&world);
    let (manager, daemon) = Manager::start(&world);
    manager.wait_for("STATUS=waiting for mail", 1);
    let config = world.path("knightmail.toml");
    let good = fs::read_to_string(&config).unwrap();

    write(&config, format!("{good}\n[nonsense]\nx = 1\n").as_bytes());
    write(&world.path("templates/help.txt"), b"Subject: {{ nonsense }\n");
    signal(&daemon, "-HUP");
    manager.wait_for("STATUS=waiting for mail; the changed configuration has mistakes", 1);
    manager.wait_for("READY=1", 2);
    world.receive(&entry_mail("ann"));
    wait_for("her letter", || files(&world.path("mail/out/new")).len() == 1);

    // The configuration is good again; the template is still broken.
    let renamed = good.replace("name = \"Golden Knights Desk\"", "name = \"Rook and Pawn\"");
    write(&config, renamed.as_bytes());
    signal(&daemon, "-HUP");
    manager.wait_for("READY=1", 3);
    fs::remove_file(world.path("templates/help.txt")).unwrap();
    signal(&daemon, "-HUP");
    manager.wait_for("READY=1", 4);
    wait_for("the good word", || manager.heard().last().is_some_and(|l| !l.contains("mistakes")));
    world.receive(&entry_mail("ben"));
    wait_for("his letter", || files(&world.path("mail/out/new")).len() == 2);

    let letters = files(&world.path("mail/out/new"));
    let desk = |n: usize| fs::read_to_string(&letters[n]).unwrap().contains("Rook and Pawn");
    assert_eq!((desk(0), desk(1)), (false, true), "only the good one holds");

    let ran = stop(daemon);
    for words in [
        "knightmail.toml:",
        "nonsense",
        "hint:",
        "templates/help.txt",
        "the configuration was not reloaded; the old one stays in force",
        "the configuration was read anew",
    ] {
        assert!(ran.err.contains(words), "`{words}` is not in:\n{}", ran.err);
    }
    let heard = manager.heard();
    let reloads: Vec<_> =
        heard.iter().filter(|l| l.starts_with("RELOADING") || *l == "READY=1").collect();
    assert_eq!(reloads.len(), 7, "ready, then three reloads: {reloads:?}");
    assert_eq!(heard.iter().filter(|l| l.starts_with("MONOTONIC_USEC=")).count(), 3);
    world.pass();
}
