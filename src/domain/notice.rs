//! Notices: what must be said to whom, as facts. Words are the templates' business and bytes are `notices/`'.
//!
//! Notices are made of all events of one transaction together, not event by event: somebody who sends three entries
//! in a mail, or reports two games, gets one receipt that speaks of everything.

use super::{
    docket::About,
    event::{Correspondent, Event, Grounds, Topic, Trouble},
    ids::{EntryId, GameId, MemberId, QuestionId, SectionCode, TournamentId},
    intent::MoveFault,
    points::{Outcome, Points, Side},
    refusal::Refusal,
    section::Report,
};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::fmt;

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

/// The names of the letters, as the contract lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the contract's; what each says is its template")]
pub enum NoticeName {
    EntryReceived,
    EntryRefused,
    PaymentReminder,
    Assignment,
    Receipt,
    Move,
    MoveRejected,
    DrawOffer,
    DrawDeclined,
    Question,
    Condolence,
    ResultReceipt,
    ResultReported,
    ResultDisputed,
    Ruling,
    SectionComplete,
    Advancement,
    NotUnderstood,
    Help,
    DirectorSummary,
}

impl NoticeName {
    /// All letters there are, in the order in which a tournament brings them.
    pub const ALL: [Self; 20] = [
        Self::EntryReceived,
        Self::EntryRefused,
        Self::PaymentReminder,
        Self::Assignment,
        Self::Receipt,
        Self::Move,
        Self::MoveRejected,
        Self::DrawOffer,
        Self::DrawDeclined,
        Self::Question,
        Self::Condolence,
        Self::ResultReceipt,
        Self::ResultReported,
        Self::ResultDisputed,
        Self::Ruling,
        Self::SectionComplete,
        Self::Advancement,
        Self::NotUnderstood,
        Self::Help,
        Self::DirectorSummary,
    ];

    /// Returns the name in the contract's spelling; the template is the file of this name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::EntryReceived => "entry-received",
            Self::EntryRefused => "entry-refused",
            Self::PaymentReminder => "payment-reminder",
            Self::Assignment => "assignment",
            Self::Receipt => "receipt",
            Self::Move => "move",
            Self::MoveRejected => "move-rejected",
            Self::DrawOffer => "draw-offer",
            Self::DrawDeclined => "draw-declined",
            Self::Question => "question",
            Self::Condolence => "condolence",
            Self::ResultReceipt => "result-receipt",
            Self::ResultReported => "result-reported",
            Self::ResultDisputed => "result-disputed",
            Self::Ruling => "ruling",
            Self::SectionComplete => "section-complete",
            Self::Advancement => "advancement",
            Self::NotUnderstood => "not-understood",
            Self::Help => "help",
            Self::DirectorSummary => "director-summary",
        }
    }
}

impl fmt::Display for NoticeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
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
        /// From which section.
        section: SectionCode,
        /// With how many points.
        points: Points,
    },
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
            Self::PaymentReminder { .. } => NoticeName::PaymentReminder,
            Self::Assignment { .. } => NoticeName::Assignment,
            Self::Receipt { .. } => NoticeName::Receipt,
            Self::Move { .. } => NoticeName::Move,
            Self::MoveRejected { .. } => NoticeName::MoveRejected,
            Self::DrawOffer { .. } => NoticeName::DrawOffer,
            Self::DrawDeclined { .. } => NoticeName::DrawDeclined,
            Self::Question { .. } => NoticeName::Question,
            Self::Condolence => NoticeName::Condolence,
            Self::ResultReceipt { .. } => NoticeName::ResultReceipt,
            Self::ResultReported { .. } => NoticeName::ResultReported,
            Self::ResultDisputed { .. } => NoticeName::ResultDisputed,
            Self::Ruling { .. } => NoticeName::Ruling,
            Self::SectionComplete { .. } => NoticeName::SectionComplete,
            Self::Advancement { .. } => NoticeName::Advancement,
            Self::NotUnderstood { .. } => NoticeName::NotUnderstood,
            Self::Help { .. } => NoticeName::Help,
            Self::DirectorSummary { .. } => NoticeName::DirectorSummary,
        }
    }
}
