//! The docket: what the rules leave open waits here for the director, with evidence, choices and a
//! recommendation (Rule 7). What a choice brings about is `rules/rulings.rs`.

use super::{
    flood::Flood,
    ids::{EntryId, GameId, ItemId, LetterId, MemberId, QuestionId, SectionCode, TournamentId},
    intent::Intent,
    outage::Outage,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a notice, a letter or a docket item is about. All that is known is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<TournamentId>,
    /// The entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
    /// The player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<MemberId>,
    /// The round, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// The section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionCode>,
    /// The game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The mail's digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail: Option<String>,
    /// The letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<LetterId>,
    /// The email address, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The one docket item that the letter puts before the director.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
    /// The question of ours that the letter puts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionId>,
}

/// Why something waits for the director.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// An entry whose country of residence is unknown or missing (Rule 1).
    ResidenceUnknown,
    /// An entry of somebody the roster does not have (Rule 1).
    MemberUnknown,
    /// An entry of a member whose membership has lapsed (Rule 1).
    MembershipLapsed,
    /// An entry for a member from an address that is not known as his.
    AddressUnknown,
    /// An entry whose postmark and arrival differ too much (Rule 9).
    PostmarkDoubtful,
    /// An entry too late for its number though the tournament is open (Rule 9).
    EntryLate,
    /// Money in another currency, or of somebody who has no entry (Rule 1).
    PaymentUnclear,
    /// Entries are closed and too few are left for a section (Rule 2).
    SectionShort,
    /// The players contradict each other (Rule 10).
    ResultDisputed,
    /// A settled result is contradicted (Rule 10).
    ResultContested,
    /// Nobody in the section reached the points that advance (Rule 3).
    NobodyAdvances,
    /// A mail that only a person can answer.
    MailHeld,
    /// A mail that could not be read at all; it was set aside so that the ones behind it go on.
    MailParked,
    /// A player says that he did not write, or does not want, what a mail from his address asked for (Rule 7).
    MailDenied,
    /// A letter that could not be delivered (Rule 10).
    LetterFailed,
    /// A player says that his opponent is late (Rule 10).
    TimeComplaint,
    /// A player asks for leave (Rule 10).
    #[serde(rename = "leave")]
    LeaveAsked,
    /// A player wants to withdraw (Rule 10).
    #[serde(rename = "withdrawal")]
    WithdrawalAsked,
    /// A player has another address.
    #[serde(rename = "address-change")]
    AddressChanged,
    /// News of a membership (Rule 1).
    MembershipNews,
    /// A player objects to what is in the books.
    Objection,
    /// Somebody has died (Rule 10).
    Death,
    /// A complaint about somebody's conduct.
    Conduct,
    /// A wish that came with an entry (Rule 2).
    EntryWishes,
    /// A draw is claimed that the books cannot prove (Rule 10).
    #[serde(rename = "draw-claim")]
    DrawClaimed,
    /// Entries are closed and a fee has never come (Rule 8).
    FeeMissing,
    /// The membership of somebody who still plays has ended (Rule 1).
    MembershipLapse,
    /// The last section of a round would not be full, and entries of the round before may fill it (Rule 3).
    FillIn,
    /// An entry has advanced, and a later ruling leaves it without the points for it (Rule 3).
    AdvancementInDoubt,
    /// More are equal at the cut of an invitation than there are seats (Rule 2).
    InvitationTied,
    /// A player forfeited to several opponents in a section (Rule 11).
    ForfeitsSpread,
    /// A game is to be adjudicated: its section's closing date has come, or a player has died (Rules 7 and 10).
    Adjudication,
    /// The title cannot go to the first of the standings, or several share the place (Rule 5).
    TitleOpen,
    /// What was announced as prizes is not what the books say now (Rule 5).
    PrizesDiffer,
    /// The standings cannot be right (Rule 6).
    StandingsUnsound,
    /// A move that cannot be played was sent in a final, which costs days (Rule 10).
    TimePenalty,
    /// More mail came than is answered in a day.
    Flood,
    /// No mail reached us for more than a day (Rule 10).
    Outage,
}

impl ItemKind {
    /// Tells whether the entries it is about stand still until it is decided.
    pub const fn holds_entries(self) -> bool {
        matches!(
            self,
            Self::ResidenceUnknown
                | Self::MemberUnknown
                | Self::MembershipLapsed
                | Self::AddressUnknown
                | Self::EntryLate
        )
    }

    /// Returns the word for the kind, as JSON has it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::ResidenceUnknown => "residence-unknown",
            Self::MemberUnknown => "member-unknown",
            Self::MembershipLapsed => "membership-lapsed",
            Self::AddressUnknown => "address-unknown",
            Self::PostmarkDoubtful => "postmark-doubtful",
            Self::EntryLate => "entry-late",
            Self::PaymentUnclear => "payment-unclear",
            Self::SectionShort => "section-short",
            Self::ResultDisputed => "result-disputed",
            Self::ResultContested => "result-contested",
            Self::NobodyAdvances => "nobody-advances",
            Self::MailHeld => "mail-held",
            Self::MailParked => "mail-parked",
            Self::MailDenied => "mail-denied",
            Self::LetterFailed => "letter-failed",
            Self::TimeComplaint => "time-complaint",
            Self::LeaveAsked => "leave",
            Self::WithdrawalAsked => "withdrawal",
            Self::AddressChanged => "address-change",
            Self::MembershipNews => "membership-news",
            Self::Objection => "objection",
            Self::Death => "death",
            Self::Conduct => "conduct",
            Self::EntryWishes => "entry-wishes",
            Self::DrawClaimed => "draw-claim",
            Self::FeeMissing => "fee-missing",
            Self::MembershipLapse => "membership-lapse",
            Self::FillIn => "fill-in",
            Self::AdvancementInDoubt => "advancement-in-doubt",
            Self::InvitationTied => "invitation-tied",
            Self::ForfeitsSpread => "forfeits-spread",
            Self::Adjudication => "adjudication",
            Self::TitleOpen => "title-open",
            Self::PrizesDiffer => "prizes-differ",
            Self::StandingsUnsound => "standings-unsound",
            Self::TimePenalty => "time-penalty",
            Self::Flood => "flood",
            Self::Outage => "outage",
        }
    }
}

/// One matter for the director.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its number.
    pub item: ItemId,
    /// Why it waits.
    pub kind: ItemKind,
    /// The rule it comes from.
    pub rule: u8,
    /// What it is about.
    pub about: About,
    /// Since when.
    pub since: DateTime<Utc>,
    /// What the director may choose.
    pub choices: Vec<String>,
    /// What the program would choose, where the rules lean one way.
    pub recommended: Option<String>,
    /// What is known, a sentence each.
    pub evidence: Vec<String>,
    /// The entries that it is about. Where they themselves are judged they stand still until it is decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryId>,
    /// What was asked for, where a mail asked for it: what a choice carries out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Box<Intent>>,
    /// The flood that it stands for, where it stands for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flood: Option<Box<Flood>>,
    /// The outage whose days may be taken out of the clocks, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outage: Option<Box<Outage>>,
}

impl Item {
    /// Returns what is known, a sentence each, with how many mails a flood is by now.
    pub fn sentences(&self) -> Vec<Cow<'_, str>> {
        let mut all: Vec<_> = self.evidence.iter().map(|line| Cow::Borrowed(&**line)).collect();
        if let Some(Flood { mails, .. }) = self.flood.as_deref() {
            let held =
                format!("{mails} mails are held back so far; all of them are in the archive.");
            all.insert(1.min(all.len()), Cow::Owned(held));
        }
        all
    }
}

/// The director's decision on an item. It adds to the record and edits nothing (Rule 7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// One of the item's choices.
    pub choice: String,
    /// Why.
    pub reason: String,
    /// Who decided.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}
