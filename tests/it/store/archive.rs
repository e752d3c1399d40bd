//! The archive: every byte comes back, and no damage costs what stands behind it.

use super::*;

/// A small generator of numbers (SplitMix64), the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}

#[test]
fn the_archive_gives_every_byte_back() {
    let home = scratch();
    let mut numbers = Numbers(1);
    let words: [&[u8]; 14] = [
        b"From ", b">From ", b">>From ", b"\n", b"\r\n", b"\r", b"\0", b">", b" ", b"From", b"\xff", b"text", b"\n\n",
        b"From 0000000000000000000000000000000000000000000000000000000000000000.1@mail Tue Jan  1 00:00:00 2019\nx",
    ];
    let mut texts: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
    texts.push(Vec::new());
    texts.push((0..=255).collect());
    texts.push(vec![b'\n'; 100_000]);
    for _ in 0..600 {
        let count = numbers.below(12);
        texts.push((0..count).flat_map(|_| words[numbers.below(words.len())]).copied().collect());
    }
    let days = ["2019-06-01T00:00:00Z", "2019-06-30T23:00:00Z", "2019-07-09T00:00:00Z"];
    let mut store = FileStore::open(home.path()).unwrap();
    for (text, number) in texts.iter().zip(0..) {
        if number % 50 == 0 {
            drop(store);
            store = FileStore::open(home.path()).unwrap();
        }
        let shelf = if number % 2 == 0 { Shelf::Mail } else { Shelf::Letters };
        let day = at(days[number * days.len() / texts.len()]);
        store.keep(shelf, day, Digest::of(text), text).unwrap();
        store.keep(shelf, day, Digest::of(text), text).unwrap();
        assert_eq!(
            store.fetch(Digest::of(text)).unwrap().as_ref(),
            Some(text),
            "before the commit"
        );
        store.commit().unwrap();
        assert_eq!(store.fetch(Digest::of(text)).unwrap().as_ref(), Some(text), "by who wrote it");
    }
    drop(store);
    let distinct: std::collections::BTreeSet<_> = texts.iter().collect();
    let folder = home.path().join("store/archive");
    let check = |spoil: &dyn Fn(&Path)| {
        for month in ["2019-06", "2019-07"] {
            spoil(&folder.join(format!("{month}.idx")));
        }
        let before = all_files(home.path());
        let mut reader = FileStore::read_only(home.path()).unwrap();
        for text in &texts {
            assert_eq!(reader.fetch(Digest::of(text)).unwrap().as_ref(), Some(text));
        }
        assert_eq!(all_files(home.path()), before, "a reader changes nothing");
        let mut store = FileStore::open(home.path()).unwrap();
        for text in &texts {
            assert_eq!(store.fetch(Digest::of(text)).unwrap().as_ref(), Some(text));
        }
        assert_eq!(store.fetch(Digest::of(b"not there")).unwrap(), None);
    };
    check(&|_| ());
    check(&|index| fs::remove_file(index).unwrap());
    check(&|index| put(index, b""));
    check(&|index| put(index, &vec![0; 500]));
    check(&|index| put(index, &fs::read(index).unwrap()[..1000]));
    check(&|index| {
        let mut bytes = fs::read(index).unwrap();
        bytes[100..300].fill(0); // a block that a power cut lost
        put(index, &bytes);
    });
    check(&|index| {
        put(index, format!("{} 0 18446744073709551615\n", Digest::of(b"x").hex()).as_bytes());
    });
    let count = Archive::verify(&folder).unwrap();
    assert!(count.messages >= distinct.len() as u64 && count.segments == 2);
    assert!(count.torn.is_empty());
}

#[test]
fn a_mail_program_opens_the_archive() {
    let home = scratch();
    let mut store = FileStore::open(home.path()).unwrap();
    let mail = b"From: ann@example.org\nSubject: 1\n\nFrom here on\n>From there";
    store.keep(Shelf::Mail, at("2019-01-01T00:00:00Z"), Digest::of(mail), mail).unwrap();
    let letter = b"Subject: 2\r\n\r\nHello\r\n";
    store.keep(Shelf::Letters, at("2019-01-31T10:20:30Z"), Digest::of(letter), letter).unwrap();
    store.commit().unwrap();
    let text = fs::read_to_string(home.path().join("store/archive/2019-01.mbox")).unwrap();
    let expected = format!(
        "From {}.60@mail Tue Jan  1 00:00:00 2019\nFrom: ann@example.org\nSubject: 1\n\n>From here on\n>>From there\n\n\
         From {}.21@letters Thu Jan 31 10:20:30 2019\nSubject: 2\r\n\r\nHello\r\n\n",
        Digest::of(mail).hex(),
        Digest::of(letter).hex()
    );
    assert_eq!(text, expected);
}

#[test]
fn an_archive_torn_at_any_byte_keeps_all_that_was_whole() {
    let texts: [&[u8]; 3] = [b"one\n", b"From two", b"three\n\nFrom\n"];
    let home = scratch();
    let path = home.path().join("store/archive/2019-06.mbox");
    let index = home.path().join("store/archive/2019-06.idx");
    let mut ends = vec![0];
    for text in texts {
        let mut store = FileStore::open(home.path()).unwrap();
        store.keep(Shelf::Mail, june(), Digest::of(text), text).unwrap();
        store.commit().unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    let (whole, whole_index) = (fs::read(&path).unwrap(), fs::read(&index).unwrap());
    for end in 0..=whole.len() {
        for with_index in [true, false] {
            put(&path, &whole[..end]);
            if with_index {
                put(&index, &whole_index);
            } else {
                let _ = fs::remove_file(&index);
            }
            let kept = ends.iter().filter(|whole| **whole <= end as u64).count() - 1;
            let mut store = FileStore::open(home.path()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().len(), ends[kept], "torn at {end}");
            assert_eq!(store.notes().len(), usize::from(ends[kept] < end as u64));
            for (text, number) in texts.iter().zip(0..) {
                let found = store.fetch(Digest::of(text)).unwrap();
                assert_eq!(found.is_some(), number < kept, "torn at {end}, message {number}");
                store.keep(Shelf::Mail, june(), Digest::of(text), text).unwrap();
            }
            store.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
            assert_eq!(Archive::verify(path.parent().unwrap()).unwrap().messages, 3);
        }
    }
}

#[test]
fn a_flipped_byte_in_the_archive_is_noticed_and_never_costs_what_stands_behind_it() {
    let texts: [&[u8]; 3] = [b"one\n", b"From two", b"three"];
    let home = scratch();
    let path = home.path().join("store/archive/2019-06.mbox");
    let mut store = FileStore::open(home.path()).unwrap();
    for text in texts {
        store.keep(Shelf::Mail, june(), Digest::of(text), text).unwrap();
    }
    store.commit().unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    let last = whole.len() - 120;
    for position in 0..last {
        let mut bytes = whole.clone();
        bytes[position] ^= 0x11;
        put(&path, &bytes);
        for text in texts {
            let found = FileStore::read_only(home.path()).unwrap().fetch(Digest::of(text));
            let truthful = found.as_ref().map_or(true, |f| f.as_deref().is_none_or(|f| f == text));
            assert!(truthful, "byte {position}");
        }
        drop(FileStore::open(home.path()));
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing before a message is cut off");
        let count = Archive::verify(path.parent().unwrap());
        let is_date =
            count.as_ref().is_ok_and(|count| count.messages == 3 && count.torn.is_empty());
        let noticed = count.as_ref().map_or(true, |count| !count.torn.is_empty());
        assert!(noticed || is_date, "byte {position}: {count:?}");
        let _ = fs::remove_file(home.path().join("store/archive/2019-06.idx"));
        let third = FileStore::open(home.path()).unwrap().fetch(Digest::of(texts[2]));
        assert_eq!(third.unwrap().as_deref(), Some(texts[2]), "byte {position}");
        put(&path, &whole);
    }
}
