//! The journal: torn lines are cut off, everything else that does not verify is damage.

use super::*;

#[test]
fn what_was_written_is_read_back() {
    let home = home_with(0);
    let (mut store, _) = opened(home.path());
    let days = [
        "2019-06-30T23:59:59Z",
        "2019-07-01T00:00:00Z",
        "2019-06-01T12:00:00Z",
        "2021-01-01T00:00:00Z",
    ];
    let written: Vec<_> = (1..).zip(days).map(|(seq, day)| transaction(seq, at(day))).collect();
    for transaction in &written {
        store.append(transaction).unwrap();
    }
    store.commit().unwrap();
    assert_eq!(caught_up(&mut store).unwrap(), [0; 0], "one's own lines are known already");
    drop(store);
    let mut read = Vec::new();
    let mut store = FileStore::read_only(home.path()).unwrap();
    store.catch_up(&mut |transaction| read.push(said(transaction))).unwrap();
    assert_eq!(read, written.iter().map(said).collect::<Vec<_>>());
    for transaction in &written {
        let found = store.transaction(transaction.seq).unwrap().unwrap();
        assert_eq!(said(&found), said(transaction));
    }
    assert!(store.transaction(0).unwrap().is_none() && store.transaction(5).unwrap().is_none());
    let lines = |month| {
        fs::read_to_string(home.path().join(format!("store/journal/{month}.jsonl")))
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!(
        [lines("2019-06"), lines("2019-07"), lines("2021-01")],
        [1, 2, 1],
        "never backwards"
    );
}

#[test]
fn a_line_is_json_that_other_programs_read_and_verify() {
    let home = home_with(3);
    let text = fs::read_to_string(segment(home.path())).unwrap();
    let mut before = "00000000".to_owned();
    for (line, seq) in text.lines().zip(1_u64..) {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&json["seq"], &json["prev"]), (&seq.into(), &before.clone().into()));
        let (body, _) = line.split_once(",\"sum\":\"").unwrap();
        before = format!("{:08x}", crc32fast::hash(body.as_bytes()));
        assert!(line.ends_with(&format!(",\"sum\":\"{before}\"}}")), "{line}");
    }
}

#[test]
fn a_long_journal_is_read_in_order_by_all_threads() {
    let home = home_with(0);
    let (mut store, _) = opened(home.path());
    for seq in 1..=9000_u64 {
        let month =
            DateTime::from_timestamp_secs(1_561_900_000 + seq.cast_signed() * 1000).unwrap();
        store.append(&transaction(seq, month)).unwrap();
    }
    store.commit().unwrap();
    drop(store);
    let (_, seen) = opened(home.path());
    assert!(seen.iter().copied().eq(1..=9000));
    let middle = home.path().join("store/journal/2019-08.jsonl");
    let mut bytes = fs::read(&middle).unwrap();
    let half = bytes.len() / 2;
    let line = line_of(&bytes, half);
    bytes[half] ^= 1;
    put(&middle, &bytes);
    let fault = caught_up(&mut FileStore::read_only(home.path()).unwrap()).unwrap_err();
    assert!(
        !fault.is_transient() && fault.what.contains(&format!("2019-08.jsonl line {line}:")),
        "{fault}"
    );
}

#[test]
fn a_torn_last_line_is_cut_off_wherever_it_is_torn() {
    let home = home_with(3);
    let whole = fs::read(segment(home.path())).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for end in last..whole.len() {
        put(&segment(home.path()), &whole[..end]);
        let reader = &mut FileStore::read_only(home.path()).unwrap();
        assert_eq!(caught_up(reader).unwrap(), [1, 2], "a reader passes over it");
        let torn = FileStore::verify(home.path()).unwrap().journal.torn;
        assert_eq!(torn.is_some(), end > last);
        assert_eq!(fs::read(segment(home.path())).unwrap().len(), end, "and changes nothing");
        let (mut store, seen) = opened(home.path());
        assert_eq!(seen, [1, 2]);
        assert_eq!(store.notes().len(), usize::from(end > last), "it is reported");
        write(&mut store, 3..=3, june());
        assert_eq!(fs::read(segment(home.path())).unwrap(), whole, "torn at {end}");
    }
}

#[test]
fn a_torn_line_of_several_blocks_and_a_torn_first_line_are_cut_off() {
    let home = home_with(2);
    let whole = fs::read(segment(home.path())).unwrap();
    for rest in [vec![0; 200_000], vec![b'x'; 64 * 1024], b"{\"seq\":3".to_vec()] {
        for kept in [&whole[..], b""] {
            put(&segment(home.path()), &[kept, &rest].concat());
            let (mut store, seen) = opened(home.path());
            assert_eq!((seen.is_empty(), store.notes().len()), (kept.is_empty(), 1));
            assert_eq!(fs::read(segment(home.path())).unwrap(), kept);
        }
    }
}

#[test]
fn a_flipped_byte_anywhere_is_noticed() {
    let home = home_with(3);
    let whole = fs::read(segment(home.path())).unwrap();
    let last = whole.len() - 1;
    for position in 0..whole.len() {
        for flip in [0x01, 0x20, 0x80, b'\n' ^ whole[position]] {
            let mut bytes = whole.clone();
            bytes[position] ^= flip;
            if bytes == whole {
                continue;
            }
            put(&segment(home.path()), &bytes);
            let read = Journal::verify(&home.path().join("store/journal"));
            if position == last {
                assert_eq!(read.unwrap().transactions, 2, "without its newline it is a torn line");
                continue;
            }
            let fault = read.unwrap_err();
            let line = line_of(&whole, position);
            let place = format!("2019-06.jsonl line {line}:");
            assert!(!fault.is_transient() && fault.what.contains(&place), "{position}: {fault}");
            assert!(fault.remedy.contains("backup"), "{fault}");
        }
    }
}

#[test]
fn damage_stops_a_writer_before_it_changes_anything() {
    let home = home_with(4);
    let text = fs::read_to_string(segment(home.path())).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let other = home_with(0);
    let (mut store, _) = opened(other.path());
    store.append(&transaction(1, at("2019-06-01T00:00:00Z"))).unwrap();
    store.append(&transaction(2, june())).unwrap();
    store.commit().unwrap();
    let foreign = fs::read_to_string(segment(other.path())).unwrap();
    let foreign = foreign.split_inclusive('\n').nth(1).unwrap();
    for (damaged, line) in [
        (lines[1..].concat(), 1),
        ([lines[0], lines[2], lines[3]].concat(), 2),
        ([lines[0], lines[1], lines[1], lines[2]].concat(), 3),
        ([lines[0], lines[2], lines[1], lines[3]].concat(), 2),
        ([lines[0], foreign, lines[2]].concat(), 2),
        ([lines[0], "\n", lines[1]].concat(), 2),
        ([lines[0], "{}\n", lines[1]].concat(), 2),
        ([lines[0], &lines[1][..40], "\n", lines[2]].concat(), 2),
        ([lines[0], lines[1].trim_end(), lines[2], lines[3]].concat(), 2),
    ] {
        put(&segment(home.path()), damaged.as_bytes());
        let mut store = FileStore::open(home.path()).unwrap();
        let fault = caught_up(&mut store).unwrap_err();
        assert!(fault.what.contains(&format!("line {line}:")), "{fault}\n{damaged}");
        assert!(store.append(&transaction(5, june())).is_err(), "nothing follows damage");
        assert_eq!(fs::read_to_string(segment(home.path())).unwrap(), damaged);
    }
}

#[test]
fn a_segment_that_is_missing_or_torn_in_the_middle_is_damage() {
    let home = home_with(1);
    let (mut store, _) = opened(home.path());
    write(&mut store, 2..=2, at("2019-07-02T00:00:00Z"));
    write(&mut store, 3..=3, at("2019-08-02T00:00:00Z"));
    drop(store);
    for month in ["2019-06", "2019-07"] {
        let path = home.path().join(format!("store/journal/{month}.jsonl"));
        let bytes = fs::read(&path).unwrap();
        let mut reader = FileStore::read_only(home.path()).unwrap();
        caught_up(&mut reader).unwrap();
        fs::remove_file(&path).unwrap();
        let mut store = FileStore::open(home.path()).unwrap();
        assert!(!caught_up(&mut store).unwrap_err().is_transient());
        put(&path, &[&bytes[..], b"{\"seq\""].concat());
        let fault = caught_up(&mut FileStore::read_only(home.path()).unwrap()).unwrap_err();
        assert!(fault.what.contains(month) && !fault.is_transient(), "{fault}");
        put(&path, &bytes);
        assert!(caught_up(&mut reader).unwrap().is_empty());
    }
    let newest = home.path().join("store/journal/2019-08.jsonl");
    let mut reader = FileStore::read_only(home.path()).unwrap();
    caught_up(&mut reader).unwrap();
    put(&newest, b"");
    assert!(!caught_up(&mut reader).unwrap_err().is_transient(), "it became shorter under us");
    fs::remove_file(&newest).unwrap();
    assert!(!caught_up(&mut reader).unwrap_err().is_transient(), "it went away under us");
}
