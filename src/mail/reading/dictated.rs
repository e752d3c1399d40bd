//! Dictated mails: signs and numbers that a telephone wrote as words (`fifteen bishop to g five full stop`) become signs
//! and numbers again. Only mails that show that they were dictated are changed; what they say is asked about.

use std::borrow::Cow;

/// What shows that a mail was dictated.
const MARKS: [&str; 8] = [
    " full stop",
    " comma ",
    " new line",
    " new paragraph",
    "dictated",
    "by voice",
    "voice to text",
    "voice recognition",
];

/// Signs told in words.
const SIGNS: [(&str, &str); 9] = [
    ("full stop", "."),
    ("comma", ","),
    ("new line", ".\n"),
    ("new paragraph", ".\n"),
    ("question mark", "?"),
    ("exclamation mark", "!"),
    ("exclamation point", "!"),
    ("colon", ":"),
    ("semicolon", ";"),
];

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Tells whether a mail shows that it was dictated.
pub(super) fn is_dictated(text: &str) -> bool {
    let plain = super::phrases::plain(text);
    MARKS.iter().any(|mark| plain.contains(mark))
}

/// Returns the word for a number below twenty.
pub(super) fn word(number: u16) -> Option<&'static str> {
    ONES.get(usize::from(number)).copied()
}

/// Writes a dictated text as it was meant; any other stays as it is.
pub(super) fn written(text: &str) -> Cow<'_, str> {
    if !is_dictated(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        line_of(&line.split_whitespace().collect::<Vec<_>>(), &mut out);
        out.push('\n');
    }
    Cow::Owned(out)
}

fn line_of(words: &[&str], out: &mut String) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let two = words.get(at + 1).map(|next| format!("{word} {next}").to_lowercase());
        let one = word.to_lowercase();
        let sign = |text: &str| SIGNS.iter().find(|(name, _)| *name == text).map(|(_, s)| *s);
        if let Some(sign) = two.as_deref().and_then(sign) {
            out.push_str(sign);
            at += 2;
        } else if let Some(sign) = sign(&one) {
            out.push_str(sign);
            at += 1;
        } else {
            let (text, taken) = piece(&words[at..]);
            if !out.is_empty() && !out.ends_with('\n') {
                out.push(' ');
            }
            out.push_str(&text);
            at += taken;
        }
    }
}

/// Returns what the next words mean, and how many of them it took: a square, a number, a piece that was misheard.
fn piece(words: &[&str]) -> (String, usize) {
    let word = words[0];
    let small = word.to_lowercase();
    let next = words.get(1).map(|w| w.to_lowercase()).unwrap_or_default();
    let file = small.len() == 1 && small.starts_with(|c: char| ('a'..='h').contains(&c));
    if file && let Some((rank @ 1..=8, 1)) = number(&words[1..]) {
        return (format!("{small}{rank}"), 2);
    }
    if let Some((number, taken)) = number(words) {
        return (number.to_string(), taken);
    }
    let moves = ["to", "takes", "on", "from", "captures"].contains(&next.as_str());
    match small.as_str() {
        "night" | "nite" | "knights" | "nights" if moves => ("knight".to_owned(), 1),
        "pond" | "porn" | "prawn" if moves => ("pawn".to_owned(), 1),
        "brooke" | "brook" | "rock" if moves => ("rook".to_owned(), 1),
        _ => (word.to_owned(), 1),
    }
}

/// Reads a number in words, up to ninety-nine.
fn number(words: &[&str]) -> Option<(usize, usize)> {
    let word = words.first()?.trim_end_matches([',', '.']).to_lowercase();
    if let Some(one) = ONES.iter().position(|w| *w == word) {
        return Some((one, 1));
    }
    let (tens, rest) = word.split_once('-').unwrap_or((&word, ""));
    let tens = (TENS.iter().position(|w| *w == tens)? + 2) * 10;
    let ones = |word: &str| ONES[1..10].iter().position(|w| *w == word).map(|n| n + 1);
    if let Some(one) = ones(rest) {
        return Some((tens + one, 1));
    }
    let next = words.get(1).and_then(|next| ones(&next.to_lowercase()));
    Some(next.map_or((tens, 1), |one| (tens + one, 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_signs_and_numbers() {
        for (text, meant) in [
            ("My move is fifteen bishop to g five full stop", "My move is 15 bishop to g5.\n"),
            (
                "Fifteen Bg5 comma if fifteen h6 then sixteen Bh4 full stop",
                "15 Bg5, if 15 h6 then 16 Bh4.\n",
            ),
            (
                "move twenty one is night to f three new line thanks",
                "move 21 is knight to f3.\nthanks\n",
            ),
            ("I have one game and five days.", "I have one game and five days."),
        ] {
            assert_eq!(written(text), meant, "{text}");
        }
    }
}
