//! The receipt for a mail: what was read in it, line by line, and what became of each. What is said of a result is
//! `result.rs`; how each line is worded is the template's.

use super::{
    super::Desk,
    known, member,
    play::dotted,
    result::{self, OutcomeView},
    words,
};
use crate::domain::{
    acts::MoveAgain,
    event::Event,
    ids::{GameId, SectionCode},
    intent::{Intent, Scope, Word},
    notice::{MailLine, Recipient},
    points::Side,
    question::{Answer, Question},
    rules::questions,
};
use chrono::NaiveDate;
use serde::Serialize;

/// `receipt`.
#[derive(Debug, Serialize)]
pub struct Receipt {
    /// A line for each thing that was read.
    pub lines: Vec<Line>,
    /// The game, where all lines are about one; null otherwise.
    pub game: Option<String>,
    /// What was read and not taken as the sender's word, a sentence each.
    pub aside: Vec<String>,
    /// Whether something in the mail was not understood and is before the director.
    pub rest: bool,
    /// Whether something of it is before the director.
    pub before_director: bool,
}

/// One thing that was read. What a kind does not have is null, empty or 0.
#[derive(Debug, Default, Serialize)]
pub struct Line {
    /// What it is: `move`, `score`, `repeat`, `rejected`, `offer`, `decline`, `refused`, `result`, `petition`, `leave`,
    /// `complaint`, `answer`, `answer-refused`, `question`.
    pub kind: &'static str,
    /// The game's id.
    pub game: String,
    /// The opponent's name.
    pub opponent: String,
    /// The move with its number, or what a petition or a refused word is.
    pub what: String,
    /// How many replies were taken beforehand.
    pub replies: usize,
    /// Whether a draw is offered with it.
    pub offer: bool,
    /// Whether the opponent has answered already, with a reply that he had sent beforehand.
    pub answered: bool,
    /// How the game ended.
    pub over: Option<OutcomeView>,
    /// What became of a result: as in `result-receipt`.
    pub effect: &'static str,
    /// What was reported.
    pub outcome: Option<OutcomeView>,
    /// The last day on which the opponent may object.
    pub until: Option<String>,
    /// Why it was not taken, a clause.
    pub why: Option<String>,
    /// The first day of what was asked for, when the move was sent, or from when on a complaint is admissible.
    pub first: Option<String>,
    /// The last day of what was asked for, or when the move was repeated.
    pub last: Option<String>,
    /// The answer that was chosen, or the section, the address, the question.
    pub says: Option<String>,
}

/// Returns the view of `receipt`.
pub fn receipt(
    lines: &[MailLine],
    aside: &[String],
    rest: bool,
    to: &Recipient,
    desk: &Desk<'_>,
) -> Receipt {
    let lines: Vec<Line> = lines.iter().filter_map(|line| self::line(line, to, desk)).collect();
    let mut games = lines.iter().map(|line| line.game.as_str());
    let one = games.next().filter(|first| !first.is_empty() && games.all(|g| g == *first));
    Receipt {
        game: one.map(str::to_owned),
        before_director: rest || lines.iter().any(|line| line.kind == "petition"),
        aside: aside.iter().map(|line| words::clean(line)).collect(),
        rest,
        lines,
    }
}

fn line(line: &MailLine, to: &Recipient, desk: &Desk<'_>) -> Option<Line> {
    match line {
        MailLine::Result(report) => {
            let view = result::receipt_line(report, to, desk);
            Some(Line {
                kind: "result",
                game: view.game,
                effect: view.effect,
                outcome: view.outcome,
                until: view.until,
                why: view.why,
                ..Line::default()
            })
        }
        MailLine::Other(event) => other(event, to, desk),
    }
}

/// Returns a line about a game, with the opponent's name where the reader plays in it.
fn in_game(kind: &'static str, id: &GameId, to: &Recipient, desk: &Desk<'_>) -> Line {
    let view = result::game_view(id, desk);
    let opponent = match member(to).and_then(|m| desk.state.side_of(id, m)) {
        Some(Side::White) => view.black,
        Some(Side::Black) => view.white,
        None => String::new(),
    };
    Line { kind, game: id.to_string(), opponent, ..Line::default() }
}

fn other(event: &Event, to: &Recipient, desk: &Desk<'_>) -> Option<Line> {
    Some(match event {
        Event::MovePlayed { .. } => played(event, to, desk)?,
        Event::MoveRepeated(MoveAgain { game, number, side, san, .. }) => {
            Line { what: dotted(*number, *side, san), ..in_game("repeat", game, to, desk) }
        }
        Event::MoveRefused { game, number, side, san, .. } => Line {
            what: words::clean(&dotted(*number, *side, san)),
            ..in_game("rejected", game, to, desk)
        },
        Event::DrawOffered { game, .. } => in_game("offer", game, to, desk),
        Event::DrawDeclined { game, .. } => in_game("decline", game, to, desk),
        Event::WordRefused { game, word, refusal, .. } => Line {
            what: word_text(*word).to_owned(),
            why: Some(words::refusal(refusal, known(to))),
            ..in_game("refused", game, to, desk)
        },
        Event::PetitionReceived { intent, .. } => petition(intent, to, desk),
        Event::QuestionAnswered { question, answer, .. } => {
            let asked = desk.state.questions.get(question)?;
            let chosen = match answer {
                Answer::Chosen(choice) => questions::chosen(asked, *choice),
                Answer::Neither | Answer::Moot => None,
            };
            let says = chosen.map(|option| words::clean(&option.says));
            let kind = match (&asked.guard, &says) {
                (None, _) => "answer",
                (Some(_), Some(_)) => "confirmed",
                (Some(_), None) => "denied",
            };
            Line { kind, what: words::clean(&asked.asks), says, ..Line::default() }
        }
        Event::AnswerRefused { refusal, .. } => Line {
            kind: "answer-refused",
            why: Some(words::refusal(refusal, known(to))),
            ..Line::default()
        },
        Event::LeaveGranted(leave) => Line {
            kind: "leave",
            first: Some(words::date(leave.from)),
            last: Some(words::date(leave.to)),
            ..Line::default()
        },
        Event::ComplaintChecked(complaint) => Line {
            first: complaint.premature_until.map(words::date),
            ..in_game("complaint", &complaint.game, to, desk)
        },
        Event::QuestionPut(Question { guard: Some(_), options, .. }) => {
            let says = options.first().map(|option| words::clean(&option.says));
            Line { kind: "unproved", says, ..Line::default() }
        }
        Event::QuestionPut(asked) => {
            Line { kind: "question", says: Some(words::clean(&asked.asks)), ..Line::default() }
        }
        _ => return None,
    })
}

fn played(event: &Event, to: &Recipient, desk: &Desk<'_>) -> Option<Line> {
    let Event::MovePlayed { game: id, number, side, san, uci, conditional, offer, .. } = event
    else {
        return None;
    };
    let own = member(to).and_then(|m| desk.state.side_of(id, m)) == Some(*side);
    let game = desk.state.game(id).map(|(_, game)| game)?;
    let over = game.settled().map(|o| result::outcome_view(o, &result::game_view(id, desk)));
    let last = game.record.moves().last().is_some_and(|it| it.uci() == *uci);
    let line = in_game(if own { "move" } else { "score" }, id, to, desk);
    Some(Line {
        what: dotted(*number, *side, san),
        replies: conditional.len(),
        offer: *offer,
        answered: !last,
        over,
        ..line
    })
}

const fn word_text(word: Word) -> &'static str {
    match word {
        Word::Move => "move",
        Word::Offer => "offer",
        Word::Accept => "accept",
        Word::Decline => "decline",
        Word::Claim { .. } => "claim",
    }
}

fn petition(intent: &Intent, to: &Recipient, desk: &Desk<'_>) -> Line {
    let day = |day: &Option<NaiveDate>| day.map(words::date);
    let line = match intent.game() {
        Some(game) => in_game("petition", &game.id(), to, desk),
        None => Line { kind: "petition", ..Line::default() },
    };
    let what = intent.kind().to_owned();
    let (first, last, says) = match intent {
        Intent::TimeComplaint { sent, repeated, .. } => (day(sent), day(repeated), None),
        Intent::Leave { from, to } => (day(from), day(to), None),
        Intent::Withdraw { scope, section } => {
            (None, None, Some(scope_text(*scope, section.as_ref())))
        }
        Intent::AddressChange { new, from, .. } => (day(from), None, new.clone()),
        Intent::Membership { expires } => (None, day(expires), None),
        Intent::Objection { about, .. } | Intent::Conduct { about, .. } => {
            (None, None, Some(about.clone()))
        }
        Intent::Entry { wishes, .. } => (None, None, Some(wishes.join("; "))),
        _ => (None, None, None),
    };
    Line { what, first, last, says: says.map(|text| words::clean(&text)), ..line }
}

fn scope_text(scope: Scope, section: Option<&SectionCode>) -> String {
    match (scope, section) {
        (Scope::Section, Some(section)) => format!("from section {section}"),
        (Scope::Section, None) => "from a section".to_owned(),
        (Scope::Event, _) => "from the tournament".to_owned(),
        (Scope::All, _) => "from all that you play here".to_owned(),
    }
}
