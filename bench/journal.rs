//! P2 and P8: a restart over journals of 250,000, 500,000 and 1,000,000 transactions that the program's own decisions
//! and its own store have made: results with their readings and letters, questions, held mails, deliveries.

use crate::{
    club::{self, Chance, Club, Game},
    measure,
};
use chrono::{DateTime, Utc};
use knightmail::{
    config::Config,
    digest::Digest,
    domain::{
        command::{AdoptedSection, Command, HeldMail, Moment, ResultClaim},
        decide::decide,
        docket::About,
        event::{Correspondent, Topic, Trouble},
        ids::{GameId, LetterId, MemberId, SectionCode, TournamentId},
        intent::{Game as GameRead, Intent},
        player::Player,
        points::{How, Outcome, Score},
        tell,
    },
    mail::understanding::{Assurance, Class, Confidence, Sender, Understanding},
    office::books::Books,
    store::{
        Store as _,
        files::FileStore,
        transaction::{
            Cause, DeliveryOutcome, DeliveryRecord, LetterRecord, MailCause, MailOutcome,
            Transaction,
        },
    },
};
use std::{env, path::Path, process::Command as Process, time::Duration};

/// Transactions that share a commit.
const BATCH: u64 = 256;
/// Letters that are delivered together.
const DELIVERED: usize = 64;

/// Makes journals up to so many transactions and prints how long a restart over each takes.
pub(crate) fn run(count: usize) {
    let mut sizes = Vec::new();
    for count in [count / 10, count / 4, count / 2, count] {
        let folder = tempfile::tempdir().expect("a folder");
        make(folder.path(), count as u64);
        let times: Vec<_> = (0..3).map(|_| restart(folder.path())).collect();
        let (time, megabytes) = times.into_iter().min().expect("three of them");
        let bytes: u64 = folder_bytes(&folder.path().join("store/journal"));
        println!(
            "restart: {count} transactions ({} MB) verified and followed in {time:.2?}, \
             peak memory {megabytes} MB",
            bytes / 1_000_000
        );
        sizes.push((count, time));
    }
    println!("restart: grows with exponent {:.2}", measure::exponent(&sizes[1..]));
}

fn folder_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("it was made").flatten();
    entries.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}

/// Restarts over a home in a process of its own, so that its memory is its own.
fn restart(home: &Path) -> (Duration, u64) {
    let this = env::current_exe().expect("we run");
    let done =
        Process::new(this).arg("restart-once").arg(home).output().expect("it can be started");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut words = said.split_whitespace().map(|word| word.parse().expect("a number"));
    let (micros, megabytes) = (words.next().expect("two words"), words.next().expect("two words"));
    (Duration::from_micros(micros), megabytes)
}

/// Opens a home and reads the books, as the program does when it starts, and prints microseconds and megabytes.
pub(crate) fn restart_once(home: &str) {
    let config = Config::shipped();
    let (time, books) = measure::timed(|| {
        let mut books = Books::default();
        let mut store = FileStore::open(Path::new(home)).expect("it was made");
        let follow = &mut |transaction: &Transaction| books.follow(transaction, &config.house);
        store.catch_up(follow).expect("it verifies");
        books
    });
    println!("{} {}", time.as_micros(), measure::peak_megabytes());
    // The process ends here; giving back the memory piece by piece is no part of a restart.
    std::mem::forget(books);
}

/// Returns the command that takes a section of the club into the books.
pub(crate) fn adopted(club: &Club, section: usize) -> Command {
    let seat = |seat: usize| (None, club.members[seat].member.clone());
    Command::AdoptSection(AdoptedSection {
        section: SectionCode(Club::code(section)),
        event: TournamentId("GK2019".to_owned()),
        round: 0,
        start: Club::start(),
        seats: Club::seats(section).map(seat).collect(),
    })
}

/// Writes a journal of so many transactions into a home.
fn make(home: &Path, count: u64) {
    // Of ten transactions of mails seven are results; a section has 42 of them.
    let club = Club::new(usize::try_from(count / 50 + 1).expect("small"));
    let mut chance = Chance(2019);
    let games = club.games(&mut chance);
    let mut reports = games.iter().flat_map(|game| [(game, game.white), (game, game.black)]);
    let mut clerk = Clerk::over(home);
    let first = vec![
        Command::OpenBooks { since: Club::start() },
        Command::ListPlayers(club.members.clone()),
    ];
    let import = || Cause::Director {
        by: "Pat Marlow".to_owned(),
        words: "import sections sections.csv".to_owned(),
        mail: None,
    };
    clerk.transact(import(), &first);
    let sections: Vec<usize> = (0..club.sections).collect();
    for few in sections.chunks(20) {
        let few: Vec<_> = few.iter().map(|section| adopted(&club, *section)).collect();
        clerk.transact(import(), &few);
    }
    while clerk.books.transactions < count {
        if clerk.waiting >= DELIVERED {
            clerk.deliver();
        } else if let (0..7, Some((game, by))) = (chance.below(10), reports.next()) {
            clerk.result(&club, game, by);
        } else {
            let member = &club.members[chance.below(club.members.len())];
            if chance.below(2) == 0 { clerk.question(member) } else { clerk.held(member) }
        }
    }
    clerk.store.commit().expect("the disk works");
}

/// Who writes the journal: decides as the office does, and invents the letters instead of writing them.
struct Clerk {
    config: Config,
    books: Books,
    store: FileStore,
    waiting: usize,
}

impl Clerk {
    fn over(home: &Path) -> Self {
        let mut store = FileStore::open(home).expect("a temporary folder");
        store.catch_up(&mut |_| ()).expect("nothing is there");
        Self { config: Config::shipped(), books: Books::default(), store, waiting: 0 }
    }

    fn now(&self) -> DateTime<Utc> {
        club::instant(self.books.transactions)
    }

    fn transact(&mut self, cause: Cause, commands: &[Command]) {
        let at = self.now();
        let now = Moment { at, today: self.config.house.day(at) };
        let mut events = Vec::new();
        for command in commands {
            let decided = decide(&self.config.rules, &self.books.state, now, command);
            for event in &decided {
                self.books.apply(event);
            }
            events.extend(decided);
        }
        let mut letters = Vec::new();
        for notice in tell::notices(&self.books.state, &events) {
            let number = LetterId(self.books.next_letter().0 + letters.len() as u64);
            let player = match &notice.to {
                knightmail::domain::notice::Recipient::Player(member) => Some(member.clone()),
                _ => None,
            };
            let email = player.as_ref().and_then(|m| self.books.state.players.get(m)?.email());
            letters.push(LetterRecord {
                letter: number,
                notice: notice.facts.name(),
                to: email.map(str::to_owned),
                about: About { player, ..notice.about },
                subject: "Your result has been received".to_owned(),
                not_before: None,
                message_id: format!("l{}.0123456789abcdef0123@example.org", number.0),
                digest: Digest::of(&number.0.to_be_bytes()),
            });
        }
        self.waiting += letters.len();
        let seq = self.books.transactions + 1;
        let transaction = Transaction { seq, at, cause, events, letters };
        self.store.append(&transaction).expect("the disk works");
        self.books.enter(&transaction, &self.config.house);
        if seq.is_multiple_of(BATCH) {
            self.store.commit().expect("the disk works");
        }
    }

    fn deliver(&mut self) {
        let sent = |letter| DeliveryRecord { letter, outcome: DeliveryOutcome::Sent };
        let outcomes = self.books.outbox.iter().copied().map(sent).collect();
        self.waiting = 0;
        self.transact(Cause::Delivery { outcomes }, &[]);
    }

    fn mail(&mut self, from: &Player, outcome: MailOutcome, reading: &Reading, command: Command) {
        let now = self.now();
        let digest = self.digest();
        let number = self.books.transactions;
        let understanding = Understanding {
            class: Class::Person,
            sender: Sender {
                address: from.emails.first().cloned(),
                name: from.name.clone(),
                player: Some(from.member.clone()),
                assurance: Assurance::Dkim,
                elsewhere: false,
            },
            confidence: Confidence::Certain,
            intents: reading.intents.clone(),
            set_aside: vec!["quoted text, 14 lines".to_owned(), "signature, 2 lines".to_owned()],
            reasons: vec![reading.reason.clone()],
            ..Understanding::default()
        };
        let cause = MailCause {
            known: None,
            likeness: None,
            digest,
            arrival: format!("{}.M{number:06}P1.bench", now.timestamp()),
            arrived: now,
            outcome,
            message_id: Some(format!("{number}.bench@mail.example.org")),
            content_id: Some(Digest::of(&number.to_le_bytes()).hex()),
            from: from.emails[0].clone(),
            subject: "Re: Golden Knights".to_owned(),
            reading: serde_json::value::to_raw_value(&understanding.kept()).ok(),
        };
        self.transact(Cause::Mail(Box::new(cause)), &[command]);
    }

    fn digest(&self) -> Digest {
        Digest::of(&self.books.transactions.to_be_bytes())
    }

    fn result(&mut self, club: &Club, game: &Game, by: usize) {
        let from = &club.members[by];
        let member = |number: usize| club.members[number].member.clone();
        let id = self.game(game, &member(game.white), &member(game.black));
        let result = match game.score {
            "1-0" => Score::WhiteWins,
            "0-1" => Score::BlackWins,
            _ => Score::Draw,
        };
        let GameId { section, white, black } = id.clone();
        let read = GameRead { section, white, black };
        let reading = Reading {
            intents: vec![Intent::Result { game: read, result, how: How::Resignation, pgn: None }],
            reason: format!("`{}` is a score; section {} is named", game.score, game.code),
        };
        let claim = ResultClaim {
            from: correspondent(from),
            game: id,
            outcome: Outcome { result, how: How::Resignation },
            mail: Some(self.digest().to_string()),
        };
        self.mail(from, MailOutcome::Acted, &reading, Command::ReportResult(claim));
    }

    /// Returns the game of two members of a section.
    fn game(&self, game: &Game, white: &MemberId, black: &MemberId) -> GameId {
        let state = &self.books.state;
        let section = &state.sections[&SectionCode(game.code.clone())];
        let plays = |id: &GameId, member| state.side_of(id, member).is_some();
        let ids = section.games.iter().map(|game| section.game_id(game));
        let mut ids = ids.filter(|id| plays(id, white) && plays(id, black));
        ids.next().expect("everybody plays everybody")
    }

    fn question(&mut self, from: &Player) {
        let reading = Reading {
            intents: vec![Intent::Question { topic: Topic::Section, section: None }],
            reason: "`section` in a question".to_owned(),
        };
        let ask = Command::Ask { from: correspondent(from), topic: Topic::Section, section: None };
        self.mail(from, MailOutcome::Acted, &reading, ask);
    }

    fn held(&mut self, from: &Player) {
        let reading = Reading {
            intents: Vec::new(),
            reason: "`away in June` is leave; leave is the director's".to_owned(),
        };
        let held = HeldMail {
            from: correspondent(from),
            why: Trouble::ForDirector,
            read: vec![reading.reason.clone()],
            words: vec!["The mail: away in June".to_owned()],
            mail: self.digest().to_string(),
            answer: true,
            docket: true,
        };
        self.mail(from, MailOutcome::Held, &reading, Command::Hold(held));
    }
}

struct Reading {
    intents: Vec<Intent>,
    reason: String,
}

fn correspondent(player: &Player) -> Correspondent {
    Correspondent {
        player: Some(player.member.clone()),
        address: player.emails.first().cloned(),
        name: player.name.clone(),
    }
}
