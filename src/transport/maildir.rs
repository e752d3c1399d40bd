//! Letters into a Maildir, complete RFC 5322 messages: the embedded outbox, or the pick-up folder of another program.
//!
//! A letter's file is named by its number, so that delivering it again never makes two of it: what lies there already,
//! read or not, is `Sent` as it is. A reader that takes letters out of the Maildir gets a letter again only when it is
//! sent again.

use super::{Outgoing, Told, Transport};
use crate::{
    domain::ids::LetterId, fault::Fault, store::atomic, store::transaction::DeliveryOutcome,
};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A Maildir that letters are put into.
#[derive(Debug)]
pub struct MaildirOut {
    root: PathBuf,
    seen: Seen,
}

/// The letters that a reader has moved to `cur/`, as of a change of that folder.
#[derive(Debug, Default)]
struct Seen {
    changed: Option<SystemTime>,
    names: BTreeSet<String>,
}

impl MaildirOut {
    /// Names the Maildir; it is made at the first delivery.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), seen: Seen::default() }
    }

    fn try_deliver(
        &mut self,
        letters: &[&Outgoing],
    ) -> Result<Vec<Result<DeliveryOutcome, Fault>>, Fault> {
        let [workshop, new, cur] = ["tmp", "new", "cur"].map(|folder| self.root.join(folder));
        for folder in [&workshop, &new, &cur] {
            atomic::make_folder(folder)?;
        }
        self.seen.refresh(&cur).map_err(|error| Fault::io("list", &cur, &error))?;
        let is_there = |name: &String| self.seen.names.contains(name) || new.join(name).exists();
        let names: Vec<_> = letters.iter().map(|letter| file_name(letter.letter)).collect();
        let there: Vec<_> = names.iter().map(is_there).collect();
        if there.contains(&true) {
            // Whoever put it there may have died before he synced the folder.
            atomic::sync_folder(&new)?;
            atomic::sync_folder(&cur)?;
        }
        let missing = letters.iter().zip(&names).zip(&there).filter(|(_, there)| !**there);
        let files: Vec<atomic::NamedFile<'_>> =
            missing.map(|((letter, name), _)| (name.clone(), &letter.bytes[..])).collect();
        let mut written = atomic::write_batch(&workshop, &new, &files).into_iter();
        let outcomes = there.iter().map(|there| match there {
            true => Ok(DeliveryOutcome::Sent),
            false => written.next().expect("one answer a file").map(|()| DeliveryOutcome::Sent),
        });
        Ok(outcomes.collect())
    }
}

impl Transport for MaildirOut {
    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault> {
        let by_mail: Vec<_> = letters.iter().filter(|letter| letter.to.is_some()).collect();
        let mut outcomes = self
            .try_deliver(&by_mail)
            .unwrap_or_else(|fault| vec![Err(fault); by_mail.len()])
            .into_iter();
        let answer = |letter: &Outgoing| match &letter.to {
            Some(_) => outcomes.next().expect("one outcome a letter"),
            None => Ok(DeliveryOutcome::Refused("it has no address; it goes on paper".to_owned())),
        };
        super::tell(letters, letters.iter().map(answer).collect(), told)
    }
}

impl Seen {
    /// Lists `cur/` again where something has changed there.
    fn refresh(&mut self, cur: &Path) -> io::Result<()> {
        let changed = fs::metadata(cur)?.modified()?;
        if self.changed == Some(changed) {
            return Ok(());
        }
        let names: io::Result<BTreeSet<_>> =
            fs::read_dir(cur)?.map(|entry| Ok(without_flags(&entry?.file_name()))).collect();
        *self = Self { changed: Some(changed), names: names? };
        Ok(())
    }
}

/// Returns the file name of a letter in the Maildir: `L000042.knightmail`.
pub fn file_name(letter: LetterId) -> String {
    format!("L{:06}.knightmail", letter.0)
}

fn without_flags(name: &OsString) -> String {
    let name = name.to_string_lossy();
    name.split_once(":2,").map_or(&*name, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{letter, outcomes},
        *,
    };
    use DeliveryOutcome::{Deferred, Refused, Sent};

    fn listed(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_letter_lies_there_once_however_often_it_is_delivered() {
        let home = tempfile::tempdir().unwrap();
        let new = home.path().join("new");
        let letters = [letter(1), letter(2), letter(3), letter(4), letter(5)];
        for _ in 0..2 {
            // A new process knows nothing of what the one before did.
            let mut transport = MaildirOut::new(home.path());
            assert_eq!(outcomes(&mut transport, &letters), vec![Sent; 5]);
            assert_eq!(outcomes(&mut transport, &letters[..2]), vec![Sent; 2]);
            assert_eq!(listed(&new).len(), 5);
        }
        assert_eq!(fs::read(new.join("L000003.knightmail")).unwrap(), letters[2].bytes);
        assert!(listed(&home.path().join("tmp")).is_empty());
    }

    #[test]
    fn what_a_reader_has_moved_is_not_written_again_and_what_he_took_out_is() {
        let home = tempfile::tempdir().unwrap();
        let [new, cur] = ["new", "cur"].map(|folder| home.path().join(folder));
        let mut transport = MaildirOut::new(home.path());
        outcomes(&mut transport, &[letter(1), letter(2)]);
        let from = new.join("L000001.knightmail");
        atomic::move_unsynced(&from, &cur.join("L000001.knightmail:2,S")).unwrap();
        fs::remove_file(new.join("L000002.knightmail")).unwrap();
        assert_eq!(outcomes(&mut transport, &[letter(1), letter(2)]), vec![Sent; 2]);
        assert_eq!(listed(&new), ["L000002.knightmail"]);
    }

    #[test]
    fn a_full_disk_defers_the_letters_it_is_too_small_for() {
        for count in [2, 6] {
            let home = tempfile::tempdir().unwrap();
            atomic::make_folder(&home.path().join("tmp")).unwrap();
            let full = home.path().join("tmp/L000002.knightmail");
            std::os::unix::fs::symlink("/dev/full", full).unwrap();
            let letters: Vec<_> = (1..=count).map(letter).collect();
            let outcomes = outcomes(&mut MaildirOut::new(home.path()), &letters);
            assert!(matches!(&outcomes[1], Deferred(why) if why.contains("No space left")));
            assert_eq!(
                outcomes.iter().filter(|outcome| **outcome == Sent).count() as u64,
                count - 1
            );
        }
    }

    #[test]
    fn a_maildir_that_cannot_be_made_defers_and_a_letter_on_paper_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let paper = Outgoing { to: None, ..letter(2) };
        let mut blocked = MaildirOut::new(file.path().join("out"));
        let heard = outcomes(&mut blocked, &[letter(1), paper]);
        assert!(matches!(&heard[..], [Deferred(_), Refused(_)]), "{heard:?}");
        assert!(outcomes(&mut MaildirOut::new(file.path()), &[]).is_empty());
    }
}
