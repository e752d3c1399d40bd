//! `[trust]` of `knightmail.toml`: how surely an act's author must be known before it is done at once. With less, a
//! confirmation is asked for from the known address. Acts that do no harm need no line: a move, an offer, a question.

use super::document::Mistakes;
pub use crate::house::{Needs, Trust};

/// Notes what is wrong with the table.
pub(super) fn check(trust: Trust, wrong: &mut Mistakes<'_>) {
    if trust.director < Needs::Dkim {
        let hint = "write \"dkim\"; a reply to a letter of ours is believed too";
        wrong.at("trust.director", "everybody can write in the director's name", hint);
    }
}
