//! Who must be told what: from the events of one transaction to its notices. The words are the templates'.

mod acts;
mod director;
mod entries;
mod honours;
mod play;
mod undone;

use super::{
    docket::About,
    event::{Correspondent, Event, Grounds, Topic},
    ids::{EntryId, GameId, MemberId, SectionCode, TournamentId},
    notice::{Effect, Facts, Notice, NoticeName, ReceiptLine, Recipient},
    points::Side,
    section::Report,
    state::State,
};

/// Returns the notices of a transaction: its events, and the books after them.
pub fn notices(state: &State, events: &[Event]) -> Vec<Notice> {
    let mut teller = Teller { state, notices: Vec::new() };
    teller.tell_entries(events);
    if !teller.tell_mail(events) {
        teller.tell_receipts(events);
    }
    teller.tell_moves(events);
    teller.tell_forfeits(events);
    for event in events {
        teller.tell(event, events);
        teller.tell_word(event, events);
    }
    teller.tell_questions(events);
    teller.alert(events);
    teller.notices
}

struct Teller<'a> {
    state: &'a State,
    notices: Vec<Notice>,
}

impl Teller<'_> {
    /// Says it, to whoever can read it: no letter goes to a player who has died (Rule 10).
    fn say(&mut self, to: Recipient, about: About, facts: Facts) {
        let is_dead = match &to {
            Recipient::Player(member) => self.state.died.contains_key(member),
            Recipient::Stranger(_) | Recipient::Director => false,
        };
        if !is_dead {
            self.notices.push(Notice { to, about, facts });
        }
    }

    /// One receipt for everything that a player said of his games in one mail.
    fn tell_receipts(&mut self, events: &[Event]) {
        let mut receipts: Vec<(Recipient, Vec<ReceiptLine>, Option<GameId>)> = Vec::new();
        for (to, line, game) in events.iter().filter_map(|event| self.receipt(event)) {
            match receipts.iter_mut().find(|r| r.0 == to) {
                Some((_, lines, _)) => lines.push(line),
                None => receipts.push((to, vec![line], game)),
            }
        }
        for (to, lines, game) in receipts {
            let game = game.filter(|_| lines.len() == 1);
            self.say(to, about_game(game.as_ref()), Facts::ResultReceipt { lines });
        }
    }

    fn receipt(&self, event: &Event) -> Option<(Recipient, ReceiptLine, Option<GameId>)> {
        let (game, report, effect) = match event {
            Event::ResultReported { game, report } => (game, report, Effect::Entered),
            Event::ResultRepeated { game, report } => (game, report, Effect::Known),
            Event::ResultContested { game, report } => (game, report, Effect::Contested),
            Event::ResultConfirmed { game, report: Some(report), .. } => {
                (game, report, Effect::Stands)
            }
            Event::ResultRefused { from, game, refusal } => {
                let effect = Effect::Refused(refusal.clone());
                let line = ReceiptLine { game: game.clone(), report: None, effect };
                return Some((correspondent(from), line, None));
            }
            _ => return None,
        };
        let to = self.state.member_of(game, report.by)?;
        let line = ReceiptLine { game: game.to_string(), report: Some(report.clone()), effect };
        Some((Recipient::Player(to.clone()), line, Some(game.clone())))
    }

    fn tell(&mut self, event: &Event, events: &[Event]) {
        match event {
            Event::PaymentReminded { event, member, entries, .. } => {
                self.remind(event, member, entries);
            }
            Event::SectionFormed { section, adopted: false, .. } => {
                let facts = Facts::Assignment { section: section.clone(), takes_over: false };
                self.tell_section(section, &facts);
            }
            Event::ResultReported { .. }
            | Event::ResultConfirmed { .. }
            | Event::ResultDisputed { .. }
            | Event::ResultRuled { .. } => self.tell_result(event),
            Event::SectionCompleted { section } => {
                self.tell_section(section, &Facts::SectionComplete { section: section.clone() });
            }
            Event::EntryAdvanced { .. }
            | Event::EntryEliminated { .. }
            | Event::AwardGiven(_)
            | Event::PrizesAwarded(_) => self.tell_honour(event),
            Event::MembershipReminded(_)
            | Event::AddressChanged(_)
            | Event::LeaveGranted(_)
            | Event::PlayerDied { .. }
            | Event::SeatTaken(_)
            | Event::AdjudicationAsked { .. }
            | Event::ComplaintChecked(_)
            | Event::OverstepWarned(_)
            | Event::DaysCharged(_)
            | Event::EntryTakenBack(_)
            | Event::Undone(_) => self.tell_act(event, events),
            Event::MailNotUnderstood { from, why, read, answered: true } => {
                let facts = Facts::NotUnderstood { why: *why, read: read.clone() };
                self.say(correspondent(from), About::default(), facts);
            }
            Event::SummaryDue { .. } | Event::LinesHeld(_) | Event::LinesRead(_) => {
                self.tell_director(event);
            }
            // Told above in one letter with others, or nobody's business but the books'.
            Event::EntryFinished { .. }
            | Event::EntryPassedOver { .. }
            | Event::EntryBroughtForward { .. }
            | Event::ScoreCarried(_)
            | Event::AssignedFixed(_)
            | Event::AwardTakenBack(_)
            | Event::CreditUsed(_)
            | Event::KeptApart(_)
            | Event::PlayersMerged(_)
            | Event::PlayerForgotten(_)
            | Event::MoneyMoved(_)
            | Event::PlayerListed(_)
            | Event::EntryReceived { .. }
            | Event::EntryRenumbered { .. }
            | Event::EntryAccepted { .. }
            | Event::EntryRefused { .. }
            | Event::EntryCarriedForward { .. }
            | Event::EntryDeclined { .. }
            | Event::PaymentReceived { .. }
            | Event::PaymentRefunded(_)
            | Event::EntryPaid { .. }
            | Event::SectionFormed { .. }
            | Event::ColorsAdopted { .. }
            | Event::MovePlayed { .. }
            | Event::MoveRepeated(_)
            | Event::MoveRefused { .. }
            | Event::RepliesDropped { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::WordRefused { .. }
            | Event::MailRead { .. }
            | Event::PetitionReceived { .. }
            | Event::AnswerRefused { .. }
            | Event::EntryWithdrawn { .. }
            | Event::ResultRepeated { .. }
            | Event::ResultContested { .. }
            | Event::ResultRefused { .. }
            | Event::QuestionAsked { .. }
            | Event::MailNotUnderstood { .. }
            | Event::MailHeldBack(_)
            | Event::OutageNoted(_)
            | Event::AlarmRaised(_)
            | Event::QuestionPut(_)
            | Event::QuestionAnswered { .. }
            | Event::LinesSettled(_)
            | Event::ItemOpened(_)
            | Event::ItemRuled { .. }
            | Event::SlotPassed { .. }
            | Event::Post(_)
            | Event::LetterResent { .. } => {}
        }
    }

    fn tell_result(&mut self, event: &Event) {
        match event {
            Event::ResultReported { game, report } => self.tell_opponent(game, report, None),
            Event::ResultConfirmed {
                game,
                report: Some(report),
                grounds: grounds @ (Grounds::OwnInterest | Grounds::Agreed | Grounds::Claimed),
                ..
            } => self.tell_opponent(game, report, Some(*grounds)),
            Event::ResultDisputed { game, first, second } => {
                let (first, second) = (first.clone(), second.clone());
                self.tell_both(game, &Facts::ResultDisputed { game: game.clone(), first, second });
            }
            Event::ResultRuled { game, outcome, reason, .. } if !outcome.how.is_forfeit() => {
                let (outcome, reason) = (*outcome, reason.clone());
                self.tell_both(game, &Facts::Ruling { game: game.clone(), outcome, reason });
            }
            _ => {}
        }
    }

    fn remind(&mut self, event: &TournamentId, member: &MemberId, entries: &[EntryId]) {
        let about = About { event: Some(event.clone()), ..About::default() };
        let facts = Facts::PaymentReminder { event: event.clone(), entries: entries.to_vec() };
        self.say(Recipient::Player(member.clone()), about, facts);
    }

    fn tell_section(&mut self, code: &SectionCode, facts: &Facts) {
        let state = self.state;
        let Some(section) = state.sections.get(code) else { return };
        let about = About {
            event: Some(section.tournament.clone()),
            section: Some(code.clone()),
            ..About::default()
        };
        for (seat, _) in section.each_seat() {
            if let Some(member) = state.member_at(section, seat) {
                self.say(Recipient::Player(member.clone()), about.clone(), facts.clone());
            }
        }
    }

    fn tell_opponent(&mut self, game: &GameId, report: &Report, stands: Option<Grounds>) {
        if let Some(member) = self.state.member_of(game, report.by.other()).cloned() {
            let report = report.clone();
            let facts = Facts::ResultReported { game: game.clone(), report, stands };
            self.say(Recipient::Player(member), about_game(Some(game)), facts);
        }
    }

    fn tell_both(&mut self, game: &GameId, facts: &Facts) {
        for side in [Side::White, Side::Black] {
            if let Some(member) = self.state.member_of(game, side).cloned() {
                self.say(Recipient::Player(member), about_game(Some(game)), facts.clone());
            }
        }
    }

    /// A question is answered by itself only where the mail brought nothing else: one mail, one answer.
    fn tell_questions(&mut self, events: &[Event]) {
        let is_general =
            |event: &&Event| matches!(event, Event::QuestionAsked { topic: Topic::Help, .. });
        // Of several questions the one about something in particular is answered; help is for the others.
        let (general, particular): (Vec<&Event>, Vec<&Event>) = events.iter().partition(is_general);
        for event in particular.into_iter().chain(general) {
            let Event::QuestionAsked { from, topic, section } = event else { continue };
            let to = correspondent(from);
            let answers = |n: &Notice| n.to == to && n.facts.name() != NoticeName::Receipt;
            if self.notices.iter().any(answers) {
                continue;
            }
            let about = About { section: section.clone(), ..About::default() };
            self.say(to, about, Facts::Help { topic: *topic, section: section.clone() });
        }
    }
}

fn correspondent(from: &Correspondent) -> Recipient {
    match &from.player {
        Some(member) => Recipient::Player(member.clone()),
        None => Recipient::Stranger(from.clone()),
    }
}

fn about_game(game: Option<&GameId>) -> About {
    About { section: game.map(|g| g.section.clone()), game: game.cloned(), ..About::default() }
}
