//! Rules 7 and 10: what players ask of the director. A time complaint, leave, a withdrawal, another address, news of a
//! membership, an objection, a death, a complaint about conduct and a wish are facts for him; each becomes a docket item
//! with what the books say of it. What a choice of his brings about is `granted.rs`.

use crate::domain::{
    command::Petition,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, MemberId},
    intent::{self, Intent, Scope},
    points::Side,
    section::Game,
    state::State,
};

/// Puts before the director what a mail asks of him; more about a matter that he has already is added to it.
pub(in crate::domain) fn receive(decision: &mut Decision<'_>, petition: &Petition) {
    let Some((kind, rule)) = kind(&petition.intent) else { return };
    let state = decision.state;
    let about = about(state, petition);
    let mut evidence = vec![who(state, petition), said(&petition.intent)];
    evidence.extend(petition.words.iter().cloned());
    evidence.extend(books(state, petition));
    let asked = Some(Box::new(petition.intent.clone()));
    let same = |item: &&Item| {
        let mail = item.about.mail.clone();
        item.about == About { mail, ..about.clone() } && item.asked == asked
    };
    let open = state.open_of_kind(kind).find(same).cloned();
    let item = if let Some(mut item) = open {
        evidence.retain(|line| !item.evidence.contains(line));
        item.evidence.append(&mut evidence);
        let number = item.item;
        decision.push(Event::ItemOpened(item));
        number
    } else {
        let (choices, entries) = (offered(state, petition), entered(state, petition));
        let matter = Matter { rule, about, choices, recommended: None, evidence, entries, asked };
        decision.open(kind, matter)
    };
    let (from, intent) = (petition.from.clone(), Box::new(petition.intent.clone()));
    decision.push(Event::PetitionReceived { from, intent, item });
}

/// Returns the kind of docket item that a petition is, and its rule; none for what the director does not decide.
const fn kind(intent: &Intent) -> Option<(ItemKind, u8)> {
    Some(match intent {
        Intent::TimeComplaint { .. } => (ItemKind::TimeComplaint, 10),
        Intent::Leave { .. } => (ItemKind::LeaveAsked, 10),
        Intent::Withdraw { .. } => (ItemKind::WithdrawalAsked, 10),
        Intent::AddressChange { .. } => (ItemKind::AddressChanged, 10),
        Intent::Membership { .. } => (ItemKind::MembershipNews, 1),
        Intent::Objection { .. } => (ItemKind::Objection, 10),
        Intent::Death { .. } => (ItemKind::Death, 10),
        Intent::Conduct { .. } => (ItemKind::Conduct, 7),
        Intent::DrawClaim { .. } => (ItemKind::DrawClaimed, 10),
        Intent::Entry { .. } => (ItemKind::EntryWishes, 2),
        Intent::Move(_)
        | Intent::Result { .. }
        | Intent::Resign { .. }
        | Intent::DrawOffer { .. }
        | Intent::DrawAccept { .. }
        | Intent::DrawDecline { .. }
        | Intent::Confirm { .. }
        | Intent::Question { .. }
        | Intent::Director { .. }
        | Intent::Bounce { .. } => return None,
    })
}

fn about(state: &State, petition: &Petition) -> About {
    let game = petition.intent.game().map(intent::Game::id);
    let section = match &petition.intent {
        Intent::Withdraw { section, .. } => section.clone(),
        _ => game.as_ref().map(|game| game.section.clone()),
    };
    let event = match &petition.intent {
        Intent::Entry { event, .. } => event.clone(),
        _ => section.as_ref().and_then(|code| Some(state.sections.get(code)?.tournament.clone())),
    };
    let player = match &petition.intent {
        Intent::Death { player: Some(player), .. } => Some(player.clone()),
        Intent::Death { player: None, .. } => None,
        _ => petition.from.player.clone(),
    };
    About { event, player, section, game, mail: petition.mail.clone(), ..About::default() }
}

/// Returns what the director may choose; the first choices do what was asked for where that can be done.
fn offered(state: &State, petition: &Petition) -> Vec<String> {
    let by = petition.from.player.as_ref();
    let first: &[&str] = match &petition.intent {
        Intent::TimeComplaint { game, .. } if by.is_some_and(|m| plays(state, game, m)) => {
            &["forfeit"]
        }
        Intent::Withdraw { .. } if by.is_some() => &["withdraw"],
        Intent::AddressChange { new: Some(_), .. } if by.is_some() => &["change"],
        Intent::Membership { expires: Some(_) } if by.is_some() => &["renewed"],
        Intent::Objection { game: Some(_), .. } => &["keep", "1-0", "0-1", "1/2-1/2", "0-0"],
        Intent::DrawClaim { .. } => &["1/2-1/2"],
        _ => &[],
    };
    choices(&[first, &["answered", "dismiss"]].concat())
}

/// Returns the entries that a wish came with: the newest of the player.
fn entered(state: &State, petition: &Petition) -> Vec<EntryId> {
    let Intent::Entry { count, member_id, .. } = &petition.intent else { return Vec::new() };
    let member = member_id.as_ref().or(petition.from.player.as_ref());
    let all = member.and_then(|member| state.entries_of.get(member)).into_iter().flatten();
    let mut newest: Vec<_> = all.rev().take(usize::from(*count)).cloned().collect();
    newest.reverse();
    newest
}

fn plays(state: &State, game: &intent::Game, member: &MemberId) -> bool {
    state.side_of(&game.id(), member).is_some()
}

fn who(state: &State, petition: &Petition) -> String {
    let from = &petition.from;
    let name = from.player.as_ref().and_then(|m| state.players.get(m)).map(|p| p.name.as_str());
    let name = name.unwrap_or(&from.name);
    let member = from.player.as_ref().map(|m| format!(" (member {m})")).unwrap_or_default();
    let address = from.address.as_deref().unwrap_or("an unknown address");
    let mail = petition.mail.as_ref().map(|m| format!(", mail {m}")).unwrap_or_default();
    format!("{name}{member} wrote from {address}{mail}.")
}

/// Returns what was asked for, as a sentence for the director.
fn said(intent: &Intent) -> String {
    let day =
        |day: &Option<chrono::NaiveDate>| day.map_or("not said".to_owned(), |d| d.to_string());
    let quoted = |text: &str| format!("It says: {}", text.trim());
    match intent {
        Intent::TimeComplaint { game, sent, repeated } => format!(
            "The opponent in {} is said to be late; the move was sent: {}, repeated: {}.",
            game.id(),
            day(sent),
            day(repeated)
        ),
        Intent::Leave { from, to } => {
            format!("Leave is asked for; first day: {}, last day: {}.", day(from), day(to))
        }
        Intent::Withdraw { scope, section } => match (scope, section) {
            (Scope::Section, Some(section)) => format!("A withdrawal from section {section}."),
            (Scope::Section, None) => "A withdrawal from one section.".to_owned(),
            (Scope::Event, _) => "A withdrawal from the tournament.".to_owned(),
            (Scope::All, _) => "A withdrawal from all events.".to_owned(),
        },
        Intent::AddressChange { old, new, from } => format!(
            "Another address: {} in the place of {}; first day: {}.",
            new.as_deref().unwrap_or("not said").trim(),
            old.as_deref().unwrap_or("the one in the books").trim(),
            day(from)
        ),
        Intent::Membership { expires } => {
            format!("The membership is said to be renewed; last day: {}.", day(expires))
        }
        Intent::Objection { about, .. }
        | Intent::Death { about, .. }
        | Intent::Conduct { about, .. } => quoted(about),
        Intent::DrawClaim { game, .. } => {
            format!("A draw is claimed in {}; the moves in the books do not tell.", game.id())
        }
        Intent::Entry { wishes, .. } => quoted(&wishes.join(" / ")),
        _ => String::new(),
    }
}

/// Returns what the books know about it, a sentence each.
fn books(state: &State, petition: &Petition) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((_, game)) = petition.intent.game().and_then(|game| state.game(&game.id())) {
        lines.push(stands(game));
    }
    let player = match &petition.intent {
        Intent::Death { player, .. } => player.as_ref(),
        Intent::Leave { .. } | Intent::Withdraw { .. } => petition.from.player.as_ref(),
        _ => None,
    };
    if let Some(player) = player {
        let seats = state.seats_of(player);
        let running = seats.filter_map(|(section, seat)| {
            let games = section.games_of(seat).filter(|game| game.settled().is_none()).count();
            (games > 0).then(|| format!("{games} in {}", section.code))
        });
        let running: Vec<_> = running.collect();
        lines.push(match running[..] {
            [] => "By the books no game of this player is running.".to_owned(),
            _ => format!("Games that run by the books: {}.", running.join(", ")),
        });
    }
    lines
}

fn stands(game: &Game) -> String {
    let state = game.state.text();
    let Some((last, on)) = game.record.last().zip(game.moved) else {
        return format!("By the books the game is {state}; no move of it has come through us.");
    };
    let to_move = match game.record.next_side() {
        Side::White => "White",
        Side::Black => "Black",
    };
    format!(
        "By the books the game is {state}; the last move is {last} of {on}, {to_move} is to move."
    )
}
