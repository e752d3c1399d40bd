//! Monthly segments: append-only files named by the month, one folder of them for the journal and one for the
//! archive. Here are the names, the appending and the cutting of a torn end; what stands in them is `journal.rs` and
//! `archive.rs`.

use super::atomic;
use crate::fault::Fault;
use chrono::{DateTime, Datelike as _, Utc};
use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    str::FromStr,
};

/// A month of the calendar in UTC: the name of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Month {
    year: i32,
    month: u32,
}

impl Month {
    /// Returns the month of an instant.
    pub(super) fn of(at: DateTime<Utc>) -> Self {
        Self { year: at.year(), month: at.month() }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for Month {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (year, month) = text.split_once('-').ok_or(())?;
        let read =
            Self { year: year.parse().map_err(|_| ())?, month: month.parse().map_err(|_| ())? };
        let fits = (1..=12).contains(&read.month) && read.to_string() == text;
        if fits { Ok(read) } else { Err(()) }
    }
}

/// Returns the path of a segment.
pub(super) fn path(folder: &Path, month: Month, ending: &str) -> PathBuf {
    folder.join(format!("{month}{ending}"))
}

/// Returns the months that have a segment, the oldest first. Other files are passed over; a missing folder has none.
pub(super) fn months(folder: &Path, ending: &str) -> Result<Vec<Month>, Fault> {
    let fault = |error| Fault::io("list", folder, &error);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fault)?,
    };
    let mut months = Vec::new();
    for entry in entries {
        let name = entry.map_err(fault)?.file_name();
        let month = name.to_str().and_then(|name| name.strip_suffix(ending)).map(str::parse);
        if let Some(Ok(month)) = month {
            months.push(month);
        }
    }
    months.sort_unstable();
    Ok(months)
}

/// Returns the length of a segment.
pub(super) fn length(path: &Path) -> Result<u64, Fault> {
    fs::metadata(path).map(|data| data.len()).map_err(|error| Fault::io("look at", path, &error))
}

/// Opens a segment for reading.
pub(super) fn open(path: &Path) -> Result<File, Fault> {
    File::open(path).map_err(|error| Fault::io("open", path, &error))
}

/// Makes a segment that somebody left what it is taken for: `end` bytes long, and on the disk. He may have been killed
/// between his write and his sync.
pub(super) fn settle(folder: &Path, path: &Path, end: u64) -> Result<(), Fault> {
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| {
            if file.metadata()?.len() > end {
                file.set_len(end)?;
            }
            file.sync_data()
        })
        .map_err(|error| Fault::io("cut the torn end off", path, &error))?;
    atomic::sync_folder(folder)
}

/// The end of the newest segment, where it grows.
#[derive(Debug)]
pub(super) struct Tail {
    /// Which segment.
    pub(super) month: Month,
    /// How long it is; all of it has been synced.
    pub(super) end: u64,
    path: PathBuf,
    file: File,
}

impl Tail {
    /// Opens a segment for appending; it is made where it is missing.
    pub(super) fn open(folder: &Path, month: Month, ending: &str) -> Result<Self, Fault> {
        let path = path(folder, month, ending);
        let fault = |error| Fault::io("open", &path, &error);
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).mode(0o600).open(&path).map_err(fault)?;
        let end = file.metadata().map_err(fault)?.len();
        if is_new {
            atomic::sync_folder(folder)?;
        }
        Ok(Self { month, end, path, file })
    }

    /// Appends bytes with one write and one sync. After an error the segment is brought back to its old end if that
    /// can be done; whoever opens it next cuts off what is left.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                let _ = self.file.set_len(self.end).and_then(|()| self.file.sync_data());
                Err(Fault::io("write to", &self.path, &error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_months_name_segments() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["2019-06.x", "2018-12.x", "2019-6.x", "2019-13.x", "2019-06.x.old", "a.x"] {
            File::create(folder.path().join(name)).unwrap();
        }
        let found = months(folder.path(), ".x").unwrap();
        let names: Vec<_> = found.iter().map(Month::to_string).collect();
        assert_eq!(names, ["2018-12", "2019-06"]);
        assert_eq!(months(&folder.path().join("missing"), ".x"), Ok(Vec::new()));
    }

    #[test]
    fn a_full_disk_is_a_passing_fault() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.path().join("2019-06.x")).unwrap();
        let month = "2019-06".parse().unwrap();
        let fault = Tail::open(folder.path(), month, ".x").unwrap().append(b"x").unwrap_err();
        assert!(fault.is_transient() && fault.remedy.contains("make room"), "{fault}");
    }
}
