//! Signatures and footers: the lines below `-- `, what phones, scanners and lists add, and disclaimers.

use super::lines::{Page, Role};

/// The longest signature below a line of two dashes that is not quite the usual one.
const LINES: usize = 12;
/// How lines begin that a program adds by itself, in lower case.
const FOOTERS: &[&str] = &[
    "sent from my ",
    "sent from mail for",
    "sent from outlook",
    "sent from yahoo",
    "sent from windows mail",
    "sent from mailbox",
    "sent from proton",
    "sent from the ",
    "sent via ",
    "sent with ",
    "get outlook for",
    "from my iphone",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von mein",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir d",
    "enviado desde mi ",
    "enviado desde ",
    "enviado do meu ",
    "enviado a partir d",
    "inviato da ",
    "inviato dal mio",
    "verstuurd vanaf ",
    "verzonden met ",
    "verzonden vanaf ",
    "wysłane z ",
    "wysłano z ",
    "odesláno z ",
    "skickat från ",
    "sendt fra ",
    "lähetetty ",
    "küldve ",
    "отправлено с ",
    "отправлено из ",
    "iphoneから送信",
    "发自我的",
    "從我的",
    "yahoo mail: ",
    "this email has been checked for viruses",
    "this e-mail has been checked for viruses",
    "virus-free.",
    "virenfrei.",
    "diese e-mail wurde von avast",
    "diese e-mail wurde auf viren geprüft",
    "no virus found in this",
    "scanned by ",
    "to unsubscribe from this",
    "you received this message because you are subscribed",
    "please consider the environment",
];
/// How disclaimers begin, in lower case. They go on to the end of their paragraph.
const DISCLAIMERS: &[&str] = &[
    "confidentiality notice",
    "confidentiality:",
    "disclaimer:",
    "disclaimer ",
    "this e-mail and any ",
    "this email and any ",
    "this message and any ",
    "this email is confidential",
    "this e-mail is confidential",
    "the information contained in this",
    "the information in this e",
    "this message is intended",
    "this message contains confidential",
    "this email is intended",
    "this communication is ",
    "notice: this e",
    "privileged and confidential",
    "diese e-mail enthält vertrauliche",
    "diese nachricht ist vertraulich",
    "ce message et toutes",
    "ce message est confidentiel",
    "este mensaje y sus",
    "questo messaggio ",
    "dit bericht is ",
    "denna e-post",
    "esta mensagem ",
];

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
    let dashes = matches!(line.trim(), "--" | "\u{2014}" | "---");
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

fn footers(page: &mut Page<'_>) {
    let mut at = 0;
    while at < page.lines.len() {
        let end = if page.is_own(at) { footer_end(page, at) } else { None };
        if let Some(end) = end {
            page.mark(at..end, Role::Footer);
        }
        at = end.unwrap_or(at + 1);
    }
}

fn footer_end(page: &Page<'_>, at: usize) -> Option<usize> {
    let line = page.lines[at].text.trim().trim_start_matches(['*', '_', '[']);
    // A mailing list's footer: a rule of underscores, then its address.
    if line.is_empty() {
        return list_footer(page, at);
    }
    let start: String = line.chars().take(60).collect::<String>().to_lowercase();
    if line.len() < 160 && FOOTERS.iter().any(|f| start.starts_with(f)) {
        return Some(at + 1);
    }
    if DISCLAIMERS.iter().any(|d| start.starts_with(d)) {
        let blank = (at..page.lines.len()).find(|n| !page.is_own(*n));
        return Some(blank.unwrap_or(page.lines.len()));
    }
    None
}

fn list_footer(page: &Page<'_>, at: usize) -> Option<usize> {
    let rule = page.lines[at].text.trim();
    let next = page.lines.get(at + 1)?.text.to_lowercase();
    let list = next.contains("mailing list") || next.contains("unsubscribe");
    (rule.len() >= 20 && list).then_some(page.lines.len())
}
