//! Rules 2, 3 and 6: the sums. In a section as many points are given as games were won or drawn, a section is complete
//! when its games are, and the points that an event names are those of the games.

use super::{Case, Found, Ledger};
use crate::domain::{event::Event, ids::SectionCode, points::Score};
use std::collections::BTreeSet;

pub(super) fn check(case: &Case, whole: &Ledger<'_>, found: &mut Found) {
    let mut ledger = Ledger::default();
    for transaction in &case.transactions {
        let day = case.day(transaction);
        for event in &transaction.events {
            ledger.follow(day, event);
        }
        for event in &transaction.events {
            match event {
                Event::EntryAdvanced { entry, section: Some(section), points, .. }
                | Event::EntryEliminated { entry, section: Some(section), points } => {
                    let own = ledger.score(section, entry).map(|(halves, _)| halves);
                    if own != Some(points.halves) {
                        let own =
                            own.map_or("nothing".to_owned(), |halves| format!("{halves} halves"));
                        found.wrong(
                            day,
                            format!("{entry} is said to have {points} in {section}, and has {own}"),
                        );
                    }
                }
                Event::SectionCompleted { section }
                    if ledger.sections.get(section).is_none_or(|s| !s.is_settled()) =>
                {
                    let sentence = format!("{section} is called complete and has games that run");
                    found.wrong(day, sentence);
                }
                _ => {}
            }
        }
        let touched: BTreeSet<_> = transaction.events.iter().filter_map(decided).collect();
        for section in touched {
            let line = ledger.sections.get(section);
            if line.is_some_and(|line| line.is_settled() && !line.complete) {
                found.wrong(
                    day,
                    format!("all games of {section} are settled and it is not complete"),
                );
            }
        }
    }
    for (section, line) in &whole.sections {
        let given: u16 = line.each().map(|(seat, _)| line.score(seat).0).sum();
        let games = line.games.values().flatten();
        let due = games.filter(|o| o.result != Score::BothLose).count() * 2;
        if usize::from(given) != due {
            found.wrong(
                case.last_day,
                format!("{section} gives {given} half points for games worth {due}"),
            );
        }
    }
}

/// Returns the section in which an event gives a game its outcome.
const fn decided(event: &Event) -> Option<&SectionCode> {
    match event {
        Event::ResultConfirmed { game, .. } | Event::ResultRuled { game, .. } => {
            Some(&game.section)
        }
        _ => None,
    }
}
