//! Understanding mail: from raw bytes to what the sender means, with reasons. Pure: nothing is looked up but the
//! books that are handed in, nothing is changed, and it never fails: what cannot be read is said to be unreadable.
//!
//! In order: `message` takes the mail apart, `identity` tells it from others, `bounce` and `automatic` find what no
//! person wrote, `sender` and `postmark` say who wrote it and when, `body` what is newly written, `reading` what it
//! means. Each stage may be the last one.

mod authres;
mod automatic;
mod body;
mod bounce;
mod date;
mod identity;
mod lexicon;
mod marks;
pub mod message;
mod postmark;
mod reading;
mod sender;
pub mod understanding;

use crate::{
    domain::{
        docket::About, event::Trouble, ids::LetterId, intent::Intent, state::State,
        tournament::Rules,
    },
    house::House,
};
pub use bounce::is_passing;
use chrono::{DateTime, Utc};
use message::{Holds, Mail, TooLarge};
use understanding::{Class, Confidence, Headers, Understanding};

/// What a reading may look at.
pub struct Desk<'a> {
    /// Who we are.
    pub house: &'a House,
    /// The tournaments.
    pub rules: &'a Rules,
    /// The books.
    pub state: &'a State,
    /// Our letters, to find the one that is answered.
    pub letters: &'a dyn Letters,
    /// The domains whose signature of this mail was verified (RFC 6376); none where nobody looked.
    pub signed_by: &'a [String],
    /// The present.
    pub now: DateTime<Utc>,
}

/// Our letters, as far as a reading needs them.
pub trait Letters {
    /// Returns what a letter was about; none where we never wrote it.
    fn about(&self, letter: LetterId) -> Option<About>;

    /// Returns the address that a letter went to; none where it was printed, or where we never wrote it.
    fn went_to(&self, letter: LetterId) -> Option<String>;
}

/// Reads a mail. `stamped` is when the mailbox took it in, where it knows.
pub fn read(raw: &[u8], stamped: Option<DateTime<Utc>>, desk: &Desk<'_>) -> Understanding {
    match Mail::parse(raw) {
        Ok(mail) => read_mail(&mail, stamped, desk),
        Err(TooLarge(why)) => read_head(raw, &why, stamped, desk),
    }
}

/// Returns the author's address of a mail that bears a signature (DKIM), so that somebody can look whether it is good
/// before the mail is read; none where it has none.
pub fn signed_author(raw: &[u8]) -> Option<String> {
    let head = Mail::parse(message::head(raw)).ok()?;
    let signed = head.has("dkim-signature");
    head.author.filter(|_| signed).map(|author| author.address)
}

/// Tells whether the books know an address: a player's, or the director's.
pub fn is_known(address: &str, house: &House, state: &State) -> bool {
    state.players_at(address).next().is_some()
        || house.director.iter().any(|own| own.eq_ignore_ascii_case(address))
}

/// Reads only the header of a mail that is over the limits: who wrote it and whether anybody did, so that its sender can
/// be told. Nothing in it is acted on.
fn read_head(
    raw: &[u8],
    why: &str,
    stamped: Option<DateTime<Utc>>,
    desk: &Desk<'_>,
) -> Understanding {
    let mail = Mail::parse(message::head(raw)).unwrap_or_default();
    let read = read_mail(&mail, stamped, desk);
    let machine = !matches!(read.class, Class::Person | Class::Unreadable);
    Understanding {
        class: if machine { read.class } else { Class::Unreadable },
        intents: Vec::new(),
        confidence: Confidence::Unsure,
        text: String::new(),
        set_aside: Vec::new(),
        reasons: vec![sentence(why)],
        trouble: Some(Trouble::TooLarge).filter(|_| !machine),
        // The text, which would tell it from another, was not read.
        headers: Headers { content_id: None, ..read.headers },
        ..read
    }
}

/// Returns what is new in a plain text, and what was taken away: the second half of a reading, for those who want to
/// see it alone.
pub fn new_text(text: &str) -> (String, Vec<String>) {
    let new = body::of_text(text, body::Below::Answered);
    (new.text, new.set_aside)
}

fn read_mail(mail: &Mail<'_>, stamped: Option<DateTime<Utc>>, desk: &Desk<'_>) -> Understanding {
    let references = identity::references(mail);
    let message_id = identity::message_id(mail);
    let answered = identity::answered(mail, &references, desk);
    let mut reasons = Vec::new();
    let (sender, players) = sender::of(mail, answered.as_ref(), desk, &mut reasons);
    let (postmark, postmark_doubt) = postmark::of(mail, stamped, desk);
    let new = body::newly_written(mail);
    let headers = Headers {
        content_id: identity::content_id(mail, &references, &new.text),
        message_id,
        replies: !references.is_empty() || identity::is_reply_subject(&mail.subject),
        references,
        subject: mail.subject.clone(),
        postmark: Some(postmark),
        postmark_doubt,
        answers: answered.as_ref().map(|(letter, _)| *letter),
    };
    let mut understood = Understanding {
        class: Class::Person,
        sender,
        text: new.text,
        set_aside: new.set_aside,
        reasons,
        headers,
        ..Understanding::default()
    };
    if let Some((class, intents, reason)) = unwritten(mail, &understood, desk) {
        understood.class = class;
        understood.intents = intents;
        let proved = |i: &Intent| matches!(i, Intent::Bounce { letter: Some(_), .. });
        let certain = class != Class::Bounce || understood.intents.iter().all(proved);
        understood.confidence = if certain { Confidence::Certain } else { Confidence::Unsure };
        understood.reasons.push(reason);
        return understood;
    }
    if let Some((class, why)) = unreadable(mail) {
        understood.class = class;
        understood.trouble = Some(Trouble::Damaged);
        understood.reasons.push(why);
        return understood;
    }
    mean(mail, &players, answered.as_ref().map(|(_, about)| about), desk, &mut understood);
    understood
}

/// Returns class and intents of a mail that no person wrote to us, with the reason.
fn unwritten(
    mail: &Mail<'_>,
    read: &Understanding,
    desk: &Desk<'_>,
) -> Option<(Class, Vec<Intent>, String)> {
    let headers = &read.headers;
    let automatic = automatic::class(mail, headers.message_id.as_deref(), &read.text, desk);
    if let Some((Class::Own, why)) = automatic {
        return Some((Class::Own, Vec::new(), why));
    }
    if let Some(intents) = bounce::read(mail, &headers.references, desk) {
        return Some((
            Class::Bounce,
            intents,
            "A mail system tells of a letter that did not arrive.".to_owned(),
        ));
    }
    let (class, why) = automatic?;
    Some((class, bounce::delivered(mail, &headers.references, desk), why))
}

/// Tells why a mail is never acted on, where nobody can be held to it or part of it is lost.
fn unreadable(mail: &Mail<'_>) -> Option<(Class, String)> {
    if mail.author.is_none() {
        let why = "It has not exactly one author, so nobody can be held to it.";
        return Some((Class::Unreadable, why.to_owned()));
    }
    mail.lost.as_ref().map(|why| (Class::Person, format!("Its text is not whole: {why}.")))
}

/// Reads what a person wrote for meaning.
fn mean(
    mail: &Mail<'_>,
    players: &[crate::domain::ids::MemberId],
    about: Option<&About>,
    desk: &Desk<'_>,
    understood: &mut Understanding,
) {
    let games = mail.attachments.iter().filter(|a| a.holds == Holds::Game);
    let input = reading::Input {
        subject: &mail.subject,
        text: &understood.text,
        players,
        name: &understood.sender.name,
        address: understood.sender.address.as_deref().unwrap_or_default(),
        about,
        letter: understood.headers.answers,
        postmark: understood.headers.postmark.unwrap_or_else(|| desk.house.day(desk.now)),
        records: games.map(|game| game.text().into_owned()).collect(),
    };
    let found = reading::read(input, desk);
    understood.intents = found.intents;
    understood.confidence = found.confidence;
    understood.trouble = found.trouble;
    understood.doubt = found.doubt;
    understood.reasons.extend(found.reasons);
    if understood.sender.player.is_none() && players.len() > 1 {
        understood.sender.player = found.player;
    }
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
