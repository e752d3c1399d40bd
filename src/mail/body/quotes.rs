//! Quotations: lines with marks, copies of our own letters, mails that are passed on, and the old mail that programs
//! put below the new one without any mark. What is quoted is never the sender's word.

use super::{
    Below, attribution,
    lines::{Page, RULED, Role},
};
use crate::{
    house::{LETTER_END, LETTER_TOP},
    mail::{lexicon::Key, marks::Marks},
};
use std::sync::LazyLock;

static FORWARDED: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Forwarded]));
static ORIGINAL: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Original]));

/// How many lines a block of headers takes.
const BLOCK: usize = 12;

/// Marks all that is quoted.
pub(super) fn mark(page: &mut Page<'_>, below: Below) {
    our_letters(page);
    for line in page.lines.iter_mut().filter(|l| l.depth > 0 && l.role == Role::Own) {
        line.role = Role::Quote;
    }
    initials(page);
    unmarked(page, below);
    broken_quotes(page);
}

/// Marks runs of lines that are quoted with initials, as old programs do: `AL> I resign`.
fn initials(page: &mut Page<'_>) {
    let mut at = 0;
    while at < page.lines.len() {
        let Some(mark) = initial(page.lines[at].text).filter(|_| page.is_own(at)) else {
            at += 1;
            continue;
        };
        let same = |n: &usize| initial(page.lines[*n].text) != Some(mark);
        let end = (at..page.lines.len()).find(same).unwrap_or(page.lines.len());
        if end - at > 1 {
            mark_own(page, at..end, Role::Quote);
        }
        at = end;
    }
}

fn initial(line: &str) -> Option<&str> {
    let end = line.bytes().take(5).position(|b| b == b'>').filter(|at| *at > 0)?;
    line[..end].bytes().all(|b| b.is_ascii_alphabetic()).then_some(&line[..end])
}

/// Marks the copies of our own letters, quoted or not, from the first line to the last (or the end). Where the first
/// line was cut off, all above the last one is in doubt, so nothing of it is the sender's.
fn our_letters(page: &mut Page<'_>) {
    let mut at = 0;
    let last = |at: usize| (at..page.lines.len()).find_map(|n| letter_end(page, n));
    let mut ends = Vec::new();
    while let Some(end) = last(at) {
        ends.push(end);
        at = end;
    }
    at = 0;
    for end in ends {
        let top = (at..end).find(|n| begins_letter(page, *n)).unwrap_or(at);
        mark_letter(page, top..end);
        at = end;
    }
    if let Some(top) = (at..page.lines.len()).find(|n| begins_letter(page, *n)) {
        mark_letter(page, top..page.lines.len());
    }
}

/// Marks a letter. Between its quoted lines, a line without a mark is an answer.
fn mark_letter(page: &mut Page<'_>, range: std::ops::Range<usize>) {
    let marked = page.lines[range.clone()].iter().any(|l| l.depth > 0 && is_marker(l.text));
    for line in page.lines[range].iter_mut().filter(|l| !marked || l.depth > 0) {
        line.role = Role::OurLetter;
    }
}

fn is_marker(line: &str) -> bool {
    line.contains("##")
}

/// Tells whether the first line of a letter of ours stands here, also where a program broke it in two.
fn begins_letter(page: &Page<'_>, at: usize) -> bool {
    let marker = LETTER_TOP.split_whitespace();
    page.lines[at].text.contains("##")
        && marked_words(page, at).any(|words| starts_with(words, marker.clone()))
}

/// Returns where a letter of ours ends whose last line stands here, also where a program broke it in two.
fn letter_end(page: &Page<'_>, at: usize) -> Option<usize> {
    if !page.lines[at].text.contains("##") {
        return None;
    }
    let marker = LETTER_END.split_whitespace();
    let token =
        |word: &str| word.starts_with('l') && word[1..].starts_with(|c: char| c.is_ascii_digit());
    let words = marked_words(page, at).find(|words| {
        starts_with(words.clone(), marker.clone())
            && words.clone().nth(2).is_none_or(|(_, word)| token(word))
    })?;
    let end = words.take(4).last().map_or(at, |(line, _)| line);
    Some(end + 1)
}

/// Returns the words of a line and the next one, from each `##` on that stands by itself, each with its line.
fn marked_words<'p>(
    page: &'p Page<'_>,
    at: usize,
) -> impl Iterator<Item = impl Iterator<Item = (usize, &'p str)> + Clone> {
    let line = page.lines[at].text;
    let next = page.lines.get(at + 1).map(|l| l.text).unwrap_or_default();
    let at_end = line
        .trim_end()
        .len()
        .checked_sub(2)
        .filter(|from| line.get(*from..).is_some_and(|end| end.starts_with("##")));
    line.match_indices("## ").map(|(from, _)| from).chain(at_end).map(move |from| {
        let here = line[from..].split_whitespace().map(move |word| (at, word));
        here.chain(next.split_whitespace().map(move |word| (at + 1, word)))
    })
}

fn starts_with<'w>(
    words: impl Iterator<Item = (usize, &'w str)>,
    mut marker: impl Iterator<Item = &'w str>,
) -> bool {
    let mut words = words.map(|(_, word)| word);
    marker.all(|wanted| words.next() == Some(wanted))
}

/// Marks attributions, and all below the line that begins an old mail without quotation marks.
fn unmarked(page: &mut Page<'_>, below: Below) {
    let texts: Vec<&str> = page.lines.iter().map(|l| l.text).collect();
    let ends: Vec<bool> = texts.iter().map(|text| attribution::may_end(text)).collect();
    let mut at = 0;
    while at < texts.len() {
        if introduces_forwarded(page, at) {
            mark_own(page, at..texts.len(), Role::Forwarded);
            return;
        }
        if !page.is_own(at) {
            at += 1;
            continue;
        }
        if let Some(role) = ruled_off(page, &texts, at).or_else(|| old_mail(&texts, at, below)) {
            let end = old_mail_end(page, &texts, at);
            mark_own(page, without_rules(&texts, at)..end, role);
            at = end;
            continue;
        }
        if !ends[at..].iter().take(attribution::LINES).any(|ends| *ends) || split_line(page, at) {
            at += 1;
            continue;
        }
        if let Some(end) = attribution_end(page, &texts, at) {
            mark_own(page, at..end, Role::Quote);
            at = end;
            continue;
        }
        at += 1;
    }
}

/// Tells whether a line that a program marks as an attribution says that a mail is passed on: that one has no marks.
fn introduces_forwarded(page: &Page<'_>, at: usize) -> bool {
    let line = &page.lines[at];
    let bare = || line.text.trim_matches(['-', ' ', ':']);
    line.depth == 0 && line.role == Role::Quote && FORWARDED.begins(bare())
}

/// Returns where an attribution ends that begins at a line, with what it makes a quotation.
fn attribution_end(page: &Page<'_>, texts: &[&str], at: usize) -> Option<usize> {
    let next = |n: usize| page.next_said(at + n).filter(|next| *next <= at + n + 3);
    let barred = |n: usize| next(n).is_some_and(|next| texts[next].starts_with('|'));
    let marked = |n: usize| next(n).is_some_and(|next| page.lines[next].role != Role::Own);
    let count = attribution::lines(&texts[at..], |n| marked(n) || barred(n))?;
    if barred(count) {
        let from = next(count)?;
        let end = (from..texts.len()).find(|n| !texts[*n].starts_with('|'));
        return Some(end.unwrap_or(texts.len()));
    }
    // Below an attribution without marks all may be quoted, so nothing of it is the sender's.
    Some(if marked(count) { at + count } else { texts.len() })
}

/// Takes the attribution off a line of the sender's that it stands behind, `reply On 4 May 2019 Ann wrote:`, and tells
/// whether one did.
fn split_line(page: &mut Page<'_>, at: usize) -> bool {
    let line = page.lines[at].text;
    let quoted = page.lines.get(at + 1).is_some_and(|next| next.role == Role::Quote);
    if !quoted || page.lines[at].depth > 0 {
        return false;
    }
    let Some(begin) = line.rfind(" On ") else { return false };
    if !line[..begin].contains(char::is_alphanumeric) {
        return false;
    }
    let found = attribution::lines(&[&line[begin + 1..]], |_| false).is_some();
    if found {
        page.lines[at].whole = &line[..begin];
        page.lines[at].text = &line[..begin];
    }
    found
}

fn mark_own(page: &mut Page<'_>, range: std::ops::Range<usize>, role: Role) {
    for line in page.lines[range].iter_mut().filter(|l| l.role == Role::Own) {
        line.role = role;
    }
}

/// Tells whether a program ruled off an old mail right above a line, and headers follow, in whatever language.
fn ruled_off(page: &Page<'_>, texts: &[&str], at: usize) -> Option<Role> {
    let ruled = |n: usize| page.lines.get(n).is_some_and(|l| l.whole.ends_with(RULED));
    let above = at.checked_sub(1).is_some_and(ruled) || at.checked_sub(2).is_some_and(ruled);
    let header = |n: &usize| texts.get(*n).is_some_and(|text| text.contains([':', '：']));
    (above && (at..at + 2).filter(header).count() == 2).then_some(Role::Quote)
}

/// Tells whether the text of an old mail begins at a line, and whose it is.
fn old_mail(texts: &[&str], at: usize, below: Below) -> Option<Role> {
    let line = texts[at].trim();
    let bare = line.trim_matches(['-', '_', '=', '*', ' ', '>', ':', '\u{2014}', '\u{2013}']);
    if bare.len() < 90 {
        let dashed = line.starts_with(['-', '_', '*', '=', '\u{2014}']);
        let said_so = line.ends_with(':') || bare.len() > 12;
        if dashed && FORWARDED.begins(bare) || said_so && FORWARDED.is(bare) {
            return Some(Role::Forwarded);
        }
        // What a program says in a whole sentence needs no dashes.
        if (dashed || bare.len() > 28) && ORIGINAL.begins(bare) {
            return Some(Role::Quote);
        }
    }
    let ruled = |text: &str| is_rule(text) && text.trim().len() >= 5;
    let after_rule = (1..=2).any(|n| at >= n && ruled(texts[at - n]));
    let role = if below == Below::Forwarded { Role::Forwarded } else { Role::Quote };
    attribution::is_header_block(&texts[at..(at + BLOCK).min(texts.len())], after_rule)
        .then_some(role)
}

/// Returns where an old mail ends whose headers stand at a line. A letter of ours ends where it ends, and marked lines
/// right below the headers do: what stands below them is new again.
fn old_mail_end(page: &Page<'_>, texts: &[&str], at: usize) -> usize {
    let last = texts.len().min(at + BLOCK + 4);
    let Some(marked) = (at..last).find(|n| page.lines[*n].role != Role::Own) else {
        return texts.len();
    };
    let text = (at + 1..marked).any(|n| page.is_own(n) && !attribution::is_header(texts[n]));
    let letter = page.lines[marked].role == Role::OurLetter;
    if letter || !text { marked } else { texts.len() }
}

/// Returns where the rule begins that stands above a line.
fn without_rules(texts: &[&str], at: usize) -> usize {
    let mut from = at;
    for n in (at.saturating_sub(2)..at).rev() {
        if is_rule(texts[n]) {
            from = n;
        } else if !texts[n].trim().is_empty() {
            break;
        }
    }
    from
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '_' | '=' | '*' | '\u{2014}'))
}

/// Marks the odd line that a program broke off a quoted one: a line between two quoted ones, without a blank line
/// around it, that begins in lower case or with a sign, below a line that is as long as lines get. An answer looks
/// otherwise; where it does not, it is asked for again.
fn broken_quotes(page: &mut Page<'_>) {
    for at in 1..page.lines.len().saturating_sub(1) {
        let quoted = |n: usize| page.lines[n].role != Role::Own && page.lines[n].depth > 0;
        if !page.is_own(at) || page.lines[at].depth > 0 || !quoted(at - 1) || !quoted(at + 1) {
            continue;
        }
        let text = page.lines[at].text.trim();
        let long = page.lines[at - 1].whole.chars().count() > 60;
        let goes_on =
            text.starts_with(|c: char| c.is_lowercase() || matches!(c, '(' | ')' | ',' | ':'));
        let moves = text.len() < 20 && text.contains(|c: char| c.is_ascii_digit());
        let link = text.contains("://") && text.ends_with(['>', ')']);
        if long && goes_on && !moves || link {
            page.lines[at].role = Role::Quote;
        }
    }
}
