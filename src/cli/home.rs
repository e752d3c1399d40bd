//! Opening a home: the configuration, the doors that it names, and the books, for reading or for writing.

use super::{Failure, Global, doors};
use crate::{
    clock::{Clock, FixedClock, SystemClock},
    config::Config,
    domain::command::Command,
    domain::event::Event,
    fault::Fault,
    notices::{pages::fonts::Fonts, render::Templates},
    office::{Announce, Doors, Office, Pulse, Standing, books::Books},
    store::{Store as _, files::FileStore, transaction::Transaction},
    transport::print::PrintFolder,
};
use chrono::{DateTime, NaiveDate, Utc};
use std::{
    env, fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// A home, with its configuration read.
pub(super) struct Home {
    /// The folder.
    pub(super) dir: PathBuf,
    /// What its files say.
    pub(super) config: Config,
    now: Option<DateTime<Utc>>,
    as_of: Option<NaiveDate>,
}

impl Home {
    /// Finds and reads the home that the options name.
    pub(super) fn open(global: &Global) -> Result<Self, Failure> {
        let dir = find(global)?;
        let config = Config::load(&dir)?;
        Ok(Self { dir, config, now: global.now, as_of: global.as_of })
    }

    /// Returns the present, or what `--now` says it is.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock().now()
    }

    /// Returns the day for which the books are read: that of `--as-of`, else today.
    pub(super) fn day(&self) -> NaiveDate {
        self.as_of.unwrap_or_else(|| self.config.house.day(self.now()))
    }

    fn clock(&self) -> Box<dyn Clock> {
        match self.now {
            Some(now) => Box::new(FixedClock(now)),
            None => Box::new(SystemClock),
        }
    }

    /// Returns the templates, the director's own in place of the shipped ones.
    pub(super) fn templates(&self) -> Result<Templates, Failure> {
        let own = own_templates(&self.dir.join("templates"))?;
        let own = own.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        Templates::of_home(own, own_fonts(&self.dir.join("fonts"))?)
            .map_err(|e| Failure::Usage(format!("templates/{e}")))
    }

    /// Returns the books as they are, or as they were at the end of the day `--as-of` names.
    pub(super) fn books(&self) -> Result<Books, Failure> {
        self.books_with(|_| ())
    }

    /// Returns the books, and shows every transaction on the way.
    pub(super) fn books_with(&self, mut each: impl FnMut(&Transaction)) -> Result<Books, Failure> {
        let mut store = self.reader()?;
        let mut books = Books::default();
        store.catch_up(&mut |transaction| {
            let house = &self.config.house;
            if self.as_of.is_none_or(|last| house.day(transaction.at) <= last) {
                books.follow(transaction, house);
                each(transaction);
            }
        })?;
        Ok(books)
    }

    /// Opens the store for reading only: no lock, nothing changes.
    pub(super) fn reader(&self) -> Result<FileStore, Failure> {
        Ok(FileStore::read_only(&self.dir)?)
    }

    /// Returns what the office of this home goes by.
    pub(super) fn standing(&self) -> Result<Standing, Failure> {
        let Config { service, house, rules } = &self.config;
        Ok(Standing {
            house: house.clone(),
            rules: rules.clone(),
            jobs: service.jobs.clone(),
            templates: self.templates()?,
            caps: service.caps,
            undo: chrono::Duration::from_std(service.undo).unwrap_or_default(),
        })
    }

    /// Opens the office of this home. `pulse` is called between the batches of a long pass.
    pub(super) fn office(&self, pulse: Pulse) -> Result<Office, Failure> {
        let standing = self.standing()?;
        let doors = Doors {
            mailbox: doors::mailbox(&self.config.service, &self.dir),
            transport: doors::transport(&self.config.service),
            paper: Box::new(PrintFolder::new(self.dir.join("print"))),
            store: Box::new(FileStore::open(&self.dir)?),
            signatures: doors::signatures(&self.config.service)?,
            clock: self.clock(),
            pulse,
        };
        Ok(Office::open(standing, doors))
    }

    /// Carries out orders of the director; see [`Office::direct`].
    pub(super) fn direct(
        &self,
        words: &str,
        commands: &[Command],
        announce: Announce,
    ) -> Result<Vec<Event>, Failure> {
        Ok(self.office(undisturbed())?.direct(words, commands, announce)?)
    }
}

/// The pulse of a pass that nobody watches and nobody stops.
pub(super) fn undisturbed() -> Pulse {
    Box::new(|_| ControlFlow::Continue(()))
}

/// Returns the present instant.
pub(super) fn present() -> DateTime<Utc> {
    SystemClock.now()
}

/// Returns the home that the options name; whether it is one is not looked at.
pub(super) fn find(global: &Global) -> Result<PathBuf, Failure> {
    if let Some(home) = &global.home {
        return Ok(home.clone());
    }
    let here = env::current_dir().map_err(|e| Failure::Usage(format!("no current folder: {e}")))?;
    if here.join("knightmail.toml").is_file() {
        return Ok(here);
    }
    let hint = "name it with --home DIR or KNIGHTMAIL_HOME; knightmail init DIR makes one";
    Err(Failure::Usage(format!(
        "this folder is no home: it has no knightmail.toml\n  hint: {hint}"
    )))
}

fn own_fonts(dir: &Path) -> Result<Fonts, Failure> {
    let mut own = Vec::new();
    let Ok(listed) = fs::read_dir(dir) else { return Ok(Fonts::shipped()) };
    for entry in listed {
        let path = entry.map_err(|e| Fault::io("list", dir, &e))?.path();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
        if matches!(ending.as_str(), "ttf" | "otf" | "ttc" | "otc") {
            let bytes = fs::read(&path).map_err(|e| Fault::io("read", &path, &e))?;
            own.push((path.file_name().unwrap_or_default().display().to_string(), bytes));
        }
    }
    own.sort();
    let hint = "take it out of the folder; .ttf, .otf and .ttc files can be used";
    Fonts::with_own(own)
        .map_err(|name| Failure::Usage(format!("fonts/{name}: this is no font\n  hint: {hint}")))
}

fn own_templates(dir: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut own = Vec::new();
    let Ok(listed) = fs::read_dir(dir) else { return Ok(own) };
    for entry in listed {
        let path = entry.map_err(|e| Fault::io("list", dir, &e))?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| Fault::io("read", &path, &e))?;
        own.push((name, text));
    }
    own.sort();
    Ok(own)
}
