//! Moves in a sentence, and how they stand in it: alone on the line, announced (`my move is`), as the opponent's (`your
//! 14...Nf6`), thought of (`I looked at`), under a condition, as a choice or a correction. What a move means for a game,
//! `played.rs` tells.

use super::{
    Said,
    gap::{Gap, is_bracketed, letters_in},
    phrases::{Sentence, plain},
    unreadable,
};
use crate::{
    chess::notation::written::{self, Written},
    domain::points::Side,
    mail::lexicon::{self, Key, Tags},
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// Whose move a token is said to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Whose {
    /// It is not said.
    #[default]
    Open,
    /// `my 15.Bg5`.
    Mine,
    /// `your 14...Nf6`.
    Yours,
}

/// A move in a sentence.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own; any of them may be there"
)]
pub(super) struct Token {
    /// The move as it stands.
    pub(super) text: String,
    /// The number before it, or the one that words give: `on move 8 I castle`.
    pub(super) number: Option<u16>,
    /// The side by the dots of the number.
    pub(super) side: Option<Side>,
    /// Whether an equals sign behind it offers a draw.
    pub(super) offers_draw: bool,
    /// Whether it is a move only with support from elsewhere.
    pub(super) weak: bool,
    /// Whose it is.
    pub(super) whose: Whose,
    /// Whether it stands alone or behind words that announce it.
    pub(super) stands: bool,
    /// Whether it does so beyond doubt: nothing else is said beside it, or it is announced.
    pub(super) firm: bool,
    /// Whether nothing else is said beside it.
    pub(super) alone: bool,
    /// Why it is no statement, where something says so.
    pub(super) mused: Option<&'static str>,
    /// The condition under which it stands, counted over the mail.
    pub(super) condition: Option<Condition>,
    /// Whether words before it take another move back.
    pub(super) corrects: bool,
    /// Whether words behind it take it back.
    pub(super) revoked: bool,
    /// Whether it follows the token before it without a word between them.
    pub(super) follows: bool,
    /// The place of its sentence in the mail.
    pub(super) sentence: usize,
    /// Where in the sentence it stands.
    pub(super) span: Range<usize>,
    /// Whether it only stands where a move should.
    pub(super) unreadable: bool,
    /// Where its piece stands, where words say so: `with the knight from f6`.
    pub(super) from: Option<String>,
    /// The two moves it may be, written without a blank: `c4e6`.
    pub(super) halves: Option<[String; 2]>,
}

impl Token {
    /// Returns the move with its number, as a reason shows it.
    pub(super) fn shown(&self) -> String {
        let dots = if self.side == Some(Side::Black) { "..." } else { "." };
        let number = self.number.map(|number| format!("{number}{dots}")).unwrap_or_default();
        format!("{number}{}", self.text)
    }
}

/// A condition that a token stands under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// Which one of the mail.
    pub(super) number: usize,
    /// Whether any move of the opponent's meets it.
    pub(super) any: bool,
    /// Whether a word such as `if` opens it, and not one that may mean something else, such as `after`.
    pub(super) firm: bool,
}

/// Why a move in a question is none.
pub(super) const ASKED: &str = "it is asked about";

static FROM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:from|on|von|auf|de|desde|da|van|från) ([a-h][1-8])\b")
        .expect("a valid pattern")
});

/// How the words around a move are looked at: not further than this many words away.
pub(super) const NEAR: usize = 3;
/// The same for a condition: `in the case that Mr Kessler plays 9.Be3`.
const FAR: usize = 6;

static NUMBER_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    let words: Vec<String> =
        lexicon::list(Key::MoveWord).map(|(_, phrase)| regex::escape(phrase)).collect();
    let words = words.join("|");
    Regex::new(&format!(
        r"\b(?:{words})\s*(?:#|no\.?|nr\.?|n°)?\s*(\d{{1,3}})\b|\b(\d{{1,3}})\s*(?:\.|st|nd|rd|th|e|er|è|ème|º|ª|°|:e)?\s*(?:{words})\b"
    ))
    .expect("a valid pattern")
});

/// Finds the moves of a sentence.
pub(super) fn of(
    sentence: &Sentence,
    place: usize,
    said: &Said<'_>,
    conditions: &mut usize,
) -> Vec<Token> {
    let found = written::scan(&sentence.text);
    if found.iter().all(|written| written.weak) {
        let unread = unreadable::of(sentence, place).into_iter().collect::<Vec<_>>();
        if found.is_empty() || !unread.is_empty() {
            return unread;
        }
    }
    let gaps = gaps(sentence, &found);
    let alone = gaps.iter().all(|gap| is_neutral(&without_brackets(&gap.plain), said));
    let asks = sentence.question;
    let claims = sentence.tags.has(Key::DrawClaim);
    let mut reader = Reader {
        asks,
        claims,
        conditions,
        open: None,
        mused: None,
        last: false,
        quoted: false,
        past: false,
    };
    let mut tokens: Vec<Token> = Vec::with_capacity(found.len());
    for (n, written) in found.iter().enumerate() {
        reader.last = n + 1 == found.len();
        reader.quoted = is_quoted(&sentence.text, &written.span);
        reader.past = is_past(sentence.text.get(..written.span.start).unwrap_or_default());
        let mut token = reader.token(written, &gaps[n], &gaps[n + 1], n == 0);
        token.sentence = place;
        tokens.push(token);
    }
    number_from_words(sentence, &mut tokens);
    for n in 0..tokens.len() {
        // `de` and `ed` are words as well: they are moves where nothing else is said, or behind a number.
        let word = tokens[n].weak && !tokens[n].text.bytes().any(|b| b.is_ascii_digit());
        if word && gaps.iter().any(|gap| letters_in(&gap.plain) > 0) {
            tokens[n].firm = false;
            tokens[n].stands = false;
            continue;
        }
        // What stands in brackets behind a move is said beside it.
        let alone = alone && !(n > 0 && is_bracketed(&sentence.text, &tokens[n].span));
        let figures = tokens[n].text.bytes().all(|b| b.is_ascii_digit());
        if tokens[n].weak
            && figures
            && gaps.iter().any(|gap| gap.plain.bytes().any(|b| b.is_ascii_digit()))
        {
            tokens[n].firm = false;
            tokens[n].stands = false;
            continue;
        }
        tokens[n].alone = alone;
        tokens[n].firm |= alone;
        tokens[n].stands |= alone || stands(n, &tokens, &gaps, said);
    }
    tokens
}

/// Tells whether the words before a move tell of long ago, or of what is not played here.
fn is_past(before: &str) -> bool {
    if letters_in(before) < 3 {
        return false;
    }
    let around = Tags::around(&plain(before));
    around.has(Key::Past) || around.has(Key::Elsewhere)
}

/// Returns the text before, between and behind the moves of a sentence.
fn gaps(sentence: &Sentence, found: &[Written]) -> Vec<Gap> {
    let mut gaps = Vec::with_capacity(found.len() + 1);
    let mut at = 0;
    for written in found {
        gaps.push(Gap::of(sentence.text.get(at..written.span.start).unwrap_or_default()));
        at = written.span.end;
    }
    gaps.push(Gap::of(sentence.text.get(at..).unwrap_or_default()));
    gaps
}

/// Tells whether a move stands for itself: its clause begins with it, or with the moves before it, and what follows goes
/// on from there. `The book gives 15.Bg5` and `15.Bg5 would lose` are no moves, whatever their number.
fn stands(n: usize, tokens: &[Token], gaps: &[Gap], said: &Said<'_>) -> bool {
    let first = (0..=n).rev().find(|k| *k == 0 || !tokens[*k].follows).unwrap_or(0);
    let last =
        (n..tokens.len()).find(|k| !tokens.get(k + 1).is_some_and(|t| t.follows)).unwrap_or(n);
    let (left, right) = (&gaps[first], &gaps[last + 1]);
    let opens = is_neutral(left.plain.get(left.clause..).unwrap_or_default(), said);
    let rest = right.first_clause();
    let ends = is_neutral(rest, said);
    let numbered = tokens[first..=n].iter().any(|t| t.number.is_some() && !t.weak);
    let labelled = (ends || numbered && right.goes_on()) && left.is_label(said);
    (opens || labelled) && (ends || numbered && right.goes_on())
}

/// Tells whether a move stands within quotation marks with other words: somebody else's, or a title.
fn is_quoted(text: &str, span: &Range<usize>) -> bool {
    let quote =
        |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}');
    let (before, after) = (text.get(..span.start), text.get(span.end..));
    let (Some(before), Some(after)) = (before, after) else { return false };
    if before.chars().filter(|c| quote(*c)).count() % 2 == 0 {
        return false;
    }
    let inside = before.rsplit(quote).next().unwrap_or_default();
    let rest = after.split(quote).next().unwrap_or_default();
    letters_in(inside) + letters_in(rest) > 0
}

#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
struct Reader<'a> {
    /// Whether the sentence asks: then `my` announces nothing.
    asks: bool,
    /// Whether it claims a draw, which names the move that brings it about.
    claims: bool,
    conditions: &'a mut usize,
    /// The condition that holds until another one opens, or the sentence ends.
    open: Option<Condition>,
    /// Why the moves of this stretch are no statements.
    mused: Option<&'static str>,
    /// Whether no other move follows in the sentence.
    last: bool,
    /// Whether the move is in quotation marks.
    quoted: bool,
    /// Whether the words before it tell of long ago, or of elsewhere.
    past: bool,
}

/// Tells whether words announce a move whatever the sentence asks: `I play`, and not a mere `my`.
fn announced_itself(left: &Gap) -> bool {
    left.tags.all(Key::MoveMine).any(|r| r.len() > 4 && letters_in(&left.plain[r.end..]) <= NEAR)
        && !ASKS.is_match(&left.plain)
}

/// What begins a question about a move.
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:did|has|have|was|is|can|could|may|does|do|should|would|what|when|where|why|how|whether)\b")
        .expect("a valid pattern")
});

impl Reader<'_> {
    fn token(&mut self, written: &Written, left: &Gap, right: &Gap, first: bool) -> Token {
        let words = letters_in(&left.plain) > usize::from(left.tags.has(Key::MoveJoins));
        let whose = whose(left);
        let corrects = left.leads(Key::MoveCorrects, 1);
        let behind = right
            .tags
            .all(Key::MoveMine)
            .any(|range| range.len() > 4 && letters_in(&right.plain[..range.start]) <= 1);
        let said = left.leads(Key::MoveMine, NEAR) || whose == Whose::Mine || behind;
        let corrects = corrects || self.replaces(left);
        let announced = said && !self.asks || corrects || self.claims;
        self.condition(left);
        self.muse(left, right, announced, words || first);
        Token {
            text: written.text.clone(),
            number: written.number,
            side: written.side,
            offers_draw: written.offers_draw,
            weak: written.weak,
            whose,
            stands: announced,
            firm: announced,
            alone: false,
            mused: self.mused,
            condition: self.open,
            corrects: left.tags.has(Key::MoveCorrects) || corrects,
            revoked: right.tags.has(Key::MoveCorrects),
            follows: !first && !words,
            sentence: 0,
            span: written.span.clone(),
            unreadable: false,
            from: FROM.captures(&right.plain).map(|found| found[1].to_owned()),
            halves: written.split().map(|halves| halves.map(|half| half.text)),
        }
    }

    /// `Not 8.0-0 but 8.d4`: the second of them.
    fn replaces(&self, left: &Gap) -> bool {
        let but = ["but", "sondern", "sino", "mais", "ma", "maar", "utan"];
        self.mused.is_some() && but.contains(&left.plain.trim_matches([',', ' ']))
    }

    /// Opens a condition where one stands before the move.
    fn condition(&mut self, left: &Gap) {
        let polite = left.tags.has(Key::ConditionPolite);
        let any = left.last(Key::ConditionAny, NEAR);
        let far = left.last(Key::ConditionIf, FAR).filter(|_| !polite);
        // `I have the honour to castle` announces, whatever `to` means elsewhere.
        let said = left.tags.all(Key::MoveMine).any(|r| r.len() > 4 && r.end == left.plain.len());
        let opens = far.or_else(|| left.last(Key::ConditionOn, 0).filter(|_| !said));
        let offered = left.last(Key::ConditionOffered, NEAR);
        if any.is_some() || opens.is_some() || offered.is_some() {
            *self.conditions += 1;
            self.open = Some(Condition {
                number: *self.conditions,
                any: any.is_some(),
                firm: far.is_some() || offered.is_some(),
            });
        }
    }

    /// Decides whether a move is only thought of; that goes on until words announce another.
    fn muse(&mut self, left: &Gap, right: &Gap, announced: bool, words: bool) {
        let held = if self.quoted {
            Some("it stands in quotation marks")
        } else if !announced
            && !left.ends_in_colon()
            && left.leads(Key::MoveBefore, 0)
            && !left.leads(Key::MoveYours, 1)
        {
            Some("it is compared with another move")
        } else if self.asks && !announced_itself(left) && letters_in(&left.plain) > 1 {
            Some(ASKED)
        } else if self.past && !announced {
            Some("it tells of another time, or of another game")
        } else if !announced && !left.ends_in_colon() && left.leads(Key::MoveTold, 0) {
            Some("it is what somebody else says")
        } else if left.says(Key::MoveMused) {
            Some("it is thought of, or told of another time")
        } else if right.opens(Key::MoveBehind, 0) && !announced {
            Some("it tells what would be, or what was")
        } else if right.puts_off() {
            Some("it is denied, or put off")
        } else if right.hangs(self.last) {
            Some("it hangs on a condition")
        } else if left.denies() {
            Some("it is denied, or put off")
        } else {
            None
        };
        if held.is_some() || words {
            self.mused = held;
        }
    }
}

/// Tells whose move the words before it make it.
fn whose(left: &Gap) -> Whose {
    let near = |key: Key, words: usize| {
        let tags = left.tags.all(key).filter(|r| r.start >= left.clause);
        // `my grandson says`: a word as short as `my` belongs to the next one.
        let near = |r: &Range<usize>| {
            letters_in(&left.plain[r.end..]) <= if r.len() > 4 { words } else { 0 }
        };
        tags.filter(near).last()
    };
    match (near(Key::MoveYours, NEAR), near(Key::MoveMine, NEAR)) {
        // `last move:` holds `move:`; the longer phrase says whose it is.
        (Some(yours), mine) if mine.as_ref().is_none_or(|mine| mine.start < yours.end) => {
            Whose::Yours
        }
        (_, Some(_)) => Whose::Mine,
        _ => Whose::Open,
    }
}

/// Tells whether a text has nothing but names, numbers and words that say nothing.
fn is_neutral(plain: &str, said: &Said<'_>) -> bool {
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| word.chars().any(char::is_alphabetic)).all(|word| {
        word.bytes().any(|b| b.is_ascii_digit())
            || word.chars().count() == 1
            || NEUTRAL.contains(word)
            || said.is_name(word)
    })
}

static NEUTRAL: LazyLock<std::collections::BTreeSet<&'static str>> = LazyLock::new(|| {
    let keys = [
        Key::MoveNeutral,
        Key::MoveMine,
        Key::MoveYours,
        Key::MoveAgain,
        Key::MoveWord,
        Key::Clock,
        Key::Versus,
    ];
    keys.into_iter()
        .flat_map(lexicon::list)
        .flat_map(|(_, phrase)| phrase.split([' ', ':']))
        .collect()
});

fn without_brackets(text: &str) -> String {
    let (mut out, mut depth) = (String::with_capacity(text.len()), 0u32);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Gives the first move without a number the one that words give: `move 8`, `8. Zug`.
fn number_from_words(sentence: &Sentence, tokens: &mut [Token]) {
    let Some(token) = tokens.first_mut().filter(|t| t.number.is_none()) else { return };
    let before = plain(sentence.text.get(..token.span.start).unwrap_or_default());
    let found = NUMBER_WORDS.captures(&before);
    let number = found.and_then(|c| c.get(1).or_else(|| c.get(2))?.as_str().parse().ok());
    token.number = number;
}
