//! Events: what was decided, in the past tense. The journal keeps them and nothing else: add, never rename.

pub use super::correspondence::{Correspondent, Topic, Trouble};
pub use super::reason::{Advance, Grounds, Job};
use super::{
    acts,
    alarm::Alarm,
    docket::{Item, Ruling},
    flood,
    forgotten::Forgotten,
    honours::{AwardGiven, CreditUsed, PrizeList},
    ids::{
        EntryId, GameId, ItemId, LetterId, MemberId, QuestionId, Seat, SectionCode, TournamentId,
    },
    intent::{Conditional, Intent, MoveFault, Word},
    outage::Outage,
    player::Player,
    points::{Outcome, Points, Side},
    post::PostEvent,
    question::{Answer, Question},
    refusal::Refusal,
    section::{Report, Seated},
    transcript::{HeldLines, SettledLines, Transcript},
};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Something that was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The roster has this member, in place of what it had.
    PlayerListed(Player),
    /// A player's letters go elsewhere; the roster has it already.
    AddressChanged(acts::NewAddress),
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
    PaymentRefunded(acts::Refund),
    /// The fee of an entry is covered (Rule 8).
    EntryPaid {
        /// The entry.
        entry: EntryId,
        /// The fee.
        fee: Decimal,
    },
    /// What was paid for an entry goes with it to next year's tournament (Rule 9).
    MoneyMoved(acts::MoneyMoved),
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
        #[serde(skip_serializing_if = "super::reason::is_false", default)]
        offer: bool,
        /// The day on which the sender says that he sent it: the postmark of his mail.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sent: Option<NaiveDate>,
        /// The day on which it came in.
        on: NaiveDate,
        /// The day that was in the opponent's own zone, where that is known and was another.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        reached: Option<NaiveDate>,
        /// The mail that brought it; none where a conditional move was played.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        mail: Option<String>,
    },
    /// A move came in once more.
    MoveRepeated(acts::MoveAgain),
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
        /// The section it advances from; none where its score was carried over from other books.
        section: Option<SectionCode>,
        /// Its points there.
        points: Points,
        /// Why.
        why: Advance,
    },
    /// What was decided of an entry's advancing holds no more: it is in its round and waits again (Rules 3 and 7).
    EntryTakenBack(EntryId),
    /// An entry does not reach the next round (Rules 3 and 4).
    EntryEliminated {
        /// The entry.
        entry: EntryId,
        /// Where it played last; none where its last score was carried over from other books.
        section: Option<SectionCode>,
        /// Its points there.
        points: Points,
    },
    /// An entry has played the last round to its end.
    EntryFinished {
        /// The entry.
        entry: EntryId,
    },
    /// A later entry was seated before this one for a constraint's sake; it is not passed over again (Rule 2).
    EntryPassedOver {
        /// The entry.
        entry: EntryId,
    },
    /// An entry that was carried forward plays in this year's tournament under another id (Rule 9).
    EntryBroughtForward {
        /// The entry of the year before.
        entry: EntryId,
        /// What it is here.
        here: EntryId,
        /// What it costs: the fee of the year before, even where this year's is higher; none: as the file says.
        fee: Option<Decimal>,
    },
    /// What an entry scored in a round whose crosstable is lost.
    ScoreCarried(acts::Carried),
    /// How many entries were assigned, by the director's word (Rule 5).
    AssignedFixed(acts::Assigned),
    /// An award is given (Rules 4 and 5).
    AwardGiven(AwardGiven),
    /// An award is void, because its entry goes on after all (Rule 4).
    AwardTakenBack(AwardGiven),
    /// A gift certificate's credit pays for an entry, or for a part of its fee (Rule 4).
    CreditUsed(CreditUsed),
    /// The prizes are announced (Rule 5).
    PrizesAwarded(PrizeList),
    /// A player is told that his membership ends soon, or today (Rule 1).
    MembershipReminded(acts::Reminded),
    /// Two players asked not to meet, or asked it no longer (Rule 2).
    KeptApart(acts::Apart),
    /// A player has leave; his clocks stand from the first day to the last (Rule 10).
    LeaveGranted(acts::Leave),
    /// A player has died (Rule 10).
    PlayerDied {
        /// Who.
        member: MemberId,
        /// When it came to be known.
        on: NaiveDate,
    },
    /// Another entry sits at a seat from now on (Rule 10).
    SeatTaken(acts::Substitution),
    /// Two records of the roster are one person.
    PlayersMerged(acts::Merged),
    /// A player was forgotten on request: his addresses and the words of his mails were erased.
    PlayerForgotten(Box<Forgotten>),
    /// Both players are asked what they claim in a game that the director will adjudicate (Rule 7).
    AdjudicationAsked {
        /// The game.
        game: GameId,
        /// The docket item.
        item: ItemId,
    },
    /// A player's time complaint was checked (Rule 10).
    ComplaintChecked(acts::Complaint),
    /// A player overstepped his time and was warned (Rule 10).
    OverstepWarned(acts::Overstep),
    /// Days are charged to a player beside those he used (Rule 10).
    DaysCharged(acts::Charged),
    /// What the director did was taken back, since nothing had followed from it (Rule 7).
    Undone(Box<acts::Undone>),
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
    /// A mail is beyond a cap on the answers of a day: it is kept, and a docket item stands for it.
    MailHeldBack(flood::HeldBack),
    /// No mail had reached us for a time (Rule 10).
    OutageNoted(Outage),
    /// The director is told at once what is the matter with the program.
    AlarmRaised(Alarm),
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
    /// Lines in the director's name wait for his word, since nothing proves that he wrote them (Rule 7).
    LinesHeld(HeldLines),
    /// The director has said whether lines that waited are his.
    LinesSettled(SettledLines),
    /// Lines of a mail of the director's were read; what was carried out stands in transactions of its own (Rule 7).
    LinesRead(Transcript),
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
    /// A letter did not arrive, goes another way, or an address failed or is good again (Rule 10).
    Post(PostEvent),
    /// A letter is to go out once more.
    LetterResent {
        /// The letter.
        letter: LetterId,
    },
}
