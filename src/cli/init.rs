//! `init`: makes a home from the shipped defaults. It runs at once, with no server and no account.

use super::{Done, Failure};
use crate::{
    config::{keys, shipped},
    fault::Fault,
    mailbox::maildir,
    net::secret,
    store::atomic,
};
use std::path::{Path, PathBuf};

/// Make a home from the shipped defaults.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder; it is made, and may exist already if it is no home yet
    dir: PathBuf,
    /// The shipped tournament to run: the name of its file or its id
    #[arg(long, value_name = "NAME", default_value = "golden-knights-2019")]
    event: String,
}

pub(super) fn run(args: &Args) -> Done {
    let dir = &args.dir;
    if dir.join("knightmail.toml").exists() {
        let what = format!("{} is a home already; nothing was changed", dir.display());
        return Err(Failure::Person(what));
    }
    let Some(event) = shipped::event(&args.event) else {
        let known: Vec<&str> = shipped::EVENTS.iter().map(|event| event.stem).collect();
        let (name, known) = (&args.event, known.join(", "));
        return Err(Failure::Usage(format!("no tournament `{name}` is shipped\n  hint: {known}")));
    };
    make(dir, event)?;
    eprintln!("{} is a home now. Next:", dir.display());
    eprintln!("  1. put your names and addresses into knightmail.toml, and look over events/");
    eprintln!("  2. knightmail --home {} import roster members.csv", dir.display());
    eprintln!("  3. knightmail --home {} check", dir.display());
    eprintln!("  4. knightmail --home {} run", dir.display());
    Ok(())
}

/// Makes a home with one of the shipped tournaments.
pub(super) fn make(dir: &Path, event: &shipped::Event) -> Result<(), Failure> {
    for folder in ["", "events", "templates", "print", "store", "views", secret::FOLDER] {
        atomic::make_folder(&dir.join(folder))?;
    }
    for folder in ["mail/in", "mail/out"] {
        maildir::create(&dir.join(folder))?;
    }
    let file = format!("events/{}.toml", event.stem);
    atomic::write(&dir.join(file), event.text.as_bytes())?;
    let keys_file = dir.join(keys::FILE);
    let key = keys::make().map_err(|e| Fault::io("make a key for", &keys_file, &e))?;
    atomic::write(&keys_file, key.as_bytes())?;
    // Last: with this file the folder is a home.
    atomic::write(&dir.join("knightmail.toml"), shipped::SERVICE.as_bytes())?;
    Ok(())
}
