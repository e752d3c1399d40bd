//! Reading source text for `tidy.rs`: what a file uses, what it cites, how long its functions are. It reads what rustfmt
//! has laid out and does not understand Rust beyond that.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A source file: its path from the root, and its text.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// The lines before the unit tests, which may use what they like; numbered from 1, comments left out.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let program = self.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        let bare = |line: &str| !line.trim_start().starts_with("//");
        (1..).zip(program).filter(move |(_, line)| bare(line))
    }

    /// The part of the program that the file belongs to: `mail` of `src/mail/date.rs`, `clock` of `src/clock.rs`.
    pub(super) fn layer(&self) -> Option<&str> {
        let path = self.path.strip_prefix("src/")?;
        let part = path.split(['/', '.']).next()?;
        (!matches!(part, "lib" | "main")).then_some(part)
    }
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn files(folder: &str, extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                let text = fs::read_to_string(&path).expect("a text in UTF-8");
                let path = path.strip_prefix(root()).expect("it is below the root");
                found.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "no .{extension} file below {folder}");
    found
}

pub(super) fn sources() -> Vec<Source> {
    files("src", "rs")
}

pub(super) fn is_word(text: &str, at: usize, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    !text[..at].ends_with(letter) && !text[at + word.len()..].starts_with(letter)
}

/// Whether a line uses a crate: `use lettre`, `lettre::` as a path of its own.
pub(super) fn names_crate(line: &str, name: &str) -> bool {
    let used = line.match_indices(name).any(|(at, _)| {
        let path = line[at + name.len()..].starts_with("::") && !line[..at].ends_with("::");
        let import = line[..at].trim_end().ends_with("use");
        is_word(line, at, name) && (path || import)
    });
    used && !line.trim_start().starts_with("mod ")
}

/// The parts that a file uses: the first words of its `crate::…` paths, with the line of each. Imports that are spread
/// over lines, `use crate::{`, are put together first.
pub(super) fn uses(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (number, line) in source.code() {
        if let Some(depth) = open {
            if depth == 1
                && let Some(word) = first_word(line)
            {
                found.push((number, word));
            }
            open = depth_after(line, depth);
            continue;
        }
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            if line[..at].ends_with("in ") {
                continue;
            }
            match rest.strip_prefix('{') {
                None => found.extend(first_word(rest).map(|word| (number, word))),
                Some(list) if list.trim().is_empty() => open = Some(1),
                Some(list) => {
                    found.extend(top_words(list).into_iter().map(|word| (number, word)));
                }
            }
        }
    }
    found
}

pub(super) fn first_word(text: &str) -> Option<String> {
    let word: String =
        text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!word.is_empty()).then_some(word)
}

fn depth_after(line: &str, depth: usize) -> Option<usize> {
    let depth = depth + line.matches('{').count();
    depth.checked_sub(line.matches('}').count()).filter(|depth| *depth > 0)
}

/// The first words of a list in braces on one line, whatever stands in braces within.
fn top_words(list: &str) -> Vec<String> {
    let mut depth = 1;
    let mut words = vec![String::new()];
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => words.push(String::new()),
            c if depth == 1 => words.last_mut().expect("one at least").push(c),
            _ => {}
        }
    }
    words.iter().filter_map(|word| first_word(word)).collect()
}

/// Functions that are too long: where they begin, their names and lengths. rustfmt has laid the text out, so a function
/// ends with the first line that closes a brace at its own indent. A line that only names one more pattern of a match
/// (`| Event::…`) is not counted: a list of all events is as long as there are events.
pub(super) fn long_functions(text: &str, longest: usize) -> Vec<(usize, String, usize)> {
    let mut long = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        let Some((before, rest)) = line.split_once("fn ") else { continue };
        let words = before.trim_start();
        let opens = words.is_empty()
            || words.starts_with("pub")
            || matches!(words.trim(), "const" | "async");
        if !opens || words.contains('"') {
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let closes = |line: &&&str| line.strip_prefix(indent) == Some("}");
        let body = lines[n..].iter().take_while(|line| !closes(line));
        let length = 1 + body.filter(|line| !line.trim_start().starts_with("| ")).count();
        if length > longest && !line.trim_end().ends_with(['}', ';']) {
            long.push((n + 1, first_word(rest).unwrap_or_default(), length));
        }
    }
    long
}

/// The rules that a text cites, `Rule 9` or `Rules 1, 8 and 9`, with the line of each.
pub(super) fn cited(text: &str) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for (at, _) in text.match_indices("Rule") {
            let rest = &text[at + "Rule".len()..];
            if let Some(rest) = rest.strip_prefix(' ') {
                found.extend(number(rest).map(|(rule, _)| (line, rule)));
            } else if let Some(mut rest) = rest.strip_prefix("s ") {
                while let Some((rule, after)) = number(rest) {
                    found.push((line, rule));
                    let next = [", ", " and ", " to "].iter().find_map(|s| after.strip_prefix(s));
                    rest = next.unwrap_or_default();
                }
            }
        }
    }
    found
}

/// A number at the beginning of a text, and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
