//! `forget`: erases where and how a player can be reached, and the words of his mails, from everything that is ours.
//! Results stay, and the journal still verifies: it is written anew (`store/rewriting.rs`).

mod folders;

use super::{Done, Failure, Global, home::Home};
use crate::{
    domain::{
        event::Event,
        forgotten::Forgotten,
        ids::{LetterId, MemberId},
        section::EntryState,
        state::State,
    },
    office::{
        books::{Books, LetterState},
        forgetting::{Forgetting, Trace},
    },
    store::{
        Store as _,
        files::{DaemonLock, FileStore},
        rewriting::Rewriting,
        transaction::{Cause, Transaction},
    },
};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// Erase a player's addresses and the words of his mails; his results stay
///
/// Email and postal addresses, time zone and language go from the books; the bytes of his mails, of the letters to him and
/// of whatever else tells an address of his go from the archive, the embedded mailboxes, the print folder and the views.
/// Member number and name stay, since results are published by name. The journal is written anew and verifies; a
/// transaction records who was forgotten, when and why. Copies on mail servers and in backups are not within reach.
/// Stop the daemon first. A player who still plays must be withdrawn first.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The player, by his member number
    member: MemberId,
    /// Why; it is kept in the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Also put `Member NUMBER` in the place of his name
    #[arg(long)]
    name: bool,
    /// Do it; without this it is only told what would be done
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    let _lock = DaemonLock::take(&home.dir)?;
    let mut store = FileStore::open(&home.dir)?;
    let books = home.books()?;
    let forgetting = collect(&home, &mut store, &books, args)?;
    check_reason(&args.reason, &forgetting)?;
    ready_to_go(&home, &books, &forgetting, &args.member)?;
    tell(&forgetting);
    if !args.yes {
        let what =
            "nothing was changed; the same command with --yes does it, and nothing brings it back";
        return Err(Failure::Person(what.to_owned()));
    }
    rewrite(&home, store, &forgetting, args)?;
    eprintln!(
        "Forgotten. Not within reach: copies on mail servers, in other mailboxes, and in backups."
    );
    Ok(())
}

fn collect(
    home: &Home,
    store: &mut FileStore,
    books: &Books,
    args: &Args,
) -> Result<Forgetting, Failure> {
    let Some(player) = books.state.players.get(&args.member) else {
        return Err(Failure::Person(format!("the roster has no member {}", args.member)));
    };
    let mut trace = Trace::of(args.member.clone());
    home.books_with(|transaction| trace.see(transaction))?;
    let house = &home.config.house;
    let ours: Vec<&str> = [&house.address]
        .into_iter()
        .chain(&house.director)
        .chain(&house.aliases)
        .map(String::as_str)
        .collect();
    let name = args.name.then(|| (player.name.clone(), format!("Member {}", args.member)));
    let mut forgetting = trace.end(&books.state, &ours, name);
    let mut went_well = Ok(());
    home.books_with(|transaction| {
        if went_well.is_ok() {
            went_well = forgetting.see(transaction, &mut |digest| store.fetch(digest));
        }
    })?;
    went_well?;
    Ok(forgetting)
}

/// The reason stays in the books, so it must not tell what is erased.
fn check_reason(reason: &str, forgetting: &Forgetting) -> Done {
    let reason = reason.to_ascii_lowercase();
    if forgetting.addresses.iter().any(|address| reason.contains(address.as_str())) {
        let hint = "the reason is kept: write it without the address, \"his letter of 3 May\"";
        let what = format!("--reason tells an address that is to be erased\n  hint: {hint}");
        return Err(Failure::Person(what));
    }
    Ok(())
}

/// A player who plays must be reached, and a letter that is owed must be sent.
fn ready_to_go(home: &Home, books: &Books, forgetting: &Forgetting, member: &MemberId) -> Done {
    if let Some(entry) = plays_on(&books.state, member) {
        return Err(Failure::Person(format!(
            "member {member} still plays: {entry}\n  hint: knightmail direct withdraw {member} --reason TEXT"
        )));
    }
    let waits = |letter: &&LetterId| {
        books.letter(**letter).is_some_and(|entry| entry.state == LetterState::Waiting)
    };
    if let Some(letter) = forgetting.letters.keys().find(waits) {
        let hint = how_to_send(home, books, *letter);
        return Err(Failure::Person(format!("letter {letter} waits to be sent\n  hint: {hint}")));
    }
    if let Some(mail) = folders::waiting(home, forgetting)? {
        let hint = PASS_FIRST;
        return Err(Failure::Person(format!(
            "a mail of his waits to be read: {mail}\n  hint: {hint}"
        )));
    }
    Ok(())
}

const PASS_FIRST: &str = "make a pass first: knightmail run --once";

/// Says how a letter that waits gets on its way.
fn how_to_send(home: &Home, books: &Books, letter: LetterId) -> String {
    let entry = books.letter(letter);
    if entry.is_some_and(|entry| entry.tried.is_some()) {
        return "it was tried and is tried again by itself: let knightmail run until it has gone or \
                has failed"
            .to_owned();
    }
    match entry.and_then(|entry| entry.not_before).filter(|until| *until > home.now()) {
        Some(until) => {
            let until = until.with_timezone(&home.config.house.zone).format("%H:%M");
            format!(
                "it waits until {until} so that it can be taken back; after that: knightmail run \
                 --once (the letters of an act with --at-once do not wait)"
            )
        }
        None => PASS_FIRST.to_owned(),
    }
}

fn plays_on<'a>(state: &'a State, member: &MemberId) -> Option<&'a str> {
    let mut entries = state.entries_of.get(member).into_iter().flatten();
    let goes_on = |id: &&crate::domain::ids::EntryId| {
        state.entries.get(*id).is_some_and(|entry| match entry.state {
            EntryState::Received
            | EntryState::Docket
            | EntryState::AwaitingPayment
            | EntryState::Waiting
            | EntryState::Assigned
            | EntryState::Advanced => true,
            EntryState::Refused
            | EntryState::Eliminated
            | EntryState::Finished
            | EntryState::Withdrawn
            | EntryState::CarriedForward => false,
        })
    };
    entries.find(goes_on).map(|id| id.0.as_str())
}

fn tell(forgetting: &Forgetting) {
    let (mails, letters) = (forgetting.mails.len(), forgetting.letters.len());
    eprintln!(
        "addresses: {}; mails whose bytes go: {mails}; letters: {letters}",
        forgetting.addresses.len()
    );
    for address in &forgetting.shared {
        eprintln!("{address} stays: others have it too");
    }
}

fn rewrite(home: &Home, store: FileStore, forgetting: &Forgetting, args: &Args) -> Done {
    let at = home.now();
    let record = |seq, was| {
        let forgotten = Forgotten {
            member: args.member.clone(),
            name: args.name.then(|| format!("Member {}", args.member)),
            reason: args.reason.clone(),
            was,
            mails: forgetting.mails.iter().map(ToString::to_string).collect(),
            letters: forgetting.letters.keys().copied().collect(),
        };
        let by = home.config.house.director_name.clone();
        let words = format!("forget {}", args.member);
        let events = vec![Event::PlayerForgotten(Box::new(forgotten))];
        let cause = Cause::Director { by, words, mail: None };
        Transaction { seq, at, cause, events, letters: Vec::new() }
    };
    let redact = |transaction: &Transaction| forgetting.redact(transaction);
    let erase = forgetting.digests();
    // Copies go before the books: as long as those know him, it can be done once more.
    let meanwhile = || folders::clean(home, forgetting);
    let rewriting =
        Rewriting { redact: &redact, record: &record, erase: &erase, at, meanwhile: &meanwhile };
    store.rewrite(&rewriting)?;
    Ok(())
}

/// What was erased, from the journal: `audit` does not miss it, `resend` does not send it.
#[derive(Default)]
pub(super) struct Erased {
    mails: BTreeSet<String>,
    letters: BTreeMap<LetterId, (u64, DateTime<Utc>)>,
}

impl Erased {
    /// Takes in what a transaction says.
    pub(super) fn see(&mut self, transaction: &Transaction) {
        for event in &transaction.events {
            if let Event::PlayerForgotten(forgotten) = event {
                self.mails.extend(forgotten.mails.iter().cloned());
                let by = (transaction.seq, transaction.at);
                self.letters.extend(forgotten.letters.iter().map(|letter| (*letter, by)));
            }
        }
    }

    /// Tells whether the bytes of a mail were erased.
    pub(super) fn has_mail(&self, digest: crate::digest::Digest) -> bool {
        self.mails.contains(&digest.to_string())
    }

    /// Says when and by what a letter was erased, where it was.
    pub(super) fn of_letter(&self, letter: LetterId) -> Option<String> {
        let (seq, at) = self.letters.get(&letter)?;
        Some(format!("letter {letter} was erased on {} (transaction {seq})", at.format("%Y-%m-%d")))
    }
}
