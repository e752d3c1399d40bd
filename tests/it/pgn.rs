//! Games as text: the files and mails of the field with what stands in them, random games there and back, and texts that
//! want to break the reader.

use knightmail::chess::{
    Position, Record, Side,
    notation::{Language, read as read_move, written},
    pgn::{Continuation, Pgn, Score, read, read_in, rest, write},
};
use knightmail::mail::message::{Holds, Mail};
use serde::Deserialize;
use std::{fs, path::Path};

fn one(text: &str) -> Pgn {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "{text}\n{all:#?}");
    all.remove(0)
}

fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/chess").join(name);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("{} is missing: what it holds is not tested", path.display());
    }
    text
}

#[derive(Deserialize)]
struct Case {
    id: u32,
    kind: String,
    input: String,
    why: String,
    #[serde(default)]
    intended_plies: usize,
    intended_result: Option<String>,
}

#[test]
fn the_games_of_the_field_are_read_as_they_were_meant() {
    let Some(text) = shared("written-moves.json") else { return };
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    let games: Vec<_> = cases.iter().filter(|case| case.kind == "pgn").collect();
    assert!(games.len() >= 18);
    for case in games {
        let said = format!("{} ({}): {}", case.id, case.why, case.input);
        let game = one(&case.input);
        let mut plies = game.record.len();
        // The move that the prose below a record brings is not the record's; it is in what is left of the text.
        if let Some(next) = written::scan(&rest(&case.input, std::slice::from_ref(&game))).first() {
            plies += usize::from(read_move(game.record.position(), &next.text, None).is_ok());
        }
        assert_eq!(plies, case.intended_plies, "{said}\n{game:#?}");
        assert_eq!(game.result.map(Score::text), case.intended_result.as_deref(), "{said}");
        assert_eq!(game.unread.is_some(), case.id == 65, "{said}\n{game:#?}");
    }
}

#[test]
fn the_export_of_a_server_is_three_games() {
    let Some(text) = shared("iccf_server_export.pgn") else { return };
    let games = read(&text);
    let plies: Vec<_> = games.iter().map(|game| game.record.len()).collect();
    assert_eq!(plies, [49, 66, 8]);
    assert!(games.iter().all(|game| game.unread.is_none() && game.comments.is_empty()));
    let results: Vec<_> = games.iter().map(|game| (game.result, game.tag_result)).collect();
    let draw = Some(Score::Draw);
    assert_eq!(results, [(None, None), (draw, draw), (None, None)]);
    assert_eq!(games[0].white(), Some("Němec, Zdeněk"));
    assert_eq!(games[0].date().unwrap().to_string(), "2020-09-30");
}

#[test]
fn a_record_is_found_in_a_mail_and_the_rest_is_left() {
    let mail = "Dear Tom,\n\nI reply as below.\n\n\
        [Event \"x\"]   <-- ours\n[White \"Hale, Tom\"] \u{2190} 1. is your name right?\n[Black \"Ortiz, Rosa\"]\n\
        [Date \"09/06/2014\"] month first, as\nalways\n[Result \"???\"]\n\
        1.e4 e5 2.Nf3 Nc6 3.Bb5 a6\n4.Ba4 ..\n\n\
        You sent on 04/01; I received on 04/02 and I answered on 04/03. White used 2 days which totals\n\
        11 of 30 allowed.\nRosa\n";
    let game = one(mail);
    assert_eq!(
        (game.record.len(), game.tags.len(), game.unread.clone()),
        (7, 5, None),
        "{game:#?}"
    );
    let left = rest(mail, &[game]);
    for kept in ["Dear Tom", "I reply as below", "You sent on", "11 of 30 allowed", "Rosa\n"] {
        assert!(left.contains(kept), "{kept}: {left}");
    }
    assert!(!left.contains("Event") && !left.contains("Ba4") && !left.contains("month first"));
}

#[test]
fn a_record_ends_where_prose_begins() {
    let head = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6";
    for (behind, plies) in [
        ("\nRegards, Ann", 4),
        ("\n\n3. Bb5 is my move", 4),
        ("\n\n3. Bb5\n\nRegards", 5),
        ("\n3. Bb5\nIf 3...a6 then 4. Ba4", 5),
        ("\n\n12. Nf3 Nc6", 4),
        ("\n-- \nAnn", 4),
        ("\n______\nlist footer", 4),
        ("\n04.03. erhalten, 06.03. gesendet", 4),
        ("\n3/4 received", 4),
        ("\n2 days used of 30", 4),
        (" 3. Bb5 and I offer a draw", 5),
        (" 3. Bb5 Black to move", 5),
        ("\n\nFalls 3.Bb5 a6", 4),
        ("\n> 3. Bb5", 4),
        ("\nhttp://example.org/3.Bb5", 4),
        ("\n\nann@example.org", 4),
    ] {
        let game = one(&format!("{head}{behind}\n"));
        assert_eq!((game.record.len(), game.unread), (plies, None), "{behind}");
    }
}

#[test]
fn a_token_that_cannot_be_read_stops_the_reading_and_is_named() {
    for (text, ply, token, why) in [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 Qxh2 4. O-O", 5, "Qxh2", "queen"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5\nQz9 4. O-O", 5, "Qz9", "no move"),
        ("1. e4 e5 2. Nf3 Nc6 4. Bb5 a6", 4, "4.Bb5", "3."),
        ("1. e4 e5 2. Nf3 3. Bb5 a6", 3, "3.Bb5", "2..."),
        ("1. e4 e5 2. Nf3 Nc6 3... a6", 4, "3...a6", "3."),
        ("1. e4 e5 2. Nf3 Nc6 3. -- a6", 4, "--", "null move"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 {never closed a6", 5, "{", "no end"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 a6", 5, "(", "no end"),
        ("1. Nf3 Nf6 2. Nc3 Nc6 3. Nb5 Nb4 4. Nd4", 6, "Nd4", "Nfd4 or Nbd4"),
        ("1. e4 N c5 2. Nf3 N g5", 1, "N", "no move"),
    ] {
        let game = one(&format!("[Event \"x\"]\n\n{text} *\n\nRegards\n"));
        let stop = game.unread.clone().unwrap_or_else(|| panic!("{text}: {game:#?}"));
        assert_eq!((stop.ply, stop.token.as_str()), (ply, token), "{text}: {stop:?}");
        assert!(stop.why.contains(why), "{text}: {stop:?}");
        assert_eq!(game.result, None, "{text}: nothing behind it is read");
        let left = rest(&format!("[Event \"x\"]\n\n{text} *\n\nRegards\n"), &[game]);
        assert_eq!(left.trim(), "Regards", "{text}: what could not be read is no other's to read");
    }
}

#[test]
fn moves_are_read_as_people_type_them() {
    for (text, moves) in [
        ("1.e4 e5 2.Nf3 Nc6", "e4 e5 Nf3 Nc6"),
        ("1 e4 e5 2 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
        ("1.e4e5 2.Nf3Nc6", "e4 e5 Nf3 Nc6"),
        ("1.e4 e52.Nf3 Nc63.Bb5", "e4 e5 Nf3 Nc6 Bb5"),
        ("e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
        ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6", "e4 e5 Nf3 Nc6"),
        ("1. e2e4 e7e5 2. g1f3", "e4 e5 Nf3"),
        ("1. 5254 5755 2. 7163 2836", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 2. N\u{200b}f3\u{a0}N\u{feff}c6", "e4 e5 Nf3 Nc6"),
        ("1. e4 - e5 2. N f3 - N c6", "e4 e5 Nf3 Nc6"),
        ("1. e4, e5; 2. Nf3, Nc6;", "e4 e5 Nf3 Nc6"),
        ("1) e4 e5 2) Nf3 Nc6", "e4 e5 Nf3 Nc6"),
        ("1.e4 1...e5 2.Nf3 2...Nc6", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 2. ♘f3 ♞c6", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 2. Nf3!? $1 Nc6 += 3. Bb5 N", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0 - 0 Nf6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6"),
        ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 mate", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("1. P-K4 P-K4 2. N-KB3 N-QB3", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5\n\n2. Nf3 Nc6\n\n3. Bb5 a6\n", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ("1. e4 (1. d4 d5 (1... Nf6)) e5 {good; (1} 2. Nf3", "e4 e5 Nf3"),
    ] {
        for end in ["", " *", "\n*\n", " 1-0"] {
            let game = one(&format!("[Event \"x\"]\n\n{text}{end}"));
            assert_eq!(
                (game.sans().join(" ").as_str(), &game.unread),
                (moves, &None),
                "{text}{end}"
            );
        }
    }
}

#[test]
fn the_letters_of_a_record_tell_its_language() {
    // `Rg1` is the king's move here; an English reading would take the rook.
    let french = "1.e4 e5 2.Cf3 Cc6 3.Fb5 Cf6 4.O-O Fe7 5.Te1 O-O 6.d3 d6 7.h3 h6 8.Rh2";
    let game = one(&format!("[Event \"x\"]\n\n{french} *"));
    assert_eq!(game.sans().last().map(String::as_str), Some("Kh2"), "{game:#?}");
    let german = "1.e4 e5 2.Sf3 Sc6 3.Lb5 Sf6 4.De2 Le7";
    assert_eq!(one(german).sans().join(" "), "e4 e5 Nf3 Nc6 Bb5 Nf6 Qe2 Be7");
    // The English file of a player with another language stays English.
    let hungarian = Language::of("hu");
    let english = read_in("1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6", hungarian).remove(0);
    assert_eq!((english.sans().len(), english.unread), (6, None));
    let own = read_in("1.e4 e5 2.Hf3 Hc6 3.Fb5 Hf6 4.Ke2", hungarian).remove(0);
    assert_eq!(own.sans().last().map(String::as_str), Some("Ke2"));
}

#[test]
fn a_sentence_about_moves_is_no_record() {
    for text in [
        "",
        "1. e4",
        "1.e4 c5",
        "My move is 1.e4 e5 2.Nf3",
        "1. I resign\n2. thanks",
        "1.e4 e5 2.Nf3 is what you played last time",
        "[cid:image001.png]\n[click here]",
        "[link \"here\"]",
        "12. Nf3 Nc6 13. Bb5 a6",
        "1-0",
        "10. Nf3",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn several_games_stand_in_one_text() {
    let two = "[Event \"a\"]\n[White \"A\"]\n\n1. e4 e5 *\n[Event \"b\"]\n\n*\n\n[Event \"c\"]\n\n1. d4 {x\n\n[Event \"d\"]\n1. c4 *\n\
               Also:\n1. e4 e5 2. Nf3 Nc6\n1. d4 d5 2. c4 1/2\n";
    let games = read(two);
    let seen: Vec<_> = games.iter().map(|g| (g.tag("Event"), g.record.len())).collect();
    assert_eq!(
        seen,
        [(Some("a"), 2), (Some("b"), 0), (Some("c"), 1), (Some("d"), 1), (None, 4), (None, 3)]
    );
    assert!(games[2].unread.is_some());
    let many = read(&"[Event \"a\"]\n\n1. e4 *\n".repeat(200));
    assert_eq!(many.len(), 65);
    assert!(many[64].unread.is_some(), "what is not read is said");
}

#[test]
fn results_and_what_tags_say_of_them_are_kept_apart() {
    let said = |tag: &str, end: &str| {
        let game = one(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}\n"));
        (game.tag_result, game.result, game.results_differ())
    };
    let (white, draw) = (Some(Score::WhiteWins), Some(Score::Draw));
    assert_eq!(said("1-0", "1-0"), (white, white, false));
    assert_eq!(said("1:0", "1/2"), (white, draw, true));
    assert_eq!(said("1/2", "*"), (draw, None, false));
    assert_eq!(said("???", ""), (None, None, false));
    assert_eq!(said("", "½–½"), (None, draw, false));
    assert_eq!(said("*", "1 - 0"), (None, white, false));
}

#[test]
fn cmail_says_offers_and_resignations_in_comments() {
    let head = "[Event \"Email correspondence game\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\
                [WhiteNA \"a@example.org\"]\n[Mode \"EM\"]\n[CmailGameName \"g17w\"]\n\n";
    let game = one(&format!("{head}1. e4\n{{White offers a draw}}\n*\n"));
    assert!(game.offers_draw() && game.record.len() == 1 && !game.agreed());
    let game = one(&format!("{head}1. e4 e5\n{{Black resigns}} 1-0\n\n"));
    assert_eq!(game.resigned(), Some(Side::Black));
    let game = one(&format!("{head}1. e4 e5\n{{Draw agreed}} 1/2-1/2\n\n"));
    assert!(game.agreed() && game.resigned().is_none());
    let game = one(&format!("{head}*\n"));
    assert_eq!((game.record.len(), game.unread, game.tags.len()), (0, None, 7));
}

#[test]
fn a_game_may_start_elsewhere() {
    let game = one("[FEN \"4r1k1/5p1p/4n1p1/6B1/4P3/3R3P/5PK1/8 b - - 0 1\"]\n\n1... Nxg5 2. h4 *");
    assert_eq!(game.sans(), ["Nxg5", "h4"]);
    assert_eq!(game.continues(&Record::new()), Continuation::Differs { ply: 0 });
    let written = write(&game);
    assert!(
        written.contains("[SetUp \"1\"]") && written.contains("\n1... Nxg5 2. h4 *\n"),
        "{written}"
    );
    assert_eq!(one(&written).record, game.record);
    let broken = one("[FEN \"nothing\"]\n\n1. e4 *");
    assert!(broken.unread.is_some() && broken.record.is_empty());
}

/// Returns the texts of the games that are attached to a mail.
fn attached(raw: &[u8]) -> (Vec<String>, Option<String>) {
    let mail = Mail::parse(raw).unwrap();
    let games = mail.attachments.iter().filter(|part| part.holds == Holds::Game);
    (games.map(|game| game.text().into_owned()).collect(), mail.lost.clone())
}

#[test]
fn the_game_that_real_mail_programs_attach_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/mails/clients");
    let Ok(files) = fs::read_dir(&folder) else {
        return eprintln!("{} is missing: its mails are not tested", folder.display());
    };
    let mut count = 0;
    for file in files.map(|file| file.unwrap().path()) {
        let raw = fs::read(&file).unwrap();
        for text in attached(&raw).0 {
            let game = one(&text);
            assert_eq!((game.record.len(), &game.unread), (23, &None), "{}", file.display());
            assert_eq!(game.white(), Some("Åkesson, Björn"), "{}", file.display());
            count += 1;
        }
    }
    assert!(count >= 15, "{count} games");
}

#[test]
fn a_game_is_attached_under_any_type_and_name() {
    let pgn = "[Event \"x\"]\n[White \"M\u{fc}ller\"]\n\n1. e4 e5 2. Nf3 *\n";
    let latin: Vec<u8> = pgn.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    // The base64 of the first bytes without its padding.
    let unpadded = "W0V2ZW50ICJ4Il0KCjEuIGU0IGU1IDIuIE5mMyAq";
    let bare = "W0V2ZW50ICJ4Il0KCjEuIGU0IGU1IDIuIE5mMw";
    for (head, body, white) in [
        ("application/x-chess-pgn", latin.clone(), true),
        ("application/octet-stream; name=\"C:\\\\g.PGN\"", latin.clone(), true),
        ("application/octet-stream; name=game", latin.clone(), true),
        ("text/plain; charset=iso-8859-1; name=game.txt", latin.clone(), true),
        ("text/plain; charset=\"8859_1\"\nContent-Disposition: attachment", latin, true),
        ("text/plain; charset=utf-8; name=g.pgn", pgn.as_bytes().to_vec(), true),
        ("application/x-chess\nContent-Transfer-Encoding: base64", unpadded.into(), false),
        ("application/x-chess\nContent-Transfer-Encoding: BASE64", bare.into(), false),
    ] {
        let mut raw = b"From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
            --b\nContent-Type: text/plain\n\nsee attached\n--b\nContent-Type: "
            .to_vec();
        raw.extend(head.bytes());
        raw.extend(b"\n\n");
        raw.extend(body);
        raw.extend(b"\n--b--\n");
        let (games, lost) = attached(&raw);
        assert_eq!((games.len(), lost), (1, None), "{head}");
        let game = one(&games[0]);
        assert_eq!(game.sans().join(" "), "e4 e5 Nf3", "{head}: {}", games[0]);
        assert_eq!(game.white(), white.then_some("M\u{fc}ller"), "{head}");
    }
    let broken =
        b"From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n\
        Content-Type: application/x-chess\nContent-Transfer-Encoding: base64\n\n!!!!\n--b--\n";
    assert!(attached(broken).1.is_some(), "a game that is lost is told");
    let photo =
        b"From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n\
        Content-Type: application/octet-stream; name=a.bin\n\n[Event of the year]\n--b--\n";
    assert_eq!(attached(photo), (Vec::new(), None));
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

fn random_game(dice: &mut Dice) -> Record {
    let mut record = Record::new();
    for _ in 0..dice.roll(160) {
        let legal = record.position().legal();
        if legal.is_empty() {
            break;
        }
        record.push(legal[dice.roll(legal.len())]);
    }
    record
}

#[test]
fn what_is_written_is_read_again() {
    let mut dice = Dice(7);
    for n in 0..40 {
        let record = random_game(&mut dice);
        let score =
            [None, Some(Score::WhiteWins), Some(Score::BlackWins), Some(Score::Draw)][n % 4];
        let tags =
            ["Event", "White", "Section", "Black"].map(|t| (t.to_owned(), format!("\"{n}\\ ü")));
        let mut game = Pgn::of(tags.to_vec(), record, score);
        game.comments = vec![(0, "at the start".to_owned()), (1, "a } b".repeat(40))];
        game.comments.retain(|(ply, _)| *ply <= game.record.len());
        let text = write(&game);
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        let again = one(&text);
        assert_eq!(
            (&again.record, again.result, again.unread.as_ref()),
            (&game.record, score, None)
        );
        assert_eq!(again.tag_result, score);
        assert_eq!(again.tag("Section"), game.tag("Section"));
        assert_eq!(write(&again), text, "writing is stable");
        let single_line = text.replace('\n', " ");
        assert_eq!(one(&single_line).record, game.record, "{single_line}");
        assert_eq!(one(&text.replace('\n', "\r\n")).record, game.record, "CRLF");
    }
}

#[test]
fn a_torn_text_is_read_without_harm() {
    let mut dice = Dice(11);
    let pieces = [
        "[Event \"x\"]",
        "\n",
        "\n\n",
        "1.",
        "1. e4",
        " e5 ",
        "2.Nf3",
        "{",
        "}",
        "(",
        ")",
        ";",
        "*",
        "1-0",
        "½",
        "\u{200b}",
        "\u{a0}",
        "<br>",
        "<",
        "[",
        "\"]",
        "[White \"",
        "…",
        "--",
        "=",
        "Ä",
        "0-0",
        "%",
        "&nbsp;",
        "\\",
        "e8=Q",
        "N(",
        "x",
    ];
    for _ in 0..3000 {
        let text: String = (0..dice.roll(40)).map(|_| pieces[dice.roll(pieces.len())]).collect();
        let games = read(&text);
        let mut from = 0;
        for game in &games {
            assert!(game.span.start >= from && game.span.end >= game.span.start, "{text:?}");
            assert!(text.get(game.span.clone()).is_some(), "{text:?}");
            from = game.span.end;
            let mut position = Position::start();
            assert!(game.moves().iter().all(|it| position.play(*it)), "{text:?}");
        }
        rest(&text, &games);
    }
}

#[test]
fn a_huge_text_takes_bounded_work() {
    const BYTES: usize = 400_000;
    for piece in [
        "{",
        "(",
        "[",
        "1.",
        "1. e4 (\n",
        "1. e4 {\n",
        "1. e4 {\n\n",
        "[Event \"x",
        "[Event \"x\"]\n",
        "1. e4 e5 2. Nf3 (",
        "1. e4 e5 2. Nf3 Nz9\n",
        "Nf3 Ng8 ",
        "<",
        "a(",
        "1.e4e5\n\n",
        "x:1",
        "\u{200b}",
        "1. e4 e5 2. Nf3 Nc6 {a} (b)\n\n",
    ] {
        let games = read(&piece.repeat(BYTES / piece.len()));
        assert!(games.len() <= 65, "{piece}");
    }
    let shuffle = format!("1. Nf3 {}", "Nf6 Ng1 Ng8 Nf3 ".repeat(2000));
    let long = one(&shuffle);
    assert!(long.unread.is_some_and(|stop| stop.why.contains("longer")));
}
