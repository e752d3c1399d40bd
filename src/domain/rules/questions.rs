//! Rule 7: what is in doubt is asked before it is done. A question goes to the player whose mail it is about, is good
//! for some days and answered once; an answer from anybody else, a second or a late one changes nothing.

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
const DAYS: Days = Days::new(14);

/// Puts a question to a player.
pub(in crate::domain) fn put(decision: &mut Decision<'_>, asked: &AskedBack) {
    let last = decision.state.questions.last_key_value();
    let on = decision.now.today;
    decision.push(Event::QuestionPut(Question {
        question: QuestionId(last.map_or(1, |(id, _)| id.0 + 1)),
        player: asked.player.clone(),
        asks: asked.doubt.asks.clone(),
        options: asked.doubt.options.clone(),
        on,
        until: on + DAYS,
        sent: asked.sent,
        mail: asked.mail.clone(),
        answer: None,
    }));
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
        Some(question) => Ok(question),
    }
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
            decision.push(Event::QuestionAnswered { question, answer, on, mail });
        }
        Err(refusal) => {
            decision.push(Event::AnswerRefused { from: from.clone(), question, refusal });
        }
    }
}

/// Drops the open questions to a player about a game in which he has now moved.
pub(super) fn drop_about(decision: &mut Decision<'_>, player: &MemberId, game: &GameId) {
    let on = decision.now.today;
    let about = |question: &&Question| {
        let mut games = question.intents().filter_map(Intent::game);
        question.until >= on && games.any(|about| about.id() == *game)
    };
    let state = decision.state;
    let open: Vec<QuestionId> =
        state.open_questions_to(player).filter(about).map(|q| q.question).collect();
    for question in open {
        let answer = Answer::Moot;
        decision.push(Event::QuestionAnswered { question, answer, on, mail: None });
    }
}
