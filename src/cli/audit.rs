//! `audit`: the accounts. Every mail received has exactly one outcome, every letter owed is sent, waiting, failed or
//! printed, the archive has the bytes of both, and money and seats add up.

use super::{Done, Failure, Global, forget::Erased, home::Home};
use crate::{
    digest::Digest,
    office::{
        accounts,
        books::{Books, LetterState},
    },
    store::{
        Store as _,
        transaction::{Cause, MailOutcome, Transaction},
    },
};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

/// What the journal says of mails, counted on the way.
#[derive(Default)]
struct Mails {
    received: u64,
    by_outcome: BTreeMap<MailOutcome, u64>,
    decided: HashSet<Digest>,
    problems: Vec<String>,
    erased: Erased,
}

impl Mails {
    fn count(&mut self, transaction: &Transaction) {
        self.erased.see(transaction);
        let Cause::Mail(mail) = &transaction.cause else { return };
        self.received += 1;
        *self.by_outcome.entry(mail.outcome).or_default() += 1;
        let copy = mail.outcome == MailOutcome::Duplicate;
        if !self.decided.insert(mail.digest) && !copy {
            let seq = transaction.seq;
            self.problems.push(format!("mail {} has a second outcome in {seq}", mail.digest));
        }
    }

    fn of(&self, outcome: MailOutcome) -> u64 {
        self.by_outcome.get(&outcome).copied().unwrap_or(0)
    }
}

pub(super) fn run(global: &Global) -> Done {
    let home = Home::open(global)?;
    let mut mails = Mails::default();
    let books = home.books_with(|transaction| mails.count(transaction))?;
    let mut problems = std::mem::take(&mut mails.problems);
    problems.extend(missing_bytes(&home, &mails, &books)?);
    problems.extend(accounts::problems(&home.config.rules, &books.state));
    let state = |state| books.letters().filter(|(_, l)| l.state == state).count();
    let letters = json!({
        // What was taken back before it left is owed to nobody.
        "owed": books.letters().filter(|(_, l)| l.state != LetterState::TakenBack).count(),
        "sent": state(LetterState::Sent),
        "waiting": state(LetterState::Waiting),
        "failed": state(LetterState::Failed) + state(LetterState::Bounced),
        "printed": state(LetterState::Printed),
    });
    let mails = json!({
        "received": mails.received,
        "acted": mails.of(MailOutcome::Acted),
        "held": mails.of(MailOutcome::Held),
        "ignored": mails.of(MailOutcome::Ignored),
        "duplicate": mails.of(MailOutcome::Duplicate),
    });
    let ok = problems.is_empty();
    if global.json {
        let audit = json!({ "mails": mails, "letters": letters, "ok": ok, "problems": problems });
        println!("{audit}");
    } else {
        println!("mails    {}", line(&mails));
        println!("letters  {}", line(&letters));
        println!("{} transactions, every checksum right", books.transactions);
    }
    if ok { Ok(()) } else { Err(Failure::Person(problems.join("\n"))) }
}

fn line(counts: &serde_json::Value) -> String {
    let pairs = counts.as_object().into_iter().flatten();
    pairs.map(|(key, count)| format!("{key} {count}")).collect::<Vec<_>>().join(", ")
}

/// The archive has every mail and every letter, and each has its digest.
fn missing_bytes(home: &Home, mails: &Mails, books: &Books) -> Result<Vec<String>, Failure> {
    let mut store = home.reader()?;
    let mut problems = Vec::new();
    let erased = &mails.erased;
    let letters = books.letters().map(|(id, letter)| {
        (format!("letter {id}"), letter.digest, erased.of_letter(id).is_some())
    });
    let of_mail = |digest: &Digest| ("mail".to_owned(), *digest, erased.has_mail(*digest));
    for (what, digest, erased) in letters.chain(mails.decided.iter().map(of_mail)) {
        match store.fetch(digest)? {
            None if !erased => {
                problems.push(format!("the archive does not have {what} ({digest})"));
            }
            Some(_) if erased => {
                problems.push(format!("the archive still has {what} ({digest}), which was erased"));
            }
            _ => {}
        }
    }
    Ok(problems)
}
