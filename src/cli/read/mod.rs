//! `read`: what a mail is understood to say, with the reasons. Changes nothing. A file, a Maildir, an mbox or standard
//! input (`-`) may be named; of several mails a summary follows. How it looks for people is `page.rs`.

mod page;

use super::{Done, Failure, Global, home::Home};
use crate::{
    clock::{Clock as _, SystemClock},
    config::Config,
    digest::Digest,
    fault::Fault,
    mail::{self, understanding::Understanding},
    mailbox::{Mailbox as _, maildir::Maildir, mbox},
    office::{books::Books, harm},
};
use chrono::{DateTime, Utc};
use page::Page;
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// Say what a mail is understood to say.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Mails, Maildirs or mbox files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only the summary: how many mails of which kind, and how sure
    #[arg(long, conflicts_with = "json")]
    summary: bool,
}

/// A mail to be read.
struct Sheet {
    name: String,
    stamped: Option<DateTime<Utc>>,
    bytes: Vec<u8>,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let (config, books, now) = desk(global)?;
    let desk = mail::Desk {
        house: &config.house,
        rules: &config.rules,
        state: &books.state,
        letters: &books,
        signed_by: &[],
        now,
    };
    let mut page = Page::new(&books.state);
    for file in &args.files {
        for sheet in sheets(file)? {
            let mut understanding = mail::read(&sheet.bytes, sheet.stamped, &desk);
            harm::note(&mut understanding, &books.state, &config.house);
            if global.json {
                println!("{}", as_json(&sheet, &understanding));
                continue;
            }
            page.count(&understanding);
            if !args.summary {
                page.print(&sheet.name, &understanding);
            }
        }
    }
    if !global.json && (args.summary || page.mails() > 1) {
        page.print_summary();
    }
    Ok(())
}

/// Returns what the reading goes by: the home's books, or the shipped tournaments alone where there is no home.
fn desk(global: &Global) -> Result<(Config, Books, DateTime<Utc>), Failure> {
    let has_home = global.home.is_some() || Path::new("knightmail.toml").is_file();
    if !has_home {
        let now = global.now.unwrap_or_else(|| SystemClock.now());
        return Ok((Config::shipped(), Books::default(), now));
    }
    let home = Home::open(global)?;
    let (books, now) = (home.books()?, home.now());
    Ok((home.config, books, now))
}

fn sheets(file: &Path) -> Result<Vec<Sheet>, Failure> {
    if file.is_dir() {
        return maildir(file);
    }
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|e| Fault::io("read", file, &e))?;
    let name = file.display().to_string();
    if !bytes.starts_with(b"From ") {
        return Ok(vec![Sheet { name, stamped: None, bytes }]);
    }
    let numbered = (1..).zip(mbox::split(&bytes));
    let sheet = |(n, bytes)| Sheet { name: format!("{name}#{n}"), stamped: None, bytes };
    Ok(numbered.map(sheet).collect())
}

fn maildir(dir: &Path) -> Result<Vec<Sheet>, Failure> {
    let mut mailbox = Maildir::new(dir);
    let mut sheets = Vec::new();
    for arrival in mailbox.waiting()?.arrivals {
        if let Some(bytes) = mailbox.fetch(&arrival)? {
            sheets.push(Sheet { name: arrival.key, stamped: arrival.stamped, bytes });
        }
    }
    Ok(sheets)
}

fn as_json(sheet: &Sheet, understanding: &Understanding) -> Value {
    let mut value = json!({ "file": sheet.name, "digest": Digest::of(&sheet.bytes) });
    if let (Some(object), Ok(Value::Object(rest))) =
        (value.as_object_mut(), serde_json::to_value(understanding))
    {
        object.extend(rest);
    }
    value
}
