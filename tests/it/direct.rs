//! The director's command line: every act, what it prints, and what it says when it is not possible. Real binary.

use crate::world::{Mail, Ran, World, full_name, id, result_mail};
use serde_json::Value;

const WHY: [&str; 2] = ["--reason", "so it is"];

/// Runs `direct` with these words.
fn direct(world: &World, words: &str) -> Ran {
    let mut args = vec!["direct"];
    args.extend(words.split_whitespace());
    world.run(&args)
}

/// The same with a reason.
fn because(world: &World, words: &str) -> Ran {
    let mut args = vec!["direct"];
    args.extend(words.split_whitespace());
    args.extend(WHY);
    world.run(&args)
}

/// Returns result and how of a game, by its seats.
fn outcome(world: &World, white: u8, black: u8) -> (Value, Value, Value) {
    let table = world.object(&["crosstable", "19N01"]);
    let games = table["games"].as_array().expect("games").clone();
    let game = games.iter().find(|g| g["white"] == white && g["black"] == black);
    let game = game.expect("the game");
    (game["result"].clone(), game["how"].clone(), game["state"].clone())
}

fn items(world: &World, kind: &str) -> Vec<Value> {
    world.json(&["docket"]).into_iter().filter(|item| item["kind"] == kind).collect()
}

fn state(world: &World, entry: &str) -> Value {
    world.object(&["show", "entry", entry])["state"].clone()
}

/// Returns the journal, a transaction a line.
fn lines(world: &World) -> Vec<String> {
    String::from_utf8(world.journal()).expect("it is text").lines().map(str::to_owned).collect()
}

/// An eighth player, whose paid entry waits.
fn with_eighth() -> World {
    let world = World::with_section();
    let row = "10000088,Hal Hooper,hal@example.org,US,OH,1500,2019-01-01,2025-12-31".to_owned();
    let columns = "member_id,name,email,country,state,rating,rating_date,expires";
    world.import("roster", columns, &[row]).code(0);
    direct(&world, "entry GK2019 10000088 --postmark 2019-01-08 --paid").code(0).says("GK2019-008");
    world
}

#[test]
fn a_result_is_fixed_forfeited_or_adjudicated_with_a_reason() {
    let world = World::with_section();
    for (words, white, black, result, how) in [
        ("result 19N01 1-2 1-0 resignation", 1, 2, "1-0", "resignation"),
        ("forfeit 19n1 3-1 --loser white --how time", 3, 1, "0-1", "time-forfeit"),
        ("forfeit 19N01 1-4 --loser black --how silence", 1, 4, "1-0", "silence-forfeit"),
        ("forfeit 19N01 5-1 --loser white --how withdrawal", 5, 1, "0-1", "withdrawal"),
        ("forfeit 19N01 1-6 --loser black --how administrative", 1, 6, "1-0", "administrative"),
        ("forfeit 19N01 7-1 --loser both", 7, 1, "0-0", "double-forfeit"),
        ("adjudicate 19N01 2-3 1/2-1/2", 2, 3, "1/2-1/2", "adjudication"),
        ("adjudicate 19N01 4-2 0-0", 4, 2, "0-0", "double-forfeit"),
    ] {
        because(&world, words).code(0).says(result);
        let expected = (result.into(), how.into(), "ruled".into());
        assert_eq!(outcome(&world, white, black), expected, "{words}");
    }
    world.audit();
}

#[test]
fn what_is_not_possible_is_refused_with_a_sentence_and_changes_nothing() {
    let world = with_eighth();
    because(&world, "result 19N01 1-2 1-0 resignation").code(0);
    let before = world.journal();
    let ann = id("ann");
    let ben = id("ben");
    for (words, code, says) in [
        ("result 19N01 1-3 1-0 mate".to_owned(), 1, "seat 3 has White: 3-1"),
        ("result 19N01 1-9 1-0 mate".to_owned(), 1, "seats are 1 to 7"),
        ("result 19N77 1-2 1-0 mate".to_owned(), 1, "no section 19N77"),
        ("result 19N01 3-1 1/2-1/2 mate".to_owned(), 1, "ends 1-0 or 0-1"),
        ("result 19N01 3-1 0-0 adjudication".to_owned(), 1, "double-forfeit"),
        ("result 19N01 3-1 2-0 mate".to_owned(), 2, "1/2-1/2"),
        ("forfeit 19N01 1-2 --loser white --how time".to_owned(), 1, "`direct result` overrules"),
        ("forfeit 19N01 3-1 --loser white".to_owned(), 2, "--how"),
        ("forfeit 19N01 3-1 --loser nobody --how time".to_owned(), 2, "both"),
        ("adjudicate 19N01 1-2 1-0".to_owned(), 1, "has a result that stands"),
        ("substitute 19N01 9 GK2019-008".to_owned(), 1, "seats 1 to 7"),
        (
            "substitute 19N01 2 GK2019-003".to_owned(),
            1,
            "waits can take a seat, of GK2019: GK2019-008",
        ),
        ("substitute 19N01 2 GK2019-099".to_owned(), 1, "no entry GK2019-099"),
        (format!("withdraw {ann} --section 19N09"), 1, "no section 19N09"),
        (format!("withdraw {ann} --event GK1999"), 1, "there is GK2019"),
        ("withdraw 10000088 --section 19N01".to_owned(), 1, "does not sit in 19N01"),
        ("withdraw 99999999".to_owned(), 1, "roster does not have"),
        (format!("leave {ann} 2019-05-10 2019-05-01"), 1, "first day stands first"),
        ("take GK2019-001".to_owned(), 1, "not complete"),
        ("take GK2019-099".to_owned(), 1, "no entry GK2019-099"),
        ("undo D99".to_owned(), 1, "no item D99"),
        ("undo 9999".to_owned(), 1, "no transaction 9999"),
        ("undo something".to_owned(), 1, "an item such as D7"),
    ] {
        because(&world, &words).code(code).says(says);
    }
    for (words, code, says) in [
        (format!("apart {ann} {ann}"), 1, "named twice"),
        (format!("apart {ann} {ben} --lift"), 1, "not kept apart"),
        (format!("merge {ann} {ben}"), 1, "both sit in 19N01"),
        (format!("merge {ann} 77777777"), 1, "roster does not have member 77777777"),
        ("died 77777777".to_owned(), 1, "roster does not have"),
        (format!("renew {ann} tomorrow"), 2, "tomorrow"),
        (format!("address {ann}"), 2, "EMAIL"),
        (format!("address {ann} nonsense"), 2, "no email address"),
        (format!("address {ann} a@example.org --old b@example.org"), 1, "is no address of"),
        (format!("entry GK2019 {ann} --postmark 2019-01-08 --count 0"), 2, "0"),
        (format!("payment GK2019 {ann} -5"), 2, ""),
        (format!("withdraw {ann}"), 2, "--reason"),
        ("undo D1".to_owned(), 2, "--reason"),
    ] {
        direct(&world, &words).code(code).says(says);
    }
    world.run(&["direct", "withdraw", &ann, "--reason", "  "]).code(2).says("a reason says why");
    assert_eq!(world.journal(), before, "nothing of it is in the books");
}

#[test]
fn two_forfeits_come_before_the_director_and_his_ruling_is_carried_out_and_taken_back() {
    let world = World::with_section();
    because(&world, "forfeit 19N01 1-2 --loser white --how silence").code(0);
    let ran = because(&world, "forfeit 19N01 3-1 --loser black --how silence").code(0);
    ran.says("forfeits-spread");
    let item = items(&world, "forfeits-spread").remove(0);
    assert_eq!((&item["rule"], &item["recommended"]), (&11.into(), &"forfeit".into()));
    let number = item["item"].as_str().expect("a number").to_owned();
    let before = world.object(&["crosstable", "19N01"]);
    world.run(&["rule", &number, "forfeit", "--reason", "silent everywhere"]).code(0);
    assert_eq!(outcome(&world, 1, 4).1, "administrative");
    assert!(world.docket().is_empty());
    because(&world, &format!("undo {number}")).code(0).says("taken back");
    assert_eq!(world.object(&["crosstable", "19N01"]), before);
    assert_eq!(items(&world, "forfeits-spread").len(), 1, "it waits again");
    because(&world, &format!("undo {number}")).code(1).says("nothing to take back");
    world.run(&["rule", &number, "dismiss"]).code(0);
    because(&world, "forfeit 19N01 1-4 --loser white --how silence").code(0);
    because(&world, &format!("undo {number}")).code(0);
    world.audit();
}

#[test]
fn an_act_is_taken_back_by_its_transaction_as_long_as_nothing_has_followed() {
    let world = World::with_section();
    because(&world, "result 19N01 1-2 1-0 mate").code(0);
    let last = lines(&world).len();
    because(&world, &format!("undo {last}")).code(0).says("taken back");
    assert_eq!(outcome(&world, 1, 2).2, "running");
    because(&world, &format!("undo {last}")).code(1).says("was taken back by transaction");
    because(&world, &format!("undo {}", last + 1)).code(1).says("took back another");

    because(&world, "result 19N01 3-1 1-0 mate").code(0);
    let ruled = lines(&world).len();
    because(&world, "result 19N01 3-1 0-1 mate").code(0);
    let says = format!("transaction {} came after it", ruled + 1);
    because(&world, &format!("undo {ruled}")).code(1).says(&says);

    // What a mail or the calendar brought is none of his acts.
    world.receive(&result_mail("gina", "6-7", "1-0"));
    world.pass();
    let mails: Vec<usize> = (1..)
        .zip(lines(&world))
        .filter(|(_, line)| line.contains("\"cause\":{\"mail\""))
        .map(|(n, _)| n)
        .collect();
    let mail = mails.last().expect("a mail came");
    because(&world, &format!("undo {mail}")).code(1).says("no act of the director's");
}

#[test]
fn a_withdrawal_a_death_and_a_substitute() {
    let world = with_eighth();
    let ran = because(&world, &format!("withdraw {} --section 19N01", id("ann"))).code(0);
    ran.says("GK2019-001 is withdrawn").code(0);
    assert_eq!(outcome(&world, 1, 2), ("0-1".into(), "withdrawal".into(), "ruled".into()));
    because(&world, &format!("withdraw {}", id("ann"))).code(1).says("no running game");

    direct(&world, &format!("died {}", id("ben"))).code(0).says("adjudication");
    direct(&world, &format!("died {}", id("ben"))).code(1).says("was noted on");
    let open = items(&world, "adjudication");
    assert_eq!(open.len(), 5, "one of his six was over");
    let first = open[0]["item"].as_str().expect("a number").to_owned();
    world.run(&["rule", &first, "1/2-1/2", "--reason", "equal"]).code(0);
    let table = world.object(&["crosstable", "19N01"]);
    let games = table["games"].as_array().expect("games");
    assert!(games.iter().any(|g| g["how"] == "death"), "{table}");

    because(&world, "substitute 19N01 2 GK2019-008").code(0).says("takes seat 2");
    assert!(items(&world, "adjudication").is_empty(), "his games go on");
    assert_eq!(
        (state(&world, "GK2019-008"), state(&world, "GK2019-002")),
        ("assigned".into(), "withdrawn".into())
    );
    let seat = world.object(&["crosstable", "19N01"])["seats"][1].clone();
    assert_eq!((&seat["entry"], &seat["points"]), (&"GK2019-008".into(), &"1.5".into()));
    world.audit();
}

#[test]
fn persons_move_renew_take_leave_stay_apart_and_are_one() {
    let world = with_eighth();
    let ann = id("ann");
    direct(&world, &format!("address {ann} ann@new.example.org --old ann@example.org")).code(0);
    let shown = world.object(&["show", "player", &ann]);
    assert_eq!(shown["emails"], serde_json::json!(["ann@new.example.org"]));
    let args = ["direct", "address", &ann, "--postal", "12 Elm Street, Springfield"];
    world.run(&args).code(0);
    direct(&world, &format!("renew {ann} 2027-06-30")).code(0);
    assert_eq!(world.object(&["show", "player", &ann])["expires"], "2027-06-30");
    because(&world, &format!("leave {ann} 2019-05-01 2019-05-10")).code(0).says("has leave");
    direct(&world, &format!("apart {ann} 10000088")).code(0).says("are kept apart");
    because(&world, "substitute 19N01 2 GK2019-008").code(1).says("direct apart --lift");
    direct(&world, &format!("apart 10000088 {ann} --lift")).code(0).says("may meet again");
    direct(&world, &format!("apart 10000088 {ann}")).code(0);
    because(&world, "undo 1").code(1);
    let row = "10000089,Hal Hooper,hal@two.example.org,US,OH,1500,2019-01-01,2025-12-31".to_owned();
    let columns = "member_id,name,email,country,state,rating,rating_date,expires";
    world.import("roster", columns, &[row]).code(0);
    direct(&world, "merge 10000088 10000089").code(0).says("is member 10000089");
    let shown = world.object(&["show", "player", "10000089"]);
    assert_eq!(shown["entries"].as_array().map(Vec::len), Some(1));
    world.run(&["show", "player", "10000088"]).code(1);
}

#[test]
fn the_docket_is_readable_in_eighty_columns_and_the_oldest_stands_first() {
    let world = World::with_section();
    because(&world, "forfeit 19N01 1-2 --loser white --how silence").code(0);
    because(&world, "forfeit 19N01 3-1 --loser black --how silence").code(0);
    world.at("2019-01-19T09:30:00-06:00");
    because(&world, "forfeit 19N01 2-3 --loser white --how silence").code(0);
    because(&world, "forfeit 19N01 4-2 --loser black --how silence").code(0);
    let text = world.run(&["docket"]).code(0).text();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let heads: Vec<&str> = text.lines().filter(|l| l.starts_with('D')).collect();
    assert_eq!(heads.len(), 2, "{text}");
    assert!(heads[0].ends_with("12 days") && heads[1].ends_with("today"), "{heads:?}");
    for words in ["(Rule 11)", "choose: forfeit, warn, dismiss", "recommended: forfeit"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let days: Vec<Value> = world.json(&["docket"]).iter().map(|i| i["days"].clone()).collect();
    assert_eq!(days, [Value::from(12), Value::from(0)]);
}

#[test]
fn a_wish_of_an_entry_is_granted_by_a_ruling() {
    let world = World::with_seven();
    let name = full_name("ben");
    let text = format!(
        "Please enter me in the 2019 Golden Knights, 1 entry, ID {}.\nNot with {name}, please.\n",
        id("ann")
    );
    world.receive(&Mail::of("ann").subject("Entry").text(&text));
    world.pass();
    let item = items(&world, "entry-wishes").remove(0);
    assert_eq!(item["recommended"], "keep-apart", "{item}");
    let number = item["item"].as_str().expect("a number").to_owned();
    world.run(&["rule", &number, "keep-apart"]).code(0).says("are kept apart");
    because(&world, &format!("undo {number}")).code(0);
    direct(&world, &format!("apart {} {} --lift", id("ann"), id("ben"))).code(1);
}
