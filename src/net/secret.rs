//! Secrets: files of their own that systemd hands over (`LoadCredential`), or that lie in `secrets/` of the home, for the
//! owner alone. Their text never stands in the configuration, a log, an error or the journal.

use crate::{fault::Fault, store::atomic};
use secrecy::SecretString;
use std::{
    env, fs, io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
};

/// Where secrets are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyring {
    /// The home's folder of secrets.
    pub folder: PathBuf,
}

/// The folder in a home.
pub const FOLDER: &str = "secrets";

/// Reads a secret: a line of text.
///
/// # Errors
/// There is none of that name, or others than its owner may read it.
pub fn read(keyring: &Keyring, name: &str) -> Result<SecretString, Fault> {
    match credential(name) {
        Some(path) => read_file(&path),
        // The name is not told: somebody may have written the password itself in its place.
        None => match keyring.folder.join(name).try_exists() {
            Ok(true) => read_own(keyring, name),
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
                Err(Fault::io("look into", &keyring.folder, &e))
            }
            Ok(false) | Err(_) => Err(not_there(keyring)),
        },
    }
}

fn not_there(keyring: &Keyring) -> Fault {
    let folder = keyring.folder.display();
    let what = format!(
        "the secret that `secret` in knightmail.toml names is not there: no such file in {folder}/"
    );
    let remedy = "write the password into a file of that name, in one line, and chmod 600 the file, or let \
                  systemd hand it over with LoadCredential; if you wrote the password itself into \
                  knightmail.toml, put the file's name there";
    Fault::passing(what, remedy)
}

/// Reads a secret of the home, also where systemd hands over another of that name.
pub(super) fn read_own(keyring: &Keyring, name: &str) -> Result<SecretString, Fault> {
    let path = keyring.folder.join(name);
    let meta = fs::metadata(&path).map_err(|e| unreadable(&path, &e))?;
    if meta.permissions().mode() & 0o077 != 0 {
        let what = format!("others than its owner may read {}", path.display());
        return Err(Fault::passing(what, format!("chmod 600 {}", path.display())));
    }
    read_file(&path)
}

/// Reads a file that has a secret in its first line.
pub(super) fn read_file(path: &Path) -> Result<SecretString, Fault> {
    let text = fs::read_to_string(path).map_err(|e| unreadable(path, &e))?;
    let line = text.lines().next().unwrap_or_default();
    if line.trim().is_empty() {
        let what = format!("the secret {} is empty", path.display());
        return Err(Fault::passing(what, "write it into the file, in its first line"));
    }
    Ok(SecretString::from(line))
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::NotFound => {
            let what = format!("there is no secret {}", path.display());
            let remedy = "write it into that file, in one line, and chmod 600 the file; or let \
                          systemd hand it over with LoadCredential";
            Fault::passing(what, remedy)
        }
        io::ErrorKind::InvalidData => {
            let what = format!("the secret {} is no text", path.display());
            Fault::passing(what, "write it into the file as UTF-8, in one line")
        }
        _ => Fault::io("read the secret", path, error),
    }
}

/// Writes a secret into the home, whole or not at all, for the owner of the home alone.
///
/// # Errors
/// A fault of the disk, or we are somebody else.
pub(super) fn write(keyring: &Keyring, name: &str, text: &str) -> Result<(), Fault> {
    atomic::make_folder(&keyring.folder)?;
    let path = keyring.folder.join(name);
    atomic::write(&path, text.as_bytes())?;
    let home = keyring.folder.parent().filter(|home| *home != Path::new(""));
    let home = home.unwrap_or(Path::new("."));
    give(&keyring.folder, home)?;
    give(&path, home)
}

/// Gives what root has made to the owner of the home: the service does not run as root and must read it.
fn give(path: &Path, home: &Path) -> Result<(), Fault> {
    let owner = |path: &Path| fs::metadata(path).map(|meta| (meta.uid(), meta.gid()));
    let given = owner(path).and_then(|is| {
        let (uid, gid) = owner(home)?;
        if is.0 == uid { Ok(()) } else { chown(path, Some(uid), Some(gid)) }
    });
    given.map_err(|e| {
        let what = format!("{} is not the home's owner's: {e}", path.display());
        Fault::passing(what, "do it as the user that runs knightmail")
    })
}

/// Returns where a secret is: with systemd's credentials where it is one of them, else in the home.
pub fn place(keyring: &Keyring, name: &str) -> PathBuf {
    credential(name).unwrap_or_else(|| keyring.folder.join(name))
}

/// Returns the file that systemd hands over under a name.
pub(super) fn credential(name: &str) -> Option<PathBuf> {
    let path = env::var_os("CREDENTIALS_DIRECTORY").map(|dir| PathBuf::from(dir).join(name));
    path.filter(|path| path.is_file())
}
