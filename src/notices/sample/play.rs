//! Games with moves in the made-up books, questions to a player, and the notices that speak of them.

use super::{
    Books, day, game,
    notices::{Sample, ann, player, sample, stranger, thread},
    outcome, win,
};
use crate::{
    chess::{Move, Record},
    domain::{
        acts::MoveAgain,
        docket::About,
        event::{Correspondent, Event, Grounds},
        ids::{GameId, ItemId, QuestionId},
        intent::{self, Choice, DrawGround, Fault, Intent, MoveFault, Scope, Word},
        notice::{Effect, Facts, MailLine, Played, ReceiptLine, Recipient},
        points::{How, Score, Side},
        question::{Answer, Guard, Guarded, Question},
        refusal::Refusal,
    },
};

/// White: Ann Adams, Black: Francesca Fiore; White's offer of a draw stands.
const LONG: &str = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 f1e2 f8g7 e1g1 b8c6 d4b3 e8g8 f1e1 c8e6 e2f3 \
                    a7a5 a2a4 a8c8 c3d5 f6d7 c2c3 f8e8 a1a3 d7f6 c1g5";
/// White: Maria Castellanos-Whitmore, Black: Ann Adams; the last move is Black's reply sent beforehand.
const SHORT: &str = "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8";
/// White: Delia Dunn, Black: Georg Grünwald.
const MATE: &str = "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7";

impl Books {
    /// Some games are played through the office.
    pub(super) fn play_moves(&mut self) {
        for (id, moves) in [(game(1, 6), LONG), (game(3, 1), SHORT), (game(4, 7), MATE)] {
            let mut record = Record::new();
            let moves: Vec<&str> = moves.split(' ').collect();
            for (n, uci) in moves.iter().enumerate() {
                let it: Move = uci.parse().expect("a move");
                let event = Event::MovePlayed {
                    game: id.clone(),
                    number: record.next_number(),
                    side: record.next_side(),
                    san: record.position().san(it),
                    uci: it.uci(),
                    conditional: Vec::new(),
                    offer: n == 28,
                    sent: None,
                    on: day(2019, 6, 15),
                    reached: None,
                    mail: Some(String::new()),
                };
                record.push(it);
                self.tell(&event);
            }
        }
        self.tell(&Event::ResultConfirmed {
            game: game(4, 7),
            outcome: outcome(Score::WhiteWins, How::Mate),
            grounds: Grounds::Board,
            on: day(2019, 6, 15),
            report: None,
        });
    }

    /// Two questions to Ann Adams.
    pub(super) fn ask(&mut self) {
        let moves = [
            ("15.Bg5 in 19N04 1-6 against Francesca Fiore", game(1, 6)),
            ("15.Bg5 in 19N04 7-1 against Georg Grünwald", game(7, 1)),
        ];
        let option = |(says, id): (&str, GameId)| Choice {
            says: says.to_owned(),
            intents: vec![Intent::DrawOffer { game: named(id) }],
        };
        let many = moves.into_iter().map(option).collect();
        let one = vec![option(("you resign in 19N04 1-6 against Francesca Fiore", game(1, 6)))];
        let put = |number, asks: &str, options| {
            Event::QuestionPut(Question {
                question: QuestionId(number),
                player: "10000001".into(),
                asks: asks.to_owned(),
                options,
                on: day(2019, 6, 17),
                until: day(2019, 7, 1),
                sent: Some(day(2019, 6, 17)),
                mail: None,
                guard: None,
                answer: None,
            })
        };
        self.tell(&put(1, "In which game is 15.Bg5 your move?", many));
        self.tell(&put(2, "Did you mean this?", one.clone()));
        self.tell(&Self::guarded(3, one, Vec::new()));
        let leave = Choice {
            says: "leave from 2019-07-01 to 2019-07-14; a new address: ann@example.net".to_owned(),
            intents: Vec::new(),
        };
        let item = Guarded { item: ItemId(2), recommended: Some("change".to_owned()) };
        self.tell(&Self::guarded(4, vec![leave], vec![item]));
    }

    /// Whether Ann Adams wrote this.
    fn guarded(number: u64, options: Vec<Choice>, items: Vec<Guarded>) -> Event {
        Event::QuestionPut(Question {
            question: QuestionId(number),
            player: "10000001".into(),
            asks: "Did you write this?".to_owned(),
            options,
            on: day(2019, 6, 17),
            until: day(2019, 7, 1),
            sent: Some(day(2019, 6, 16)),
            mail: None,
            guard: Some(Guard { address: "ann@example.org".to_owned(), items }),
            answer: None,
        })
    }
}

fn named(id: GameId) -> intent::Game {
    intent::Game { section: id.section, white: id.white, black: id.black }
}

/// Adds the notices about moves, draws and questions.
pub(super) fn add(all: &mut Vec<Sample>) {
    receipts(all);
    moves(all);
    let mut add = |variant, to, about, facts| {
        all.push(sample(variant, to, about, facts, Some(thread())));
    };
    let about = |id: GameId| About { game: Some(id), ..About::default() };
    add("", ann(), about(game(3, 1)), Facts::DrawOffer { game: game(3, 1) });
    add("", ann(), about(game(1, 6)), Facts::DrawDeclined { game: game(1, 6) });
    for (variant, number) in [("", 1), ("yes-no", 2)] {
        let question = QuestionId(number);
        let about = About { question: Some(question), ..About::default() };
        add(variant, ann(), about, Facts::Question { question });
    }
    for (variant, number) in [("", 3), ("director", 4)] {
        let question = QuestionId(number);
        let about = About { question: Some(question), ..About::default() };
        add(variant, ann(), about, Facts::Confirmation { question });
    }
    let Recipient::Stranger(from) = stranger() else { return };
    let nameless = Recipient::Stranger(Correspondent { name: String::new(), ..from });
    add("", nameless, About::default(), Facts::Condolence);
    add("opponent", ann(), About::default(), Facts::Condolence);
}

fn moves(all: &mut Vec<Sample>) {
    let mut add = |variant, to, id: GameId, facts| {
        let about = About { section: Some(id.section.clone()), game: Some(id), ..About::default() };
        all.push(sample(variant, to, about, facts, Some(thread())));
    };
    let played = |number, side, san: &str, beforehand| Played {
        number,
        side,
        san: san.to_owned(),
        beforehand,
        offer: number == 15,
    };
    let told =
        |id: GameId, moves, declined, dropped| Facts::Move { game: id, moves, declined, dropped };
    let bishop = vec![played(15, Side::White, "Bg5", false)];
    add("", player("10000006"), game(1, 6), told(game(1, 6), bishop, false, true));
    let answered = vec![played(4, Side::White, "e3", false), played(4, Side::Black, "O-O", true)];
    add("beforehand", ann(), game(3, 1), told(game(3, 1), answered, true, false));
    let mate = vec![played(4, Side::White, "Qxf7#", false)];
    add("mate", player("10000007"), game(4, 7), told(game(4, 7), mate, false, false));

    let rejected = |id: GameId, number, side, san: &str, fault, why: &str, candidates: &[&str]| {
        Facts::MoveRejected {
            game: id,
            number,
            side,
            san: san.to_owned(),
            fault: MoveFault {
                fault,
                why: why.to_owned(),
                candidates: candidates.iter().map(|c| (*c).to_owned()).collect(),
            },
        }
    };
    let taken = "a pawn of your own stands on d5";
    let near = ["5.Bd3", "5.Nge2"];
    let facts = rejected(game(3, 1), 5, Side::White, "Bd5", Fault::Illegal, taken, &near);
    add("", player("10000003"), game(3, 1), facts);
    let turn = "it is your opponent's turn";
    let facts = rejected(game(3, 1), 5, Side::Black, "d5", Fault::NotYourMove, turn, &[]);
    add("not-your-move", ann(), game(3, 1), facts);
    let over = "the game is over, 1-0 by checkmate";
    let facts = rejected(game(4, 7), 4, Side::Black, "Kxf7", Fault::GameOver, over, &[]);
    add("game-over", player("10000007"), game(4, 7), facts);
}

fn receipts(all: &mut Vec<Sample>) {
    let mut add = |variant, lines: Vec<MailLine>, aside: &[&str], rest| {
        let aside = aside.iter().map(|line| (*line).to_owned()).collect();
        let facts = Facts::Receipt { lines, aside, rest };
        all.push(sample(variant, ann(), About::default(), facts, Some(thread())));
    };
    let moved = played_event("Bg5", "c1g5");
    add("", vec![other(moved.clone())], &["quoted text, 14 lines"], false);
    let (from, on) = (Correspondent::default(), day(2019, 6, 17));
    let refused = |id: GameId, word, refusal| Event::WordRefused {
        from: from.clone(),
        game: id,
        word,
        refusal,
    };
    let unproved = Refusal::ClaimUnproved { ground: DrawGround::Repetition, counted: 2 };
    let report = win(Side::White, 15);
    let report =
        ReceiptLine { game: game(1, 4).to_string(), report: Some(report), effect: Effect::Entered };
    let (number, side, san) = (4, Side::Black, "O-O".to_owned());
    let lines = vec![
        other(moved),
        other(Event::MoveRepeated(MoveAgain { game: game(3, 1), number, side, san, on })),
        other(Event::MoveRefused {
            from: from.clone(),
            game: game(7, 1),
            number: 1,
            side: Side::Black,
            san: "e5".to_owned(),
            fault: MoveFault { fault: Fault::NotYourMove, why: String::new(), candidates: vec![] },
        }),
        other(Event::DrawOffered { game: game(5, 1), by: Side::Black, on }),
        other(Event::DrawDeclined { game: game(7, 1), by: Side::Black, on }),
        other(refused(game(3, 1), Word::Claim { ground: DrawGround::Repetition }, unproved)),
        other(refused(game(1, 6), Word::Offer, Refusal::OfferStands)),
        MailLine::Result(report),
    ];
    let aside = ["quoted text, 14 lines", "`resign` in the quoted text was not taken as yours"];
    add("mixed", lines, &aside, true);
    add("petitions", petitions(), &[], false);
    let answers = answers(other(played_event("Bg5", "c1g5")));
    for (variant, lines) in answers {
        add(variant, lines, &[], false);
    }
}

/// Answers to questions, good ones and others.
fn answers(played: MailLine) -> [(&'static str, Vec<MailLine>); 7] {
    let other = |event| MailLine::Other(Box::new(event));
    let answered = |number, answer| {
        let (question, on, mail) = (QuestionId(number), day(2019, 6, 17), None);
        other(Event::QuestionAnswered { question, answer, on, mail })
    };
    let refused = |refusal| {
        let (from, question) = (Correspondent::default(), QuestionId(1));
        vec![other(Event::AnswerRefused { from, question, refusal })]
    };
    let says = "you resign in 19N04 3-1 against Maria Castellanos-Whitmore".to_owned();
    let put = Books::guarded(5, vec![Choice { says, intents: Vec::new() }], Vec::new());
    [
        ("answer", vec![answered(1, Answer::Chosen(1)), played.clone()]),
        ("no-answer", vec![answered(1, Answer::Neither)]),
        ("late-answer", refused(Refusal::QuestionLate { until: day(2019, 6, 1) })),
        ("answer-from-elsewhere", refused(Refusal::AnswerFromElsewhere)),
        ("confirmed", vec![answered(4, Answer::Chosen(1))]),
        ("denied", vec![answered(3, Answer::Neither)]),
        ("unproved", vec![played, other(put)]),
    ]
}

fn petitions() -> Vec<MailLine> {
    let intents = [
        Intent::TimeComplaint {
            game: named(game(3, 1)),
            sent: Some(day(2019, 5, 12)),
            repeated: Some(day(2019, 5, 26)),
        },
        Intent::Leave { from: Some(day(2019, 7, 1)), to: Some(day(2019, 7, 14)) },
        Intent::Leave { from: None, to: None },
        Intent::Withdraw { scope: Scope::Section, section: Some("19N04".into()) },
        Intent::AddressChange {
            old: None,
            new: Some("ann.adams@example.com".to_owned()),
            from: Some(day(2019, 7, 1)),
        },
        Intent::Membership { expires: Some(day(2022, 5, 31)) },
        Intent::Objection {
            game: Some(named(game(1, 4))),
            about: "I protest against that result.".to_owned(),
        },
        Intent::Conduct { game: None, about: "He is using a computer.".to_owned() },
        Intent::DrawClaim { game: named(game(5, 1)), ground: DrawGround::Repetition },
        Intent::Entry {
            event: Some(super::event()),
            count: 1,
            member_id: None,
            name: String::new(),
            paid: false,
            postmark: day(2019, 6, 17),
            wishes: vec!["not in a section with Bruno Birch, please".to_owned()],
        },
    ];
    let line = |intent| {
        let from = Correspondent::default();
        let (intent, item) = (Box::new(intent), ItemId(3));
        other(Event::PetitionReceived { from, intent, item })
    };
    intents.into_iter().map(line).collect()
}

fn played_event(san: &str, uci: &str) -> Event {
    Event::MovePlayed {
        game: game(1, 6),
        number: 15,
        side: Side::White,
        san: san.to_owned(),
        uci: uci.to_owned(),
        conditional: vec![intent::Conditional { if_played: "h6".into(), then: "Bh4".into() }],
        offer: true,
        sent: Some(day(2019, 6, 17)),
        on: day(2019, 6, 17),
        reached: None,
        mail: Some(String::new()),
    }
}

fn other(event: Event) -> MailLine {
    MailLine::Other(Box::new(event))
}
