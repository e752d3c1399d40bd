//! Every letter against its golden file in `tests/data/letters/`: the whole message, headers and both parts. With
//! `UPDATE_EXPECT=1` the files are written anew; read them as the player would before they are committed.

use knightmail::{
    domain::{
        apply::apply,
        docket::About,
        event::{Correspondent, Event},
        ids::{LetterId, MemberId},
        notice::{Facts, Notice, NoticeName, Recipient},
        player::Player,
    },
    house::{LETTER_END, LETTER_TOP},
    notices::{
        Letter, Thread,
        letter::{Unwritable, write},
        render::Templates,
        sample::{self, Books, notices::Sample},
    },
};
use mail_parser::{HeaderValue, Message, MessageParser};
use std::{collections::BTreeSet, fs, path::PathBuf};

fn golden(sample: &Sample) -> (String, PathBuf) {
    let name = sample.notice.facts.name();
    let file = match sample.variant {
        "" => format!("{name}.txt"),
        variant => format!("{name}-{variant}.txt"),
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/letters").join(&file);
    (file, path)
}

fn written(books: &Books, templates: &Templates, sample: &Sample) -> Letter {
    let desk = books.desk(templates);
    write(&sample.notice, LetterId(42), sample.thread.as_ref(), &desk).expect("a letter")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a golden file is written by hand, on a quiet disk")]
fn every_letter_is_as_its_golden_file() {
    let (books, templates) = (Books::new(), Templates::shipped());
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for sample in sample::notices::all() {
        let letter = written(&books, &templates, &sample);
        let text = String::from_utf8(letter.bytes).unwrap().replace("\r\n", "\n");
        let text = without_pages(&text);
        let (file, path) = golden(&sample);
        assert!(seen.insert(file.clone()), "two samples are called {file}");
        if update {
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "differ (UPDATE_EXPECT=1 writes them anew): {wrong:?}");
    let files = fs::read_dir(golden(&sample::notices::all()[0]).1.parent().unwrap()).unwrap();
    let files = files.map(|f| f.unwrap().file_name().into_string().unwrap());
    let stale: Vec<_> = files.filter(|file| !seen.contains(file)).collect();
    assert!(stale.is_empty(), "golden files that nothing writes: {stale:?}");
}

/// A page that comes with a letter is looked at in `pages.rs`.
fn without_pages(text: &str) -> String {
    let mark = "Content-Transfer-Encoding: base64\n\n";
    let Some((before, page)) = text.split_once(mark) else { return text.to_owned() };
    let (_, after) = page.split_once("\n--").unwrap();
    format!("{before}{mark}(the page)\n--{after}")
}

#[test]
fn every_notice_has_a_sample_and_a_preview() {
    let templates = Templates::shipped();
    for name in NoticeName::ALL {
        let (subject, text) = templates.sample(name).unwrap();
        assert!(!subject.is_empty() && text.starts_with("Dear "), "{name}: {subject}\n{text}");
    }
}

#[test]
fn every_letter_reads_back_as_it_was_written() {
    let (books, templates) = (Books::new(), Templates::shipped());
    for sample in sample::notices::all() {
        let letter = written(&books, &templates, &sample);
        let again = written(&books, &templates, &sample);
        assert_eq!(letter, again, "the same input gives the same bytes");
        let (file, _) = golden(&sample);
        let mail = MessageParser::default().parse(&letter.bytes).unwrap();
        let token = letter.message_id.split_once('@').unwrap().0;
        assert_eq!(mail.message_id(), Some(letter.message_id.as_str()), "{file}");
        assert_eq!(mail.subject(), Some(letter.subject.as_str()), "{file}");
        assert_eq!(address(mail.to()), letter.to, "{file}");
        assert_eq!(address(mail.reply_to()), Some(books.house.reply_address(token)), "{file}");
        assert!(books.house.keys.verifies(token, LetterId(42), &letter.about), "{file}");
        assert_eq!(letter.about.player, letter.player, "the token speaks for whom it went to");
        assert_eq!((mail.text_body_count(), mail.html_body_count()), (1, 1), "{file}");
        let text = mail.body_text(0).unwrap();
        let lines: Vec<_> = text.lines().collect();
        if letter.to.is_some() {
            assert_eq!(lines.first(), Some(&LETTER_TOP), "{file}");
            assert_eq!(lines.last(), Some(&format!("{LETTER_END} {token} ##").as_str()), "{file}");
        }
        for line in lines {
            assert!(line.chars().count() <= 76 || line.contains('@'), "{file}: {line}");
        }
        for line in String::from_utf8(letter.bytes.clone()).unwrap().split("\r\n") {
            assert!(line.len() <= 998 && !line.contains(['\r', '\n']), "{file}: {line}");
        }
        let html = mail.body_html(0).unwrap();
        assert!(html.contains("<p>Dear "), "{file}");
        assert!(letter.to.is_none() || html.contains(token), "{file}");
    }
}

fn address(header: Option<&mail_parser::Address<'_>>) -> Option<String> {
    header.and_then(|a| a.first()).and_then(|a| a.address()).map(str::to_owned)
}

/// RFC 3834 section 5, RFC 5322 section 3.6.4.
#[test]
fn an_answer_names_its_thread_and_says_that_a_machine_wrote_it() {
    let (books, templates) = (Books::new(), Templates::shipped());
    let desk = books.desk(&templates);
    let notice = &sample::notices::all()[0].notice;
    let references: Vec<String> = (1..=40).map(|n| format!("mail-{n}@example.org")).collect();
    let thread = |in_reply_to: Option<&str>| Thread {
        in_reply_to: in_reply_to.map(str::to_owned),
        references: references.clone(),
        subject: String::new(),
    };
    let raw = |thread: Option<&Thread>| write(notice, LetterId(1), thread, &desk).unwrap().bytes;
    let header = |bytes: &[u8], name: &str| {
        let mail = MessageParser::default().parse(bytes).unwrap();
        mail.header_raw(name).map(|v| v.split_whitespace().collect::<Vec<_>>().join(" "))
    };

    let alone = raw(None);
    assert_eq!(header(&alone, "Auto-Submitted").unwrap(), "auto-generated");
    assert_eq!((header(&alone, "In-Reply-To"), header(&alone, "References")), (None, None));

    let answer = raw(Some(&thread(Some("<mail-41@example.org>"))));
    assert_eq!(header(&answer, "Auto-Submitted").unwrap(), "auto-replied");
    assert_eq!(header(&answer, "In-Reply-To").unwrap(), "<mail-41@example.org>");
    let ids = header(&answer, "References").unwrap();
    assert!(ids.starts_with("<mail-1@example.org> <mail-31@example.org> "), "{ids}");
    assert!(ids.ends_with("<mail-40@example.org> <mail-41@example.org>"), "{ids}");
    assert_eq!(ids.split(' ').count(), 12);

    for bad in ["", " ", "a b@example.org", "x@y>\r\nBcc: z@example.org", "ü@example.org"] {
        let answer = raw(Some(&thread(Some(bad))));
        assert_eq!(header(&answer, "In-Reply-To"), None, "{bad}");
        assert_eq!(header(&answer, "Bcc"), None, "{bad}");
    }
}

/// Names come from mails and rosters; whatever stands in them is a name and nothing else.
#[test]
fn a_hostile_name_does_no_harm_anywhere() {
    let templates = Templates::shipped();
    let names = [
        "A\r\nBcc: x@example.org {{ 1 }} <b>",
        "{% for x in y %}",
        "\"; Bob\" <evil@example.net>",
        "--part-l42",
        "=?utf-8?q?=0ABcc:_x?=",
        "\u{202e}live\u{0}\u{7}",
        "",
        "   ",
    ];
    for name in names {
        let mut books = Books::new();
        let players: Vec<_> = books.state.players.values().cloned().collect();
        for player in players {
            let player = Player { name: name.to_owned(), ..player };
            apply(&mut books.state, &Event::PlayerListed(player));
        }
        for mut sample in sample::notices::all() {
            if let Recipient::Stranger(from) = &mut sample.notice.to {
                name.clone_into(&mut from.name);
            }
            let letter = written(&books, &templates, &sample);
            let mail = MessageParser::default().parse(&letter.bytes).unwrap();
            assert_eq!(mail.bcc(), None, "{name}");
            assert_eq!(address(mail.to()), letter.to, "{name}");
            // Two texts and what holds them; a certificate comes beside them.
            let parts = if letter.notice == NoticeName::FramingCertificate { 5 } else { 3 };
            assert_eq!(mail.parts.len(), parts, "{name}: a part was torn");
            assert!(!letter.subject.contains(['\r', '\n']), "{name}");
            assert!(!mail.body_html(0).unwrap().contains("<b>"), "{name}");
            let last = mail.body_text(0).unwrap().lines().last().map(str::to_owned);
            assert!(letter.to.is_none() || last.unwrap().starts_with(LETTER_END), "{name}");
        }
    }
}

#[test]
fn a_stranger_learns_nothing_of_anybody() {
    let (books, templates) = (Books::new(), Templates::shipped());
    let strangers = |s: &Sample| matches!(s.notice.to, Recipient::Stranger(_));
    let mut tried = 0;
    for sample in sample::notices::all().into_iter().filter(strangers) {
        let letter = written(&books, &templates, &sample);
        let mail = MessageParser::default().parse(&letter.bytes).unwrap();
        let text = mail.body_text(0).unwrap();
        for player in books.state.players.values() {
            let rating = player.rating.map_or_else(|| "unrated".to_owned(), |r| r.to_string());
            let email = player.email().unwrap_or("Mill Lane");
            for secret in [player.surname(), email, &rating, &player.member.0] {
                assert!(!text.contains(secret), "{}: {secret}", letter.subject);
            }
        }
        tried += 1;
    }
    assert!(tried >= 6);
}

#[test]
fn addresses_of_players_are_told_to_their_opponents_only() {
    let (books, templates) = (Books::new(), Templates::shipped());
    for sample in sample::notices::all() {
        let letter = written(&books, &templates, &sample);
        let mail = MessageParser::default().parse(&letter.bytes).unwrap();
        let text = mail.body_text(0).unwrap();
        let shown = books.state.addresses.keys().filter(|a| text.contains(a.as_str())).count();
        let expected = match (letter.notice, sample.variant) {
            (NoticeName::Assignment, _) => 6,
            // The substitute's, and not to who left; his own.
            (NoticeName::Substitution, "" | "finished")
            | (NoticeName::AddressChanged, "")
            | (NoticeName::Confirmation, _) => 1,
            _ => 0,
        };
        assert_eq!(shown, expected, "{}", letter.subject);
    }
}

#[test]
fn a_recipient_without_an_address_gets_paper_and_a_bad_address_is_told() {
    let (mut books, templates) = (Books::new(), Templates::shipped());
    let facts = || Facts::Help { topic: knightmail::domain::event::Topic::Help, section: None };
    let letter = |books: &Books, to: Recipient| -> Result<Letter, Unwritable> {
        let notice = Notice { to, about: About::default(), facts: facts() };
        write(&notice, LetterId(7), None, &books.desk(&templates))
    };
    let egan = Recipient::Player(MemberId::from("10000005"));
    let paper = letter(&books, egan.clone()).unwrap();
    assert_eq!(paper.to, None);
    let mail = MessageParser::default().parse(&paper.bytes).unwrap();
    assert!(matches!(mail.header("To"), None | Some(HeaderValue::Empty)));
    let sheet = mail.body_text(0).unwrap().replace("\r\n", "\n");
    assert!(sheet.contains("  Edward Egan\n  12 Mill Lane\n  Springfield, OH 45501\n"), "{sheet}");
    assert!(!sheet.contains("##"), "marks are for mail");

    let stranger = |address: &str| {
        let address = Some(address.to_owned());
        Recipient::Stranger(Correspondent { player: None, address, name: String::new() })
    };
    for odd in ["a..b@example.org", "a.@example.org", "o'neil+x@example.org"] {
        let letter = letter(&books, stranger(odd)).unwrap();
        assert_eq!(letter.to.as_deref(), Some(odd));
        let mail: Message<'_> = MessageParser::default().parse(&letter.bytes).unwrap();
        assert_eq!(address(mail.to()).as_deref(), Some(odd));
    }
    for bad in
        ["nobody", "a b@example.org", "x@y\r\nBcc: z@example.org", "ü@example.org", "@", "a@b>"]
    {
        let error = letter(&books, stranger(bad)).unwrap_err();
        assert!(!error.why.contains('\n') && error.why.starts_with('`'), "{error}");
    }

    let ann = books.state.players[&MemberId::from("10000001")].clone();
    let emails = vec!["broken address".to_owned(), "ann@example.org".to_owned()];
    apply(&mut books.state, &Event::PlayerListed(Player { emails, ..ann }));
    let second = letter(&books, Recipient::Player(MemberId::from("10000001"))).unwrap();
    assert_eq!(second.to.as_deref(), Some("ann@example.org"), "the next address is tried");
}

/// A letter that tells how to write must be right about it: the examples are read as it promises.
#[test]
fn what_letters_tell_people_to_write_is_understood() {
    let (books, templates) = (Books::new(), Templates::shipped());
    let mut tried = 0;
    for sample in sample::notices::all() {
        let letter = written(&books, &templates, &sample);
        let ann = letter.player == Some(MemberId::from("10000001"));
        let raw = letter.bytes;
        let mail = MessageParser::default().parse(&raw).unwrap();
        let text = mail.body_text(0).unwrap().replace("\r\n", "\n");
        for example in examples(&text) {
            let kinds = if ann { read(&books, &example) } else { continue };
            let wanted = if example.contains("Event:") { "Entry" } else { "Result" };
            assert!(kinds.contains(wanted), "{}:\n{example}\n{kinds}", letter.subject);
            assert!(kinds.starts_with("Certain"), "{}:\n{example}\n{kinds}", letter.subject);
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} examples were found");
    for (words, wanted) in [
        ("help", "topic: Help"),
        ("How does section 19N04 stand?", "topic: Section"),
        ("What are my games?", "topic: Games"),
        ("What about my entries and their fees?", "topic: Entries"),
        ("What are the deadlines?", "topic: Deadlines"),
        ("What are the rules?", "topic: Rules"),
        ("19N04: I won against #6 by resignation", "result: WhiteWins"),
        ("I resign my game against Grünwald in 19N04", "Resign"),
        ("19N04 1-6: 15.Bg5", "Move"),
        ("I accept the draw in 19N04 3-1", "DrawAccept"),
        ("I decline the draw in 19N04 3-1", "DrawDecline"),
        ("I claim a draw in 19N04 1-6, threefold repetition", "DrawClaim"),
        ("Time complaint: 19N04 3-1, move sent 12 May 2019, repeated 26 May 2019", "TimeComplaint"),
        ("Please grant me leave from 1 July 2019 to 14 July 2019", "Leave"),
        ("I withdraw from section 19N04", "Withdraw"),
        ("My new email address is new.name@example.net", "AddressChange"),
        ("What are the standings?", "topic: Standings"),
    ] {
        let kinds = read(&books, words);
        assert!(kinds.starts_with("Certain") && kinds.contains(wanted), "{words}: {kinds}");
        let said = words.ends_with('?').then(|| templates.sample(NoticeName::Help).unwrap().1);
        assert!(said.is_none_or(|letter| letter.contains(words)), "the letter says `{words}`");
    }
}

/// Returns the forms of a letter: lines behind two blanks that have a field each.
fn examples(text: &str) -> Vec<String> {
    let forms = text.split("\n\n").filter(|block| {
        block.lines().all(|line| line.starts_with("  ") && line.contains(": "))
            && (block.starts_with("  Game: ") || block.starts_with("  Event: "))
    });
    forms.map(|block| block.lines().map(str::trim).collect::<Vec<_>>().join("\n")).collect()
}

struct NoLetters;

impl knightmail::mail::Letters for NoLetters {
    fn about(&self, _: LetterId) -> Option<About> {
        None
    }

    fn went_to(&self, _: LetterId) -> Option<String> {
        None
    }
}

/// Returns how a mail of Ann Adams is understood.
fn read(books: &Books, text: &str) -> String {
    let desk = knightmail::mail::Desk {
        house: &books.house,
        rules: &books.rules,
        state: &books.state,
        letters: &NoLetters,
        signed_by: &[],
        now: books.now,
    };
    let raw = format!(
        "From: Ann Adams <ann@example.org>\r\nTo: knights@example.org\r\nSubject: hello\r\n\
         Date: Mon, 17 Jun 2019 10:00:00 -0400\r\nMessage-ID: <x@example.org>\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
        text.replace('\n', "\r\n")
    );
    let read = knightmail::mail::read(raw.as_bytes(), Some(books.now), &desk);
    format!("{:?} {:?} {:?} {:?}", read.confidence, read.intents, read.trouble, read.reasons)
}

/// Rule 10: the general rules apply from their date on, so a section that reaches into new ones is told both.
#[test]
fn rule_10_an_assignment_sheet_names_every_rule_set_until_the_closing_date() {
    let (mut books, templates) = (Books::new(), Templates::shipped());
    let start = chrono::NaiveDate::from_ymd_opt(2019, 6, 3).unwrap();
    books.state.sections.get_mut(&"19N04".into()).unwrap().start = start;
    let assignment = |s: &Sample| s.notice.facts.name() == NoticeName::Assignment;
    let sample = sample::notices::all().into_iter().find(assignment).unwrap();
    let mail = written(&books, &templates, &sample);
    let mail = MessageParser::default().parse(&mail.bytes).unwrap();
    let text = mail.body_text(0).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "are to be finished by 3 December 2021",
        "No answer after 10 days",
        "from day 20 after the first sending",
        "For moves from 1 October 2021 on: 30 days for every 10 moves, and unused days carry over; \
         at most 10 days on one move; a move without an answer is repeated after 14 days",
        "a complaint is heard from day 28 after the first sending",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
