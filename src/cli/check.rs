//! `check`: says what is wrong with a home and how to mend it, before a player finds out. The accounts are tried for real:
//! each mailbox and the way out get a line, also where another one is out of reach.

use super::{Done, Failure, Global, doors, home::Home};
use crate::{
    config::{
        Config,
        places::{Inbox, Outbox},
        service::Service,
    },
    fault::Fault,
    limits,
    mailbox::{Mailbox as _, imap::ImapMailbox, maildir::Maildir, pop3::Pop3Mailbox},
    store::{files::FileStore, vitals},
    transport::sendmail,
};
use serde_json::json;
use std::{io::Write as _, path::Path};

pub(super) fn run(global: &Global) -> Done {
    let home = Home::open(global)?;
    let config = &home.config;
    let say = |part: &str, words: &str| say(global, part, words);
    let tournaments = match config.rules.tournaments.len() {
        1 => "1 tournament".to_owned(),
        many => format!("{many} tournaments"),
    };
    say("configuration", &tournaments);
    home.templates()?;
    say("templates", "all of them can be written");
    let books = home.books()?;
    say("journal", &format!("{} transactions, every checksum right", books.transactions));
    let archive = FileStore::verify(&home.dir)?.archive;
    let erased = match archive.erased {
        0 => String::new(),
        erased => format!("; {erased} more were erased on request"),
    };
    say("archive", &format!("{} mails and letters, every digest right{erased}", archive.messages));
    probe(&home.dir.join("store"))?;
    room(&home.dir)?;
    say("store", "can be written");
    if config.house.address == Config::shipped().house.address {
        eprintln!(
            "knightmail.toml still has the names and addresses of the sample; put yours there"
        );
    }
    accounts(global, &config.service)
}

/// Tries every account, whatever becomes of the others.
fn accounts(global: &Global, service: &Service) -> Done {
    let inboxes = service.mailboxes.iter();
    let inboxes = inboxes.map(|inbox| ("mailbox", inbox.to_string(), probe_inbox(inbox, service)));
    let outbox = || {
        let outbox = &service.transport;
        ("transport", outbox.to_string(), probe_outbox(outbox, service))
    };
    let mut all_good = true;
    for (part, place, found) in inboxes.chain(std::iter::once_with(outbox)) {
        match found {
            Ok(words) => say(global, part, &format!("{place}: {words}")),
            Err(fault) => {
                all_good = false;
                complain(global, part, &place, &fault);
            }
        }
    }
    // What is wrong has been told.
    if all_good { Ok(()) } else { Err(Failure::Person(String::new())) }
}

/// Looks into a mailbox as the daemon will, and changes nothing there. Returns what was found, in a few words.
fn probe_inbox(inbox: &Inbox, service: &Service) -> Result<String, Fault> {
    let keyring = service.keyring.clone();
    match inbox {
        Inbox::Maildir(path) => {
            probe(&path.join("cur"))?;
            let waiting = Maildir::new(path).waiting()?.arrivals.len();
            Ok(format!("{waiting} mails wait"))
        }
        Inbox::Imap(place) => ImapMailbox::new(place.clone(), keyring).probe(),
        Inbox::Pop3(account) => {
            let waiting = Pop3Mailbox::new(account.clone(), keyring).waiting()?;
            match waiting.troubles.into_iter().next() {
                Some(fault) => Err(fault),
                None => Ok(format!("{} mails wait", waiting.arrivals.len())),
            }
        }
        Inbox::Pipe => Ok("whether the mail server does so is seen with the first mail".to_owned()),
    }
}

/// Goes as far as a letter to the director would, and takes it back.
fn probe_outbox(outbox: &Outbox, service: &Service) -> Result<String, Fault> {
    match outbox {
        Outbox::Maildir(path) => {
            probe(&path.join("tmp"))?;
            Ok("can be written".to_owned())
        }
        Outbox::Smtp(place) => {
            let director = service.director.first().unwrap_or(&service.address);
            doors::smtp(place, service).probe(director)?;
            Ok(format!("a letter from {} to {director} would be taken", service.address))
        }
        Outbox::Sendmail(program) => {
            sendmail::probe(program)?;
            Ok("it is there and can be run".to_owned())
        }
    }
}

/// Bytes that a probe writes: a full disk still makes files, and takes nothing into them.
static PROBE: [u8; 64 * 1024] = [0; 64 * 1024];

/// Makes sure that a file of some size can be written in a folder; it is gone again at once.
fn probe(dir: &Path) -> Result<(), Fault> {
    let write = || {
        let mut file = tempfile::tempfile_in(dir)?;
        file.write_all(&PROBE)?;
        file.sync_all()
    };
    write().map_err(|e| Fault::io("write into", dir, &e))
}

/// Makes sure that the disk has room for some time.
fn room(home: &Path) -> Result<(), Fault> {
    let free = vitals::free_bytes(home)?;
    if free >= limits::DISK_FREE_BYTES {
        return Ok(());
    }
    let (has, needs) = (free / 1_000_000, limits::DISK_FREE_BYTES / 1_000_000);
    Err(Fault::passing(
        format!("the disk has {has} MB free"),
        format!("make room: the books need {needs} MB at least"),
    ))
}

fn say(global: &Global, part: &str, words: &str) {
    if global.json {
        println!("{}", json!({"part": part, "good": true, "words": words}));
    } else {
        println!("{part:<14} good: {words}");
    }
}

fn complain(global: &Global, part: &str, place: &str, fault: &Fault) {
    let Fault { what, remedy, .. } = fault;
    if global.json {
        let words = format!("{place}: {what}");
        println!("{}", json!({"part": part, "good": false, "words": words, "remedy": remedy}));
    }
    eprintln!("{part:<14} bad: {place}: {fault}");
}
