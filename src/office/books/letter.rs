//! What the ledger knows of a letter, and where a letter stands.

use crate::{
    digest::Digest,
    domain::{
        ids::{ItemId, LetterId, QuestionId, Seat},
        notice::NoticeName,
    },
};
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// What the ledger knows of a letter.
#[derive(Clone, Debug)]
pub struct LetterEntry {
    /// The transaction that wrote it.
    pub seq: u64,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The address it goes to; none: it goes on paper.
    pub to: Option<Arc<str>>,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// When it became due.
    pub queued: DateTime<Utc>,
    /// Where it stands.
    pub state: LetterState,
    /// How often delivery was tried.
    pub attempts: u32,
    /// When that was last.
    pub tried: Option<DateTime<Utc>>,
    /// When that was first.
    pub begun: Option<DateTime<Utc>>,
    /// When it may leave at the earliest: until then what it tells can be taken back. None: at once.
    pub not_before: Option<DateTime<Utc>>,
    pub(super) player: Option<Arc<str>>,
    pub(super) entry: Option<Arc<str>>,
    pub(super) section: Option<Arc<str>>,
    /// The seats of the game, White first; it is a game of the section.
    pub(super) game: Option<(Seat, Seat)>,
    /// The one docket item that it puts before the director.
    pub(super) item: Option<ItemId>,
    /// The question that it puts.
    pub(super) question: Option<QuestionId>,
    /// The letter with a later ruling about the same game, because of which it never left (Rule 7).
    pub superseded_by: Option<LetterId>,
    /// When its words were erased, because a player asked to be forgotten: nothing can be sent again.
    pub erased: Option<DateTime<Utc>>,
}

/// Where a letter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterState {
    /// It waits to be delivered, perhaps once more.
    Waiting,
    /// The next mail system has it.
    Sent,
    /// It lies in the print folder.
    Printed,
    /// It was refused, and goes no other way.
    Failed,
    /// It was sent and came back, and goes no other way.
    Bounced,
    /// What it tells was taken back, or ruled otherwise, before it left (Rule 7): it reaches nobody.
    TakenBack,
}

impl LetterState {
    /// Returns the contract's word.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Printed => "printed",
            Self::Failed | Self::TakenBack => "failed",
            Self::Bounced => "bounced",
        }
    }
}
