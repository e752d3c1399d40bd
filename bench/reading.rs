//! P3: from bytes to understanding alone: no disk, no decisions. Ordinary mails on one core and on all, the slowest of
//! them, and mails made to be slow.

use crate::{
    club::{self, Mail},
    intake, measure,
};
use chrono::Duration as Days;
use knightmail::{
    config::Config,
    domain::{docket::About, ids::LetterId},
    mail::{self, Desk, Letters},
    office::books::Books,
};
use std::{
    thread,
    time::{Duration, Instant},
};

/// Prints mails a second on one core and on all, and how long the slowest takes.
pub(crate) fn run(count: usize) {
    let (club, mails) = intake::made(count);
    let config = Config::shipped();
    let mut books = Books::default();
    intake::adopt(&mut books, &config, &club);
    let now = mails.last().map_or_else(|| club::instant(0), |mail| mail.arrived) + Days::days(1);
    let (house, rules, state) = (&config.house, &config.rules, &books.state);
    let desk = Desk { house, rules, state, letters: &NoLetters, signed_by: &[], now };
    let read = |mails: &[Mail]| mails.iter().map(|mail| intents(&mail.bytes, &desk)).sum::<usize>();
    let (first, found) = measure::timed(|| read(&mails));
    let time = first.min(measure::timed(|| read(&mails)).0);
    let alone = intake::parsed_alone(&mails);
    println!(
        "reading: {count} mails with {found} intents in {time:.2?} = {:.0} mails/s on one core, \
         {:.1} x mail-parser alone",
        measure::rate(count, time),
        time.as_secs_f64() / alone.as_secs_f64()
    );
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = count.div_ceil(cores);
    let (time, ()) = measure::timed(|| {
        thread::scope(|scope| {
            for part in mails.chunks(share) {
                scope.spawn(move || {
                    let desk =
                        Desk { house, rules, state, letters: &NoLetters, signed_by: &[], now };
                    part.iter().map(|mail| intents(&mail.bytes, &desk)).sum::<usize>()
                });
            }
        });
    });
    println!("reading: {:.0} mails/s on {cores} cores", measure::rate(count, time));
    let slowest = mails.iter().map(|mail| quickest(&mail.bytes, &desk)).max().unwrap_or_default();
    println!("reading: the slowest of them takes {slowest:.2?}");
    for (kind, raw) in slow() {
        let time = quickest(raw.as_bytes(), &desk);
        println!("reading: {time:>8.2?} for {:>4} kB of {kind}", raw.len() / 1024);
    }
}

fn intents(raw: &[u8], desk: &Desk<'_>) -> usize {
    mail::read(raw, None, desk).intents.len()
}

/// Returns the best of three, so that a pause of the machine is not taken for the mail's.
fn quickest(raw: &[u8], desk: &Desk<'_>) -> Duration {
    let time = || {
        let begun = Instant::now();
        intents(raw, desk);
        begun.elapsed()
    };
    time().min(time()).min(time())
}

/// Mails made to be slow, each of one kind and just short of a limit.
fn slow() -> Vec<(&'static str, String)> {
    let head = "From: ann@example.org\nSubject: x\n";
    let plain = |body: String| format!("{head}\n{body}");
    let html = |body: String| format!("{head}Content-Type: text/html\n\n{body}");
    let kilobytes = |words: &str| words.repeat(500 * 1024 / words.len());
    vec![
        ("HTML tags", html(kilobytes("<div><blockquote>"))),
        ("HTML entities", html(kilobytes("&amp;&lt;"))),
        ("quotation marks", plain(kilobytes("> "))),
        ("attributions", plain(kilobytes("On 1 1 1 1 1 a@b wrote\n"))),
        ("one sentence", plain(kilobytes("if I resign, "))),
        ("short sentences", plain(kilobytes("I won. "))),
        ("results", plain(kilobytes("I beat #5 in 19N04.\n"))),
        ("moves", plain(kilobytes("15.Bg5 "))),
        ("lines of moves", plain(kilobytes("15.Bg5\n"))),
        ("moves of a game", plain(kilobytes("1.e4 e5 2.Nf3 Nc6 "))),
        ("conditions", plain(kilobytes("If 15...h6 then 16.Bh4\n"))),
        ("days", plain(kilobytes("leave June 1-14, "))),
        ("names", plain(kilobytes("Hale and Ortiz, "))),
        ("member ids", plain(kilobytes("Please enter me, ID 12345678.\n"))),
        ("questions", plain(kilobytes("When is the deadline?\n"))),
        ("letters without a blank", plain(kilobytes("x"))),
        ("signatures", plain(kilobytes("\n-- \n"))),
        ("ten megabytes of text", plain("Well, so much for that.\n".repeat(10_000_000 / 24))),
    ]
}

struct NoLetters;

impl Letters for NoLetters {
    fn about(&self, _: LetterId) -> Option<About> {
        None
    }

    fn went_to(&self, _: LetterId) -> Option<String> {
        None
    }
}
