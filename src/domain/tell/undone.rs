//! Who is told that a decision holds no more: everybody whom a letter told of it, in one letter (Rule 7).

use super::{Teller, acts::push};
use crate::domain::{
    acts::Undone,
    docket::About,
    ids::{EntryId, GameId, MemberId},
    notice::{Act, Facts, Matter, Recipient},
    points::Side,
    section::EntryState,
};

impl Teller<'_> {
    /// An act of the director was taken back.
    pub(super) fn tell_undone(&mut self, undone: &Undone) {
        let mut letters: Vec<(MemberId, Vec<Matter>)> = Vec::new();
        let before = &undone.before;
        let games = before.games.iter().map(|game| &game.game);
        for game in games.chain(before.oversteps.iter().map(|(game, ..)| game)) {
            self.add_game(game, &mut letters);
        }
        // Nobody was told of a payment.
        let told = before.entries.iter().filter(|e| e.state != EntryState::AwaitingPayment);
        for entry in told {
            push(&mut letters, &entry.member, Matter::Entry(entry.id.clone()));
        }
        for (member, _) in &before.leaves {
            push(&mut letters, member, Matter::Leave(member.clone()));
            for (opponent, _) in self.opponents(member) {
                push(&mut letters, &opponent, Matter::Leave(member.clone()));
            }
        }
        for (member, _) in before.died.iter().filter(|(_, was)| was.is_none()) {
            for (opponent, _) in self.opponents(member) {
                push(&mut letters, &opponent, Matter::Death(member.clone()));
            }
        }
        // Whose letter was stopped before it left has nothing to forget.
        for (member, matters) in letters.into_iter().filter(|(m, _)| !undone.unheard.contains(m)) {
            self.say_back(member, matters, &undone.reason);
        }
    }

    fn add_game(&self, game: &GameId, letters: &mut Vec<(MemberId, Vec<Matter>)>) {
        for side in [Side::White, Side::Black] {
            if let Some(member) = self.state.member_of(game, side) {
                push(letters, member, Matter::Game(game.clone()));
            }
        }
    }

    /// An entry is in its round again: what was decided of it rested on a result that is another now (Rule 3).
    pub(super) fn tell_taken_back(&mut self, entry: &EntryId) {
        if let Some(held) = self.state.entries.get(entry) {
            self.say_back(held.member.clone(), vec![Matter::Entry(entry.clone())], "");
        }
    }

    fn say_back(&mut self, member: MemberId, matters: Vec<Matter>, reason: &str) {
        let facts = Act::TakenBack { matters, reason: reason.to_owned() };
        self.say(Recipient::Player(member), About::default(), Facts::Act(facts));
    }
}
