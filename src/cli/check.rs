//! `check`: says what is wrong with a home and how to mend it, before a player finds out.

use super::{Done, Global, home::Home};
use crate::{
    config::{Config, service::MailPlace},
    fault::Fault,
    mailbox::{Mailbox as _, maildir::Maildir},
    store::files::FileStore,
};
use std::path::Path;

pub(super) fn run(global: &Global) -> Done {
    let home = Home::open(global)?;
    let config = &home.config;
    say("configuration", &format!("{} tournaments", config.rules.tournaments.len()));
    home.templates()?;
    say("templates", "all of them can be written");
    let books = home.books()?;
    say("journal", &format!("{} transactions, every checksum right", books.transactions));
    let archive = FileStore::verify(&home.dir)?.archive;
    say("archive", &format!("{} mails and letters, every digest right", archive.messages));
    probe(&home.dir.join("store"))?;
    say("store", "can be written");
    let MailPlace::Maildir(mail_in) = &config.service.mailbox;
    let waiting = Maildir::new(mail_in).waiting()?.len();
    say("mailbox", &format!("{}: {waiting} mails wait", mail_in.display()));
    let MailPlace::Maildir(mail_out) = &config.service.transport;
    probe(&mail_out.join("tmp"))?;
    say("transport", &format!("{} can be written", mail_out.display()));
    if config.house.address == Config::shipped().house.address {
        eprintln!(
            "knightmail.toml still has the names and addresses of the sample; put yours there"
        );
    }
    Ok(())
}

/// Makes sure that a file can be made in a folder; it is gone again at once.
fn probe(dir: &Path) -> Result<(), Fault> {
    tempfile::tempfile_in(dir).map(drop).map_err(|e| Fault::io("write into", dir, &e))
}

fn say(part: &str, words: &str) {
    println!("{part:<14} good: {words}");
}
