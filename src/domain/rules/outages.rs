//! Rule 10: when the program itself was deaf, it proposes the credit: the days of the outage are taken out of every
//! clock that ran. The director decides; what he grants is read off the docket by `reflection.rs`. What was sent in those
//! days is judged by its postmark all the same.

use crate::domain::{
    alarm::{Alarm, Matter as AlarmMatter},
    decide::{Decision, Matter, choices},
    docket::{Item, ItemKind},
    event::Event,
    ids::SectionCode,
    outage::Outage,
    section::Section,
    state::State,
};

/// The choice that takes the days out.
pub const CREDIT: &str = "credit";
/// How many sections are named.
const NAMED: usize = 20;

/// Notes an outage, and asks the director about the clocks where any ran.
pub(in crate::domain) fn note(decision: &mut Decision<'_>, outage: &Outage) {
    let noted = |item: &Item| item.outage.as_ref().is_some_and(|known| known.from == outage.from);
    if decision.state.docket.values().any(|(item, _)| noted(item)) {
        // The program was stopped before it had written down that it knows.
        return;
    }
    let sections: Vec<SectionCode> =
        touched(decision.state, outage).map(|s| s.code.clone()).collect();
    let outage = Outage { sections, ..outage.clone() };
    decision.push(Event::OutageNoted(outage.clone()));
    if outage.sections.is_empty() {
        return;
    }
    let matter = Matter {
        rule: 10,
        choices: choices(&[CREDIT, "dismiss"]),
        recommended: Some(CREDIT.to_owned()),
        evidence: evidence(decision.state, &outage),
        outage: Some(Box::new(outage)),
        ..Matter::default()
    };
    decision.open(ItemKind::Outage, matter);
}

/// Returns the sections in which clocks ran.
fn touched<'a>(state: &'a State, outage: &Outage) -> impl Iterator<Item = &'a Section> {
    let last = outage.last;
    state.sections.values().filter(move |s| s.start <= last && running(s) > 0)
}

fn running(section: &Section) -> usize {
    section.games.iter().filter(|game| game.settled().is_none()).count()
}

fn evidence(state: &State, outage: &Outage) -> Vec<String> {
    let Outage { from, to, first, last, what, sections } = outage;
    let days = (*last - *first).num_days() + 1;
    let minute = "%Y-%m-%d %H:%M UTC";
    let games: usize =
        sections.iter().filter_map(|code| state.sections.get(code)).map(running).sum();
    let named: Vec<&str> = sections.iter().take(NAMED).map(|code| code.0.as_str()).collect();
    let more = match sections.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    vec![
        format!(
            "From {} to {} no mail reached us: {what}.",
            from.format(minute),
            to.format(minute)
        ),
        format!("It touches {games} running games, in {}{more}.", named.join(", ")),
        format!(
            "The credit takes {first} to {last}, {days} days, out of both players' time in all of \
             them; what was sent in those days counts by its postmark (Rule 10)."
        ),
    ]
}

/// Tells the director at once what is the matter with the program, once a day for each matter.
pub(in crate::domain) fn alarm(decision: &mut Decision<'_>, matter: AlarmMatter, words: &[String]) {
    let on = decision.now.today;
    if decision.state.alarms.get(&matter).is_none_or(|last| *last < on) {
        decision.push(Event::AlarmRaised(Alarm { matter, on, words: words.to_vec() }));
    }
}
