//! `why`: the chain behind a letter, a result or a docket item: rule, dates, mails and rulings.

use super::{
    Done, Failure, Global,
    history::{self, Step, Subject},
    home::Home,
    letters, post, show, words,
};
use crate::{
    domain::ids::{GameId, ItemId, LetterId},
    store::transaction::{Cause, Transaction},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Tell what stands behind a letter, a result or a docket item.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A letter (L42), a docket item (D7) or a game (19N04 3-1)
    #[arg(required = true, num_args = 1..=2)]
    what: Vec<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    let what = args.what.join(" ");
    let letter = what.strip_prefix(['L', 'l']).and_then(|n| n.parse().ok()).map(LetterId);
    let item = what.strip_prefix(['D', 'd']).and_then(|n| n.parse().ok()).map(ItemId);
    let (about, steps) = match (letter, item) {
        (Some(letter), _) => of_letter(&home, letter)?,
        (None, Some(item)) => of_item(&home, item)?,
        (None, None) => of_game(&home, &show::read_game(&home.books()?.state, &what, None)?)?,
    };
    let chain = steps.iter().map(|step| full(&home, step)).collect::<Result<Vec<_>, _>>()?;
    if global.json {
        println!("{}", json!({ "about": about, "chain": chain }));
    } else {
        println!("{about}");
        steps.iter().zip(&chain).for_each(|(step, full)| print(step, full));
    }
    Ok(())
}

type Chain = (String, Vec<Step>);

fn of_letter(home: &Home, id: LetterId) -> Result<Chain, Failure> {
    let letter = letters::all(home)?.into_iter().find(|l| l.record.letter == id);
    let letter =
        letter.ok_or_else(|| Failure::Person(format!("there is no letter {id} in the books")))?;
    let (record, seq) = (&letter.record, letter.seq);
    let to = record.to.as_deref().unwrap_or("somebody, on paper");
    let mut about = format!("{id}, {} to {to}: {}", record.notice, record.subject);
    for (at, outcome) in &letter.attempts {
        let at = at.format("%Y-%m-%d %H:%M");
        let _ = write!(about, "\n  {at}  {}", words::delivery(outcome));
    }
    let mut steps = vec![whole(home, seq)?];
    steps.extend(post::story(home, id)?);
    Ok((about, steps))
}

fn whole(home: &Home, seq: u64) -> Result<Step, Failure> {
    let found = home.reader()?.transaction(seq)?;
    let transaction =
        found.ok_or_else(|| Failure::Person(format!("there is no transaction {seq}")))?;
    Ok(Step { events: transaction.events.clone(), transaction })
}

fn of_item(home: &Home, id: ItemId) -> Result<Chain, Failure> {
    let books = home.books()?;
    let Some((item, _)) = books.state.docket.get(&id) else {
        return Err(Failure::Person(format!("there is no item {id} on the docket")));
    };
    let mut about = format!("{id}, {} (Rule {})", item.kind.text(), item.rule);
    for sentence in &item.evidence {
        about.push_str("\n  ");
        about.push_str(sentence);
    }
    let mut steps = Vec::new();
    let mut seqs = Vec::new();
    home.books_with(|transaction| {
        if transaction.events.iter().any(|event| touches_item(event, id)) {
            seqs.push(transaction.seq);
        }
    })?;
    for seq in seqs {
        steps.push(whole(home, seq)?);
    }
    Ok((about, steps))
}

fn touches_item(event: &crate::domain::event::Event, id: ItemId) -> bool {
    use crate::domain::event::Event;
    match event {
        Event::ItemOpened(item) => item.item == id,
        Event::ItemRuled { item, .. } => *item == id,
        _ => false,
    }
}

fn of_game(home: &Home, id: &GameId) -> Result<Chain, Failure> {
    let (books, steps) = history::of(home, &Subject::Game(id.clone()))?;
    let stands = books.state.game(id).map(|(_, game)| {
        let result = game.outcome().map_or("no result", |o| o.result.text());
        format!("{id}: {result}, {}", game.state.text())
    });
    Ok((stands.unwrap_or_default(), steps))
}

/// Returns a step with the reading of the mail behind it.
fn full(home: &Home, step: &Step) -> Result<Value, Failure> {
    let mut value = step.as_json();
    let Transaction { seq, cause, .. } = &step.transaction;
    if let Cause::Mail(mail) = cause {
        let line = home.reader()?.transaction(*seq)?;
        let reading = line.and_then(|t| match t.cause {
            Cause::Mail(mail) => mail.reading,
            _ => None,
        });
        value["mail"] = json!(mail.digest);
        value["reading"] = json!(reading);
    }
    Ok(value)
}

fn print(step: &Step, full: &Value) {
    step.print();
    let reasons = full["reading"]["reasons"].as_array();
    for reason in reasons.into_iter().flatten().filter_map(Value::as_str) {
        println!("      because {reason}");
    }
}
