//! The doors of a home: which adapter stands behind what `knightmail.toml` names.

use crate::{
    config::{
        places::{Inbox, Outbox, SmtpPlace},
        service::Service,
    },
    fault::Fault,
    mailbox::{
        Mailbox,
        imap::{
            ImapMailbox,
            watch::{Watch, watch},
        },
        maildir::Maildir,
        pop3::Pop3Mailbox,
        several::{Inbox as Door, Several},
        spool::{self, Spool},
    },
    net::account::Account,
    signatures::{DnsSignatures, NoSignatures, Signatures},
    transport::{Transport, maildir::MaildirOut, sendmail::Sendmail, smtp::Smtp},
};
use std::path::Path;

/// Returns where mail is fetched: from all mailboxes, and from the spool of `deliver`, which is read in every home.
pub(super) fn mailbox(service: &Service, home: &Path) -> Box<dyn Mailbox> {
    let mut doors: Vec<Door> = Vec::new();
    for inbox in &service.mailboxes {
        // The keys of a Maildir are the names of its files. Those of `[mailbox]` stay as they were before there was
        // another one, so that its mails are known again.
        let prefix = if doors.is_empty() { String::new() } else { prefix(inbox) };
        doors.extend(door(inbox, service, prefix));
    }
    let spool = Box::new(Spool::of(home));
    doors.push(Door::new(String::new(), format!("{}/", spool::FOLDER), spool));
    Box::new(Several::new(doors))
}

fn prefix(inbox: &Inbox) -> String {
    match inbox {
        Inbox::Maildir(path) => format!("{}/", path.display()),
        Inbox::Imap(_) | Inbox::Pop3(_) | Inbox::Pipe => String::new(),
    }
}

/// Returns an inbox with its name; none for the pipe, whose mails come through the spool.
fn door(inbox: &Inbox, service: &Service, prefix: String) -> Option<Door> {
    let keyring = service.keyring.clone();
    let mailbox: Box<dyn Mailbox> = match inbox {
        Inbox::Maildir(path) => Box::new(Maildir::new(path)),
        Inbox::Imap(place) => Box::new(ImapMailbox::new(place.clone(), keyring)),
        Inbox::Pop3(account) => Box::new(Pop3Mailbox::new(account.clone(), keyring)),
        Inbox::Pipe => return None,
    };
    Some(Door::new(name(inbox), prefix, mailbox))
}

/// Returns an inbox's name, as the operator knows it.
fn name(inbox: &Inbox) -> String {
    let on_server = |account: &Account| match &account.login {
        Some(login) if login.user.contains('@') => format!("{} at {}", login.user, account.host),
        Some(login) => format!("{}@{}", login.user, account.host),
        None => account.host.clone(),
    };
    match inbox {
        Inbox::Maildir(path) => path.display().to_string(),
        Inbox::Imap(place) => on_server(&place.account),
        Inbox::Pop3(account) => on_server(account),
        Inbox::Pipe => spool::FOLDER.to_owned(),
    }
}

/// Lets every server that can tell us at once when mail comes; `wake` is called then.
pub(super) fn watches(
    service: &Service,
    wake: &(impl Fn() + Clone + Send + 'static),
) -> Result<Vec<Watch>, Fault> {
    let places = service.mailboxes.iter().filter_map(|inbox| match inbox {
        Inbox::Imap(place) => Some(place.clone()),
        Inbox::Maildir(_) | Inbox::Pop3(_) | Inbox::Pipe => None,
    });
    places.map(|place| watch(place, service.keyring.clone(), wake.clone())).collect()
}

/// Returns how letters leave.
pub(super) fn transport(service: &Service) -> Box<dyn Transport> {
    match &service.transport {
        Outbox::Maildir(path) => Box::new(MaildirOut::new(path)),
        Outbox::Smtp(place) => Box::new(smtp(place, service)),
        Outbox::Sendmail(program) => Box::new(Sendmail::new(program, service.address.clone())),
    }
}

/// Returns the server that takes our letters.
pub(super) fn smtp(place: &SmtpPlace, service: &Service) -> Smtp {
    let SmtpPlace { account, connections } = place.clone();
    Smtp::new(account, connections, service.keyring.clone(), service.address.clone())
}

/// Returns who tells which domains have signed a mail.
pub(super) fn signatures(service: &Service) -> Result<Box<dyn Signatures>, Fault> {
    if service.dkim_dns {
        return Ok(Box::new(DnsSignatures::system()?));
    }
    Ok(Box::new(NoSignatures))
}
