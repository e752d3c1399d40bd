//! Who is told what of an entry that goes on, goes no further, or wins (Rules 3, 4 and 5).

use super::Teller;
use crate::domain::{
    docket::About,
    event::{Advance, Event},
    honours::{Award, AwardGiven, PrizeList},
    ids::{EntryId, SectionCode},
    notice::{Facts, Honour, Recipient},
    points::Points,
    progress,
};

impl Teller<'_> {
    /// Tells the entry's player what came of it.
    pub(super) fn tell_honour(&mut self, event: &Event) {
        match event {
            // That a score which was carried over from other books is enough is no news.
            Event::EntryAdvanced {
                section: None,
                why: Advance::Points | Advance::NextBest,
                ..
            } => {}
            Event::EntryAdvanced { entry, section, points, why } => {
                let (id, points, why) = (entry.clone(), *points, *why);
                let code = section.clone();
                let facts = match why {
                    Advance::Points | Advance::NextBest => {
                        Facts::Advancement { entry: id, section: code, points }
                    }
                    Advance::Ruling | Advance::Fill => {
                        Facts::Honour(Honour::FilledIn { entry: id, section: code, points, why })
                    }
                };
                self.tell_holder(entry, section.as_ref(), facts);
            }
            Event::EntryEliminated { entry, section, points } => {
                let (id, code, points) = (entry.clone(), section.clone(), *points);
                let facts = Honour::NotAdvancing { entry: id, section: code, points };
                self.tell_holder(entry, section.as_ref(), Facts::Honour(facts));
            }
            Event::AwardGiven(given) => self.tell_award(given),
            Event::PrizesAwarded(list) => self.tell_prizes(list),
            _ => {}
        }
    }

    fn tell_award(&mut self, AwardGiven { entry, award, section, .. }: &AwardGiven) {
        let (id, code) = (entry.clone(), section.clone());
        let honour = match award {
            Award::GiftCertificate { amount, currency } => {
                let (amount, currency) = (*amount, currency.clone());
                Honour::GiftCertificate { entry: id, section: code, amount, currency }
            }
            Award::FramingCertificate => {
                let points = self.last_points(entry);
                Honour::FramingCertificate { entry: id, section: code, points }
            }
            Award::Pin => Honour::Pin { entry: id },
            Award::Title(title) => Honour::Champion { entry: id, title: title.clone() },
        };
        self.tell_holder(entry, section.as_ref(), Facts::Honour(honour));
    }

    /// Returns what an entry scored in the round that it came to last.
    fn last_points(&self, id: &EntryId) -> Points {
        let entry = self.state.entries.get(id);
        let score = entry.and_then(|entry| {
            let last = progress::reached(self.state, entry).checked_sub(1)?;
            progress::score(self.state, entry, last)
        });
        score.map_or_else(Points::default, |score| score.points)
    }

    /// One letter to each entry that has a prize (Rule 5).
    fn tell_prizes(&mut self, list: &PrizeList) {
        for prize in list.places.iter().filter(|prize| !prize.amount.is_zero()) {
            let (event, section) = (list.event.clone(), list.section.clone());
            let honour = Honour::Prize { event, section, entry: prize.entry.clone() };
            self.tell_holder(&prize.entry, list.section.as_ref(), Facts::Honour(honour));
        }
    }

    /// Tells the player of an entry.
    fn tell_holder(&mut self, entry: &EntryId, section: Option<&SectionCode>, facts: Facts) {
        if let Some(held) = self.state.entries.get(entry) {
            let about = About {
                event: Some(held.tournament.clone()),
                entry: Some(entry.clone()),
                section: section.cloned(),
                ..About::default()
            };
            self.say(Recipient::Player(held.member.clone()), about, facts);
        }
    }
}
