//! A home: who may write when, a full disk, and the small notes beside the journal.

use super::*;

#[test]
fn dying_between_archive_and_journal_harms_nothing() {
    let home = home_with(1);
    let bytes = b"Subject: x\n\nmail\n";
    let mut archive = Archive::new(home.path().join("store/archive"));
    archive.mend().unwrap();
    archive.keep(Shelf::Mail, june(), Digest::of(bytes), bytes);
    archive.commit().unwrap();
    drop(archive); // the journal never heard of it
    let (mut store, seen) = opened(home.path());
    assert_eq!(seen, [1]);
    store.keep(Shelf::Mail, june(), Digest::of(bytes), bytes).unwrap();
    write(&mut store, 2..=2, june());
    assert_eq!(store.fetch(Digest::of(bytes)).unwrap().as_deref(), Some(&bytes[..]));
    assert_eq!(opened_again(store, home.path()), [1, 2]);
}

#[test]
fn a_full_disk_is_a_passing_fault_and_the_work_goes_on_when_there_is_room() {
    for segment in ["journal/2019-07.jsonl", "archive/2019-07.mbox"] {
        let home = home_with(1);
        let (mut store, _) = opened(home.path());
        let path = home.path().join("store").join(segment);
        let _ = symlink("/dev/full", &path);
        let july = at("2019-07-01T00:00:00Z");
        store.keep(Shelf::Mail, july, Digest::of(b"x"), b"x").unwrap();
        store.append(&transaction(2, july)).unwrap();
        let fault = store.commit().unwrap_err();
        assert!(fault.is_transient() && fault.remedy.contains("make room"), "{fault}");
        assert!(store.append(&transaction(2, july)).is_err(), "nothing follows a failed write");
        assert!(store.keep(Shelf::Mail, july, Digest::of(b"y"), b"y").is_err());
        assert!(store.commit().is_err());
        fs::remove_file(&path).unwrap();
        store.begin().unwrap();
        assert!(caught_up(&mut store).unwrap().is_empty());
        store.keep(Shelf::Mail, july, Digest::of(b"x"), b"x").unwrap();
        write(&mut store, 2..=2, july);
        assert_eq!(store.fetch(Digest::of(b"x")).unwrap().as_deref(), Some(&b"x"[..]));
        assert_eq!(opened_again(store, home.path()), [1, 2]);
    }
}

#[test]
fn two_writers_take_turns_and_see_each_others_lines() {
    let home = home_with(2);
    let (mut daemon, _) = opened(home.path());
    daemon.end().unwrap();
    assert!(daemon.append(&transaction(3, june())).is_err(), "not without the lock");
    let (mut director, seen) = opened(home.path());
    assert_eq!(seen, [1, 2]);
    director.keep(Shelf::Letters, june(), Digest::of(b"letter"), b"letter").unwrap();
    write(&mut director, 3..=4, june());
    let july = at("2019-07-01T00:00:00Z");
    director.keep(Shelf::Letters, july, Digest::of(b"another"), b"another").unwrap();
    write(&mut director, 5..=5, july);
    let waiting = thread::spawn(move || {
        daemon.begin().unwrap();
        assert!(daemon.append(&transaction(3, june())).is_err(), "it has not read them yet");
        daemon.begin().unwrap();
        assert_eq!(caught_up(&mut daemon).unwrap(), [3, 4, 5]);
        for text in [&b"letter"[..], b"another"] {
            assert_eq!(daemon.fetch(Digest::of(text)).unwrap().as_deref(), Some(text));
        }
        daemon.keep(Shelf::Mail, june(), Digest::of(b"mail"), b"mail").unwrap();
        write(&mut daemon, 6..=6, june());
        daemon.end().unwrap();
    });
    thread::sleep(Duration::from_millis(60));
    director.end().unwrap();
    waiting.join().unwrap();
    director.begin().unwrap();
    assert_eq!(caught_up(&mut director).unwrap(), [6]);
    assert_eq!(director.fetch(Digest::of(b"mail")).unwrap().as_deref(), Some(&b"mail"[..]));
    let count = FileStore::verify(home.path()).unwrap();
    assert_eq!((count.journal.transactions, count.archive.messages), (6, 3));
}

#[test]
fn what_another_process_left_torn_is_mended_when_the_next_one_begins() {
    let home = home_with(2);
    let (mut store, _) = opened(home.path());
    store.end().unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(segment(home.path())).unwrap();
    file.write_all(b"{\"seq\":3,\"prev").unwrap();
    drop(file);
    store.begin().unwrap();
    assert_eq!(store.notes().len(), 1);
    assert!(caught_up(&mut store).unwrap().is_empty());
    write(&mut store, 3..=3, june());
    assert_eq!(opened_again(store, home.path()), [1, 2, 3]);
}

#[test]
fn what_was_not_committed_is_forgotten() {
    let home = home_with(1);
    let (mut store, _) = opened(home.path());
    store.keep(Shelf::Mail, june(), Digest::of(b"x"), b"x").unwrap();
    store.append(&transaction(2, june())).unwrap();
    store.end().unwrap();
    store.begin().unwrap();
    assert!(caught_up(&mut store).unwrap().is_empty());
    store.commit().unwrap();
    assert_eq!(store.fetch(Digest::of(b"x")).unwrap(), None);
    assert!(store.append(&transaction(3, june())).is_err(), "a gap");
    assert_eq!(opened_again(store, home.path()), [1]);
}

#[test]
fn a_home_has_one_daemon() {
    let home = scratch();
    let first = DaemonLock::take(home.path()).unwrap();
    let fault = DaemonLock::take(home.path()).unwrap_err();
    assert!(fault.what.contains(&format!("(process {})", std::process::id())), "{fault}");
    let (mut store, _) = opened(home.path());
    write(&mut store, 1..=1, june());
    drop(first);
    DaemonLock::take(home.path()).unwrap();
}

#[test]
fn a_reader_needs_no_lock_and_changes_nothing() {
    let home = home_with(2);
    assert!(FileStore::read_only(&home.path().join("nowhere")).is_err());
    let (mut writer, _) = opened(home.path());
    let before = all_files(home.path());
    let mut reader = FileStore::read_only(home.path()).unwrap();
    assert_eq!(caught_up(&mut reader).unwrap(), [1, 2]);
    assert!(reader.begin().is_err() && reader.commit().is_err());
    assert!(reader.write_view("x", "x").is_err() && reader.set_in_hand(&InHand::new()).is_err());
    assert_eq!(all_files(home.path()), before);
    writer.keep(Shelf::Mail, june(), Digest::of(b"x"), b"x").unwrap();
    write(&mut writer, 3..=3, june());
    assert_eq!(caught_up(&mut reader).unwrap(), [3]);
    assert_eq!(reader.fetch(Digest::of(b"x")).unwrap().as_deref(), Some(&b"x"[..]));
}

#[test]
fn what_is_in_hand_outlives_the_store_and_a_spoiled_note_is_no_fault() {
    let home = home_with(0);
    let note =
        |count: u8| -> InHand { (0..count).map(|n| (Digest::of(&[n]), u32::from(n))).collect() };
    for count in [0, 40, 1, 2] {
        let (mut store, _) = opened(home.path());
        store.set_in_hand(&note(7)).unwrap();
        store.set_in_hand(&note(count)).unwrap();
        drop(store);
        let mut reader = FileStore::read_only(home.path()).unwrap();
        assert_eq!(reader.in_hand().unwrap(), note(count));
    }
    put(&home.path().join("store/in-hand"), b"\0\0\0\nnonsense\n");
    assert!(FileStore::read_only(home.path()).unwrap().in_hand().unwrap().is_empty());
}

#[test]
fn views_are_written_where_they_changed() {
    let home = home_with(0);
    let (mut store, _) = opened(home.path());
    let path = home.path().join("views/crosstables/19N04.txt");
    store.write_view("crosstables/19N04.txt", "one").unwrap();
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    store.write_view("crosstables/19N04.txt", "one").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
    store.write_view("crosstables/19N04.txt", "two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
}

#[test]
fn nobody_else_may_look_into_a_home() {
    let home = home_with(1);
    let (mut store, _) = opened(home.path());
    store.keep(Shelf::Mail, june(), Digest::of(b"x"), b"x").unwrap();
    write(&mut store, 2..=2, june());
    store.set_in_hand(&InHand::new()).unwrap();
    store.write_view("docket.txt", "x").unwrap();
    let _lock = DaemonLock::take(home.path()).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = all_files(home.path());
    assert_eq!(files.len(), 7, "{files:?}");
    for (path, _) in files {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        assert_eq!(mode(path.parent().unwrap()), 0o700, "{}", path.display());
    }
}
