//! Rule 7: what is in doubt is asked before it is done. A question goes to the player whose mail it is about, is good
//! for some days and answered once; an answer from anybody else, a second or a late one changes nothing.

use super::guards;
use crate::domain::{
    command::AskedBack,
    decide::Decision,
    event::{Correspondent, Event},
    ids::{GameId, MemberId, QuestionId},
    intent::{Choice, Intent},
    question::{Answer, Question},
    refusal::Refusal,
    state::State,
};
use chrono::{Days, NaiveDate};

/// Days for which a question is good.
pub(super) const DAYS: Days = Days::new(14);

/// Puts a question to a player.
pub(in crate::domain) fn put(decision: &mut Decision<'_>, asked: &AskedBack) {
    let on = decision.now.today;
    decision.push(Event::QuestionPut(Question {
        question: next(decision.state),
        player: asked.player.clone(),
        asks: asked.doubt.asks.clone(),
        options: asked.doubt.options.clone(),
        on,
        until: on + DAYS,
        sent: asked.sent,
        mail: asked.mail.clone(),
        guard: None,
        answer: None,
    }));
}

/// Returns the number of the next question.
pub(super) fn next(state: &State) -> QuestionId {
    QuestionId(state.questions.last_key_value().map_or(1, |(id, _)| id.0 + 1))
}

/// Returns a question that a player may answer on a day.
///
/// # Errors
/// Why his answer does not count.
pub fn check<'a>(
    state: &'a State,
    question: QuestionId,
    from: &Correspondent,
    today: NaiveDate,
) -> Result<&'a Question, Refusal> {
    let asked = state.questions.get(&question);
    let own = asked.filter(|q| from.player.as_ref() == Some(&q.player));
    match own {
        None => Err(Refusal::QuestionUnknown),
        Some(Question { answer: Some(_), .. }) => Err(Refusal::QuestionSettled),
        Some(Question { until, .. }) if today > *until => {
            Err(Refusal::QuestionLate { until: *until })
        }
        Some(question) if question.guard.is_some() && !is_known(state, from) => {
            Err(Refusal::AnswerFromElsewhere)
        }
        Some(question) => Ok(question),
    }
}

/// Tells whether a mail came from one of the player's own addresses. What answers a question proves that its writer has
/// our letter, and a letter can be passed on: `What is this? I never wrote that`, to the very opponent who did.
fn is_known(state: &State, from: &Correspondent) -> bool {
    let player = from.player.as_ref().and_then(|member| state.players.get(member));
    let own = player.into_iter().flat_map(|player| &player.emails);
    let address = from.address.as_deref().unwrap_or_default();
    own.into_iter().any(|known| known.eq_ignore_ascii_case(address))
}

/// Returns the answer of a number; none for 0 and for a number that the question does not have.
pub fn chosen(question: &Question, choice: u8) -> Option<&Choice> {
    usize::from(choice).checked_sub(1).and_then(|n| question.options.get(n))
}

/// Takes the answer to a question. What it stands for is asked for by commands of its own.
pub(in crate::domain) fn answer(
    decision: &mut Decision<'_>,
    from: &Correspondent,
    question: QuestionId,
    choice: u8,
    mail: Option<&String>,
) {
    let on = decision.now.today;
    match check(decision.state, question, from, on) {
        Ok(asked) => {
            let answer = chosen(asked, choice).map_or(Answer::Neither, |_| Answer::Chosen(choice));
            let mail = mail.cloned();
            decision.push(Event::QuestionAnswered { question, answer, on, mail: mail.clone() });
            guards::settle(decision, asked, answer, mail.as_ref());
        }
        Err(refusal) => {
            decision.push(Event::AnswerRefused { from: from.clone(), question, refusal });
        }
    }
}

/// Drops the open questions to a player about a game in which he has now moved. Whether he has resigned it he is still
/// asked: a move is as easily made up as a resignation.
pub(super) fn drop_about(decision: &mut Decision<'_>, player: &MemberId, game: &GameId) {
    let on = decision.now.today;
    let about = |question: &&Question| {
        let mut games = question.intents().filter_map(Intent::game);
        question.guard.is_none() && question.until >= on && games.any(|about| about.id() == *game)
    };
    let state = decision.state;
    let open: Vec<QuestionId> =
        state.open_questions_to(player).filter(about).map(|q| q.question).collect();
    for question in open {
        let answer = Answer::Moot;
        decision.push(Event::QuestionAnswered { question, answer, on, mail: None });
    }
}
