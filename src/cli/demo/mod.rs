//! `demo`: a guided tour. It makes a home in a temporary folder and plays a season of sample mail through the real
//! program: mails lie in a Maildir, passes are made on simulated days, and what happened is told as a person wants to
//! see it. The season is a script (`script.rs`) and so is every scenario of the tests; `stage.rs` plays both.

mod compose;
pub mod script;
pub mod stage;

use super::{Done, Failure};
use script::Script;
use stage::Stage;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A guided tour on sample mail, no server needed.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Make the home here and keep it [default: a temporary folder, kept as well]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// The season that the demo plays.
pub const SEASON: &str = include_str!("../../../config/demo/season.txt");

pub(super) fn run(args: &Args) -> Done {
    let dir = match &args.into {
        Some(dir) => dir.clone(),
        None => tempfile::Builder::new()
            .prefix("knightmail-demo-")
            .tempdir()
            .map_err(|e| Failure::Person(format!("no temporary folder: {e}")))?
            .keep(),
    };
    stage(SEASON, &dir, &mut io::stdout().lock())?;
    let home = dir.display();
    let program = std::env::args().next().unwrap_or_else(|| "knightmail".to_owned());
    println!("\nThe season is over. Look around in its home, {home}:");
    println!("  the journal, the only truth     {home}/store/journal/");
    println!("  the letters that went out       {home}/mail/out/new/");
    println!("  crosstables, docket, players    {home}/views/");
    println!("Ask it why:  {program} --home {home} why 19N01 3-4");
    println!("Or check it: {program} --home {home} audit");
    Ok(())
}

/// Makes a home in a folder, plays a script through it and tells what happened.
///
/// # Errors
/// What stopped the play, in words.
pub fn play(script: &str, dir: &Path, out: &mut dyn Write) -> Result<(), String> {
    stage(script, dir, out).map_err(|failure| failure.to_string())
}

fn stage(script: &str, dir: &Path, out: &mut dyn Write) -> Done {
    let script = Script::read(script).map_err(Failure::Usage)?;
    Stage::build(dir, &script)?.play(&script, out)
}
