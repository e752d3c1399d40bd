//! Acts of the director and what befalls persons, as letters speak of them: a membership that ends, leave, another
//! address, a substitute, a death (Rules 1 and 10). Of another person a letter tells no more than its reader needs.

use super::{
    super::Desk,
    forfeits::{self, Adjudication, Complained, Forfeits, Premature, Warned, Withdrawn},
    known, member,
    result::{GameView, game_view, outcome_view},
    section::{SectionView, section_by_code, section_view},
    words,
};
use crate::domain::{
    acts::{Leave, Substitution},
    ids::{GameId, MemberId},
    notice::{Act, Matter, Recipient},
    points::Side,
    section::{EntryState, Game, Section},
};
use chrono::NaiveDate;
use serde::Serialize;

/// What such a letter says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is the notice of that name")]
pub enum ActView {
    Membership(Membership),
    Address(Address),
    Leave(OnLeave),
    Bereavement(Bereavement),
    Substitution(Box<Substituted>),
    TakenBack(TakenBack),
    Forfeit(Box<Forfeits>),
    Withdrawal(Box<Withdrawn>),
    Adjudication(Box<Adjudication>),
    Premature(Box<Premature>),
    Complaint(Box<Complained>),
    Warning(Box<Warned>),
}

/// `membership-reminder`.
#[derive(Debug, Serialize)]
pub struct Membership {
    /// The member's number.
    pub member: String,
    /// Its last day.
    pub expires: String,
    /// How many days are left; 0 on the last one.
    pub days: u16,
    /// Where he still plays.
    pub sections: Vec<Playing>,
}

/// A section in which the reader still plays.
#[derive(Debug, Serialize)]
pub struct Playing {
    /// The section.
    pub section: SectionView,
    /// How many of his games run.
    pub running: usize,
}

/// `address-changed`.
#[derive(Debug, Serialize)]
pub struct Address {
    /// Where letters went; null where there was nothing.
    pub old: Option<String>,
    /// Where they go.
    pub new: String,
    /// Whether that is an email address.
    pub by_email: bool,
    /// Where the reader still plays: his opponents there write to the old address.
    pub sections: Vec<Playing>,
}

/// `leave-granted` and `leave-announced`.
#[derive(Debug, Serialize)]
pub struct OnLeave {
    /// Who has leave.
    pub player: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
    /// How many days it is, both included.
    pub days: i64,
    /// The day after it.
    pub back: String,
    /// Whether it is within the yearly allowance, so that nobody had to decide.
    pub allowed: bool,
    /// The reader's running games with whoever has leave; his own games where he has it himself.
    pub games: Vec<GameView>,
}

/// `bereavement`.
#[derive(Debug, Serialize)]
pub struct Bereavement {
    /// Who has died.
    pub player: String,
    /// The reader's running games with him.
    pub games: Vec<GameView>,
    /// The day until which the reader may send what he has to say of them.
    pub until: String,
}

/// `substitution`.
#[derive(Debug, Serialize)]
pub struct Substituted {
    /// The section.
    pub section: SectionView,
    /// The seat.
    pub seat: String,
    /// Who sat there.
    pub left: String,
    /// Who sits there now.
    pub came: String,
    /// His rating, or `unrated`.
    pub rating: String,
    /// Where to write to him; null where there is nothing, and for who left.
    pub write_to: Option<String>,
    /// Whether the reader is who left.
    pub leaver: bool,
    /// The reader's games with the seat that go on.
    pub running: Vec<GameView>,
    /// The reader's games with the seat that are finished and stand, a sentence each.
    pub standing: Vec<String>,
    /// How many games of the seat go on.
    pub all_running: usize,
    /// How many games of the seat are finished and stand.
    pub all_standing: usize,
    /// The day from which the new player's time counts.
    pub on: String,
}

/// `taken-back`.
#[derive(Debug, Serialize)]
pub struct TakenBack {
    /// What was decided, and how it stands now, a sentence each.
    pub matters: Vec<String>,
    /// Why; empty where a later ruling changed what it rested on.
    pub reason: String,
}

/// Returns the view of an act.
pub fn act(act: &Act, to: &Recipient, desk: &Desk<'_>) -> ActView {
    match act {
        Act::MembershipReminder { expires, days } => {
            ActView::Membership(membership(*expires, *days, to, desk))
        }
        Act::AddressChanged { old, new } => {
            ActView::Address(address(old.as_deref(), new, to, desk))
        }
        Act::LeaveGranted { leave } => ActView::Leave(leave_granted(leave, desk)),
        Act::LeaveAnnounced { leave, games } => ActView::Leave(on_leave(leave, games, desk)),
        Act::Bereavement { player, games } => {
            ActView::Bereavement(bereavement(player, games, desk))
        }
        Act::Substitution { taken } => {
            ActView::Substitution(Box::new(substitution(taken, to, desk)))
        }
        Act::TakenBack { matters, reason } => {
            ActView::TakenBack(taken_back(matters, reason, to, desk))
        }
        Act::Forfeit { games } => ActView::Forfeit(Box::new(forfeits::forfeits(games, to, desk))),
        Act::WithdrawalConfirmed { entries, games } => {
            ActView::Withdrawal(Box::new(forfeits::withdrawn(entries, games, to, desk)))
        }
        Act::AdjudicationRequest { game, item } => {
            ActView::Adjudication(Box::new(forfeits::adjudication(game, *item, to, desk)))
        }
        Act::ComplaintPremature { game, until, repeat_first } => {
            let view = forfeits::premature(game, *until, *repeat_first, to, desk);
            ActView::Premature(Box::new(view))
        }
        Act::TimeComplaintReceived { game, by, item } => {
            ActView::Complaint(Box::new(forfeits::complained(game, *by, *item, to, desk)))
        }
        Act::TimeWarning { warned, reproach } => {
            ActView::Warning(Box::new(forfeits::warned(warned, *reproach, to, desk)))
        }
    }
}

fn membership(expires: NaiveDate, days: u16, to: &Recipient, desk: &Desk<'_>) -> Membership {
    Membership {
        member: member(to).map_or_else(String::new, |m| m.0.clone()),
        expires: words::date(expires),
        days,
        sections: member(to).map_or_else(Vec::new, |m| playing(m, desk)),
    }
}

fn address(old: Option<&str>, new: &str, to: &Recipient, desk: &Desk<'_>) -> Address {
    // What the books have of a player is said to himself alone.
    let shown = known(to) == words::Known::Player;
    Address {
        old: old.map(words::clean).filter(|old| shown && !old.is_empty()),
        new: words::clean(new),
        by_email: new.contains('@'),
        sections: member(to).map_or_else(Vec::new, |m| playing(m, desk)),
    }
}

/// Returns the sections in which a player still has games.
fn playing(member: &MemberId, desk: &Desk<'_>) -> Vec<Playing> {
    let seats = desk.state.seats_of(member).map(|(section, seat)| {
        let running = section.games_of(seat).filter(|game| game.settled().is_none()).count();
        Playing { section: section_view(section, desk), running }
    });
    seats.filter(|playing| playing.running > 0).collect()
}

fn leave_granted(leave: &Leave, desk: &Desk<'_>) -> OnLeave {
    let mut games = Vec::new();
    for (section, seat) in desk.state.seats_of(&leave.member) {
        let running = section.games_of(seat).filter(|game| game.settled().is_none());
        games.extend(running.map(|game| section.game_id(game)));
    }
    on_leave(leave, &games, desk)
}

fn on_leave(leave: &Leave, games: &[GameId], desk: &Desk<'_>) -> OnLeave {
    OnLeave {
        player: words::spoken(&super::member_name(desk.state, &leave.member)),
        from: words::date(leave.from),
        to: words::date(leave.to),
        days: (leave.to - leave.from).num_days() + 1,
        back: leave.to.succ_opt().map_or_else(String::new, words::date),
        allowed: leave.allowed,
        games: games.iter().map(|game| game_view(game, desk)).collect(),
    }
}

fn bereavement(player: &MemberId, games: &[GameId], desk: &Desk<'_>) -> Bereavement {
    Bereavement {
        player: words::spoken(&super::member_name(desk.state, player)),
        games: games.iter().map(|game| game_view(game, desk)).collect(),
        until: games.first().map_or_else(String::new, |game| forfeits::answer_by(game, desk)),
    }
}

fn substitution(taken: &Substitution, to: &Recipient, desk: &Desk<'_>) -> Substituted {
    let state = desk.state;
    let section = state.sections.get(&taken.section);
    let name = |entry| {
        let member = state.entries.get(entry).map(|e| &e.member);
        member.map_or_else(String::new, |m| words::spoken(&super::member_name(state, m)))
    };
    let left = state.entries.get(&taken.left).map(|entry| &entry.member);
    let leaver = member(to).is_some() && member(to) == left;
    let games: Vec<&Game> = section.map_or_else(Vec::new, |s| s.games_of(taken.seat).collect());
    let (running, standing): (Vec<&Game>, Vec<&Game>) =
        games.into_iter().partition(|game| game.settled().is_none());
    let own = |game: &&&Game| section.is_some_and(|s| is_own(s, game, to, desk));
    let id = |game: &Game| section.map(|s| game_view(&s.game_id(game), desk));
    Substituted {
        section: section_by_code(&taken.section, desk),
        seat: taken.seat.to_string(),
        left: name(&taken.left),
        came: name(&taken.entry),
        rating: taken.rating.map_or_else(|| "unrated".to_owned(), |r| r.to_string()),
        write_to: member(to).filter(|_| !leaver).and_then(|_| reach(taken, desk)),
        leaver,
        running: running.iter().filter(own).filter_map(|game| id(game)).collect(),
        standing: standing.iter().filter(own).filter_map(|game| stands(&id(game)?, game)).collect(),
        all_running: running.len(),
        all_standing: standing.len(),
        on: words::date(taken.on),
    }
}

fn taken_back(matters: &[Matter], reason: &str, to: &Recipient, desk: &Desk<'_>) -> TakenBack {
    let matters = matters.iter().map(|matter| stands_again(matter, to, desk));
    let reason = words::clean(reason);
    TakenBack { matters: matters.collect(), reason: reason.trim_end_matches('.').to_owned() }
}

fn stands_again(matter: &Matter, to: &Recipient, desk: &Desk<'_>) -> String {
    let name = |member| words::spoken(&super::member_name(desk.state, member));
    match matter {
        Matter::Game(id) => {
            let view = game_view(id, desk);
            let outcome = desk.state.game(id).and_then(|(_, game)| game.outcome());
            let how = outcome.map_or_else(
                || format!("{} - {} is not decided; the game goes on", view.white, view.black),
                |outcome| words::outcome(outcome, &view.white, &view.black),
            );
            format!("Game {}: {how}", view.id)
        }
        Matter::Entry(id) => {
            let entry = desk.state.entries.get(id);
            let section = entry.and_then(|entry| desk.state.sections.get(entry.sections.last()?));
            let played = section.filter(|section| section.is_settled());
            match (entry, played) {
                (Some(entry), Some(section)) if entry.state == EntryState::Assigned => format!(
                    "Your entry {id}: it has played {} to the end, and whether it goes on is open again",
                    section.code
                ),
                (Some(entry), _) => {
                    let standing = super::entry::line(entry, known(to), desk).standing;
                    format!("Your entry {id}: {standing}")
                }
                (None, _) => format!("Your entry {id} is not in the books any more"),
            }
        }
        Matter::Leave(member) if super::member(to) == Some(member) => {
            "Your leave: it is as it was before that decision".to_owned()
        }
        Matter::Leave(member) => {
            format!("The leave of {}: it is as it was before that decision", name(member))
        }
        Matter::Death(member) => format!(
            "What we wrote to you about {} was a mistake, for which we are very sorry. The games go on",
            name(member)
        ),
    }
}

fn is_own(section: &Section, game: &Game, to: &Recipient, desk: &Desk<'_>) -> bool {
    let sides = [Side::White, Side::Black];
    member(to).is_some_and(|m| {
        sides.iter().any(|side| desk.state.member_at(section, game.seat(*side)) == Some(m))
    })
}

fn stands(view: &GameView, game: &Game) -> Option<String> {
    let outcome = outcome_view(game.settled()?, view);
    Some(format!("{}: {}, {}", view.id, outcome.result, outcome.words))
}

/// Returns where to write to whoever sits at the seat now; only opponents are told.
fn reach(taken: &Substitution, desk: &Desk<'_>) -> Option<String> {
    let entry = desk.state.entries.get(&taken.entry)?;
    let player = desk.state.players.get(&entry.member)?;
    let post = || player.address.as_deref().map(|post| format!("by post: {}", words::clean(post)));
    player.email().map(words::clean).or_else(post)
}
