//! Rule 10: time complaints. One is checked before anybody is written to: by the rule set of the day of the complaint,
//! from so many days after the first sending on, and only after a repeat; days on which the opponent's clock stood do
//! not count. A complaint that comes too early never reaches the docket: its sender is told the first day. What the
//! director makes of one that does is `granted.rs`.

use super::{forfeits, petitions, reflection, reflection::Standstill};
use crate::domain::{
    acts::Complaint,
    command::Petition,
    decide::{Decision, choices},
    event::Event,
    ids::GameId,
    intent::Intent,
    points::Side,
    readings::ComplaintDay,
    section::{Game, GameState, Section},
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};
use std::fmt::Write as _;

/// How many days ahead a first admissible day is looked for. Leave that lasts longer is for the director to see.
const AHEAD: usize = 800;
/// How many moves of the ledger the director is shown; all of them stand in `show game`.
const SHOWN: usize = 12;

/// A complaint that can be checked.
struct Case<'a> {
    tournament: &'a Tournament,
    section: &'a Section,
    id: GameId,
    /// Whose opponent is said to be late.
    by: Side,
    /// The day of the first sending.
    sent: NaiveDate,
    /// Who says so.
    source: &'static str,
    repeated: Option<NaiveDate>,
    still: Vec<Standstill>,
    today: NaiveDate,
}

/// Takes a player's time complaint (Rule 10): a premature one is answered, an admissible one waits for the director with
/// the days of the game, and one that cannot be checked with what is missing.
pub(super) fn receive(decision: &mut Decision<'_>, petition: &Petition) {
    let Some((tournament, id, by)) = place(decision, petition) else {
        petitions::file(decision, petition, petitions::Findings::default());
        return;
    };
    let Some(case) = Case::of(decision, petition, tournament, id, by) else {
        let evidence = vec![
            "It cannot be checked: it does not say when the move was sent, and the books have no \
             unanswered move of the player. The day of the first sending and of the repeat are \
             missing (Rule 10)."
                .to_owned(),
        ];
        let findings = petitions::Findings { evidence, ..petitions::Findings::default() };
        petitions::file(decision, petition, findings);
        return;
    };
    let first = case.first_day();
    let waits = first.is_some_and(|day| day > case.today);
    if let Some(first) = first.filter(|_| waits || case.repeated.is_none()) {
        return decision.push(Event::ComplaintChecked(Complaint {
            from: petition.from.clone(),
            game: case.id,
            premature_until: Some(first),
            repeat_first: case.repeated.is_none(),
            item: None,
            sent: Some(case.sent),
        }));
    }
    put(decision, petition, &case);
}

/// Returns the game that a complaint is about, where it runs and its sender plays in it.
fn place<'a>(
    decision: &Decision<'a>,
    petition: &Petition,
) -> Option<(&'a Tournament, GameId, Side)> {
    let state = decision.state;
    let id = petition.intent.game()?.id();
    let (section, game) = state.game(&id)?;
    let by = state.side_of(&id, petition.from.player.as_ref()?)?;
    let tournament = decision.rules.tournaments.get(&section.tournament)?;
    (game.state == GameState::Running).then_some((tournament, id, by))
}

impl<'a> Case<'a> {
    fn of(
        decision: &Decision<'a>,
        petition: &Petition,
        tournament: &'a Tournament,
        id: GameId,
        by: Side,
    ) -> Option<Self> {
        let Intent::TimeComplaint { sent, repeated, .. } = &petition.intent else { return None };
        let (state, today) = (decision.state, decision.now.today);
        let (section, game) = state.game(&id)?;
        let known = last_move(game, by);
        let claimed = sent.filter(|day| *day <= today);
        let (sent, source) = match (claimed, known) {
            (Some(claimed), _) => (claimed, "by the complaint"),
            (None, Some((sent, _))) => (sent, "by the books"),
            (None, None) => return None,
        };
        let repeated = repeated.or(known.and_then(|(_, repeated)| repeated));
        let repeated = repeated.filter(|day| sent <= *day && *day <= today);
        let still = reflection::standstills(state, &id);
        Some(Self { tournament, section, id, by, sent, source, repeated, still, today })
    }

    /// Tells whether the complaint may be made on a day. The day of the act chooses the rule set, so that one that was
    /// admissible under the older and was not made is judged by the newer from that one's first day on (Rule 10).
    fn is_admissible(&self, day: NaiveDate) -> bool {
        let Some(clock) = self.tournament.clock_on(day) else { return true };
        let late = self.by.other();
        let (waited, _) = reflection::days_between(self.sent, day, late, &self.still);
        match self.tournament.readings.complaint_day {
            ComplaintDay::SentPlusDays => waited >= u32::from(clock.complaint_from_day),
        }
    }

    /// Returns the first day from today on on which it may be made.
    fn first_day(&self) -> Option<NaiveDate> {
        self.today.iter_days().take(AHEAD).find(|day| self.is_admissible(*day))
    }

    /// Returns what was found, a sentence each.
    fn evidence(&self, decision: &Decision<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let Self { sent, source, today, .. } = self;
        if let Some(clock) = self.tournament.clock_on(*today) {
            lines.push(format!(
                "It is judged by the rule set that began on {}: admissible from day {} after the \
                 first sending, after a repeat (Rule 10).",
                clock.from, clock.complaint_from_day
            ));
            if let Some(repeated) = self.repeated {
                let from = *sent + Days::new(u64::from(clock.repeat_after_days));
                let early = if repeated < from { ", earlier than the rules let it be" } else { "" };
                lines.push(format!("The move was repeated on {repeated}{early}."));
            }
        }
        let (waited, out) = reflection::days_between(*sent, *today, self.by.other(), &self.still);
        let mut sent = format!("The move was sent on {sent} {source}: {waited} days ago");
        for (why, days) in &out {
            let _ = write!(sent, "; {days} taken out for {why}");
        }
        lines.push(sent + ".");
        lines.extend(self.ledger(decision));
        lines
    }

    fn ledger(&self, decision: &Decision<'_>) -> Vec<String> {
        let late = self.by.other();
        let state = decision.state;
        let ledger = reflection::ledger(self.tournament, state, &self.id, &[], self.today);
        let rows: Vec<_> = ledger.of(late).collect();
        let shown = rows.iter().skip(rows.len().saturating_sub(SHOWN));
        let line = |row: &&reflection::Row| format!("Move {}: {}", row.number, row.why());
        let mut lines: Vec<String> = shown.map(line).collect();
        let over = if ledger.is_over(late) { "is overstepped" } else { "is not overstepped" };
        let warnings = self.warnings(decision);
        let limit = self.limit();
        lines.push(format!(
            "By the books the time {over}. Warnings of the late side so far: {warnings}; overstep \
             number {limit} loses the game (Rule 10)."
        ));
        lines
    }

    fn warnings(&self, decision: &Decision<'_>) -> usize {
        let late = (self.id.clone(), self.by.other());
        decision.state.oversteps.get(&late).map_or(0, Vec::len)
    }

    /// Returns which overstep loses; in finals it is another one (Rule 10).
    fn limit(&self) -> u8 {
        let terms = &self.tournament.forfeits;
        if self.tournament.is_final(self.section.round) {
            terms.oversteps_in_final
        } else {
            terms.oversteps
        }
    }
}

/// Returns the day on which a side's last move was sent and that of its repeat, where the opponent has not answered it.
fn last_move(game: &Game, by: Side) -> Option<(NaiveDate, Option<NaiveDate>)> {
    let last = game.days.last().filter(|_| game.record.next_side() != by)?;
    Some((last.sent.unwrap_or(last.reached), last.repeated))
}

fn put(decision: &mut Decision<'_>, petition: &Petition, case: &Case<'_>) {
    let findings = petitions::Findings {
        unproved: false,
        evidence: case.evidence(decision),
        choices: Some(choices(&["forfeit", "warn", "dismiss"])),
        recommended: Some(forfeits::lean(decision, &case.id, case.by.other()).to_owned()),
    };
    let filed = petitions::file(decision, petition, findings);
    let Some(petitions::Filed { item, .. }) = filed else { return };
    // More about a complaint that waits already is told to nobody but its sender.
    if !decision.state.docket.contains_key(&item) {
        decision.push(Event::ComplaintChecked(Complaint {
            from: petition.from.clone(),
            game: case.id.clone(),
            premature_until: None,
            repeat_first: false,
            item: Some(item),
            sent: Some(case.sent),
        }));
    }
}
