//! Intents: what a mail says or asks for, as `read --json` prints it and the books keep it until a doubt is settled.
//! An intent is what somebody *said*; what comes of it, the rules decide. How it is found in a mail is `mail/reading/`.

use super::{
    event::Topic,
    ids::{GameId, LetterId, MemberId, Seat, SectionCode, TournamentId},
    points::{How, Score, Side},
};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that a mail says or asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Intent {
    /// An entry into a tournament (Rule 8).
    Entry {
        /// The tournament; null where none of ours is named.
        event: Option<TournamentId>,
        /// How many entries.
        count: u8,
        /// The member the entry is for.
        member_id: Option<MemberId>,
        /// The name it gives.
        name: String,
        /// Whether it speaks of the fee as paid or enclosed.
        paid: bool,
        /// The day of the postmark.
        postmark: NaiveDate,
        /// What else it asks for, in its own words: whom not to meet, say (Rule 2). The director sees to it.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        wishes: Vec<String>,
    },
    /// A move.
    Move(Move),
    /// A result (Rule 10).
    Result {
        /// The game.
        #[serde(flatten)]
        game: Game,
        /// The score.
        result: Score,
        /// How it came about.
        how: How,
        /// The record of the game that came with it, in export format.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        pgn: Option<String>,
    },
    /// A resignation: a result against the sender's own interest.
    Resign {
        /// The game.
        #[serde(flatten)]
        game: Game,
    },
    /// A draw is offered.
    DrawOffer {
        /// The game.
        #[serde(flatten)]
        game: Game,
    },
    /// The opponent's offer is accepted.
    DrawAccept {
        /// The game.
        #[serde(flatten)]
        game: Game,
    },
    /// The opponent's offer is declined.
    DrawDecline {
        /// The game.
        #[serde(flatten)]
        game: Game,
    },
    /// A draw is claimed by the rules of the game.
    DrawClaim {
        /// The game.
        #[serde(flatten)]
        game: Game,
        /// Why it is one.
        ground: DrawGround,
    },
    /// The opponent is late (Rule 10).
    TimeComplaint {
        /// The game.
        #[serde(flatten)]
        game: Game,
        /// The day on which the move was sent.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sent: Option<NaiveDate>,
        /// The day on which it was repeated.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        repeated: Option<NaiveDate>,
    },
    /// Leave is asked for (Rule 10).
    Leave {
        /// The first day; null where the mail does not say.
        from: Option<NaiveDate>,
        /// The last day, included; null where the mail does not say.
        to: Option<NaiveDate>,
    },
    /// A withdrawal (Rule 10).
    Withdraw {
        /// From what.
        scope: Scope,
        /// The section, where it is one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        section: Option<SectionCode>,
    },
    /// Another address.
    AddressChange {
        /// The one that goes; null where the mail does not say.
        old: Option<String>,
        /// The new one: an email address, or a postal one in the words of the mail.
        new: Option<String>,
        /// The first day it holds.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        from: Option<NaiveDate>,
    },
    /// News of a membership (Rule 1).
    Membership {
        /// The day until which it runs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        expires: Option<NaiveDate>,
    },
    /// An objection to what is in the books, or to a ruling.
    Objection {
        /// The game, where one is meant.
        #[serde(flatten)]
        game: Option<Game>,
        /// The sentence.
        about: String,
    },
    /// The answer to a question of ours.
    Confirm {
        /// The letter that asked.
        token: LetterId,
        /// Which of its answers is chosen, from 1 on; 0: none of them.
        choice: u8,
    },
    /// A question.
    Question {
        /// What about.
        topic: Topic,
        /// The section asked about.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        section: Option<SectionCode>,
    },
    /// A line of the director's (Rule 7).
    Director {
        /// Its first word: `rule`, `result`, `forfeit`, `undo`, `preview` …
        command: String,
        /// The whole line.
        line: String,
    },
    /// A mail system's word about a letter of ours (RFC 3464).
    Bounce {
        /// Who did not get it.
        recipient: Option<String>,
        /// The status code: `5.1.1`.
        status: Option<String>,
        /// Whether it is final.
        permanent: bool,
        /// Whether the mail system has given up, be it over a trouble that passes: this letter is not coming.
        #[serde(skip_serializing_if = "super::reason::is_false", default)]
        given_up: bool,
        /// What the mail system said, on one line.
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
        /// The letter, where it could be told by our key.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        letter: Option<LetterId>,
    },
    /// A mail system says that a letter arrived, or was handed on (RFC 3464 section 2.3.3).
    Delivered {
        /// Who got it.
        recipient: Option<String>,
        /// The letter, as our key tells it.
        letter: LetterId,
    },
    /// Somebody has died.
    Death {
        /// The player, where it could be told who.
        player: Option<MemberId>,
        /// The sentence.
        about: String,
    },
    /// A complaint about how somebody behaves.
    Conduct {
        /// The game, where one is meant.
        #[serde(flatten)]
        game: Option<Game>,
        /// The sentence.
        about: String,
    },
}

/// A move, read against the position of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The number of the move.
    pub number: u16,
    /// Who moves.
    pub side: Side,
    /// In standard notation with English letters; what the mail says where it cannot be played.
    pub san: String,
    /// As two squares (`c1g5`); null where it cannot be played.
    pub uci: Option<String>,
    /// Replies for moves of the opponent that have not been played: nobody is shown them before.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub conditional: Vec<Conditional>,
    /// Whether the sender says that he sends it again, or it is the last move of the books.
    #[serde(skip_serializing_if = "is_false", default)]
    pub repeat: bool,
    /// The moves before it that the books do not have, as two squares each, where the mail brings the whole game.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub before: Vec<String>,
    /// Why it cannot be played; null where it can.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<MoveFault>,
}

/// `If 15...h6 then 16.Bh4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditional {
    /// The opponent's move, in standard notation; `any` for whichever.
    #[serde(rename = "if")]
    pub if_played: String,
    /// The answer to it, in standard notation.
    pub then: String,
}

/// Why a move cannot be played (Rule 10): the sender's clock runs on until he sends one that can.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveFault {
    /// In a word.
    pub fault: Fault,
    /// In words for the sender: `there is a knight of your own on f3`.
    pub why: String,
    /// Moves that may be meant, in standard notation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<String>,
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The rules of the game forbid it.
    Illegal,
    /// More than one piece can make it.
    Ambiguous,
    /// It is the opponent's turn.
    NotYourMove,
    /// The game stands at another move.
    WrongNumber,
    /// It is no move in any notation known here.
    Unreadable,
    /// The game is over.
    GameOver,
}

/// Why a game is a draw though nobody agreed to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawGround {
    /// The position came up for the third time.
    Repetition,
    /// Fifty moves without a pawn move and without a capture.
    FiftyMoves,
    /// Neither side can mate.
    Material,
    /// The mail does not say.
    Unsaid,
}

/// What a player may say in a game beside a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// He moves.
    Move,
    /// He offers a draw.
    Offer,
    /// He accepts the opponent's offer.
    Accept,
    /// He declines it.
    Decline,
    /// He claims a draw.
    Claim {
        /// Why it is one.
        ground: DrawGround,
    },
}

/// What somebody withdraws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One section.
    Section,
    /// One tournament.
    Event,
    /// All that is played here.
    All,
}

/// A game that a mail speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// The section.
    pub section: SectionCode,
    /// White's seat.
    pub white: Seat,
    /// Black's seat.
    pub black: Seat,
}

impl Game {
    /// Returns the game's id.
    pub fn id(&self) -> GameId {
        GameId { section: self.section.clone(), white: self.white, black: self.black }
    }
}

impl Intent {
    /// Returns the contract's word for the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Entry { .. } => "entry",
            Self::Move(_) => "move",
            Self::Result { .. } => "result",
            Self::Resign { .. } => "resign",
            Self::DrawOffer { .. } => "draw-offer",
            Self::DrawAccept { .. } => "draw-accept",
            Self::DrawDecline { .. } => "draw-decline",
            Self::DrawClaim { .. } => "draw-claim",
            Self::TimeComplaint { .. } => "time-complaint",
            Self::Leave { .. } => "leave",
            Self::Withdraw { .. } => "withdraw",
            Self::AddressChange { .. } => "address-change",
            Self::Membership { .. } => "membership",
            Self::Objection { .. } => "objection",
            Self::Confirm { .. } => "confirm",
            Self::Question { .. } => "question",
            Self::Director { .. } => "director",
            Self::Bounce { .. } => "bounce",
            Self::Delivered { .. } => "delivered",
            Self::Death { .. } => "death",
            Self::Conduct { .. } => "conduct",
        }
    }

    /// Returns the game it is about, where it is about one.
    pub const fn game(&self) -> Option<&Game> {
        match self {
            Self::Move(Move { game, .. })
            | Self::Result { game, .. }
            | Self::Resign { game }
            | Self::DrawOffer { game }
            | Self::DrawAccept { game }
            | Self::DrawDecline { game }
            | Self::DrawClaim { game, .. }
            | Self::TimeComplaint { game, .. } => Some(game),
            Self::Objection { game, .. } | Self::Conduct { game, .. } => game.as_ref(),
            Self::Entry { .. }
            | Self::Leave { .. }
            | Self::Withdraw { .. }
            | Self::AddressChange { .. }
            | Self::Membership { .. }
            | Self::Confirm { .. }
            | Self::Question { .. }
            | Self::Director { .. }
            | Self::Bounce { .. }
            | Self::Delivered { .. }
            | Self::Death { .. } => None,
        }
    }
}

/// In a few words, as receipts, questions and `read` name it: `15.Bg5 in 19N04 1-2`.
impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry { event, count, name, .. } => {
                let event = event.as_ref().map_or("an event that is not named", |e| &e.0);
                let entries = if *count == 1 { "entry" } else { "entries" };
                write!(f, "{count} {entries} of {name} for {event}")
            }
            Self::Move(played) => played.fmt(f),
            Self::Result { game, result, how, .. } => {
                write!(f, "{result} in {} by {}", game.id(), how.words())
            }
            Self::Resign { game } => write!(f, "you resign {}", game.id()),
            Self::DrawOffer { game } => write!(f, "you offer a draw in {}", game.id()),
            Self::DrawAccept { game } => write!(f, "you accept a draw in {}", game.id()),
            Self::DrawDecline { game } => write!(f, "you decline a draw in {}", game.id()),
            Self::DrawClaim { game, ground } => {
                write!(f, "you claim a draw in {}{}", game.id(), ground.words())
            }
            Self::TimeComplaint { game, .. } => write!(f, "a time complaint in {}", game.id()),
            Self::Leave { from, to } => write!(f, "leave {}", days(*from, *to)),
            Self::Withdraw { scope, section } => scope.write(f, section.as_ref()),
            Self::AddressChange { new, .. } => {
                write!(f, "a new address: {}", new.as_deref().unwrap_or("which one is not said"))
            }
            Self::Membership { expires } => {
                write!(f, "news of a membership {}", days(None, *expires))
            }
            Self::Objection { about, .. } => write!(f, "an objection: {about}"),
            Self::Confirm { choice: 0, .. } => f.write_str("no to our question"),
            Self::Confirm { choice, .. } => write!(f, "answer {choice} to our question"),
            Self::Question { topic, section } => {
                let section = section.as_ref().map(|s| format!(" {s}")).unwrap_or_default();
                write!(f, "a question about {}{section}", topic.words())
            }
            Self::Director { line, .. } => write!(f, "the director's line: {line}"),
            Self::Bounce { recipient, .. } => {
                write!(f, "a letter did not reach {}", recipient.as_deref().unwrap_or("somebody"))
            }
            Self::Delivered { letter, .. } => write!(f, "{letter} arrived"),
            Self::Death { about, .. } => write!(f, "a death: {about}"),
            Self::Conduct { about, .. } => write!(f, "a complaint about conduct: {about}"),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.side == Side::White { "." } else { "..." };
        write!(f, "{}{dots}{} in {}", self.number, self.san, self.game.id())?;
        for Conditional { if_played, then } in &self.conditional {
            write!(f, ", {then} if {if_played}")?;
        }
        Ok(())
    }
}

impl DrawGround {
    /// Returns the ground in words, with what leads to it.
    const fn words(self) -> &'static str {
        match self {
            Self::Repetition => " by repetition of the position",
            Self::FiftyMoves => " by the rule of fifty moves",
            Self::Material => " for lack of material",
            Self::Unsaid => "",
        }
    }
}

impl Scope {
    fn write(self, f: &mut fmt::Formatter<'_>, section: Option<&SectionCode>) -> fmt::Result {
        match (self, section) {
            (Self::Section, Some(section)) => write!(f, "you withdraw from section {section}"),
            (Self::Section, None) => f.write_str("you withdraw from a section"),
            (Self::Event, _) => f.write_str("you withdraw from the tournament"),
            (Self::All, _) => f.write_str("you withdraw from everything"),
        }
    }
}

fn days(from: Option<NaiveDate>, to: Option<NaiveDate>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("from {from} to {to}"),
        (Some(from), None) => format!("from {from}"),
        (None, Some(to)) => format!("until {to}"),
        (None, None) => "without a date".to_owned(),
    }
}

/// A question to the sender that settles a doubt: one a mail, with the answers that are possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The question, a sentence that ends in a question mark.
    pub asks: String,
    /// The answers; with one alone it is yes or no.
    pub options: Vec<Choice>,
}

/// One answer to a question of ours, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The answer in words, as the letter lists it: `15.Bg5 in 19N04 1-2 against Rosa Ortiz`.
    pub says: String,
    /// What was said, if that is meant.
    pub intents: Vec<Intent>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}
