//! Rule 10: letters that did not arrive. A letter that is refused or comes back goes to the player's next address, and
//! where he has none left, on paper; an address at which nobody is reached gets no letters until it is good again. The
//! director has one docket item a player and address. A report that our key does not prove changes nothing but the docket:
//! whoever forges one must not silence a player. What it does to clocks is `reflection.rs`.

use crate::domain::{
    command::Nondelivery,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{LetterId, MemberId},
    player::Player,
    post::{
        AddressNews, Delivered, Failing, Lost, PostEvent, Redirected, Starts, Undelivered,
        starts_clock,
    },
    state::State,
};
use chrono::{Days, NaiveDate};
use std::fmt::Write as _;

/// How many sentences an item collects; what comes after stands with the letters.
const EVIDENCE: usize = 40;
/// For how many days a letter is sent again to a mailbox that is full.
const DAYS: u64 = 5;

/// Takes what a mail system said of a letter, or that one could not be written.
pub(in crate::domain) fn note(decision: &mut Decision<'_>, it: &Nondelivery) {
    if !it.proved {
        return forged(decision, it);
    }
    match (it.about.letter, &it.sent) {
        (Some(letter), Some(_)) => of_letter(decision, letter, it),
        _ => unwritten(decision, it),
    }
}

/// Somebody says that an address cannot be reached and names no letter of ours by its key. Of an address that many such
/// reports are about there is one item, and one for all that nobody has.
fn forged(decision: &mut Decision<'_>, it: &Nondelivery) {
    let state = decision.state;
    let address = it.recipient.as_ref().filter(|a| state.players_at(a).next().is_some());
    let address = address.map(|address| address.to_lowercase());
    let same = |item: &&Item| {
        item.about.letter.is_none() && item.about.player.is_none() && item.about.address == address
    };
    // Letters that could not be written have no mail.
    let open =
        state.open_of_kind(ItemKind::LetterFailed).find(|i| same(i) && i.about.mail.is_some());
    let recipient = it.recipient.as_deref().unwrap_or("somebody");
    let status = it.status.as_deref().unwrap_or("no code");
    let mail = it.mail.as_deref().unwrap_or("not kept");
    let evidence = format!(
        "A mail system says that {recipient} cannot be reached ({status}); it names no letter of ours \
         by its key, so it may be forged. Mail {mail}."
    );
    let about = About { address, mail: it.mail.clone(), ..About::default() };
    collect(decision, open, about, &["dismiss"], evidence);
}

/// A letter that could not be written or printed at all: the director sees to it.
fn unwritten(decision: &mut Decision<'_>, it: &Nondelivery) {
    let state = decision.state;
    let about = &it.about;
    if state.open_of_kind(ItemKind::LetterFailed).any(|item| &item.about == about) {
        return;
    }
    let words: &[&str] = if about.letter.is_some() { &["resend", "dismiss"] } else { &["dismiss"] };
    let matter = Matter {
        rule: 10,
        about: about.clone(),
        choices: choices(words),
        recommended: words.first().map(|&word| word.to_owned()),
        evidence: vec![it.said.clone()],
        ..Matter::default()
    };
    decision.open(ItemKind::LetterFailed, matter);
}

fn of_letter(decision: &mut Decision<'_>, letter: LetterId, it: &Nondelivery) {
    let Some(sent) = &it.sent else { return };
    if sent.to.is_none() && it.mail.is_none() {
        return unwritten(decision, it); // the page cannot be printed
    }
    let state = decision.state;
    let lost = state.post.lost.get(&letter);
    let how = weighed(lost, sent.to.as_deref(), it);
    let member = it.about.player.clone();
    let differs =
        |named: &&String| sent.to.as_ref().is_none_or(|to| !to.eq_ignore_ascii_case(named));
    let section =
        it.about.section.clone().filter(|_| member.is_some() && starts_clock(sent.notice));
    let clock =
        section.map(|section| Starts { section, game: it.about.game.clone(), from: sent.written });
    let told = Undelivered {
        letter,
        how,
        member,
        address: sent.to.clone(),
        named: it.recipient.as_ref().filter(differs).cloned(),
        status: it.status.clone(),
        said: it.said.clone(),
        mail: it.mail.clone(),
        on: decision.now.today,
        clock,
    };
    decision.push(Event::Post(PostEvent::Undelivered(told.clone())));
    if how.is_final() {
        lose(decision, &told, &sent.director);
    }
}

/// Tells what a report is worth by now. One that names an address the letter was taken away from, or whom one named
/// before, is late or the same again.
fn weighed(lost: Option<&Lost>, to: Option<&str>, it: &Nondelivery) -> Failing {
    let Some(to) = to.map(str::to_lowercase) else { return Failing::Known };
    let named = it.recipient.as_deref().map(str::to_lowercase);
    let told = named.filter(|named| *named != to).is_some_and(|named| {
        lost.is_some_and(|l| l.tried.contains(&named) || l.named.contains(&named))
    });
    if told { Failing::Known } else { it.how }
}

/// A letter did not arrive and will not: it goes another way, and the director is told.
fn lose(decision: &mut Decision<'_>, told: &Undelivered, director: &[String]) {
    let Some(address) = &told.address else { return };
    let member = told.member.as_ref();
    let is_directors = member.is_none() && director.iter().any(|a| a.eq_ignore_ascii_case(address));
    if member.is_none() && !is_directors {
        // A stranger's letter is over. Many are answers to mail with a made-up sender: no matter for the docket.
        return;
    }
    let state = decision.state;
    let fails = told.how == Failing::Address;
    if fails && !has_failed(decision, member, address) {
        let news = news(decision, member, address);
        decision.push(Event::Post(PostEvent::AddressFailed(news)));
    }
    let player = member.and_then(|member| state.players.get(member));
    if member.is_some_and(|member| state.died.contains_key(member)) {
        return; // no letter goes to him (Rule 10)
    }
    let addresses = player.map_or(director, |player| &player.emails);
    let to = next(decision, told, addresses);
    let redirected = Redirected { letter: told.letter, to: to.clone() };
    decision.push(Event::Post(PostEvent::Redirected(redirected)));
    let evidence = evidence(told, to.as_deref(), player);
    let about = About {
        player: member.cloned(),
        address: Some(address.to_lowercase()),
        letter: Some(told.letter),
        ..About::default()
    };
    let open = about_address(decision, &about);
    collect(decision, open.as_ref(), about, &["resend", "paper", "dismiss"], evidence);
}

/// Tells whether an address has failed by the books, or just now.
fn has_failed(decision: &Decision<'_>, member: Option<&MemberId>, address: &str) -> bool {
    let now = |event: &Event| {
        matches!(event, Event::Post(PostEvent::AddressFailed(news))
            if news.member.as_ref() == member && news.address.eq_ignore_ascii_case(address))
    };
    decision.state.post.has_failed(member, address) || decision.events().iter().any(now)
}

fn news(decision: &Decision<'_>, member: Option<&MemberId>, address: &str) -> AddressNews {
    let (member, address) = (member.cloned(), address.to_lowercase());
    AddressNews { member, address, on: decision.now.today }
}

/// Returns the next address that a letter goes to: one that has not failed, and that it has not been to. None: paper.
fn next(decision: &Decision<'_>, told: &Undelivered, addresses: &[String]) -> Option<String> {
    let lost = decision.state.post.lost.get(&told.letter);
    let been = |address: &str| {
        told.address.as_ref().is_some_and(|a| a.eq_ignore_ascii_case(address))
            || lost.is_some_and(|lost| lost.tried.contains(&address.to_lowercase()))
    };
    let good = |address: &&String| {
        !address.trim().is_empty()
            && !been(address)
            && !has_failed(decision, told.member.as_ref(), address)
    };
    addresses.iter().find(good).cloned()
}

fn evidence(told: &Undelivered, to: Option<&str>, player: Option<&Player>) -> String {
    let Undelivered { letter, address, named, status, said, mail, on, .. } = told;
    let address = address.as_deref().unwrap_or("paper");
    let what = if mail.is_some() { "came back" } else { "was refused" };
    let mut words = format!("{letter} to {address} {what} on {on}");
    if let Some(status) = status {
        let _ = write!(words, " ({status})");
    }
    if let Some(named) = named {
        let _ = write!(words, " for {named}");
    }
    if !said.is_empty() {
        let _ = write!(words, ": {}", said.trim_end_matches('.'));
    }
    if let Some(mail) = mail {
        let _ = write!(words, ", mail {mail}");
    }
    match to {
        Some(to) => {
            let _ = write!(words, ". It goes to {to}.");
        }
        None => words.push_str(". No other address is left; it goes on paper."),
    }
    let has_post = |player: &Player| player.address.as_ref().is_some_and(|a| !a.trim().is_empty());
    if to.is_none() && player.is_some_and(|player| !has_post(player)) {
        words.push_str(" The books have no postal address of his.");
    }
    words
}

/// Returns the open item about an address of somebody's.
fn about_address(decision: &Decision<'_>, about: &About) -> Option<Item> {
    let same = |item: &&Item| {
        item.about.player == about.player
            && item.about.address == about.address
            && item.about.letter.is_some()
    };
    decision.state.open_of_kind(ItemKind::LetterFailed).find(same).cloned()
}

/// Adds a sentence to an open item, or opens one with it.
fn collect(
    decision: &mut Decision<'_>,
    open: Option<&Item>,
    about: About,
    words: &[&str],
    evidence: String,
) {
    let mut all = open.map(|item| item.evidence.clone()).unwrap_or_default();
    if all.len() >= EVIDENCE || all.contains(&evidence) {
        return;
    }
    all.push(evidence);
    let choices = choices(words);
    let recommended = choices.first().filter(|_| choices.len() == 1).cloned();
    let matter =
        Matter { rule: 10, about, choices, recommended, evidence: all, ..Matter::default() };
    decision.put(open, ItemKind::LetterFailed, matter);
}

/// Takes it that a letter has left: where it had not arrived before, the clock it starts runs from now on, on paper from
/// when the post has brought it (Rule 10).
pub(in crate::domain) fn delivered(decision: &mut Decision<'_>, letter: LetterId, on_paper: bool) {
    let state = decision.state;
    let Some(lost) = state.post.lost.get(&letter).filter(|lost| lost.until.is_none()) else {
        return;
    };
    let today = decision.now.today;
    let section = lost.clock.as_ref().and_then(|clock| state.sections.get(&clock.section));
    let tournament = section.and_then(|s| decision.rules.tournaments.get(&s.tournament));
    let terms = tournament.and_then(|tournament| tournament.clock_on(today));
    let transit = terms.filter(|_| on_paper).map_or(0, |terms| terms.transit_post_days);
    let on = today + Days::new(u64::from(transit));
    decision.push(Event::Post(PostEvent::Delivered(Delivered { letter, on })));
}

/// Takes it that somebody is reached at an address: he wrote from it, or a mail system says that a letter arrived there.
pub(in crate::domain) fn heard(decision: &mut Decision<'_>, address: &str) {
    let state = decision.state;
    let whose: Vec<Option<&MemberId>> = state.players_at(address).map(Some).chain([None]).collect();
    for member in whose {
        let about = About {
            player: member.cloned(),
            address: Some(address.to_lowercase()),
            ..About::default()
        };
        let asked = about_address(decision, &about).is_some();
        if asked || state.post.has_failed(member, address) {
            let news = news(decision, member, address);
            decision.push(Event::Post(PostEvent::AddressGood(news)));
        }
    }
}

/// An address that had failed and was just given anew is good until it fails again.
pub(in crate::domain) fn follow(decision: &mut Decision<'_>) {
    let state = decision.state;
    if state.post.failed.is_empty() {
        return;
    }
    let moved = decision.events().iter().filter_map(|event| match event {
        Event::AddressChanged(moved) => Some((moved.member.clone(), moved.new.clone())),
        _ => None,
    });
    let moved: Vec<_> = moved.filter(|(m, new)| state.post.has_failed(Some(m), new)).collect();
    for (member, new) in moved {
        let news = news(decision, Some(&member), &new);
        decision.push(Event::Post(PostEvent::AddressGood(news)));
    }
}

/// Sends letters again that a full mailbox sent back; for some days, then they go another way.
pub(in crate::domain) fn try_again(decision: &mut Decision<'_>) {
    let state = decision.state;
    let today = decision.now.today;
    let due = |lost: &Lost| lost.again.is_some_and(|told| told < today);
    let due = state.post.lost.iter().filter(|(_, lost)| due(lost));
    for (letter, lost) in due {
        if today < lost.since + Days::new(DAYS) {
            decision.push(Event::LetterResent { letter: *letter });
            continue;
        }
        let told = Undelivered {
            letter: *letter,
            how: Failing::Letter,
            member: lost.member.clone(),
            address: lost.to.clone(),
            named: None,
            status: None,
            said: format!("it was sent there again for {DAYS} days"),
            mail: None,
            on: today,
            clock: lost.clock.clone(),
        };
        decision.push(Event::Post(PostEvent::Undelivered(told.clone())));
        lose(decision, &told, &[]);
    }
}

/// Does what the director chose about an address (Rule 7): its letters go there once more, or on paper, or he has seen to
/// it himself. The clocks that they start run from then on: `apply/post.rs`.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let Some(address) = &item.about.address else {
        if let (Some(letter), "resend") = (item.about.letter, choice) {
            decision.push(Event::LetterResent { letter });
        }
        return;
    };
    let to = match choice {
        "resend" => Some(address.clone()),
        "paper" => None,
        _ => return,
    };
    let member = item.about.player.as_ref();
    if to.is_some() {
        let news = news(decision, member, address);
        decision.push(Event::Post(PostEvent::AddressGood(news)));
    }
    for letter in letters(decision.state, item, address) {
        let to = to.clone();
        decision.push(Event::Post(PostEvent::Redirected(Redirected { letter, to })));
    }
}

/// Returns the letters that an item about an address collects.
fn letters(state: &State, item: &Item, address: &str) -> Vec<LetterId> {
    let since: NaiveDate = item.since.date_naive();
    let same = |lost: &Lost| {
        lost.member == item.about.player
            && lost.tried.iter().any(|tried| tried == address)
            && lost.since + Days::new(1) >= since
    };
    state.post.lost.iter().filter(|(_, lost)| same(lost)).map(|(letter, _)| *letter).collect()
}
