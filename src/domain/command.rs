//! Commands: what somebody asks for, in the imperative. A command is a wish; `decide` makes events of it or says no.

use super::{
    acts::{Assigned, Carried},
    alarm,
    docket::About,
    event::{Correspondent, Event, Job, Topic, Trouble},
    flood::Beyond,
    ids::{
        EntryId, GameId, ItemId, LetterId, MemberId, QuestionId, Seat, SectionCode, TournamentId,
    },
    intent::{Choice, Doubt, Intent, Move, Scope, Word},
    notice::NoticeName,
    outage::Outage,
    player::Player,
    points::Outcome,
    post::Failing,
    state::State,
    transcript::{SettledLines, Transcript},
};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;

/// The present, as data: nothing in the domain asks a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The instant.
    pub at: DateTime<Utc>,
    /// The day it is in the house's zone.
    pub today: NaiveDate,
}

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Take these members into the roster, or what has changed of them.
    ListPlayers(Vec<Player>),
    /// Enter a player.
    Enter(EntryForm),
    /// Book a payment.
    RecordPayment(Payment),
    /// Look at a payment that names its currency (ISO 4217): one that is not the tournament's is asked about (Rule 1).
    RecordPaymentIn(Payment, String),
    /// Take a player's word about a game.
    ReportResult(ResultClaim),
    /// Note that a mail was read which is answered by a receipt.
    ReadMail {
        /// Who wrote.
        from: Correspondent,
        /// What was read and not taken as the sender's word, a sentence each.
        aside: Vec<String>,
    },
    /// Play a move.
    PlayMove(MoveOrder),
    /// Take what a player says in a game beside a move.
    Speak {
        /// Who says it.
        from: Correspondent,
        /// The game.
        game: GameId,
        /// What is said.
        word: Word,
        /// The mail, for the evidence.
        mail: Option<String>,
    },
    /// Put before the director what only he decides (Rule 7).
    Petition(Petition),
    /// Ask a player what he meant.
    PutQuestion(AskedBack),
    /// Ask a player whether he wrote what would do harm if somebody else had.
    AskToConfirm(Unproved),
    /// Take the answer to a question of ours. What the answer stands for are commands of their own.
    AnswerQuestion {
        /// Who answers.
        from: Correspondent,
        /// The question.
        question: QuestionId,
        /// The answer, from 1 on; 0: none of them.
        choice: u8,
        /// The mail.
        mail: Option<String>,
    },
    /// Answer a question.
    Ask {
        /// Who asks.
        from: Correspondent,
        /// What about.
        topic: Topic,
        /// The section asked about.
        section: Option<SectionCode>,
    },
    /// Say politely that a mail was not understood, and put it before the director where it matters.
    Hold(HeldMail),
    /// Keep a mail that is beyond a cap on the answers of a day, and answer nobody.
    HoldBack(Beyond),
    /// Note that no mail had reached us for a time; which sections it touches is found here (Rule 10).
    NoteOutage(Outage),
    /// Tell the director at once what is the matter with the program, a sentence each.
    Alarm(alarm::Matter, Vec<String>),
    /// Note that a letter did not arrive, or not yet (Rule 10).
    NoteUndelivered(Box<Nondelivery>),
    /// Note that a letter which had not arrived has left another way.
    NoteDelivered {
        /// The letter.
        letter: LetterId,
        /// Whether it went on paper.
        on_paper: bool,
    },
    /// Note that somebody is reached at an address.
    NoteHeard {
        /// The address.
        address: String,
    },
    /// Decide a docket item (Rule 7).
    Rule {
        /// The item.
        item: ItemId,
        /// One of its choices.
        choice: String,
        /// Why.
        reason: String,
        /// Who decides.
        by: String,
    },
    /// Fix a result (Rule 7).
    FixResult {
        /// The game.
        game: GameId,
        /// The outcome.
        outcome: Outcome,
        /// Why.
        reason: String,
    },
    /// Take over a section that runs already.
    AdoptSection(AdoptedSection),
    /// Take over a result of a section that runs already.
    AdoptResult {
        /// The game.
        game: GameId,
        /// The outcome.
        outcome: Outcome,
        /// The day of the result.
        on: NaiveDate,
    },
    /// Take over what an entry scored in a round whose crosstable is lost.
    CarryScore(Carried),
    /// Fix how many entries were assigned, where the sections of the first round are lost (Rule 5).
    FixAssigned(Assigned),
    /// Keep two players in different sections, or let them meet again (Rule 2).
    KeepApart {
        /// The one.
        one: MemberId,
        /// The other.
        other: MemberId,
        /// Whether they may meet again.
        lifted: bool,
    },
    /// Grant a player leave (Rule 10).
    GrantLeave {
        /// Whose.
        member: MemberId,
        /// The first day.
        from: NaiveDate,
        /// The last day.
        to: NaiveDate,
        /// Why.
        reason: String,
    },
    /// Withdraw a player: from one section, from one tournament, or from all (Rule 10).
    Withdraw {
        /// Who.
        member: MemberId,
        /// From what.
        scope: Scope,
        /// The section, where it is from one.
        section: Option<SectionCode>,
        /// The tournament, where it is from one.
        event: Option<TournamentId>,
        /// Why.
        reason: String,
    },
    /// Note that a player has died (Rule 10).
    NoteDeath {
        /// Who.
        member: MemberId,
    },
    /// Give a seat to another entry (Rule 10).
    Substitute {
        /// The section.
        section: SectionCode,
        /// The seat.
        seat: Seat,
        /// Who takes it: an entry that waits.
        entry: EntryId,
        /// Why.
        reason: String,
    },
    /// Make two records of the roster one.
    Merge {
        /// The record that goes.
        from: MemberId,
        /// The record that stays.
        into: MemberId,
    },
    /// Send an entry on to the next round, whatever it scored (Rules 3 and 7).
    TakeEntry {
        /// The entry.
        entry: EntryId,
        /// Why.
        reason: String,
    },
    /// Take back what the director did, as long as nothing has followed from it (Rule 7).
    Undo(Box<Undo>),
    /// Let lines in the director's name wait for his word (Rule 7).
    HoldLines {
        /// The digest of the mail.
        mail: String,
        /// The lines.
        lines: Vec<String>,
    },
    /// Take the director's word about lines that waited.
    SettleLines(SettledLines),
    /// Note what came of the lines of a mail of the director's.
    Transcribe(Transcript),
    /// Look over the sections that run, after results were taken over (Rule 11).
    Review,
    /// Do what a job does; its slot has passed.
    Tick {
        /// The job.
        job: Job,
        /// The slot's day in the house's zone.
        slot: NaiveDate,
    },
    /// Note that the books are open: from this day on slots are due.
    OpenBooks {
        /// The day on which the first thing was entered, or today.
        since: NaiveDate,
    },
    /// Send a letter once more.
    Resend {
        /// The letter.
        letter: LetterId,
    },
}

/// An entry as it was asked for, by mail or on paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryForm {
    /// The tournament; none where the mail does not name one that we know.
    pub event: Option<TournamentId>,
    /// The id to use, where an import brings one.
    pub id: Option<EntryId>,
    /// The member the entry is for; none where the mail does not say.
    pub member: Option<MemberId>,
    /// Who sent it. A player whose known address it came from is filled in; an entry on paper has none.
    pub from: Option<Correspondent>,
    /// The name it gives.
    pub name: String,
    /// How many entries.
    pub count: u8,
    /// The day of the postmark (Rule 9).
    pub postmark: NaiveDate,
    /// Why that day is in doubt, if it is.
    pub postmark_doubt: Option<String>,
    /// When it arrived.
    pub arrived: DateTime<Utc>,
    /// Whether the fee came with it and is in the director's hands. What a mail says of its fee is not enough.
    pub paid: bool,
    /// The mail, for the evidence.
    pub mail: Option<String>,
}

/// Money that came (Rule 8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The tournament.
    pub event: TournamentId,
    /// Whose.
    pub member: MemberId,
    /// How much.
    pub amount: Decimal,
    /// The day it came.
    pub received: NaiveDate,
    /// The bank's or the shop's word for it.
    pub reference: String,
}

/// A player's word about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultClaim {
    /// Who says it.
    pub from: Correspondent,
    /// The game.
    pub game: GameId,
    /// What is said of it.
    pub outcome: Outcome,
    /// The mail, for the evidence.
    pub mail: Option<String>,
}

/// A move as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOrder {
    /// Who sent it.
    pub from: Correspondent,
    /// The move, as it was read; the position decides whether it can be played.
    pub said: Move,
    /// Whether a draw is offered with it.
    pub offer: bool,
    /// The postmark of the mail.
    pub sent: Option<NaiveDate>,
    /// The mail.
    pub mail: Option<String>,
}

/// Something for the director that a mail says or asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Petition {
    /// Who wrote.
    pub from: Correspondent,
    /// What is said.
    pub intent: Intent,
    /// What the mail says and how it was read, a sentence each.
    pub words: Vec<String>,
    /// The mail.
    pub mail: Option<String>,
}

/// A question to the sender of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedBack {
    /// The player who wrote.
    pub player: MemberId,
    /// What is asked, and what each answer stands for.
    pub doubt: Doubt,
    /// The postmark of the mail.
    pub sent: Option<NaiveDate>,
    /// The mail.
    pub mail: Option<String>,
}

/// What a mail asks for that would do harm if somebody else had written it, where its author is known by his address
/// alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproved {
    /// Whose address the mail bears.
    pub player: MemberId,
    /// That address.
    pub address: String,
    /// All of it, and what it says in words: what a yes stands for.
    pub meant: Choice,
    /// What of it the director decides: it is put before him at once.
    pub petitions: Vec<Petition>,
    /// The postmark of the mail.
    pub sent: Option<NaiveDate>,
    /// The mail.
    pub mail: Option<String>,
}

/// A mail that only a person can deal with, or that nobody can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldMail {
    /// Who wrote.
    pub from: Correspondent,
    /// What was the trouble.
    pub why: Trouble,
    /// What was understood all the same, a sentence each.
    pub read: Vec<String>,
    /// What the director must know beside it, a sentence each: its subject and its words. The sender is not told them.
    pub words: Vec<String>,
    /// The mail.
    pub mail: String,
    /// Whether the sender may be answered: nobody may who writes by machine, or too often.
    pub answer: bool,
    /// Whether the director must see it.
    pub docket: bool,
}

/// What a mail system said of a letter, or why one could not be written at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nondelivery {
    /// The letter, whose it is, and what it was about.
    pub about: About,
    /// How it was sent; none where it was not, or where no letter of ours is named.
    pub sent: Option<SentLetter>,
    /// Whom the mail system names.
    pub recipient: Option<String>,
    /// The status code (RFC 3463): `5.1.1`.
    pub status: Option<String>,
    /// What was said.
    pub said: String,
    /// The mail that said it; none: it was refused at delivery.
    pub mail: Option<String>,
    /// How it did not arrive.
    pub how: Failing,
    /// Whether our key proves that the letter is meant; a report without it may be forged.
    pub proved: bool,
}

/// How a letter was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentLetter {
    /// The address that it went to last; none: it went on paper.
    pub to: Option<String>,
    /// The day on which it was written.
    pub written: NaiveDate,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// The director's addresses, where it is no player's.
    pub director: Vec<String>,
}

/// What the director did and takes back, with what can tell whether anything has followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo {
    /// The number of the transaction.
    pub transaction: u64,
    /// What was decided in it.
    pub events: Vec<Event>,
    /// The books before it.
    pub before: State,
    /// What was decided after it, each with the number of its transaction.
    pub later: Vec<(u64, Event)>,
    /// Why it is taken back.
    pub reason: String,
    /// Who has not heard of it: what told him of it has not left and never will.
    pub unheard: Vec<MemberId>,
}

/// A section of a tournament that was begun without this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptedSection {
    /// Its code.
    pub section: SectionCode,
    /// The tournament.
    pub event: TournamentId,
    /// The round, counted from 0.
    pub round: usize,
    /// The day all games started.
    pub start: NaiveDate,
    /// Who sits where: entry if the director's list has one, and member.
    pub seats: Vec<(Option<EntryId>, MemberId)>,
}
