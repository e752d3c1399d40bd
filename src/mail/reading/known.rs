//! What the readers look up in the books again and again while they read one mail: the sender's sections and seats, the
//! names in them, the languages that the words of the mail show.

use super::{
    Said,
    clues::Clues,
    dictated,
    names::{self, Named, Seated, Word},
};
use crate::{
    chess::notation::Language,
    domain::{
        ids::{MemberId, Seat, SectionCode},
        section::Section,
    },
    mail::lexicon::{self, Key},
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// What was looked up so far.
#[derive(Default)]
pub(super) struct Known {
    names: RefCell<BTreeMap<SectionCode, Rc<Vec<Seated>>>>,
    clues: RefCell<BTreeMap<String, Clues>>,
    /// Whom words name, by the place where the words are kept: it stays the same while the clues are known.
    named: RefCell<BTreeMap<(usize, SectionCode), Named>>,
}

impl Said<'_> {
    /// Returns the sections in which the sender sits, or one of those who share the address, each once.
    pub(super) fn sections(&self) -> impl Iterator<Item = &Section> {
        let mut seen: Vec<&SectionCode> = Vec::new();
        let all = self.players.iter().flat_map(|player| self.desk.state.seats_of(player));
        all.map(|(section, _)| section).filter(move |section| {
            let new = !seen.contains(&&section.code);
            seen.push(&section.code);
            new
        })
    }

    /// Returns the seats of the sender in a section, or of those who share the address.
    pub(super) fn own_seats(&self, section: &Section) -> Vec<Seat> {
        let seats = section.each_seat().filter(|(seat, _)| {
            let member = self.desk.state.member_at(section, *seat);
            member.is_some_and(|member| self.players.contains(member))
        });
        seats.map(|(seat, _)| seat).collect()
    }

    /// Returns the clues of a text, which are collected once.
    pub(super) fn clues(&self, text: &str, read: impl FnOnce() -> Clues) -> Clues {
        if let Some(known) = self.known.clues.borrow().get(text) {
            return known.clone();
        }
        let clues = read();
        self.known.clues.borrow_mut().insert(text.to_owned(), clues.clone());
        clues
    }

    /// Returns whom of a section words name.
    pub(super) fn named(&self, words: &Rc<Vec<Word>>, section: &Section) -> Named {
        let key = (Rc::as_ptr(words).addr(), section.code.clone());
        if let Some(known) = self.known.named.borrow().get(&key) {
            return known.clone();
        }
        let own = self.own_seats(section);
        let named = self.with_names(section, |players| Named::of(words, players, &own));
        self.known.named.borrow_mut().insert(key, named.clone());
        named
    }

    /// Looks at the names of a section's players.
    pub(super) fn with_names<T>(&self, section: &Section, look: impl FnOnce(&[Seated]) -> T) -> T {
        let known = self.known.names.borrow().get(&section.code).cloned();
        let names = known.unwrap_or_else(|| {
            let names = Rc::new(names::seated(section, self.desk.state));
            self.known.names.borrow_mut().insert(section.code.clone(), Rc::clone(&names));
            names
        });
        look(&names)
    }

    /// Tells whether a word is a name of somebody in a section of the sender's.
    pub(super) fn is_name(&self, word: &str) -> bool {
        let words = names::words(word);
        self.sections().any(|section| {
            self.with_names(section, |players| players.iter().any(|p| p.is_called(&words)))
        })
    }

    /// Returns who else of those who share the address has put his name to the mail.
    pub(super) fn signed_by_another(&self, member: &MemberId) -> Option<&str> {
        let players = &self.desk.state.players;
        let others = self.players.iter().filter(|player| *player != member);
        let mut names = others.filter_map(|player| Some(players.get(player)?.name.as_str()));
        let own = players.get(member)?.name.split_whitespace().next()?;
        names.find(|name| {
            let first = name.split_whitespace().next().unwrap_or(name);
            first != own
                && self.sentences.iter().rev().take(3).any(|s| {
                    let text = s.text.trim_end_matches(['.', '!', ',']);
                    text == first || text == *name
                })
        })
    }

    /// Tells whether the subject says that a move is sent again.
    pub(super) fn subject_again(&self) -> bool {
        lexicon::Tags::of(&lexicon::plain(self.subject)).has(Key::MoveAgain)
    }

    /// Tells whether the subject or a sentence gives the number of a move: `15) Bg5`, `Move number: 15`, `my fifteenth`.
    pub(super) fn names_number(&self, number: u16) -> bool {
        let (digits, word) = (number.to_string(), dictated::word(number));
        let is_it = |w: &str| w == digits || word.is_some_and(|word| w.starts_with(word));
        let sentences = self.sentences.iter().map(|s| s.plain.as_str());
        let subject = lexicon::plain(self.subject);
        sentences
            .chain([subject.as_str()])
            .any(|plain| plain.split(|c: char| !c.is_alphanumeric()).any(is_it))
    }

    /// Returns the languages whose words the mail has.
    pub(super) fn languages(&self) -> Vec<Language> {
        let mut found: Vec<Language> = Vec::new();
        let shown = self.sentences.iter().flat_map(|s| {
            // What announces a move shows it as well, unless it is a word of many languages.
            let announces = s.tags.each(Key::MoveMine).filter(|tag| tag.at.len() > 5);
            s.tags.each(Key::Tongue).chain(announces)
        });
        for tag in shown {
            if let Some(language) = Language::of(tag.code).filter(|l| !found.contains(l)) {
                found.push(language);
            }
        }
        found
    }
}
