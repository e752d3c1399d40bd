//! Rules 7 and 10: what players ask of the director. A time complaint, leave, a withdrawal, another address, news of a
//! membership, an objection, a death, a complaint about conduct and a wish are facts for him; each becomes a docket item
//! with what the books say of it. What a choice of his brings about is `granted.rs`.

use super::{complaints, forfeits, guards, leave, persons, withdrawal};
use crate::domain::{
    command::Petition,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, ItemId, MemberId},
    intent::{self, Intent, Scope},
    player::Player,
    points::Side,
    section::Game,
    state::State,
};

/// What was found about a petition before it is put before the director.
#[derive(Default)]
pub(super) struct Findings {
    /// A sentence each.
    pub(super) evidence: Vec<String>,
    /// What the director may choose; none: what is usual for its kind.
    pub(super) choices: Option<Vec<String>>,
    /// What the rules lean to.
    pub(super) recommended: Option<String>,
    /// Whether nothing but an address tells who wrote it: nothing is recommended before the player has given his word.
    pub(super) unproved: bool,
}

/// A petition that is before the director.
pub(super) struct Filed {
    /// The item.
    pub(super) item: ItemId,
    /// What the rules lean to, also where that is not recommended yet.
    pub(super) lean: Option<String>,
}

/// Takes what a mail asks of the director. What the rules settle by themselves does not reach him.
pub(in crate::domain) fn receive(decision: &mut Decision<'_>, petition: &Petition) {
    match &petition.intent {
        Intent::TimeComplaint { .. } => complaints::receive(decision, petition),
        Intent::Leave { .. } => leave::receive(decision, petition),
        _ => {
            file(decision, petition, Findings::default());
        }
    }
}

/// Takes what a mail asks of the director, where nothing but an address tells who wrote it: he has it at once, and
/// nothing goes by itself.
pub(super) fn receive_unproved(decision: &mut Decision<'_>, petition: &Petition) -> Option<Filed> {
    let known = match &petition.intent {
        Intent::Leave { .. } => leave::findings(decision, petition),
        _ => Findings::default(),
    };
    let mut evidence = known.evidence;
    evidence.push(
        "It came from a known address and nothing else tells who wrote it; the player is asked there \
         whether he did, and nothing goes by itself before his yes."
            .to_owned(),
    );
    file(decision, petition, Findings { evidence, unproved: true, ..known })
}

/// Puts before the director what a mail asks of him; more about a matter that he has already is added to it. Answers
/// the item.
pub(super) fn file(
    decision: &mut Decision<'_>,
    petition: &Petition,
    found: Findings,
) -> Option<Filed> {
    let (kind, rule) = kind(&petition.intent)?;
    let state = decision.state;
    let about = about(state, petition);
    let mut evidence = vec![who(state, petition), said(&petition.intent)];
    evidence.extend(petition.words.iter().cloned());
    evidence.extend(books(state, petition));
    evidence.extend(found.evidence);
    let asked = Some(Box::new(petition.intent.clone()));
    let same = |item: &&Item| {
        let mail = item.about.mail.clone();
        // A complaint about the same game is the same, whatever days it gives.
        let same_asked = item.asked == asked || kind == ItemKind::TimeComplaint;
        item.about == About { mail, ..about.clone() } && same_asked
    };
    let (choices, lean) = if let Some(choices) = found.choices {
        (choices, found.recommended)
    } else {
        let choices = offered(state, petition);
        let lean = lean(decision, petition, &choices);
        (choices, lean)
    };
    let recommended = lean.clone().filter(|_| !found.unproved);
    let open = state.open_of_kind(kind).find(same).cloned();
    let item = if let Some(mut item) = open {
        evidence.retain(|line| !item.evidence.contains(line));
        item.evidence.append(&mut evidence);
        item.recommended = item.recommended.or(recommended);
        let number = item.item;
        decision.push(Event::ItemOpened(item));
        number
    } else {
        let entries = entered(state, petition);
        let matter = Matter {
            rule,
            about,
            choices,
            recommended,
            evidence,
            entries,
            asked,
            ..Matter::default()
        };
        decision.open(kind, matter)
    };
    let (from, intent) = (petition.from.clone(), Box::new(petition.intent.clone()));
    decision.push(Event::PetitionReceived { from, intent, item });
    if !found.unproved {
        guards::drop_about(decision, item);
    }
    Some(Filed { item, lean })
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
        | Intent::Bounce { .. }
        | Intent::Delivered { .. } => return None,
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
            return choices(&["forfeit", "warn", "dismiss"]);
        }
        Intent::Withdraw { scope, section } => {
            let ways = by.map(|by| withdrawal::ways(state, by, *scope, section.as_ref()));
            return [ways.unwrap_or_default(), choices(&["answered", "dismiss"])].concat();
        }
        Intent::AddressChange { new: Some(_), .. } if by.is_some() => &["change"],
        Intent::Membership { expires: Some(_) } if by.is_some() => &["renewed"],
        Intent::Objection { game: Some(_), .. } => &["keep", "1-0", "0-1", "1/2-1/2", "0-0"],
        Intent::DrawClaim { .. } => &["1/2-1/2"],
        Intent::Death { player: Some(player), .. } if state.players.contains_key(player) => {
            &["died"]
        }
        Intent::Entry { .. } if meets(state, petition).is_some() => &["keep-apart"],
        _ => &[],
    };
    choices(&[first, &["answered", "dismiss"]].concat())
}

/// Returns whom a wish that came with an entry names (Rule 2).
fn meets<'a>(state: &'a State, petition: &Petition) -> Option<&'a Player> {
    let Intent::Entry { member_id, .. } = &petition.intent else { return None };
    let own = member_id.as_ref().or(petition.from.player.as_ref())?;
    persons::named(state, &petition.intent, own)
}

/// Returns what the rules lean to. Of a draw that the books cannot prove, and where it is not clear what was meant, they
/// say nothing.
fn lean(decision: &Decision<'_>, petition: &Petition, choices: &[String]) -> Option<String> {
    let lean = match &petition.intent {
        Intent::TimeComplaint { game, .. } => {
            let (id, by) = (game.id(), petition.from.player.as_ref());
            match by.and_then(|member| decision.state.side_of(&id, member)) {
                Some(side) => forfeits::lean(decision, &id, side.other()),
                None => "answered",
            }
        }
        Intent::DrawClaim { .. } => return None,
        Intent::Objection { game: Some(_), .. } => "keep",
        Intent::Withdraw { .. } if choices.len() > 3 => return None,
        _ => choices.first()?,
    };
    choices.iter().find(|choice| *choice == lean).cloned()
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
    if let Some(player) = meets(state, petition) {
        lines.push(format!("It names {} (member {}).", player.name, player.member));
    }
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
