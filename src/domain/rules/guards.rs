//! Rule 7: what would do harm if somebody else had written it waits for its player's word. Which acts that are and who
//! is known well enough is `office/harm.rs`; here the question is put, and its answer settles what waits. It goes to
//! the player's known address, is good as long as every question, and is answered once. Nothing is done without it,
//! and what only the director decides he has at once and sees with it.

use super::{leave, petitions, questions};
use crate::domain::{
    command::Unproved,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind, Ruling},
    event::Event,
    ids::ItemId,
    intent::{self, Intent},
    question::{Answer, Guard, Guarded, Question},
};

/// Asks a player whether he wrote it. A mail that says the same again has the same question once more: its letter may
/// be lost, and nobody gets more time by repeating himself.
pub(in crate::domain) fn ask(decision: &mut Decision<'_>, unproved: &Unproved) {
    let (state, on) = (decision.state, decision.now.today);
    let again = |question: &&Question| {
        let same = question.options.iter().map(|option| &option.intents);
        question.guard.is_some()
            && question.until >= on
            && same.eq(std::iter::once(&unproved.meant.intents))
    };
    let open = state.open_questions_to(&unproved.player).find(again).cloned();
    let mut guard = open.as_ref().and_then(|question| question.guard.clone()).unwrap_or_default();
    guard.address.clone_from(&unproved.address);
    for petition in &unproved.petitions {
        let Some(filed) = petitions::receive_unproved(decision, petition) else { continue };
        if !guard.items.iter().any(|guarded| guarded.item == filed.item) {
            guard.items.push(Guarded { item: filed.item, recommended: filed.lean });
        }
    }
    let question = match open {
        Some(question) => Question { guard: Some(guard), ..question },
        None => Question {
            question: questions::next(state),
            player: unproved.player.clone(),
            asks: "Did you write this?".to_owned(),
            options: vec![unproved.meant.clone()],
            on,
            until: on + questions::DAYS,
            sent: unproved.sent,
            mail: unproved.mail.clone(),
            guard: Some(guard),
            answer: None,
        },
    };
    decision.push(Event::QuestionPut(question));
}

/// Does what the player's answer means for the items that wait for it. Results that a yes stands for are commands of
/// their own.
pub(super) fn settle(
    decision: &mut Decision<'_>,
    question: &Question,
    answer: Answer,
    mail: Option<&String>,
) {
    let Some(guard) = &question.guard else { return };
    match answer {
        Answer::Chosen(_) => {
            for guarded in &guard.items {
                confirm(decision, question, guarded, mail);
            }
        }
        Answer::Neither => deny(decision, question, guard, mail),
        Answer::Moot => {}
    }
}

/// Puts the player's yes among an item's evidence, and does what goes by itself.
fn confirm(
    decision: &mut Decision<'_>,
    question: &Question,
    guarded: &Guarded,
    mail: Option<&String>,
) {
    let Some(mut item) = open(decision, guarded.item) else { return };
    let on = decision.now.today;
    item.evidence.push(format!("The player confirmed on {on} that he wrote it{}.", by(mail)));
    item.recommended = item.recommended.or_else(|| guarded.recommended.clone());
    decision.push(Event::ItemOpened(item.clone()));
    if item.kind == ItemKind::LeaveAsked {
        // The answer counts as if he had written so at once.
        leave::confirm(decision, &item, question.on);
    }
}

/// The player says no: what waits is settled, and the director learns that somebody writes in a player's name.
fn deny(decision: &mut Decision<'_>, question: &Question, guard: &Guard, mail: Option<&String>) {
    let (at, on) = (decision.now.at, decision.now.today);
    let waiting: Vec<Item> =
        guard.items.iter().filter_map(|guarded| open(decision, guarded.item)).collect();
    for Item { item, .. } in waiting {
        let reason = format!("the player was asked whether he wrote it and said no on {on}");
        let ruling =
            Ruling { choice: "denied".to_owned(), reason, by: "the player".to_owned(), at };
        decision.push(Event::ItemRuled { item, ruling });
    }
    let name = decision.state.players.get(&question.player).map(|player| player.name.clone());
    let asked = question.mail.as_ref().map(|mail| format!(", mail {mail}")).unwrap_or_default();
    let meant: Vec<&str> = question.options.iter().map(|option| option.says.as_str()).collect();
    let mut evidence = vec![
        format!("A mail from {}{asked}, said: {}.", guard.address, meant.join("; ")),
        format!(
            "{} was asked whether he wrote it and said no on {on}{}: somebody else wrote in his name, \
             or he thought better of it. Nothing of it was done on the word of that mail.",
            name.unwrap_or_else(|| format!("Member {}", question.player)),
            by(mail)
        ),
    ];
    let decided = guard.items.iter().filter(|guarded| open(decision, guarded.item).is_none());
    let decided: Vec<String> = decided.map(|guarded| guarded.item.to_string()).collect();
    if !decided.is_empty() {
        evidence.push(format!("You had decided {} before.", decided.join(", ")));
    }
    let mut games = question.intents().filter_map(Intent::game).map(intent::Game::id);
    let about = About {
        player: Some(question.player.clone()),
        game: games.next().filter(|first| games.all(|game| game == *first)),
        mail: question.mail.clone(),
        ..About::default()
    };
    let choices = choices(&["answered", "dismiss"]);
    let matter = Matter { rule: 7, about, choices, evidence, ..Matter::default() };
    decision.open(ItemKind::MailDenied, matter);
}

/// Drops the open questions about an item that needs no word of the player's any more: he has asked for the same in a
/// mail that is surely his.
pub(super) fn drop_about(decision: &mut Decision<'_>, item: ItemId) {
    let state = decision.state;
    let player = state.docket.get(&item).and_then(|(item, _)| item.about.player.as_ref());
    let about = |question: &&Question| {
        let mut items = question.guard.iter().flat_map(|guard| &guard.items);
        items.any(|guarded| guarded.item == item)
    };
    let open = player.into_iter().flat_map(|player| state.open_questions_to(player)).filter(about);
    let open: Vec<_> = open.map(|question| question.question).collect();
    for question in open {
        let (answer, on) = (Answer::Moot, decision.now.today);
        decision.push(Event::QuestionAnswered { question, answer, on, mail: None });
    }
}

fn open(decision: &Decision<'_>, item: ItemId) -> Option<Item> {
    let (item, ruling) = decision.state.docket.get(&item)?;
    ruling.is_none().then(|| item.clone())
}

fn by(mail: Option<&String>) -> String {
    mail.map(|mail| format!(", mail {mail}")).unwrap_or_default()
}
