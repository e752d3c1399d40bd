//! Quotations: lines with marks, copies of our own letters, mails that are passed on, and the old mail that programs
//! put below the new one without any mark. What is quoted is never the sender's word.

use super::{
    attribution,
    lines::{Page, Role},
};
use crate::house::{LETTER_END, LETTER_TOP};

/// Lines that begin a mail that is passed on, in lower case, without the dashes around them.
const FORWARDED: &[&str] = &[
    "forwarded message",
    "begin forwarded message:",
    "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht:",
    "message transféré",
    "message transfere",
    "début du message réexpédié :",
    "mensaje reenviado",
    "messaggio inoltrato",
    "mensagem encaminhada",
    "doorgestuurd bericht",
    "wiadomość przekazana",
    "přeposlaná zpráva",
    "videresendt meddelelse",
    "vidarebefordrat meddelande",
    "videresendt melding",
    "edelleenlähetetty viesti",
    "továbbított üzenet",
    "пересылаемое сообщение",
    "переадресованное сообщение",
    "original message follows",
];
/// Lines above an old mail, in lower case, without the dashes around them.
const ORIGINAL: &[&str] = &[
    "original message",
    "original-nachricht",
    "originalnachricht",
    "ursprüngliche nachricht",
    "ursprungliche nachricht",
    "message d'origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "mensagem original",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "wiadomość oryginalna",
    "oryginalna wiadomość",
    "původní zpráva",
    "oprindelig meddelelse",
    "originalmeddelelse",
    "ursprungligt meddelande",
    "originalmeddelande",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "eredeti üzenet",
    "исходное сообщение",
    "оригинальное сообщение",
    "元のメッセージ",
    "原始邮件",
    "原始郵件",
    "reply message",
    "original email",
    "original appointment",
];

/// Marks all that is quoted.
pub(super) fn mark(page: &mut Page<'_>) {
    our_letters(page);
    for line in page.lines.iter_mut().filter(|l| l.depth > 0 && l.role == Role::Own) {
        line.role = Role::Quote;
    }
    unmarked(page);
    broken_quotes(page);
}

/// Marks a copy of a letter of ours that lost its quotation marks, from its first line to its last (or the end).
fn our_letters(page: &mut Page<'_>) {
    let mut at = 0;
    while let Some(top) =
        (at..page.lines.len()).find(|n| is_marker(page.lines[*n].text, LETTER_TOP))
    {
        let end = (top..page.lines.len()).find(|n| is_marker(page.lines[*n].text, LETTER_END));
        let end = end.map_or(page.lines.len(), |n| n + 1);
        let marked = page.lines[top].depth > 0;
        for line in page.lines[top..end].iter_mut().filter(|l| !marked || l.depth > 0) {
            line.role = Role::OurLetter;
        }
        at = end;
    }
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.trim_start_matches(['>', ' ', '|', '*', '\t', '\u{a0}']).starts_with(marker)
}

/// Marks attributions, and all below the line that begins an old mail without quotation marks.
fn unmarked(page: &mut Page<'_>) {
    let texts: Vec<&str> = page.lines.iter().map(|l| l.text).collect();
    let mut at = 0;
    let mut said = false;
    while at < texts.len() {
        if !page.is_own(at) {
            at += 1;
            continue;
        }
        if let Some(role) = old_mail(&texts, at) {
            let from = without_rules(&texts, at);
            mark_own(page, from..texts.len(), role);
            return;
        }
        let quoted = |n: usize| {
            page.next_said(at + n)
                .is_some_and(|next| page.lines[next].role != Role::Own && next <= at + n + 3)
        };
        if let Some(count) = attribution::lines(&texts[at..], quoted) {
            let marked = quoted(count);
            // Below an attribution without marks all is quoted, unless it is the top: then only the line itself is.
            let end = if marked || !said { at + count } else { texts.len() };
            mark_own(page, at..end, Role::Quote);
            at = end;
            continue;
        }
        said = true;
        at += 1;
    }
}

fn mark_own(page: &mut Page<'_>, range: std::ops::Range<usize>, role: Role) {
    for line in page.lines[range].iter_mut().filter(|l| l.role == Role::Own) {
        line.role = role;
    }
}

/// Tells whether the text of an old mail begins at a line, and whose it is.
fn old_mail(texts: &[&str], at: usize) -> Option<Role> {
    let line = texts[at].trim();
    let bare = line.trim_matches(['-', '_', '=', '*', ' ', '\u{2014}', '\u{2013}']).to_lowercase();
    if bare.len() < 60 {
        if FORWARDED.contains(&bare.as_str()) {
            return Some(Role::Forwarded);
        }
        let dashed = line.starts_with(['-', '_', '*', '=', '\u{2014}']);
        if dashed && ORIGINAL.contains(&bare.as_str()) {
            return Some(Role::Quote);
        }
    }
    let after_rule = at > 0 && (1..=2).any(|n| at >= n && is_rule(texts[at - n]));
    attribution::is_header_block(&texts[at..(at + 12).min(texts.len())], after_rule)
        .then_some(Role::Quote)
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
    line.len() >= 5 && line.chars().all(|c| matches!(c, '-' | '_' | '=' | '*' | '\u{2014}'))
}

/// Marks the odd line that a program broke off a quoted one: a single short line between two quoted ones, without a
/// blank line around it, that begins in lower case or with a sign.
fn broken_quotes(page: &mut Page<'_>) {
    for at in 1..page.lines.len().saturating_sub(1) {
        let quoted = |n: usize| page.lines[n].role == Role::Quote && page.lines[n].depth > 0;
        if !page.is_own(at) || !quoted(at - 1) || !quoted(at + 1) {
            continue;
        }
        let text = page.lines[at].text.trim();
        let broken = text.len() < 20
            && !text.contains(|c: char| c.is_ascii_digit())
            && page.lines[at - 1].whole.len() > 60
            && text.starts_with(|c: char| c.is_lowercase() || matches!(c, '(' | ')' | ',' | ':'));
        if broken {
            page.lines[at].role = Role::Quote;
        }
    }
}
