//! The words of a text of moves: what is taken off them, and what is glued to them. Whether one is a move, the notation
//! tells.

use super::{score::Score, tokens::is_unseen};

/// The longest word that may be a move, in bytes.
pub(super) const WORD: usize = 40;

/// Takes away dots before a word and the marks of a sentence behind it.
pub(super) fn tidy(word: &str) -> &str {
    word.trim_start_matches(['.', '…'])
        .trim_end_matches(['.', ',', ';', '…'])
        .trim_matches(is_unseen)
}

/// Tells whether a word stands for passing, which no player may.
pub(super) fn is_null(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "@@@@" | "0000" | "null" | "pass")
}

/// Returns the beginning of a word that is too long to be a move.
pub(super) fn cut(word: &str) -> &str {
    word.char_indices().nth(WORD).map_or(word, |(at, _)| word.get(..at).unwrap_or(word))
}

/// Parts a word from the result that is glued to it: `Bb5*`, `Qh51-0`.
pub(super) fn glued_result(word: &str) -> Option<(&str, &str)> {
    if word.len() > WORD {
        return None;
    }
    if let Some(head) = word.strip_suffix('*') {
        return Some((head, "*"));
    }
    let cuts = word.char_indices().skip(2).map(|(at, _)| at);
    cuts.filter_map(|at| Some((word.get(..at)?, word.get(at..)?)))
        .find(|(_, tail)| Score::at(tail).is_some_and(|(_, length)| length == tail.len()))
}

/// Returns a comment on one line without the commands of programs: `[%clk 0:15:20]`.
pub(super) fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(200));
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        out.push_str(before);
        rest = command.split_once(']').map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
