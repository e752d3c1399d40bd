//! The configuration of a home: `knightmail.toml` (the house), `events/*.toml` (the tournaments) and `reply.keys`.
//! Files are read once, checked in full, and every mistake is told with file, line, key and what would be right
//! ([`error::ConfigError`]). Nothing here is changed by the program; the shipped files are the defaults.

pub mod answers;
mod document;
pub mod error;
pub mod keys;
pub mod places;
pub mod service;
pub mod shipped;
pub mod tournament;
pub mod trust;
mod wording;

use crate::{
    domain::tournament::{Rules, Tournament},
    house::House,
    token::ReplyKeys,
};
use error::ConfigError;
use service::Service;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Everything that the files of a home say.
#[derive(Clone, Debug)]
pub struct Config {
    /// The service: mailbox, transport, schedule.
    pub service: Service,
    /// The house, with its keys.
    pub house: House,
    /// The tournaments.
    pub rules: Rules,
}

impl Config {
    /// Returns the configuration as it is shipped, for looking at a mail where there is no home. Its key is no secret;
    /// nothing is written with it.
    ///
    /// # Panics
    /// Never: the shipped files are tested.
    pub fn shipped() -> Self {
        let home = Path::new(".");
        let service = Service::read(shipped::SERVICE, home).expect("the shipped file is right");
        let read = |e: &shipped::Event| {
            tournament::read(e.stem, e.text).expect("the shipped file is right")
        };
        let tournaments = shipped::EVENTS.iter().map(read);
        let rules = Rules { tournaments: tournaments.map(|t| (t.id.clone(), t)).collect() };
        let house = service.house(ReplyKeys::new(vec![b"no secret".to_vec()]));
        Self { service, house, rules }
    }

    /// Reads and checks all files of a home.
    ///
    /// # Errors
    /// All mistakes of all files.
    pub fn load(home: &Path) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        let service = read_file(home, service::FILE)
            .map_err(|e| vec![e])
            .and_then(|text| Service::read(&text, home))
            .map_err(|found| errors.extend(found));
        let keys = keys::load(home).map_err(|e| errors.push(e));
        let rules = load_rules(home).map_err(|found| errors.extend(found));
        match (service, keys, rules) {
            (Ok(service), Ok(keys), Ok(rules)) => {
                Ok(Self { house: service.house(keys), service, rules })
            }
            _ => Err(errors),
        }
    }
}

fn load_rules(home: &Path) -> Result<Rules, Vec<ConfigError>> {
    let mut errors = Vec::new();
    let mut read: Vec<(String, String, Tournament)> = Vec::new();
    for file in event_files(home).map_err(|e| vec![e])? {
        let found = read_file(home, &file).map_err(|e| vec![e]);
        match found.and_then(|text| Ok((tournament::read(&file, &text)?, text))) {
            Ok((tournament, text)) => read.push((file, text, tournament)),
            Err(found) => errors.extend(found),
        }
    }
    errors.extend(tournament::check_together(&read));
    if !errors.is_empty() {
        return Err(errors);
    }
    let by_id = read.into_iter().map(|(_, _, tournament)| (tournament.id.clone(), tournament));
    Ok(Rules { tournaments: by_id.collect() })
}

/// Returns the files of the tournaments, in order of their names.
fn event_files(home: &Path) -> Result<Vec<String>, ConfigError> {
    let hint = "knightmail init lays the shipped tournaments there";
    let listed = fs::read_dir(home.join("events")).and_then(|dir| {
        dir.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<PathBuf>, _>>()
    });
    let listed = listed
        .map_err(|e| ConfigError::of_file("events", format!("it cannot be read: {e}"), hint))?;
    let toml = listed.iter().filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let names = toml.filter_map(|path| path.file_name()?.to_str());
    let mut files: Vec<_> =
        names.filter(|n| !n.starts_with('.')).map(|n| format!("events/{n}")).collect();
    files.sort();
    if files.is_empty() {
        return Err(ConfigError::of_file("events", "there is no tournament in it", hint));
    }
    Ok(files)
}

fn read_file(home: &Path, file: &str) -> Result<String, ConfigError> {
    fs::read_to_string(home.join(file)).map_err(|e| {
        let hint = "check --home; knightmail init makes a new home";
        ConfigError::of_file(file, format!("it cannot be read: {e}"), hint)
    })
}
