//! Signatures and footers: the lines below `-- `, what phones, scanners and lists add, and disclaimers. How they begin
//! is data (`[footer]` in `words/`).

use super::lines::{Page, Role};
use crate::mail::{
    lexicon::{self, Key},
    marks::Marks,
};
use std::sync::LazyLock;

static SENT_FROM: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::SentFrom]));
static DEVICES: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Device]));
static ADDED: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Scanner, Key::ListFooter]));
static DISCLAIMERS: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Disclaimer]));
static CONFIDENTIAL: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Confidential]));

/// The longest signature below a line of two dashes that is not quite the usual one.
const LINES: usize = 12;
/// The most lines in a paragraph of a footer.
const PARAGRAPH: usize = 60;
/// The longest line that a telephone adds, in bytes.
const SENT_BYTES: usize = 160;

/// Marks signatures and footers.
pub(super) fn mark(page: &mut Page<'_>) {
    footers(page);
    let mut at = 0;
    while at < page.lines.len() {
        if page.is_own(at)
            && let Some(end) = signature_end(page, at)
        {
            for line in page.lines[at..end].iter_mut().filter(|l| l.role == Role::Own) {
                line.role = Role::Signature;
            }
            at = end;
        } else {
            at += 1;
        }
    }
}

/// Returns where a signature ends that begins at a line: where the quotation begins below it, or the text ends.
fn signature_end(page: &Page<'_>, at: usize) -> Option<usize> {
    let line = page.lines[at].text;
    let exact = line == "-- ";
    let apart = at.checked_sub(1).is_none_or(|above| !page.is_own(above));
    let dashes = match line.trim() {
        "--" | "\u{2014}" => true,
        "---" => apart,
        _ => false,
    };
    if !exact && !dashes {
        return None;
    }
    let end = (at..page.lines.len())
        .find(|n| page.lines[*n].role != Role::Own && page.lines[*n].role != Role::Footer);
    let end = end.unwrap_or(page.lines.len());
    let said = (at + 1..end).filter(|n| page.is_own(*n)).count();
    // A line of dashes in the middle of a text only parts it.
    let short = said <= LINES && !(line.trim() != "--" && said == 0);
    (exact || short).then_some(end)
}

/// Marks what programs add. What stands below the line of a telephone, without anything in between that says whose it
/// is, is the old mail or a signature: it is set aside, since an answer stands above that line or below a quotation.
fn footers(page: &mut Page<'_>) {
    let (mut at, mut said, mut below) = (0, false, false);
    while at < page.lines.len() {
        below &= page.lines[at].role == Role::Own;
        if !page.is_own(at) {
            at += 1;
        } else if let Some((end, telephone)) = footer(page, at) {
            page.mark(at..end, Role::Footer);
            below |= telephone && said;
            at = end;
        } else {
            if below {
                page.lines[at].role = Role::BelowTelephone;
            }
            said = true;
            at += 1;
        }
    }
}

/// Returns where a footer ends that begins at a line, and whether it is a telephone's.
fn footer(page: &Page<'_>, at: usize) -> Option<(usize, bool)> {
    let whole = page.lines[at].text.trim();
    if matches!(whole, "\u{1427}" | "\u{2060}") {
        return Some((at + 1, false)); // what a tracker leaves
    }
    let line = whole.trim_start_matches(['*', '_', '[', '<', '(', ' ', '>', '\u{a0}', '"', '~']);
    // A mailing list's footer: a rule of underscores, then its address.
    if line.is_empty() {
        return list_footer(page, at).map(|end| (end, false));
    }
    if is_sent_from(line) {
        return Some((at + 1, true));
    }
    let line = if whole.starts_with('[') { whole } else { line };
    if ADDED.begins(line) {
        return Some((paragraph(page, at), false));
    }
    is_disclaimer(page, at, line).then(|| (paragraph(page, at), false))
}

/// Tells whether a line is the one by which a telephone or a program advertises itself. A sentence that begins so goes
/// on for longer, or names no device.
fn is_sent_from(line: &str) -> bool {
    if line.len() > SENT_BYTES {
        return false;
    }
    let Some(plain) = SENT_FROM.beginning(line) else { return false };
    let words = line.split_whitespace().count();
    let sentence = words > 8 && line.ends_with('.') && !is_excuse(&plain);
    DEVICES.within(&plain) && !sentence && words <= 18
}

/// Tells whether a telephone asks pardon for how its owner types.
fn is_excuse(plain: &str) -> bool {
    ["excuse", "forgive", "typo", "brevity", "k-9", "android"].iter().any(|w| plain.contains(w))
}

fn is_disclaimer(page: &Page<'_>, at: usize, line: &str) -> bool {
    DISCLAIMERS.begins(line) && {
        // A heading stands above its paragraph.
        let heading = line.len() < 30 && paragraph(page, at) == at + 1;
        let from = page.next_said(at + 1).filter(|next| heading && *next <= at + 3).unwrap_or(at);
        let lines = &page.lines[from..paragraph(page, from)];
        let text: Vec<&str> = lines.iter().take(20).map(|l| l.text).collect();
        CONFIDENTIAL.within(&lexicon::plain(&text.join(" ")))
    }
}

/// Returns where the paragraph ends in which a line stands, as far as a footer's goes.
fn paragraph(page: &Page<'_>, at: usize) -> usize {
    let last = page.lines.len().min(at + PARAGRAPH);
    (at..last).find(|n| !page.is_own(*n)).unwrap_or(last)
}

fn list_footer(page: &Page<'_>, at: usize) -> Option<usize> {
    let rule = page.lines[at].text.trim();
    let next = page.lines.get(at + 1)?.text.to_lowercase();
    let list = next.contains("mailing list") || next.contains("unsubscribe");
    (rule.starts_with("__") && list).then_some(page.lines.len())
}
