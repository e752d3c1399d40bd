//! Disks that are full, read-only or damaged: nothing is marked as read before it is safe, what is wrong is said with a
//! remedy, and the work goes on when it is mended.

use crate::world::{Ran, SEVEN, World, entry_mail, files, finish};
use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// Runs the program with files limited to so many blocks of 1024 bytes, as on a disk that is full.
pub(crate) fn run_in(world: &World, blocks: u32, args: &[&str]) -> Ran {
    let plain = world.command(args);
    let mut command = Command::new("bash");
    command.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    command.arg(plain.get_program()).args(plain.get_args());
    command.env_clear().env("PATH", "/usr/bin:/bin");
    finish(command, b"")
}

/// Makes sure that a mail waits unread, and that a pass after the mending acts on it.
#[track_caller]
fn goes_on(world: &World, mail: &Path, acted: u64) {
    assert!(mail.exists(), "it was not marked as read");
    world.pass();
    assert!(!mail.exists());
    let audit = world.audit();
    assert_eq!(
        (&audit["mails"]["acted"], &audit["letters"]["waiting"]),
        (&acted.into(), &0.into())
    );
}

fn segment(world: &World, folder: &str) -> PathBuf {
    files(&world.path(folder)).pop().expect("a segment")
}

#[test]
fn a_full_disk_stops_before_anything_is_marked_as_read_and_goes_on_when_there_is_room() {
    let world = World::with_seven();
    let padding: Vec<String> = (1..=60)
        .map(|n| format!("5555{n:04},Player With A Long Name {n},p{n}@example.org,US,IL,1500,2018-01-01,2022-01-01"))
        .collect();
    world.roster(&padding).code(0);
    let size = fs::metadata(segment(&world, "store/journal")).unwrap().len();
    let blocks = u32::try_from(size / 1024).unwrap();
    let mail = world.path("mail/in/new").join(world.receive(&entry_mail("ann")));
    let journal = world.journal();
    run_in(&world, 8, &["check"]).code(1).says("cannot write into").says("store");
    // Five times: trying again must not count against the mail.
    for _ in 0..5 {
        run_in(&world, blocks, &["run", "--once"]).code(1).says("remedy").says("store/");
        assert!(mail.exists(), "it was not marked as read");
        assert!(world.json(&["letters"]).is_empty());
        assert_eq!(world.journal()[..journal.len()], journal[..]);
    }
    goes_on(&world, &mail, 1);
    assert!(world.docket().is_empty());
}

#[test]
fn a_disk_that_is_full_while_many_mails_come_in_parks_none_of_them() {
    let world = World::with_seven();
    for name in SEVEN {
        world.receive(&entry_mail(name));
    }
    for blocks in [1, 2, 3, 4] {
        let ran = run_in(&world, blocks, &["run", "--once"]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert_eq!(files(&world.path("mail/in/new")).len(), 7, "{blocks} blocks");
    }
    world.pass();
    assert_eq!(world.audit()["mails"]["acted"], 7);
    assert_eq!(files(&world.path("mail/out/new")).len(), 7);
    assert!(world.docket().is_empty());
}

#[test]
fn an_outgoing_folder_that_is_full_defers_the_letters() {
    let world = World::with_seven();
    world.receive(&entry_mail("ann"));
    let out = world.path("mail/out");
    crate::world::rename(&out, &world.path("mail/away"));
    crate::world::write(&out, b"a file where a folder should be");
    world.run(&["run", "--once"]).code(1).says("L1").says("mail/out");
    assert_eq!(world.audit()["letters"]["waiting"], 1);
    fs::remove_file(&out).unwrap();
    crate::world::rename(&world.path("mail/away"), &out);
    world.at("2019-01-02T09:30:00-06:00");
    world.pass();
    assert_eq!(world.audit()["letters"]["sent"], 1);
    assert_eq!(world.json(&["letters"])[0]["attempts"], 2);
}

#[test]
fn a_store_that_cannot_be_written_is_named_and_nothing_is_marked_as_read() {
    for folder in ["store/journal", "store/archive"] {
        let world = World::with_seven();
        let mail = world.path("mail/in/new").join(world.receive(&entry_mail("ann")));
        let (place, away) = (world.path(folder), world.path("away"));
        crate::world::rename(&place, &away);
        crate::world::write(&place, b"a file where a folder should be");
        let ran = world.run(&["run", "--once"]).says("remedy").says(folder);
        assert!(matches!(ran.code, 1 | 3), "{}", ran.err);
        assert!(mail.exists());
        fs::remove_file(&place).unwrap();
        crate::world::rename(&away, &place);
        goes_on(&world, &mail, 1);
    }
}

#[test]
fn a_store_on_a_read_only_file_system_is_named() {
    let world = World::with_seven();
    let store = world.path("store");
    let mount = |args: &[&str]| {
        Command::new("mount").args(args).output().is_ok_and(|out| out.status.success())
    };
    let at = store.to_str().unwrap();
    if !mount(&["--bind", at, at]) {
        eprintln!("skipped: mounting is not permitted here");
        return;
    }
    let read_only = mount(&["-o", "remount,ro,bind", at]);
    let mail = world.path("mail/in/new").join(world.receive(&entry_mail("ann")));
    let (ran, check) = (world.run(&["run", "--once"]), world.run(&["check"]));
    let unmounted = Command::new("umount").arg(at).status().is_ok_and(|status| status.success());
    assert!(unmounted, "{at} must be unmounted by hand");
    if read_only {
        ran.code(1).says("remedy").says("store");
        check.code(1).says("store");
    }
    goes_on(&world, &mail, 1);
}

#[test]
fn a_flipped_byte_in_the_journal_is_damage_told_with_file_line_and_remedy() {
    let world = World::with_section();
    let file = segment(&world, "store/journal");
    let good = fs::read(&file).unwrap();
    let lines: Vec<_> = good.split_inclusive(|b| *b == b'\n').collect();
    let before = lines[..4].concat().len();
    let mut bad = good.clone();
    bad[before + lines[4].len() / 2] ^= 1;
    crate::world::write(&file, &bad);
    let name = file.file_name().unwrap().to_str().unwrap();
    world.receive(&entry_mail("ann"));
    for args in [
        &["run", "--once"][..],
        &["audit"],
        &["check"],
        &["docket"],
        &["show", "entry", "GK2019-001"],
    ] {
        let ran = world.run(args).code(3).says(name).says("remedy");
        assert!(ran.err.contains(":5") || ran.err.contains("line 5"), "{}", ran.err);
    }
    assert_eq!(fs::read(&file).unwrap(), bad, "damage is not made worse");
    assert_eq!(files(&world.path("mail/in/new")).len(), 1);
    crate::world::write(&file, &good);
    world.pass();
    world.audit();
}

#[test]
fn a_line_that_is_missing_or_doubled_is_damage() {
    let world = World::with_section();
    let file = segment(&world, "store/journal");
    let good = fs::read(&file).unwrap();
    let lines: Vec<_> = good.split_inclusive(|b| *b == b'\n').collect();
    let without = [&lines[..3], &lines[4..]].concat().concat();
    let doubled = [&lines[..4], &lines[3..]].concat().concat();
    for bad in [without, doubled] {
        crate::world::write(&file, &bad);
        world.run(&["audit"]).code(3).says("remedy");
    }
    crate::world::write(&file, &good);
    world.audit();
}

#[test]
fn a_torn_last_line_is_cut_off_and_reported_and_the_work_goes_on() {
    let world = World::with_section();
    let file = segment(&world, "store/journal");
    let good = fs::read(&file).unwrap();
    let mut torn = OpenOptions::new().append(true).open(&file).unwrap();
    torn.write_all(b"{\"seq\":99,\"at\":\"2019-01-07T16:00:00Z\",\"cause\":{\"ma").unwrap();
    // Readers pass over it.
    world.audit();
    let mail = world
        .path("mail/in/new")
        .join(world.receive(&crate::world::result_mail("ann", "1-2", "1-0")));
    let ran = world.pass();
    assert!(ran.err.contains("cut"), "it is reported: {}", ran.err);
    assert!(!mail.exists());
    assert!(fs::read(&file).unwrap().starts_with(&good));
    assert_eq!(world.object(&["show", "game", "19N01", "1-2"])["state"], "reported");
    world.audit();
}

#[test]
fn a_last_line_without_its_end_is_torn_wherever_it_ends() {
    let world = World::with_seven();
    world.receive(&entry_mail("ann"));
    world.pass();
    let file = segment(&world, "store/journal");
    let good = fs::read(&file).unwrap();
    let last = good[..good.len() - 1].iter().rposition(|b| *b == b'\n').unwrap() + 1;
    for cut in [last + 1, last + (good.len() - last) / 2, good.len() - 1] {
        crate::world::write(&file, &good[..cut]);
        world.audit();
        world.pass(); // the delivery is recorded once more
        assert_eq!(world.audit()["letters"]["sent"], 1, "cut at {cut}");
        assert_eq!(files(&world.path("mail/out/new")).len(), 1);
    }
}

#[test]
fn a_folder_of_views_that_cannot_be_written_stops_nothing() {
    let world = World::with_section();
    fs::remove_dir_all(world.path("views")).unwrap();
    crate::world::write(&world.path("views"), b"a file where a folder should be");
    world.receive(&crate::world::result_mail("ann", "1-2", "1-0"));
    let ran = world.run(&["run", "--once"]);
    assert_eq!(world.object(&["show", "game", "19N01", "1-2"])["state"], "reported", "{}", ran.err);
    assert_eq!(world.audit()["letters"]["waiting"], 0);
    ran.code(1).says("views");
    // An order that is booked is not called a failure, or it would be given once more.
    let order = ["direct", "result", "19N01", "1-3", "0-1", "adjudication", "--reason", "x"];
    let ran = world.run(&order);
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    fs::remove_file(world.path("views")).unwrap();
    world.pass();
    assert!(world.path("views/docket.txt").is_file());
}

#[test]
fn damage_in_the_archive_is_found() {
    let world = World::with_section();
    let archive = world.path("store/archive");
    let file = files(&archive)
        .into_iter()
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .max_by_key(|path| fs::metadata(path).unwrap().len())
        .unwrap();
    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    let place = good.len() / 2;
    bad[place] = if bad[place] == b'x' { b'y' } else { b'x' };
    crate::world::write(&file, &bad);
    for command in ["audit", "check"] {
        let ran = world.run(&[command]);
        assert!(matches!(ran.code, 1 | 3), "{command}: {}", ran.err);
    }
    crate::world::write(&file, &good);
    world.audit();
}

#[test]
fn views_that_were_deleted_come_back() {
    let world = World::with_section();
    let views = world.path("views");
    let before = fs::read_to_string(views.join("sections/19N01.txt")).unwrap();
    fs::remove_dir_all(&views).unwrap();
    world.pass();
    assert_eq!(fs::read_to_string(views.join("sections/19N01.txt")).unwrap(), before);
    for view in ["players.txt", "entries.txt", "docket.txt", "outbox.txt"] {
        assert!(views.join(view).is_file(), "{view}");
    }
}
