//! An mbox file as a mailbox to look into (`knightmail read FILE`): many mails, each behind a line `From …`.

/// Returns the mails of an mbox, without their separator lines. A file that does not begin with one is a single mail.
///
/// A line `From …` begins a mail only behind a blank line, and mboxrd's quoting (`>From `) is undone.
pub fn split(bytes: &[u8]) -> Vec<Vec<u8>> {
    if !bytes.starts_with(b"From ") {
        return vec![bytes.to_vec()];
    }
    let mut mails: Vec<Vec<u8>> = Vec::new();
    let mut after_blank = true;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if after_blank && line.starts_with(b"From ") {
            mails.push(Vec::new());
        } else if let Some(mail) = mails.last_mut() {
            mail.extend_from_slice(unquoted(line));
        }
        after_blank = matches!(line, b"\n" | b"\r\n");
    }
    mails
}

fn unquoted(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|b| **b == b'>').count();
    if marks > 0 && line[marks..].starts_with(b"From ") { &line[1..] } else { line }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn mails_are_told_apart_at_separator_lines_only() {
        let mbox = b"From a Mon Jan 1\nA: 1\n\nFrom here on\n>From there\n\nFrom b Mon Jan 1\nB: 2\n\n>>From\n";
        assert_eq!(split(b"A: 1\n\nFrom\n").len(), 1);
        let mails = split(mbox);
        assert_eq!(mails.len(), 3, "a blank line and `From ` begin a mail, as mbox has it");
        assert_eq!(mails[2], b"B: 2\n\n>>From\n");
        let quoted = b"From a Mon Jan 1\nA: 1\n\ntext\n>From there\n>>From afar\n";
        assert_eq!(split(quoted), [b"A: 1\n\ntext\nFrom there\n>From afar\n".to_vec()]);
    }
}
