//! Rule 10: replies sent beforehand, `if 15...h6 then 16.Bh4`. One is played as soon as its condition is met, and shown
//! to nobody before. A condition is the opponent's next move, or the moves that lead there with his the last of them
//! (`Bxf3 Qxf3 h6`); one that bears the number of a later move waits for that move as long as what comes before is met.

use crate::{
    chess::{Move, Position},
    domain::intent::Conditional,
};

/// Returns the reply that a move meets and what remains of the promises after it; none where no condition is met, or the
/// reply cannot be played. `position` is the one in which the move was played.
pub(super) fn met(
    position: &Position,
    played: Move,
    promised: &[Conditional],
) -> Option<(Move, Vec<Conditional>)> {
    let after = position.after(played)?;
    let is_met = |text: &str| {
        let (at, text) = numbered(text);
        let now = at.is_none_or(|at| at == position.number());
        now && (text.eq_ignore_ascii_case("any") || find(position, text) == Some(played))
    };
    let reply = promised.iter().find(|reply| matches!(path(reply)[..], [only] if is_met(only)))?;
    let answer = find(&after, numbered(&reply.then).1)?;
    let later = |reply: &Conditional| match path(reply)[..] {
        [only] => numbered(only).0.is_some_and(|at| at > position.number()).then(|| reply.clone()),
        [theirs, ours, ref rest @ ..] if !rest.is_empty() => {
            let goes_on = is_met(theirs) && find(&after, numbered(ours).1) == Some(answer);
            let (if_played, then) = (rest.join(" "), reply.then.clone());
            goes_on.then_some(Conditional { if_played, then })
        }
        _ => None,
    };
    Some((answer, promised.iter().filter_map(later).collect()))
}

/// Returns the moves of a condition; a number that stands by itself belongs to the move behind it.
fn path(reply: &Conditional) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut from = 0;
    for (at, c) in reply.if_played.char_indices().chain([(reply.if_played.len(), ' ')]) {
        let word = &reply.if_played[from..at];
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || ".… ".contains(c));
        if c == ' ' && !bare.is_empty() {
            moves.push(word.trim());
            from = at;
        }
    }
    moves
}

/// Takes the number off a move: `15...h6`, `16.Bh4`.
fn numbered(text: &str) -> (Option<u16>, &str) {
    let text = text.trim();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    let bare = rest.trim_start_matches(['.', '…', ' ']);
    match digits.parse() {
        Ok(number) if bare.len() < rest.len() => (Some(number), bare),
        _ => (None, text),
    }
}

/// Returns the legal move that a text in standard notation means; marks of check and praise are no part of it.
fn find(position: &Position, text: &str) -> Option<Move> {
    let bare = |san: &str| san.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let wanted = bare(text);
    let legal = position.legal().into_iter();
    legal.into_iter().find(|it| bare(&position.san(*it)) == wanted || it.uci() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(if_played: &str, then: &str) -> Conditional {
        Conditional { if_played: if_played.to_owned(), then: then.to_owned() }
    }

    fn answer(promised: &[Conditional]) -> Option<(String, usize)> {
        let (answer, rest) = rest(promised)?;
        Some((answer.uci(), rest.len()))
    }

    fn rest(promised: &[Conditional]) -> Option<(Move, Vec<Conditional>)> {
        let mut position = Position::start();
        for uci in ["e2e4", "e7e5", "g1f3"] {
            assert!(position.play(uci.parse().expect("a move")));
        }
        let played = "b8c6".parse().expect("a move");
        met(&position, played, promised)
    }

    #[test]
    fn rule_10_a_reply_is_played_when_its_condition_is_met() {
        let bishop = Some(("f1b5".to_owned(), 0));
        for condition in ["Nc6", "2...Nc6", "any", "Any", "2... Nc6", "b8c6"] {
            assert_eq!(answer(&[reply(condition, "Bb5")]), bishop, "{condition}");
        }
        assert_eq!(answer(&[reply("d6", "d4"), reply("Nc6", "3.Bb5"), reply("any", "h3")]), bishop);
        let path = [reply("Nc6", "Bb5"), reply("Nc6 Bb5 a6", "Ba4"), reply("d6 d4 exd4", "Nxd4")];
        let (_, rest) = rest(&path).expect("it is met");
        assert_eq!(rest, [reply("a6", "Ba4")], "what follows from another move is gone");
        assert_eq!(answer(&[reply("Nc6 Bb5 a6", "Ba4")]), None, "nothing is skipped");
        let later = [reply("2...Nc6", "Bb5"), reply("3...a6", "Ba4"), reply("d6", "d4")];
        assert_eq!(answer(&later), Some(("f1b5".to_owned(), 1)), "what has its number waits");
        for (condition, then) in [("d6", "d4"), ("3...Nc6", "Bb5"), ("Nc6", "Bb6"), ("", "Bb5")] {
            assert_eq!(answer(&[reply(condition, then)]), None, "{condition} {then}");
        }
    }
}
