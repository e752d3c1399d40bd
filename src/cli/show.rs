//! `show`: one thing, with its history.

use super::{
    Done, Failure, Global,
    history::{self, Step, Subject},
    home::Home,
    ledger, letters, post, tables, words,
};
use crate::{
    digest::Digest,
    domain::{
        honours::Award,
        ids::{EntryId, GameId, LetterId, MemberId, SectionCode},
        player::Player,
        points::Side,
        section::{Entry, Game},
        state::State,
    },
    notices::{table, view::play},
    office::orders::find_game,
    store::{Store as _, transaction::Cause},
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// Show one thing with its history.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    thing: Thing,
}

#[derive(clap::Subcommand)]
enum Thing {
    /// An entry: GK2019-031
    Entry { id: String },
    /// A player, by his member number
    Player { id: String },
    /// A section: 19N04
    Section { id: String },
    /// A game: 19N04 3-1, White's seat first
    Game {
        /// The section, or section and seats in one word
        id: String,
        /// White's seat and Black's: 3-1
        seats: Option<String>,
    },
    /// A letter: L42. Prints the very bytes that were sent
    Letter { id: LetterId },
    /// A mail, by its digest. Prints the very bytes that came
    Mail { id: Digest },
    /// A transaction, by its number: the whole line of the journal
    Transaction { id: u64 },
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    match &args.thing {
        Thing::Entry { id } => entry(&home, global.json, id),
        Thing::Player { id } => player(&home, global.json, id),
        Thing::Section { id } => section(&home, global.json, id),
        Thing::Game { id, seats } => game(&home, global.json, id, seats.as_deref()),
        Thing::Letter { id } => letter(&home, global.json, *id),
        Thing::Mail { id } => mail(&home, global.json, *id),
        Thing::Transaction { id } => transaction(&home, *id),
    }
}

fn missing(what: &str, id: &str) -> Failure {
    Failure::Person(format!("there is no {what} {id} in the books"))
}

/// Prints facts and history: one JSON object, or lines for people.
fn print(json: bool, mut facts: Value, steps: &[Step]) {
    if json {
        facts["history"] = history::as_json(steps).into();
        println!("{facts}");
        return;
    }
    print_facts(&facts);
    print_history(steps);
}

fn print_facts(facts: &Value) {
    for (key, value) in facts.as_object().into_iter().flatten() {
        println!("{:<12} {}", key.replace('_', " "), in_words(value));
    }
}

/// Returns a value of JSON as people write it.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Array(several) if several.is_empty() => "-".to_owned(),
        Value::Array(several) => several.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

fn print_history(steps: &[Step]) {
    println!("history");
    steps.iter().for_each(Step::print);
}

fn entry(home: &Home, json: bool, id: &str) -> Done {
    let (books, steps) = history::of(home, &Subject::Id(id.to_owned()))?;
    let entry = books.state.entries.get(&EntryId(id.to_owned()));
    let entry = entry.ok_or_else(|| missing("entry", id))?;
    let facts = json!({
        "entry": entry.id,
        "state": entry.state,
        "player": entry.member,
        "name": name(&books.state, &entry.member),
        "event": entry.tournament,
        "number": entry.number,
        "postmark": entry.postmark,
        "paid": entry.paid,
        "item": entry.item.map(|i| i.to_string()),
        "sections": by_round(&books.state, entry),
        "awards": entry.awards.iter().map(Award::text).collect::<Vec<_>>(),
        "brought_forward": entry.brought_forward,
    });
    print(json, facts, &steps);
    Ok(())
}

/// Returns an entry's sections in order of their rounds, whatever order they were taken over in.
fn by_round<'a>(state: &State, entry: &'a Entry) -> Vec<&'a SectionCode> {
    let mut sections: Vec<&SectionCode> = entry.sections.iter().collect();
    sections.sort_by_key(|code| state.sections.get(*code).map(|section| section.round));
    sections
}

fn name(state: &State, member: &MemberId) -> Option<String> {
    state.players.get(member).map(|p| p.name.clone())
}

fn player(home: &Home, json: bool, id: &str) -> Done {
    let (books, steps) = history::of(home, &Subject::Id(id.to_owned()))?;
    let state = &books.state;
    let member = MemberId(id.to_owned());
    let player = state.players.get(&member).ok_or_else(|| missing("player", id))?;
    let of_member = |whose: &MemberId| whose == &member;
    let accounts = state.accounts.iter().filter(|((_, m), _)| of_member(m));
    let balance: Decimal = accounts.map(|(_, account)| account.balance()).sum();
    let credit = state.credit.iter().filter(|((m, _), _)| of_member(m));
    let credit: Decimal = credit.map(|(_, amount)| amount).sum();
    let facts = json!({
        "player": player.member,
        "name": player.name,
        "emails": player.emails,
        "failed_emails": failed_emails(state, player),
        "country": player.country,
        "state": player.state,
        "rating": player.rating,
        "rating_date": player.rating_date,
        "expires": player.expires,
        "credit": format!("{credit:.2}"),
        "balance": format!("{balance:.2}"),
        "entries": state.entries_of.get(&member).cloned().unwrap_or_default(),
    });
    print(json, facts, &steps);
    Ok(())
}

/// Returns the addresses of a player that no letter goes to (Rule 10).
fn failed_emails<'a>(state: &State, player: &'a Player) -> Vec<&'a str> {
    let emails = player.emails.iter().map(String::as_str);
    emails.filter(|email| state.post.has_failed(Some(&player.member), email)).collect()
}

fn section(home: &Home, json: bool, id: &str) -> Done {
    let books = home.books()?;
    let code = tables::find(&books.state, id)?.code.0.clone();
    let (books, steps) = history::of(home, &Subject::Id(code.clone()))?;
    let section = tables::find(&books.state, &code)?;
    let mut facts = tables::as_json(&home.config.rules, &books.state, section);
    if json {
        facts["history"] = history::as_json(&steps).into();
        println!("{facts}");
    } else {
        println!("{}", table::sheet(&books.state, section));
        println!("history");
        steps.iter().for_each(Step::print);
    }
    Ok(())
}

/// Reads `19N04 3-1`, in one word or two.
pub(super) fn read_game(state: &State, id: &str, seats: Option<&str>) -> Result<GameId, Failure> {
    let (section, seats) = match seats {
        Some(seats) => (id, seats),
        None => id.split_once([' ', '/', ':']).ok_or_else(|| {
            Failure::Usage(format!("`{id}` names no game; write 19N04 3-1, White's seat first"))
        })?,
    };
    Ok(find_game(state, section, seats)?)
}

fn game(home: &Home, json: bool, id: &str, seats: Option<&str>) -> Done {
    let id = read_game(&home.books()?.state, id, seats)?;
    let (books, steps) = history::of(home, &Subject::Game(id.clone()))?;
    let state = &books.state;
    let Some((section, game)) = state.game(&id) else {
        return Err(missing("game", &id.to_string()));
    };
    let who = |seat| state.player_at(section, seat).map(|p| p.name.clone());
    let mut facts = json!({
        "game": id.to_string(),
        "section": id.section,
        "white": id.white,
        "black": id.black,
        "white_name": who(id.white),
        "black_name": who(id.black),
        "state": game.state.text(),
        "result": game.outcome().map(|o| o.result),
        "how": game.outcome().map(|o| o.how),
        "reported": game.reported,
        "moves": game.record.sans(),
        "moved": game.moved,
        "to_move": game.record.next_side(),
        "offer": game.offer,
        "position": game.record.position().fen(),
    });
    let (time, zones) = (ledger::of(home, state, &id), ledger::zones(home, state, &id));
    if json {
        facts["ledger"] = ledger::as_json(&time).into();
        facts["zones"] = zones;
        print(json, facts, &steps);
        return Ok(());
    }
    print_game(facts, game);
    ledger::print(&time, &zones);
    print_history(&steps);
    Ok(())
}

/// Prints a game for people: the facts, its moves and the board. What somebody has sent beforehand is in no answer.
fn print_game(mut facts: Value, game: &Game) {
    if let Some(facts) = facts.as_object_mut() {
        facts.remove("moves");
    }
    print_facts(&facts);
    if !game.record.is_empty() {
        print!("{}", play::score(&game.record));
        print!("{}", play::board(game.record.position(), Side::White));
    }
}

fn letter(home: &Home, json: bool, id: LetterId) -> Done {
    let listed = letters::all(home)?.into_iter().find(|l| l.record.letter == id);
    let listed = listed.ok_or_else(|| missing("letter", &id.to_string()))?;
    let story = post::story(home, id)?;
    if json {
        let mut facts = listed.as_json(home);
        facts["history"] = history::as_json(&story).into();
        println!("{facts}");
        return Ok(());
    }
    let attempts = listed.attempts.iter().map(|(at, outcome)| (*at, words::delivery(outcome)));
    let told = story.iter().flat_map(|step| {
        step.events.iter().map(|event| (step.transaction.at, words::sentence(event)))
    });
    let mut lines: Vec<_> = attempts.chain(told).collect();
    lines.sort_by_key(|(at, _)| *at);
    for (at, line) in lines {
        eprintln!("{}  {line}", at.format("%Y-%m-%d %H:%M"));
    }
    if let Some(why) = listed.why_not_sent(home) {
        eprintln!("{why}");
    }
    print_bytes(home, listed.record.digest)
}

fn print_bytes(home: &Home, digest: Digest) -> Done {
    let bytes = home.reader()?.fetch(digest)?;
    let bytes = bytes.ok_or_else(|| {
        missing("archived mail (erased, or lost: audit tells)", &digest.to_string())
    })?;
    std::io::Write::write_all(&mut std::io::stdout(), &bytes)?;
    Ok(())
}

fn mail(home: &Home, json: bool, digest: Digest) -> Done {
    let mut steps = Vec::new();
    home.books_with(|transaction| {
        let of_mail = match &transaction.cause {
            Cause::Mail(mail) => mail.digest == digest,
            // An order of one of its lines.
            Cause::Director { mail: Some(line), .. } => line.digest == digest,
            _ => false,
        };
        if of_mail {
            let events = transaction.events.clone();
            steps.push(Step { transaction: transaction.clone(), events });
        }
    })?;
    let mut dealt = steps.iter().filter(|s| matches!(s.transaction.cause, Cause::Mail(_)));
    let first = dealt.next().ok_or_else(|| missing("mail", &digest.to_string()))?;
    let Cause::Mail(mail) = &first.transaction.cause else { return Ok(()) };
    if json {
        let reading =
            home.reader()?.transaction(first.transaction.seq)?.and_then(|t| match t.cause {
                Cause::Mail(mail) => mail.reading,
                _ => None,
            });
        let letters: Vec<String> =
            first.transaction.letters.iter().map(|l| l.letter.to_string()).collect();
        println!(
            "{}",
            json!({
                "digest": digest,
                "outcome": mail.outcome,
                "from": mail.from,
                "subject": mail.subject,
                "message_id": mail.message_id,
                "reading": reading,
                "letters": letters,
                "history": history::as_json(&steps),
            })
        );
        return Ok(());
    }
    for step in &steps {
        eprintln!("{}", words::cause(&step.transaction.cause));
        step.events.iter().for_each(|event| eprintln!("    {}", words::sentence(event)));
    }
    print_bytes(home, digest)
}

fn transaction(home: &Home, seq: u64) -> Done {
    let found =
        home.reader()?.transaction(seq)?.ok_or_else(|| missing("transaction", &seq.to_string()))?;
    // A transaction is JSON by nature; people get it with line breaks.
    let text = serde_json::to_string_pretty(&found)
        .map_err(|e| Failure::Person(format!("transaction {seq} cannot be printed: {e}")))?;
    println!("{text}");
    Ok(())
}
