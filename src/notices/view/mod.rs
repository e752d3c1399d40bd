//! Views: what the templates may print. Facts and books become names, days and amounts in words; a template sees
//! nothing else, so nothing of another person can slip into a letter that has no right to it.
//!
//! The addresses of players are in assignment sheets only; a stranger is shown nothing of anybody. Every field is
//! always there (where there is nothing to say it is null or empty), because an undefined name in a template is an
//! error.

pub mod acts;
pub mod answer;
pub mod assignment;
pub mod certificate;
pub mod director;
pub mod entry;
pub mod forfeits;
pub mod honours;
pub mod play;
pub mod question;
pub mod receipt;
pub mod result;
pub mod section;
pub mod sheet;
pub mod standings;
pub mod summary;
pub mod words;

use super::Desk;
use crate::domain::{
    ids::{MemberId, TournamentId},
    notice::{Facts, Honour, Notice, Recipient},
    state::State,
    tournament::Tournament,
};
use rust_decimal::Decimal;
use serde::Serialize;
use words::Known;

/// What every template may print.
#[derive(Debug, Serialize)]
pub struct Frame {
    /// The recipient's name as it is spoken; `chess friend` where there is none.
    pub name: String,
    /// The name of the house.
    pub office: String,
    /// The address of the house.
    pub address: String,
    /// The director's name.
    pub director: String,
    /// The day the letter is written, in words.
    pub today: String,
    /// Who reads it: `player`, `stranger` or `director`.
    pub reader: &'static str,
}

/// What one letter says beside the frame.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is the notice of that name")]
pub enum Body {
    Entries(entry::Entries),
    Refused(entry::Refused),
    Assignment(assignment::Assignment),
    Mail(receipt::Receipt),
    Moved(play::Moved),
    Rejected(play::Rejected),
    Draw(play::Draw),
    Question(question::Question),
    /// `confirmation`.
    Confirmation(question::Confirmation),
    Condolence(question::Condolence),
    Receipt(result::Receipt),
    Report(result::Reported),
    Dispute(result::Disputed),
    Ruling(result::Ruled),
    Complete(section::Complete),
    Advancement(section::Advancement),
    Carried(entry::Carried),
    Act(acts::ActView),
    Honour(honours::HonourView),
    NotUnderstood(answer::NotUnderstood),
    Help(answer::Help),
    Summary(summary::Summary),
    Alert(summary::Alert),
    Transcript(director::TranscriptView),
    Confirm(director::Confirm),
}

/// A tournament, as letters speak of it.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    /// Its id: `GK2019`.
    pub id: String,
    /// Its full name.
    pub name: String,
    /// The fee of one entry.
    pub fee: String,
    /// How many entries a person may hold.
    pub per_player: u8,
    /// The last postmark day.
    pub closes: String,
    /// Seats in a section of the first round.
    pub section_size: u8,
    /// Whether chess engines are allowed.
    pub engines: bool,
    /// Days to object to a result that one player reported (Rule 10).
    pub objection_days: u16,
}

/// Returns what every template may print.
pub fn frame(to: &Recipient, desk: &Desk<'_>) -> Frame {
    let name = words::spoken(&recipient_name(to, desk));
    Frame {
        name: if name.is_empty() { "chess friend".to_owned() } else { name },
        office: words::clean(&desk.house.name),
        address: desk.house.address.clone(),
        director: words::clean(&desk.house.director_name),
        today: words::date(desk.house.day(desk.now)),
        reader: match known(to) {
            Known::Player => "player",
            Known::Stranger => "stranger",
            Known::Director => "director",
        },
    }
}

/// Returns what a letter says beside the frame.
pub fn body(notice: &Notice, desk: &Desk<'_>) -> Body {
    let to = &notice.to;
    match &notice.facts {
        Facts::EntryReceived { event, entries, beyond, credit } => {
            Body::Entries(entry::entries(event, entries, beyond, *credit, to, desk))
        }
        Facts::PaymentReminder { event, entries } => {
            Body::Entries(entry::entries(event, entries, &[], Decimal::ZERO, to, desk))
        }
        Facts::EntryCarriedForward { event, entries } => {
            Body::Carried(entry::carried(event, entries, to, desk))
        }
        Facts::EntryRefused { event, refusals } => {
            Body::Refused(entry::refused(event.as_ref(), refusals, to, desk))
        }
        Facts::Assignment { section, takes_over } => {
            Body::Assignment(assignment::assignment(section, *takes_over, member(to), desk))
        }
        Facts::Receipt { lines, aside, rest } => {
            Body::Mail(receipt::receipt(lines, aside, *rest, to, desk))
        }
        Facts::Move { game, moves, declined, dropped } => {
            Body::Moved(play::moved(game, moves, (*declined, *dropped), to, desk))
        }
        Facts::MoveRejected { game, number, side, san, fault } => {
            let said = play::dotted(*number, *side, san);
            Body::Rejected(play::rejected(game, &said, fault, to, desk))
        }
        Facts::DrawOffer { game } | Facts::DrawDeclined { game } => {
            Body::Draw(play::draw(game, to, desk))
        }
        Facts::Question { question } => Body::Question(question::question(*question, desk)),
        Facts::Confirmation { question } => {
            Body::Confirmation(question::confirmation(*question, desk))
        }
        Facts::Condolence => Body::Condolence(question::Condolence {}),
        Facts::ResultReceipt { lines } => Body::Receipt(result::receipt(lines, to, desk)),
        Facts::ResultReported { game, report, stands } => {
            Body::Report(result::reported(game, report, *stands, desk))
        }
        Facts::ResultDisputed { game, first, second } => {
            Body::Dispute(result::disputed(game, first, second, desk))
        }
        Facts::Ruling { game, outcome, reason } => {
            Body::Ruling(result::ruled(game, *outcome, reason, desk))
        }
        Facts::SectionComplete { section } => {
            Body::Complete(section::complete(section, member(to), desk))
        }
        Facts::Advancement { entry, section, points } => {
            Body::Advancement(section::advancement(entry, section.as_ref(), *points, desk))
        }
        Facts::Act(act) => Body::Act(acts::act(act, to, desk)),
        Facts::Honour(honour) => Body::Honour(honours::honour(honour, desk)),
        Facts::NotUnderstood { why, read } => {
            Body::NotUnderstood(answer::not_understood(*why, read, to, desk))
        }
        Facts::Help { topic, section } => {
            Body::Help(answer::help(*topic, section.as_ref(), to, desk))
        }
        Facts::DirectorSummary { on, since } => Body::Summary(summary::summary(*on, *since, desk)),
        Facts::DirectorAlert { items, words } => Body::Alert(summary::alert(items, words, desk)),
        Facts::Transcript(read) => Body::Transcript(director::transcript(read)),
        Facts::DirectorConfirm(held) => Body::Confirm(director::confirm(held)),
    }
}

/// Returns the page that comes with a letter, where one does: the certificate for framing (Rule 4).
pub fn enclosed(notice: &Notice, desk: &Desk<'_>) -> Option<certificate::Certificate> {
    match &notice.facts {
        Facts::Honour(Honour::FramingCertificate { entry, section, points }) => {
            Some(certificate::certificate(entry, section.as_ref(), *points, desk))
        }
        _ => None,
    }
}

/// Returns the recipient's name as the books or the mail have it.
pub fn recipient_name(to: &Recipient, desk: &Desk<'_>) -> String {
    match to {
        Recipient::Player(member) => member_name(desk.state, member),
        Recipient::Stranger(from) => words::clean(&from.name),
        Recipient::Director => words::clean(&desk.house.director_name),
    }
}

/// Returns a member's name: the roster's, else the one his entry gave.
pub fn member_name(state: &State, member: &MemberId) -> String {
    let listed = state.players.get(member).map(|p| p.name.as_str());
    let entered = state.entries_of.get(member).and_then(|ids| ids.first());
    let entered = entered.and_then(|id| state.entries.get(id)).map(|e| e.name.as_str());
    let names = [listed, entered].into_iter().flatten();
    words::clean(names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_default())
}

/// Returns how far the reader of a letter is known.
pub const fn known(to: &Recipient) -> Known {
    match to {
        Recipient::Player(_) => Known::Player,
        Recipient::Stranger(_) => Known::Stranger,
        Recipient::Director => Known::Director,
    }
}

/// Returns the member a letter goes to.
pub const fn member(to: &Recipient) -> Option<&MemberId> {
    match to {
        Recipient::Player(member) => Some(member),
        Recipient::Stranger(_) | Recipient::Director => None,
    }
}

/// Returns a tournament as letters speak of it; one that is not in the rules any more keeps its id.
pub fn event(id: &TournamentId, desk: &Desk<'_>) -> Event {
    match desk.rules.tournaments.get(id) {
        Some(tournament) => known_event(tournament),
        None => Event {
            id: id.0.clone(),
            name: id.0.clone(),
            fee: String::new(),
            per_player: 0,
            closes: String::new(),
            section_size: 0,
            engines: false,
            objection_days: 0,
        },
    }
}

fn known_event(tournament: &Tournament) -> Event {
    Event {
        id: tournament.id.0.clone(),
        name: words::clean(&tournament.name),
        fee: words::amount(tournament.entry.fee, &tournament.entry.currency),
        per_player: tournament.entry.per_player,
        closes: words::date(tournament.closes()),
        section_size: tournament.rounds.first().map_or(0, |round| round.size),
        engines: tournament.engines,
        objection_days: tournament.results.objection_days,
    }
}
