//! The lines of a text, each with its depth of quotation and its role: what is the sender's own, and what is not.

/// Stands before the lines of an HTML part that a program marks as the sender's signature (a private character, so that
/// nobody writes it; who does has his line set aside).
pub(super) const SIGNATURE: char = '\u{e000}';
/// Stands before the lines in which the program of an HTML part says whom it quotes.
pub(super) const ATTRIBUTION: char = '\u{e001}';
/// The line in the place of which the program of an HTML part begins the mail that is answered.
pub(super) const RULED: char = '\u{e002}';

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The sender's.
    Own,
    /// Quoted from somebody, with the line that says from whom.
    Quote,
    /// A copy of a letter of ours.
    OurLetter,
    /// From a mail that is passed on.
    Forwarded,
    /// The sender's signature.
    Signature,
    /// What a mail program, a scanner, a list or a lawyer adds.
    Footer,
    /// What stands below the line that a telephone adds: nobody knows whose it is.
    BelowTelephone,
}

/// One line.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The line without its quotation marks.
    pub(super) text: &'a str,
    /// The line as it stands.
    pub(super) whole: &'a str,
    /// How many quotation marks stand before it.
    pub(super) depth: usize,
    /// Whose it is.
    pub(super) role: Role,
}

/// All lines of a text.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// The lines, from the top.
    pub(super) lines: Vec<Line<'a>>,
}

impl<'a> Page<'a> {
    /// Splits a text.
    pub(super) fn of(text: &'a str) -> Self {
        Self { lines: text.lines().map(line).collect() }
    }

    /// Gives all lines of a range a role.
    pub(super) fn mark(&mut self, range: std::ops::Range<usize>, role: Role) {
        let end = range.end.min(self.lines.len());
        for line in self.lines.get_mut(range.start..end).into_iter().flatten() {
            line.role = role;
        }
    }

    /// Counts the lines of a role that say something.
    pub(super) fn count(&self, role: Role) -> usize {
        self.lines.iter().filter(|l| l.role == role && !l.text.trim().is_empty()).count()
    }

    /// Tells whether a line is the sender's and says something.
    pub(super) fn is_own(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(|l| l.role == Role::Own && !l.text.trim().is_empty())
    }

    /// Returns the place of the next line that is not blank, from here on.
    pub(super) fn next_said(&self, from: usize) -> Option<usize> {
        (from..self.lines.len()).find(|at| !self.lines[*at].text.trim().is_empty())
    }

    /// Returns the sender's lines as a text, without blank lines around it and at most two in a row within.
    pub(super) fn kept(&self) -> String {
        let mut text = String::new();
        let mut blanks = 0;
        for line in self.lines.iter().filter(|l| l.role == Role::Own) {
            let content = line.whole.trim_end();
            if content.is_empty() {
                blanks += 1;
                continue;
            }
            if !text.is_empty() {
                text.push_str(&"\n\n\n"[..=blanks.min(2)]);
            }
            blanks = 0;
            text.push_str(content);
        }
        text
    }
}

/// Counts the marks `>` before a line, with blanks between them, as programs write them.
fn line(whole: &str) -> Line<'_> {
    let mut depth = 0;
    let mut text = whole;
    loop {
        let bare = text.trim_start_matches([' ', '\t', '\u{a0}']);
        // A mark that stands far from the margin is a bracket of a table, not a quotation.
        if text.len() - bare.len() > 3 {
            break;
        }
        match bare.strip_prefix('>') {
            Some(rest) => {
                depth += 1;
                text = rest;
            }
            None => break,
        }
    }
    let text = if depth > 0 { text.strip_prefix(' ').unwrap_or(text) } else { text };
    let role = match text.chars().next() {
        Some(SIGNATURE) => Role::Signature,
        Some(ATTRIBUTION | RULED) => Role::Quote,
        _ => Role::Own,
    };
    let text = text.trim_start_matches([SIGNATURE, ATTRIBUTION, RULED]);
    Line { text, whole, depth, role }
}
