//! The log: one line for what a mail, a delivery or the director came to, with fields to search for. It names mails,
//! letters and docket items by number, and nobody's address. It is no record; that is the journal.

use crate::{
    domain::event::Event,
    mask::masked,
    store::transaction::{
        Cause, DeliveryOutcome, DeliveryRecord, MailCause, MailOutcome, Transaction,
    },
};
use tracing::{debug, field::display, info, warn};

/// Logs a transaction.
pub(super) fn tell(transaction: &Transaction) {
    let Transaction { seq, events, letters, .. } = transaction;
    let section = letters.iter().find_map(|letter| letter.about.section.as_ref()).map(display);
    let numbers: Vec<String> = letters.iter().map(|l| l.letter.to_string()).collect();
    let (numbers, dash) = (numbers.join(" "), if letters.is_empty() { "" } else { ": " });
    let letter = (!numbers.is_empty()).then_some(numbers.as_str());
    match &transaction.cause {
        Cause::Mail(cause) => {
            let MailCause { digest: mail, outcome, .. } = &**cause;
            match outcome {
                MailOutcome::Acted => {
                    info!(seq, %mail, section, letter, "a mail was acted on{dash}{numbers}");
                }
                MailOutcome::Held => {
                    info!(seq, %mail, section, letter, "a mail waits for the director");
                }
                MailOutcome::Ignored => debug!(seq, %mail, "a mail was ignored"),
                MailOutcome::Duplicate => debug!(seq, %mail, "a mail had come before"),
            }
        }
        Cause::Tick { job, slot } => {
            info!(seq, ?job, %slot, letter, "a job was done{dash}{numbers}");
        }
        Cause::Director { .. } => {
            info!(seq, section, letter, "an order was carried out{dash}{numbers}");
        }
        Cause::Delivery { outcomes } => outcomes.iter().for_each(|record| delivered(*seq, record)),
        Cause::OpenBooks => info!(seq, "the books were opened"),
        Cause::Program => info!(seq, letter, "something was noted about the program itself"),
    }
    for event in events {
        if let Event::ItemOpened(item) = event {
            let section = item.about.section.as_ref().map(display);
            warn!(seq, item = %item.item, kind = item.kind.text(), section, "the director is asked: {}", item.item);
        }
    }
}

fn delivered(seq: u64, record: &DeliveryRecord) {
    let letter = record.letter;
    match &record.outcome {
        DeliveryOutcome::Sent => debug!(seq, %letter, "a letter was sent"),
        DeliveryOutcome::Printed => debug!(seq, %letter, "a letter was printed"),
        DeliveryOutcome::Deferred(why) => info!(seq, %letter, "{letter} waits: {}", masked(why)),
        DeliveryOutcome::MaybeSent(why) => {
            warn!(seq, %letter, "{letter} may have been sent, and is tried again: {}", masked(why));
        }
        DeliveryOutcome::Refused(why) => {
            warn!(seq, %letter, "{letter} was refused: {}", masked(why));
        }
    }
}
