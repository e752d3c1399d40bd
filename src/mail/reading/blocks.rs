//! Blocks: the moves of a mail in pieces that belong to one game each, with the clues that govern them. A line that names
//! a game governs the lines below it; names between the moves of one sentence part it in two.

use super::{
    Said, clock,
    game::Clues,
    phrases::Sentence,
    tokens::{self, Token},
};
use crate::mail::lexicon::{Key, Tags};

/// Moves that belong to one game.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The clues that govern it, the nearest first.
    pub(super) clues: Vec<Clues>,
    /// Names in the greeting and in passing, which tell a game where nothing else does.
    pub(super) passing: Vec<Clues>,
    /// Its moves.
    pub(super) tokens: Vec<Token>,
    /// Whether its sentences, or the subject, say that a move is sent again.
    pub(super) again: bool,
    /// Whether a sentence behind it makes it hang on something, or takes it back: `If that is still allowed.`
    pub(super) hung: bool,
}

impl Block {
    /// Takes the moves of a block that belongs to the same game.
    pub(super) fn take(&mut self, other: Self) {
        self.tokens.extend(other.tokens);
        self.hung |= other.hung;
        self.again |= other.again;
    }

    /// Returns its sentences as blocks of their own, where there are several.
    pub(super) fn apart(&self) -> Option<Vec<Self>> {
        let mut parts: Vec<Self> = Vec::new();
        for token in &self.tokens {
            match parts.last_mut() {
                Some(part) if part.tokens[0].sentence == token.sentence => {
                    part.tokens.push(token.clone());
                }
                _ => parts.push(Self {
                    clues: self.clues.clone(),
                    passing: self.passing.clone(),
                    tokens: vec![token.clone()],
                    again: self.again,
                    hung: self.hung,
                }),
            }
        }
        (parts.len() > 1).then_some(parts)
    }
}

/// Finds the blocks of a mail. Lines about times are told of in `notes`.
pub(super) fn of(said: &Said<'_>, notes: &mut Vec<String>) -> Vec<Block> {
    let mut writer = Writer::new(said);
    for (place, sentence) in said.sentences.iter().enumerate() {
        writer.sentence(place, sentence, notes);
    }
    writer.blocks
}

/// Returns the clues that govern each sentence of a mail, the nearest first.
pub(super) fn governing(said: &Said<'_>) -> Vec<Vec<Clues>> {
    let mut writer = Writer::new(said);
    let mut notes = Vec::new();
    let mut governing = Vec::with_capacity(said.sentences.len());
    for (place, sentence) in said.sentences.iter().enumerate() {
        let own = Clues::of(&sentence.text, said);
        let named = names(&own, said);
        let mut clues = Vec::new();
        if named || !own.sections.is_empty() {
            clues.push(own);
        }
        if !named {
            clues.extend(writer.game.clone());
        }
        clues.extend([writer.section.clone(), writer.subject.clone()]);
        clues.extend(writer.passing.iter().cloned());
        governing.push(clues);
        writer.sentence(place, sentence, &mut notes);
    }
    governing
}

struct Writer<'a> {
    said: &'a Said<'a>,
    blocks: Vec<Block>,
    subject: Clues,
    /// The section that governs, by a line that names it.
    section: Clues,
    /// The game that governs, by a line that names it.
    game: Option<Clues>,
    passing: Vec<Clues>,
    /// What the fields `White` and `Black` say.
    white: Option<String>,
    black: Option<String>,
    conditions: usize,
    /// Whether the block is open for the next line.
    open: bool,
}

impl<'a> Writer<'a> {
    fn new(said: &'a Said<'a>) -> Self {
        let passing = said.sentences.iter().filter(|s| is_greeting(s) || s.text.len() <= 60);
        let passing = passing.map(|s| Clues::of(&s.text, said)).filter(Clues::is_bare).collect();
        Self {
            said,
            blocks: Vec::new(),
            subject: Clues::of(said.subject, said),
            section: Clues::default(),
            game: None,
            passing,
            white: None,
            black: None,
            conditions: 0,
            open: false,
        }
    }

    fn sentence(&mut self, place: usize, sentence: &Sentence, notes: &mut Vec<String>) {
        let own = Clues::of(&sentence.text, self.said);
        let mut found = tokens::of(sentence, place, self.said, &mut self.conditions);
        if clock::is_clock(sentence) {
            found.retain(|token| !token.weak || token.number.is_some() || token.stands);
            let text = super::phrases::short(&sentence.text);
            notes.push(format!("`{text}` tells times; they are no moves."));
        }
        let subject = self.said.own_subject && place == 0;
        if found.is_empty() && clock::is_clock(sentence) && own.sections.is_empty() {
            return; // `Player 1 time usage: 4/19` names no seat
        }
        if found.is_empty() {
            if let Some(block) = self.blocks.last_mut() {
                block.hung |= hangs(sentence);
            }
            if !subject {
                self.govern(sentence, own);
            }
            return;
        }
        let again = sentence.tags.has(Key::MoveAgain);
        let parts = parts(sentence, found, self.said);
        let several = parts.len() > 1;
        for (near, tokens) in parts {
            self.part(&own, near, tokens, several, again);
        }
        if subject {
            self.open = false;
        } else if own.sections.len() == 1 && !several {
            self.section = only_section(&own);
            self.game = names(&own, self.said).then_some(own);
        }
    }

    /// Lets a line without a move govern the lines below it.
    fn govern(&mut self, sentence: &Sentence, own: Clues) {
        if let Some((name @ ("white" | "black"), value)) = sentence.field() {
            return self.colour(name, value);
        }
        // `Player 1 time usage: 4/19` names no opponent.
        if own.sections.is_empty() && clock::is_clock(sentence) {
            return;
        }
        let short = sentence.text.len() <= 80 && !is_greeting(sentence);
        let named = names(&own, self.said);
        if own.sections.len() == 1 {
            self.section = only_section(&own);
            self.game = named.then_some(own);
            self.open = false;
        } else if named && short && !own.is_bare() || named && is_label(sentence) {
            self.game = Some(own);
            self.open = false;
        }
    }

    /// Takes `White: 1` and `Black: Ortiz` as the two of a game.
    fn colour(&mut self, name: &str, value: &str) {
        let value = value.trim_end_matches('.').to_owned();
        match name {
            "white" => self.white = Some(value),
            _ => self.black = Some(value),
        }
        let (Some(white), Some(black)) = (&self.white, &self.black) else { return };
        let seat = |text: &str| text.trim_start_matches(['#', ' ']).parse::<u8>().is_ok();
        let pair = if seat(white) && seat(black) {
            format!("seats {}-{}", white.trim_start_matches('#'), black.trim_start_matches('#'))
        } else {
            // In the small letters of a field, a name is one only behind a word that says so.
            format!("against {white} against {black}")
        };
        let clues = Clues::of(&pair, self.said);
        self.game = names(&clues, self.said).then_some(clues);
        self.open = false;
    }

    fn part(
        &mut self,
        own: &Clues,
        near: Option<Clues>,
        tokens: Vec<Token>,
        several: bool,
        again: bool,
    ) {
        let mut clues: Vec<Clues> = near.into_iter().collect();
        if several {
            clues.push(only_section(own));
        } else if clues.is_empty() && (names(own, self.said) || !own.sections.is_empty()) {
            clues.push(own.clone());
        }
        let tells = !clues.is_empty() && clues.iter().any(|c| names(c, self.said) || !c.is_bare());
        if let (true, false, Some(block)) = (self.open, tells, self.blocks.last_mut()) {
            block.tokens.extend(tokens);
            block.again |= again;
            return;
        }
        if !clues.iter().any(|c| names(c, self.said)) {
            clues.extend(self.game.clone());
        }
        clues.push(self.section.clone());
        clues.push(self.subject.clone());
        let again = again || self.said.subject_again();
        self.blocks.push(Block {
            clues,
            passing: self.passing.clone(),
            tokens,
            again,
            hung: false,
        });
        self.open = true;
    }
}

/// Parts the moves of a sentence where names between them tell that they are of different games.
fn parts(
    sentence: &Sentence,
    tokens: Vec<Token>,
    said: &Said<'_>,
) -> Vec<(Option<Clues>, Vec<Token>)> {
    let text = &sentence.text;
    let clues = |from: usize, to: usize| {
        let clues = Clues::of(text.get(from..to).unwrap_or_default(), said);
        (names(&clues, said) || !clues.sections.is_empty()).then_some(clues)
    };
    if tokens.len() < 2 {
        return vec![(None, tokens)];
    }
    let ends: Vec<(usize, usize)> = tokens.iter().map(|t| (t.span.start, t.span.end)).collect();
    let mut before: Vec<Option<Clues>> = Vec::new();
    let mut at = 0;
    for (start, end) in &ends {
        before.push(clues(at, *start));
        at = *end;
    }
    let behind = clues(at, text.len());
    // `Bg5 against Rosa and dxc4 against Theo`: the names stand behind the moves.
    if before[0].is_none() && behind.is_some() && before[1..].iter().any(Option::is_some) {
        before.remove(0);
        before.push(behind);
    } else if before.iter().filter(|c| c.is_some()).count() < 2 {
        return vec![(None, tokens)];
    }
    let mut parts: Vec<(Option<Clues>, Vec<Token>)> = Vec::new();
    for (token, near) in tokens.into_iter().zip(before) {
        match parts.last_mut() {
            Some((_, part)) if near.is_none() => part.push(token),
            _ => parts.push((near, vec![token])),
        }
    }
    parts
}

/// Tells whether clues name a player or seats.
pub(super) fn names(clues: &Clues, said: &Said<'_>) -> bool {
    clues.pair.is_some()
        || clues.seat.is_some()
        || said.sections().any(|section| {
            let own = said.own_seats(section);
            let named = clues.names(section, said);
            named.seats.iter().chain(&named.either).any(|seat| !own.contains(seat))
        })
}

fn only_section(clues: &Clues) -> Clues {
    Clues { sections: clues.sections.clone(), ..Clues::default() }
}

/// `Dear Rosa,`: whom the mail is written to, which need not be whom it is about.
fn is_greeting(sentence: &Sentence) -> bool {
    sentence.text.len() <= 40
        && sentence.text.ends_with([',', '!', ':'])
        && !sentence.tags.has(Key::Versus)
}

/// Tells whether a sentence without a move makes the move before it hang on something, or takes it back.
fn hangs(sentence: &Sentence) -> bool {
    const ABOUT: [&str; 7] = ["that", "it", "this", "allowed", "legal", "possible", "you agree"];
    let about = || ABOUT.iter().any(|word| super::phrases::has(&sentence.plain, word));
    let begins = sentence.tags.all(Key::ConditionIf).any(|range| range.start <= 5);
    let short = sentence.plain.len() <= 60;
    begins && short && about() && !sentence.tags.has(Key::ConditionPolite)
        || Tags::around(&sentence.plain).has(Key::TakenBack)
}

/// `Opponent: Rosa Ortiz`, `Against Rosa`: a line that is there to name the game.
fn is_label(sentence: &Sentence) -> bool {
    sentence.text.len() <= 60
        && (sentence.field().is_some()
            || sentence.tags.first(Key::Versus).is_some_and(|r| r.start < 16))
}
