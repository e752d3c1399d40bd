//! `simulate`: plays whole championships with made-up players against the real code, in memory, and checks them. It
//! changes no home; where one is given, its event, its words and its schedule are what is played.

use super::{Done, Failure, Global, home::Home};
use crate::{
    config::{Config, shipped, tournament},
    domain::tournament::{Rules, Tournament},
    notices::render::Templates,
    simulate::{self, Played, Settings, Venue},
    store::atomic,
};
use chrono::{Datelike as _, NaiveDate};
use serde_json::json;
use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

/// Play whole championships with made-up players, in memory, and check them.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Where chance begins; the same number plays the same championship again
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How many entries the players want to have
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=20_000))]
    entries: u64,
    /// The event: its id, a shipped one's name, or a file [default: the home's, else the Golden Knights]
    #[arg(long, value_name = "NAME|FILE")]
    event: Option<String>,
    /// How many championships; each has the next seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    runs: u64,
    /// Stop after so many days, finished or not
    #[arg(long, value_name = "N")]
    days: Option<u64>,
    /// Break off so many in a hundred pieces of the program's work, by a failure or a crash of the store
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=50))]
    mishaps: u64,
    /// Write what happened to this file, a dated line each
    #[arg(long, value_name = "FILE")]
    chronicle: Option<PathBuf>,
    /// Print what happened
    #[arg(short, long)]
    verbose: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let (venue, tournament) = venue(global, args)?;
    let mut failed = Vec::new();
    for run in 0..args.runs {
        let settings = Settings {
            seed: args.seed + run,
            entries: usize::try_from(args.entries).unwrap_or(usize::MAX),
            days: args.days,
            mishaps: args.mishaps,
            chronicle: args.verbose || args.chronicle.is_some(),
        };
        let begun = Instant::now();
        let mut progress = Progress::new(run + 1, args.runs);
        let played = simulate::play(&venue, &tournament, &settings, |day| progress.show(day));
        progress.clear();
        tell(global, args, &tournament, &settings, &played, begun.elapsed().as_millis())?;
        if let Some(violation) = played.violations.first() {
            let again = again(global, args, settings.seed);
            let more = match played.violations.len() {
                1 => String::new(),
                n => format!("\n  and {} more", n - 1),
            };
            failed.push(format!("seed {}, {violation}{more}\n  again: {again}", settings.seed));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Person(failed.join("\n"))) }
}

/// Returns the house and the event that are played.
fn venue(global: &Global, args: &Args) -> Result<(Venue, Tournament), Failure> {
    let is_home = global.home.is_some() || Path::new("knightmail.toml").is_file();
    let (config, templates) = if is_home {
        let home = Home::open(global)?;
        let templates = home.templates()?;
        (home.config, templates)
    } else {
        (Config::shipped(), Templates::shipped())
    };
    let tournament = match &args.event {
        Some(name) => find(&config.rules, name)?,
        None => latest(&config.rules, is_home)?,
    };
    let only = [(tournament.id.clone(), tournament.clone())];
    let venue = Venue {
        house: config.house,
        rules: Rules { tournaments: only.into() },
        jobs: config.service.jobs,
        templates,
        caps: config.service.caps,
        undo: chrono::Duration::from_std(config.service.undo).unwrap_or_default(),
    };
    Ok((venue, tournament))
}

fn find(rules: &Rules, name: &str) -> Result<Tournament, Failure> {
    let mut own = rules.tournaments.values();
    if let Some(own) = own.find(|t| t.id.0.eq_ignore_ascii_case(name)) {
        return Ok(own.clone());
    }
    if let Some(event) = shipped::event(name) {
        return Ok(tournament::read(event.stem, event.text)?);
    }
    let text = fs::read_to_string(name).map_err(|error| {
        let known: Vec<&str> = shipped::EVENTS.iter().map(|event| event.stem).collect();
        let known = known.join(", ");
        Failure::Usage(format!(
            "there is no event {name}, and as a file it cannot be read: {error}\n  hint: shipped are {known}"
        ))
    })?;
    Ok(tournament::read(name, &text)?)
}

/// Returns the event that opens last, or the shipped default.
fn latest(rules: &Rules, is_home: bool) -> Result<Tournament, Failure> {
    let latest = rules.tournaments.values().max_by_key(|t| t.entry.opens);
    match latest.filter(|_| is_home) {
        Some(latest) => Ok(latest.clone()),
        None => find(rules, shipped::EVENTS[0].id),
    }
}

fn tell(
    global: &Global,
    args: &Args,
    tournament: &Tournament,
    settings: &Settings,
    played: &Played,
    milliseconds: u128,
) -> Done {
    if let Some(file) = &args.chronicle {
        let text: String = played.chronicle.iter().flat_map(|line| [line, "\n"]).collect();
        atomic::write(file, text.as_bytes())?;
    }
    if args.verbose && !global.json {
        for line in &played.chronicle {
            println!("{line}");
        }
    }
    let ok = played.violations.is_empty();
    if global.json {
        let violations: Vec<String> = played.violations.iter().map(ToString::to_string).collect();
        let line = json!({
            "seed": settings.seed,
            "event": tournament.id,
            "ok": ok,
            "violations": violations,
            "summary": played.summary.json(),
            "milliseconds": u64::try_from(milliseconds).unwrap_or(u64::MAX),
        });
        println!("{line}");
        return Ok(());
    }
    println!("{}, seed {}", tournament.name, settings.seed);
    println!("{}", played.summary);
    println!("played in  {}.{:03} seconds", milliseconds / 1000, milliseconds % 1000);
    println!("checked    {}\n", if ok { "nothing is wrong" } else { "see below" });
    Ok(())
}

/// Returns the command that plays a championship again.
fn again(global: &Global, args: &Args, seed: u64) -> String {
    let home = global.home.as_ref().map(|home| format!("--home {}", home.display()));
    let event = args.event.as_ref().map(|event| format!("--event {event}"));
    let days = args.days.map(|days| format!("--days {days}"));
    let mishaps = (args.mishaps > 0).then(|| format!("--mishaps {}", args.mishaps));
    let play = format!("simulate --seed {seed} --entries {}", args.entries);
    let words = [Some("knightmail".to_owned()), home, Some(play), event, days, mishaps];
    let words: Vec<String> = words.into_iter().flatten().collect();
    words.join(" ") + " -v"
}

/// The line that shows how far a long run is, on a terminal alone.
struct Progress {
    run: u64,
    runs: u64,
    shown: Option<(i32, u32)>,
    terminal: bool,
}

impl Progress {
    fn new(run: u64, runs: u64) -> Self {
        Self { run, runs, shown: None, terminal: io::stderr().is_terminal() }
    }

    /// Shows a day, where it begins another month.
    fn show(&mut self, day: NaiveDate) {
        let month = (day.year(), day.month());
        if self.terminal && self.shown != Some(month) {
            self.shown = Some(month);
            eprint!("\rchampionship {} of {}: {}", self.run, self.runs, day.format("%B %Y    "));
            // What cannot be shown is not missed.
            let _ = io::stderr().flush();
        }
    }

    fn clear(&self) {
        if self.terminal && self.shown.is_some() {
            eprint!("\r{:60}\r", "");
        }
    }
}
