//! What the director is told: his summary, what cannot wait for it, and what came of his own mails (Rule 7). A letter that
//! puts one matter alone before him is about that item, so that a choice alone answers it.

use super::Teller;
use crate::domain::{
    alarm::Matter,
    docket::{About, Item, ItemKind},
    event::Event,
    ids::ItemId,
    notice::{Facts, Recipient},
    post::PostEvent,
};

impl Teller<'_> {
    /// Tells the director what an event is for him.
    pub(super) fn tell_director(&mut self, event: &Event) {
        let (about, facts) = match event {
            Event::SummaryDue { on, since } => {
                let open: Vec<ItemId> = self.state.open_items.iter().copied().collect();
                (about_one(&open), Facts::DirectorSummary { on: *on, since: *since })
            }
            Event::LinesHeld(held) => {
                let about = About { mail: Some(held.mail.clone()), ..About::default() };
                (about, Facts::DirectorConfirm(held.clone()))
            }
            Event::LinesRead(read) => (About::default(), Facts::Transcript(read.clone())),
            _ => return,
        };
        self.say(Recipient::Director, about, facts);
    }

    /// What cannot wait for the summary: figures that cannot be right before or after they were announced, and a
    /// letter that reaches a player by no address of his.
    pub(super) fn alert(&mut self, events: &[Event]) {
        let urgent = events.iter().filter_map(|event| match event {
            Event::ItemOpened(item) if self.is_urgent(item, events) => Some(item.item),
            Event::MailHeldBack(held) => held.alert.map(|_| held.item),
            _ => None,
        });
        let items: Vec<_> = urgent.collect();
        let words = events.iter().filter_map(|event| match event {
            Event::AlarmRaised(alarm) => Some(alarm.words.iter().cloned()),
            _ => None,
        });
        let words: Vec<String> = words.flatten().collect();
        if !items.is_empty() || !words.is_empty() {
            let about = about_one(&items);
            self.say(Recipient::Director, about, Facts::DirectorAlert { items, words });
        }
    }

    fn is_urgent(&self, item: &Item, events: &[Event]) -> bool {
        match item.kind {
            ItemKind::StandingsUnsound | ItemKind::PrizesDiffer => true,
            // Where letter after letter is refused he is told once, and the docket has the rest.
            ItemKind::LetterFailed if self.letters_alarm_near(item) => false,
            ItemKind::LetterFailed => self.is_out_of_reach(item, events),
            _ => false,
        }
    }

    /// Tells whether the director was told on an item's day, give or take a zone's hours, that letters are refused.
    fn letters_alarm_near(&self, item: &Item) -> bool {
        let told = self.state.alarms.get(&Matter::Letters);
        told.is_some_and(|on| (*on - item.since.date_naive()).num_days().abs() <= 1)
    }

    /// Tells whether the last address of a player has just failed, or a letter cannot be written to one who has no other.
    /// Nobody is told by mail that mail does not reach himself: the director's own letters are no matter of this.
    fn is_out_of_reach(&self, item: &Item, events: &[Event]) -> bool {
        let player = item.about.player.as_ref().and_then(|m| self.state.players.get(m));
        let Some(player) = player else { return false };
        let Some(address) = &item.about.address else { return player.emails.len() < 2 };
        let fails = |event: &Event| {
            matches!(event, Event::Post(PostEvent::AddressFailed(news))
                if news.member.as_ref() == Some(&player.member) && news.address == *address)
        };
        events.iter().any(fails) && self.state.good_emails(player).next().is_none()
    }
}

/// Returns what a letter about items is about: the one item, where it is one.
fn about_one(items: &[ItemId]) -> About {
    let item = match items {
        [one] => Some(*one),
        _ => None,
    };
    About { item, ..About::default() }
}
