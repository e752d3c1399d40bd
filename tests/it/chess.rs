//! Chess as people write it: the moves of the shared collection, every form of every move of random games, and what must
//! never be taken for a move.

use knightmail::chess::{
    Move, Position, Side,
    notation::{
        self, Language, Unread,
        written::{Written, scan},
    },
};
use serde_json::Value;
use std::{fs, path::Path};

/// Where the shared collection of written moves lies, beside the repository.
const WRITTEN_MOVES: &str = "../shared/chess/written-moves.json";

fn collection() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(WRITTEN_MOVES);
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(error) => {
            println!(
                "{WRITTEN_MOVES} is not beside the repository ({error}); its cases are not tried"
            );
            Vec::new()
        }
    }
}

/// Returns a position from a FEN, or from moves in standard notation.
fn position(start: &str) -> Position {
    if let Some(position) = Position::from_fen(start).filter(|_| start.contains('/')) {
        return position;
    }
    let mut position = Position::start();
    for san in start.split_whitespace() {
        let it = notation::read(&position, san, None).unwrap_or_else(|e| panic!("{san}: {e:?}"));
        assert_eq!(position.san(it).trim_end_matches(['+', '#']), san.trim_end_matches(['+', '#']));
        assert!(position.play(it));
    }
    position
}

#[test]
fn every_move_of_the_collection_is_read_as_it_was_meant() {
    let mut wrong = Vec::new();
    for case in collection().iter().filter(|case| case["kind"] == "san") {
        let text = |key: &str| case[key].as_str().unwrap();
        // The collection says of one letter alone whose it is: two languages have it, and both moves are legal.
        let language = text("why").contains("Hungarian").then(|| Language::of("hu").unwrap());
        let read = notation::read(&position(text("start")), text("input"), language);
        let right = match text("intended").parse::<Move>() {
            Ok(meant) => read == Ok(meant),
            Err(_) => matches!(read, Err(Unread::Ambiguous(_) | Unread::Illegal(_))),
        };
        if !right {
            wrong.push(format!(
                "{} `{}`: {read:?}, not {}",
                case["id"],
                text("input"),
                text("intended")
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Prints what was found as a person would note it: `15.w Bg5`, `e4?` for a weak one, `=` for an offered draw.
fn note(found: &Written) -> String {
    let side = match found.side {
        Some(Side::White) => "w ",
        Some(Side::Black) => "b ",
        None => " ",
    };
    let number = found.number.map(|n| format!("{n}{side}")).unwrap_or_default();
    let weak = if found.weak { "?" } else { "" };
    let draw = if found.offers_draw { "=" } else { "" };
    format!("{number}{}{weak}{draw}", found.text)
}

fn notes(text: &str) -> Vec<String> {
    let found = scan(text);
    for one in &found {
        assert!(text[one.span.clone()].contains(&one.text), "{text}: {one:?}");
    }
    found.iter().map(note).collect()
}

#[test]
fn moves_are_found_in_lines_of_mails() {
    for (text, moves) in [
        ("22N04 Hale-Ortiz, your 14...Nf6, my 15.Bg5", &["14b Nf6", "15w Bg5"][..]),
        ("I reply 15. Bg5.", &["15w Bg5"]),
        ("You: 8...0-0  Me: 9 Re1", &["8b 0-0", "9 Re1"]),
        ("9. e1g1, 9.e1-g1, Ke1-g1", &["9w e1g1", "9w e1-g1", "Ke1-g1"]),
        ("12.5254", &["12w 5254"]),
        ("1. 5254 5756", &["1w 5254", "5756"]),
        ("I play ♘f3 now", &["♘f3"]),
        ("14.Sf3 Lg4", &["14w Sf3", "Lg4"]),
        ("14.Кf3 Сg4", &["14w Кf3", "Сg4"]),
        ("exd6ep", &["exd6ep"]),
        ("exd6 e.p. and e:d6, ed6, ed", &["exd6 e.p.", "e:d6", "ed6?", "ed?"]),
        ("b8=Q+ b8Q b8(Q) b8/D", &["b8=Q", "b8Q", "b8(Q)", "b8/D"]),
        ("O-O, 0-0, o-o", &["O-O", "0-0?", "o-o"]),
        ("10....Qd4", &["10b Qd4"]),
        ("Nf3. e4, Bxf7ch", &["Nf3", "e4?", "Bxf7"]),
        ("14...Nbd7?? sorry, I mean 14...Nbd7", &["14b Nbd7", "14b Nbd7"]),
        ("1.e4e5 2.Nf3Nc6", &["1w e4e5", "2w Nf3", "Nc6"]),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", &["1w e4", "e5", "2w Nf3", "Nc6", "3w Bb5", "a6"]),
        (
            "1.\u{a0}e4 e5 2.\u{a0}N\u{200b}f3 N\u{a0}c6",
            &["1w e4", "e5", "2w N\u{200b}f3", "N\u{a0}c6"],
        ),
        ("1. e4, e5. 2. Nf3, Nc6 *", &["1w e4", "e5", "2w Nf3", "Nc6"]),
        ("1. .. c5", &["1b c5"]),
        ("15. ... h6 or 15… h6 or 15.. h6", &["15b h6", "15b h6", "15 h6"]),
        ("24.Ke1= or 24. Ke1 (=) or Nf3 =", &["24w Ke1=", "24w Ke1=", "Nf3="]),
        ("0–0–0 and O—O—O", &["0–0–0", "O—O—O"]),
        ("15.BG5", &["15w BG5"]),
        ("3.Bb5*", &["3w Bb5"]),
        ("Board 3 Bg5", &["Bg5"]),
        ("15 B-N5, 15. B-KN5", &["15 B-N5", "15w B-KN5"]),
        ("QxRP ch and PxP, N(B3)-Q4", &["QxRP ch", "PxP", "N(B3)-Q4"]),
        ("12. P-K8=Q, 12...R/1-K1 13.P-K4 mate", &["12w P-K8=Q", "12b R/1-K1", "13w P-K4 mate"]),
        ("15. P x P", &["15w P x P"]),
        ("my move: pawn takes d5", &["pawn takes d5"]),
        ("Knight from b1 to d2, check", &["Knight from b1 to d2"]),
        ("15. Springer nach f3. Gruss", &["15w Springer nach f3"]),
        ("Bauer schlägt d5", &["Bauer schlägt d5"]),
        ("I reply 9. castles short", &["9w castles short"]),
        ("9. kurze Rochade / 9... lange Rochade", &["9w kurze Rochade", "9b lange Rochade"]),
        ("b7-b8 queen; b8 promotes to a queen", &["b7-b8 queen", "b8 promotes to a queen"]),
        ("e2 to e4 or e takes d5", &["e2 to e4", "e takes d5"]),
        ("my knight on g5 is strong, queen goes to d4, it went to e5", &["queen goes to d4"]),
        ("15. P takes P, 15. B to KN5", &["15w P takes P", "15w B to KN5"]),
        ("15. – Lg4 and 15.-h6", &["15b Lg4", "15b h6"]),
        ("see game Nf3.pgn, or Nf3:good, Nf3+=", &["Nf3", "Nf3"]),
        ("Move 15: Bg5, Zug 15: N f3, plan B c4", &["15 Bg5", "15 N f3?", "B c4?"]),
        ("15. N f3, ♘ f3", &["15w N f3", "♘ f3"]),
        ("15.Bg5.Best regards", &["15w Bg5"]),
        ("15-Bg5, 15) Bg5", &["15 Bg5", "Bg5"]),
        ("1. e4-e5 2. Nf3-Nc6 or Nf3/Nc6", &["1w e4-e5", "2w Nf3", "Nc6", "Nf3", "Nc6"]),
        ("15. Nb1 - d2", &["15w Nb1 - d2"]),
        ("15.ed, 15.Bg5 disc ch, 15.Bg5N", &["15w ed", "15w Bg5", "15w Bg5"]),
        ("16.N x d5 and 17.Qd1xd5:", &["16w N x d5", "17w Qd1xd5"]),
        ("(15.Bg5) \"Nf3\" *Qd2* _Re1_", &["15w Bg5", "Nf3", "Qd2", "Re1"]),
    ] {
        assert_eq!(notes(text), moves, "{text}");
    }
}

/// Plays moves of any form and any language from the start.
fn played(moves: &str, language: &str) -> Vec<String> {
    let (mut position, mut sans) = (Position::start(), Vec::new());
    for text in moves.split(", ") {
        let it = notation::read(&position, text, Language::of(language));
        let it = it.unwrap_or_else(|error| panic!("{text} after {sans:?}: {error:?}"));
        sans.push(position.san(it));
        assert!(position.play(it));
    }
    sans
}

#[test]
fn whole_games_are_read_in_the_notations_of_their_players() {
    for (language, moves, sans) in [
        (
            "en",
            "P-K4, P-K4, N-KB3, N-QB3, B-N5, N-B3, O-O, NxP, P-Q4, PxP",
            "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 exd4",
        ),
        (
            "en",
            "P-Q4, N-KB3, P-QB4, P-K3, N-QB3, B-N5, B-N5, P-KR3, BxN, QxB",
            "d4 Nf6 c4 e6 Nc3 Bb4 Bg5 h6 Bxf6 Qxf6",
        ),
        (
            "de",
            "e2-e4, e7-e5, Sg1-f3, Sb8-c6, Lf1-b5, a7-a6, Lb5:c6, d7:c6, kurze Rochade, Dd6",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd6",
        ),
        (
            "de",
            "Bauer nach e4, Bauer nach d5, Bauer schlägt d5, Dame schlägt d5, Springer nach c3, Da5",
            "e4 d5 exd5 Qxd5 Nc3 Qa5",
        ),
        ("hu", "e4, e5, Hf3, Hc6, Fb5, a6, 0-0, Be7", "e4 e5 Nf3 Nc6 Bb5 a6 O-O Be7"),
        (
            "es",
            "d4, Cf6, c4, e6, Cc3, Ab4, Dc2, enroque corto, a3, Axc3+",
            "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+",
        ),
        (
            "ru",
            "е4, е5, Кf3, Кс6, Сb5, а6, С:с6, dс, Кре2, Крe7",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Ke2 Ke7",
        ),
        ("", "5254, 5755, 7163, 2836, 6125, 1716, 5171, 7866", "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6"),
        (
            "",
            "e2e4, 1... e7e5, ♘f3, ♞c6, ♗c4, ♝c5, Kg1, knight to f6, pawn to d3, castles",
            "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O",
        ),
    ] {
        assert_eq!(played(moves, language).join(" "), sans, "{moves}");
    }
}

#[test]
fn what_is_no_move_is_never_a_strong_one() {
    for text in [
        "04.03. erhalten, 06.03. gesendet",
        "recd 3/4, sent 3/6, used 2/11",
        "12.05.2019 and 2019.05.12 and 05/12/2019",
        "You have used 10/30 and 20/60 days",
        "member 12345678, since 1987",
        "sections 19N04, 22n4 and 22N04",
        "result 1-0, 0-1, 0-0, 1-2, 3-1, ½-½, 1/2-1/2",
        "at 10.30 or 10:30, 12.00 dollars, $75.00",
        "rated 2254, in 57581 Essen, B4 and A4 paper, Bf 109",
        "write to e4@example.org or nf3@b4.example.net",
        "https://example.org/Nf3/e4?x=Bg5 www.Nf3.example.net",
        "ECO B99 and C42, version 0.11.9 and 3.14",
        "flat b2b, apartment a1, gate d5, vitamin b6 and b12",
        "levels B1-B2 and A2-B1, discs C5-C6, droid R2D2, file e4.com, am 1. ab Montag",
        "call 555-2367 or 212.555.2367",
        "K-12, B-52, P-38, F-16, R-1",
        "Nf35 xNf3 Nf3x e4e",
        "see you on 4. May or 3. April",
        "PO Box 15, Elm Street 4, Apt c3",
        "",
        "....... 1. 2. 3. --- === !!!",
    ] {
        let strong: Vec<String> = scan(text).iter().filter(|found| !found.weak).map(note).collect();
        assert!(strong.is_empty(), "{text}: {strong:?}");
    }
}

#[test]
fn two_moves_without_a_blank_come_apart() {
    let found = scan("1.e4e5 2.Nf3Nc6");
    let [one, two] = found[0].split().unwrap();
    assert_eq!((note(&one), note(&two)), ("1w e4".to_owned(), "e5".to_owned()));
    assert_eq!((one.span, two.span), (0..4, 4..6));
    assert_eq!(found[1].split(), None);
    let dashed = scan("1. e4-e5");
    assert_eq!(dashed[0].split().map(|[_, two]| two.text), Some("e5".to_owned()));
}

#[test]
fn a_letter_counts_by_language_and_is_never_ignored() {
    let hungarian = "4k3/8/8/8/8/8/3B4/R5K1 w - - 0 1";
    let dutch = "4k3/8/8/8/8/8/5P2/1N4K1 w - - 0 1";
    for (fen, token, language, read) in [
        (hungarian, "Be1", "hu", Ok("a1e1")),
        (hungarian, "Be1", "en", Ok("d2e1")),
        (hungarian, "Bb1", "hu", Ok("a1b1")),
        (hungarian, "Bg5", "hu", Ok("d2g5")),
        (hungarian, "Bb1", "en", Err(false)),
        (hungarian, "Td1", "", Ok("a1d1")),
        (hungarian, "Dd1", "de", Err(false)),
        (dutch, "Pf3", "nl", Err(false)),
        (dutch, "Pc3", "nl", Ok("b1c3")),
        (dutch, "Pf3", "en", Ok("f2f3")),
        ("4k3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1", "Exd5", "", Ok("e4d5")),
        ("4k3/8/8/3p4/2P5/8/8/3QK3 w - - 0 1", "Cxd5", "en", Ok("c4d5")),
        ("4k3/8/8/4p3/3P4/8/7B/3QK3 w - - 0 1", "dxe5", "en", Ok("d4e5")),
        ("4k3/8/8/4p3/3P4/4Q3/8/4K3 w - - 0 1", "Dxe5", "en", Err(true)),
        ("4k3/8/8/4p3/3P4/4Q3/8/4K3 w - - 0 1", "Dxe5", "de", Ok("e3e5")),
        ("4k3/8/8/8/8/8/1P6/3BK3 w - - 0 1", "bb3", "en", Ok("b2b3")),
        ("4k3/8/8/8/8/8/1P6/3BK3 w - - 0 1", "Bb3", "en", Ok("d1b3")),
        ("4k3/8/8/8/8/8/1P6/3BK3 w - - 0 1", "BB3", "en", Err(true)),
        ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "bb3", "en", Ok("b2b3")),
        ("4k3/4P3/8/8/8/8/8/4K3 b - - 0 1", "Kxe7", "en", Ok("e8e7")),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=D", "de", Ok("e7d8q")),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "ed", "en", Err(true)),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "castles", "en", Err(true)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castles", "en", Ok("e1c1")),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Kc1", "en", Ok("e1c1")),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Nxd5", "en", Err(false)),
    ] {
        let found = notation::read(&position(fen), token, Language::of(language));
        let found = match found {
            Ok(it) => Ok(it.uci()),
            Err(Unread::Ambiguous(_)) => Err(true),
            Err(_) => Err(false),
        };
        assert_eq!(found, read.map(str::to_owned), "{token} ({language}) on {fen}");
    }
}

#[test]
fn an_illegal_move_is_refused_with_its_reason() {
    let mut wrong = Vec::new();
    let pinned = "4k3/4r3/8/8/8/8/4N3/R3K2R w KQ - 0 1";
    let checked = "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, token, reason) in [
        (start, "e3e4", "e3 is empty; e4 would be legal"),
        (start, "e7e5", "the pawn on e7 is Black's, and White is to move"),
        (start, "Nb1-d2", "White's own pawn stands on d2"),
        (
            start,
            "Bb1-c3",
            "the piece on b1 is a knight, not a bishop; legal moves to c3 are Nc3, c3",
        ),
        (start, "Ra3", "the way from a1 to a3 is blocked; legal moves to a3 are Na3, a3"),
        (start, "Ne4", "no knight of White's reaches e4; e4 would be legal"),
        (start, "exd5", "there is nothing to take on d5"),
        (start, "Nxf3", "there is nothing to take on f3; legal moves to f3 are Nf3, f3"),
        (start, "O-O", "White cannot castle kingside: a piece stands on f1"),
        (start, "Ke2", "White's own pawn stands on e2"),
        (pinned, "Nc3", "the knight on e2 is pinned: the king would be in check"),
        (pinned, "Qd4", "White has no queen"),
        (checked, "Ra2", "White is in check, and the move does not end it"),
        (checked, "Ke2", "the king would be in check on e2"),
        (checked, "O-O", "White is in check and cannot castle"),
        (
            "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1",
            "O-O",
            "White cannot castle kingside: the king would pass an attacked square or reach one, on its way to g1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            "O-O",
            "White may not castle kingside: the king or that rook has moved, or the rook is gone",
        ),
        ("4k3/8/8/8/3r4/8/3P4/4K3 w - - 0 1", "d4", "d4 is occupied, and a pawn takes sideways"),
        ("4k3/8/8/8/8/3r4/3P4/4K3 w - - 0 1", "d4", "the way from d2 to d4 is blocked"),
        (
            "4k3/8/8/8/1pPb4/8/8/7K b - c3 0 1",
            "bb3",
            "a bishop on d4 does not go to b3; b3 would be legal; if the pawn is meant, its move is written b3",
        ),
        (start, "Q-K5", "White has no legal move that fits, whose piece is a queen"),
    ] {
        let found = notation::read(&position(fen), token, None);
        if found != Err(Unread::Illegal(reason.to_owned())) {
            wrong.push(format!("{token} on {fen}: {found:?}, not {reason}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for token in ["", "hello", "19N04", "e9", "Nf", "1-0", "12", "Nf3 Nc6", "e4e5e6"] {
        assert_eq!(notation::read(&position(start), token, None), Err(Unread::NotAMove), "{token}");
    }
}

/// A generator of numbers without a clock: the same games in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// Returns the positions of random games, castling, promotions and captures in passing among them.
fn random_positions(games: usize, plies: usize) -> Vec<Position> {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/1PP2kP1/8/2pPp3/1n3n2/8/1pp2Kp1/8 w - c6 0 40",
    ];
    let (mut dice, mut positions) = (Dice(4), Vec::new());
    for game in 0..games {
        let mut position = Position::from_fen(starts[game % starts.len()]).unwrap();
        for _ in 0..plies {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            positions.push(position.clone());
            assert!(position.play(legal[dice.roll(legal.len())]));
        }
    }
    positions
}

/// Names a square as descriptive notation does, from the side of the mover.
fn spot(square: &str, side: Side) -> String {
    let (file, rank) = (square.as_bytes()[0], square.as_bytes()[1] - b'0');
    let rank = if side == Side::White { rank } else { 9 - rank };
    let file = ["QR", "QN", "QB", "Q", "K", "KB", "KN", "KR"][usize::from(file - b'a')];
    format!("{file}{rank}")
}

/// Writes a move in descriptive notation and in words, with all that can be said of it.
fn spelled(position: &Position, it: Move) -> Vec<String> {
    let (san, uci, side) = (position.san(it), it.uci(), position.to_move());
    let (from, to) = (&uci[..2], &uci[2..4]);
    let mover = san.chars().next().filter(char::is_ascii_uppercase).unwrap_or('P');
    let name = ["king", "queen", "rook", "bishop", "knight", "pawn"]["KQRBNP".find(mover).unwrap()];
    let became = uci.get(4..5).map_or(String::new(), |to| format!("={}", to.to_uppercase()));
    let board = position.fen();
    let taken = piece_on(&board, to).map(|piece| piece.to_ascii_uppercase());
    let goal = match (san.contains('x'), taken) {
        (false, _) => format!("-{}", spot(to, side)),
        (true, Some(piece)) => format!("x{piece}({})", spot(to, side)),
        (true, None) => "xPep".to_owned(),
    };
    let verb = if san.contains('x') { "takes" } else { "to" };
    let becomes = match uci.get(4..5) {
        Some(to) => format!(
            " promotes to a {}",
            ["queen", "rook", "bishop", "knight"]["qrbn".find(to).unwrap()]
        ),
        None => String::new(),
    };
    vec![
        format!("{mover}({}){goal}{became}", spot(from, side)),
        format!("{name} from {from} {verb} {to}{becomes}"),
    ]
}

/// Returns what a FEN has on a square.
fn piece_on(fen: &str, square: &str) -> Option<char> {
    let row = fen.split(['/', ' ']).nth(usize::from(b'8' - square.as_bytes()[1]))?;
    let blank = |digit: char| ".".repeat(digit.to_digit(10).map_or(0, |n| n as usize));
    let row: String =
        row.chars().map(|c| if c.is_ascii_digit() { blank(c) } else { c.to_string() }).collect();
    row.chars().nth(usize::from(square.as_bytes()[0] - b'a')).filter(|piece| *piece != '.')
}

/// Writes a move in every form, in the letters of a language (king, queen, rook, bishop, knight, pawn).
fn forms(position: &Position, it: Move, letters: [&str; 6]) -> Vec<String> {
    let (san, uci) = (position.san(it), it.uci());
    let bare = san.trim_end_matches(['+', '#']);
    let digits: String =
        uci[..4].bytes().map(|b| char::from(if b > b'8' { b - b'a' + b'1' } else { b })).collect();
    let numeric = uci.get(4..5).map_or("", |to| ["1", "2", "3", "4"]["qrbn".find(to).unwrap()]);
    let mut forms =
        vec![uci.clone(), format!("{digits}{numeric}"), format!("{}-{}", &uci[..2], &uci[2..])];
    if bare.starts_with('O') {
        forms.extend([
            san.clone(),
            bare.replace('O', "0"),
            bare.to_lowercase(),
            bare.replace('-', ""),
        ]);
        forms.push(if bare.len() == 3 { "castles kingside" } else { "lange Rochade" }.to_owned());
        return forms;
    }
    forms.extend(spelled(position, it));
    let local: String = san
        .chars()
        .map(|sign| "KQRBN".find(sign).map_or(sign.to_string(), |at| letters[at].to_owned()))
        .collect();
    let (mut man, named) = (String::new(), bare.chars().next().filter(char::is_ascii_uppercase));
    if let Some(at) = named.and_then(|letter| "KQRBN".find(letter)) {
        letters[at].clone_into(&mut man);
    }
    let became =
        uci.get(4..5).map_or(String::new(), |to| letters["kqrbn".find(to).unwrap()].to_owned());
    let sep = if bare.contains('x') { "x" } else { "-" };
    forms.extend([
        local.clone(),
        format!("{man}{}{sep}{}{became}", &uci[..2], &uci[2..4]),
        format!("{man}{}{}{became}", &uci[..2], &uci[2..4]),
        local.replace('x', ":"),
        local.replace('x', ""),
        local.replace('=', ""),
        format!("{}!?", local.replace('+', " ch").replace('#', " mate")),
    ]);
    if !became.is_empty() {
        forms.extend([
            local.replace(&format!("={became}"), &format!("({became})")),
            local.replace('=', "/"),
        ]);
    }
    if let Some(at) = named.and_then(|letter| "KQRBN".find(letter)) {
        let figurine = "♔♕♖♗♘".chars().nth(at).unwrap();
        forms.push(format!("{figurine}{}", &san[1..]));
    }
    forms
}

/// How many of the legal moves of a position are written in every form.
const MOVES_TRIED: usize = 3;

#[test]
fn every_form_of_every_legal_move_reads_as_itself_or_as_a_doubt() {
    let languages: Vec<Language> = Language::all().collect();
    let (mut dice, mut read, mut doubts) = (Dice(9), 0, 0);
    for position in random_positions(9, 30) {
        let language = languages[dice.roll(languages.len())];
        let legal = position.legal();
        for it in (0..MOVES_TRIED).map(|_| legal[dice.roll(legal.len())]) {
            for form in forms(&position, it, language.letters()) {
                let found = notation::read(&position, &form, Some(language));
                let context = || format!("`{form}` for {it} in {language:?} on {}", position.fen());
                match found {
                    Ok(found) => assert_eq!(found, it, "{}", context()),
                    Err(Unread::Ambiguous(all)) => {
                        assert!(all.contains(&it), "{}: {all:?}", context());
                        doubts += 1;
                    }
                    Err(error) => panic!("{}: {error:?}", context()),
                }
                read += 1;
                // Letters that mean the same in English or nothing there need no registration.
                if language.letters().iter().all(|l| *l == "K" || !"QRBNP".contains(l)) {
                    let unknown = notation::read(&position, &form, None);
                    assert!(unknown.is_err() || unknown == Ok(it), "{}: {unknown:?}", context());
                }
            }
        }
    }
    assert!(read > 5_000 && doubts < read / 50, "{read} read, {doubts} in doubt");
}

#[test]
fn a_line_of_any_form_holds_exactly_that_token() {
    let languages: Vec<Language> = Language::all().collect();
    let mut dice = Dice(5);
    for position in random_positions(6, 60) {
        let language = languages[dice.roll(languages.len())];
        let legal = position.legal();
        let it = legal[dice.roll(legal.len())];
        for form in forms(&position, it, language.letters()) {
            let dots = if position.to_move() == Side::White { "." } else { "..." };
            let line =
                format!("Dear Ann, my reply is {}{dots}{form}, best wishes", position.number());
            let found = scan(&line);
            assert_eq!(found.len(), 1, "{line}: {found:?}");
            let one = &found[0];
            assert!(
                (one.number, one.side) == (Some(position.number()), Some(position.to_move())),
                "{line}"
            );
            assert!(!one.weak && form.starts_with(&one.text), "{line}: {one:?}");
            let alone = notation::read(&position, &form, Some(language));
            assert_eq!(notation::read(&position, &one.text, Some(language)), alone, "{line}");
        }
    }
}

#[test]
fn no_text_breaks_the_scanner_or_the_reader() {
    const PIECES: [&str; 40] = [
        "e4", "N", "b", "x", "-", "O", "0", "15", ".", "…", "=", "Q", "(", ")", "/", "♘",
        "\u{200b}", "\u{a0}", " ", "К", "Кр", "PxP", "B-N5", "ch", "+", "castles", "to", "takes",
        "pawn", "queen", "ü", "日", "5254", "1", "8", "\n", "e.p.", "@", "://", "💣",
    ];
    let (mut dice, position) = (Dice(7), Position::start());
    for _ in 0..4000 {
        let text: String = (0..dice.roll(12)).map(|_| PIECES[dice.roll(PIECES.len())]).collect();
        let _ = notation::read(&position, &text, Language::of("ru"));
        for found in scan(&text) {
            assert!(
                text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end)
            );
            let _ = (notation::read(&position, &found.text, None), found.split());
        }
    }
    for unit in
        ["e4", "1.e4", "1", ".", "o-", "Nf3 ", "a", "(", "1 ", "x", "castles ", "=", "e4.", "PxP"]
    {
        let long = unit.repeat(20_000);
        assert!(scan(&long).len() <= long.len());
    }
}
