//! A reading as a page for people: what was understood and how sure that is, the board a move was read on, why, what was
//! set aside, and the text; of many mails a summary. In colour on a terminal, unless `NO_COLOR` is set.

use crate::{
    domain::{
        intent::{Doubt, Intent, Move},
        state::State,
    },
    mail::understanding::{Assurance, Class, Confidence, Sender, Understanding},
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    env,
    io::{self, IsTerminal as _},
};

/// How things are told apart on a terminal.
#[derive(Clone, Copy)]
enum Ink {
    Bold,
    Dim,
    Green,
    Yellow,
    Red,
}

/// Pages, one a mail, and what they add up to.
pub(super) struct Page<'a> {
    state: &'a State,
    colours: bool,
    mails: usize,
    classes: BTreeMap<String, usize>,
    /// How many mails of people hold an intent of a kind, by how sure the mail is.
    kinds: BTreeMap<String, BTreeMap<Confidence, usize>>,
}

impl<'a> Page<'a> {
    pub(super) fn new(state: &'a State) -> Self {
        let colours = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
        Self { state, colours, mails: 0, classes: BTreeMap::new(), kinds: BTreeMap::new() }
    }

    /// Returns how many mails were counted.
    pub(super) const fn mails(&self) -> usize {
        self.mails
    }

    /// Counts a mail for the summary.
    pub(super) fn count(&mut self, read: &Understanding) {
        self.mails += 1;
        *self.classes.entry(word(&read.class)).or_default() += 1;
        if read.class != Class::Person {
            return;
        }
        let mut kinds: Vec<&str> = read.intents.iter().map(Intent::kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            kinds.push("nothing to act on");
        }
        for kind in kinds {
            let by = self.kinds.entry(kind.to_owned()).or_default();
            *by.entry(read.confidence).or_default() += 1;
        }
    }

    /// Prints what a mail was understood to say.
    pub(super) fn print(&self, name: &str, read: &Understanding) {
        println!("{}", self.ink(Ink::Bold, name));
        println!("  from       {}", from(&read.sender));
        if !read.headers.subject.is_empty() {
            println!("  subject    {}", read.headers.subject);
        }
        if read.class != Class::Person {
            println!("  class      {}", self.ink(Ink::Bold, &word(&read.class)));
        }
        for intent in &read.intents {
            let sure = format!("{:<10}", word(&read.confidence));
            let kind = self.ink(Ink::Bold, intent.kind());
            println!("  {} {kind}: {intent}", self.ink(ink(read.confidence), &sure));
            if let Intent::Move(played) = intent {
                self.print_board(played);
            }
        }
        if read.class == Class::Person && read.intents.is_empty() {
            println!("  {}", self.ink(Ink::Red, "nothing to act on"));
        }
        if let Some(doubt) = &read.doubt {
            self.print_doubt(doubt);
        }
        if let Some(trouble) = &read.trouble {
            println!("  trouble    {}", word(trouble));
        }
        for reason in &read.reasons {
            println!("  because    {reason}");
        }
        for aside in &read.set_aside {
            println!("  {}", self.ink(Ink::Dim, &format!("set aside  {aside}")));
        }
        for line in read.text.lines() {
            println!("  | {line}");
        }
        println!();
    }

    /// Prints the board that a move was read on, from its player's side, and why it cannot be played.
    fn print_board(&self, played: &Move) {
        if let Some(fault) = &played.fault {
            println!("             {}", self.ink(Ink::Red, &fault.why));
        }
        let Some((_, game)) = self.state.game(&played.game.id()) else { return };
        if let Some(last) = game.record.last() {
            println!("             {}", self.ink(Ink::Dim, &format!("after {last}:")));
        }
        for row in game.record.position().diagram(played.side).lines() {
            println!("             {}", self.ink(Ink::Dim, row));
        }
    }

    fn print_doubt(&self, doubt: &Doubt) {
        println!("  {}", self.ink(Ink::Yellow, &format!("would ask  {}", doubt.asks)));
        for (n, option) in (1..).zip(&doubt.options) {
            println!("             {n}. {}", option.says);
        }
    }

    /// Prints what all mails add up to.
    pub(super) fn print_summary(&self) {
        let classes = self.classes.iter().map(|(class, n)| format!("{n} {class}"));
        let classes: Vec<String> = classes.collect();
        println!(
            "{}",
            self.ink(Ink::Bold, &format!("{} mails: {}", self.mails, classes.join(", ")))
        );
        if self.kinds.is_empty() {
            return;
        }
        println!("  {:<20} {:>8} {:>9} {:>7}", "what people say", "certain", "probable", "unsure");
        for (kind, by) in &self.kinds {
            let n = |sure| by.get(&sure).copied().unwrap_or(0);
            println!(
                "  {kind:<20} {:>8} {:>9} {:>7}",
                n(Confidence::Certain),
                n(Confidence::Probable),
                n(Confidence::Unsure)
            );
        }
    }

    fn ink(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => 1,
            Ink::Dim => 2,
            Ink::Green => 32,
            Ink::Yellow => 33,
            Ink::Red => 31,
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

const fn ink(confidence: Confidence) -> Ink {
    match confidence {
        Confidence::Certain => Ink::Green,
        Confidence::Probable => Ink::Yellow,
        Confidence::Unsure => Ink::Red,
    }
}

fn from(sender: &Sender) -> String {
    let address = sender.address.as_deref().unwrap_or("nobody");
    let who = if sender.name.is_empty() {
        format!("<{address}>")
    } else {
        format!("{} <{address}>", sender.name)
    };
    let known = match sender.assurance {
        Assurance::Unknown => "not known here",
        Assurance::Address => "known by the address",
        Assurance::Dkim => "known by the address, and the mail server vouches for it",
        Assurance::Token => "answers a letter that only this player got",
    };
    match &sender.player {
        Some(player) => format!("{who}, member {player}, {known}"),
        None => format!("{who}, {known}"),
    }
}

fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
