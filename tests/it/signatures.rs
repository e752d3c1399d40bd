//! Signatures (DKIM) over mails that are signed here with a fresh key: which count, and that the office asks for them
//! where it matters who wrote.

use crate::office::Office as Reading;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use knightmail::{
    clock::FixedClock,
    config::Config,
    domain::{command::Command, docket::ItemKind, player::Player},
    mail::understanding::Assurance,
    mailbox::memory::MemoryMailbox,
    notices::render::Templates,
    office::{Announce, Doors, Office, Standing},
    signatures::{KnownSignatures, NoSignatures, Signatures},
    store::memory::MemoryStore,
    transport::memory::MemoryTransport,
};
use mail_auth::{
    common::{crypto::Ed25519Key, headers::HeaderWriter as _},
    dkim::DkimSigner,
};
use std::{cell::RefCell, rc::Rc};

/// A key of a domain, its record in the DNS, and how it signs.
struct Signer {
    key: Vec<u8>,
    record: String,
    domain: &'static str,
    headers: &'static [&'static str],
    part: bool,
}

impl Signer {
    fn of(domain: &'static str) -> Self {
        let key = Ed25519Key::generate_pkcs8().expect("a key");
        let public = Ed25519Key::from_pkcs8_der(&key).expect("the same").public_key();
        let record = format!("v=DKIM1; k=ed25519; p={}", STANDARD.encode(public));
        Self { key, record, domain, headers: &["From", "To", "Subject", "Date"], part: false }
    }

    fn sign(&self, mail: &str) -> String {
        let key = Ed25519Key::from_pkcs8_der(&self.key).expect("a key");
        let signer = DkimSigner::from_key(key).domain(self.domain).selector("knight");
        let signer = signer.headers(self.headers.iter().copied()).body_length(self.part);
        let signature = signer.sign(mail.as_bytes()).expect("it can be signed");
        format!("{}{mail}", signature.to_header())
    }

    fn door(&self) -> KnownSignatures {
        let name = format!("knight._domainkey.{}", self.domain);
        KnownSignatures::new([(name.as_str(), self.record.as_str())]).expect("a runtime")
    }
}

fn mail(from: &str, text: &str) -> String {
    format!(
        "From: Ann Hale <{from}>\r\nTo: knights@example.org\r\nSubject: my address\r\n\
         Date: Tue, 2 Jul 2019 10:00:00 -0400\r\nMessage-ID: <1@mail.example.org>\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    )
}

const ANN: &str = "ann@example.org";
const TEXT: &str = "My new email address is ann@example.net";

#[test]
fn a_signature_counts_as_a_whole_or_not_at_all() {
    let signer = Signer::of("example.org");
    let signed = signer.sign(&mail(ANN, TEXT));
    assert_eq!(signer.door().signed_by(signed.as_bytes()), ["example.org"]);
    let unix = signed.replace("\r\n", "\n");
    assert_eq!(signer.door().signed_by(unix.as_bytes()), ["example.org"], "from a Maildir");
    assert_eq!(NoSignatures.signed_by(signed.as_bytes()), Vec::<String>::new());

    let refused = |what: &str, signer: &Signer, mail: &str| {
        assert_eq!(signer.door().signed_by(mail.as_bytes()), Vec::<String>::new(), "{what}");
    };
    refused("unsigned", &signer, &mail(ANN, TEXT));
    refused("a changed body", &signer, &signed.replace("ann@example.net", "eve@example.net"));
    refused("a changed author", &signer, &signed.replace("Ann Hale", "Eve Hale"));
    refused("text behind it", &signer, &format!("{signed}I withdraw.\r\n"));
    refused("two authors", &signer, &format!("From: eve@example.net\r\n{signed}"));
    let part = Signer { part: true, ..Signer::of("example.org") };
    refused("a part of the body", &part, &part.sign(&mail(ANN, TEXT)));
    let whole = part.sign(&mail(ANN, TEXT));
    refused("more behind the part", &part, &format!("{whole}I withdraw.\r\n"));
    let blind = Signer { headers: &["To", "Subject"], ..Signer::of("example.org") };
    refused("the author not signed", &blind, &blind.sign(&mail(ANN, TEXT)));
    let mut testing = Signer::of("example.org");
    let tested = testing.sign(&mail(ANN, TEXT));
    assert_eq!(testing.door().signed_by(tested.as_bytes()), ["example.org"]);
    testing.record = testing.record.replace("v=DKIM1;", "v=DKIM1; t=y;");
    refused("a domain that tests", &testing, &tested);
    let other = Signer::of("example.org");
    refused("another key", &other, &signed);
    let none = Signer { domain: "example.com", ..Signer::of("example.org") };
    refused("no key", &none, &signed);
    let gone = Signer { record: "v=DKIM1; k=ed25519; p=".to_owned(), ..Signer::of("example.org") };
    refused("a key that was taken back", &gone, &signed);
    let foreign = Signer::of("example.net");
    refused("another domain", &foreign, &foreign.sign(&mail(ANN, TEXT)));
    let many = (0..9).fold(signed.clone(), |mail, _| other.sign(&mail));
    refused("behind many that are bad", &signer, &many);
}

#[test]
fn a_signature_of_the_authors_domain_makes_the_address_sure() {
    let office = Reading::new();
    let raw = mail(ANN, TEXT);
    let read = |domains: &[&str], raw: &str| {
        let domains: Vec<String> = domains.iter().map(|&d| d.to_owned()).collect();
        office.read_signed(raw.as_bytes(), &domains).sender.assurance
    };
    assert_eq!(read(&["example.org"], &raw), Assurance::Dkim);
    assert_eq!(read(&["mail.example.org"], &raw), Assurance::Dkim);
    assert_eq!(read(&["example.net", "org"], &raw), Assurance::Address);
    assert_eq!(read(&[], &raw), Assurance::Address);
    let unknown = mail("eve@example.org", TEXT);
    assert_eq!(read(&["example.org"], &unknown), Assurance::Unknown, "a domain is no person");
}

/// A door that notes what it was asked.
struct Noted(KnownSignatures, Rc<RefCell<usize>>);

impl Signatures for Noted {
    fn signed_by(&mut self, mail: &[u8]) -> Vec<String> {
        *self.1.borrow_mut() += 1;
        self.0.signed_by(mail)
    }
}

#[test]
fn the_office_asks_who_signed_where_a_known_address_is_claimed() {
    let config = Config::shipped();
    let now: DateTime<Utc> = "2019-07-02T15:00:00Z".parse().expect("an instant");
    let signer = Signer::of("example.org");
    let (mailbox, asked) = (MemoryMailbox::default(), Rc::new(RefCell::new(0)));
    let transport = MemoryTransport::default();
    let standing = Standing {
        house: config.house.clone(),
        rules: config.rules.clone(),
        jobs: std::collections::BTreeMap::new(),
        templates: Templates::shipped(),
        caps: knightmail::config::answers::Caps::default(),
        undo: chrono::Duration::minutes(30),
    };
    let doors = Doors {
        mailbox: Box::new(mailbox.clone()),
        transport: Box::new(transport.clone()),
        paper: Box::new(transport),
        store: Box::new(MemoryStore::default()),
        signatures: Box::new(Noted(signer.door(), Rc::clone(&asked))),
        clock: Box::new(FixedClock(now)),
        pulse: Box::new(|_| std::ops::ControlFlow::Continue(())),
    };
    let mut office = Office::open(standing, doors);
    let ann = Player {
        member: "12000001".into(),
        name: "Ann Hale".to_owned(),
        emails: vec![ANN.to_owned()],
        ..Player::default()
    };
    let list = Command::ListPlayers(vec![ann]);
    office.direct("roster", &[list], Announce::No).expect("the books take it");

    let mut receive = |mail: String| {
        mailbox.receive(Some(now), mail.into_bytes());
        office.pass().expect("a pass");
        let state = &office.books().state;
        let items = state.open_of_kind(ItemKind::AddressChanged);
        let lean: Vec<Option<String>> = items.map(|item| item.recommended.clone()).collect();
        (lean, state.open_questions.len())
    };
    assert_eq!(receive(mail(ANN, "My new email address is a@example.net")), (vec![None], 1));
    assert_eq!(*asked.borrow(), 0, "there is no signature to look at");
    receive(signer.sign(&mail("stranger@example.org", TEXT)));
    assert_eq!(*asked.borrow(), 0, "nobody known is claimed");
    let change = Some("change".to_owned());
    assert_eq!(receive(signer.sign(&mail(ANN, TEXT))), (vec![None, change.clone()], 1));
    let forged = signer.sign(&mail(ANN, "My new email address is b@example.net"));
    let forged = forged.replace("b@example.net", "c@example.net");
    assert_eq!(receive(forged), (vec![None, change, None], 2));
    assert_eq!(*asked.borrow(), 2);
}
