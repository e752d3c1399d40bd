//! A visit to the server that changes nothing there: the login, every folder, and what the server can do. `check` says by
//! it what is wrong before the first mail has to wait.

use super::{
    ImapMailbox,
    look::{DONE, keeps},
    session::{Session, Trouble, quoted},
};
use crate::fault::Fault;

impl ImapMailbox {
    /// Logs in and opens each folder. Returns what was found, in a few words.
    ///
    /// # Errors
    /// The server is out of reach, lets us not in, or has a folder not: all such folders are named.
    pub fn probe(&mut self) -> Result<String, Fault> {
        let forgets = self.line.place.done.is_none();
        let mut found = Vec::new();
        let mut missing: Vec<Fault> = Vec::new();
        for folder in &self.folders {
            let name = &folder.name;
            match self.line.run(&async |session: &mut Session| look(session, name, forgets).await) {
                Ok(words) => found.push(words),
                Err(fault) if self.line.is_open() => missing.push(fault),
                Err(fault) => return Err(fault),
            }
        }
        if let Some(first) = missing.first() {
            let what: Vec<_> = missing.iter().map(|fault| fault.what.as_str()).collect();
            return Err(Fault::passing(what.join("; "), first.remedy.as_str()));
        }
        let done = self.line.place.done.clone();
        found.push(
            self.line.run(&async |session: &mut Session| rest(session, done.as_deref()).await)?,
        );
        Ok(found.join("; "))
    }
}

/// Opens a folder. Where mail that was seen to stays, the server must remember which it is.
async fn look(session: &mut Session, name: &str, forgets: bool) -> Result<String, Trouble> {
    let selected = session.select(name).await?;
    let forgets = forgets && !keeps(selected.permanent.as_deref());
    let note = if forgets {
        format!(" (the server keeps no keyword {DONE} there: better name a folder as `done`)")
    } else {
        String::new()
    };
    Ok(format!("{name} has {} mails{note}", selected.exists))
}

/// Says where mail goes that was seen to, and how new mail is noticed.
async fn rest(session: &mut Session, done: Option<&str>) -> Result<String, Trouble> {
    let noticed = if session.can("IDLE") { "told at once (IDLE)" } else { "looked for" };
    let Some(done) = done else { return Ok(format!("new mail is {noticed}")) };
    let line = format!("STATUS {} (MESSAGES)", quoted(done));
    let is_there = session.command(&line, session.patience.answer, |_| ()).await?.ok;
    let made = if is_there { "" } else { ", which is made for the first" };
    Ok(format!("mail that was seen to goes to {done}{made}; new mail is {noticed}"))
}
