//! Small files that are there whole or not at all: written under another name, then renamed into place. This is the
//! only module that writes or renames files by name; the append-only segments are `segment.rs`.

use crate::fault::Fault;
use std::{
    ffi::OsStr,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

/// Up to so many files are synced one by one; more share one sync of the whole file system, which also waits for
/// whatever other programs have written there.
const SYNCED_ONE_BY_ONE: usize = 3;

/// Writes a file so that after a power cut it is there whole, new or old.
///
/// # Errors
/// A fault of the disk; the old file stands.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let temporary = temporary_beside(path, bytes)?;
    temporary.as_file().sync_all().map_err(|error| Fault::io("sync", path, &error))?;
    temporary.persist(path).map_err(|error| Fault::io("write", path, &error.error))?;
    sync_folder(parent(path))
}

/// Writes a derived file: whole or not at all for every reader, but not synced. A power cut may lose it.
///
/// # Errors
/// A fault of the disk; the old file stands.
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let temporary = temporary_beside(path, bytes)?;
    temporary.persist(path).map_err(|error| Fault::io("write", path, &error.error))?;
    Ok(())
}

/// A file of a batch: its name in the folder, and its bytes.
pub type NamedFile<'a> = (String, &'a [u8]);

/// Writes many files into `folder`, durable when this answers, with few syncs: all are written in `workshop` (on the
/// same file system), synced together, renamed, and the folder is synced once. Answers what became of each. An
/// existing file of the same name is replaced.
pub fn write_batch(
    workshop: &Path,
    folder: &Path,
    files: &[NamedFile<'_>],
) -> Vec<Result<(), Fault>> {
    let mut answers: Vec<_> = files.iter().map(|file| write_plainly(workshop, file)).collect();
    if let Err(fault) = sync_together(workshop, files, &mut answers) {
        spread(&fault, &mut answers);
    }
    for ((name, _), answer) in files.iter().zip(&mut answers) {
        if answer.is_ok() {
            *answer = move_unsynced(&workshop.join(name), &folder.join(name));
        }
    }
    if answers.iter().any(Result::is_ok)
        && let Err(fault) = sync_folder(folder)
    {
        spread(&fault, &mut answers);
    }
    answers
}

/// Renames a file. Neither folder is synced: only for moves that may be lost.
///
/// # Errors
/// A fault of the disk.
pub fn move_unsynced(from: &Path, to: &Path) -> Result<(), Fault> {
    try_move(from, to).map_err(|error| Fault::io("move to", to, &error))
}

/// Renames a file as [`move_unsynced`] does, for callers to whom the kind of error matters.
///
/// # Errors
/// What the operating system says.
#[expect(clippy::disallowed_methods, reason = "this is the one place that may rename")]
pub fn try_move(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Makes what was created, renamed and removed in a folder durable.
///
/// # Errors
/// A fault of the disk.
pub fn sync_folder(folder: &Path) -> Result<(), Fault> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Fault::io("sync the folder", folder, &error))
}

/// Makes a folder that only we may enter, and those above it, where they are missing.
///
/// # Errors
/// A fault of the disk.
pub fn make_folder(folder: &Path) -> Result<(), Fault> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| Fault::io("make the folder", folder, &error))?;
    sync_folder(parent(folder))
}

/// Returns the folder a path lies in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn temporary_beside(path: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, Fault> {
    let write = || {
        let name = path.file_name().unwrap_or(OsStr::new("file")).to_string_lossy();
        let mut temporary =
            tempfile::Builder::new().prefix(&format!(".{name}.")).tempfile_in(parent(path))?;
        temporary.write_all(bytes)?;
        Ok(temporary)
    };
    write().map_err(|error| Fault::io("write", path, &error))
}

fn write_plainly(workshop: &Path, (name, bytes): &NamedFile<'_>) -> Result<(), Fault> {
    let path = workshop.join(name);
    let open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    let written = open.and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| {
        let _ = fs::remove_file(&path); // room for others; a rest of it is overwritten at the next try
        Fault::io("write", &path, &error)
    })
}

fn sync_together(
    workshop: &Path,
    files: &[NamedFile<'_>],
    answers: &mut [Result<(), Fault>],
) -> Result<(), Fault> {
    if files.len() > SYNCED_ONE_BY_ONE {
        return File::open(workshop)
            .and_then(|folder| Ok(rustix::fs::syncfs(folder)?))
            .map_err(|error| Fault::io("sync the file system of", workshop, &error));
    }
    for ((name, _), answer) in files.iter().zip(answers).filter(|(_, answer)| answer.is_ok()) {
        let path = workshop.join(name);
        let synced = File::open(&path).and_then(|file| file.sync_data());
        *answer = synced.map_err(|error| Fault::io("sync", &path, &error));
    }
    Ok(())
}

/// Lets a fault of all be the answer to each that had none.
fn spread(fault: &Fault, answers: &mut [Result<(), Fault>]) {
    for answer in answers.iter_mut().filter(|answer| answer.is_ok()) {
        *answer = Err(fault.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_is_replaced_whole_is_private_and_leaves_no_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note");
        for bytes in [&b"one"[..], b"", b"a longer text"] {
            write(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
            write_unsynced(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("no/such/folder"), b"x").unwrap_err().is_transient());
    }

    #[test]
    fn a_batch_answers_for_each_file() {
        let home = tempfile::tempdir().unwrap();
        let (workshop, folder) = (home.path().join("tmp"), home.path().join("new"));
        make_folder(&workshop).unwrap();
        make_folder(&folder).unwrap();
        for count in [1, 3, 4, 40] {
            let names: Vec<_> = (0..count).map(|n| format!("{count}-{n}")).collect();
            let mut files: Vec<NamedFile<'_>> =
                names.iter().map(|name| (name.clone(), name.as_bytes())).collect();
            std::os::unix::fs::symlink("/dev/full", workshop.join(&names[0])).unwrap();
            let first_answer = &write_batch(&workshop, &folder, &files)[0];
            assert!(first_answer.as_ref().unwrap_err().what.contains("No space left"));
            files.push(("no/such/folder".into(), b"x"));
            let answers = write_batch(&workshop, &folder, &files);
            assert!(answers[..count].iter().all(Result::is_ok), "the link was removed");
            assert!(answers[count].is_err());
            assert!(names.iter().all(|n| fs::read(folder.join(n)).unwrap() == n.as_bytes()));
        }
    }
}
