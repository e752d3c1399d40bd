//! Rule 10: a move that is illegal, ambiguous or illegible. The clock of its sender runs on until he sends one that can
//! be played (`moves.rs`); in a final more days are charged beside those, which the director decides.

use super::reflection;
use crate::domain::{
    acts::Charged,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::GameId,
    intent::{Fault, MoveFault},
    points::Side,
    tournament::Tournament,
};

/// A move that could not be played.
pub(super) struct Refused<'a> {
    /// The game.
    pub(super) game: &'a GameId,
    /// Who sent it.
    pub(super) side: Side,
    /// Its number.
    pub(super) number: u16,
    /// What the mail says.
    pub(super) san: &'a str,
    /// What is wrong with it.
    pub(super) fault: &'a MoveFault,
    /// The mail.
    pub(super) mail: Option<&'a String>,
}

/// Proposes the charge for a move in a final that could not be played; one item stands for all of a player's in a game
/// that nobody has decided about (Rule 10).
pub(super) fn propose(decision: &mut Decision<'_>, refused: &Refused<'_>) {
    let faulty =
        matches!(refused.fault.fault, Fault::Illegal | Fault::Ambiguous | Fault::Unreadable);
    let Some((tournament, days)) = charge(decision, refused.game).filter(|_| faulty) else {
        return;
    };
    let state = decision.state;
    let Refused { game, side, number, san, fault, mail } = refused;
    let player = state.member_of(game, *side).cloned();
    let line = format!("Move {number}, \"{}\", cannot be played: {}.", san.trim(), fault.why);
    let mut open = state.open_of_kind(ItemKind::TimePenalty);
    let same = |item: &&Item| item.about.game.as_ref() == Some(game) && item.about.player == player;
    if let Some(mut item) = open.find(same).cloned() {
        item.evidence.push(line);
        return decision.push(Event::ItemOpened(item));
    }
    let time = reflection::ledger(tournament, state, game, &[], decision.now.today);
    let mut evidence = vec![line];
    evidence.push(format!("In a final {days} days are charged for that (Rule 10)."));
    evidence.extend(time.of(*side).next_back().map(reflection::Row::why));
    let about = About {
        event: Some(tournament.id.clone()),
        player,
        section: Some(game.section.clone()),
        game: Some((*game).clone()),
        mail: mail.cloned(),
        ..About::default()
    };
    let matter = Matter {
        rule: 10,
        about,
        choices: choices(&["charge", "dismiss"]),
        recommended: Some("charge".to_owned()),
        evidence,
        ..Matter::default()
    };
    decision.open(ItemKind::TimePenalty, matter);
}

/// Returns how many days are charged in a game today; none where it is no final, or they are not charged.
fn charge<'a>(decision: &Decision<'a>, game: &GameId) -> Option<(&'a Tournament, u16)> {
    let section = decision.state.sections.get(&game.section)?;
    let tournament = decision.rules.tournaments.get(&section.tournament)?;
    let days = tournament.clock_on(decision.now.today)?.final_penalty_days;
    (tournament.is_final(section.round) && days > 0).then_some((tournament, days))
}

/// Does what the director chose about the charge.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let (Some(game), Some(player), "charge") = (&item.about.game, &item.about.player, choice)
    else {
        return;
    };
    let side = decision.state.side_of(game, player);
    let Some((side, (_, days))) = side.zip(charge(decision, game)) else { return };
    let (game, reason, on) = (game.clone(), reason.to_owned(), decision.now.today);
    decision.push(Event::DaysCharged(Charged { game, side, days, reason, on }));
}
