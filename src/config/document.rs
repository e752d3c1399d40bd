//! A TOML file with the places of its keys, so that every mistake is told with line, column and key. A file is read
//! with serde, which stops at its first mistake; here the shipped file lends what is wrong or missing and the reading
//! goes on, so that all mistakes are told at once. What the values mean is checked by `service.rs` and `tournament.rs`.

use super::{
    error::{ConfigError, nearest},
    wording::{example_hint, missing_key_hint, plain, unknown_key_hint},
};
use serde::de::DeserializeOwned;
use std::{fmt::Write as _, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, DeValue, Deserializer},
};

/// Mistakes told of one file. Nobody mends more at once.
const MISTAKES: usize = 50;

/// A file of the configuration, read as TOML.
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    text: &'a str,
    root: Spanned<DeValue<'a>>,
}

/// Says what stands in a line for the second time, and where it stood before. None for a key of a table that is there
/// twice itself: the table is told.
fn told_twice(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_table = |line: &str| line.starts_with('[');
    let name = |line: &str| match line.split_once(']') {
        Some((table, _)) if is_table(line) => format!("{table}]"),
        _ => line.split('=').next().unwrap_or_default().trim().to_owned(),
    };
    let first = |what: &str, from: usize, to: usize| {
        let found = lines.get(from..to)?.iter().position(|line| name(line) == what);
        found.map(|n| from + n)
    };
    let here = lines.get(line)?;
    let what = name(here);
    let table = if is_table(here) { None } else { lines[..line].iter().rposition(|l| is_table(l)) };
    if let Some(table) = table
        && !lines[table].starts_with("[[")
        && first(&name(lines[table]), 0, table).is_some()
    {
        return None;
    }
    Some(match first(&what, table.map_or(0, |n| n + 1), line) {
        Some(other) => format!("{what} stands here and in line {}", other + 1),
        None => format!("{what} stands here for the second time"),
    })
}

/// The mistakes found in a document so far.
pub(super) struct Mistakes<'a> {
    document: &'a Document<'a>,
    found: Vec<ConfigError>,
}

impl<'a> Document<'a> {
    /// Reads a file as TOML; the errors are those of its syntax.
    pub(super) fn parse(file: &'a str, text: &'a str) -> Result<Self, Vec<ConfigError>> {
        let (tree, errors) = DeTable::parse_recoverable(text);
        let span = tree.span();
        let root = Spanned::new(span, DeValue::Table(tree.into_inner()));
        let document = Self { file, text, root };
        if errors.is_empty() {
            return Ok(document);
        }
        let told = errors.iter().filter_map(|error| {
            let at = error.span();
            if error.message() != "duplicate key" {
                let hint = "strings stand in quotes, and every quote and bracket is closed";
                return Some(document.error(at, "", error.message(), hint));
            }
            let line = text.get(..at.as_ref()?.start)?.matches('\n').count();
            let what = told_twice(text, line)?;
            Some(document.error(at, "", what, "take one of the two out"))
        });
        let told: Vec<_> = told.take(MISTAKES).collect();
        // Never without a word, whatever the parser meant.
        let whole = || vec![document.error(errors[0].span(), "", errors[0].message(), "mend it")];
        Err(if told.is_empty() { whole() } else { told })
    }

    /// Reads the values. A sample, a file that is known to be right, lends what is wrong here or missing.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        sample: &Document<'static>,
    ) -> Result<T, Vec<ConfigError>> {
        let mut errors = self.unquoted(sample);
        let mut root = self.root.clone();
        for _ in 0..MISTAKES {
            let DeValue::Table(table) = root.get_ref().clone() else { break };
            match T::deserialize(Deserializer::from(Spanned::new(root.span(), table))) {
                Ok(value) if errors.is_empty() => return Ok(value),
                Ok(_) => break,
                Err(error) => {
                    let (key, mended) = self.explain(&error, sample, &mut errors);
                    if !mend(&mut root, &key, mended, sample) {
                        break;
                    }
                }
            }
        }
        errors.sort_by_key(|e| (e.line, e.column));
        Err(errors)
    }

    /// Starts to collect mistakes of meaning.
    pub(super) fn mistakes(&'a self) -> Mistakes<'a> {
        Mistakes { document: self, found: Vec::new() }
    }

    fn error(
        &self,
        span: Option<Range<usize>>,
        key: &str,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> ConfigError {
        let before = span.and_then(|s| self.text.get(..s.start));
        let line = before.map_or(0, |b| b.matches('\n').count() + 1);
        let column = before.map_or(0, |b| b.chars().rev().take_while(|c| *c != '\n').count() + 1);
        let (file, key, what, hint) =
            (self.file.to_owned(), key.to_owned(), what.into(), hint.into());
        ConfigError { file, line, column, key, what, hint }
    }

    /// Returns the place of a key; of a key that is not there, the place of the table it would stand in.
    fn place(&self, key: &str) -> Range<usize> {
        let mut node = &self.root;
        for step in steps(key) {
            let Some(next) = child(node, step) else { break };
            node = next;
        }
        node.span()
    }

    /// Returns the value of a key; where a list is shorter here, its first element stands for the others.
    fn find_like(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        steps(key).try_fold(&self.root, |node, step| match (node.get_ref(), step) {
            (DeValue::Array(array), Step::Place(n)) => array.get(n).or_else(|| array.first()),
            _ => child(node, step),
        })
    }

    /// Tells whether a key's value is a list.
    pub(super) fn is_list(&self, key: &str) -> bool {
        self.find_like(key).is_some_and(|node| node.get_ref().is_array())
    }

    /// Returns the text of a value: an example for somebody who must write one.
    pub(super) fn example(&self, key: &str) -> Option<&str> {
        let node = self.find_like(key)?;
        let text = self.text.get(node.span()).filter(|text| !text.contains('\n'));
        text.filter(|text| !matches!(node.get_ref(), DeValue::Table(_)) && !text.starts_with("[["))
    }

    /// Returns the mistakes of numbers and dates that stand without the quotes that keep them exact.
    fn unquoted(&self, sample: &Document<'static>) -> Vec<ConfigError> {
        let mut errors = Vec::new();
        walk(&self.root, "", &mut |key, _, node| {
            let what = match node.get_ref() {
                DeValue::Float(_) => "a number with a point stands here without quotes",
                DeValue::Datetime(_) => "a date stands here without quotes",
                _ => return,
            };
            if sample.find_like(key).is_some_and(|n| n.get_ref().is_str()) {
                let text = self.text.get(node.span()).unwrap_or_default();
                let hint = format!("write it as \"{text}\"");
                errors.push(self.error(Some(node.span()), key, what, hint));
            }
        });
        errors
    }

    /// Adds the error that serde found and returns its key, with how to mend it.
    fn explain(
        &self,
        error: &toml::de::Error,
        sample: &Document<'static>,
        errors: &mut Vec<ConfigError>,
    ) -> (String, Mend) {
        let span = error.span().filter(|span| *span != self.root.span());
        let mut key = span.as_ref().map_or_else(String::new, |span| self.key_at(span));
        let message = error.message();
        let mut words = message.split('`');
        let (start, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let known: Vec<&str> = words.skip(1).step_by(2).collect();
        let (what, hint, mend) = match start {
            "unknown field " => {
                let hint = unknown_key_hint(name, &known);
                ("there is no such key".to_owned(), hint, Mend::Remove)
            }
            "missing field " => {
                let _ = write!(key, "{}{name}", if key.is_empty() { "" } else { "." });
                let hint = missing_key_hint(&key, name, sample);
                ("it is missing".to_owned(), hint, Mend::Lend)
            }
            "unknown variant " => {
                let hint = nearest(name, &known)
                    .map(|near| format!("did you mean \"{near}\"? "))
                    .unwrap_or_default();
                let what = format!("\"{name}\" is not known here");
                (what, format!("{hint}known here: {}", known.join(", ")), Mend::Lend)
            }
            _ => (plain(message), example_hint(&key, sample), Mend::Lend),
        };
        if errors.iter().all(|e| e.key != key) {
            errors.push(self.error(span, &key, what, hint));
        }
        (key, mend)
    }

    /// Returns the innermost key that a place belongs to.
    fn key_at(&self, place: &Range<usize>) -> String {
        let (mut exact, mut around) = (None, String::new());
        walk(&self.root, "", &mut |key, span, node| {
            if span == *place || node.span() == *place {
                exact = Some(key.to_owned());
            } else if node.span().start <= place.start && place.end <= node.span().end {
                key.clone_into(&mut around);
            }
        });
        exact.unwrap_or(around)
    }
}

impl Mistakes<'_> {
    /// Notes a mistake at a key.
    pub(super) fn at(&mut self, key: &str, what: impl Into<String>, hint: impl Into<String>) {
        let error = self.document.error(Some(self.document.place(key)), key, what, hint);
        self.found.push(error);
    }

    /// Returns a value if there was no mistake.
    pub(super) fn or<T>(self, value: T) -> Result<T, Vec<ConfigError>> {
        let mut found = self.found;
        found.sort_by_key(|e| (e.line, e.column));
        if found.is_empty() { Ok(value) } else { Err(found) }
    }
}

/// How to go on reading behind a mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mend {
    /// Without the key.
    Remove,
    /// With the sample's value.
    Lend,
}

/// One step of a key: `deadlines` or `[2]`.
#[derive(Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Place(usize),
}

fn steps(key: &str) -> impl Iterator<Item = Step<'_>> {
    key.split(['.', '[']).filter(|s| !s.is_empty()).map(|step| {
        let place = step.strip_suffix(']').and_then(|n| n.parse::<usize>().ok());
        place.map_or(Step::Name(step), |n| Step::Place(n.saturating_sub(1)))
    })
}

/// Returns what a step leads to.
fn child<'n, 'i>(
    node: &'n Spanned<DeValue<'i>>,
    step: Step<'_>,
) -> Option<&'n Spanned<DeValue<'i>>> {
    match (node.get_ref(), step) {
        (DeValue::Table(table), Step::Name(name)) => table.get(name),
        (DeValue::Array(array), Step::Place(n)) => array.get(n),
        _ => None,
    }
}

/// Shows every key of a tree with its place and value, from the outside in.
fn walk<'n, 'i>(
    node: &'n Spanned<DeValue<'i>>,
    key: &str,
    show: &mut impl FnMut(&str, Range<usize>, &'n Spanned<DeValue<'i>>),
) {
    let dot = if key.is_empty() { "" } else { "." };
    match node.get_ref() {
        DeValue::Table(table) => {
            for (name, value) in table {
                let key = format!("{key}{dot}{}", name.get_ref());
                show(&key, name.span(), value);
                walk(value, &key, show);
            }
        }
        DeValue::Array(array) => {
            for (n, value) in array.iter().enumerate() {
                let key = format!("{key}[{}]", n + 1);
                show(&key, value.span(), value);
                walk(value, &key, show);
            }
        }
        _ => {}
    }
}

/// Takes a key out of a tree, or puts the sample's value in its place. Tells whether that could be done.
fn mend(root: &mut Spanned<DeValue<'_>>, key: &str, how: Mend, sample: &Document<'static>) -> bool {
    let lent = sample.find_like(key).filter(|_| how == Mend::Lend).cloned();
    let all: Vec<_> = steps(key).collect();
    let Some((last, way)) = all.split_last() else { return false };
    let table_of = way.iter().try_fold(root, |node, step| match (node.get_mut(), step) {
        (DeValue::Table(table), Step::Name(name)) => table.get_mut(*name),
        (DeValue::Array(array), Step::Place(n)) => array.get_mut(*n),
        _ => None,
    });
    match (table_of.map(Spanned::get_mut), last, lent) {
        (Some(DeValue::Table(table)), Step::Name(name), Some(value)) => {
            table.insert(Spanned::new(0..0, (*name).to_owned().into()), value);
            true
        }
        (Some(DeValue::Table(table)), Step::Name(name), None) => table.remove(*name).is_some(),
        (Some(DeValue::Array(array)), Step::Place(n), Some(value)) => {
            array.get_mut(*n).map(|place| *place = value).is_some()
        }
        _ => false,
    }
}
