//! Views: what a director may look at in a text editor. Derived from the books after every pass that changed them;
//! deleting them loses nothing.

use super::{Office, books::Books};
use crate::{
    domain::{docket::Item, player::Player},
    fault::Fault,
    notices::table,
};
use std::fmt::Write as _;

/// The view that is written last: where it is there, all were written.
const LAST: &str = "docket.txt";

impl Office {
    /// Writes the views that may have changed since they were last written; all of them where somebody deleted them.
    pub(super) fn write_views(&mut self) -> Result<(), Fault> {
        let (store, books) = (&mut self.doors.store, &mut self.books);
        if !store.keeps_views() {
            return Ok(());
        }
        if !store.has_view(LAST) {
            books.changed.extend(books.state.sections.keys().cloned());
        } else if self.views_written == books.transactions {
            return Ok(());
        }
        for code in &books.changed {
            if let Some(section) = books.state.sections.get(code) {
                let text = table::sheet(&books.state, section);
                store.write_view(&format!("sections/{code}.txt"), &text)?;
            }
        }
        store.write_view("players.txt", &players(books))?;
        store.write_view("entries.txt", &entries(books))?;
        store.write_view("outbox.txt", &outbox(books))?;
        store.write_view(LAST, &docket(books))?;
        books.changed.clear();
        self.views_written = books.transactions;
        Ok(())
    }
}

fn players(books: &Books) -> String {
    let mut text = String::from("member    rating  name, addresses\n");
    for Player { member, name, rating, emails, .. } in books.state.players.values() {
        let rating = rating.map_or("-".to_owned(), |r| r.to_string());
        line(&mut text, format_args!("{member:<9} {rating:>6}  {name}, {}", emails.join(" ")));
    }
    text
}

fn entries(books: &Books) -> String {
    let mut text = String::from("entry         member     postmark    state, sections\n");
    for entry in books.state.entries.values() {
        let sections: Vec<&str> = entry.sections.iter().map(|s| s.0.as_str()).collect();
        let (id, member, postmark) = (&entry.id, &entry.member, entry.postmark);
        let state = entry.state.text();
        line(
            &mut text,
            format_args!("{id:<13} {member:<10} {postmark}  {state} {}", sections.join(" ")),
        );
    }
    text
}

fn docket(books: &Books) -> String {
    let mut text = String::new();
    for item in books.state.open_docket() {
        let Item { item: id, kind, rule, since, choices, recommended, .. } = item;
        let since = since.date_naive();
        line(&mut text, format_args!("{id}  {}  (Rule {rule}), since {since}", kind.text()));
        for sentence in item.sentences() {
            line(&mut text, format_args!("    {sentence}"));
        }
        let lean = recommended.as_ref().map(|it| format!("; recommended: {it}"));
        let lean = lean.unwrap_or_default();
        line(&mut text, format_args!("    choose: {}{lean}\n", choices.join(", ")));
    }
    if text.is_empty() { "Nothing waits.\n".to_owned() } else { text }
}

fn outbox(books: &Books) -> String {
    let mut text = String::new();
    for id in &books.outbox {
        if let Some(letter) = books.letter(*id) {
            let to = letter.to.as_deref().unwrap_or("(on paper)");
            let (queued, attempts) = (letter.queued, letter.attempts);
            let queued = queued.format("%Y-%m-%d %H:%M");
            line(&mut text, format_args!("{id}  {to}  due {queued} UTC, {attempts} attempts"));
        }
    }
    if text.is_empty() { "Nothing waits.\n".to_owned() } else { text }
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("a string takes every line");
}
