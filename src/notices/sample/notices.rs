//! A notice of every name about the made-up books, and the variants that say something else.

use super::{acts, day, drawn, entry, event, game, honours, outcome, play, win};
use crate::{
    domain::{
        docket::About,
        event::{Correspondent, Grounds, Topic, Trouble},
        ids::{GameId, MemberId, SectionCode, TournamentId},
        notice::{Effect, Facts, Notice, ReceiptLine, Recipient},
        points::{How, Points, Score, Side},
        refusal::Refusal,
    },
    notices::Thread,
};
use rust_decimal::Decimal;

/// A notice about the made-up books.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What tells it from others of the same name; empty for the first.
    pub variant: &'static str,
    /// The notice.
    pub notice: Notice,
    /// The mail it answers, if it answers one.
    pub thread: Option<Thread>,
}

/// Returns a notice of every name, the plainest first, and the variants that say something else.
pub fn all() -> Vec<Sample> {
    let mut all = Vec::new();
    entry_notices(&mut all);
    section_notices(&mut all);
    play::add(&mut all);
    result_notices(&mut all);
    acts::add(&mut all);
    honours::add(&mut all);
    answer_notices(&mut all);
    let facts = Facts::DirectorSummary { on: day(2019, 6, 17), since: Some(day(2019, 6, 10)) };
    all.push(sample("", Recipient::Director, About::default(), facts, None));
    all
}

fn entry_notices(all: &mut Vec<Sample>) {
    let about = About { event: Some(event()), ..About::default() };
    let mut add = |variant, to, facts, thread| {
        all.push(sample(variant, to, about.clone(), facts, thread));
    };
    let received = |numbers: &[usize]| Facts::EntryReceived {
        event: event(),
        entries: numbers.iter().map(|n| entry(*n)).collect(),
        beyond: Vec::new(),
        credit: Decimal::ZERO,
    };
    add("", ann(), received(&[13]), Some(thread()));
    add("mixed", ann(), received(&[13, 14, 15, 16, 17]), Some(thread()));
    add("paid", player("10000008"), received(&[20]), None);
    add("stranger", stranger(), received(&[15]), Some(thread()));
    let (of, entries) = (event(), vec![entry(13)]);
    let beyond = vec![Refusal::TooManyEntries { allowed: 10 }];
    let credit = Decimal::ZERO;
    let facts = Facts::EntryReceived { event: of, entries, beyond, credit };
    add("beyond", ann(), facts, Some(thread()));
    let (of, entries, credit) = (event(), vec![entry(21)], Decimal::new(700, 2));
    let facts = Facts::EntryReceived { event: of, entries, beyond: Vec::new(), credit };
    add("credit", player("10000006"), facts, None);
    for (variant, to, number) in [("", ann(), 17), ("brought", player("10000008"), 22)] {
        let entries = vec![entry(number)];
        add(variant, to, Facts::EntryCarriedForward { event: event(), entries }, None);
    }
    let refused = |event: Option<TournamentId>, refusals| Facts::EntryRefused { event, refusals };
    let many = vec![Refusal::TooManyEntries { allowed: 10 }];
    add("", ann(), refused(Some(event()), many), Some(thread()));
    let unknown = vec![Refusal::MemberIdMissing, Refusal::TournamentUnknown];
    add("stranger", stranger(), refused(None, unknown), Some(thread()));
    let every = vec![
        Refusal::ResidenceExcluded { place: "Guam".to_owned() },
        Refusal::NotOpen { opens: day(2019, 1, 1) },
        Refusal::Closed { closed: day(2019, 12, 31) },
        Refusal::ByRuling { reason: "The member asked for it.".to_owned() },
    ];
    add("reasons", ann(), refused(Some(event()), every), None);
    let unpaid = |numbers: &[usize]| Facts::PaymentReminder {
        event: event(),
        entries: numbers.iter().map(|n| entry(*n)).collect(),
    };
    add("", ann(), unpaid(&[13, 14]), None);
    add("one", ann(), unpaid(&[13]), None);
}

fn section_notices(all: &mut Vec<Sample>) {
    let mut add = |variant, to, code: &str, facts: fn(SectionCode) -> Facts| {
        let about = About { section: Some(code.into()), ..About::default() };
        all.push(sample(variant, to, about, facts(code.into()), None));
    };
    let assignment = |section| Facts::Assignment { section, takes_over: false };
    add("", ann(), "19N04", assignment);
    add("paper", player("10000005"), "19N04", assignment);
    let taken_over = |section| Facts::Assignment { section, takes_over: true };
    add("takes-over", ann(), "19N04", taken_over);
    let complete = |section| Facts::SectionComplete { section };
    add("", player("10000011"), "19N03", complete);
    add("fill", player("10000008"), "19N03", complete);
    add("out", player("10000012"), "19N03", complete);
    add("", player("10000011"), "19N03", |section| Facts::Advancement {
        entry: entry(11),
        section: Some(section),
        points: Points::from_halves(9),
    });
    add("next-best", player("10000003"), "19N04", |section| Facts::Advancement {
        entry: entry(3),
        section: Some(section),
        points: Points::from_halves(8),
    });
}

fn result_notices(all: &mut Vec<Sample>) {
    let mut add = |variant, to, id: GameId, facts, thread| {
        let about = About { section: Some(id.section.clone()), game: Some(id), ..About::default() };
        all.push(sample(variant, to, about, facts, thread));
    };
    let line = |id: GameId, report, effect| ReceiptLine {
        game: id.to_string(),
        report: Some(report),
        effect,
    };
    let receipt = |lines| Facts::ResultReceipt { lines };
    let one = line(game(1, 4), win(Side::White, 15), Effect::Entered);
    add("", ann(), game(1, 4), receipt(vec![one.clone()]), Some(thread()));
    let lines = vec![
        one,
        line(game(1, 2), win(Side::White, 15), Effect::Known),
        line(game(3, 1), win(Side::White, 15), Effect::Stands),
        line(game(5, 1), drawn(Side::Black, 15), Effect::Disputed),
        line(game(7, 1), drawn(Side::Black, 15), Effect::Contested),
        line(game(2, 5), drawn(Side::White, 15), Effect::Refused(Refusal::NotYourGame)),
        ReceiptLine {
            game: "19N99 1-9".to_owned(),
            report: None,
            effect: Effect::Refused(Refusal::GameUnknown),
        },
    ];
    add("mixed", ann(), game(1, 4), receipt(lines), Some(thread()));
    let foreign = line(game(1, 4), win(Side::White, 15), Effect::Refused(Refusal::NotYourGame));
    add("stranger", stranger(), game(1, 4), receipt(vec![foreign]), Some(thread()));

    let reported = |stands: Option<Grounds>| Facts::ResultReported {
        game: game(1, 4),
        report: win(if stands.is_some() { Side::Black } else { Side::White }, 15),
        stands,
    };
    add("", player("10000004"), game(1, 4), reported(None), None);
    add("stands", ann(), game(1, 4), reported(Some(Grounds::OwnInterest)), None);
    for (variant, grounds) in [("agreed", Grounds::Agreed), ("claimed", Grounds::Claimed)] {
        let mut report = drawn(Side::Black, 15);
        if grounds == Grounds::Claimed {
            report.outcome.how = How::Repetition;
        }
        let facts = Facts::ResultReported { game: game(1, 4), report, stands: Some(grounds) };
        add(variant, ann(), game(1, 4), facts, None);
    }
    let disputed = Facts::ResultDisputed {
        game: game(2, 3),
        first: win(Side::White, 12),
        second: drawn(Side::Black, 16),
    };
    add("", player("10000002"), game(2, 3), disputed, None);
    let ruled = |outcome, reason: &str| Facts::Ruling {
        game: game(6, 2),
        outcome,
        reason: reason.to_owned(),
    };
    let adjudicated = outcome(Score::WhiteWins, How::Adjudication);
    let why = "White is a queen ahead and mates in a few moves.";
    add("", player("10000002"), game(6, 2), ruled(adjudicated, why), None);
    let drawn = outcome(Score::Draw, How::Death);
    add("no-reason", player("10000006"), game(6, 2), ruled(drawn, ""), None);
}

fn answer_notices(all: &mut Vec<Sample>) {
    let mut add = |variant, to, facts| {
        all.push(sample(variant, to, About::default(), facts, Some(thread())));
    };
    let not = |why, read: &[&str]| Facts::NotUnderstood {
        why,
        read: read.iter().map(|line| (*line).to_owned()).collect(),
    };
    add("", ann(), not(Trouble::NothingFound, &[]));
    let read = ["the subject names section 19N04", "the result is a draw"];
    add("game-unclear", ann(), not(Trouble::GameUnclear, &read));
    add("for-director", ann(), not(Trouble::ForDirector, &["you ask for leave"]));
    add("stranger", stranger(), not(Trouble::SenderUnknown, &["the game of Ann Adams"]));
    add("too-large", ann(), not(Trouble::TooLarge, &[]));
    add("empty", ann(), not(Trouble::Empty, &[]));
    add("damaged", ann(), not(Trouble::Damaged, &[]));
    add("too-many", ann(), not(Trouble::TooMany, &[]));
    add("parked", ann(), not(Trouble::Parked, &[]));
    let help = |topic, code: Option<&str>| Facts::Help { topic, section: code.map(Into::into) };
    add("", ann(), help(Topic::Help, None));
    add("stranger", stranger(), help(Topic::Help, None));
    add("section", ann(), help(Topic::Section, Some("19N04")));
    add("section-complete", ann(), help(Topic::Section, Some("19N03")));
    add("section-not-formed", ann(), help(Topic::Section, Some("19N77")));
    add("section-none", stranger(), help(Topic::Section, None));
    add("section-stranger", stranger(), help(Topic::Section, Some("19N04")));
    add("games", ann(), help(Topic::Games, None));
    add("games-stranger", stranger(), help(Topic::Games, None));
    add("standings", ann(), help(Topic::Standings, None));
    add("standings-stranger", stranger(), help(Topic::Standings, None));
    add("entries", ann(), help(Topic::Entries, None));
    add("deadlines", stranger(), help(Topic::Deadlines, None));
    add("rules", ann(), help(Topic::Rules, None));
}

pub(super) fn sample(
    variant: &'static str,
    to: Recipient,
    about: About,
    facts: Facts,
    thread: Option<Thread>,
) -> Sample {
    Sample { variant, notice: Notice { to, about, facts }, thread }
}

pub(super) fn thread() -> Thread {
    Thread {
        in_reply_to: Some("mail-2@example.org".to_owned()),
        references: vec!["mail-1@example.org".to_owned()],
        subject: "my mail".to_owned(),
    }
}

pub(super) fn ann() -> Recipient {
    player("10000001")
}

pub(super) fn player(member: &str) -> Recipient {
    Recipient::Player(MemberId::from(member))
}

pub(super) fn stranger() -> Recipient {
    Recipient::Stranger(Correspondent {
        player: None,
        address: Some("somebody@example.net".to_owned()),
        name: "Sam Body".to_owned(),
    })
}
