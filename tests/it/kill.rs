//! The real program as a process: killed at any moment while it takes mail in, told to stop, started twice, watched by
//! systemd. `KNIGHTMAIL_LONG=1` kills it over 2,000 mails.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::world::{Mail, Ran, SEVEN, World, end, entry_mail, files, id};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    os::unix::net::UnixDatagram,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

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

/// Starts the program in the background.
fn start(mut command: Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([name, &pid]).status().expect("kill is there");
    assert!(sent.success(), "kill {name} {pid}");
}

/// Waits until something is so, half a minute at most.
#[track_caller]
fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}: waited in vain");
        sleep(Duration::from_millis(20));
    }
}

/// Waits until a daemon has its home; from then on it hears signals.
#[track_caller]
fn wait_until_up(world: &World, daemon: &Child) {
    let (lock, pid) = (world.path("store/daemon.lock"), daemon.id().to_string());
    wait_for("the lock", || fs::read_to_string(&lock).is_ok_and(|text| text.trim() == pid));
}

/// Ends the daemon as systemd does and makes sure that it ends well.
#[track_caller]
fn stop(daemon: Child) -> Ran {
    signal(&daemon, "-TERM");
    end(daemon).code(0)
}

/// Makes the daemon look into its mailbox every second.
fn hurry(world: &World) {
    let config = world.path("knightmail.toml");
    let text = fs::read_to_string(&config).expect("the configuration");
    crate::world::write(&config, text.replace("poll_seconds = 30", "poll_seconds = 1").as_bytes());
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
fn sigterm_finishes_the_pass_and_ends_well() {
    let (world, count) = (World::with_seven(), 120);
    fill(&world, count);
    let daemon = start(world.command(&["run"]));
    let begun = world.path("store/in-hand");
    wait_for("the first batch", || fs::metadata(&begun).is_ok_and(|note| note.len() > 1_000));
    let ran = stop(daemon);
    assert!(ran.err.contains("the pass is finished"), "{}", ran.err);
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
    world.run(&["rule", "D1", "accept", "--reason", "he lives in Maine"]).code(0);
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

/// What the daemon has told systemd until it is ready for more.
fn told(socket: &UnixDatagram) -> Vec<String> {
    let (mut told, mut bytes) = (Vec::new(), [0; 4096]);
    while let Ok(len) = socket.recv(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..len]).into_owned();
        told.extend(text.lines().map(str::to_owned));
    }
    told
}

#[test]
fn systemd_hears_that_it_is_ready_alive_and_stopping() {
    let world = World::with_seven();
    hurry(&world);
    let path = Path::new(&world.home()).join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    world.receive(&entry_mail("ann"));
    let mut command = world.command(&["run"]);
    command.env("NOTIFY_SOCKET", &path);
    let daemon = start(command);
    let heard = std::cell::RefCell::new(Vec::new());
    let hears = |word: &str, times: usize| {
        heard.borrow_mut().extend(told(&socket));
        heard.borrow().iter().filter(|line| *line == word).count() >= times
    };
    wait_for("READY=1", || hears("READY=1", 1));
    wait_for("WATCHDOG=1 after a pass, and while it waits", || hears("WATCHDOG=1", 3));
    stop(daemon);
    assert!(hears("STOPPING=1", 1), "{:?}", heard.borrow());
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
}
