//! The moves of one record, from their first number to where they end: at a result, at the next record, or where prose
//! begins. A token among them that cannot be read ends the reading; it is never skipped, since the moves behind it would
//! then be read for the wrong side.

use super::{
    Stop,
    score::Score,
    tokens::{Kind, Token, Tokens, is_known_tag, is_unseen},
    words::{WORD, cut, glued_result, is_null, tidy, without_commands},
};
use crate::chess::{
    Move, Position, Record, Side,
    notation::{self, Language, Unread},
};

/// The most single moves of a record that are read; the longest game ever played was shorter.
pub(super) const MOVES: usize = 1000;
/// Why a word of prose could not be read.
pub(super) const NO_MOVE: &str = "it is no move";

/// What was read of one record.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) record: Record,
    pub(super) result: Option<Score>,
    pub(super) comments: Vec<(usize, String)>,
    pub(super) unread: Option<Stop>,
    /// How many moves were made when a `=` stood alone or behind a move.
    pub(super) draw_sign: Option<usize>,
    /// Where the record ends in the text.
    pub(super) end: usize,
    /// The capitals that words began with and that are piece letters in some language.
    pub(super) letters: Vec<char>,
}

/// Reads the moves that begin at a place of a text. `last_close` is where its last `}` stands.
pub(super) fn read(
    text: &str,
    at: usize,
    last_close: usize,
    start: Record,
    language: Language,
) -> Moves {
    let read = Moves {
        record: start,
        result: None,
        comments: Vec::new(),
        unread: None,
        draw_sign: None,
        end: at,
        letters: Vec::new(),
    };
    let tokens = Tokens::new(text, at, last_close);
    let mut reader = Reader { text, tokens, language, read, wrong: None, shift: None };
    reader.run();
    reader.read
}

/// Returns the first move of a game, if one begins at a place: `1. e4`.
pub(super) fn opening(text: &str, at: usize) -> Option<Move> {
    let mut tokens = Tokens::new(text, at, 0);
    let number = tokens.next()?;
    let Kind::Number(1, 0 | 1) = number.kind else { return None };
    let Kind::Word(word) = tokens.next().filter(|token| token.breaks < 2)?.kind else {
        return None;
    };
    let word = Some(tidy(word)).filter(|word| word.len() <= WORD)?;
    let read = |word: &str| notation::read(&Position::start(), word, None).ok();
    // Two moves may be glued: `1.e4e5`.
    read(word).or_else(|| word.char_indices().skip(2).find_map(|(cut, _)| read(word.get(..cut)?)))
}

struct Reader<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    language: Language,
    read: Moves,
    /// The last number, where it is not that of the next move.
    wrong: Option<String>,
    /// What the numbers are ahead of the position's, in a record that does not start at the start.
    shift: Option<i32>,
}

impl<'t> Reader<'t> {
    fn run(&mut self) {
        loop {
            let before = self.tokens.at;
            let Some(token) = self.tokens.next() else { return };
            if token.breaks > 0 && self.ends_before(&token) {
                self.tokens.at = before;
                return;
            }
            let goes_on = self.take(&token);
            if self.read.unread.is_none() {
                self.read.end = self.tokens.at;
            }
            if !goes_on {
                return;
            }
        }
    }

    /// Tells whether the record is over before a token that begins a line.
    fn ends_before(&self, token: &Token<'t>) -> bool {
        let number = match &token.kind {
            Kind::Number(number, dots) => Some((*number, *dots)),
            _ => None,
        };
        let played = !self.read.record.is_empty();
        let again = played && matches!(number, Some((1, 1))) && self.due() != 1;
        let paragraph = played && token.breaks > 1 && !self.goes_on(token, number);
        let at = token.span.start;
        again || paragraph || is_known_tag(self.text, at) || self.is_prose(at)
    }

    /// Tells whether a paragraph goes on with the moves: with the right number and no word of prose near it, a comment, a
    /// variation or a result.
    fn goes_on(&self, token: &Token<'t>, number: Option<(u16, usize)>) -> bool {
        const NEAR: usize = 8;
        match token.kind {
            Kind::Number(..) => {
                let fits = number.is_some_and(|(number, dots)| self.fits(number, dots));
                let mut tokens = self.tokens.from(token.span.start);
                let mut line = std::iter::from_fn(|| tokens.next()).take(NEAR);
                fits && line.next().is_some()
                    && !line.take_while(|t| t.breaks == 0).any(|t| self.is_prose_word(&t.kind))
            }
            Kind::Comment(_) | Kind::Variation | Kind::Result(_) | Kind::Sign => true,
            Kind::Dots | Kind::Open(_) | Kind::Equals | Kind::Word(_) => false,
        }
    }

    /// Tells whether the line that begins at a place is prose, numbers at its start set aside.
    fn is_prose(&self, at: usize) -> bool {
        let mut tokens = self.tokens.from(at);
        let first = std::iter::from_fn(|| tokens.next())
            .take(6)
            .find(|token| !matches!(token.kind, Kind::Number(..) | Kind::Dots));
        first.is_some_and(|token| self.is_prose_word(&token.kind))
    }

    fn is_prose_word(&self, kind: &Kind<'_>) -> bool {
        let Kind::Word(word) = kind else { return false };
        let word = tidy(word).trim_matches(['"', '\'', '(', ')', '*', ':', '?', '!']);
        let rule = word.len() > 1 && word.chars().all(|c| "-_=*>~#+|".contains(c));
        let letters = word.chars().all(|c| c.is_alphabetic() || "-'’.".contains(c));
        let clock = word.contains(['/', ':', '@']) && !word.contains('=');
        let greeting = word.is_empty() || word.starts_with('>');
        rule || greeting || (letters || clock) && !self.is_move(word)
    }

    /// Tells whether a word is a move in some notation, legal or not.
    fn is_move(&self, word: &str) -> bool {
        self.try_read(word) != Err(Unread::NotAMove)
    }

    fn try_read(&self, word: &str) -> Result<Move, Unread> {
        if word.len() > WORD {
            return Err(Unread::NotAMove);
        }
        notation::read(self.read.record.position(), word, Some(self.language))
    }

    /// Takes a token; returns false where the record ends with it.
    fn take(&mut self, token: &Token<'t>) -> bool {
        let ply = self.read.record.len();
        match token.kind {
            Kind::Number(number, dots) => self.number(number, dots, token),
            Kind::Comment(text) => self.comment(text),
            Kind::Dots | Kind::Variation | Kind::Sign => {}
            Kind::Equals => self.read.draw_sign = Some(ply),
            Kind::Result(score) => {
                self.read.result = score;
                self.comment_behind();
                return false;
            }
            Kind::Open(bracket) => {
                self.stop(bracket, "it has no end".to_owned(), token.span.end);
            }
            Kind::Word(word) => return self.word(word, token),
        }
        self.read.unread.is_none()
    }

    /// Takes comments behind the result: `1-0 {Black resigns}`.
    fn comment_behind(&mut self) {
        loop {
            let before = self.tokens.at;
            match self.tokens.next() {
                Some(Token { kind: Kind::Comment(text), breaks: 0 | 1, span })
                    if self.text.get(span.start..).is_some_and(|t| t.starts_with('{')) =>
                {
                    self.comment(text);
                }
                _ => {
                    self.tokens.at = before;
                    return;
                }
            }
        }
    }

    fn comment(&mut self, text: &str) {
        let text = without_commands(text);
        if !text.is_empty() {
            self.read.comments.push((self.read.record.len(), text));
        }
    }

    fn due(&self) -> i32 {
        i32::from(self.read.record.next_number()) + self.shift.unwrap_or(0)
    }

    fn fits(&self, number: u16, dots: usize) -> bool {
        i32::from(number) == self.due() && (dots < 2 || self.read.record.next_side() == Side::Black)
    }

    fn number(&mut self, number: u16, dots: usize, token: &Token<'t>) {
        let elsewhere =
            self.read.record.is_empty() && self.read.record.start() != Position::start();
        if elsewhere && self.shift.is_none() {
            self.shift = Some(i32::from(number) - i32::from(self.read.record.next_number()));
        }
        let text = self.text.get(token.span.clone()).unwrap_or_default();
        self.wrong = (!self.fits(number, dots)).then(|| text.to_owned());
    }

    /// Reads a word as one move or as two that are glued; returns false where the record ends.
    fn word(&mut self, word: &'t str, token: &Token<'t>) -> bool {
        let start = token.span.start;
        let word = self.without_next_number(word, start);
        if let Some(number) = self.wrong.take() {
            let side = if self.read.record.next_side() == Side::White { "." } else { "..." };
            let why = format!("the next move would be {}{side}", self.due());
            self.stop(&format!("{number}{}", cut(word)), why, self.tokens.at);
            return false;
        }
        if let Some((moves, end)) = self.moves_at(word, start) {
            self.tokens.at = end;
            return moves.iter().all(|it| self.play(*it, word));
        }
        if let Some((head, tail)) = glued_result(word)
            && self.moves_at(head, start).is_some()
        {
            self.tokens.at = start + head.len();
            let goes_on = self.word(head, token);
            self.tokens.at = self.tokens.at.max(start + word.len() - tail.len());
            return goes_on;
        }
        if tidy(word) == "N" && !self.square_follows() {
            return true; // the sign of a new move
        }
        self.not_a_move(word, start)
    }

    /// Tells whether the next token is a square alone, which a letter before it may belong to.
    fn square_follows(&self) -> bool {
        let next = self.tokens.clone().next();
        next.is_some_and(|token| match token.kind {
            Kind::Word(word) => tidy(word).trim_end_matches(['+', '#', '!', '?']).len() == 2,
            _ => false,
        })
    }

    /// Returns the moves that stand at a place, and where they end.
    fn moves_at(&mut self, word: &'t str, start: usize) -> Option<(Vec<Move>, usize)> {
        self.note_letter(word);
        let sign = word.ends_with('=');
        let bare = tidy(word).trim_end_matches('=');
        if word.len() > WORD || is_null(bare) {
            return None;
        }
        let whole = self.try_read(bare).ok().map(|it| (vec![it], start + word.len()));
        let found = whole.or_else(|| self.joined(word, start)).or_else(|| self.glued(word, start));
        if let Some((moves, _)) = found.as_ref().filter(|_| sign) {
            self.read.draw_sign = Some(self.read.record.len() + moves.len());
        }
        found
    }

    /// Reads a move with blanks in it: `N f3`, `e2 - e4`, `O - O`, `e8 =Q`.
    fn joined(&self, word: &'t str, start: usize) -> Option<(Vec<Move>, usize)> {
        const PIECES: usize = 5;
        let mut tokens = self.tokens.from(start + word.len());
        let mut text = word.to_owned();
        let mut longest = None;
        for _ in 1..PIECES {
            let Some(token) = tokens.next().filter(|token| token.breaks == 0) else { break };
            let piece = match token.kind {
                Kind::Word(piece) => piece,
                Kind::Sign | Kind::Equals | Kind::Number(..) => {
                    self.text.get(token.span.clone())?
                }
                _ => break,
            };
            let open = text.ends_with(['-', '–', 'x', '=', ':']) || text.chars().count() == 1;
            if !open && !piece.starts_with(['-', '–', 'x', '=', ':']) || text.len() > WORD {
                break;
            }
            text.push_str(piece);
            if let Ok(it) = self.try_read(tidy(&text)) {
                longest = Some((vec![it], token.span.end));
            }
        }
        longest
    }

    /// Reads two moves without a blank between them, `e4e5`, where only one way to part them is legal.
    fn glued(&self, word: &'t str, start: usize) -> Option<(Vec<Move>, usize)> {
        let position = self.read.record.position();
        let word = tidy(word);
        let mut found = Vec::new();
        for (cut, _) in word.char_indices().skip(2) {
            let (Some(head), Some(tail)) = (word.get(..cut), word.get(cut..)) else { continue };
            // In `Nf3Nc6` the second N is the knight's and not the sign of a new move, nor is a pawn made one.
            if head.strip_suffix('N').is_some_and(|move_| !move_.ends_with(['1', '8'])) {
                continue;
            }
            let Ok(first) = self.try_read(head) else { continue };
            let Some(next) = position.after(first) else { continue };
            if let Ok(second) = notation::read(&next, tail, Some(self.language)) {
                found.push(vec![first, second]);
            }
        }
        found.dedup();
        let only = found.len() == 1;
        found.pop().filter(|_| only).map(|moves| (moves, start + word.len()))
    }

    /// Parts a word from the next number that is glued to it: `e52.Nf3` after the first move.
    fn without_next_number(&mut self, word: &'t str, start: usize) -> &'t str {
        let Some(dot) = word.find('.').filter(|dot| dot + 1 < word.len()) else { return word };
        let due = self.due() + i32::from(self.read.record.next_side() == Side::Black);
        for number in [due.to_string(), self.due().to_string()] {
            let head = word.get(..dot).and_then(|head| head.strip_suffix(number.as_str()));
            if let Some(head) = head.filter(|head| self.is_move(head)) {
                self.tokens.at = start + head.len();
                return head;
            }
        }
        word
    }

    fn play(&mut self, it: Move, word: &str) -> bool {
        if self.read.record.len() >= MOVES {
            self.stop(word, "no game that is read is longer".to_owned(), self.tokens.at);
            return false;
        }
        self.read.record.push(it)
    }

    /// Ends the record at a word that is no legal move: in peace where it only says how the game ended, else as unread.
    fn not_a_move(&mut self, word: &str, start: usize) -> bool {
        const ENDS: [&str; 22] = [
            "white",
            "black",
            "resigns",
            "resigned",
            "draw",
            "drawn",
            "agreed",
            "remis",
            "nulle",
            "tablas",
            "patta",
            "mate",
            "checkmate",
            "stalemate",
            "weiß",
            "schwarz",
            "adjudicated",
            "your",
            "my",
            "and",
            "offer",
            "offering",
        ];
        let bare = tidy(word).trim_matches(['?', '!', '(', ')']).to_lowercase();
        if ENDS.contains(&bare.as_str()) && !self.read.record.is_empty() {
            self.tokens.at = start;
            self.read.end = self.read.end.min(start);
            return false;
        }
        let why = match self.try_read(tidy(word)) {
            _ if is_null(tidy(word)) => "a null move is no move of a game".to_owned(),
            Err(Unread::Illegal(why)) => why,
            Err(Unread::Ambiguous(moves)) => self.either(&moves),
            Err(Unread::NotAMove) | Ok(_) => NO_MOVE.to_owned(),
        };
        if why == NO_MOVE && word.len() > 1 && self.is_prose_word(&Kind::Word(word)) {
            // What follows is a sentence and not the record's.
            let (ply, token) = (self.read.record.len(), cut(word).to_owned());
            self.read.unread = Some(Stop { ply, token, why });
        } else {
            self.stop(cut(word), why, start + word.len());
        }
        false
    }

    fn either(&self, moves: &[Move]) -> String {
        let sans: Vec<String> =
            moves.iter().map(|it| self.read.record.position().san(*it)).collect();
        format!("it could be {}", sans.join(" or "))
    }

    /// Notes where the reading stops. The record goes on to the end of its paragraph where more of it follows.
    fn stop(&mut self, token: &str, why: String, behind: usize) {
        let ply = self.read.record.len();
        self.read.unread = Some(Stop { ply, token: token.to_owned(), why });
        let rest = self.text.get(behind..).unwrap_or_default();
        let mut end = behind;
        for line in rest.split_inclusive('\n') {
            let over = line.trim().is_empty()
                || is_known_tag(self.text, end)
                || self.is_prose(end)
                || opening(self.text, end).is_some();
            if over && end > behind {
                break;
            }
            end += line.len();
        }
        self.read.end =
            self.text.get(..end).map_or(behind, |text| text.trim_end().len()).max(behind);
    }

    /// Notes the piece letter that a word begins with.
    fn note_letter(&mut self, word: &str) {
        let first = word.chars().find(|c| !is_unseen(*c));
        let is_word = word.len() > 4 && word.chars().all(char::is_alphabetic);
        // O castles, and P is a pawn for everybody who writes it.
        let letter = first.filter(|c| c.is_uppercase() && !is_word && !"OОP".contains(*c));
        if let Some(letter) = letter.filter(|letter| !self.read.letters.contains(letter))
            && Language::all().any(|language| knows(language, letter))
        {
            self.read.letters.push(letter);
        }
    }
}

impl Moves {
    /// Tells whether all piece letters are those of a language.
    pub(super) fn is_in(&self, language: Language) -> bool {
        self.letters.iter().all(|letter| knows(language, *letter))
    }
}

fn knows(language: Language, letter: char) -> bool {
    language.letters().iter().any(|known| known.starts_with(letter))
}
