//! Rule 7: the director decides, and a flood must not keep him from it. A mail beyond a cap is kept and answered by
//! nobody; one docket item for each cap stands for all of them, names the first senders and counts the rest. He is told
//! at once, once a day for each cap.

use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{Item, ItemKind},
    event::Event,
    flood::{Beyond, Flood, HeldBack},
};

/// How many senders the item names.
const NAMED: usize = 10;

/// Holds a mail back.
pub(in crate::domain) fn hold_back(decision: &mut Decision<'_>, beyond: &Beyond) {
    let Beyond { cap, from, mail } = beyond;
    let state = decision.state;
    let sender = from.address.as_deref().unwrap_or("Nobody that it names");
    let line = |sender: &str| format!("{sender} wrote, mail {mail} first.");
    let of_cap = |item: &&Item| item.flood.as_ref().is_some_and(|flood| flood.cap == *cap);
    let item = match state.open_of_kind(ItemKind::Flood).find(of_cap) {
        Some(item) => {
            name(decision, item, sender, line(sender));
            item.item
        }
        None => decision.open(
            ItemKind::Flood,
            Matter {
                rule: 7,
                choices: choices(&["answered", "dismiss"]),
                evidence: vec![cap.words().to_owned(), line(sender)],
                flood: Some(Box::new(Flood { cap: *cap, mails: 0 })),
                ..Matter::default()
            },
        ),
    };
    let today = decision.now.today;
    let told = state.flood_alerts.get(cap).is_some_and(|on| *on >= today);
    let alert = (!told).then_some(today);
    decision.push(Event::MailHeldBack(HeldBack { cap: *cap, item, alert }));
}

/// Names one more sender, where he is not named yet and not too many are.
fn name(decision: &mut Decision<'_>, item: &Item, sender: &str, line: String) {
    let named = item.evidence.iter().skip(1);
    let known = named.clone().any(|line| line.split(' ').next() == Some(sender));
    if !known && named.count() < NAMED {
        let mut amended = item.clone();
        amended.evidence.push(line);
        decision.push(Event::ItemOpened(amended));
    }
}
