//! Policy by harm: how surely the author of an intent must be known before anything is done about it. Most of what
//! players write can be put right again and needs a known address, which anybody can write. What cannot be put right
//! needs more (`House::trust`, the table `[trust]`): a signature of the address's domain, or an answer to a letter that
//! only this player got. Where that is missing nothing is done; the player is asked at his known address whether he
//! wrote it (`domain/rules/guards.rs`).
//!
//! An answer from an address that is none of the player's is his word for a move and the like: a son's account, a new
//! address. It is not for what does harm: our letter can be passed on (`What is this?`), to the very opponent who made
//! up the mail, and then the token in it speaks for whoever has it. There it takes the token and a known address.

use crate::{
    domain::{
        intent::Intent,
        points::{Outcome, Points},
        state::State,
    },
    house::{House, Needs, Trust},
    mail::understanding::{Assurance, Class, Confidence, Sender, Understanding},
};

/// Something that does harm when somebody else has written it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A result against the sender's own interest (Rule 10).
    Result,
    /// A resignation (Rule 10).
    Resignation,
    /// A withdrawal (Rule 10).
    Withdrawal,
    /// Leave (Rule 10).
    Leave,
    /// Another address.
    AddressChange,
    /// A line of the director's (Rule 7).
    Director,
}

impl Act {
    /// Returns which harmful act an intent is; none for one that can be put right, or that brings nothing about.
    pub fn of(intent: &Intent, sender: &Sender, state: &State) -> Option<Self> {
        // A game that has a result changes by the director alone, and somebody else's not at all.
        let side = intent.game().and_then(|game| {
            let id = game.id();
            state.game(&id).filter(|(_, game)| game.settled().is_none())?;
            state.side_of(&id, sender.player.as_ref()?)
        });
        match intent {
            Intent::Result { result, how, .. } => {
                let outcome = Outcome { result: *result, how: *how };
                side.filter(|by| {
                    let lost = |side| outcome.result.points(side) == Points::default();
                    lost(*by) && !lost(by.other())
                })
                .map(|_| Self::Result)
            }
            Intent::Resign { .. } => side.map(|_| Self::Resignation),
            Intent::Withdraw { .. } => Some(Self::Withdrawal),
            Intent::Leave { .. } => Some(Self::Leave),
            Intent::AddressChange { .. } => Some(Self::AddressChange),
            Intent::Director { .. } => Some(Self::Director),
            Intent::Entry { .. }
            | Intent::Move(_)
            | Intent::DrawOffer { .. }
            | Intent::DrawAccept { .. }
            | Intent::DrawDecline { .. }
            | Intent::DrawClaim { .. }
            | Intent::TimeComplaint { .. }
            | Intent::Membership { .. }
            | Intent::Objection { .. }
            | Intent::Confirm { .. }
            | Intent::Question { .. }
            | Intent::Bounce { .. }
            | Intent::Delivered { .. }
            | Intent::Death { .. }
            | Intent::Conduct { .. } => None,
        }
    }

    const fn needs(self, trust: Trust) -> Needs {
        match self {
            Self::Result => trust.result,
            Self::Resignation => trust.resignation,
            Self::Withdrawal => trust.withdrawal,
            Self::Leave => trust.leave,
            Self::AddressChange => trust.address_change,
            Self::Director => trust.director,
        }
    }

    /// Tells whether a sender is known well enough for the act.
    pub fn is_proved(self, sender: &Sender, trust: Trust) -> bool {
        let needed = match self.needs(trust) {
            Needs::Address => Assurance::Address,
            Needs::Dkim => Assurance::Dkim,
        };
        sender.assurance >= needed && !sender.elsewhere
    }
}

/// Tells whether an intent of a player's waits for his word, because nothing but his address tells that he wrote it.
pub(super) fn waits(intent: &Intent, sender: &Sender, state: &State, house: &House) -> bool {
    let act = Act::of(intent, sender, state).filter(|act| *act != Act::Director);
    sender.player.is_some() && act.is_some_and(|act| !act.is_proved(sender, house.trust))
}

/// Adds to a reading what its sender will be asked to confirm, and why.
pub fn note(understanding: &mut Understanding, state: &State, house: &House) {
    let Understanding { class, confidence, intents, sender, reasons, .. } = understanding;
    if *class != Class::Person || *confidence != Confidence::Certain {
        return;
    }
    for intent in intents.iter().filter(|intent| waits(intent, sender, state, house)) {
        reasons.push(format!(
            "`{intent}`: it would do harm if somebody else had written it, so it is asked about."
        ));
    }
}
