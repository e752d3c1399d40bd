//! Who is told what of acts of the director and of what befalls persons: forfeits and withdrawals in one letter each,
//! leave and a death to the opponents, time complaints to both sides (Rules 1, 7, 10 and 11).

use super::{Teller, about_game, correspondent};
use crate::domain::{
    acts::{Charged, Complaint, Leave, Overstep, Substitution},
    docket::About,
    event::Event,
    ids::{EntryId, GameId, MemberId},
    notice::{Act, Facts, Forfeited, Recipient, Reproach},
    points::{How, Side},
};

impl Teller<'_> {
    /// One letter for all withdrawn entries of a player and the games they lost, one for all other games of a player that
    /// were forfeited (Rules 10 and 11).
    pub(super) fn tell_forfeits(&mut self, events: &[Event]) {
        let mut withdrawn: Vec<(MemberId, Vec<EntryId>)> = Vec::new();
        for event in events {
            if let Event::EntryWithdrawn { entry } = event
                && let Some(held) = self.state.entries.get(entry)
            {
                push(&mut withdrawn, &held.member, entry.clone());
            }
        }
        let mut confirmed: Vec<(MemberId, Vec<Forfeited>)> = Vec::new();
        let mut forfeits: Vec<(MemberId, Vec<Forfeited>)> = Vec::new();
        for event in events {
            let Event::ResultRuled { game, outcome, reason, .. } = event else { continue };
            for side in [Side::White, Side::Black] {
                let Some(member) =
                    self.state.member_of(game, side).filter(|_| outcome.how.is_forfeit())
                else {
                    continue;
                };
                let left = outcome.how == How::Withdrawal
                    && outcome.forfeited_by(side)
                    && withdrawn.iter().any(|(who, _)| who == member);
                let (game, reason) = (game.clone(), reason.clone());
                let lost = Forfeited { game, outcome: *outcome, reason };
                push(if left { &mut confirmed } else { &mut forfeits }, member, lost);
            }
        }
        for (member, entries) in withdrawn {
            let games = confirmed.iter().find(|(who, _)| *who == member);
            let games = games.map(|(_, games)| games.clone()).unwrap_or_default();
            let about = self.about_all(games.iter().map(|lost| &lost.game));
            let facts = Act::WithdrawalConfirmed { entries, games };
            self.say(Recipient::Player(member), about, Facts::Act(facts));
        }
        for (member, games) in forfeits {
            let about = self.about_all(games.iter().map(|lost| &lost.game));
            self.say(Recipient::Player(member), about, Facts::Act(Act::Forfeit { games }));
        }
    }

    /// Tells of what a single event did.
    pub(super) fn tell_act(&mut self, event: &Event, events: &[Event]) {
        match event {
            Event::MembershipReminded(reminded) => {
                let facts =
                    Act::MembershipReminder { expires: reminded.expires, days: reminded.days };
                self.act(&reminded.member, About::default(), facts);
            }
            Event::AddressChanged(moved) => {
                let facts = Act::AddressChanged { old: moved.old.clone(), new: moved.new.clone() };
                self.act(&moved.member, About::default(), facts);
            }
            Event::LeaveGranted(leave) => self.tell_leave(leave),
            Event::PlayerDied { member, .. } => self.tell_death(member),
            Event::SeatTaken(taken) => self.tell_substitution(taken),
            // Who hears of a death is told in the same letter how the game will end.
            Event::AdjudicationAsked { game, item } if !self.ends_by_death(game, events) => {
                let facts = Act::AdjudicationRequest { game: game.clone(), item: *item };
                self.tell_both(game, &Facts::Act(facts));
            }
            Event::ComplaintChecked(complaint) => self.tell_complaint(complaint),
            Event::OverstepWarned(warned) => self.tell_warning(warned.clone(), Reproach::Overstep),
            Event::DaysCharged(charged) => {
                let Charged { game, side, days, reason, on } = charged.clone();
                let warned = Overstep { game, side, penalty_days: days, reason, on };
                self.tell_warning(warned, Reproach::Move);
            }
            Event::EntryTakenBack(entry) => self.tell_taken_back(entry),
            Event::Undone(undone) => self.tell_undone(undone),
            _ => {}
        }
    }

    fn act(&mut self, member: &MemberId, about: About, act: Act) {
        self.say(Recipient::Player(member.clone()), about, Facts::Act(act));
    }

    fn tell_leave(&mut self, leave: &Leave) {
        let granted = Act::LeaveGranted { leave: leave.clone() };
        self.act(&leave.member, About::default(), granted);
        for (opponent, games) in self.opponents(&leave.member) {
            let about = self.about_all(games.iter());
            self.act(&opponent, about, Act::LeaveAnnounced { leave: leave.clone(), games });
        }
    }

    fn tell_death(&mut self, member: &MemberId) {
        for (opponent, games) in self.opponents(member) {
            let about = self.about_all(games.iter());
            self.act(&opponent, about, Act::Bereavement { player: member.clone(), games });
        }
    }

    /// Returns who has running games with a player, each once, and which.
    pub(super) fn opponents(&self, member: &MemberId) -> Vec<(MemberId, Vec<GameId>)> {
        let mut opponents = Vec::new();
        for (section, seat) in self.state.seats_of(member) {
            for game in section.games_of(seat).filter(|game| game.settled().is_none()) {
                let other = game.side(seat).map(|side| game.seat(side.other()));
                if let Some(opponent) = other.and_then(|seat| self.state.member_at(section, seat)) {
                    push(&mut opponents, opponent, section.game_id(game));
                }
            }
        }
        opponents
    }

    fn ends_by_death(&self, game: &GameId, events: &[Event]) -> bool {
        let plays = |member: &MemberId| self.state.side_of(game, member).is_some();
        let is_it =
            |event: &Event| matches!(event, Event::PlayerDied { member, .. } if plays(member));
        events.iter().any(is_it)
    }

    /// The sheet to who comes, and a letter to the others of the section and to who left it.
    fn tell_substitution(&mut self, taken: &Substitution) {
        let state = self.state;
        let Some(section) = state.sections.get(&taken.section) else { return };
        let about = About {
            event: Some(section.tournament.clone()),
            section: Some(section.code.clone()),
            ..About::default()
        };
        let left = state.entries.get(&taken.left).map(|entry| &entry.member);
        let others = section.each_seat().filter(|(seat, _)| *seat != taken.seat);
        let others = others.filter_map(|(seat, _)| state.member_at(section, seat));
        for member in left.into_iter().chain(others) {
            self.act(member, about.clone(), Act::Substitution { taken: taken.clone() });
        }
        if let Some(member) = state.member_at(section, taken.seat) {
            let facts = Facts::Assignment { section: section.code.clone(), takes_over: true };
            self.say(Recipient::Player(member.clone()), about, facts);
        }
    }

    fn tell_complaint(&mut self, complaint: &Complaint) {
        let Complaint { from, game, premature_until, repeat_first, item, .. } = complaint;
        let side = from.player.as_ref().and_then(|member| self.state.side_of(game, member));
        match (premature_until, item, side) {
            (Some(until), _, _) => {
                let (game, until) = (game.clone(), *until);
                let about = about_game(Some(&game));
                let facts = Act::ComplaintPremature { game, until, repeat_first: *repeat_first };
                self.say(correspondent(from), about, Facts::Act(facts));
            }
            (None, Some(item), Some(by)) => {
                let facts = Act::TimeComplaintReceived { game: game.clone(), by, item: *item };
                self.tell_both(game, &Facts::Act(facts));
            }
            _ => {}
        }
    }

    fn tell_warning(&mut self, warned: Overstep, reproach: Reproach) {
        let game = warned.game.clone();
        self.tell_both(&game, &Facts::Act(Act::TimeWarning { warned, reproach }));
    }

    /// Returns what a letter about games is about: the game, or else the section of all of them.
    fn about_all<'b>(&self, games: impl Iterator<Item = &'b GameId>) -> About {
        let games: Vec<&GameId> = games.collect();
        let Some((first, rest)) = games.split_first() else { return About::default() };
        if rest.is_empty() {
            return about_game(Some(first));
        }
        let one = rest.iter().all(|game| game.section == first.section);
        let event = self.state.sections.get(&first.section).map(|s| s.tournament.clone());
        About { event, section: one.then(|| first.section.clone()), ..About::default() }
    }
}

pub(super) fn push<T>(lists: &mut Vec<(MemberId, Vec<T>)>, member: &MemberId, it: T) {
    match lists.iter_mut().find(|(who, _)| who == member) {
        Some((_, list)) => list.push(it),
        None => lists.push((member.clone(), vec![it])),
    }
}
