//! The command line: what stands in `--help`, and what each command does. It opens a home, asks the office or the
//! books, and prints; it decides nothing. Exit codes: 0 done, 1 something needs a person, 2 wrong use or
//! configuration, 3 the store is damaged.

mod agenda;
mod audit;
mod check;
mod deliver;
pub mod demo;
mod direct;
mod docket;
mod doors;
mod forget;
mod history;
mod home;
mod import;
mod init;
mod keys;
mod ledger;
mod letters;
mod login;
mod manual;
mod post;
mod read;
mod run;
mod show;
mod simulate;
mod standings;
mod status;
mod tables;
mod why;

use crate::{
    config::error::ConfigError,
    fault::Fault,
    office::{orders::ResendArgs, words},
};
use chrono::{DateTime, NaiveDate, Utc};
use clap::{FromArgMatches as _, Parser, Subcommand};
use std::{fmt, io, path::PathBuf, process::ExitCode};

/// Runs correspondence chess championships by email.
///
/// A home is a folder with knightmail.toml, the tournaments, the books and the mail; `knightmail init DIR` makes one.
#[derive(Parser)]
#[command(name = "knightmail", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command takes.
#[derive(clap::Args, Clone, Debug)]
struct Global {
    /// The home [default: the folder you are in, where it holds knightmail.toml]
    #[arg(long, global = true, env = "KNIGHTMAIL_HOME", value_name = "DIR")]
    home: Option<PathBuf>,
    /// Pretend that it is this time, RFC 3339: rehearsals and tests
    #[arg(long, global = true, value_name = "INSTANT", value_parser = instant)]
    now: Option<DateTime<Utc>>,
    /// Show the books as they were at the end of this day
    #[arg(long, global = true, value_name = "DATE")]
    as_of: Option<NaiveDate>,
    /// Print JSON for programs, one object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Make a home from the shipped defaults
    Init(init::Args),
    /// Run the daemon, or one pass
    Run(run::Args),
    /// Take one mail from standard input, for a mail server's alias or transport
    Deliver(deliver::Args),
    /// Look over configuration, templates, books, mailbox and transport
    Check,
    // Its words stand with its arguments: there are many.
    Login(login::Args),
    #[command(subcommand)]
    Keys(keys::Act),
    /// Say what a mail is understood to say; changes nothing
    Read(read::Args),
    /// Show one thing with its history
    Show(show::Args),
    /// Print the crosstable of a section
    Crosstable(tables::CrosstableArgs),
    /// Print the standings of a tournament
    Standings(standings::StandingsArgs),
    /// Print the prizes of a tournament
    Prizes(standings::PrizesArgs),
    /// List what waits for the director
    Docket,
    /// Decide a docket item
    Rule(direct::RuleNow),
    /// Other acts of the director
    Direct(direct::DirectArgs),
    /// Bring data in from a CSV file
    Import(import::Args),
    /// List what went out or waits
    Letters,
    /// Print what a letter looks like, with made-up books
    Preview(letters::PreviewArgs),
    /// Send a letter once more, the same bytes under the same Message-ID
    Resend(ResendArgs),
    /// Tell what stands behind a letter, a result or a docket item
    Why(why::Args),
    /// Tell what will be done, sent and asked in the coming days if nothing arrives; changes nothing
    Agenda(agenda::Args),
    /// Prove that every mail has one outcome and every letter is accounted for
    Audit,
    /// Tell how the program fares: what was read last, what waits, what is out of reach
    Status(status::Args),
    /// Erase a player's addresses and the words of his mails; his results stay
    Forget(forget::Args),
    /// Play whole championships with made-up players, in memory, and check them
    Simulate(simulate::Args),
    /// A guided tour on sample mail, no server needed
    Demo(demo::Args),
    /// Print the completions of a shell
    Completions(manual::CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man(manual::ManArgs),
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something needs a person: exit code 1.
    Person(String),
    /// Wrong use or configuration: exit code 2.
    Usage(String),
    /// Trouble outside: exit code 1, or 3 where the store is damaged.
    Fault(Fault),
    /// What a mail server is told, by an exit code of sysexits.h.
    Exit(u8, String),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Self::Person(_) => 1,
            Self::Usage(_) => 2,
            Self::Exit(code, _) => *code,
            Self::Fault(fault) => {
                if fault.is_transient() {
                    1
                } else {
                    3
                }
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(text) | Self::Usage(text) | Self::Exit(_, text) => f.write_str(text),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Vec<ConfigError>> for Failure {
    fn from(errors: Vec<ConfigError>) -> Self {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Self::Usage(lines.join("\n"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Person(format!("cannot print: {error}"))
    }
}

/// What commands answer.
type Done = Result<(), Failure>;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    leave_quietly_when_nobody_reads();
    let typed = match manual::command().try_get_matches() {
        Ok(typed) => typed,
        Err(error) => return wrong_use(&error),
    };
    let cli = Cli::from_arg_matches(&typed).unwrap_or_else(|wrong| wrong.exit());
    match dispatch(&cli.global, cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Person(text)) if text.is_empty() => ExitCode::from(1),
        Err(failure) => {
            eprintln!("knightmail: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// Prints what is wrong with the options, or the help that was asked for. A mail server that calls `deliver` wrongly is
/// told so by its own code.
fn wrong_use(error: &clap::Error) -> ExitCode {
    let delivers = std::env::args().skip(1).any(|word| word == "deliver");
    // Where nobody reads it there is nothing to be done.
    let _ = error.print();
    match error.exit_code() {
        0 => ExitCode::SUCCESS,
        _ if delivers => ExitCode::from(deliver::USAGE),
        code => ExitCode::from(u8::try_from(code).unwrap_or(2)),
    }
}

/// A reader that goes away (`knightmail letters | head`) ends the program without a word, as it ends others. The
/// standard library has no better door to this than the panic of `println!`.
fn leave_quietly_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let words = info.payload().downcast_ref::<String>();
        if words.is_some_and(|w| w.starts_with("failed printing to stdout") && w.contains("pipe")) {
            std::process::exit(0);
        }
        usual(info);
    }));
}

fn dispatch(global: &Global, command: Command) -> Done {
    match command {
        Command::Init(args) => init::run(&args),
        Command::Run(args) => run::run(global, &args),
        Command::Deliver(args) => deliver::run(global, &args),
        Command::Check => check::run(global),
        Command::Keys(act) => keys::run(global, &act),
        Command::Login(args) => login::run(global, &args),
        Command::Read(args) => read::run(global, &args),
        Command::Show(args) => show::run(global, &args),
        Command::Crosstable(args) => tables::crosstable(global, &args),
        Command::Standings(args) => standings::standings(global, &args),
        Command::Prizes(args) => standings::prizes(global, &args),
        Command::Docket => docket::list(global),
        Command::Rule(args) => direct::rule(global, args),
        Command::Direct(args) => direct::act(global, args),
        Command::Import(args) => import::run(global, &args),
        Command::Letters => letters::list(global),
        Command::Preview(args) => letters::preview(global, &args),
        Command::Resend(args) => direct::resend(global, args),
        Command::Why(args) => why::run(global, &args),
        Command::Agenda(args) => agenda::run(global, &args),
        Command::Audit => audit::run(global),
        Command::Status(args) => status::run(global, &args),
        Command::Forget(args) => forget::run(global, &args),
        Command::Simulate(args) => simulate::run(global, &args),
        Command::Demo(args) => demo::run(&args),
        Command::Completions(args) => {
            manual::completions(&args);
            Ok(())
        }
        Command::Man(args) => manual::man(&args),
    }
}

fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    let read = DateTime::parse_from_rfc3339(text);
    read.map(Into::into)
        .map_err(|e| format!("{e}; write it as 2019-06-01T12:00:00Z or with an offset, -05:00"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
