//! A mistake in a configuration file: the director's to mend, so it names the file, the line, the key, and what would
//! be right. It never quotes the line, which could hold a secret that is in the wrong place.

use std::fmt;

/// A mistake in a file of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, as seen from the home: `events/golden-knights-2019.toml`.
    pub file: String,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// The character in the line, counted from 1; 0 where the whole file is meant.
    pub column: usize,
    /// The key, `schedule.summary` or `entry.deadlines[2].by`; empty where there is none.
    pub key: String,
    /// What is wrong, a sentence without its full stop.
    pub what: String,
    /// What would be right, a sentence without its full stop.
    pub hint: String,
}

impl ConfigError {
    /// Returns an error about a file as a whole.
    pub fn of_file(file: &str, what: impl Into<String>, hint: impl Into<String>) -> Self {
        let (what, hint) = (what.into(), hint.into());
        Self { file: file.to_owned(), line: 0, column: 0, key: String::new(), what, hint }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}\n  hint: {}", self.what, self.hint)
    }
}

impl std::error::Error for ConfigError {}

/// Returns the word of a list that a misspelt one most likely stands for.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().map(|k| (distance(&word.to_lowercase(), &k.to_lowercase()), *k));
    near.min().filter(|(steps, k)| *steps <= k.chars().count().max(3) / 3).map(|(_, k)| k)
}

/// Returns how many letters must be put in, taken out or changed to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_guessed_and_a_strange_one_is_not() {
        let known = ["name", "address", "aliases", "timezone", "authserv_id"];
        for (word, guess) in [
            ("nmae", None),
            ("nam", Some("name")),
            ("adress", Some("address")),
            ("alias", Some("aliases")),
            ("time_zone", Some("timezone")),
            ("Timezone", Some("timezone")),
            ("colour", None),
        ] {
            assert_eq!(nearest(word, &known), guess, "{word}");
        }
    }
}
