//! The vital signs of a home: how long its journal is, how much room the disk has, and who runs over it. Looking changes
//! nothing and waits for nobody.

use super::segment;
use crate::fault::Fault;
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

/// How the segments of the journal end.
const ENDING: &str = ".jsonl";

/// Returns how many bytes the journal of a home has.
///
/// # Errors
/// A fault of the disk.
pub fn journal_bytes(home: &Path) -> Result<u64, Fault> {
    let folder = home.join("store/journal");
    let months = segment::months(&folder, ENDING)?;
    months.into_iter().map(|month| segment::length(&segment::path(&folder, month, ENDING))).sum()
}

/// Returns how many bytes are free for us on the disk of a home.
///
/// # Errors
/// A fault of the disk.
pub fn free_bytes(home: &Path) -> Result<u64, Fault> {
    let disk =
        rustix::fs::statvfs(home).map_err(|error| Fault::io("look at", home, &error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns the text of the status that the last pass over a home wrote; none where there is none.
pub fn status(home: &Path) -> Option<String> {
    fs::read_to_string(home.join("store").join(super::files::STATUS)).ok()
}

/// Returns the process that runs as the daemon over a home; none where none does.
///
/// # Errors
/// A fault of the disk.
pub fn daemon(home: &Path) -> Result<Option<String>, Fault> {
    let path = home.join("store").join(super::files::DAEMON_LOCK);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(|error| Fault::io("open", &path, &error))?,
    };
    // A daemon that starts in this instant tries again.
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            let pid = fs::read_to_string(&path).unwrap_or_default();
            Ok(Some(pid.trim().to_owned()))
        }
        Err(TryLockError::Error(error)) => Err(Fault::io("look at", &path, &error)),
    }
}
