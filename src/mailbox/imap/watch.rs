//! Being told of new mail at once: IDLE (RFC 2177) on a connection and in a thread of its own. It only wakes whoever looks
//! for mail; looking goes on at its interval beside it, so that a server which never tells costs delay and nothing else.

use super::{line::Line, session::Trouble};
use crate::{
    config::places::ImapPlace, fault::Fault, mailbox::pause::Patience, net::secret::Keyring,
};
use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

/// How long one IDLE lasts: servers may end it after half an hour (RFC 2177), and some forget it sooner.
const RENEWAL: Duration = Duration::from_mins(25);

/// A watch over a mailbox. It ends when this is dropped, at the latest with the IDLE that is running.
#[must_use = "the watch ends when this is dropped"]
#[derive(Debug)]
pub struct Watch(#[expect(dead_code, reason = "dropping it is what it is for")] Sender<()>);

/// Watches over the first folder of a mailbox and calls `wake` when a new mail is there.
///
/// # Errors
/// The process cannot have another thread.
pub fn watch(
    place: ImapPlace,
    keyring: Keyring,
    wake: impl Fn() + Send + 'static,
) -> Result<Watch, Fault> {
    watch_with(place, keyring, Patience::default(), wake)
}

/// The same, with other limits of time.
///
/// # Errors
/// The process cannot have another thread.
pub fn watch_with(
    place: ImapPlace,
    keyring: Keyring,
    patience: Patience,
    wake: impl Fn() + Send + 'static,
) -> Result<Watch, Fault> {
    let (end, ended) = mpsc::channel();
    let watching = move || {
        let Some(folder) = place.folders.first().cloned() else { return };
        let mut line = Line::new(place, keyring, patience);
        let over = |pause| ended.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected);
        while !over(Duration::ZERO) {
            match line.once(&async |session| wait(session, &folder).await) {
                Ok(Heard::News) => {
                    line.worked();
                    wake();
                }
                Ok(Heard::Nothing) => line.worked(),
                Ok(Heard::Never) => return,
                // Whoever looks for mail tells of the trouble; here it only means a pause.
                Err(_) if over(line.rest()) => return,
                Err(_) => {}
            }
        }
    };
    let named = thread::Builder::new().name("imap-idle".to_owned());
    named.spawn(watching).map_err(|e| {
        Fault::passing(format!("no thread for IDLE: {e}"), "look at the limits of the process")
    })?;
    Ok(Watch(end))
}

/// What came of an IDLE.
enum Heard {
    News,
    Nothing,
    /// The server does not do IDLE.
    Never,
}

async fn wait(session: &mut super::Session, folder: &str) -> Result<Heard, Trouble> {
    if !session.can("IDLE") {
        return Ok(Heard::Never);
    }
    if session.selected.is_none() {
        session.select(folder).await?;
    }
    Ok(if session.idle(RENEWAL).await? { Heard::News } else { Heard::Nothing })
}
