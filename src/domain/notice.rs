//! Notices: what must be said to whom, as facts. Words are the templates' business and bytes are `notices/`'.
//!
//! Notices are made of all events of one transaction together, not event by event: somebody who sends three entries
//! in a mail, or reports two games, gets one receipt that speaks of everything.

mod act;
mod honour;
mod name;

pub use act::{Act, Forfeited, Matter, Reproach};
pub use honour::Honour;
pub use name::NoticeName;

use super::{
    docket::About,
    event::{Correspondent, Event, Grounds, Topic, Trouble},
    ids::{EntryId, GameId, ItemId, MemberId, QuestionId, SectionCode, TournamentId},
    intent::MoveFault,
    points::{Outcome, Points, Side},
    refusal::Refusal,
    section::Report,
    transcript::{HeldLines, Transcript},
};
use chrono::NaiveDate;
use rust_decimal::Decimal;

/// Somebody who must be told something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Who is told.
    pub to: Recipient,
    /// What it is about; the answer's thread and the keyed address go by it.
    pub about: About,
    /// What is said.
    pub facts: Facts,
}

/// Who a letter goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A player, at the address of the books.
    Player(MemberId),
    /// Somebody who is no known player, at the address he wrote from.
    Stranger(Correspondent),
    /// The director.
    Director,
}

/// What a letter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Facts {
    /// To the player: these entries came in; how each stands is in the books (Rules 8 and 9).
    EntryReceived {
        /// The tournament.
        event: TournamentId,
        /// The entries of this mail or of this decision about them.
        entries: Vec<EntryId>,
        /// Why more that the same mail asked for were not taken at all.
        beyond: Vec<Refusal>,
        /// How much of the player's gift certificates was used for their fees (Rule 4).
        credit: Decimal,
    },
    /// To the player: these entries play in next year's tournament (Rule 9).
    EntryCarriedForward {
        /// The tournament they came too late for.
        event: TournamentId,
        /// The entries as they are numbered there.
        entries: Vec<EntryId>,
    },
    /// To the sender: an entry is not taken, or not any more (Rules 1, 8 and 9).
    EntryRefused {
        /// The tournament, where it is known.
        event: Option<TournamentId>,
        /// Why, each reason once.
        refusals: Vec<Refusal>,
    },
    /// To the player: the fees of these entries have not come (Rule 8).
    PaymentReminder {
        /// The tournament.
        event: TournamentId,
        /// The entries.
        entries: Vec<EntryId>,
    },
    /// To each player of the section: the assignment sheet (Rule 2).
    Assignment {
        /// The section.
        section: SectionCode,
        /// Whether the reader takes over a seat, so that he must hear how the games stand (Rule 10).
        takes_over: bool,
    },
    /// To the sender of a mail: what was read in it, line by line, and what became of it.
    Receipt {
        /// What came of the mail, in order.
        lines: Vec<MailLine>,
        /// What was read and not taken as the sender's word, a sentence each.
        aside: Vec<String>,
        /// Whether something in the mail was not understood and is before the director.
        rest: bool,
    },
    /// To a player: his opponent has moved (Rule 10).
    Move {
        /// The game.
        game: GameId,
        /// The moves that were played, the reader's own replies that were met among them.
        moves: Vec<Played>,
        /// Whether the opponent declined the reader's offer of a draw.
        declined: bool,
        /// Whether replies that the reader had sent beforehand were not met.
        dropped: bool,
    },
    /// To the sender: a move cannot be played (Rule 10).
    MoveRejected {
        /// The game.
        game: GameId,
        /// The number of the move.
        number: u16,
        /// For whom it was.
        side: Side,
        /// What the mail says.
        san: String,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// To a player: his opponent offers a draw without a move.
    DrawOffer {
        /// The game.
        game: GameId,
    },
    /// To a player: his opponent does not take the draw.
    DrawDeclined {
        /// The game.
        game: GameId,
    },
    /// To a player: the one question that settles what his mail means.
    Question {
        /// The question.
        question: QuestionId,
    },
    /// To a player: whether he wrote what would do harm if somebody else had.
    Confirmation {
        /// The question.
        question: QuestionId,
    },
    /// To somebody who told us of a death.
    Condolence,
    /// To the reporter: what was entered (Rule 10).
    ResultReceipt {
        /// Each game with what became of the report.
        lines: Vec<ReceiptLine>,
    },
    /// To the opponent: what was reported, and until when he may object (Rule 10).
    ResultReported {
        /// The game.
        game: GameId,
        /// What was said.
        report: Report,
        /// Why it stands already; none where the opponent may object.
        stands: Option<Grounds>,
    },
    /// To both players: they contradict each other (Rule 10).
    ResultDisputed {
        /// The game.
        game: GameId,
        /// The earlier report.
        first: Report,
        /// The later one.
        second: Report,
    },
    /// To both players: the director fixed the outcome (Rule 7).
    Ruling {
        /// The game.
        game: GameId,
        /// The outcome.
        outcome: Outcome,
        /// Why.
        reason: String,
    },
    /// To each player of the section: all games have an outcome (Rule 3).
    SectionComplete {
        /// The section.
        section: SectionCode,
    },
    /// To the player: the entry advances (Rule 3).
    Advancement {
        /// The entry.
        entry: EntryId,
        /// From which section; none where its score was carried over from other books.
        section: Option<SectionCode>,
        /// With how many points.
        points: Points,
    },
    /// What a rule or the director brought about for a person.
    Act(Act),
    /// What an entry has won, or that it goes no further (Rules 3, 4 and 5).
    Honour(Honour),
    /// To the sender: the mail was not understood, or not well enough.
    NotUnderstood {
        /// What was the trouble.
        why: Trouble,
        /// What was understood all the same.
        read: Vec<String>,
    },
    /// To the sender: the answer to a question.
    Help {
        /// What was asked about.
        topic: Topic,
        /// The section asked about.
        section: Option<SectionCode>,
    },
    /// To the director: what happened and what waits.
    DirectorSummary {
        /// The day it is written.
        on: NaiveDate,
        /// The day of the one before.
        since: Option<NaiveDate>,
    },
    /// To the director: what came of the lines of his mail (Rule 7).
    Transcript(Transcript),
    /// To the director: lines in his name that wait for his word (Rule 7).
    DirectorConfirm(HeldLines),
    /// To the director: what cannot wait for the summary (Rule 7).
    DirectorAlert {
        /// The docket items.
        items: Vec<ItemId>,
        /// What is the matter with the program itself, a sentence each.
        words: Vec<String>,
    },
}

/// One thing in a mail that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailLine {
    /// A result.
    Result(ReceiptLine),
    /// Anything else: the event that it came to.
    Other(Box<Event>),
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number.
    pub number: u16,
    /// Who moved.
    pub side: Side,
    /// In standard notation.
    pub san: String,
    /// Whether it was sent beforehand, for a condition that is now met.
    pub beforehand: bool,
    /// Whether a draw is offered with it.
    pub offer: bool,
}

/// One game in a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLine {
    /// What the sender called the game: its id where it was found.
    pub game: String,
    /// What was said of it.
    pub report: Option<Report>,
    /// What became of that.
    pub effect: Effect,
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is entered; the opponent may object.
    Entered,
    /// It stands.
    Stands,
    /// It was in the books already.
    Known,
    /// It contradicts the opponent's report; the director decides.
    Disputed,
    /// It contradicts an outcome that stands; the director was told.
    Contested,
    /// It was not taken.
    Refused(Refusal),
}

impl Facts {
    /// Returns the name of the letter that says this.
    pub const fn name(&self) -> NoticeName {
        match self {
            Self::EntryReceived { .. } => NoticeName::EntryReceived,
            Self::EntryRefused { .. } => NoticeName::EntryRefused,
            Self::EntryCarriedForward { .. } => NoticeName::EntryCarriedForward,
            Self::PaymentReminder { .. } => NoticeName::PaymentReminder,
            Self::Assignment { .. } => NoticeName::Assignment,
            Self::Receipt { .. } => NoticeName::Receipt,
            Self::Move { .. } => NoticeName::Move,
            Self::MoveRejected { .. } => NoticeName::MoveRejected,
            Self::DrawOffer { .. } => NoticeName::DrawOffer,
            Self::DrawDeclined { .. } => NoticeName::DrawDeclined,
            Self::Question { .. } => NoticeName::Question,
            Self::Confirmation { .. } => NoticeName::Confirmation,
            Self::Condolence => NoticeName::Condolence,
            Self::ResultReceipt { .. } => NoticeName::ResultReceipt,
            Self::ResultReported { .. } => NoticeName::ResultReported,
            Self::ResultDisputed { .. } => NoticeName::ResultDisputed,
            Self::Ruling { .. } => NoticeName::Ruling,
            Self::SectionComplete { .. } => NoticeName::SectionComplete,
            Self::Advancement { .. } => NoticeName::Advancement,
            Self::Act(act) => act.name(),
            Self::Honour(honour) => honour.name(),
            Self::NotUnderstood { .. } => NoticeName::NotUnderstood,
            Self::Help { .. } => NoticeName::Help,
            Self::DirectorSummary { .. } => NoticeName::DirectorSummary,
            Self::Transcript(_) => NoticeName::Transcript,
            Self::DirectorConfirm(_) => NoticeName::DirectorConfirm,
            Self::DirectorAlert { .. } => NoticeName::DirectorAlert,
        }
    }
}
