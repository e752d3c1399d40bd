//! What the manual says beyond the options: an example or two for each command, what the exit codes mean, which files
//! there are. `--help` and the manual pages take it from here; `man` and `completions` write them for a package.

mod examples;

use super::{Cli, Done, Failure, deliver};
use crate::{fault::Fault, store::atomic};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use examples::{EXAMPLES, Example};
use std::{
    fmt::Write as _,
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "done"),
    ("1", "something needs a person; standard error says what"),
    ("2", "wrong use, or a mistake in the configuration: file, line, key and a hint are named"),
    ("3", "the store is damaged; nothing was changed"),
];

/// Those of `deliver`, from sysexits.h.
const DELIVER_CODES: &[(&str, &str)] = &[
    ("0", "taken: the mail is safe"),
    ("64", "wrong use"),
    ("65", "no mail came, or it is larger than a hundred megabytes"),
    ("75", "not now: the disk is full or the home is away; the mail server tries again"),
    ("78", "no home is named"),
];

const FILES: &[(&str, &str)] = &[
    ("knightmail.toml", "the house: names, addresses, mailbox, transport, hours"),
    ("events/*.toml", "the tournaments"),
    ("templates/", "letters in your own words, in place of the shipped ones"),
    ("secrets/", "passwords and keys, where systemd does not hand them over"),
    ("store/", "the books and the archive; all the rest can be made from it"),
    ("views/", "tables and lists to look at, written anew whenever they change"),
    ("print/", "letters that go on paper"),
];

/// Write the manual pages into a folder.
#[derive(clap::Args)]
pub(super) struct ManArgs {
    /// The folder; it is made
    dir: PathBuf,
}

/// Print the completions of a shell.
#[derive(clap::Args)]
pub(super) struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

/// Returns the command line with the examples and exit codes in its long helps.
pub(super) fn command() -> Command {
    Cli::command().after_long_help(exit_codes("")).mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        match examples_of(&name) {
            [] => command,
            examples => command.after_long_help(examples_text(&name, examples)),
        }
    })
}

fn examples_of(name: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(command, _)| *command == name).map_or(&[], |(_, examples)| examples)
}

fn examples_text(name: &str, examples: &[Example]) -> String {
    let mut text = "Examples:".to_owned();
    for (line, what) in examples {
        let _ = write!(text, "\n  knightmail {line}\n      {what}");
    }
    let setup = setup_of(name).map(|lines| format!("\n\n{lines}")).unwrap_or_default();
    text + &setup + "\n\n" + &exit_codes(name)
}

/// Returns the lines for other programs' configurations that a command needs.
fn setup_of(command: &str) -> Option<&'static str> {
    (command == "deliver").then_some(deliver::SETUP)
}

fn codes_of(command: &str) -> &'static [(&'static str, &'static str)] {
    if command == "deliver" { DELIVER_CODES } else { EXIT_CODES }
}

fn exit_codes(command: &str) -> String {
    let mut text = "Exit codes:".to_owned();
    for (code, meaning) in codes_of(command) {
        let _ = write!(text, "\n  {code:<2} {meaning}");
    }
    text
}

pub(super) fn completions(args: &CompletionsArgs) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "knightmail", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
}

pub(super) fn man(args: &ManArgs) -> Done {
    fs::create_dir_all(&args.dir).map_err(|e| Fault::io("make", &args.dir, &e))?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(&args.dir, &command, "knightmail")
}

/// Writes the page of a command and those of its parts.
fn write_pages(dir: &Path, command: &Command, name: &str) -> Result<(), Failure> {
    let command = command.clone().display_name(name);
    let path = dir.join(format!("{name}.1"));
    atomic::write(&path, &page(&command, name)?)?;
    // A manual is for everybody, unlike what else is written here.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644))
        .map_err(|e| Fault::io("open to all", &path, &e))?;
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        write_pages(dir, part, &format!("{name}-{}", part.get_name()))?;
    }
    Ok(())
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let is_root = name == "knightmail";
    let man = clap_mangen::Man::new(command.clone()).manual("Knightmail").date("");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend(synopsis(command).bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut more = String::new();
    examples_section(&mut more, name);
    let part = name.strip_prefix("knightmail-").unwrap_or_default();
    if let Some(lines) = setup_of(part) {
        let lines: Vec<String> = lines.lines().map(escaped).collect();
        let _ = writeln!(more, ".SH \"MAIL SERVERS\"\n.nf\n{}\n.fi", lines.join("\n"));
    }
    list(&mut more, "EXIT STATUS", codes_of(part));
    if is_root {
        list(&mut more, "FILES", FILES);
    } else {
        more.push_str(".SH SEE ALSO\n\\fBknightmail\\fR(1)\n");
    }
    page.extend(more.bytes());
    Ok(page)
}

/// Returns the usage as `--help` has it: what must be given, in order.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    format!(".SH SYNOPSIS\n\\fB{}\\fR\n", escaped(usage))
}

fn examples_section(page: &mut String, name: &str) {
    let command = name.strip_prefix("knightmail-").unwrap_or_default();
    let examples = examples_of(command);
    if !examples.is_empty() {
        page.push_str(".SH EXAMPLES\n");
    }
    for (line, what) in examples {
        let line = format!("knightmail {line}");
        let _ = write!(page, ".TP\n\\fB{}\\fR\n{}\n", escaped(&line), escaped(what));
    }
}

fn list(page: &mut String, title: &str, items: &[(&str, &str)]) {
    let _ = writeln!(page, ".SH \"{title}\"");
    for (name, meaning) in items {
        let _ = write!(page, ".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(meaning));
    }
}

/// Returns a text as roff takes it: nothing in it is a request or an escape.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_every_example_can_be_typed() {
        for command in Cli::command().get_subcommands().filter(|c| !c.is_hide_set()) {
            let name = command.get_name();
            let examples = examples_of(name);
            assert!(!examples.is_empty(), "cli/manual/examples.rs: `{name}` has no example");
            for (line, _) in examples {
                let words = words(&format!("knightmail {line}"));
                assert!(words.iter().any(|word| word == name), "`{line}` is no `{name}`");
                let read = Cli::command().try_get_matches_from(&words);
                assert!(read.is_ok(), "`{line}`: {}", read.unwrap_err());
            }
        }
        let known = Cli::command();
        for (name, _) in EXAMPLES {
            assert!(known.find_subcommand(name).is_some(), "there is no command `{name}`");
        }
    }

    /// Splits a line as a shell does, as far as the examples need it.
    fn words(line: &str) -> Vec<String> {
        let line = line.split(" > ").next().unwrap_or(line);
        let parts = line.split('"').enumerate();
        let mut words = Vec::new();
        for (n, part) in parts {
            if n % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }
}
