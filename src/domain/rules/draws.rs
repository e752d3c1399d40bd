//! Rule 10: draws that are offered, accepted, declined and claimed. An offer stands until the opponent answers it, with
//! a move or in words. An acceptance with no offer in the books is a report of a draw that was agreed elsewhere. A claim
//! is checked on the moves in the books; where they do not tell, the director decides.

use super::{petitions, reports};
use crate::{
    chess::{End, Record},
    domain::{
        command::{Petition, ResultClaim},
        decide::Decision,
        event::{Correspondent, Event, Grounds},
        ids::GameId,
        intent::{self, DrawGround, Intent, Word},
        points::{How, Outcome, Score, Side},
        refusal::Refusal,
        section::{Game, GameState, Report, Section},
    },
};

/// Half moves without a pawn move and without a capture after which a draw may be claimed.
const FIFTY_MOVES: u8 = 100;

/// What somebody says in a game, and where he sits.
struct Spoken<'a> {
    from: &'a Correspondent,
    id: &'a GameId,
    section: &'a Section,
    game: &'a Game,
    side: Side,
    word: Word,
    mail: Option<&'a String>,
}

/// Takes a player's word about a draw (Rule 10).
pub(in crate::domain) fn speak(
    decision: &mut Decision<'_>,
    from: &Correspondent,
    id: &GameId,
    word: Word,
    mail: Option<&String>,
) {
    let state = decision.state;
    let refuse =
        |refusal| Event::WordRefused { from: from.clone(), game: id.clone(), word, refusal };
    let Some((section, game)) = state.game(id) else {
        return decision.push(refuse(Refusal::GameUnknown));
    };
    let Some(side) = from.player.as_ref().and_then(|member| state.side_of(id, member)) else {
        return decision.push(refuse(Refusal::NotYourGame));
    };
    let said = Spoken { from, id, section, game, side, word, mail };
    let running = game.state == GameState::Running;
    match word {
        Word::Accept => accept(decision, &said),
        _ if !running => decision.push(refuse(Refusal::GameOver)),
        Word::Offer => offer(decision, &said),
        Word::Decline if game.offer == Some(side.other()) => {
            let (game, by, on) = (id.clone(), side, decision.now.today);
            decision.push(Event::DrawDeclined { game, by, on });
        }
        Word::Decline => decision.push(refuse(Refusal::NoOffer)),
        Word::Claim { ground } => claim(decision, &said, ground),
        Word::Move => {}
    }
}

fn refuse(decision: &mut Decision<'_>, said: &Spoken<'_>, refusal: Refusal) {
    let (from, game) = (said.from.clone(), said.id.clone());
    decision.push(Event::WordRefused { from, game, word: said.word, refusal });
}

fn offer(decision: &mut Decision<'_>, said: &Spoken<'_>) {
    match said.game.offer {
        Some(by) if by == said.side => refuse(decision, said, Refusal::OfferStands),
        // Two offers are no agreement: each may have been made before the other was read.
        Some(_) => refuse(decision, said, Refusal::OpponentOffered),
        None => {
            let (game, by, on) = (said.id.clone(), said.side, decision.now.today);
            decision.push(Event::DrawOffered { game, by, on });
        }
    }
}

fn accept(decision: &mut Decision<'_>, said: &Spoken<'_>) {
    let running = said.game.state == GameState::Running;
    if running && said.game.offer == Some(said.side.other()) {
        return stand(decision, said, How::Agreement, Grounds::Agreed);
    }
    let outcome = Outcome { result: Score::Draw, how: How::Agreement };
    let (from, game, mail) = (said.from.clone(), said.id.clone(), said.mail.cloned());
    reports::report(decision, &ResultClaim { from, game, outcome, mail });
}

/// Makes the draw stand; the player who settled it is its reporter.
fn stand(decision: &mut Decision<'_>, said: &Spoken<'_>, how: How, grounds: Grounds) {
    let outcome = Outcome { result: Score::Draw, how };
    let (by, on, mail) = (said.side, decision.now.today, said.mail.cloned());
    let report = Report { by, outcome, on, mail };
    reports::confirm(decision, said.section, said.id.clone(), outcome, grounds, Some(report));
}

fn claim(decision: &mut Decision<'_>, said: &Spoken<'_>, ground: DrawGround) {
    let record = &said.game.record;
    match proved(record, ground) {
        Some(how) => stand(decision, said, how, Grounds::Claimed),
        None if record.is_empty()
            || matches!(ground, DrawGround::Material | DrawGround::Unsaid) =>
        {
            let GameId { section, white, black } = said.id.clone();
            let game = intent::Game { section, white, black };
            let intent = Intent::DrawClaim { game, ground };
            let (from, mail, words) = (said.from.clone(), said.mail.cloned(), Vec::new());
            petitions::receive(decision, &Petition { from, intent, words, mail });
        }
        None => {
            let counted = match ground {
                DrawGround::FiftyMoves => u16::from(record.position().halfmove_clock() / 2),
                _ => u16::try_from(record.repetitions()).unwrap_or(u16::MAX),
            };
            refuse(decision, said, Refusal::ClaimUnproved { ground, counted });
        }
    }
}

/// Returns how the game is a draw, where the moves in the books prove the claim.
fn proved(record: &Record, ground: DrawGround) -> Option<How> {
    let any = ground == DrawGround::Unsaid;
    let repeated = record.repetitions() >= 3;
    let fifty = record.position().halfmove_clock() >= FIFTY_MOVES;
    let dead = record.position().end() == Some(End::DeadPosition);
    [
        (DrawGround::Repetition, repeated, How::Repetition),
        (DrawGround::FiftyMoves, fifty, How::FiftyMoves),
        (DrawGround::Material, dead, How::Material),
    ]
    .into_iter()
    .find(|(named, proved, _)| *proved && (any || *named == ground))
    .map(|(.., how)| how)
}
