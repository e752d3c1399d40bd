//! Mail from a Maildir, as mail servers and mail programs lay it down: a file a mail, `new/` before anybody has seen it,
//! `cur/` with flags behind `:2,` in the name. A mail waits when it lies in `new/`, or in `cur/` without the flag `S`
//! (seen): another program may have put it there. To file a mail away is to rename it, so nothing is ever lost here.
//!
//! Renames are not synced: after a power cut a mail waits again and is known by its digest.

use super::{Arrival, Mailbox, Waiting};
use crate::{fault::Fault, store::atomic};
use chrono::{DateTime, Utc};
use std::{
    collections::HashMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// The folders of a Maildir.
const FOLDERS: [&str; 3] = ["tmp", "new", "cur"];
/// What stands before the flags.
const FLAGS_MARK: &str = ":2,";
/// 1990-01-01T00:00:00Z: a number before it is no time of delivery.
const EARLIEST_STAMP: i64 = 631_152_000;

/// A Maildir that mail is fetched from.
#[derive(Debug)]
pub struct Maildir {
    root: PathBuf,
    /// Where the waiting mails were when they were last listed.
    places: HashMap<String, PathBuf>,
    /// Whether all mails were listed since, because one had been moved. Once is enough: what moves after that waits for
    /// the next listing.
    listed_again: bool,
}

impl Maildir {
    /// Names the Maildir; looks at nothing yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), places: HashMap::new(), listed_again: false }
    }

    /// Lists the mails whose folder and name `fits`.
    fn list(&mut self, fits: impl Fn(&str, &str) -> bool) -> Result<(), Fault> {
        for folder in ["cur", "new"] {
            let path = self.root.join(folder);
            each_file(&path, |name| {
                let text = name.to_string_lossy();
                if fits(folder, &text) {
                    self.places.insert(key_of(&text).to_owned(), path.join(&name));
                }
            })?;
        }
        Ok(())
    }

    /// Returns where a mail is now: where it was, or under other flags in `cur/`. None where it has gone.
    fn locate(&mut self, key: &str) -> Result<Option<PathBuf>, Fault> {
        let known = self.places.get(key).filter(|place| place.exists());
        if known.is_some() || self.listed_again {
            return Ok(known.cloned());
        }
        self.list(|_, _| true)?;
        self.listed_again = true;
        Ok(self.places.get(key).filter(|place| place.exists()).cloned())
    }

    /// Sets the flag `S`. A mail that has gone, or that has it already, is no error.
    fn set_seen(&mut self, key: &str) -> Result<(), Fault> {
        let Some(place) = self.locate(key)? else { return Ok(()) };
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if has_been_seen(&name) && place.starts_with(self.root.join("cur")) {
            return Ok(());
        }
        let target = self.root.join("cur").join(with_seen(place.file_name().unwrap_or_default()));
        match atomic::try_move(&place, &target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Fault::io("file away", &place, &error))
            }
            _ => Ok(()),
        }
    }
}

/// Makes an empty Maildir where there is none.
///
/// # Errors
/// A fault of the disk.
pub fn create(root: &Path) -> Result<(), Fault> {
    FOLDERS.iter().try_for_each(|folder| atomic::make_folder(&root.join(folder)))
}

impl Mailbox for Maildir {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        self.places.clear();
        self.listed_again = false;
        self.list(|folder, name| folder == "new" || !has_been_seen(name))?;
        let mut arrivals: Vec<_> = self.places.keys().map(|key| arrival(key)).collect();
        arrivals.sort_by_cached_key(|arrival| (delivery(&arrival.key), arrival.key.clone()));
        Ok(Waiting { arrivals, ..Waiting::default() })
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        let Some(place) = self.locate(&arrival.key)? else { return Ok(None) };
        match fs::read(&place) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::io("read the mail", &place, &error)),
        }
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        arrivals.iter().try_for_each(|arrival| self.set_seen(&arrival.key))
    }
}

/// Calls `each` with the name of every file in a folder. Asks nothing about the files one by one: there may be a
/// hundred thousand.
fn each_file(folder: &Path, mut each: impl FnMut(OsString)) -> Result<(), Fault> {
    let fault = |error| Fault::io("list", folder, &error);
    for entry in fs::read_dir(folder).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name();
        if !is_folder && !name.as_encoded_bytes().starts_with(b".") {
            each(name);
        }
    }
    Ok(())
}

fn arrival(key: &str) -> Arrival {
    let seconds = leading_number(key).and_then(|seconds| i64::try_from(seconds).ok());
    let stamped = seconds.filter(|seconds| *seconds >= EARLIEST_STAMP);
    let stamped = stamped.and_then(DateTime::<Utc>::from_timestamp_secs);
    Arrival { key: key.to_owned(), stamped, suspect: false }
}

/// Returns what a name says about the order of delivery: seconds, then microseconds where they are given
/// (`1561939200.M123456P77.host`). Names that do not say it come last.
fn delivery(key: &str) -> (u64, u64) {
    let microseconds = key.split_once(".M").and_then(|(_, rest)| leading_number(rest));
    (leading_number(key).unwrap_or(u64::MAX), microseconds.unwrap_or(0))
}

fn leading_number(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..digits].parse().ok()
}

fn key_of(name: &str) -> &str {
    name.split_once(FLAGS_MARK).map_or(name, |(key, _)| key)
}

fn has_been_seen(name: &str) -> bool {
    name.split_once(FLAGS_MARK).is_some_and(|(_, flags)| flags.contains('S'))
}

/// Adds the flag `S` to a name; flags stand in the order of the alphabet.
fn with_seen(name: &std::ffi::OsStr) -> OsString {
    let flags = name.to_string_lossy().split_once(FLAGS_MARK).map(|(_, flags)| flags.to_owned());
    let Some(flags) = flags else {
        let mut name = name.to_owned();
        name.push(":2,S");
        return name;
    };
    let mut letters: Vec<char> = flags.chars().chain(['S']).collect();
    letters.sort_unstable();
    letters.dedup();
    let text = name.to_string_lossy();
    format!("{}{FLAGS_MARK}{}", key_of(&text), String::from_iter(letters)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn maildir(files: &[&str]) -> (tempfile::TempDir, Maildir) {
        let home = tempfile::tempdir().unwrap();
        create(home.path()).unwrap();
        for file in files {
            atomic::write_unsynced(&home.path().join(file), file.as_bytes()).unwrap();
        }
        let maildir = Maildir::new(home.path());
        (home, maildir)
    }

    fn keys(maildir: &mut Maildir) -> Vec<String> {
        maildir.waiting().unwrap().arrivals.into_iter().map(|arrival| arrival.key).collect()
    }

    fn listed(home: &Path, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(home.join(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_waits_comes_in_the_order_of_delivery() {
        let (_home, mut maildir) = maildir(&[
            "new/zebra",
            "new/1561939200.M20P7.host",
            "new/1561939200.M3P7.host",
            "cur/1561939199.M1P7.host,S=12:2,F",
            "cur/1561939198.M1P7.host:2,RS",
            "cur/999.host",
            "new/.hidden",
            "tmp/1561939100.M1P7.host",
        ]);
        let arrivals = maildir.waiting().unwrap().arrivals;
        let stamps: Vec<_> = arrivals.iter().map(|a| a.stamped.map(|at| at.timestamp())).collect();
        let keys: Vec<_> = arrivals.iter().map(|arrival| arrival.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "999.host",
                "1561939199.M1P7.host,S=12",
                "1561939200.M3P7.host",
                "1561939200.M20P7.host",
                "zebra"
            ]
        );
        assert_eq!(
            stamps,
            [None, Some(1_561_939_199), Some(1_561_939_200), Some(1_561_939_200), None]
        );
    }

    #[test]
    fn to_file_away_is_to_set_one_flag() {
        for (before, after) in [
            ("new/1.a", "1.a:2,S"),
            ("new/1.a:2,", "1.a:2,S"),
            ("cur/1.a", "1.a:2,S"),
            ("cur/1.a:2,F", "1.a:2,FS"),
            ("cur/1.a:2,RT", "1.a:2,RST"),
        ] {
            let (home, mut maildir) = maildir(&[before]);
            let arrivals = maildir.waiting().unwrap().arrivals;
            assert_eq!(maildir.fetch(&arrivals[0]), Ok(Some(before.as_bytes().to_vec())));
            maildir.file_away(&arrivals).unwrap();
            assert_eq!(listed(home.path(), "cur"), [after], "{before}");
            assert!(keys(&mut maildir).is_empty());
            assert_eq!(maildir.fetch(&arrivals[0]), Ok(Some(before.as_bytes().to_vec())));
            maildir.file_away(&arrivals).unwrap();
            assert_eq!(listed(home.path(), "cur"), [after], "twice is once");
        }
    }

    #[test]
    fn a_mail_that_another_program_moves_or_takes_is_followed_or_passed_over() {
        let (home, mut maildir) = maildir(&["new/1.a", "new/2.b"]);
        let arrivals = maildir.waiting().unwrap().arrivals;
        atomic::move_unsynced(&home.path().join("new/1.a"), &home.path().join("cur/1.a:2,F"))
            .unwrap();
        fs::remove_file(home.path().join("new/2.b")).unwrap();
        assert_eq!(maildir.fetch(&arrivals[0]), Ok(Some(b"new/1.a".to_vec())));
        assert_eq!(maildir.fetch(&arrivals[1]), Ok(None));
        maildir.file_away(&arrivals).unwrap();
        assert_eq!(listed(home.path(), "cur"), ["1.a:2,FS"]);
    }

    #[test]
    fn one_mail_that_cannot_be_read_hides_no_other() {
        let (home, mut maildir) = maildir(&["new/1.a", "new/2.b"]);
        let path = home.path().join("new/1.a");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        let arrivals = maildir.waiting().unwrap().arrivals;
        if fs::read(&path).is_err() {
            assert!(maildir.fetch(&arrivals[0]).unwrap_err().is_transient());
        }
        assert_eq!(maildir.fetch(&arrivals[1]), Ok(Some(b"new/2.b".to_vec())));
    }

    #[test]
    fn a_missing_maildir_is_a_fault_and_names_the_folder() {
        let fault = Maildir::new("no/such/maildir").waiting().unwrap_err();
        assert!(fault.what.contains("no/such/maildir"), "{fault}");
    }
}
