//! Reading rows: cells with their names and lines, and the kinds of file that stand by themselves: roster, ratings,
//! entries, payments. Sections and results of a running tournament are `running.rs`.

use crate::{
    cli::{home::Home, words},
    domain::{
        command::{Command, EntryForm, Payment},
        ids::{EntryId, MemberId, TournamentId},
        player::Player,
        state::State,
    },
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::{collections::BTreeMap, fmt::Display, path::Path, str::FromStr};

/// A CSV file, read.
pub(in crate::cli) struct Sheet {
    file: String,
    columns: Vec<String>,
    /// Every row with its line in the file.
    pub(in crate::cli) rows: Vec<Row>,
}

/// A row of a file.
pub(in crate::cli) struct Row {
    line: u64,
    cells: Vec<String>,
}

impl Row {
    /// Returns its line in the file.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }
}

/// What is wrong with a file, a sentence a row.
#[derive(Default)]
pub(in crate::cli) struct Trouble {
    /// The sentences.
    pub(in crate::cli) sentences: Vec<String>,
}

impl Sheet {
    /// Reads a file. Blanks around cells are taken away; rows may end early.
    pub(in crate::cli) fn read(path: &Path) -> Result<Self, String> {
        let file = path.display().to_string();
        let wrong =
            |e: &dyn Display| format!("{file}: {e}\n  hint: it must be a CSV file in UTF-8");
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .from_path(path)
            .map_err(|e| wrong(&e))?;
        let headers = reader.headers().map_err(|e| wrong(&e))?.clone();
        let name = |h: &str| h.trim_start_matches('\u{feff}').to_ascii_lowercase();
        let columns = headers.iter().map(name).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| wrong(&e))?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.iter().skip(headers.len()).any(|cell| !cell.is_empty()) {
                let (cells, columns) = (record.len(), headers.len());
                return Err(format!(
                    "{file}:{line}: column {}: there is no such column; the row has {cells} cells, the first line {columns}\n  \
                     hint: a cell with a comma in it stands in quotation marks",
                    columns + 1
                ));
            }
            rows.push(Row { line, cells: record.iter().map(str::to_owned).collect() });
        }
        Ok(Self { file, columns, rows })
    }

    /// Returns a cell; empty where the row or the file does not have it.
    pub(in crate::cli) fn text<'a>(&self, row: &'a Row, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|n| row.cells.get(n)).map_or("", String::as_str)
    }

    /// Returns the column that a round's name, or the beginning of it, stands above.
    pub(in crate::cli) fn column_for(&self, round: &str) -> Option<&str> {
        let round = round.to_ascii_lowercase();
        let names = self.columns.iter().filter(|name| name.len() > 2);
        names.map(String::as_str).find(|name| round.starts_with(name))
    }

    /// Notes that something is wrong with a cell.
    pub(super) fn blame(&self, trouble: &mut Trouble, row: &Row, column: &str, why: &str) {
        let (file, line) = (&self.file, row.line);
        trouble.sentences.push(format!("{file}:{line}: {column}: {why}"));
    }

    /// Returns a cell that must be there and must be readable; else it is blamed.
    pub(in crate::cli) fn need<T: FromStr>(
        &self,
        trouble: &mut Trouble,
        row: &Row,
        column: &str,
        right: &str,
    ) -> Option<T> {
        let text = self.text(row, column);
        let read = Some(text).filter(|t| !t.is_empty()).and_then(|t| t.parse().ok());
        if read.is_none() {
            let given =
                if text.is_empty() { "it is missing".to_owned() } else { format!("`{text}`") };
            self.blame(trouble, row, column, &format!("{given}; it must be {right}"));
        }
        read
    }

    /// Returns a cell that may be empty; one that is filled must be readable, else it is blamed.
    pub(super) fn may<T: FromStr>(
        &self,
        trouble: &mut Trouble,
        row: &Row,
        column: &str,
        right: &str,
    ) -> Option<T> {
        if self.text(row, column).is_empty() {
            None
        } else {
            self.need(trouble, row, column, right)
        }
    }

    fn word(&self, row: &Row, column: &str) -> Option<String> {
        Some(self.text(row, column)).filter(|t| !t.is_empty()).map(str::to_owned)
    }
}

/// What a date must look like.
pub(super) const DATE: &str = "a date such as 2019-06-01";

pub(super) fn roster(sheet: &Sheet, state: &State, trouble: &mut Trouble) -> Vec<Command> {
    let mut seen: BTreeMap<MemberId, u64> = BTreeMap::new();
    let mut players = Vec::new();
    for row in &sheet.rows {
        let Some(member) = sheet.need::<String>(trouble, row, "member_id", "a member's number")
        else {
            continue;
        };
        let member = MemberId(member);
        if let Some(line) = seen.insert(member.clone(), row.line) {
            sheet.blame(trouble, row, "member_id", &format!("line {line} has {member} already"));
        }
        if let Some(player) = player(sheet, state, row, member, trouble) {
            players.push(player);
        }
    }
    vec![Command::ListPlayers(players)]
}

fn player(
    sheet: &Sheet,
    state: &State,
    row: &Row,
    member: MemberId,
    trouble: &mut Trouble,
) -> Option<Player> {
    let emails = sheet.text(row, "email").split(';').map(str::trim).filter(|e| !e.is_empty());
    let emails: Vec<String> = emails.map(str::to_owned).collect();
    for email in emails.iter().filter(|e| !words::looks_like_address(e)) {
        sheet.blame(trouble, row, "email", &format!("`{email}` is no address"));
    }
    let known = state.players.get(&member);
    let (rating, rating_date) = newest_rating(sheet, row, known, trouble);
    Some(Player {
        name: sheet.need(trouble, row, "name", "the player's name")?,
        emails,
        country: sheet.word(row, "country"),
        state: sheet.word(row, "state"),
        rating,
        rating_date,
        expires: sheet.may(trouble, row, "expires", DATE),
        timezone: zone(sheet, row, trouble),
        language: sheet.word(row, "language"),
        address: sheet.word(row, "address").or_else(|| known.and_then(|p| p.address.clone())),
        member,
    })
}

/// Returns a row's rating and its date; those of the books where they are newer, so that an old list given once more
/// takes nothing back.
fn newest_rating(
    sheet: &Sheet,
    row: &Row,
    known: Option<&Player>,
    trouble: &mut Trouble,
) -> (Option<u16>, Option<NaiveDate>) {
    let rating = sheet.may(trouble, row, "rating", "a number, or empty for an unrated player");
    let date = sheet.may(trouble, row, "rating_date", DATE);
    match known {
        Some(known) if known.rating_date > date => (known.rating, known.rating_date),
        _ => (rating, date),
    }
}

fn zone(sheet: &Sheet, row: &Row, trouble: &mut Trouble) -> Option<String> {
    let right = "a time zone such as America/Chicago";
    sheet.may::<chrono_tz::Tz>(trouble, row, "timezone", right).map(|zone| zone.name().to_owned())
}

pub(super) fn ratings(sheet: &Sheet, state: &State, trouble: &mut Trouble) -> Vec<Command> {
    let mut players = Vec::new();
    for row in &sheet.rows {
        let _: Option<NaiveDate> = sheet.need(trouble, row, "rating_date", DATE);
        if let Some(player) = known_player(sheet, state, row, trouble) {
            let (rating, rating_date) = newest_rating(sheet, row, Some(player), trouble);
            players.push(Player { rating, rating_date, ..player.clone() });
        }
    }
    vec![Command::ListPlayers(players)]
}

/// Returns the player of a row's `member_id`; somebody whom the roster does not have is blamed.
pub(super) fn known_player<'a>(
    sheet: &Sheet,
    state: &'a State,
    row: &Row,
    trouble: &mut Trouble,
) -> Option<&'a Player> {
    let member: String = sheet.need(trouble, row, "member_id", "a member's number")?;
    let player = state.players.get(&MemberId(member.clone()));
    if player.is_none() {
        let why = format!("the roster does not have member {member}; import the roster first");
        sheet.blame(trouble, row, "member_id", &why);
    }
    player
}

fn known_event(
    sheet: &Sheet,
    home: &Home,
    row: &Row,
    trouble: &mut Trouble,
) -> Option<TournamentId> {
    let event: String = sheet.need(trouble, row, "event", "a tournament's id")?;
    let known = &home.config.rules.tournaments;
    let found = known.keys().find(|id| id.0.eq_ignore_ascii_case(&event)).cloned();
    if found.is_none() {
        let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
        let why = format!("there is no tournament {event}; there is {}", ids.join(", "));
        sheet.blame(trouble, row, "event", &why);
    }
    found
}

pub(super) fn entries(
    sheet: &Sheet,
    state: &State,
    home: &Home,
    trouble: &mut Trouble,
) -> Vec<Command> {
    let (mut forms, mut ids) = (Vec::new(), BTreeMap::new());
    for row in &sheet.rows {
        let event = known_event(sheet, home, row, trouble);
        let postmark: Option<NaiveDate> = sheet.need(trouble, row, "postmark", DATE);
        let paid = yes_or_no(sheet, row, trouble);
        let player = known_player(sheet, state, row, trouble);
        let (Some(event), Some(postmark), Some(player)) = (event, postmark, player) else {
            continue;
        };
        let id = given_entry(sheet, row, &event);
        if let Some(known) = id.as_ref().and_then(|id| state.entries.get(id))
            && (known.member != player.member || known.postmark != postmark)
        {
            let (id, member, day) = (&known.id, &known.member, known.postmark);
            let why = format!("the books have {id} for member {member}, postmark {day}");
            sheet.blame(trouble, row, "entry", &why);
        }
        if let Some(id) = &id
            && let Some(line) = ids.insert(id.clone(), row.line)
        {
            sheet.blame(trouble, row, "entry", &format!("line {line} has {id} already"));
        }
        forms.push(EntryForm {
            event: Some(event),
            id,
            member: Some(player.member.clone()),
            from: None,
            name: player.name.clone(),
            count: 1,
            postmark,
            postmark_doubt: None,
            arrived: home.now(),
            paid,
            mail: None,
        });
    }
    // A person's entries are counted in order of postmark (Rule 9), whatever the order of the file. Entries that bring
    // their ids come first, so that no id that is made takes one of theirs.
    forms.sort_by_key(|form| (form.id.is_none(), form.postmark));
    new_only(forms, state).into_iter().map(Command::Enter).collect()
}

/// Returns the entry's id that a row brings, where it has our shape (`GK2019-031`). One in another shape is not kept;
/// the entry gets an id of ours.
pub(super) fn given_entry(sheet: &Sheet, row: &Row, event: &TournamentId) -> Option<EntryId> {
    let text = sheet.text(row, "entry");
    let number = text.strip_prefix(&event.0)?.strip_prefix('-')?;
    let fits = number.len() >= 3 && number.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| EntryId(text.to_owned()))
}

/// Leaves out what the books have: so many entries of a player with a postmark are in the books, so many of the file
/// are these. An entry with an id is known by it.
fn new_only(forms: Vec<EntryForm>, state: &State) -> Vec<EntryForm> {
    let mut left: BTreeMap<(TournamentId, MemberId, NaiveDate), usize> = BTreeMap::new();
    for entry in state.entries.values() {
        let key = (entry.tournament.clone(), entry.member.clone(), entry.postmark);
        *left.entry(key).or_default() += 1;
    }
    let mut is_new = |form: &EntryForm| {
        if form.id.as_ref().is_some_and(|id| !state.entries.contains_key(id)) {
            return Some(());
        }
        let key = (form.event.clone()?, form.member.clone()?, form.postmark);
        let known = left.get_mut(&key).filter(|n| **n > 0).map(|n| *n -= 1).is_some();
        (form.id.is_none() && !known).then_some(())
    };
    forms.into_iter().filter(|form| is_new(form).is_some()).collect()
}

fn yes_or_no(sheet: &Sheet, row: &Row, trouble: &mut Trouble) -> bool {
    match sheet.text(row, "paid").to_ascii_lowercase().as_str() {
        "yes" => true,
        "no" | "" => false,
        other => {
            sheet.blame(trouble, row, "paid", &format!("`{other}`; it must be yes or no"));
            false
        }
    }
}

/// Returns the currency that a row of payments names; most name none, and mean the tournament's.
fn currency(sheet: &Sheet, row: &Row, trouble: &mut Trouble) -> Option<String> {
    let text = sheet.word(row, "currency")?;
    if text.len() != 3 || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
        sheet.blame(trouble, row, "currency", &format!("`{text}`; it must be three letters, USD"));
    }
    Some(text)
}

pub(super) fn payments(
    sheet: &Sheet,
    state: &State,
    home: &Home,
    trouble: &mut Trouble,
) -> Vec<Command> {
    let mut commands = Vec::new();
    for row in &sheet.rows {
        let event = known_event(sheet, home, row, trouble);
        let player = known_player(sheet, state, row, trouble);
        let amount: Option<Decimal> = sheet.need(trouble, row, "amount", "an amount such as 25.00");
        let received = sheet.need(trouble, row, "received", DATE);
        if amount.is_some_and(|a| a <= Decimal::ZERO) {
            sheet.blame(trouble, row, "amount", "it must be more than nothing");
        }
        let parts = (event, player, amount, received);
        if let (Some(event), Some(player), Some(amount), Some(received)) = parts {
            let reference = sheet.text(row, "reference").to_owned();
            let member = player.member.clone();
            let payment = Payment { event, member, amount, received, reference };
            commands.push(match currency(sheet, row, trouble) {
                Some(currency) => Command::RecordPaymentIn(payment, currency),
                None => Command::RecordPayment(payment),
            });
        }
    }
    commands
}
