//! `import`: bringing data in from CSV files. A bad row is named with file, line, column and reason, and then nothing of
//! the file is taken; the same file again changes nothing; what contradicts the books is refused row by row. Nobody is
//! written to about the past unless `--announce` says so.

pub(super) mod rows;
mod running;
mod scores;

use super::{Done, Failure, Global, direct::report, home::Home};
use crate::{
    domain::{command::Command, event::Event, forgotten::Forgotten, ids::MemberId, state::State},
    office::Announce,
    store::transaction::Transaction,
};
use chrono::{DateTime, Utc};
use rows::{Sheet, Trouble};
use std::{collections::BTreeMap, path::PathBuf};

/// Bring data in from a CSV file.
#[derive(clap::Args)]
pub(super) struct Args {
    /// What the file holds
    #[arg(value_enum)]
    kind: Kind,
    /// The CSV file; its first line names the columns
    file: PathBuf,
    /// Write the letters that follow; without it nobody is told of the past
    #[arg(long)]
    announce: bool,
}

/// How many changes are told one by one; of more the number is told.
const REPORTED: usize = 40;

/// What a file holds, and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// `member_id,name,email,country,state,rating,rating_date,expires` and perhaps `timezone,language,address`
    Roster,
    /// `event,member_id,postmark,paid` and perhaps `entry`: entries on paper
    Entries,
    /// `event,member_id,amount,received,reference` and perhaps `currency`: the same amount of a day with the same reference
    /// is the same payment, so two that are equal need references of their own
    Payments,
    /// `member_id,rating,rating_date`
    Ratings,
    /// `section,round,seat,member_id,start` and perhaps `entry`: sections that run already
    Sections,
    /// `section,white_seat,black_seat,result,how,date`
    Results,
    /// `entry,round,points,forfeit_losses`: scores of rounds whose crosstables are lost
    Scores,
}

impl Args {
    /// Returns what takes in a roster, quietly.
    pub(super) const fn roster(file: PathBuf) -> Self {
        Self { kind: Kind::Roster, file, announce: false }
    }
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    let (rows, events) = into(&home, args)?;
    if events.len() > REPORTED {
        eprintln!("{rows} rows read, {} changes booked", events.len());
    } else {
        report(&events);
    }
    Ok(())
}

/// Takes a file into a home; answers how many rows it has, and what changed.
pub(super) fn into(home: &Home, args: &Args) -> Result<(usize, Vec<Event>), Failure> {
    let sheet = Sheet::read(&args.file).map_err(Failure::Person)?;
    let mut forgotten = BTreeMap::new();
    let state = home.books_with(|transaction| note_forgotten(transaction, &mut forgotten))?.state;
    let mut trouble = Trouble::default();
    let mut commands: Vec<Command> = match args.kind {
        Kind::Roster => rows::roster(&sheet, &state, &mut trouble),
        Kind::Ratings => rows::ratings(&sheet, &state, &mut trouble),
        Kind::Entries => rows::entries(&sheet, &state, home, &mut trouble),
        Kind::Payments => rows::payments(&sheet, &state, home, &mut trouble),
        Kind::Sections => running::sections(&sheet, &state, home, &mut trouble),
        Kind::Scores => scores::scores(&sheet, &state, home, &mut trouble),
        Kind::Results => running::results(&sheet, &state, &mut trouble),
    };
    if !trouble.sentences.is_empty() {
        let none = "nothing of the file was taken";
        return Err(Failure::Person(format!("{}\n{none}", trouble.sentences.join("\n"))));
    }
    leave_out(&forgotten, &state, &mut commands);
    if args.kind == Kind::Results {
        commands.push(Command::Review);
    }
    let kind = clap::ValueEnum::to_possible_value(&args.kind);
    let kind = kind.as_ref().map_or("", |k| k.get_name());
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let announce = if args.announce { Announce::Yes } else { Announce::No };
    let events = home.direct(&format!("import {kind} {name}"), &commands, announce)?;
    Ok((sheet.rows.len(), events))
}

/// Players who were forgotten: when, and what is kept of them.
type Forgottens = BTreeMap<MemberId, (DateTime<Utc>, Forgotten)>;

fn note_forgotten(transaction: &Transaction, forgotten: &mut Forgottens) {
    for event in &transaction.events {
        if let Event::PlayerForgotten(it) = event {
            forgotten.insert(it.member.clone(), (transaction.at, (**it).clone()));
        }
    }
}

/// Leaves out of a roster what was erased of a player: the list of the members still has it, and would bring it back.
fn leave_out(forgotten: &Forgottens, state: &State, commands: &mut [Command]) {
    let lists = commands.iter_mut().filter_map(|command| match command {
        Command::ListPlayers(players) => Some(players),
        _ => None,
    });
    for player in lists.flatten() {
        let Some((at, it)) = forgotten.get(&player.member) else { continue };
        let Some(known) = state.players.get(&player.member) else { continue };
        let given = player.clone();
        player.emails.clone_from(&known.emails);
        player.address.clone_from(&known.address);
        player.timezone.clone_from(&known.timezone);
        player.language.clone_from(&known.language);
        if it.name.is_some() {
            player.name.clone_from(&known.name);
        }
        if *player != given {
            let day = at.format("%Y-%m-%d");
            eprintln!(
                "member {} was forgotten on {day}: his addresses are left out",
                player.member
            );
        }
    }
}
