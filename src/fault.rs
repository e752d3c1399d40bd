//! A fault: trouble outside the program (disk, network, another process). It is the operator's to mend, so it says
//! what happened, where, and what to do.

use std::{fmt, io, path::Path};

/// Trouble outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened and where, a sentence without its full stop.
    pub what: String,
    /// What would mend it, a sentence without its full stop.
    pub remedy: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Passing,
    Damage,
    Internal,
}

impl Fault {
    /// Returns a fault that may be gone at the next try.
    pub fn passing(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into(), kind: Kind::Passing }
    }

    /// Returns a fault of the store itself: trying again will not help, and going on would make it worse.
    pub fn damage(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into(), kind: Kind::Damage }
    }

    /// Returns the fault of a part of this program that stopped with a panic over something it had in hand.
    pub fn internal(what: impl Into<String>) -> Self {
        let remedy = "nothing: it is tried once more and then set aside; please report it";
        Self { what: what.into(), remedy: remedy.to_owned(), kind: Kind::Internal }
    }

    /// Returns the fault of a failed file operation, with a remedy by its kind.
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let remedy = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room on the disk; nothing was marked as read, and the work goes on by itself"
            }
            io::ErrorKind::PermissionDenied => "give the user that runs knightmail the right to it",
            io::ErrorKind::ReadOnlyFilesystem => "mount the file system for writing",
            io::ErrorKind::NotFound => "check the path in knightmail.toml and --home",
            _ => "look at the disk and the system's log",
        };
        Self::passing(format!("cannot {doing} {}: {error}", path.display()), remedy)
    }

    /// Tells whether the next try may succeed without anything being mended by hand.
    pub fn is_transient(&self) -> bool {
        self.kind != Kind::Damage
    }

    /// Tells whether the fault is our own and the work can go on at once after opening the office anew.
    pub fn is_internal(&self) -> bool {
        self.kind == Kind::Internal
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  remedy: {}", self.what, self.remedy)
    }
}

impl std::error::Error for Fault {}
