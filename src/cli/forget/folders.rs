//! What lies about in the folders of the home: copies of mails and letters, printed letters, views. Mailboxes elsewhere
//! are not ours.

use super::Home;
use crate::{
    config::places::{Inbox, Outbox},
    digest::Digest,
    fault::Fault,
    mailbox::{Mailbox as _, maildir::Maildir},
    office::forgetting::Forgetting,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Returns the name of a mail that waits to be read and tells of him.
pub(super) fn waiting(home: &Home, forgetting: &Forgetting) -> Result<Option<String>, Fault> {
    for inbox in &home.config.service.mailboxes {
        let Inbox::Maildir(path) = inbox else { continue };
        let mut maildir = Maildir::new(path);
        for arrival in maildir.waiting()?.arrivals {
            let bytes = maildir.fetch(&arrival)?.unwrap_or_default();
            if forgetting.tells_mail(&bytes) {
                return Ok(Some(arrival.key));
            }
        }
    }
    Ok(None)
}

/// Removes what is to be forgotten.
pub(super) fn clean(home: &Home, forgetting: &Forgetting) -> Result<(), Fault> {
    let service = &home.config.service;
    let inboxes = service.mailboxes.iter().filter_map(|inbox| match inbox {
        Inbox::Maildir(path) => Some(path),
        _ => None,
    });
    let outbox = match &service.transport {
        Outbox::Maildir(path) => Some(path),
        _ => None,
    };
    let erased = forgetting.digests();
    for maildir in inboxes.chain(outbox) {
        for file in files(&[maildir.join("new"), maildir.join("cur")])? {
            let bytes = fs::read(&file).map_err(|e| Fault::io("read", &file, &e))?;
            if erased.contains(&Digest::of(&bytes)) || forgetting.tells_mail(&bytes) {
                remove(&file)?;
            }
        }
    }
    for file in files(&[home.dir.join("print")])? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let number = name.strip_prefix('L').and_then(|digits| digits.parse().ok());
        if number.is_some_and(|n| forgetting.letters.contains_key(&crate::domain::ids::LetterId(n)))
        {
            remove(&file)?;
        }
    }
    // The next pass writes them, without him.
    let views = home.dir.join("views");
    match fs::remove_dir_all(&views) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Fault::io("remove", &views, &e)),
        _ => Ok(()),
    }
}

fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for folder in folders {
        let Ok(listed) = fs::read_dir(folder) else { continue };
        for entry in listed {
            let path = entry.map_err(|e| Fault::io("list", folder, &e))?.path();
            if path.is_file() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn remove(file: &Path) -> Result<(), Fault> {
    fs::remove_file(file).map_err(|e| Fault::io("remove", file, &e))
}
