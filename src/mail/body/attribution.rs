//! The lines that say whom a quotation is from: `On Monday Ann wrote:` in the languages of the players, over up to
//! five lines, and the block of headers that Outlook puts in its place. The words are data (`[quote]` in `words/`).

use crate::mail::{
    lexicon::{self, Key},
    marks::Marks,
};
use std::sync::LazyLock;

static BEGINS: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::AttributionBegins]));
static FROM: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::HeaderFrom]));
static OTHERS: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::HeaderOther]));

/// The most lines that an attribution takes.
pub(super) const LINES: usize = 5;
/// The longest attribution, in bytes.
const BYTES: usize = 400;

/// Returns how many lines an attribution takes that begins at the first of these, where one does. `quoted` says that a
/// quotation follows at once, so that less proof is asked for.
pub(super) fn lines(lines: &[&str], quoted_after: impl Fn(usize) -> bool) -> Option<usize> {
    let lines = &lines[..lines.len().min(LINES)];
    let first = lines.first()?.trim();
    if first.is_empty() || first.len() > BYTES {
        return None;
    }
    let mut joined = String::new();
    for (n, line) in lines.iter().enumerate() {
        joined.push(' ');
        joined.push_str(line.trim());
        if joined.len() > BYTES {
            return None;
        }
        if may_end(line) && is_attribution(&joined, quoted_after(n + 1)) {
            return Some(n + 1);
        }
        let address_follows = lines.get(n + 1).is_some_and(|next| next.trim() == "<");
        if n > 0 && line.trim().is_empty() && !address_follows
            || ends_sentence(line)
            || n == 0 && !may_begin(first)
        {
            return None;
        }
    }
    None
}

/// Tells whether an attribution may end with a line; few lines look so.
pub(super) fn may_end(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t', '*', '-', '\u{a0}']);
    line.ends_with([':', '：', '>', ')']) || ends_in_verb(line) || line.contains(" GMT")
}

/// Tells whether a line ends in a verb without a colon, as some programs leave it.
fn ends_in_verb(line: &str) -> bool {
    ["wrote", "schrieb"].iter().any(|verb| {
        let at = line.len().checked_sub(verb.len());
        at.and_then(|at| line.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(verb))
    })
}

/// Tells whether a line ends a sentence, so that no attribution goes on behind it. The dot behind a day or a short word
/// (`28.`, `Apr.`) ends none.
fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end();
    let Some(before) = line.strip_suffix('.') else { return line.ends_with(['!', '?']) };
    let word = before.rsplit([' ', ',']).next().unwrap_or_default();
    word.chars().count() > 4 && !word.ends_with(|c: char| c.is_ascii_digit())
}

/// Tells whether a line may be the first one of an attribution over several lines.
fn may_begin(line: &str) -> bool {
    let bare = line.trim_start_matches(['-', ' ', '*']);
    BEGINS.begins_word(bare)
        || bare.starts_with(|c: char| c.is_ascii_digit()) && line.contains(':')
        || line.contains('@')
        || line.ends_with('<')
        || has_year_and_time(line)
}

fn is_attribution(text: &str, quoted: bool) -> bool {
    let ruled = text.trim().starts_with("--") && text.trim().ends_with("--");
    let text = text.trim().trim_matches(['-', '*', ' ']);
    let ends = text.ends_with([':', '：']);
    let addressed = text.contains('@');
    let dated = is_dated(text);
    if (ends || ruled || ends_in_verb(text)) && says_wrote(text) {
        return quoted || addressed || dated;
    }
    // `2016-10-24 15:36 GMT+02:00 Ann <ann@example.org>:` and `11:00 AM, 17 May 2021, Ann <ann@example.org>:`
    // say no word.
    let iso = text.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
    let signed = addressed && text.trim_end_matches([':', '：', ' ', ')']).ends_with('>');
    ends && signed && has_year_and_time(text)
        || ends && addressed && dated && (iso || quoted)
        || ends && quoted && signed
        || !ends && quoted && signed && iso
        || iso && dated && text.contains("GMT") && !addressed && text.len() < 80
}

/// Tells whether a text names a day: with the year, or as `11/30/26`. Move numbers are none.
fn is_dated(text: &str) -> bool {
    if has_year(text) {
        return true;
    }
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '/' | '-')));
    numbers.any(|word| {
        let parts: Vec<&str> = word.split(['.', '/', '-']).filter(|p| !p.is_empty()).collect();
        parts.len() == 3 && parts.iter().all(|p| matches!(p.len(), 1 | 2))
    })
}

/// Tells whether a text names a year of mail: `2017`.
fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|n| n.len() == 4 && (n.starts_with("19") || n.starts_with("20")))
}

/// Tells whether a text names a year of mail and a time of day: `2017`, `18.30`.
fn has_year_and_time(text: &str) -> bool {
    let time = |w: &[u8]| {
        let digit = |n: usize| w.get(n).is_some_and(u8::is_ascii_digit);
        digit(0) && matches!(w.get(1), Some(b':' | b'.')) && digit(2) && digit(3)
    };
    has_year(text) && text.as_bytes().windows(4).any(time)
}

fn says_wrote(text: &str) -> bool {
    let plain = lexicon::plain(text);
    lexicon::list(Key::Wrote).any(|(_, word)| has_word(&plain, word))
}

/// Tells whether a word stands in a text by itself. Words of scripts without blanks stand anywhere.
fn has_word(text: &str, word: &str) -> bool {
    let Some(at) = text.find(word) else { return false };
    if !word.is_ascii() {
        return true;
    }
    let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    before
        && text[at + word.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric() || c == 'a')
}

/// Tells whether a block of headers of a quoted mail begins here. An entry form begins otherwise: it has no `From:`
/// with a date, a recipient or a subject right below.
pub(super) fn is_header_block(lines: &[&str], after_rule: bool) -> bool {
    let Some(name) = lines.first().and_then(|l| header_name(l)) else { return false };
    let is_from = FROM.is(name);
    if !is_from && !OTHERS.is(name) {
        return false;
    }
    if is_from && is_block_in_a_line(lines[0]) {
        return true;
    }
    let (mut from, mut others, mut misses) = (usize::from(is_from), usize::from(!is_from), 0);
    let mut proof = is_proof(lines[0]);
    for line in lines.iter().skip(1).take(9) {
        match header_name(line) {
            Some(name) if OTHERS.is(name) => others += 1,
            Some(name) if FROM.is(name) => from += 1,
            _ if line.trim().is_empty() && (misses > 0 || from + others >= 2) => break,
            _ => misses += 1,
        }
        if misses > 3 {
            break;
        }
        proof |= is_proof(line);
    }
    let proof = proof || after_rule || others >= 3;
    from > 0 && proof && others >= if after_rule { 1 } else { 2 }
        || from + others >= 2 && is_date_and_address(lines)
}

/// Tells whether two header lines are a date and an address: with them two are enough.
fn is_date_and_address(lines: &[&str]) -> bool {
    let Some([one, other]) = lines.get(..2) else { return false };
    one.contains('@') && has_year_and_time(other) || other.contains('@') && has_year_and_time(one)
}

/// Tells whether a header line is a mail program's: it has an address, a time of day, or a name in bold print.
fn is_proof(line: &str) -> bool {
    let time = |w: &[u8]| w[0].is_ascii_digit() && w[1] == b':' && w[2].is_ascii_digit();
    line.contains('@') || line.trim().starts_with('*') || line.as_bytes().windows(3).any(time)
}

/// Tells whether all headers stand in one line, as where line breaks were lost: `From: Ann Sent: Monday To: Bob`.
fn is_block_in_a_line(line: &str) -> bool {
    let names = line.split_whitespace().skip(1).filter_map(|word| word.strip_suffix(':'));
    names.filter(|name| OTHERS.is(name)).count() >= 2
}

/// Tells whether a line is one of the headers of a quoted mail.
pub(super) fn is_header(line: &str) -> bool {
    header_name(line).is_some_and(|name| FROM.is(name) || OTHERS.is(name))
}

/// Returns the name before a colon, without the stars of bold print.
fn header_name(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches('*');
    let end =
        line.char_indices().take(32).find(|(_, c)| matches!(c, ':' | '：')).map(|(at, _)| at)?;
    let name = line[..end].trim().trim_end_matches('*').trim_end();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributions_are_known_in_many_languages() {
        for text in [
            "On Mon, Nov 30, 2026 at 09:00:00AM +0000, Ann Lee wrote:",
            "On Mon, 30 Nov 2026 09:00:00 +0000\nAnn Lee <ann@example.org> wrote:",
            "On Mon, Nov 30, 2026 at 9:00 AM Ann Lee <\nann@example.org> wrote:",
            "On 11/30/26 9:00 AM, Ann Lee wrote:",
            "Am 30.11.2026 um 09:00 schrieb Ann Lee:",
            "Le lun. 30 nov. 2026 à 09:00, Ann Lee <ann@example.org> a écrit :",
            "El lun, 30 nov 2026 a las 9:00, Ann Lee (<ann@example.org>) escribió:",
            "Il giorno lun 30 nov 2026 alle ore 09:00 Ann Lee <ann@example.org> ha scritto:",
            "Em seg., 30 de nov. de 2026 às 09:00, Ann Lee <ann@example.org> escreveu:",
            "Op ma 30 nov 2026 om 09:00 schreef Ann Lee <ann@example.org>:",
            "pon., 30 lis 2026 o 09:00 Ann Lee <ann@example.org> napisał(a):",
            "po 30. 11. 2026 v 9:00 odesílatel Ann Lee <ann@example.org> napsal:",
            "Den man. 30. nov. 2026 kl. 09.00 skrev Ann Lee <ann@example.org>:",
            "Den mån 30 nov. 2026 kl 09:00 skrev Ann Lee <ann@example.org>:",
            "man. 30. nov. 2026 kl. 09:00 skrev Ann Lee <ann@example.org>:",
            "ma 30. marrask. 2026 klo 9.00 Ann Lee (ann@example.org) kirjoitti:",
            "Ann Lee <ann@example.org> ezt írta (időpont: 2026. nov. 30., H, 9:00):",
            "пн, 30 нояб. 2026 г. в 09:00, Ann Lee <ann@example.org>:",
            "2026年11月30日(月) 9:00 Ann Lee <ann@example.org>:",
            "Ann Lee <ann@example.org> 于2026年11月30日周一 09:00写道：",
            "2026-11-30 9:00 GMT+01:00 Ann Lee <ann@example.org>:",
        ] {
            let split: Vec<_> = text.lines().collect();
            assert_eq!(super::lines(&split, |_| true), Some(split.len()), "{text}");
        }
        for text in [
            "I won on 30 November:",
            "19N04: Hale 1, Ortiz 0",
            "Name: Ann Lee",
            "My opponent wrote nothing.",
        ] {
            assert_eq!(super::lines(&[text], |_| false), None, "{text}");
        }
    }

    #[test]
    fn an_entry_form_is_no_header_block() {
        assert!(is_header_block(&["From: Ann", "Sent: Monday", "To: Bob", "Subject: x"], false));
        assert!(is_header_block(&["*Von:* Ann", "*Gesendet:* Montag", "*An:* Bob"], false));
        assert!(!is_header_block(
            &["Name: Ann Lee", "Email: ann@example.org", "Entries: 2"],
            false
        ));
        assert!(!is_header_block(&["From: Ann", "", "I resign"], false));
    }
}
