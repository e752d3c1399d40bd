//! Asking back: the question about a mail whose reading is likely and not certain, where the reading itself has not put
//! one. It says in plain words what we would do, and is answered with yes or no.

use crate::{
    domain::{
        ids::MemberId,
        intent::{Choice, Doubt, Intent},
        state::State,
    },
    notices::view::words,
};

/// Returns the question whether a player means all of this.
pub(super) fn confirm(state: &State, player: &MemberId, intents: &[Intent]) -> Doubt {
    let options = vec![meant(state, player, intents.to_vec())];
    Doubt { asks: "Did you mean this?".to_owned(), options }
}

/// Returns in words what a player's mail asks for and he is to confirm.
pub(super) fn meant(state: &State, player: &MemberId, intents: Vec<Intent>) -> Choice {
    let says: Vec<String> = intents.iter().map(|intent| says(state, player, intent)).collect();
    Choice { says: says.join("; "), intents }
}

/// Returns what somebody says with his opponent's name: `15.Bg5 in 19N04 1-2 against Rosa Ortiz`.
fn says(state: &State, player: &MemberId, intent: &Intent) -> String {
    let opponent = intent.game().and_then(|game| {
        let side = state.side_of(&game.id(), player)?;
        state.players.get(state.member_of(&game.id(), side.other())?)
    });
    let against = opponent.map(|p| format!(" against {}", words::spoken(&p.name)));
    format!("{intent}{}", against.unwrap_or_default())
}
