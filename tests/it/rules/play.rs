//! Rule 10: moves by mail, replies sent beforehand, draws; and rule 7: what is in doubt is asked first. The position of
//! the books decides, whatever a reading says.

use super::*;
use NoticeName as N;
use knightmail::domain::{
    command::{AskedBack, MoveOrder},
    event::Grounds,
    intent::{self, Choice, Conditional, Doubt, DrawGround, Fault, Move, Word},
    notice::Facts,
    question::Answer,
    refusal::Refusal,
};

/// White's moves of a game and Black's, as squares.
const MATE: &str = "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7";

fn named(id: &GameId) -> intent::Game {
    intent::Game { section: id.section.clone(), white: id.white, black: id.black }
}

/// A move as a reading would have it, at the place where the game stands.
fn said(world: &World, id: &GameId, uci: &str) -> Move {
    let record = &world.game(id).record;
    Move {
        game: named(id),
        number: record.next_number(),
        side: record.next_side(),
        san: uci.to_owned(),
        uci: Some(uci.to_owned()),
        conditional: Vec::new(),
        repeat: false,
        before: Vec::new(),
        fault: None,
    }
}

impl World {
    /// A mail of a player that brings a move.
    fn send(&mut self, by: u16, said: Move) -> Vec<Event> {
        self.send_with(by, said, false)
    }

    fn send_with(&mut self, by: u16, said: Move, offer: bool) -> Vec<Event> {
        let read = Command::ReadMail { from: from(by), aside: Vec::new() };
        let mut events = self.act(&read);
        let mail = Some("sha256:00".to_owned());
        let order = MoveOrder { from: from(by), said, offer, sent: Some(self.today), mail };
        events.extend(self.act(&Command::PlayMove(order)));
        events
    }

    /// Both players of the game 1-2 send their moves in turn.
    fn play(&mut self, moves: &str) -> Vec<Event> {
        let (mut events, id) = (Vec::new(), game(1, 2));
        for uci in moves.split_whitespace() {
            let by = if self.game(&id).record.next_side() == Side::White { 1 } else { 2 };
            let said = said(self, &id, uci);
            events = self.send(by, said);
            assert_eq!(fault(&events), None, "{uci}");
        }
        events
    }

    fn speak(&mut self, by: u16, word: Word) -> Vec<Event> {
        let mut events = self.act(&Command::ReadMail { from: from(by), aside: Vec::new() });
        let (from, game, mail) = (from(by), game(1, 2), None);
        events.extend(self.act(&Command::Speak { from, game, word, mail }));
        events
    }
}

fn fault(events: &[Event]) -> Option<Fault> {
    events.iter().find_map(|event| match event {
        Event::MoveRefused { fault, .. } => Some(fault.fault),
        _ => None,
    })
}

fn refusal(events: &[Event]) -> Option<&Refusal> {
    events.iter().find_map(|event| match event {
        Event::WordRefused { refusal, .. } | Event::AnswerRefused { refusal, .. } => Some(refusal),
        _ => None,
    })
}

fn told(pairs: &[(String, NoticeName)]) -> Vec<(&str, NoticeName)> {
    pairs.iter().map(|(who, what)| (who.as_str(), *what)).collect()
}

fn reply(if_played: &str, then: &str) -> Conditional {
    Conditional { if_played: if_played.to_owned(), then: then.to_owned() }
}

#[test]
fn rule_10_a_move_is_played_and_told_to_both() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let it = said(&world, &id, "e2e4");
    let events = world.send(1, it);
    let played = &world.game(&id).record;
    assert_eq!((played.sans(), played.next_side()), (vec!["e4".to_owned()], Side::Black));
    assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt), ("player 2", N::Move)]);
}

#[test]
fn rule_10_a_move_that_does_not_fit_the_books_is_never_played() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    world.play("e2e4 e7e5");
    let right = said(&world, &id, "g1f3");
    let cases = [
        (1, Move { uci: Some("g1f4".to_owned()), ..right.clone() }, Fault::Illegal),
        (1, Move { uci: None, ..right.clone() }, Fault::Illegal),
        (1, Move { uci: Some("nonsense".to_owned()), ..right.clone() }, Fault::Illegal),
        (1, Move { number: 3, ..right.clone() }, Fault::WrongNumber),
        (1, Move { number: 0, ..right.clone() }, Fault::WrongNumber),
        (1, Move { number: 1, ..right.clone() }, Fault::WrongNumber),
        (1, Move { side: Side::Black, ..right.clone() }, Fault::NotYourMove),
        (
            2,
            Move { side: Side::Black, uci: Some("b8c6".to_owned()), ..right.clone() },
            Fault::NotYourMove,
        ),
        (2, right.clone(), Fault::NotYourMove),
    ];
    let before = world.game(&id).clone();
    for (by, said, wanted) in cases {
        let events = world.send(by, said.clone());
        assert_eq!(fault(&events), Some(wanted), "{by} {said:?}");
        assert_eq!(world.game(&id), &before, "{said:?}");
        let who = format!("player {by}");
        assert_eq!(told(&world.told(&events)), [(who.as_str(), N::MoveRejected)]);
    }
    for (by, said) in [(3, right.clone()), (1, Move { game: named(&game(9, 8)), ..right })] {
        let events = world.send(by, said);
        assert!(refusal(&events).is_some(), "no game of his: {events:?}");
        assert_eq!(world.game(&id), &before);
    }
}

#[test]
fn rule_10_a_repeat_changes_nothing_and_its_receipt_says_so() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let first = said(&world, &id, "e2e4");
    world.send(1, first.clone());
    let before = world.game(&id).clone();
    let events = world.send(1, Move { repeat: true, ..first.clone() });
    assert!(events.iter().any(|e| matches!(e, Event::MoveRepeated(_))), "{events:?}");
    assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt)]);
    let other = Move { uci: Some("d2d4".to_owned()), ..first };
    assert_eq!(fault(&world.send(1, other)), Some(Fault::WrongNumber), "a move sent stands");
    let after = world.game(&id);
    assert_eq!(
        (&after.record, &after.state, after.moved),
        (&before.record, &before.state, before.moved)
    );
}

#[test]
fn rule_10_mate_and_stalemate_end_a_game_and_nothing_is_played_after() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let events = world.play(MATE);
    let outcome = Outcome { result: Score::WhiteWins, how: How::Mate };
    assert_eq!(world.game(&id).settled(), Some(outcome));
    assert!(
        events.iter().any(|e| matches!(e, Event::ResultConfirmed { grounds: Grounds::Board, .. }))
    );
    assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt), ("player 2", N::Move)]);
    let after = said(&world, &id, "e8f7");
    assert_eq!(fault(&world.send(2, after)), Some(Fault::GameOver));

    let mut world = World::with_section();
    world.play(
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6",
    );
    let drawn = Outcome { result: Score::Draw, how: How::Stalemate };
    assert_eq!(world.game(&id).settled(), Some(drawn));
}

#[test]
fn rule_10_a_reply_sent_beforehand_is_played_when_it_is_met_and_told_only_then() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let it = Move { conditional: vec![reply("1...e5", "2.Nf3")], ..said(&world, &id, "e2e4") };
    let events = world.send(1, it);
    let shown = tell::notices(&world.state, &events);
    let Facts::Move { moves, .. } = &shown[1].facts else { panic!("{shown:?}") };
    assert_eq!(moves.len(), 1, "what was promised is shown to nobody");

    let mut met = world.clone();
    let it = Move { conditional: vec![reply("any", "Nc6")], ..said(&met, &id, "e7e5") };
    let events = met.send(2, it);
    assert_eq!(met.game(&id).record.sans(), ["e4", "e5", "Nf3", "Nc6"], "an answer to the answer");
    let expected = [("player 2", N::Receipt), ("player 1", N::Move), ("player 2", N::Move)];
    assert_eq!(told(&met.told(&events)), expected);
    assert!(met.game(&id).conditional.is_empty());

    let it = said(&world, &id, "c7c5");
    let events = world.send(2, it);
    assert_eq!(world.game(&id).record.sans(), ["e4", "c5"]);
    assert!(events.iter().any(|e| matches!(e, Event::RepliesDropped { side: Side::White, .. })));
    assert!(world.game(&id).conditional.is_empty(), "it is gone");
}

#[test]
fn rule_10_a_score_is_caught_up_only_where_it_follows_from_the_books() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    world.play("e2e4");
    let caught = Move {
        number: 2,
        side: Side::White,
        before: vec!["e7e5".to_owned()],
        ..said(&world, &id, "g1f3")
    };
    let wrong = Move { before: vec!["e7e4".to_owned()], ..caught.clone() };
    assert_eq!(fault(&world.send(1, wrong)), Some(Fault::Illegal));
    let events = world.send(1, caught);
    assert_eq!(world.game(&id).record.sans(), ["e4", "e5", "Nf3"]);
    assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt), ("player 2", N::Move)]);
}

#[test]
fn rule_10_an_offer_of_a_draw_stands_until_it_is_answered() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let it = said(&world, &id, "e2e4");
    world.send_with(1, it, true);
    assert_eq!(world.game(&id).offer, Some(Side::White));

    let mut moved = world.clone();
    moved.play("e7e5");
    assert_eq!(moved.game(&id).offer, None, "a move is an answer");
    let events = moved.speak(2, Word::Decline);
    assert_eq!(refusal(&events), Some(&Refusal::NoOffer));

    let mut declined = world.clone();
    let events = declined.speak(2, Word::Decline);
    assert_eq!(declined.game(&id).offer, None);
    let expected = [("player 2", N::Receipt), ("player 1", N::DrawDeclined)];
    assert_eq!(told(&declined.told(&events)), expected);

    let mut both = world.clone();
    assert_eq!(refusal(&both.speak(2, Word::Offer)), Some(&Refusal::OpponentOffered));
    assert_eq!(refusal(&both.speak(1, Word::Offer)), Some(&Refusal::OfferStands));
    assert_eq!(both.game_state(&id), "running", "two offers are no agreement");

    let events = world.speak(2, Word::Accept);
    let agreed = Outcome { result: Score::Draw, how: How::Agreement };
    assert_eq!(world.game(&id).settled(), Some(agreed));
    let expected = [("player 2", N::ResultReceipt), ("player 1", N::ResultReported)];
    assert_eq!(told(&world.told(&events)), expected);
    assert_eq!(refusal(&world.speak(1, Word::Offer)), Some(&Refusal::GameOver));
}

#[test]
fn rule_10_an_acceptance_without_an_offer_is_a_report() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    let mut offered = world.clone();
    let events = offered.speak(1, Word::Offer);
    let expected = [("player 1", N::Receipt), ("player 2", N::DrawOffer)];
    assert_eq!(told(&offered.told(&events)), expected);
    offered.speak(1, Word::Accept);
    assert_eq!(offered.game_state(&id), "reported", "nobody accepts his own offer");
    world.speak(2, Word::Accept);
    assert_eq!(world.game_state(&id), "reported");
}

#[test]
fn rule_10_a_claim_of_a_draw_is_checked_on_the_moves() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
    let (claim, id) = (|ground| Word::Claim { ground }, game(1, 2));
    let mut world = World::with_section();
    world.play(there_and_back);
    let events = world.speak(1, claim(DrawGround::Repetition));
    let unproved = Refusal::ClaimUnproved { ground: DrawGround::Repetition, counted: 2 };
    assert_eq!(refusal(&events), Some(&unproved));
    assert!(refusal(&world.speak(1, claim(DrawGround::FiftyMoves))).is_some());
    world.play(there_and_back);
    let mut unsaid = world.clone();
    unsaid.speak(2, claim(DrawGround::Unsaid));
    let events = world.speak(1, claim(DrawGround::Repetition));
    let drawn = Outcome { result: Score::Draw, how: How::Repetition };
    assert_eq!((world.game(&id).settled(), unsaid.game(&id).settled()), (Some(drawn), Some(drawn)));
    let expected = [("player 1", N::ResultReceipt), ("player 2", N::ResultReported)];
    assert_eq!(told(&world.told(&events)), expected);

    let mut world = World::with_section();
    world.speak(1, claim(DrawGround::Repetition));
    assert_eq!(world.open_kinds(), [ItemKind::DrawClaimed], "nobody has sent us the moves");
    assert_eq!(world.game_state(&id), "running");
}

/// A question whether player 1 meant e4 or d4 in his game with player 2.
fn asked(world: &mut World) -> (QuestionId, Vec<Move>) {
    let meant: Vec<Move> = ["e2e4", "d2d4"].map(|uci| said(world, &game(1, 2), uci)).to_vec();
    let option =
        |it: &Move| Choice { says: it.san.clone(), intents: vec![Intent::Move(it.clone())] };
    let doubt = Doubt { asks: "Which?".to_owned(), options: meant.iter().map(option).collect() };
    let (player, sent, mail) = (member(1), None, None);
    let events = world.act(&Command::PutQuestion(AskedBack { player, doubt, sent, mail }));
    assert_eq!(told(&world.told(&events)), [("player 1", N::Question)]);
    let Event::QuestionPut(question) = &events[0] else { panic!("{events:?}") };
    (question.question, meant)
}

#[test]
fn rule_7_a_question_is_answered_once_in_time_and_by_whom_it_was_put_to() {
    let mut world = World::with_section();
    let (question, _) = asked(&mut world);
    let answer = |world: &mut World, by: u16, choice| {
        let (from, mail) = (from(by), Some("sha256:01".to_owned()));
        world.act(&Command::AnswerQuestion { from, question, choice, mail })
    };
    assert_eq!(refusal(&answer(&mut world, 2, 1)), Some(&Refusal::QuestionUnknown));
    let mut late = world.clone();
    late.today = later(late.today, 15);
    assert!(matches!(refusal(&answer(&mut late, 1, 1)), Some(Refusal::QuestionLate { .. })));
    for (choice, wanted) in [(1, Answer::Chosen(1)), (0, Answer::Neither), (9, Answer::Neither)] {
        let mut world = world.clone();
        let events = answer(&mut world, 1, choice);
        let got =
            |e: &Event| matches!(e, Event::QuestionAnswered { answer, .. } if *answer == wanted);
        assert!(events.iter().any(got), "{choice}: {events:?}");
        assert_eq!(refusal(&answer(&mut world, 1, 1)), Some(&Refusal::QuestionSettled));
        assert_eq!(world.state.open_questions_to(&member(1)).count(), 0);
    }
    let events = world.act(&Command::AnswerQuestion {
        from: from(1),
        question: QuestionId(77),
        choice: 1,
        mail: None,
    });
    assert_eq!(refusal(&events), Some(&Refusal::QuestionUnknown));
}

#[test]
fn rule_7_a_clear_mail_about_the_same_game_settles_a_question() {
    let mut world = World::with_section();
    let (question, meant) = asked(&mut world);
    let events = world.send(1, meant[1].clone());
    let moot =
        Event::QuestionAnswered { question, answer: Answer::Moot, on: world.today, mail: None };
    assert!(events.contains(&moot), "{events:?}");
    assert_eq!(world.game(&game(1, 2)).record.sans(), ["d4"]);
    assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt), ("player 2", N::Move)]);
}

#[test]
fn rule_7_a_petition_is_kept_once_and_answered_every_time() {
    let mut world = World::with_section();
    let leave = Intent::Leave { from: Some(day("2019-06-01")), to: Some(day("2019-07-14")) };
    for _ in 0..2 {
        let mut events = world.act(&Command::ReadMail { from: from(1), aside: Vec::new() });
        events.extend(world.ask_director(1, leave.clone()));
        assert_eq!(told(&world.told(&events)), [("player 1", N::Receipt)]);
    }
    assert_eq!(world.open_kinds(), [ItemKind::LeaveAsked]);
    let item = world.item();
    assert_eq!(item.about.player, Some(member(1)));
    assert!(item.evidence.iter().any(|line| line.contains("6 in 19N01")), "{:?}", item.evidence);
}

#[test]
fn rule_10_a_death_is_answered_to_whoever_told_it_and_never_in_the_dead_players_name() {
    let mut world = World::with_section();
    let died = |player| Intent::Death { player, about: "He passed away.".to_owned() };
    let events = world.ask_director(2, died(Some(member(2))));
    let notices = tell::notices(&world.state, &events);
    let [notice] = &notices[..] else { panic!("{notices:?}") };
    let Recipient::Stranger(to) = &notice.to else { panic!("{notice:?}") };
    assert_eq!((to.address.clone(), to.name.as_str()), (Some(address(2)), ""));
    let events = world.ask_director(1, died(Some(member(2))));
    assert_eq!(told(&world.told(&events)), [("player 1", N::Condolence)]);
    assert_eq!(world.open_kinds(), [ItemKind::Death], "one matter");
}

#[test]
fn rule_10_an_objection_before_the_director_keeps_a_report_from_standing() {
    let (mut world, id) = (World::with_section(), game(1, 2));
    world.report(1, &id, played(Score::WhiteWins));
    let about = "I protest.".to_owned();
    world.ask_director(2, Intent::Objection { game: Some(named(&id)), about });
    world.tick(Job::Reminders, "2019-06-01");
    assert_eq!(world.game_state(&id), "reported");
}
