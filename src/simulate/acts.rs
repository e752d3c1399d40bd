//! What players do with their games and with themselves: reports true and false, resignations, complaints, objections,
//! leave, withdrawals, new addresses, deaths. When it is done was planned in `season.rs`.

use super::{
    director::Director,
    mails::{self, Draft},
    players::Habit,
    season::{Act, Complaint, Season, Telling},
    words::{self, Played},
};
use crate::domain::{
    ids::GameId,
    points::{How, Outcome, Score, Side},
    section::GameState,
};
use chrono::Days;

const SIDES: [Side; 2] = [Side::White, Side::Black];

/// How often a game is looked after before the director ends it.
const CHASES: u8 = 3;

impl Season<'_> {
    /// A game comes to its end: who reports it, in which words, and when.
    pub(super) fn end(&mut self, game: &GameId) {
        self.plan_in(45, 60, Act::Chase(game.clone(), 0));
        let Some(truth) = self.truth(game).filter(|_| self.is_open(game)) else { return };
        let silent = SIDES.map(|side| self.habit_of(game, side) == Some(Habit::Silent));
        if silent.contains(&true) && self.chance.in_a_hundred(40) {
            // A silent one simply stops, and his opponent waits for a move.
            if let Some(side) = SIDES.into_iter().find(|side| self.will_report(game, *side)) {
                self.plan_in(1, 6, Act::Complain(game.clone(), side, Complaint::Due));
            }
            return;
        }
        for side in SIDES {
            if !self.will_report(game, side) {
                continue;
            }
            let habit = self.habit_of(game, side).unwrap_or(Habit::Prompt);
            let won = truth.result == Score::win(side);
            let times = match (truth.result, habit) {
                (_, Habit::Quarrelsome) => 70,
                (Score::Draw, _) => 65,
                _ if won => 88,
                (_, Habit::Resigning) => 90,
                _ => 22,
            };
            if self.chance.in_a_hundred(times) {
                self.plan_report(game, side, habit, won);
            }
        }
    }

    fn plan_report(&mut self, game: &GameId, side: Side, habit: Habit, won: bool) {
        let drawn = self.truth(game).is_some_and(|truth| truth.result == Score::Draw);
        let (least, most) = match habit {
            Habit::Prompt | Habit::ByMachine => (0, 2),
            Habit::Slow => (8, 30),
            _ => (0, 7),
        };
        let telling = match habit {
            Habit::Sloppy if self.chance.in_a_hundred(10) => Telling::SeatsTurned,
            Habit::Sloppy => Telling::Sloppily,
            Habit::Quarrelsome if !won && self.chance.in_a_hundred(20) => Telling::Falsely,
            Habit::Resigning if !won && !drawn => Telling::Resigning,
            _ => Telling::Truly,
        };
        self.plan_in(least, most, Act::Report(game.clone(), side, telling));
    }

    /// Tells whether somebody with a side in a game reports at all.
    pub(super) fn will_report(&self, game: &GameId, side: Side) -> bool {
        self.at(game, side).is_some_and(|person| {
            let person = &self.people[person];
            !person.gone && person.address.is_some() && person.habit != Habit::Silent
        })
    }

    pub(super) fn report(&mut self, game: &GameId, side: Side, telling: Telling) {
        let (Some(person), Some(truth)) = (self.at(game, side), self.truth(game)) else { return };
        let Some(names) = self.names(game) else { return };
        let played = Played { game, names: [&names[0], &names[1]], by: side };
        let subject = played.subject();
        let result = truth.result;
        let text = match telling {
            Telling::Sloppily => words::sloppy_result(&mut self.chance, &played, result),
            Telling::Resigning if result == Score::win(side.other()) => {
                words::resignation(&mut self.chance, &played)
            }
            Telling::Truly | Telling::Resigning => words::result(&mut self.chance, &played, truth),
            Telling::Falsely => {
                let result = if result == Score::Draw { Score::win(side) } else { Score::Draw };
                let claimed = Outcome { result, how: How::Played };
                words::result(&mut self.chance, &played, claimed)
            }
            Telling::SeatsTurned => {
                let wrong = GameId { white: game.black, black: game.white, ..game.clone() };
                let turned = Played { game: &wrong, ..played };
                let plan = Act::Report(game.clone(), side, Telling::Sloppily);
                self.plan_in(1, 3, plan);
                format!(
                    "Section: {}\nGame: {}-{}\nResult: {result}",
                    wrong.section, turned.game.white, turned.game.black
                )
            }
        };
        self.write(person, &subject, text);
        if telling == Telling::Sloppily && self.chance.in_a_hundred(8) {
            self.write_again();
        }
    }

    fn names(&self, game: &GameId) -> Option<[String; 2]> {
        let name = |side| self.at(game, side).map(|person| self.people[person].name().to_owned());
        Some([name(Side::White)?, name(Side::Black)?])
    }

    pub(super) fn complain(&mut self, game: &GameId, side: Side, kind: Complaint) {
        let (Some(person), true) = (self.at(game, side), self.is_running(game)) else { return };
        let Some(names) = self.names(game) else { return };
        let played = Played { game, names: [&names[0], &names[1]], by: side };
        let (sent, repeated) = match kind {
            Complaint::Due => (self.today - Days::new(35), Some(self.today - Days::new(18))),
            Complaint::Premature => (self.today - Days::new(11), None),
        };
        let text = words::complaint(&played, sent, repeated);
        let subject = played.subject();
        self.write(person, &subject, text);
    }

    pub(super) fn object(&mut self, game: &GameId, side: Side) {
        let Some(person) = self.at(game, side) else { return };
        let Some(names) = self.names(game) else { return };
        let played = Played { game, names: [&names[0], &names[1]], by: side };
        let (subject, text) = (played.subject(), words::objection(&played));
        self.write(person, &subject, text);
    }

    /// Answers what the opponent reported: some contradict it, some object, some say the same.
    pub(super) fn answer_report(&mut self, game: &GameId, side: Side) {
        if !self.will_report(game, side) {
            return;
        }
        let quarrelsome = self.habit_of(game, side) == Some(Habit::Quarrelsome);
        match self.chance.below(100) {
            0..12 if quarrelsome => self.plan_in(1, 9, Act::Object(game.clone(), side)),
            12..25 if quarrelsome => {
                self.plan_in(1, 9, Act::Report(game.clone(), side, Telling::Falsely));
            }
            25..37 => self.plan_in(1, 12, Act::Report(game.clone(), side, Telling::Truly)),
            _ => {}
        }
    }

    /// A game that should have ended: somebody reports it again, and in the end the director decides it.
    pub(super) fn chase(&mut self, game: &GameId, times: u8) -> Result<(), String> {
        if !self.is_open(game) {
            return Ok(());
        }
        self.plan_in(30, 50, Act::Chase(game.clone(), times.saturating_add(1)));
        if times >= CHASES {
            return Director::adjudicate(self, game);
        }
        if !self.is_running(game) {
            return Ok(());
        }
        let reporter = SIDES.into_iter().find(|side| self.will_report(game, *side));
        match reporter {
            Some(side) if times < 2 => self.report(game, side, Telling::Truly),
            Some(side) => self.complain(game, side, Complaint::Due),
            None => {
                let silent = SIDES.map(|side| self.habit_of(game, side) == Some(Habit::Silent));
                let both = Outcome { result: Score::BothLose, how: How::DoubleForfeit };
                match self.truth(game) {
                    _ if silent == [true, true] => return Director::fix(self, game, both),
                    Some(truth) => return Director::fix(self, game, truth),
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn is_running(&self, game: &GameId) -> bool {
        let game = self.desk.state().game(game);
        game.is_some_and(|(_, game)| game.state == GameState::Running)
    }

    /// What somebody does by his habit, apart from his games.
    pub(super) fn habit(&mut self, person: usize) -> Result<(), String> {
        let event = self.tournament.name.clone();
        match self.people[person].habit {
            Habit::Dying => return self.die(person),
            Habit::Moving => self.move_house(person),
            Habit::Withdrawing => {
                self.write(person, "Withdrawal", words::withdrawal(&event));
                self.people[person].gone = true;
            }
            Habit::OnLeave => {
                let from = self.today + Days::new(10);
                let text = words::leave(from, from + Days::new(self.chance.between(5, 40)));
                self.write(person, "Leave", text);
            }
            Habit::Lapsing if self.chance.in_a_hundred(50) => {
                let expires = self.today + Days::new(365 * 12);
                self.write(person, "Membership", words::membership(expires));
            }
            _ => {}
        }
        Ok(())
    }

    /// Somebody dies. One of his opponents hears of it and writes; where he has none, the director hears it by himself.
    fn die(&mut self, person: usize) -> Result<(), String> {
        self.people[person].gone = true;
        let member = self.people[person].member().clone();
        let name = self.people[person].name().to_owned();
        self.chronicle.tell(self.today, &format!("{name} dies."));
        let opponents: Vec<usize> = self.opponents(&member);
        let teller = opponents
            .into_iter()
            .find(|o| !self.people[*o].gone && self.people[*o].address.is_some());
        match teller {
            Some(teller) => {
                let subject = format!("Sad news of {name}");
                if let Some(draft) = self.draft(teller, &subject, words::death(&name)) {
                    self.plan_in(3, 20, Act::Write(Box::new(draft)));
                }
                self.plan_in(25, 40, Act::TellDeath(person));
                Ok(())
            }
            None => self.tell_death(person),
        }
    }

    /// Returns the players with whom a member has a game that runs.
    fn opponents(&self, member: &crate::domain::ids::MemberId) -> Vec<usize> {
        let state = self.desk.state();
        let mut found = Vec::new();
        for (section, seat) in state.seats_of(member) {
            for game in section.games_of(seat).filter(|game| game.settled().is_none()) {
                let other = if game.white == seat { game.black } else { game.white };
                found.extend(state.member_at(section, other).and_then(|m| self.person(m)));
            }
        }
        found
    }

    /// The director notes a death, unless a ruling on the news of it has done so.
    pub(super) fn tell_death(&mut self, person: usize) -> Result<(), String> {
        let member = self.people[person].member().clone();
        if self.desk.state().died.contains_key(&member) {
            return Ok(());
        }
        Director::note_death(self, &member)
    }

    /// Somebody moves to another address: he tells it from the old one or from the new one, and the old one dies.
    fn move_house(&mut self, person: usize) {
        let Some(old) = self.people[person].address.clone() else { return };
        let new = old.replace("@example.org", "@example.net");
        let text = words::address(&new);
        if self.chance.in_a_hundred(70) {
            self.write(person, "New address", text);
            self.people[person].address = Some(new.clone());
        } else {
            self.people[person].address = Some(new.clone());
            self.write(person, "New address", text);
        }
        self.expect_address(person, new);
        if self.chance.in_a_hundred(50) {
            self.desk.refuse(&old);
        } else {
            self.bouncing(&old);
        }
    }

    /// Returns the mail of a mail system that a letter to this address did not reach it.
    pub(super) fn bounced(&self, address: &str, message_id: &str) -> Draft {
        mails::bounce(self.our_address(), address, message_id)
    }
}
