//! Results of games (Rule 10), and resignations: what a sentence states (`grammar.rs`) meets the game that is meant
//! (`game.rs`). A line tells more of the game than the lines above it, those more than the subject, and that more than
//! the letter that is answered.
//!
//! A win on time or by forfeit is no result to report but a claim, and goes to the director (Rules 7 and 10).

use super::{
    Found, Said, crosscheck,
    game::Clues,
    grammar::{Says, Stated, pieces, statement},
    outcome::take,
    phrases::{Sentence, Words, folded, plain, short},
    table,
    told::{how, told},
};
use crate::domain::{
    event::Trouble,
    ids::Seat,
    intent::{Game, Intent},
    points::{How, Score, Side},
};
use regex::Regex;
use std::sync::LazyLock;

/// Words of the servers (Xfcc) for games that are not over by play.
static JUDGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:white|black|both)defaulted\b|\b\w+adjudicated\b|\badjudicationpending\b|\bgame (?:was )?cancell?ed\b|^cancelled\b")
        .expect("a valid pattern")
});
/// How forms call the players, in the languages of the players.
const WHITES: &[&str] = &[
    "white",
    "weiß",
    "weiss",
    "blancs",
    "les blancs",
    "blancas",
    "bianco",
    "bianchi",
    "il bianco",
    "wit",
    "brancas",
    "vit",
    "hvid",
    "hvit",
    "bílý",
    "białe",
    "белые",
    "valkea",
    "világos",
];
const BLACKS: &[&str] = &[
    "black",
    "schwarz",
    "noirs",
    "les noirs",
    "negras",
    "nero",
    "neri",
    "il nero",
    "zwart",
    "pretas",
    "negras",
    "svart",
    "sort",
    "černý",
    "czarne",
    "черные",
    "чёрные",
    "musta",
    "sötét",
];
/// The most lines of a list that are looked at.
const LISTED: usize = 100;

/// Reads results and resignations.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let sentences = lines(said);
    let subject = Clues::of(said.subject, said);
    let mut context = Clues::default();
    let whole = whole_text(&sentences, said);
    let all: Vec<Clues> = sentences.iter().map(|s| Clues::of(&s.text, said)).collect();
    let listed = table::read(&sentences, &all, [&subject, &whole], said, found);
    let mut numbered: Vec<_> = sentences.iter().zip(all).enumerate().collect();
    if said.own_subject && !numbered.is_empty() {
        numbered.rotate_left(1); // the body decides
    }
    let mut about_matter = false;
    for (n, (sentence, own)) in numbered {
        let is_subject = said.own_subject && n == 0;
        if JUDGED.is_match(&sentence.plain) {
            found.claims.push(short(&sentence.text));
        }
        let pieces = if listed.contains(&n) { Vec::new() } else { pieces(sentence) };
        // Whom one piece names, another does not speak of.
        let shared = Clues { sections: own.sections.clone(), ..Clues::default() };
        let wide = if pieces.len() > 1 { &shared } else { &own };
        for piece in &pieces {
            let near = Clues::of(&piece.text, said);
            let before = found.reasons.len();
            let Some(stated) = statement(piece, &own, said, found) else {
                about_matter |= found.reasons.len() > before;
                continue;
            };
            if crosscheck::is_claimed(&stated, &sentences) {
                found.claims.push(short(&piece.text));
                continue;
            }
            let each = each_opponent(&stated.says, piece, near, [wide, &context, &subject], said);
            if each.len() < 2 && is_of_several(piece) {
                let reason = format!("`{}` is about more than one game.", short(&piece.text));
                found.trouble(Trouble::ForDirector, reason);
                continue;
            }
            for near in each {
                let clues = [&near, wide, &context, &subject, &whole];
                if !is_subject || crosscheck::subject_counts(&stated, about_matter, found) {
                    take(&stated, piece, &clues, said, found);
                } else {
                    beside_the_body(&stated, piece, &clues, said, found);
                }
            }
        }
        if !own.sections.is_empty() {
            context = own;
        } else if is_game_field(sentence) {
            context = merged(context, &own, sentence);
        }
    }
    how_elsewhere(&sentences, found);
    last_moves(found);
    crosscheck::check(&sentences, said, found);
}

/// Takes what the subject says beside a body that tells the matter itself: only what adds to it or contradicts it.
fn beside_the_body(
    stated: &Stated,
    piece: &Sentence,
    clues: &[&Clues],
    said: &Said<'_>,
    found: &mut Found,
) {
    let mut apart = Found::default();
    take(stated, piece, clues, said, &mut apart);
    let clear = apart.trouble.is_none() && apart.doubt.is_none();
    let known = apart.intents.iter().any(|intent| crosscheck::is_told(intent, found));
    if clear && !known && found.intents.iter().any(is_act) {
        take(stated, piece, clues, said, found);
    }
}

/// Reads a piece of a sentence that another reader found to state a result.
pub(super) fn state(piece: &Sentence, clues: &[&Clues], said: &Said<'_>, found: &mut Found) {
    if let Some((says, sure)) = told(piece, said) {
        let how = how(piece, &says);
        take(&Stated { says, how, sure }, piece, clues, said, found);
    }
}

pub(super) const fn is_act(intent: &Intent) -> bool {
    matches!(intent, Intent::Result { .. } | Intent::Resign { .. })
}

/// Returns the sentences, a form that stands in one line (`Section 19N04, White: 1, Black: 2, Result: 1/2`) taken apart.
fn lines(said: &Said<'_>) -> Vec<Sentence> {
    static FIELDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|[,;/|] ?)(?:section|white|black|result|game|board|how|moves)\b ?:?")
            .expect("a valid pattern")
    });
    let form = |s: &Sentence| s.plain.len() < 200 && FIELDS.find_iter(&s.plain).count() > 2;
    let apart = |s: &Sentence| {
        if form(s) {
            s.text.split([',', ';', '|']).map(with_colon).collect()
        } else {
            vec![s.clone()]
        }
    };
    let listed: Vec<&str> = (said.text.lines().map(str::trim))
        .filter(|line| line.len() < 60 && table::ends_in_outcome(line))
        .take(LISTED)
        .collect();
    let unjoined = |s: Sentence| unjoined(&s, &listed).unwrap_or_else(|| vec![s]);
    let bare = |s: &Sentence| s.text.len() < 50 && with_colon(&s.text).field().is_some();
    let table = said.sentences.iter().filter(|s| bare(s)).count() > 2;
    // A form without its colons: `Section 19N07`, `White Kessler`.
    let labelled = |s: Sentence| if table && bare(&s) { with_colon(&s.text) } else { s };
    let own = said.sentences.iter().map(crosscheck::without_courtesy).map(labelled);
    own.flat_map(|s| apart(&s)).flat_map(unjoined).collect()
}

/// Reads `White 1` as `White: 1`.
fn with_colon(piece: &str) -> Sentence {
    let piece = piece.trim();
    let labels = ["white", "black", "result", "section", "game", "board"];
    match piece.split_once(' ') {
        Some((label, value)) if labels.contains(&plain(label).as_str()) => {
            Sentence::of(&format!("{label}: {value}"))
        }
        _ => Sentence::of(piece),
    }
}

/// Takes the lines of a list apart that look like one sentence: `vs Ortiz 1`, `vs Keating 0`.
fn unjoined(sentence: &Sentence, listed: &[&str]) -> Option<Vec<Sentence>> {
    let mut rest = sentence.text.as_str();
    let mut lines = Vec::new();
    while !rest.is_empty() && rest.len() < 2000 {
        let line = listed.iter().find(|line| rest.starts_with(**line))?;
        lines.push(Sentence::of(line));
        rest = rest[line.len()..].trim_start();
    }
    (lines.len() > 1).then_some(lines)
}

/// Tells whether a sentence speaks of several games without naming them: `I resign all my games`.
fn is_of_several(sentence: &Sentence) -> bool {
    static ALL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\b(?:all|both|every|each)(?: of)?(?: my| our| the| these| his| her)?(?: \p{L}+)? (?:games?|matches|opponents?|sections?|boards?|of them)\b",
            r"|\b(?:them|us) (?:all|both)\b|\beveryone\b|\beverybody\b|\b(?:alle|beide) (?:meine |unsere )?(?:partien|spiele|partijen)\b",
            r"|\btoutes (?:mes|les|nos) parties\b|\btodas (?:mis|las|nuestras) partidas\b|\btutte le (?:mie )?partite\b|\bвсе (?:мои )?партии\b",
        ))
        .expect("a valid pattern")
    });
    ALL.is_match(&sentence.plain)
}

/// Returns the clues of a statement, once for each opponent where it is about several: `I beat Ortiz, Keating and Lund`.
fn each_opponent(
    says: &Says,
    piece: &Sentence,
    near: Clues,
    wider: [&Clues; 3],
    said: &Said<'_>,
) -> Vec<Clues> {
    let of_sender = matches!(says, Says::Me { .. } | Says::Resign | Says::Draw);
    if !of_sender {
        return vec![near];
    }
    let seats = opponents(&piece.text, &near, wider, said);
    if seats.len() < 2 {
        return vec![near];
    }
    let one = |seat: Seat| Clues {
        sections: near.sections.clone(),
        seat: Some(seat),
        ..Clues::default()
    };
    seats.into_iter().map(one).collect()
}

/// Returns the opponents that a statement lists. Names elsewhere in it (`I beat Ortiz, and Keating sends regards`) make
/// no list.
fn opponents(text: &str, near: &Clues, wider: [&Clues; 3], said: &Said<'_>) -> Vec<Seat> {
    static GLUE: LazyLock<Words> = LazyLock::new(|| {
        Words::new(&[
            "and", "against", "to", "with", "both", "mr", "mrs", "ms", "mr.", "mrs.", "ms.",
            "my games", "games", "und", "et", "y", "e", "gegen", "contre", "contra", "contro",
            "herr", "frau", "vs", "also",
        ])
    });
    let code = std::iter::once(near).chain(wider).find_map(|c| c.sections.first());
    let Some(section) = code.and_then(|code| said.desk.state.sections.get(code)) else {
        return Vec::new();
    };
    let numbered: Vec<Seat> =
        SEATS.captures_iter(text).filter_map(|c| c[1].parse().ok().map(Seat)).collect();
    let mine = |seat: &Seat| {
        said.desk.state.member_at(section, *seat).is_some_and(|m| said.players.contains(m))
    };
    if numbered.len() > 1 {
        // `#1-#2` with one's own seat is a game.
        return if numbered.iter().any(mine) { Vec::new() } else { numbered };
    }
    let named: Vec<Seat> = near.named(section, said).into_iter().filter(|s| !mine(s)).collect();
    // Between the first and the last name nothing but names and glue.
    let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let names = |word: &str| !Clues::of(word, said).named(section, said).is_empty();
    let first = words.iter().position(|w| names(w));
    let last = words.iter().rposition(|w| names(w));
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    let first_names: Vec<String> = section
        .each_seat()
        .filter_map(|(seat, _)| said.desk.state.player_at(section, seat))
        .flat_map(|p| p.name.split([' ', ',']).map(folded).collect::<Vec<_>>())
        .collect();
    let glued = words[first..=last].iter().all(|word| {
        names(word)
            || word.len() < 3
            || first_names.contains(&folded(word))
            || GLUE.are_in(&plain(word))
    });
    if glued { named } else { Vec::new() }
}

static SEATS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:#|\bseat )\s?(\d{1,2})\b").expect("a valid pattern"));

/// Drops the last move of the books where the mail tells how that game ended: `17.Rd8 mate. 1-0` sends no move again.
fn last_moves(found: &mut Found) {
    let ended: Vec<Game> =
        found.intents.iter().filter(|i| is_act(i)).filter_map(|i| i.game().cloned()).collect();
    let again =
        |intent: &Intent| matches!(intent, Intent::Move(m) if m.repeat && ended.contains(&m.game));
    found.intents.retain(|intent| !again(intent));
}

/// Takes the way a game ended from elsewhere in the mail, where that tells of one game: from a line of its own (`How:
/// agreement`), or from a sentence beside the score (`17.Rd8 mate. 1-0`).
fn how_elsewhere(sentences: &[Sentence], found: &mut Found) {
    let mut results = found.intents.iter_mut().filter_map(|intent| match intent {
        Intent::Result { how, result, .. } => Some((how, result)),
        _ => None,
    });
    let (Some((kept, result)), None) = (results.next(), results.next()) else { return };
    if *kept != How::Played {
        return;
    }
    let says = if *result == Score::Draw { Says::Draw } else { Says::Side(Side::White) };
    let line = sentences.iter().find_map(|s| {
        let names = ["how", "reason", "by", "ended", "manner", "method"];
        let (_, value) = s.field().filter(|(name, _)| names.contains(name))?;
        Some(how(&Sentence::of(value), &says))
    });
    let beside = || {
        let plain = sentences.iter().filter(|s| s.held_back().is_none());
        plain.map(|s| how(s, &says)).find(|how| *how != How::Played)
    };
    if let Some(told) = line.or_else(beside) {
        *kept = told;
    }
}

/// Returns the game that the lines of the whole text name together: `Result: 1-0` may stand above `Section: 19N04`.
fn whole_text(sentences: &[Sentence], said: &Said<'_>) -> Clues {
    let mut all = Clues::default();
    let mut pairs = Vec::new();
    for sentence in sentences.iter().filter(|s| s.field().is_some() || s.text.len() < 40) {
        let own = Clues::of(&sentence.text, said);
        if is_game_field(sentence) {
            pairs.push(merged(Clues::default(), &own, sentence));
        }
        for code in own.sections {
            if !all.sections.contains(&code) {
                all.sections.push(code);
            }
        }
    }
    if all.sections.len() > 1 {
        all.sections.clear();
    }
    // `White: Hale` and `Black: Ortiz` name the game in two lines.
    let value = |sides: &[&str]| {
        let is_side = |s: &&Sentence| s.field().is_some_and(|(name, _)| sides.contains(&name));
        let line = sentences.iter().find(is_side)?;
        line.text.split_once(':').map(|(_, value)| value.trim())
    };
    if let Some((white, black)) = value(WHITES).zip(value(BLACKS)) {
        // `White: 1` and `Black: 2` are seats; `White: 1` and `Black: 0` are points.
        let pair = match (seat(white), seat(black)) {
            (Some(white), Some(black)) if white != black => format!("seats {white}-{black}"),
            _ => format!("{white} - {black}"),
        };
        let named = Clues::of(&pair, said);
        return Clues { sections: all.sections, ..named };
    }
    match pairs.pop() {
        Some(only) if pairs.is_empty() => Clues { sections: all.sections, ..only },
        _ => all,
    }
}

/// Returns the number of a seat that stands by itself: `1`, `#1`, `seat 1`.
fn seat(value: &str) -> Option<u8> {
    let number = value.trim_start_matches(|c: char| c.is_alphabetic() || " #.".contains(c));
    number.trim_end_matches('.').parse().ok().filter(|seat| *seat > 0)
}

fn is_game_field(sentence: &Sentence) -> bool {
    sentence.field().is_some_and(|(name, _)| {
        matches!(name, "game" | "board" | "pairing" | "seats" | "opponent")
    })
}

fn merged(context: Clues, own: &Clues, sentence: &Sentence) -> Clues {
    let mut clues = own.clone();
    if clues.pair.is_none()
        && let Some((one, other)) = sentence.field().and_then(|(_, value)| value.split_once('-'))
    {
        let seats = one.trim().parse().ok().zip(other.trim().parse().ok());
        clues.pair = seats.map(|(one, other)| (Seat(one), Seat(other)));
    }
    clues.sections = context.sections;
    clues
}
