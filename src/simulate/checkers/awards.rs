//! Rule 4: the certificate for whoever is out after the first round, the page to be framed for whoever is out after the
//! round that the file names, the pin for whoever has played all rounds without a forfeit; each once, and to nobody else.

use super::{Case, Found, Ledger};
use crate::domain::{
    event::Event,
    honours::Award,
    ids::{EntryId, SectionCode},
};
use chrono::NaiveDate;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Gift,
    Framing,
    Pin,
    Title,
}

pub(super) fn check(case: &Case, ledger: &Ledger<'_>, found: &mut Found) {
    let mut given: BTreeMap<(Kind, &EntryId), (usize, NaiveDate)> = BTreeMap::new();
    for (day, event) in case.events() {
        let Event::AwardGiven(award) = event else { continue };
        let kind = match &award.award {
            Award::GiftCertificate { amount, currency } => {
                let terms = &case.tournament;
                if Some(*amount) != terms.awards.gift_certificate
                    || *currency != terms.entry.currency
                {
                    found.wrong(
                        day,
                        format!("the certificate of {} is worth {amount}", award.entry),
                    );
                }
                Kind::Gift
            }
            Award::FramingCertificate => Kind::Framing,
            Award::Pin => Kind::Pin,
            Award::Title(_) => Kind::Title,
        };
        let count = given.entry((kind, &award.entry)).or_insert((0, day));
        count.0 += 1;
        if count.0 > 1 {
            found.wrong(day, format!("{} is given the same award twice ({kind:?})", award.entry));
        }
    }
    for entry in ledger.entries.keys() {
        for kind in [Kind::Gift, Kind::Framing, Kind::Pin] {
            let due = is_due(case, ledger, entry, kind);
            match (due, given.get(&(kind, *entry))) {
                (Some(true), None) if case.whole => {
                    found.wrong(
                        case.last_day,
                        format!("{entry} is owed an award ({kind:?}) and has none"),
                    );
                }
                (Some(false), Some((_, day))) => {
                    found.wrong(
                        *day,
                        format!("{entry} has an award that it has no right to ({kind:?})"),
                    );
                }
                _ => {}
            }
        }
    }
}

/// Tells whether an entry has a right to an award; none where the rules leave that open (a seat that changed hands).
fn is_due(case: &Case, ledger: &Ledger<'_>, entry: &EntryId, kind: Kind) -> Option<bool> {
    let line = &ledger.entries[entry];
    if line.substituted || line.withdrawn {
        return None;
    }
    let rounds = &case.tournament.rounds;
    let last = line.seats.keys().copied().max();
    let awards = &case.tournament.awards;
    Some(match kind {
        Kind::Gift => line.out.contains(&0) && awards.gift_certificate.is_some(),
        Kind::Framing => {
            let named = awards.framing_certificate_round.as_ref();
            let round = named.and_then(|name| rounds.iter().position(|round| round.name == *name));
            round.is_some_and(|round| line.out.contains(&round))
        }
        Kind::Pin => {
            let all = last.is_some_and(|last| last + 1 == rounds.len());
            awards.pin
                && line.finished
                && all
                && forfeits(ledger, entry, line.seats.values().copied()) == 0
        }
        Kind::Title => return None,
    })
}

/// Returns how many games an entry lost by forfeit in these sections.
pub(super) fn forfeits<'a>(
    ledger: &Ledger<'_>,
    entry: &EntryId,
    sections: impl Iterator<Item = &'a SectionCode>,
) -> usize {
    sections.filter_map(|section| ledger.score(section, entry)).map(|(_, forfeits)| forfeits).sum()
}
