//! Events: what was decided, in the past tense. They are what the journal keeps, so a name or a field here is a
//! promise for years: add, never rename. Nothing else of the domain is written to the disk.

use super::{
    docket::{Item, Ruling},
    ids::{EntryId, GameId, ItemId, LetterId, MemberId, Seat, SectionCode, TournamentId},
    player::Player,
    points::{Outcome, Points},
    refusal::Refusal,
    section::{Report, Seated},
};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A duty that comes round by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Forming sections (Rule 2).
    Assignments,
    /// Fees asked for, objections run out (Rules 8 and 10).
    Reminders,
    /// The director's sheet.
    Summary,
}

/// Why an outcome stands (Rule 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grounds {
    /// Both players reported the same.
    BothReported,
    /// The report was against the reporter's own interest.
    OwnInterest,
    /// The opponent did not object in time.
    NoObjection,
    /// It came with the books of a running tournament.
    Adopted,
}

/// Why an entry advances (Rule 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// It has the points.
    Points,
    /// Nobody in the section had them, and it has the next best.
    NextBest,
    /// The director took it (Rule 7).
    Ruling,
}

/// Somebody who wrote to us or is written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Correspondent {
    /// The player, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<MemberId>,
    /// The address; for a player the books have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The name as the mail gave it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// Something that was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The roster has this member, in place of what it had.
    PlayerListed(Player),
    /// An entry came in (Rules 8 and 9).
    EntryReceived {
        /// Its id.
        entry: EntryId,
        /// The tournament.
        event: TournamentId,
        /// Whose it is.
        member: MemberId,
        /// The name as the entry gave it.
        #[serde(default)]
        name: String,
        /// Which of the person's entries it is.
        number: u8,
        /// The day that decides about the deadline.
        postmark: NaiveDate,
        /// When it arrived.
        arrived: DateTime<Utc>,
        /// Who sent it, where that is not the player's known address.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        from: Option<Correspondent>,
    },
    /// An entry has another number among the person's, because one with an earlier postmark came in (Rule 9).
    EntryRenumbered {
        /// The entry.
        entry: EntryId,
        /// Its number now.
        number: u8,
    },
    /// An entry is good (Rule 1); the fee is next.
    EntryAccepted {
        /// The entry.
        entry: EntryId,
    },
    /// An entry is refused (Rules 1, 8 and 9).
    EntryRefused {
        /// The entry.
        entry: EntryId,
        /// Why.
        refusal: Refusal,
    },
    /// An entry moves to next year's tournament (Rule 9).
    EntryCarriedForward {
        /// The entry.
        entry: EntryId,
        /// Where to, where that is known.
        to: Option<TournamentId>,
    },
    /// An entry could not be taken in at all.
    EntryDeclined {
        /// Who asked.
        from: Correspondent,
        /// Why not.
        refusal: Refusal,
    },
    /// Money came (Rule 8).
    PaymentReceived {
        /// The tournament.
        event: TournamentId,
        /// Whose.
        member: MemberId,
        /// How much.
        amount: Decimal,
        /// The day it came.
        received: NaiveDate,
        /// The bank's or the shop's word for it.
        reference: String,
    },
    /// Money goes back to the player (Rule 8); the director sends it.
    PaymentRefunded {
        /// The tournament.
        event: TournamentId,
        /// Whose.
        member: MemberId,
        /// How much.
        amount: Decimal,
        /// The day.
        on: NaiveDate,
        /// What it was decided by.
        reference: String,
    },
    /// The fee of an entry is covered (Rule 8).
    EntryPaid {
        /// The entry.
        entry: EntryId,
        /// The fee.
        fee: Decimal,
    },
    /// The fees of a player's entries were asked for (Rule 8).
    PaymentReminded {
        /// The tournament.
        event: TournamentId,
        /// Whose.
        member: MemberId,
        /// For which entries.
        entries: Vec<EntryId>,
        /// The day.
        on: NaiveDate,
    },
    /// A section was formed (Rule 2).
    SectionFormed {
        /// Its code.
        section: SectionCode,
        /// The tournament.
        event: TournamentId,
        /// The round, counted from 0.
        round: usize,
        /// The day all games start.
        start: NaiveDate,
        /// The seats, the first one first.
        seats: Vec<Seated>,
        /// The games, White's seat first.
        games: Vec<(Seat, Seat)>,
        /// It was formed before this program kept the books; nobody is told.
        #[serde(default)]
        adopted: bool,
    },
    /// A game of a section that was begun without this program has the table's colours reversed.
    ColorsAdopted {
        /// The game as it was played.
        game: GameId,
    },
    /// A player reported a result (Rule 10).
    ResultReported {
        /// The game.
        game: GameId,
        /// What was said.
        report: Report,
    },
    /// A player said again what is in the books already.
    ResultRepeated {
        /// The game.
        game: GameId,
        /// What was said.
        report: Report,
    },
    /// An outcome stands (Rule 10).
    ResultConfirmed {
        /// The game.
        game: GameId,
        /// The outcome.
        outcome: Outcome,
        /// Why it stands.
        grounds: Grounds,
        /// The day.
        on: NaiveDate,
        /// The report that settled it, where one did.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        report: Option<Report>,
    },
    /// The players contradict each other; neither report stands (Rule 10).
    ResultDisputed {
        /// The game.
        game: GameId,
        /// The earlier report.
        first: Report,
        /// The later one.
        second: Report,
    },
    /// A player contradicts a result that stands (Rule 10). It goes on standing until the director rules.
    ResultContested {
        /// The game.
        game: GameId,
        /// What the player says.
        report: Report,
    },
    /// The director fixed an outcome (Rule 7).
    ResultRuled {
        /// The game.
        game: GameId,
        /// The outcome.
        outcome: Outcome,
        /// The day.
        on: NaiveDate,
        /// Why.
        reason: String,
    },
    /// What a player said of a result was not taken (Rule 10).
    ResultRefused {
        /// Who said it.
        from: Correspondent,
        /// The words that named the game.
        game: String,
        /// Why not.
        refusal: Refusal,
    },
    /// All games of a section have an outcome (Rule 3).
    SectionCompleted {
        /// The section.
        section: SectionCode,
    },
    /// An entry advances to the next round (Rule 3).
    EntryAdvanced {
        /// The entry.
        entry: EntryId,
        /// The section it advances from.
        section: SectionCode,
        /// Its points there.
        points: Points,
        /// Why.
        why: Advance,
    },
    /// Somebody asked something.
    QuestionAsked {
        /// Who.
        from: Correspondent,
        /// What about.
        topic: Topic,
        /// The section asked about.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        section: Option<SectionCode>,
    },
    /// A mail was not understood, or not well enough to act.
    MailNotUnderstood {
        /// Who wrote.
        from: Correspondent,
        /// What was the trouble.
        why: Trouble,
        /// What was understood all the same, a sentence each.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        read: Vec<String>,
        /// Whether the sender is told; a stranger is told once in a while only.
        answered: bool,
    },
    /// Something waits for the director (Rule 7).
    ItemOpened(Item),
    /// The director decided (Rule 7).
    ItemRuled {
        /// The item.
        item: ItemId,
        /// The decision.
        ruling: Ruling,
    },
    /// A job's slot has passed and its work is done. Before the first pass: nothing was due yet.
    SlotPassed {
        /// The job.
        job: Job,
        /// The slot's day in the house's zone.
        on: NaiveDate,
    },
    /// The director's sheet is due.
    SummaryDue {
        /// The day it is written.
        on: NaiveDate,
        /// The day after the one before it.
        since: Option<NaiveDate>,
    },
    /// A letter is to go out once more.
    LetterResent {
        /// The letter.
        letter: LetterId,
    },
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// How this works.
    Help,
    /// Whether a section is formed, how it stands.
    Section,
    /// The player's own games.
    Games,
    /// The player's entries and fees.
    Entries,
    /// Deadlines and fees.
    Deadlines,
    /// The rules.
    Rules,
}

/// Why a mail could not be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// Nothing in it was meant for us, or it was said in words we do not read.
    NothingFound,
    /// It is about games or entries of a player, and the address is not his.
    SenderUnknown,
    /// More than one game fits.
    GameUnclear,
    /// It asks for something that this tournament's program does not do; the director reads it.
    ForDirector,
    /// It is larger than we take.
    TooLarge,
    /// It is empty.
    Empty,
    /// Its sender or its text could not be recovered in full.
    Damaged,
    /// Its sender has had as many answers today as one address gets.
    TooMany,
    /// Reading it stopped the program.
    Parked,
}
