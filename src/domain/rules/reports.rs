//! Rule 10: results. Either player reports; both reporting the same is a confirmation; a contradiction goes to the
//! director and neither stands; a word against one's own interest stands at once; a single report stands when the
//! opponent has not objected in time.

use super::advancement;
use crate::domain::{
    command::ResultClaim,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind, Ruling},
    event::{Event, Grounds},
    ids::{GameId, MemberId},
    intent::Intent,
    points::{How, Outcome, Points, Side},
    question::Question,
    refusal::Refusal,
    section::{Game, GameState, Report, Section},
    state::State,
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};

/// Takes a player's word about a game (Rule 10).
pub(in crate::domain) fn report(decision: &mut Decision<'_>, claim: &ResultClaim) {
    let state = decision.state;
    let Some((section, game)) = state.game(&claim.game) else {
        return refuse(decision, claim, Refusal::GameUnknown);
    };
    let player = claim.from.player.as_ref();
    let Some(by) = player.and_then(|member| state.side_of(&claim.game, member)) else {
        return refuse(decision, claim, Refusal::NotYourGame);
    };
    let on = decision.now.today;
    let report = Report { by, outcome: claim.outcome, on, mail: claim.mail.clone() };
    weigh(decision, section, game, report);
}

fn refuse(decision: &mut Decision<'_>, claim: &ResultClaim, refusal: Refusal) {
    decision.push(Event::ResultRefused {
        from: claim.from.clone(),
        game: claim.game.to_string(),
        refusal,
    });
}

fn weigh(decision: &mut Decision<'_>, section: &Section, game: &Game, report: Report) {
    let id = section.game_id(game);
    match &game.state {
        GameState::Running => first_word(decision, section, id, report),
        GameState::Reported(first) if first.by == report.by => {
            if first.outcome.result == report.outcome.result {
                decision.push(Event::ResultRepeated { game: id, report });
            } else {
                // A player may correct himself as long as nobody has answered him.
                first_word(decision, section, id, report);
            }
        }
        GameState::Reported(first) => {
            if first.outcome.result == report.outcome.result {
                let outcome = better_told(first.outcome, report.outcome);
                confirm(decision, section, id, outcome, Grounds::BothReported, Some(report));
            } else {
                dispute(decision, section, &id, first, &report);
            }
        }
        GameState::Disputed(reports) => third_word(decision, section, id, reports, report),
        GameState::Confirmed(outcome) | GameState::Ruled(outcome) => {
            if outcome.result == report.outcome.result {
                decision.push(Event::ResultRepeated { game: id, report });
            } else {
                contest(decision, section, &id, *outcome, report);
            }
        }
    }
}

fn first_word(decision: &mut Decision<'_>, section: &Section, game: GameId, report: Report) {
    let Report { by, outcome, .. } = report;
    let lost = outcome.result.points(by) == Points::default();
    if lost && outcome.result.points(by.other()) > Points::default() {
        confirm(decision, section, game, outcome, Grounds::OwnInterest, Some(report));
    } else {
        decision.push(Event::ResultReported { game, report });
    }
}

/// Of two tellings of the same score the one that says how it ended is kept, the earlier one first.
fn better_told(first: Outcome, second: Outcome) -> Outcome {
    if first.how == How::Played { second } else { first }
}

/// Makes an outcome stand and decides what follows for the section.
pub(super) fn confirm(
    decision: &mut Decision<'_>,
    section: &Section,
    game: GameId,
    outcome: Outcome,
    grounds: Grounds,
    report: Option<Report>,
) {
    let mut after = section.clone();
    settle(&mut after, &game, outcome);
    let on = decision.now.today;
    decision.push(Event::ResultConfirmed { game, outcome, grounds, on, report });
    advancement::follow(decision, &after);
}

/// Writes an outcome into a copy of a section.
pub(super) fn settle(section: &mut Section, game: &GameId, outcome: Outcome) {
    if let Some(game) = section.game_mut(game.white, game.black) {
        game.state = GameState::Confirmed(outcome);
    }
}

fn dispute(
    decision: &mut Decision<'_>,
    section: &Section,
    game: &GameId,
    first: &Report,
    second: &Report,
) {
    decision.push(Event::ResultDisputed {
        game: game.clone(),
        first: first.clone(),
        second: second.clone(),
    });
    let matter = Matter {
        rule: 10,
        about: about(section, game, second.mail.as_ref()),
        choices: choices(&["1-0", "0-1", "1/2-1/2", "0-0"]),
        evidence: vec![sentence(decision, game, first), sentence(decision, game, second)],
        ..Matter::default()
    };
    decision.open(ItemKind::ResultDisputed, matter);
}

/// Somebody speaks again while the director has the case: if the two now agree, the case is over.
fn third_word(
    decision: &mut Decision<'_>,
    section: &Section,
    game: GameId,
    reports: &(Report, Report),
    report: Report,
) {
    let (own, opponents) =
        if reports.0.by == report.by { (&reports.0, &reports.1) } else { (&reports.1, &reports.0) };
    if own.outcome.result == report.outcome.result {
        return decision.push(Event::ResultRepeated { game, report });
    }
    if opponents.outcome.result != report.outcome.result {
        return change_word(decision, game, opponents, report);
    }
    let outcome = better_told(opponents.outcome, report.outcome);
    close_dispute(decision, &game, "agreed", "both players now report the same", "the players");
    confirm(decision, section, game, outcome, Grounds::BothReported, Some(report));
}

/// A player says something else and they still disagree: his new word counts, and the director's item tells of it.
fn change_word(decision: &mut Decision<'_>, game: GameId, opponents: &Report, report: Report) {
    let said = sentence(decision, &game, &report);
    add_evidence(decision, ItemKind::ResultDisputed, &game, &said);
    decision.push(Event::ResultDisputed { game, first: opponents.clone(), second: report });
}

/// Adds a sentence to the open item of a kind about a game; tells whether there is one.
fn add_evidence(
    decision: &mut Decision<'_>,
    kind: ItemKind,
    game: &GameId,
    sentence: &str,
) -> bool {
    let state = decision.state;
    let about_it = |item: &&Item| item.about.game.as_ref() == Some(game);
    let Some(mut item) = state.open_of_kind(kind).find(about_it).cloned() else { return false };
    if !item.evidence.iter().any(|line| line == sentence) {
        item.evidence.push(sentence.to_owned());
        decision.push(Event::ItemOpened(item));
    }
    true
}

/// Closes the open items about a game's contradiction.
pub(super) fn close_dispute(
    decision: &mut Decision<'_>,
    game: &GameId,
    choice: &str,
    reason: &str,
    by: &str,
) {
    let about_it = |item: &&Item| item.about.game.as_ref() == Some(game);
    let open = [ItemKind::ResultDisputed, ItemKind::ResultContested]
        .into_iter()
        .flat_map(|kind| decision.state.open_of_kind(kind));
    let mut items: Vec<_> = open.filter(about_it).map(|item| item.item).collect();
    items.sort_unstable();
    for item in items {
        let ruling = Ruling {
            choice: choice.to_owned(),
            reason: reason.to_owned(),
            by: by.to_owned(),
            at: decision.now.at,
        };
        decision.push(Event::ItemRuled { item, ruling });
    }
}

fn contest(
    decision: &mut Decision<'_>,
    section: &Section,
    game: &GameId,
    stands: Outcome,
    report: Report,
) {
    let said = sentence(decision, game, &report);
    let about = about(section, game, report.mail.as_ref());
    decision.push(Event::ResultContested { game: game.clone(), report });
    if add_evidence(decision, ItemKind::ResultContested, game, &said) {
        return;
    }
    let books = format!("The books have {} by {}.", stands.result, stands.how.words());
    let evidence = vec![books, said];
    let matter = Matter {
        rule: 10,
        about,
        choices: choices(&["keep", "1-0", "0-1", "1/2-1/2", "0-0"]),
        recommended: Some("keep".to_owned()),
        evidence,
        ..Matter::default()
    };
    decision.open(ItemKind::ResultContested, matter);
}

fn about(section: &Section, game: &GameId, mail: Option<&String>) -> About {
    About {
        event: Some(section.tournament.clone()),
        section: Some(section.code.clone()),
        game: Some(game.clone()),
        mail: mail.cloned(),
        ..About::default()
    }
}

fn sentence(decision: &Decision<'_>, game: &GameId, report: &Report) -> String {
    let member = decision.state.member_of(game, report.by);
    let name = |m: &MemberId| decision.state.players.get(m).map(|p| p.name.clone());
    let side = match report.by {
        Side::White => "White",
        Side::Black => "Black",
    };
    let Outcome { result, how } = report.outcome;
    let mail = report.mail.as_ref().map(|m| format!(", mail {m}")).unwrap_or_default();
    let name = member.and_then(name).unwrap_or_default();
    format!("{name} ({side}) reported {result} by {} on {}{mail}.", how.words(), report.on)
}

/// Lets the reports stand against which nobody has objected in time (Rule 10).
pub(in crate::domain) fn confirm_unopposed(decision: &mut Decision<'_>, tournament: &Tournament) {
    let days = Days::new(u64::from(tournament.results.objection_days));
    let state = decision.state;
    let sections = state.sections.values();
    for section in sections.filter(|s| s.tournament == tournament.id && !s.complete) {
        let due: Vec<(GameId, Outcome)> = section
            .games
            .iter()
            .filter_map(|game| match &game.state {
                GameState::Reported(report) if report.on + days < decision.now.today => {
                    Some((section.game_id(game), report))
                }
                _ => None,
            })
            .filter(|(id, report)| !may_have_objected(state, decision.now.today, id, report))
            .map(|(id, report)| (id, report.outcome))
            .collect();
        confirm_all(decision, section, due, Grounds::NoObjection, decision.now.today);
    }
}

/// A mail of the opponent's that waits for the director, or for his answer to a question about this game, may be his
/// objection: nobody says then that he made none.
fn may_have_objected(state: &State, today: NaiveDate, game: &GameId, report: &Report) -> bool {
    let opponent = state.member_of(game, report.by.other());
    let unread =
        |item: &Item| item.about.player.is_some() && item.about.player.as_ref() == opponent;
    let held = state.open_of_kind(ItemKind::MailHeld);
    let is_asked = opponent.is_some_and(|member| {
        let good = state.open_questions_to(member).filter(|question| question.until >= today);
        let intents = good.flat_map(Question::intents);
        intents.filter_map(Intent::game).any(|about| about.id() == *game)
    });
    let objections = state.open_of_kind(ItemKind::Objection);
    held.chain(state.open_of_kind(ItemKind::MailParked)).chain(objections).any(unread) || is_asked
}

/// Makes several outcomes of a section stand at once and then decides what follows from all of them.
pub(super) fn confirm_all(
    decision: &mut Decision<'_>,
    section: &Section,
    outcomes: Vec<(GameId, Outcome)>,
    grounds: Grounds,
    on: NaiveDate,
) {
    if outcomes.is_empty() {
        return;
    }
    let mut after = section.clone();
    for (game, outcome) in outcomes {
        settle(&mut after, &game, outcome);
        decision.push(Event::ResultConfirmed { game, outcome, grounds, on, report: None });
    }
    advancement::follow(decision, &after);
}
