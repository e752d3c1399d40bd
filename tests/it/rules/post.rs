//! Letters that did not arrive, addresses that fail and recover, and whose clock stands meanwhile.

use super::*;
use knightmail::domain::{
    command::SentLetter,
    ids::LetterId,
    intent::{self, Intent},
    notice::NoticeName as N,
    post::PostEvent,
};

/// A bounce, proved by our key, of the letter with which a player was told of a move.
pub(super) fn came_back(letter: u64, to: u16, of: &GameId, written: &str) -> Command {
    Command::NoteUndelivered(Box::new(bounce(letter, to, of, written)))
}

fn bounce(letter: u64, to: u16, of: &GameId, written: &str) -> Nondelivery {
    Nondelivery {
        about: About {
            letter: Some(LetterId(letter)),
            player: Some(member(to)),
            section: Some(of.section.clone()),
            game: Some(of.clone()),
            ..About::default()
        },
        sent: Some(SentLetter {
            to: Some(address(to)),
            written: day(written),
            notice: N::Move,
            director: vec!["director@example.org".to_owned()],
        }),
        recipient: Some(address(to)),
        status: Some("5.1.1".to_owned()),
        said: "550 5.1.1 no such user".to_owned(),
        mail: Some("sha256:00".to_owned()),
        how: Failing::Address,
        proved: true,
    }
}

fn note(world: &mut World, bounce: Nondelivery) -> Vec<String> {
    let events = world.act(&Command::NoteUndelivered(Box::new(bounce)));
    events.iter().map(word).collect()
}

/// An event of the post in the shortest words.
fn word(event: &Event) -> String {
    match event {
        Event::Post(PostEvent::Undelivered(told)) => format!("{:?}", told.how).to_lowercase(),
        Event::Post(PostEvent::Redirected(it)) => {
            it.to.clone().unwrap_or_else(|| "paper".to_owned())
        }
        Event::Post(PostEvent::Delivered(it)) => format!("received {}", it.on),
        Event::Post(PostEvent::AddressFailed(news)) => format!("failed {}", news.address),
        Event::Post(PostEvent::AddressGood(news)) => format!("good {}", news.address),
        Event::ItemOpened(item) => format!("{} of {}", item.item, item.evidence.len()),
        Event::ItemRuled { item, ruling } => format!("{item} {}", ruling.choice),
        Event::LetterResent { letter } => format!("{letter} again"),
        Event::PlayerListed(_) | Event::AddressChanged(_) | Event::SlotPassed { .. } => {
            String::new()
        }
        other => format!("{other:?}"),
    }
}

/// The section, in which player 2 has a second address.
fn two_addresses() -> World {
    let mut world = World::with_section();
    let emails = vec![address(2), "second@example.org".to_owned()];
    world.act(&Command::ListPlayers(vec![Player { emails, ..player(2, Some(2200)) }]));
    world
}

fn letter(n: u64) -> Nondelivery {
    bounce(n, 2, &game(1, 2), "2019-03-04")
}

#[test]
fn rule_10_a_letter_goes_to_the_next_address_and_then_on_paper() {
    let mut world = two_addresses();
    let first = note(&mut world, letter(9));
    let failed = "failed player2@example.org";
    assert_eq!(first, ["address", failed, "second@example.org", "D1 of 1"]);
    // The second letter that was on its way is no second matter.
    assert_eq!(note(&mut world, letter(10)), ["address", "second@example.org", "D1 of 2"]);
    let mut second = letter(9);
    let there = Some("second@example.org".to_owned());
    second.sent.as_mut().unwrap().to.clone_from(&there);
    second.recipient = there;
    let told = note(&mut world, second);
    assert_eq!(told, ["address", "failed second@example.org", "paper", "D2 of 1"]);
    let evidence = world.state.open_docket().last().unwrap().evidence.join(" ");
    assert!(evidence.contains("no postal address"), "{evidence}");
    // On paper it cannot come back.
    let mut late = letter(9);
    late.sent.as_mut().unwrap().to = None;
    assert_eq!(note(&mut world, late), ["known"]);
}

#[test]
fn rule_10_what_was_told_before_changes_nothing() {
    let mut world = two_addresses();
    note(&mut world, letter(9));
    let mut again = letter(9);
    again.sent.as_mut().unwrap().to = Some("second@example.org".to_owned());
    assert_eq!(note(&mut world, again), ["known"]);
    assert_eq!(world.item().evidence.len(), 1);
}

#[test]
fn rule_10_a_mail_that_was_passed_on_fails_the_address_it_was_sent_to() {
    let mut world = two_addresses();
    let elsewhere = Nondelivery { recipient: Some("box17@example.com".to_owned()), ..letter(9) };
    assert_eq!(note(&mut world, elsewhere.clone())[1], "failed player2@example.org");
    let mut again = elsewhere;
    again.sent.as_mut().unwrap().to = Some("second@example.org".to_owned());
    assert_eq!(note(&mut world, again), ["known"], "the same report once more");
}

#[test]
fn rule_10_a_trouble_that_passes_fails_no_address() {
    for (how, told) in [
        (Failing::Delayed, vec!["delayed"]),
        (Failing::Passing, vec!["passing"]),
        (Failing::Letter, vec!["letter", "second@example.org", "D1 of 1"]),
    ] {
        let mut world = two_addresses();
        assert_eq!(note(&mut world, Nondelivery { how, ..letter(9) }), told);
        assert!(world.state.post.failed.is_empty());
    }
}

#[test]
fn rule_10_a_letter_to_a_full_mailbox_is_sent_again_for_five_days() {
    let mut world = two_addresses();
    let full = || Nondelivery { how: Failing::Passing, ..letter(9) };
    note(&mut world, full());
    let today = world.today;
    for n in 1..5 {
        let on = later(today, n).to_string();
        let told: Vec<String> = world.tick(Job::Reminders, &on).iter().map(word).collect();
        assert_eq!(told, ["L9 again", ""], "{on}");
        world.act(&Command::NoteDelivered { letter: LetterId(9), on_paper: false });
        note(&mut world, full());
    }
    let on = later(today, 5).to_string();
    let told: Vec<String> = world.tick(Job::Reminders, &on).iter().map(word).collect();
    assert_eq!(told, ["letter", "second@example.org", "D1 of 1", ""]);
    // Once it is taken there is no more to do.
    world.act(&Command::NoteDelivered { letter: LetterId(9), on_paper: false });
    assert_eq!(world.tick(Job::Reminders, &later(today, 6).to_string()).len(), 1);
}

#[test]
fn rule_10_a_report_without_our_key_opens_an_item_an_address_and_does_nothing() {
    let mut world = two_addresses();
    let before = world.state.post.clone();
    let forged = |n: u16, address: &str| Nondelivery {
        about: About::default(),
        sent: None,
        recipient: Some(address.to_owned()),
        mail: Some(format!("sha256:{n:02}")),
        proved: false,
        ..letter(9)
    };
    for n in 0..50 {
        note(&mut world, forged(n, &address(2)));
        note(&mut world, forged(n, &format!("nobody{n}@example.net")));
    }
    assert_eq!(world.open_kinds(), [ItemKind::LetterFailed; 2], "one a player, one for the rest");
    assert!(world.state.open_docket().all(|item| item.evidence.len() == 40));
    assert_eq!(world.state.post, before);
}

#[test]
fn rule_10_an_address_is_good_again_when_it_is_heard_from_or_given_anew() {
    let second =
        Player { emails: vec!["new@example.org".to_owned(), address(2)], ..player(2, Some(2200)) };
    let anew = Player { emails: vec![address(2)], ..player(2, Some(2200)) };
    let gone = Player { emails: vec!["new@example.org".to_owned()], ..player(2, Some(2200)) };
    let heard = Command::NoteHeard { address: "Player2@Example.org".to_owned() };
    for (commands, open) in [
        (vec![heard], false),
        (vec![Command::ListPlayers(vec![second.clone()])], true),
        (vec![Command::ListPlayers(vec![second]), Command::ListPlayers(vec![anew])], false),
    ] {
        let mut world = two_addresses();
        note(&mut world, letter(9));
        for command in &commands {
            world.act(command);
        }
        assert_eq!(!world.state.post.failed.is_empty(), open, "{commands:?}");
        assert_eq!(world.open_kinds().len(), usize::from(open), "{commands:?}");
    }
    let mut world = two_addresses();
    note(&mut world, letter(9));
    world.act(&Command::ListPlayers(vec![gone]));
    assert!(world.open_kinds().is_empty(), "it is his no more");
}

#[test]
fn rule_10_somebody_else_makes_no_address_good() {
    let mut world = two_addresses();
    note(&mut world, letter(9));
    world.act(&Command::NoteHeard { address: address(3) });
    world.act(&Command::NoteHeard { address: "second@example.org".to_owned() });
    assert_eq!(world.open_kinds(), [ItemKind::LetterFailed]);
}

#[test]
fn rule_7_the_director_sends_letters_there_again_or_prints_them() {
    for (choice, effect) in [
        ("resend", vec!["D1 resend", "good player2@example.org", "player2@example.org"]),
        ("paper", vec!["D1 paper", "paper"]),
        ("dismiss", vec!["D1 dismiss"]),
    ] {
        let mut world = two_addresses();
        note(&mut world, letter(9));
        let item = world.item().item;
        let told: Vec<String> = world.rule(item, choice).iter().map(word).collect();
        assert_eq!(told, effect);
        let lost = &world.state.post.lost[&LetterId(9)];
        assert_eq!(lost.until, Some(world.today), "he has seen to it");
    }
}

#[test]
fn rule_10_the_directors_own_letters_go_to_his_next_address_and_he_is_not_alerted_by_mail() {
    let mut world = World::with_section();
    let mut to_director = letter(9);
    to_director.about = About { letter: Some(LetterId(9)), ..About::default() };
    let sent = to_director.sent.as_mut().unwrap();
    sent.to = Some("director@example.org".to_owned());
    sent.director = vec!["director@example.org".to_owned(), "pat@example.net".to_owned()];
    to_director.recipient.clone_from(&sent.to);
    let events = world.act(&Command::NoteUndelivered(Box::new(to_director)));
    let told: Vec<String> = events.iter().map(word).collect();
    assert_eq!(told, ["address", "failed director@example.org", "pat@example.net", "D1 of 1"]);
    assert!(world.told(&events).is_empty());
    let heard = Command::NoteHeard { address: "director@example.org".to_owned() };
    world.act(&heard);
    assert!(world.open_kinds().is_empty() && world.state.post.failed.is_empty());
}

#[test]
fn rule_10_a_strangers_letter_that_comes_back_is_nobodys_matter() {
    let mut world = World::with_section();
    let mut to_stranger = letter(9);
    to_stranger.about = About { letter: Some(LetterId(9)), ..About::default() };
    to_stranger.sent.as_mut().unwrap().to = Some("somebody@example.net".to_owned());
    to_stranger.recipient = None;
    assert_eq!(note(&mut world, to_stranger), ["address"]);
}

#[test]
fn rule_10_the_director_is_alerted_when_a_players_last_address_fails() {
    let mut world = two_addresses();
    let events = world.act(&Command::NoteUndelivered(Box::new(letter(9))));
    assert!(world.told(&events).is_empty(), "the second address is left");
    let events = world.act(&came_back(10, 3, &game(2, 3), "2019-03-04"));
    assert_eq!(world.told(&events), [("director".to_owned(), N::DirectorAlert)]);
    let events = world.act(&came_back(11, 3, &game(2, 3), "2019-03-04"));
    assert!(world.told(&events).is_empty(), "once is enough");
}

#[test]
fn rule_10_a_complaint_counts_no_days_on_which_a_letter_was_lost() {
    let mut world = World::with_section();
    let id = game(1, 2);
    world.today = day("2019-03-05");
    world.act(&came_back(9, 2, &id, "2019-03-05"));
    world.today = day("2019-03-12");
    world.act(&Command::NoteDelivered { letter: LetterId(9), on_paper: true });
    let complain = |world: &mut World, on: &str| {
        world.today = day(on);
        let meant = intent::Game { section: id.section.clone(), white: id.white, black: id.black };
        let (sent, repeated) = (Some(day("2019-03-05")), Some(day("2019-03-20")));
        let events = world.ask_director(1, Intent::TimeComplaint { game: meant, sent, repeated });
        let checked = events.iter().find_map(|event| match event {
            Event::ComplaintChecked(complaint) => Some(complaint.premature_until),
            _ => None,
        });
        checked.expect("it is checked")
    };
    // It counts as received on the 15th, so that day 20 is the 4th of April.
    assert_eq!(complain(&mut world, "2019-03-25"), Some(day("2019-04-04")));
    assert_eq!(complain(&mut world, "2019-04-04"), None, "it waits for the director");
    let evidence = world.item_of(ItemKind::TimeComplaint).evidence.join(" ");
    assert!(evidence.contains("10 taken out for a letter that did not arrive"), "{evidence}");
}

#[test]
fn rule_10_only_what_brings_a_move_starts_a_clock() {
    let mut world = World::with_section();
    let mut receipt = letter(9);
    receipt.sent.as_mut().unwrap().notice = N::ResultReceipt;
    note(&mut world, receipt);
    assert!(world.state.post.lost[&LetterId(9)].clock.is_none());
    note(&mut world, letter(10));
    assert!(world.state.post.lost[&LetterId(10)].clock.is_some());
}
