//! The store in files: the journal, the archive and the small notes in `store/`, the views in `views/`.
//!
//! Two locks, so that a director's command can write between two passes of the daemon: `store/daemon.lock` is held for
//! the life of a daemon, there is one for a home; `store/lock` is held by who writes, from `begin` to `end`. Readers
//! need no lock: lines are only ever added, and an unfinished one is passed over.
//! All folders and files are for our own user only.

use super::{
    InHand, Shelf, Store,
    archive::{Archive, ArchiveCount},
    atomic,
    journal::{Journal, JournalCount},
    rewriting::{self, Rewriting},
    transaction::Transaction,
};
use crate::{digest::Digest, fault::Fault, limits};
use chrono::{DateTime, Utc};
use std::{
    fmt::Write as _,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{FileExt as _, OpenOptionsExt as _},
    path::{Component, Path, PathBuf},
    thread,
    time::Duration,
};

/// How long to wait before a lock is tried again.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// How the program has fared, for `knightmail status`.
pub(super) const STATUS: &str = "status.json";
/// What a daemon holds for as long as it runs.
pub(super) const DAEMON_LOCK: &str = "daemon.lock";
/// How often a daemon tries to take its home: whoever looks whether one runs holds it for an instant.
const DAEMON_TRIES: u32 = 5;
/// The line that ends the note of what is in hand; what stands behind it is left from a longer one.
const IN_HAND_END: &str = ".";

/// The store of a home.
#[derive(Debug)]
pub struct FileStore {
    store: PathBuf,
    views: PathBuf,
    mode: Mode,
    lock: Option<File>,
    journal: Journal,
    archive: Archive,
    in_hand: Option<File>,
    notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Changes nothing.
    ReadOnly,
    /// Others may write.
    Idle,
    /// We have the lock.
    Writing,
    /// We have the lock, and a write has failed: `begin` comes next.
    Failed,
}

/// What a check of the store found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreCount {
    /// Of the journal.
    pub journal: JournalCount,
    /// Of the archive.
    pub archive: ArchiveCount,
}

impl FileStore {
    /// Opens the store of a home for writing, as after `begin`. Missing folders are made.
    ///
    /// # Errors
    /// A fault of the disk, or somebody else has been writing for too long.
    pub fn open(home: &Path) -> Result<Self, Fault> {
        let mut store = Self::over(home, Mode::Idle);
        for folder in ["journal", "archive"] {
            atomic::make_folder(&store.store.join(folder))?;
        }
        store.begin()?;
        Ok(store)
    }

    /// Opens the store of a home for reading. It takes no lock and changes nothing.
    ///
    /// # Errors
    /// The home has no store.
    pub fn read_only(home: &Path) -> Result<Self, Fault> {
        let store = Self::over(home, Mode::ReadOnly);
        fs::metadata(&store.store)
            .map_err(|error| Fault::io("open the store", &store.store, &error))?;
        Ok(store)
    }

    /// Verifies every line and every digest in the store of a home and changes nothing.
    ///
    /// # Errors
    /// A fault of the disk, or the first damage.
    pub fn verify(home: &Path) -> Result<StoreCount, Fault> {
        let store = Self::read_only(home)?.store;
        Ok(StoreCount {
            journal: Journal::verify(&store.join("journal"))?,
            archive: Archive::verify(&store.join("archive"))?,
        })
    }

    /// Returns a transaction by its number, with the reading; none where there is none of that number.
    ///
    /// # Errors
    /// A fault of the disk, or damage.
    pub fn transaction(&self, seq: u64) -> Result<Option<Transaction>, Fault> {
        self.journal.find(seq)
    }

    /// Rewrites the store, and ends writing: it must be opened anew.
    ///
    /// # Errors
    /// A fault of the disk, or damage; see `rewriting.rs` for what is true then.
    pub fn rewrite(mut self, rewriting: &Rewriting<'_>) -> Result<(), Fault> {
        self.write(|store| rewriting.carry_out(&store.store))
    }

    /// Hands over what was mended since the last call, a sentence each.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn over(home: &Path, mode: Mode) -> Self {
        let store = home.join("store");
        Self {
            journal: Journal::new(store.join("journal")),
            archive: Archive::new(store.join("archive")),
            views: home.join("views"),
            store,
            mode,
            lock: None,
            in_hand: None,
            notes: Vec::new(),
        }
    }

    /// Does something that needs the lock. After a failure nothing more is done before `begin`.
    fn write<T>(&mut self, doing: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        match self.mode {
            Mode::Writing => doing(self).inspect_err(|_| self.mode = Mode::Failed),
            Mode::Failed => Err(not_now("a write has failed before")),
            Mode::Idle | Mode::ReadOnly => Err(not_now("the store was not opened for writing")),
        }
    }

    fn mend(&mut self) -> Result<(), Fault> {
        for note in [self.archive.mend()?, self.journal.mend()?].into_iter().flatten() {
            tracing::warn!("{note}");
            self.notes.push(note);
        }
        Ok(())
    }

    fn in_hand_path(&self) -> PathBuf {
        self.store.join("in-hand")
    }
}

impl Store for FileStore {
    fn begin(&mut self) -> Result<(), Fault> {
        if self.mode == Mode::ReadOnly {
            return Err(not_now("the store was opened for reading only"));
        }
        if self.lock.is_none() {
            self.lock = Some(wait_for_lock(&self.store.join("lock"))?);
        }
        self.mode = Mode::Failed;
        rewriting::settle(&self.store)?;
        self.mend()?;
        self.mode = Mode::Writing;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.mode != Mode::ReadOnly {
            self.mode = Mode::Idle;
            self.archive.release();
            self.lock = None; // closing the file gives the lock back
        }
        Ok(())
    }

    fn catch_up(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
        self.journal.catch_up(each)
    }

    fn replay(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
        Journal::new(self.store.join("journal")).catch_up(each)
    }

    fn keep(
        &mut self,
        on: Shelf,
        at: DateTime<Utc>,
        digest: Digest,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        self.write(|store| {
            store.archive.keep(on, at, digest, bytes);
            Ok(())
        })
    }

    fn append(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        self.write(|store| store.journal.append(transaction))
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.write(|store| {
            store.archive.commit()?;
            store.journal.commit()
        })
    }

    fn fetch(&mut self, digest: Digest) -> Result<Option<Vec<u8>>, Fault> {
        self.archive.fetch(digest)
    }

    fn in_hand(&mut self) -> Result<InHand, Fault> {
        let path = self.in_hand_path();
        match fs::read(&path) {
            Ok(bytes) => Ok(read_in_hand(&String::from_utf8_lossy(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(InHand::new()),
            Err(error) => Err(Fault::io("read", &path, &error)),
        }
    }

    /// Writes over the old note in one write: this happens for every batch, and a new file each time costs more than
    /// all the rest of it.
    fn set_in_hand(&mut self, in_hand: &InHand) -> Result<(), Fault> {
        self.write(|store| {
            let path = store.in_hand_path();
            let fault = |error| Fault::io("write", &path, &error);
            if store.in_hand.is_none() {
                store.in_hand = Some(open_private(&path).map_err(fault)?);
            }
            let file = store.in_hand.as_ref().expect("opened above");
            file.write_all_at(in_hand_text(in_hand).as_bytes(), 0).map_err(fault)
        })
    }

    fn read_status(&mut self) -> Option<String> {
        fs::read_to_string(self.store.join(STATUS)).ok()
    }

    fn write_status(&mut self, text: &str) -> Result<(), Fault> {
        atomic::write_unsynced(&self.store.join(STATUS), text.as_bytes())
    }

    fn has_view(&mut self, name: &str) -> bool {
        self.views.join(name).is_file()
    }

    fn write_view(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        if self.mode == Mode::ReadOnly {
            return Err(not_now("the store was opened for reading only"));
        }
        let path = self.views.join(name);
        let stays_inside = Path::new(name).components().all(|c| matches!(c, Component::Normal(_)));
        assert!(stays_inside && !name.is_empty(), "`{name}` is a path below views/");
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            return Ok(());
        }
        atomic::make_folder(path.parent().expect("it lies in views/"))?;
        atomic::write_unsynced(&path, text.as_bytes())
    }
}

/// The sign that a daemon runs over a home, for as long as this lives.
#[derive(Debug)]
pub struct DaemonLock(
    #[expect(dead_code, reason = "the lock is held while the file is open")] File,
);

impl DaemonLock {
    /// Takes a home for a daemon, at once or not at all.
    ///
    /// # Errors
    /// Another daemon has it, or a fault of the disk.
    pub fn take(home: &Path) -> Result<Self, Fault> {
        let folder = home.join("store");
        atomic::make_folder(&folder)?;
        let path = folder.join(DAEMON_LOCK);
        let fault = |error| Fault::io("lock", &path, &error);
        let mut file = open_private(&path).map_err(fault)?;
        let mut tries = 1;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries < DAEMON_TRIES => {
                    tries += 1;
                    thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(another_daemon(home, &mut file)),
                Err(TryLockError::Error(error)) => return Err(fault(error)),
            }
        }
        file.set_len(0).map_err(fault)?;
        file.write_all(format!("{}\n", std::process::id()).as_bytes()).map_err(fault)?;
        Ok(Self(file))
    }
}

fn another_daemon(home: &Path, file: &mut File) -> Fault {
    let mut pid = String::new();
    let _ = file.read_to_string(&mut pid);
    let pid = pid.trim();
    Fault::passing(
        format!("another daemon (process {pid}) works on {}", home.display()),
        format!("stop it (`kill {pid}`, or by systemctl), or name another --home"),
    )
}

/// Waits until nobody else writes.
fn wait_for_lock(path: &Path) -> Result<File, Fault> {
    let fault = |error| Fault::io("lock", path, &error);
    let file = open_private(path).map_err(fault)?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(fault(error)),
            Err(TryLockError::WouldBlock) if waited < limits::LOCK_WAIT => {
                thread::sleep(LOCK_PAUSE);
                waited += LOCK_PAUSE;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Fault::passing(
                    format!("another knightmail has been writing for long: {}", path.display()),
                    "try again when it is done (`fuser` names it)",
                ));
            }
        }
    }
}

fn open_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn not_now(why: &str) -> Fault {
    Fault::passing(format!("nothing can be written: {why}"), "open the store for writing again")
}

fn in_hand_text(in_hand: &InHand) -> String {
    let mut text = String::new();
    for (digest, tries) in in_hand {
        let _ = writeln!(text, "{} {tries}", digest.hex());
    }
    text + IN_HAND_END + "\n"
}

/// Reads the note of what is in hand. It is a help and not the truth: a line that a power cut spoiled is passed over.
fn read_in_hand(text: &str) -> InHand {
    text.lines()
        .take_while(|line| *line != IN_HAND_END)
        .filter_map(|line| {
            let (digest, tries) = line.split_once(' ')?;
            Some((digest.parse().ok()?, tries.parse().ok()?))
        })
        .collect()
}
