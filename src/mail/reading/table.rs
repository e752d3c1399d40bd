//! A player's games of a section as a list: an opponent and an outcome a line (`Ortiz - won`, `vs Lund 1/2`), or all in
//! one line (`Ortiz 1, Keating 1, Müller 0. Total 2 points`). The outcomes are the sender's; a total that is given must
//! be right.
//!
//! A bare row of outcomes (`all my games are done: W W D L W forfeit`) and a row of a crosstable are read in the order of
//! the seats, and shown to the director: nobody says that this order is meant. Other statements: `grammar.rs`.

use super::{
    Found, Said,
    game::Clues,
    meant,
    phrases::{Sentence, folded, plain, short},
};
use crate::{
    domain::{
        event::Trouble,
        ids::Seat,
        intent::{Game, Intent},
        points::{How, Score, Side},
        section::Section,
    },
    mail::{
        lexicon::{self, Key, Word},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

/// What the sender has got in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Got {
    Half(u8),
    /// A win or loss without play, which is a claim.
    Forfeit,
}

/// The sender's place in a section.
struct Place<'a> {
    section: &'a Section,
    seat: Seat,
}

static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"(\d{1,2})( ?1/2|[.,]5)?";
    Regex::new(&format!(
        r"(?:total|sum|score|gesamt|summe|insgesamt|totaal|totale)[ :=]+{number}|{number} (?:points?|pts|punkte|puntos|punti|punten|poäng)\b"
    ))
    .expect("a valid pattern")
});

/// Reads a list. Returns which sentences belong to it: they say nothing else.
pub(super) fn read(
    sentences: &[Sentence],
    own: &[Clues],
    wider: [&Clues; 2],
    said: &Said<'_>,
    found: &mut Found,
) -> Vec<usize> {
    let Some(place) = place(own, wider, said) else { return Vec::new() };
    if let Some(row) = row(sentences, &place, said, found) {
        return vec![row];
    }
    let mut items: Vec<(Seat, Got)> = Vec::new();
    let mut taken = Vec::new();
    for (n, sentence) in sentences.iter().enumerate() {
        if sentence.question {
            continue;
        }
        let Some(more) = items_of(sentence, &place, said) else { return Vec::new() };
        if !more.is_empty() {
            taken.push(n);
            items.extend(more);
        }
    }
    let seats: Vec<Seat> = items.iter().map(|(seat, _)| *seat).collect();
    let twice = seats.iter().enumerate().any(|(n, seat)| seats[..n].contains(seat));
    let in_words = taken.iter().all(|n| ends_in_word(&sentences[*n].plain));
    let headed = in_words
        || sentences.iter().any(|s| s.tags.has(Key::ListHeader))
        || crate::mail::lexicon::Tags::of(&plain(said.subject)).has(Key::ListHeader);
    if items.len() < 2 || twice || !headed {
        return Vec::new();
    }
    let total = sentences.iter().enumerate().find_map(|(n, s)| Some((n, total(&s.plain)?)));
    if let Some((n, total)) = total {
        taken.push(n);
        let sum: u8 =
            items.iter().map(|(_, got)| if let Got::Half(h) = got { *h } else { 0 }).sum();
        if sum != total {
            let reason = "The points in the list do not add up to the total it gives.".to_owned();
            found.trouble(Trouble::GameUnclear, reason);
        }
    }
    let reason = format!("A list of the sender's games in {}.", place.section.code);
    add(&items, &place, &reason, found);
    taken
}

/// Finds the section that the mail is about, and the sender's seat in it; none where either is open.
fn place<'a>(own: &[Clues], wider: [&Clues; 2], said: &Said<'a>) -> Option<Place<'a>> {
    let mut codes = own.iter().chain(wider).flat_map(|clues| &clues.sections);
    let thread = said.about.and_then(|about| about.section.as_ref());
    let code = codes.next().or(thread)?;
    if codes.any(|other| other != code) {
        return None;
    }
    let section = said.desk.state.sections.get(code)?;
    let mut seats = section.each_seat().filter(|(seat, _)| {
        said.desk.state.member_at(section, *seat).is_some_and(|m| said.players.contains(m))
    });
    let (seat, _) = seats.next()?;
    seats.next().is_none().then_some(Place { section, seat })
}

/// Returns the opponents and outcomes of a sentence; none at all where it is a list of something else.
fn items_of(sentence: &Sentence, place: &Place<'_>, said: &Said<'_>) -> Option<Vec<(Seat, Got)>> {
    // `My results in 19N04: Ortiz 1, Lund 0`.
    let headed = sentence.tags.has(Key::ListHeader).then(|| sentence.text.split_once(": "));
    let text = headed.flatten().map_or(sentence.text.as_str(), |(_, list)| list);
    let pieces: Vec<&str> = text.split([',', ';']).flat_map(at_dots).map(str::trim).collect();
    let mut items = Vec::new();
    let mut others = 0;
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        match item(piece, place, said) {
            Some((seat, _)) if seat == place.seat => return None,
            Some(item) => items.push(item),
            None => others += usize::from(total(&plain(piece)).is_none()),
        }
    }
    // `Ortiz 1, Vance 0` is rather a game of theirs.
    let pair = items.len() == 2 && pieces.len() == 2 && !sentence.tags.has(Key::ListHeader);
    let fits = others == 0 || items.len() == 1 && others == 1;
    Some(if fits && !pair { items } else { Vec::new() })
}

/// Splits at dots, but not behind an initial: `vs P. Vance won`.
fn at_dots(piece: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in piece.match_indices(". ") {
        let last = piece[start..at].rsplit([' ', '.']).next().unwrap_or_default();
        if last.chars().nth(1).is_some() {
            parts.push(&piece[start..at]);
            start = at + 2;
        }
    }
    parts.push(&piece[start..]);
    parts
}

/// Reads `Ortiz - won`, `vs. Lund: 1/2`, `#3 0`.
fn item(piece: &str, place: &Place<'_>, said: &Said<'_>) -> Option<(Seat, Got)> {
    let piece = piece.trim_end_matches(['.', '!']);
    let signs = [": ", " - ", " – ", " — ", " = "];
    let (who, value) = if let Some((who, value)) = signs.iter().find_map(|s| piece.rsplit_once(s)) {
        (who, got(&plain(value))?)
    } else {
        let (who, value) = piece.rsplit_once([' ', '\t', ':'])?;
        let word = plain(value);
        // `vs Lund won`, and words in columns, are no sentences: `Lund won` is one.
        let first = plain(who.split_whitespace().next()?);
        let listed = who.ends_with([' ', '\t'])
            || lexicon::list(Key::Versus).any(|(_, phrase)| folded(phrase) == folded(&first));
        (who, got(&word).filter(|_| listed || !word.starts_with(char::is_alphabetic))?)
    };
    let who = who.trim_start_matches(['-', '*', '•', ' ']);
    let words = who.split_whitespace().count();
    let clues = Clues::of(who, said);
    let named = clues.named(place.section, said);
    let seat = match named[..] {
        [one] => one,
        [] => clues.seat.filter(|_| words == 1)?,
        _ => return None,
    };
    let known = meant::is_familiar(&Sentence::of(who), 0..plain(who).len(), said);
    (words <= 4 && known && place.section.seated(seat).is_some()).then_some((seat, value))
}

fn got(value: &str) -> Option<Got> {
    match value.trim() {
        "1" | "+" => Some(Got::Half(2)),
        "0" => Some(Got::Half(0)),
        "1/2" | ".5" | "0.5" | "0,5" | "=" => Some(Got::Half(1)),
        word => match lexicon::number(Word::Outcome, word)? {
            1 => Some(Got::Half(2)),
            2 => Some(Got::Half(0)),
            3 => Some(Got::Half(1)),
            _ => Some(Got::Forfeit),
        },
    }
}

fn ends_in_word(plain: &str) -> bool {
    plain.trim_end_matches(['.', '!']).ends_with(char::is_alphabetic)
}

/// Tells whether a line ends in an outcome: it may be one of a list, and goes on no sentence.
pub(super) fn ends_in_outcome(line: &str) -> bool {
    let plain = plain(line);
    let last = plain.trim_end_matches(['.', '!']).rsplit([' ', ':', '-']).next();
    plain.contains(' ') && last.is_some_and(|word| got(word).is_some())
}

/// Returns a total in half points.
fn total(plain: &str) -> Option<u8> {
    let found = TOTAL.captures(plain)?;
    let (whole, half) = match (found.get(1), found.get(3)) {
        (Some(whole), _) => (whole, found.get(2)),
        (None, whole) => (whole?, found.get(4)),
    };
    let whole: u8 = whole.as_str().parse().ok()?;
    Some(2 * whole + u8::from(half.is_some()))
}

/// Reads a bare row of outcomes, or a row of a crosstable. Returns its sentence.
fn row(
    sentences: &[Sentence],
    place: &Place<'_>,
    said: &Said<'_>,
    found: &mut Found,
) -> Option<usize> {
    let cell = |word: &&str| got(word).is_some() || matches!(*word, "x" | "*" | "-" | "?" | ".");
    for (n, sentence) in sentences.iter().enumerate() {
        let words: Vec<&str> =
            sentence.plain.split([' ', ',', '/', ';']).filter(|w| !w.is_empty()).collect();
        // A total may stand behind the row.
        let behind = words.iter().rev().take_while(|word| !cell(word)).count();
        let cells: Vec<&str> =
            words.iter().rev().skip(behind.min(1)).take_while(|w| cell(w)).copied().collect();
        if cells.len() < 4 || behind > 1 || sentence.question {
            continue;
        }
        let before = &words[..words.len() - cells.len() - behind.min(1)];
        let head = before.last().copied().unwrap_or_default();
        let of_sender = said.name.split(' ').any(|name| folded(name) == folded(head));
        if !of_sender && !sentence.tags.has(Key::ListHeader) {
            continue;
        }
        let cells: Vec<&str> = cells.into_iter().rev().collect();
        let quoted = short(&sentence.text);
        let Some(items) = in_order(&cells, place) else {
            let reason = format!("`{quoted}` does not fit the number of the sender's games.");
            found.trouble(Trouble::GameUnclear, reason);
            return Some(n);
        };
        let reason = format!("`{quoted}` is read in the order of the seats.");
        add(&items, place, &reason, found);
        found.trouble(
            Trouble::ForDirector,
            "Whether that order is meant, a person sees.".to_owned(),
        );
        return Some(n);
    }
    None
}

/// Gives each opponent his cell; the sender's own may be marked or left out.
fn in_order(cells: &[&str], place: &Place<'_>) -> Option<Vec<(Seat, Got)>> {
    let seats: Vec<Seat> = place.section.each_seat().map(|(seat, _)| seat).collect();
    let own = seats.iter().position(|seat| *seat == place.seat)?;
    let mut cells = cells.to_vec();
    if cells.len() >= seats.len() && got(cells[own]).is_none() {
        cells.remove(own);
    }
    let others = seats.into_iter().filter(|seat| *seat != place.seat);
    let played = others.clone().zip(&cells).filter_map(|(seat, cell)| Some((seat, got(cell)?)));
    // One cell more is the total.
    let count = others.count();
    (cells.len() == count || cells.len() == count + 1).then(|| played.collect())
}

fn add(items: &[(Seat, Got)], place: &Place<'_>, reason: &str, found: &mut Found) {
    let Place { section, seat: own } = place;
    for (seat, got) in items {
        let Some(played) = section.games_between(*own, *seat).next() else { continue };
        let game = Game { section: section.code.clone(), white: played.white, black: played.black };
        let side = if played.white == *own { Side::White } else { Side::Black };
        let intent = match got {
            Got::Half(halves) => {
                let result = match halves {
                    2 => Score::win(side),
                    0 => Score::win(side.other()),
                    _ => Score::Draw,
                };
                Intent::Result { game, result, how: How::Played, pgn: None }
            }
            Got::Forfeit => Intent::TimeComplaint { game, sent: None, repeated: None },
        };
        found.add(intent, Confidence::Certain, reason.to_owned());
    }
}
