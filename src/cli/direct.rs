//! `direct`: the acts of the director that answer no docket item. Each is a command with a reason, and goes into the
//! same journal as everything else (Rule 7).

use super::{Done, Failure, Global, docket::report, home::Home, tables, words};
use crate::{
    domain::{
        command::{Command, EntryForm, Payment},
        ids::{GameId, MemberId, Seat, TournamentId},
        points::{How, Outcome, Score},
        state::State,
    },
    office::Announce,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;

/// Other acts of the director.
#[derive(clap::Subcommand)]
pub(super) enum Act {
    /// Enter a paper entry
    Entry {
        /// The tournament's id: GK2019
        event: TournamentId,
        /// The member's number
        member: MemberId,
        /// The day of its postmark (Rule 9)
        #[arg(long, value_name = "DATE")]
        postmark: NaiveDate,
        /// How many entries
        #[arg(long, default_value_t = 1)]
        count: u8,
        /// The fee came with it
        #[arg(long)]
        paid: bool,
    },
    /// Confirm a payment (Rule 8)
    Payment {
        /// The tournament's id: GK2019
        event: TournamentId,
        /// The member's number
        member: MemberId,
        /// The amount, in the tournament's currency: 25.00
        amount: Decimal,
        /// The day it came [default: today]
        #[arg(long, value_name = "DATE")]
        received: Option<NaiveDate>,
        /// The bank's or the shop's word for it
        #[arg(long, default_value = "")]
        reference: String,
    },
    /// Fix the result of a game (Rule 7)
    Result {
        /// The section: 19N04
        section: String,
        /// White's seat and Black's: 3-1
        game: String,
        /// 1-0, 0-1, 1/2-1/2 or 0-0
        result: Score,
        /// How it came about: resignation, adjudication, time-forfeit …
        how: How,
        /// Why; both players are told
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Give a player another email address; letters go there from now on
    Address {
        /// The member's number
        member: MemberId,
        /// The address
        email: String,
    },
}

pub(super) fn run(global: &Global, act: &Act) -> Done {
    let home = Home::open(global)?;
    let state = home.books()?.state;
    let (words, command) = match act {
        Act::Entry { event, member, postmark, count, paid } => {
            known_event(&home, event)?;
            let words = format!("direct entry {event} {member} --postmark {postmark}");
            let form = EntryForm {
                event: Some(event.clone()),
                id: None,
                member: Some(member.clone()),
                from: None,
                name: known_player(&state, member)?,
                count: *count,
                postmark: *postmark,
                postmark_doubt: None,
                arrived: home.now(),
                paid: *paid,
                mail: None,
            };
            (words, Command::Enter(form))
        }
        Act::Payment { event, member, amount, received, reference } => {
            known_event(&home, event)?;
            known_player(&state, member)?;
            if *amount <= Decimal::ZERO {
                return Err(Failure::Usage(format!("{amount} is no amount that can be received")));
            }
            let received = received.unwrap_or_else(|| home.config.house.day(home.now()));
            let (event, member, reference) = (event.clone(), member.clone(), reference.clone());
            let words = format!("direct payment {event} {member} {amount}");
            let amount = *amount;
            let payment = Payment { event, member, amount, received, reference };
            (words, Command::RecordPayment(payment))
        }
        Act::Result { section, game, result, how, reason } => {
            let game = find_game(&state, section, game)?;
            let words = format!("direct result {game} {result} {how}");
            let (outcome, reason) = (Outcome { result: *result, how: *how }, reason.clone());
            (words, Command::FixResult { game, outcome, reason })
        }
        Act::Address { member, email } => {
            known_player(&state, member)?;
            if !words::looks_like_address(email) {
                return Err(Failure::Usage(format!("`{email}` is no email address")));
            }
            let mut player = state.players[member].clone();
            player.emails.retain(|old| !old.eq_ignore_ascii_case(email));
            player.emails.insert(0, email.clone());
            (format!("direct address {member} {email}"), Command::ListPlayers(vec![player]))
        }
    };
    report(&home.direct(&words, &[command], Announce::Yes)?);
    Ok(())
}

fn known_event(home: &Home, event: &TournamentId) -> Done {
    let known = &home.config.rules.tournaments;
    if known.contains_key(event) {
        return Ok(());
    }
    let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
    Err(Failure::Person(format!("there is no tournament {event}; there is {}", ids.join(", "))))
}

fn known_player(state: &State, member: &MemberId) -> Result<String, Failure> {
    let player = state.players.get(member);
    let missing = || Failure::Person(format!("the roster does not have member {member}"));
    player.map(|p| p.name.clone()).ok_or_else(missing)
}

/// Finds a game by its section and `3-1`, White's seat first.
pub(super) fn find_game(state: &State, section: &str, game: &str) -> Result<GameId, Failure> {
    let section = tables::find(state, section)?;
    let seats = game.split_once('-').and_then(|(white, black)| {
        Some((Seat(white.trim().parse().ok()?), Seat(black.trim().parse().ok()?)))
    });
    let found = seats.and_then(|(white, black)| section.game(white, black));
    found.map(|game| section.game_id(game)).ok_or_else(|| {
        let code = &section.code;
        Failure::Person(format!("there is no game {game} in {code}; White's seat stands first"))
    })
}
