//! Rule 7: what would do harm if somebody else had written it waits for its player's word, and nothing is done without.

use super::*;
use knightmail::domain::{
    command::Unproved,
    intent::{Choice, Scope},
    question::Answer,
    refusal::Refusal,
};

impl World {
    /// A mail that bears a player's address, and nothing else tells who wrote it.
    pub(super) fn unproved(&mut self, by: u16, intents: Vec<Intent>) -> Vec<Event> {
        let mail = Some("sha256:00".to_owned());
        let is_result = |i: &&Intent| matches!(i, Intent::Resign { .. } | Intent::Result { .. });
        let petition = |intent: &Intent| Petition {
            from: from(by),
            intent: intent.clone(),
            words: Vec::new(),
            mail: mail.clone(),
        };
        let petitions = intents.iter().filter(|i| !is_result(i)).map(petition).collect();
        self.act(&Command::AskToConfirm(Unproved {
            player: member(by),
            address: from(by).address.unwrap_or_default(),
            meant: Choice { says: intents[0].to_string(), intents },
            petitions,
            sent: Some(self.today),
            mail,
        }))
    }

    /// The answer to the question that was put last, from an address.
    pub(super) fn answer_from(&mut self, from: Correspondent, choice: u8) -> Vec<Event> {
        let question = *self.state.questions.last_key_value().expect("one was put").0;
        let mail = Some("sha256:01".to_owned());
        self.act(&Command::AnswerQuestion { from, question, choice, mail })
    }
}

fn leave(from: &str, to: &str) -> Intent {
    Intent::Leave { from: Some(day(from)), to: Some(day(to)) }
}

fn withdrawal() -> Intent {
    Intent::Withdraw { scope: Scope::All, section: None }
}

fn moved() -> Intent {
    let new = Some("new@example.net".to_owned());
    Intent::AddressChange { old: None, new, from: None }
}

fn letters(world: &World, events: &[Event]) -> Vec<NoticeName> {
    world.told(events).into_iter().map(|(_, name)| name).collect()
}

#[test]
fn rule_7_leave_within_the_allowance_waits_for_the_players_yes_and_goes_with_it() {
    let mut world = World::with_section();
    let events = world.unproved(1, vec![leave("2019-06-01", "2019-06-14")]);
    assert_eq!(letters(&world, &events), [NoticeName::Confirmation]);
    let item = world.item();
    assert_eq!((item.kind, item.recommended.as_deref()), (ItemKind::LeaveAsked, None));
    assert!(item.evidence.iter().any(|e| e.contains("known address")), "{:?}", item.evidence);
    assert!(world.state.leaves.is_empty(), "nothing goes by itself before the yes");

    // Two weeks later its first day is past, but the answer counts as if it had been given at once.
    world.today = later(world.today, 14);
    let events = world.answer_from(from(1), 1);
    let has = |wanted: fn(&Event) -> bool| events.iter().any(wanted);
    assert!(has(|e| matches!(e, Event::LeaveGranted(_))), "{events:?}");
    assert!(world.open_kinds().is_empty());
    let (item, ruling) = &world.state.docket[&item.item];
    assert_eq!(ruling.as_ref().map(|r| r.choice.as_str()), Some("grant"));
    assert!(item.evidence.iter().any(|e| e.contains("confirmed")), "{:?}", item.evidence);
}

#[test]
fn rule_7_what_the_director_decides_he_has_at_once_and_the_answer_is_put_beside_it() {
    for (intent, kind, lean) in [
        (withdrawal(), ItemKind::WithdrawalAsked, "withdraw"),
        (moved(), ItemKind::AddressChanged, "change"),
        (leave("2019-06-01", "2019-07-05"), ItemKind::LeaveAsked, "grant"),
    ] {
        let mut world = World::with_section();
        world.unproved(1, vec![intent.clone()]);
        let item = world.item();
        assert_eq!((item.kind, item.recommended.as_deref()), (kind, None));
        let mut yes = world.clone();
        yes.answer_from(from(1), 1);
        assert_eq!(yes.item().recommended.as_deref(), Some(lean), "{kind:?}");

        // A mail that is surely his asks for the same: the question has become idle.
        let mut again = world.clone();
        again.ask_director(1, intent.clone());
        assert_eq!(again.item().recommended.as_deref(), Some(lean), "{kind:?}");
        assert_eq!(again.state.open_questions_to(&member(1)).count(), 0);

        let events = world.answer_from(from(1), 0);
        let is_neither =
            |e: &Event| matches!(e, Event::QuestionAnswered { answer: Answer::Neither, .. });
        assert!(events.iter().any(is_neither));
        let (_, ruling) = &world.state.docket[&item.item];
        assert_eq!(ruling.as_ref().map(|r| r.by.as_str()), Some("the player"), "{kind:?}");
        assert_eq!(world.open_kinds(), [ItemKind::MailDenied], "the director hears of it");
    }
}

#[test]
fn rule_7_leave_that_is_asked_for_again_in_a_sure_mail_settles_the_doubtful_one() {
    let mut world = World::with_section();
    world.unproved(1, vec![leave("2019-06-01", "2019-06-14")]);
    world.ask_director(1, leave("2019-06-01", "2019-06-14"));
    assert_eq!(world.state.leaves[&member(1)].len(), 1);
    assert!(world.open_kinds().is_empty());
    assert_eq!(world.state.open_questions_to(&member(1)).count(), 0);
}

#[test]
fn rule_7_a_yes_counts_from_a_known_address_once_and_in_time() {
    let mut world = World::with_section();
    world.unproved(1, vec![withdrawal()]);
    let elsewhere = Correspondent { address: Some("son@example.net".to_owned()), ..from(1) };
    let refused = |events: &[Event]| {
        events.iter().find_map(|event| match event {
            Event::AnswerRefused { refusal, .. } => Some(refusal.clone()),
            _ => None,
        })
    };
    let events = world.answer_from(elsewhere, 1);
    assert_eq!(refused(&events), Some(Refusal::AnswerFromElsewhere), "a letter can be passed on");
    assert_eq!(refused(&world.answer_from(from(2), 1)), Some(Refusal::QuestionUnknown));
    let mut late = world.clone();
    late.today = later(late.today, 15);
    let events = late.answer_from(from(1), 1);
    assert!(matches!(refused(&events), Some(Refusal::QuestionLate { .. })));
    assert_eq!(refused(&world.answer_from(from(1), 1)), None);
    assert_eq!(refused(&world.answer_from(from(1), 1)), Some(Refusal::QuestionSettled));
}

#[test]
fn rule_7_who_repeats_himself_has_the_same_question_again_and_no_more_time() {
    let mut world = World::with_section();
    world.unproved(1, vec![withdrawal()]);
    let first = world.state.questions.last_key_value().expect("it was put").1.clone();
    world.today = later(world.today, 3);
    let events = world.unproved(1, vec![withdrawal()]);
    assert_eq!(letters(&world, &events), [NoticeName::Confirmation]);
    assert_eq!(world.state.questions.len(), 1);
    assert_eq!(world.state.questions[&first.question].until, first.until);
    assert_eq!(world.open_kinds(), [ItemKind::WithdrawalAsked]);
    // Something else is another question.
    world.unproved(1, vec![moved()]);
    assert_eq!(world.state.questions.len(), 2);
}

#[test]
fn rule_7_a_no_after_the_ruling_tells_the_director_what_he_had_decided() {
    let mut world = World::with_section();
    world.unproved(1, vec![moved()]);
    let item = world.item().item;
    world.rule(item, "change");
    world.answer_from(Correspondent { address: Some("new@example.net".to_owned()), ..from(1) }, 0);
    let note = world.item();
    assert_eq!(note.kind, ItemKind::MailDenied);
    assert!(note.evidence.iter().any(|e| e.contains("You had decided D1")), "{:?}", note.evidence);
}

#[test]
fn rule_10_a_report_is_not_held_up_by_a_question_that_nobody_answers_in_time() {
    let mut world = World::with_section();
    let id = game(1, 2);
    world.report(1, &id, played(Score::WhiteWins));
    let resign = Intent::Resign { game: super::reflection::named(&id) };
    world.unproved(2, vec![resign]);
    let last = later(world.today, 15).to_string();
    world.tick(Job::Reminders, &later(world.today, 14).to_string());
    assert_eq!(world.game_state(&id), "reported", "the question is good until today");
    world.tick(Job::Reminders, &last);
    assert_eq!(world.game_state(&id), "confirmed");
}
