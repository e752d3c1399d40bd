//! `keys`: the secrets by which answers to our letters are known (`reply.keys`). A new one is put before the others;
//! how many there are and since when is told, they themselves never.

use super::{
    Done, Global,
    home::{self, Home},
};
use crate::{
    config::{
        keys::{self, Dated},
        service,
    },
    fault::Fault,
    store::atomic,
};
use clap::Subcommand;
use serde_json::json;
use std::{fs, path::Path};

/// The keys of our letters, by which answers to them are known
///
/// Each letter carries a token in its Reply-To address and its Message-ID that only this home can make, with a key in
/// the file reply.keys. An answer that brings it back is surely from whoever got the letter. New letters use the newest
/// key; answers to older letters are known as long as the key of their day is kept.
#[derive(Subcommand)]
pub(super) enum Act {
    /// Tell how many keys there are and since when, never the keys
    List,
    /// Put a new key before the others, once a year; --keep 0 where others may have seen reply.keys
    ///
    /// Run it as the user that runs knightmail, then `systemctl reload knightmail`, or start it anew. Whoever has seen the
    /// file can answer letters as if they were his: then use --keep 0, at once, since the keys that are kept are believed
    /// on. Answers to letters that are out are known by their address alone then, and what would do harm is asked about.
    /// Where reply.keys is lost or empty, this makes it.
    Rotate {
        /// How many of the keys before it are kept
        #[arg(long, value_name = "N", default_value_t = 4)]
        keep: usize,
    },
}

pub(super) fn run(global: &Global, act: &Act) -> Done {
    if let Act::Rotate { .. } = act
        && make_lost(&home::find(global)?, global)?
    {
        return Ok(());
    }
    let home = Home::open(global)?;
    let file = home.dir.join(keys::FILE);
    let text = fs::read_to_string(&file).map_err(|e| Fault::io("read", &file, &e))?;
    match act {
        Act::List => {
            list(global, &keys::dated(&text));
            Ok(())
        }
        Act::Rotate { keep } => {
            let today = home.config.house.day(home.now());
            let rotated = keys::rotated(&text, today, *keep);
            let rotated = rotated.map_err(|e| Fault::io("make a key for", &file, &e))?;
            atomic::write(&file, rotated.as_bytes())?;
            let count = keys::dated(&rotated).len();
            eprintln!("reply.keys has a new key and {} before it.", count - 1);
            eprintln!(
                "New letters carry it when the daemon has read it: systemctl reload knightmail"
            );
            Ok(())
        }
    }
}

/// Makes the file where a home has lost it. Without keys the configuration cannot be read, nor the house's time zone in it.
fn make_lost(dir: &Path, global: &Global) -> Result<bool, Fault> {
    let file = dir.join(keys::FILE);
    let is_home = dir.join(service::FILE).is_file();
    if !is_home || !keys::are_lost(&file).map_err(|e| Fault::io("read", &file, &e))? {
        return Ok(false);
    }
    let today = global.now.unwrap_or_else(home::present).date_naive();
    let made = keys::rotated("", today, 0).map_err(|e| Fault::io("make a key for", &file, &e))?;
    atomic::write(&file, made.as_bytes())?;
    eprintln!("reply.keys was lost; it has a new key now.");
    eprintln!("Answers to letters that are out are known by their address alone.");
    Ok(true)
}

fn list(global: &Global, keys: &[Dated]) {
    for (number, Dated { made }) in (1..).zip(keys) {
        if global.json {
            println!("{}", json!({ "key": number, "made": made, "newest": number == 1 }));
            continue;
        }
        let made = made.map_or("made with the home".to_owned(), |day| format!("made on {day}"));
        let used =
            if number == 1 { "new letters carry it" } else { "for answers to older letters" };
        println!("{number}  {made}; {used}");
    }
}
