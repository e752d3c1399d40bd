//! Who must be told what: from the events of one transaction to its notices. The words are the templates'.

mod play;

use super::{
    docket::About,
    event::{Correspondent, Event, Grounds, Topic},
    ids::{EntryId, GameId, MemberId, SectionCode, TournamentId},
    notice::{Effect, Facts, Notice, NoticeName, ReceiptLine, Recipient},
    points::Side,
    refusal::Refusal,
    section::{EntryState, Report},
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
    for event in events {
        teller.tell(event);
        teller.tell_word(event, events);
    }
    teller.tell_questions(events);
    teller.notices
}

struct Teller<'a> {
    state: &'a State,
    notices: Vec<Notice>,
}

impl Teller<'_> {
    fn say(&mut self, to: Recipient, about: About, facts: Facts) {
        self.notices.push(Notice { to, about, facts });
    }

    /// One letter for all entries of a player that this transaction received or decided about.
    fn tell_entries(&mut self, events: &[Event]) {
        let mut groups: Vec<(Recipient, TournamentId, Vec<EntryId>)> = Vec::new();
        let touched = events.iter().filter_map(|event| match event {
            Event::EntryReceived { entry, .. }
            | Event::EntryAccepted { entry }
            | Event::EntryRefused { entry, .. }
            | Event::EntryCarriedForward { entry, .. } => self.state.entries.get(entry),
            // Another number is told where it brings the entry before the director.
            Event::EntryRenumbered { entry, .. } => {
                self.state.entries.get(entry).filter(|e| e.state == EntryState::Docket)
            }
            _ => None,
        });
        for entry in touched {
            // Adopted entries are assigned already; their players were told long ago.
            if entry.state == EntryState::Assigned {
                continue;
            }
            let to = self.entrant(&entry.member, entry.from.as_ref());
            match groups.iter_mut().find(|g| g.0 == to && g.1 == entry.tournament) {
                Some((.., ids)) if ids.contains(&entry.id) => {}
                Some((.., ids)) => ids.push(entry.id.clone()),
                None => groups.push((to, entry.tournament.clone(), vec![entry.id.clone()])),
            }
        }
        let mut declined: Vec<(Recipient, &Refusal)> = Vec::new();
        for event in events {
            if let Event::EntryDeclined { from, refusal } = event {
                declined.push((correspondent(from), refusal));
            }
        }
        for (to, event, entries) in groups {
            let beyond = declined.extract_if(.., |(who, _)| *who == to);
            let beyond = beyond.map(|(_, refusal)| refusal.clone()).collect();
            self.tell_group(to, event, entries, beyond);
        }
        for (to, refusal) in declined {
            self.tell_declined(to, refusal);
        }
    }

    fn tell_group(
        &mut self,
        to: Recipient,
        event: TournamentId,
        entries: Vec<EntryId>,
        beyond: Vec<Refusal>,
    ) {
        let about = About {
            event: Some(event.clone()),
            entry: entries.first().cloned(),
            ..About::default()
        };
        let refusals: Vec<Refusal> =
            entries.iter().filter_map(|id| self.state.entries.get(id)?.refusal.clone()).collect();
        let facts = if refusals.len() == entries.len() {
            let mut each = refusals;
            each.extend(beyond);
            each.dedup();
            Facts::EntryRefused { event: Some(event), refusals: each }
        } else {
            Facts::EntryReceived { event, entries, beyond }
        };
        self.say(to, about, facts);
    }

    fn tell_declined(&mut self, to: Recipient, refusal: &Refusal) {
        // Nobody to tell: an entry that the director typed in.
        if to == Recipient::Stranger(Correspondent::default()) {
            return;
        }
        let facts = Facts::EntryRefused { event: None, refusals: vec![refusal.clone()] };
        self.say(to, About::default(), facts);
    }

    /// Who hears about an entry: the player, or whoever wrote for him from an address that is not in the books. The
    /// player's known address is not told to a stranger, nor is a stranger's mail answered to the player.
    fn entrant(&self, member: &MemberId, from: Option<&Correspondent>) -> Recipient {
        match from {
            Some(from) if from.address.is_some() && !self.is_known(member, from) => {
                correspondent(from)
            }
            _ => Recipient::Player(member.clone()),
        }
    }

    fn is_known(&self, member: &MemberId, from: &Correspondent) -> bool {
        let mut known = from.address.iter().flat_map(|a| self.state.players_at(a));
        known.any(|m| m == member)
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

    fn tell(&mut self, event: &Event) {
        match event {
            Event::PaymentReminded { event, member, entries, .. } => {
                self.remind(event, member, entries);
            }
            Event::SectionFormed { section, adopted: false, .. } => {
                self.tell_section(section, &Facts::Assignment { section: section.clone() });
            }
            Event::ResultReported { .. }
            | Event::ResultConfirmed { .. }
            | Event::ResultDisputed { .. }
            | Event::ResultRuled { .. } => self.tell_result(event),
            Event::SectionCompleted { section } => {
                self.tell_section(section, &Facts::SectionComplete { section: section.clone() });
            }
            Event::EntryAdvanced { entry, section, points, .. } => {
                let facts = Facts::Advancement {
                    entry: entry.clone(),
                    section: section.clone(),
                    points: *points,
                };
                self.tell_holder(entry, section, facts);
            }
            Event::MailNotUnderstood { from, why, read, answered: true } => {
                let facts = Facts::NotUnderstood { why: *why, read: read.clone() };
                self.say(correspondent(from), About::default(), facts);
            }
            Event::SummaryDue { on, since } => {
                let facts = Facts::DirectorSummary { on: *on, since: *since };
                self.say(Recipient::Director, About::default(), facts);
            }
            // Told above in one letter with others, or nobody's business but the books'.
            Event::PlayerListed(_)
            | Event::EntryReceived { .. }
            | Event::EntryRenumbered { .. }
            | Event::EntryAccepted { .. }
            | Event::EntryRefused { .. }
            | Event::EntryCarriedForward { .. }
            | Event::EntryDeclined { .. }
            | Event::PaymentReceived { .. }
            | Event::PaymentRefunded { .. }
            | Event::EntryPaid { .. }
            | Event::SectionFormed { .. }
            | Event::ColorsAdopted { .. }
            | Event::MovePlayed { .. }
            | Event::MoveRepeated { .. }
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
            | Event::QuestionPut(_)
            | Event::QuestionAnswered { .. }
            | Event::ItemOpened(_)
            | Event::ItemRuled { .. }
            | Event::SlotPassed { .. }
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
            Event::ResultRuled { game, outcome, reason, .. } => {
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

    fn tell_holder(&mut self, entry: &EntryId, section: &SectionCode, facts: Facts) {
        if let Some(held) = self.state.entries.get(entry) {
            let about = About {
                event: Some(held.tournament.clone()),
                entry: Some(entry.clone()),
                section: Some(section.clone()),
                ..About::default()
            };
            self.say(Recipient::Player(held.member.clone()), about, facts);
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
