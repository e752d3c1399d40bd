//! The machine's part of a delivery report (RFC 3464 section 2.3) and of a reader's (RFC 8098). Real ones break off,
//! lose letters and have blank lines where none belong, so the fields of a recipient are gathered line by line.

use super::{RECIPIENTS, STATUS, Told, is_passing, report_parts};
use crate::mail::message::Mail;

/// Returns what the reports in a mail tell of those who did not get it.
pub(super) fn read(mail: &Mail<'_>) -> Vec<Told> {
    let mut told: Vec<Told> = report_parts(mail)
        .flat_map(|part| read_text(&String::from_utf8_lossy(&part.content)))
        .collect();
    told.truncate(RECIPIENTS);
    told
}

/// Returns what a report tells, where its text stands.
pub(super) fn read_text(report: &str) -> Vec<Told> {
    blocks(report).iter().filter_map(Block::told).collect()
}

/// Returns who got the mail, by the reports in a mail.
pub(super) fn arrived(mail: &Mail<'_>) -> Vec<Option<String>> {
    let texts = report_parts(mail).map(|part| String::from_utf8_lossy(&part.content));
    let blocks = texts.flat_map(|text| blocks(&text));
    let arrived = blocks.filter(Block::is_delivered).map(|block| block.recipient());
    arrived.take(RECIPIENTS).collect()
}

/// Tells whether a report says of any recipient what became of the mail.
pub(super) fn names_recipient(content: &[u8]) -> bool {
    blocks(&String::from_utf8_lossy(content)).iter().any(Block::is_whole)
}

/// The fields of one recipient.
#[derive(Debug, Default)]
struct Block {
    original: Option<String>,
    last: Option<String>,
    action: Option<String>,
    status: Option<String>,
    diagnostic: Option<String>,
    disposition: Option<String>,
}

/// Gathers the blocks: one ends at a blank line once it is whole, or where a field comes a second time.
fn blocks(report: &str) -> Vec<Block> {
    let mut blocks = vec![Block::default()];
    let mut open = false; // the field being read may go on in the next line
    for line in report.lines() {
        if blocks.len() > RECIPIENTS {
            break;
        }
        let Some(block) = blocks.last_mut() else { break };
        if line.trim().is_empty() {
            open = false;
            if block.is_whole() {
                blocks.push(Block::default());
            }
        } else if line.starts_with([' ', '\t']) {
            if let Some(text) = block.diagnostic.as_mut().filter(|_| open) {
                text.push_str(line);
            }
        } else if let Some((name, value)) = line.split_once(':') {
            let name = name.trim().to_ascii_lowercase();
            open = name == "diagnostic-code";
            if block.field(&name).is_some_and(|field| field.is_some()) {
                blocks.push(Block::default());
            }
            if let Some(field) = blocks.last_mut().and_then(|block| block.field(&name)) {
                *field = Some(value.trim().to_owned());
            }
        }
    }
    blocks
}

impl Block {
    fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "original-recipient" => Some(&mut self.original),
            "final-recipient" => Some(&mut self.last),
            "action" => Some(&mut self.action),
            "status" => Some(&mut self.status),
            "diagnostic-code" => Some(&mut self.diagnostic),
            "disposition" => Some(&mut self.disposition),
            _ => None,
        }
    }

    fn is_whole(&self) -> bool {
        (self.last.is_some() || self.original.is_some())
            && (self.action.is_some() || self.disposition.is_some())
    }

    /// Returns what the block tells, where it tells of trouble.
    fn told(&self) -> Option<Told> {
        let recipient = self.recipient();
        if let Some(disposition) = &self.disposition {
            // RFC 5429 section 2.2: a filter that refuses a mail says so by a reader's report that it was deleted.
            let refused = disposition.to_lowercase().contains("deleted");
            let said = disposition.clone();
            let told = Told { recipient, status: None, permanent: true, given_up: true, said };
            return refused.then_some(told);
        }
        let status = self.status.as_deref().and_then(|s| STATUS.find(s));
        let status = status.map(|m| m.as_str().to_owned());
        let action = self.action.as_deref().unwrap_or_default().to_lowercase();
        let failed = match action.split([' ', ';', '(']).next().unwrap_or_default() {
            "failed" | "failure" | "error" | "expired" => true,
            "delayed" => false,
            // The action is missing: the status tells.
            "" if status.is_some() && recipient.is_some() && !self.is_fine() => true,
            _ => return None, // delivered, relayed, expanded: it arrived
        };
        let diagnostic = self.diagnostic.as_deref().unwrap_or_default();
        let said = format!("{} {diagnostic}", status.as_deref().unwrap_or_default());
        let lasting = status.as_deref().is_none_or(|s| s.starts_with('5'));
        let permanent = failed && lasting && !is_passing(&said);
        let said =
            diagnostic.split_once(';').map_or(diagnostic, |(_, said)| said).trim().to_owned();
        Some(Told { recipient, status, permanent, given_up: failed, said })
    }

    /// Tells whether the mail arrived, or was handed on to a system that sends no reports (RFC 3464 section 2.3.3).
    fn is_delivered(&self) -> bool {
        let action = self.action.as_deref().unwrap_or_default().to_lowercase();
        matches!(action.as_str(), "delivered" | "relayed")
    }

    fn is_fine(&self) -> bool {
        self.status.as_deref().is_some_and(|status| status.starts_with('2'))
    }

    /// Returns the address that was written to; a system on the way may have made another one of it.
    fn recipient(&self) -> Option<String> {
        let typed = |value: &Option<String>| value.as_deref().map(address);
        let original = typed(&self.original).filter(|a| a.contains('@') && !a.contains(' '));
        original.or_else(|| typed(&self.last)).filter(|a| !a.is_empty())
    }
}

/// Returns the address of `rfc822; ann@example.org`.
fn address(value: &str) -> String {
    let address = value.split_once(';').map_or(value, |(_, address)| address).trim();
    let inner = address.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    let address = inner.map_or(address, |(inner, _)| inner);
    let address = address.split_once(" (").map_or(address, |(address, _)| address);
    let address = address.trim().trim_matches(['<', '>', '\'']);
    address.strip_prefix("SMTP:").unwrap_or(address).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Block, blocks};

    #[test]
    fn broken_reports_are_read_as_far_as_they_go() {
        let told = |report: &str| -> Vec<(Option<String>, bool)> {
            let told = blocks(report);
            told.iter().filter_map(Block::told).map(|t| (t.recipient, t.permanent)).collect()
        };
        let one = |address: &str, permanent| vec![(Some(address.to_owned()), permanent)];
        for (report, expected) in [
            (
                "Final-Recipient: rfc822; a@x.org\nAction: failed\nStatus: 5.1.1\n",
                one("a@x.org", true),
            ),
            ("Final-Recipient: a@x.org\nction: failed\nStatus: 5.3.0\n", one("a@x.org", true)),
            (
                "Final-Recipient: a@x.org\nAction: failed\nStatus: 5.2.2 (full)\n",
                one("a@x.org", false),
            ),
            (
                "Diagnostic-Code: smtp; 550\n\nStatus: 5.0.0\nAction: failed\nFinal-Recipient: rfc822; <a@x.org>\n",
                one("a@x.org", true),
            ),
            (
                "Original-Recipient: rfc822; b@x.org\nFinal-Recipient: rfc822; a@host\nAction: delayed\n",
                one("b@x.org", false),
            ),
            ("Final-Recipient: rfc822; a@x.org\nAction: delivered\nStatus: 2.0.0\n", vec![]),
            ("Final-Recipient: rfc822; a@x.org\nStatus: 2.0.0\n", vec![]),
            (
                "Action: failed\nFinal-Recipient: rfc822; a@x.org\nDiagnostic-Code: smtp; 550 over\n quota\n",
                one("a@x.org", false),
            ),
        ] {
            assert_eq!(told(report), expected, "{report}");
        }
        let two =
            "Final-Recipient: a@x.org\nAction: failed\nFinal-Recipient: b@x.org\nAction: failed\n";
        assert_eq!(told(two).len(), 2);
    }
}
