//! Names in a text, and which of a section's players they are: surnames, first names and their short forms, initials
//! beside them, double names, all without accents and misspelt by a letter or two. Two players of one name stay both.
//!
//! A word that is no name most of the time (`May`, `Miles`) is one only beside a surname or behind `against`.

use super::phrases::{distance, folded};
use crate::{
    domain::{ids::Seat, player::Player, section::Section, state::State},
    mail::lexicon::{self, Key},
};
use std::{collections::HashSet, sync::LazyLock};

/// The most words of a piece of text that are looked at for names.
const WORDS: usize = 200;

/// Words that are no misspelt names, though a name may look like them.
static USUAL: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    concat!(
        "white black section game games result results board drawn draw lost have half hello dear thanks regards ",
        "moves move mate final report reports both with against after opponent resigned resigns round event golden ",
        "knights director player please here that this ended over well played best wishes from and the score ",
        "checkmate agreed stalemate sincerely greetings good beat won win loss male hail also more king queen rook ",
        "bishop knight pawn castle check may june will mark art miles grace hope rich bill dawn rose frank gene ray ",
        "max ski rob pat jack dear hallo hola salut dame turm zug mein dein sorry then time date land lang luck love ",
        "hate hand head bank band last late same sale tale pale hole hall halt",
    )
    .split(' ')
    .collect()
});

/// Short forms that do not begin like the name they stand for, the name in small letters last.
const SHORT_FORMS: &[(&str, &str)] = &[
    ("bob", "robert"),
    ("bobby", "robert"),
    ("bill", "william"),
    ("billy", "william"),
    ("dick", "richard"),
    ("rick", "richard"),
    ("jim", "james"),
    ("jimmy", "james"),
    ("jack", "john"),
    ("tony", "anthony"),
    ("ted", "theodore"),
    ("ted", "edward"),
    ("hank", "henry"),
    ("harry", "henry"),
    ("chuck", "charles"),
    ("peggy", "margaret"),
    ("meg", "margaret"),
    ("betty", "elizabeth"),
    ("liz", "elizabeth"),
    ("beth", "elizabeth"),
    ("sepp", "josef"),
    ("hans", "johannes"),
    ("pepe", "jose"),
    ("paco", "francisco"),
    ("sasha", "alexander"),
    ("alex", "aleksandr"),
    ("mike", "michael"),
    ("mitch", "michael"),
    ("steve", "stephen"),
    ("dave", "david"),
    ("andy", "andrew"),
    ("larry", "lawrence"),
    ("jerry", "gerald"),
    ("rudy", "rudolf"),
];

/// A word that may be a name.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// In plain small letters.
    folded: String,
    /// How it is written.
    letters: Letters,
    /// Whether `against`, or the like, stands before it.
    met: bool,
    /// Whether a dash or a colon stands before it: what was before it is no part of the same name.
    parted: bool,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// It begins with a capital.
    Capital,
    /// It begins with a small letter, as all words of the text do: some telephones write so.
    AllSmall,
    /// It begins with a small letter.
    Small,
}

impl Word {
    fn is_capital(&self) -> bool {
        self.letters == Letters::Capital
    }
}

/// Returns the words of a text.
pub(super) fn words(text: &str) -> Vec<Word> {
    let split = |piece: &'_ str| -> Vec<(String, bool)> {
        let words = piece.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}');
        let words = words.filter(|w| w.chars().any(char::is_alphabetic)).take(WORDS);
        words.map(|w| (folded(w), w.starts_with(char::is_uppercase))).collect()
    };
    let pieces = text.split(['-', '\u{2013}', '\u{2014}', ':', ';', '|', '/']).map(split);
    let parted = pieces.flat_map(|words| {
        let each = words.into_iter().enumerate();
        each.map(|(n, (folded, capital))| (folded, capital, n == 0))
    });
    let small = if text.contains(|c: char| c.is_uppercase() && c != 'N') {
        Letters::Small
    } else {
        Letters::AllSmall
    };
    let mut words: Vec<Word> = Vec::new();
    let mut met = 0u8;
    for (folded, capital, parted) in parted.take(WORDS) {
        let opens = VERSUS.contains(folded.as_str());
        let letters = if capital { Letters::Capital } else { small };
        words.push(Word { letters, met: met > 0, parted, folded });
        // `against Mr Vance`, `gegen Silas Brandt`: the two words behind it.
        met = if opens { 2 } else { met.saturating_sub(1) };
    }
    words
}

static VERSUS: LazyLock<HashSet<String>> =
    LazyLock::new(|| lexicon::list(Key::Versus).map(|(_, phrase)| folded(phrase)).collect());

/// A player of a section as names are compared.
#[derive(Debug)]
pub(super) struct Seated {
    /// The seat.
    pub(super) seat: Seat,
    /// The surname in one word: `odell`.
    surname: String,
    /// Its parts, where it has several.
    parts: Vec<String>,
    /// First names.
    first: Vec<String>,
}

impl Seated {
    /// Tells whether a word is one of the player's names.
    pub(super) fn is_called(&self, words: &[Word]) -> bool {
        words.iter().any(|word| {
            word.folded == self.surname
                || self.parts.contains(&word.folded)
                || self.first.contains(&word.folded)
        })
    }
}

/// Returns the players of a section.
pub(super) fn seated(section: &Section, state: &State) -> Vec<Seated> {
    let seats = section.each_seat();
    seats.filter_map(|(seat, _)| Some(of(seat, state.player_at(section, seat)?))).collect()
}

fn of(seat: Seat, player: &Player) -> Seated {
    let surname = player.surname();
    let first = match player.name.split_once(',') {
        Some((_, first)) => first,
        None => player.name.strip_suffix(surname).unwrap_or_default(),
    };
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || c == '-' || c == '.');
        words.map(folded).filter(|w| !w.is_empty()).collect()
    };
    let parts = split(surname);
    let parts = if parts.len() > 1 { parts } else { Vec::new() };
    Seated { seat, surname: folded(surname), parts, first: split(first) }
}

/// Which seats a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// Those that it names for certain, in the order of the text.
    pub(super) seats: Vec<Seat>,
    /// Players of one name, of whom it means one.
    pub(super) either: Vec<Seat>,
    /// Whether the last of the seats is known by a misspelt name or a short form.
    pub(super) guessed: bool,
}

impl Named {
    /// Finds the players whom words name. `own` are the seats of the sender, who is rarely the one that is looked for.
    pub(super) fn of(words: &[Word], players: &[Seated], own: &[Seat]) -> Self {
        let mut named = Self::collect(words, players, exact);
        if named.seats.iter().chain(&named.either).all(|seat| own.contains(seat)) {
            let more = Self::collect(words, players, near);
            let new: Vec<Seat> =
                more.seats.into_iter().filter(|s| !named.seats.contains(s)).collect();
            // Only one misspelt name is believed: two of them are words of another kind.
            if let [only] = new[..] {
                named.seats.push(only);
                named.guessed = true;
            }
        }
        named
    }

    fn collect(
        words: &[Word],
        players: &[Seated],
        fits: fn(&Seated, &[Word], usize) -> bool,
    ) -> Self {
        let mut named = Self::default();
        for n in 0..words.len() {
            let mut hits: Vec<&Seated> = players.iter().filter(|p| fits(p, words, n)).collect();
            if hits.len() > 1 {
                let told: Vec<&Seated> =
                    hits.iter().copied().filter(|p| beside(p, words, n)).collect();
                if !told.is_empty() {
                    hits = told;
                }
            }
            match hits[..] {
                [only] if !named.seats.contains(&only.seat) => named.seats.push(only.seat),
                [] | [_] => {}
                _ => named.either.extend(hits.iter().map(|p| p.seat)),
            }
        }
        named.either.sort_unstable();
        named.either.dedup();
        if named.either.iter().any(|seat| named.seats.contains(seat)) {
            named.either.clear();
        }
        named
    }
}

/// Tells whether a word is a player's surname, or one of his first names.
fn exact(player: &Seated, words: &[Word], n: usize) -> bool {
    let word = &words[n];
    let usual = USUAL.contains(word.folded.as_str());
    let said = (word.letters != Letters::Small) && !usual || word.met;
    if word.folded == player.surname {
        return !usual || word.is_capital() || word.met;
    }
    let joined = |next: &Word| {
        player.surname.strip_prefix(word.folded.as_str()) == Some(next.folded.as_str())
    };
    if words.get(n + 1).is_some_and(joined) {
        return true;
    }
    let part = word.folded.len() > 3 && said && player.parts.contains(&word.folded);
    part || word.folded.len() > 1 && said && player.first.contains(&word.folded)
}

/// Tells whether a word is a player's misspelt surname, or a short form of his first name.
fn near(player: &Seated, words: &[Word], n: usize) -> bool {
    let word = &words[n];
    if !word.is_capital() && !word.met || USUAL.contains(word.folded.as_str()) {
        return false;
    }
    let letters = word.folded.chars().count();
    let allowed = match player.surname.chars().count() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    if letters > 3 && distance(&word.folded, &player.surname) <= allowed {
        return true;
    }
    let short = |first: &String| {
        letters >= 3 && first.len() > letters && first.starts_with(&word.folded)
            || SHORT_FORMS.contains(&(word.folded.as_str(), first.as_str()))
    };
    // `Rosalind` for Rosa is another's name; `Theodor` for Theo is his.
    let long = |first: &String| {
        first.len() >= 4 && word.folded.starts_with(first.as_str()) && letters < first.len() + 4
    };
    word.met && player.first.iter().any(|f| short(f) || long(f))
        || letters >= 4 && word.met && player.first.iter().any(|f| distance(&word.folded, f) == 1)
        || words.get(n + 1).is_some_and(|next| next.folded == player.surname)
            && player.first.iter().any(short)
}

/// Tells whether a first name or an initial of the player stands beside a surname.
fn beside(player: &Seated, words: &[Word], n: usize) -> bool {
    let is_his =
        |word: &Word| player.first.iter().any(|first| first.starts_with(word.folded.as_str()));
    let before = n.checked_sub(1).and_then(|n| words.get(n)).filter(|_| !words[n].parted);
    let behind = words.get(n + 1).filter(|word| !word.parted);
    before.is_some_and(is_his) || behind.is_some_and(is_his)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str) -> Player {
        Player { name: name.to_owned(), ..Player::default() }
    }

    fn named(text: &str) -> (Vec<u8>, Vec<u8>) {
        let names = [
            "Ann Hale",
            "Rosa Ortiz",
            "Miles O'Dell",
            "Silas Brandt",
            "Wanda Brandt",
            "Zoë Müller",
            "Robert García López",
        ];
        let players: Vec<Seated> =
            (1..).map(Seat).zip(names).map(|(seat, name)| of(seat, &player(name))).collect();
        let named = Named::of(&words(text), &players, &[Seat(1)]);
        let numbers = |seats: Vec<Seat>| seats.into_iter().map(|s| s.0).collect();
        (numbers(named.seats), numbers(named.either))
    }

    #[test]
    fn players_are_known_by_all_their_names() {
        for (text, seats) in [
            ("against Ortiz", vec![2]),
            ("Dear Rosa,", vec![2]),
            ("gegen Ortis", vec![2]),
            ("against odell", vec![3]),
            ("vs O Dell", vec![3]),
            ("S. Brandt", vec![4]),
            ("Brandt W.", vec![5]),
            ("S. Brandt - W. Brandt", vec![4, 5]),
            ("Brandt S - Brandt W", vec![4, 5]),
            ("our game rosa", vec![2]),
            ("Our rosa garden", vec![]),
            ("Brandt, Silas", vec![4]),
            ("vs wanda 7 qe1", vec![5]),
            ("Muller", vec![6]),
            ("Hale - Ortiz", vec![1, 2]),
            ("my game with Bob Lopez", vec![7]),
            ("against Bob", vec![7]),
            ("300 miles away", vec![]),
            ("Best wishes, Ann", vec![1]),
        ] {
            assert_eq!(named(text).0, seats, "{text}");
        }
        assert_eq!(named("game with Brandt"), (vec![], vec![4, 5]));
    }
}
