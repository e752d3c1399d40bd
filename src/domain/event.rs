//! Events: what was decided, in the past tense. They are what the journal keeps, so a name or a field here is a
//! promise for years: add, never rename. Nothing else of the domain is written to the disk.

pub use super::correspondence::{Correspondent, Topic, Trouble};

use super::{
    docket::{Item, Ruling},
    ids::{
        EntryId, GameId, ItemId, LetterId, MemberId, QuestionId, Seat, SectionCode, TournamentId,
    },
    intent::{Conditional, Intent, MoveFault, Word},
    player::Player,
    points::{Outcome, Points, Side},
    question::{Answer, Question},
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
    /// The position on the board ends the game: mate, stalemate, or nobody can mate.
    Board,
    /// The opponent accepted the draw that was offered.
    Agreed,
    /// A draw was claimed, and the moves in the books bear it out.
    Claimed,
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
    /// A move was played by mail (Rule 10).
    MovePlayed {
        /// The game.
        game: GameId,
        /// The number of the move.
        number: u16,
        /// Who moved.
        side: Side,
        /// In standard notation, for people.
        san: String,
        /// As two squares: what the position follows.
        uci: String,
        /// Replies for moves of the opponent that have not been played; shown to nobody before they are.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        conditional: Vec<Conditional>,
        /// Whether a draw is offered with it.
        #[serde(skip_serializing_if = "is_false", default)]
        offer: bool,
        /// The day on which the sender says that he sent it: the postmark of his mail.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sent: Option<NaiveDate>,
        /// The day on which it came in.
        on: NaiveDate,
        /// The mail that brought it; none where a conditional move was played.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        mail: Option<String>,
    },
    /// A move came in once more; nothing changes.
    MoveRepeated {
        /// The game.
        game: GameId,
        /// The number of the move.
        number: u16,
        /// Who moved.
        side: Side,
        /// In standard notation.
        san: String,
        /// The day on which it came in again.
        on: NaiveDate,
    },
    /// A move cannot be played; the sender is told why, and his clock runs on (Rule 10).
    MoveRefused {
        /// Who sent it.
        from: Correspondent,
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
    /// Replies that a player had sent beforehand were not met and are gone.
    RepliesDropped {
        /// The game.
        game: GameId,
        /// Whose they were.
        side: Side,
    },
    /// A draw is offered without a move; it stands until the opponent answers.
    DrawOffered {
        /// The game.
        game: GameId,
        /// Who offers.
        by: Side,
        /// The day.
        on: NaiveDate,
    },
    /// The opponent's offer of a draw is declined.
    DrawDeclined {
        /// The game.
        game: GameId,
        /// Who declines.
        by: Side,
        /// The day.
        on: NaiveDate,
    },
    /// What a player said in a game was not taken.
    WordRefused {
        /// Who said it.
        from: Correspondent,
        /// The game.
        game: GameId,
        /// What was said.
        word: Word,
        /// Why not.
        refusal: Refusal,
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
    /// A mail was read that is answered by a receipt: what follows in the same transaction came of it.
    MailRead {
        /// Who wrote.
        from: Correspondent,
        /// What was read and not taken as the sender's word, a sentence each.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        aside: Vec<String>,
    },
    /// Somebody asked for something that the director decides, or told him something (Rule 7).
    PetitionReceived {
        /// Who wrote.
        from: Correspondent,
        /// What was said.
        intent: Box<Intent>,
        /// The docket item that tells the director of it.
        item: ItemId,
    },
    /// The answer to a question of ours came too late, twice, or from somebody else.
    AnswerRefused {
        /// Who answered.
        from: Correspondent,
        /// The question.
        question: QuestionId,
        /// Why it does not count.
        refusal: Refusal,
    },
    /// An entry's player has withdrawn (Rule 10).
    EntryWithdrawn {
        /// The entry.
        entry: EntryId,
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
    /// A player is asked what he meant, before anything is done.
    QuestionPut(Question),
    /// A question is settled.
    QuestionAnswered {
        /// The question.
        question: QuestionId,
        /// How.
        answer: Answer,
        /// The day.
        on: NaiveDate,
        /// The mail that settled it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        mail: Option<String>,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}
