//! What befell letters and addresses, as sentences.

use crate::domain::post::{AddressNews, Failing, PostEvent, Undelivered};

/// Returns what happened as a sentence.
pub(super) fn sentence(event: &PostEvent) -> String {
    match event {
        PostEvent::Undelivered(told) => undelivered(told),
        PostEvent::Redirected(it) => match &it.to {
            Some(to) => format!("{} goes to {to} (Rule 10)", it.letter),
            None => format!("{} goes on paper (Rule 10)", it.letter),
        },
        PostEvent::Delivered(it) => {
            format!("{} counts as received on {} (Rule 10)", it.letter, it.on)
        }
        PostEvent::AddressFailed(news) => {
            format!("no letter goes to {} of {} any more (Rule 10)", news.address, whose(news))
        }
        PostEvent::AddressGood(news) => {
            format!("letters reach {} of {} again (Rule 10)", news.address, whose(news))
        }
    }
}

fn whose(news: &AddressNews) -> String {
    news.member.as_ref().map_or("the director".to_owned(), |member| format!("member {member}"))
}

fn undelivered(told: &Undelivered) -> String {
    let Undelivered { letter, address, status, said, mail, .. } = told;
    let address = address.as_deref().unwrap_or("paper");
    let what = match (told.how, mail) {
        (Failing::Delayed, _) => "is delayed",
        (Failing::Known, _) => "was told of again",
        (Failing::Passing, _) => "was not taken for now",
        (Failing::Letter | Failing::Address, Some(_)) => "came back",
        (Failing::Letter | Failing::Address, None) => "was refused",
    };
    let status = status.as_ref().map(|status| format!(" ({status})")).unwrap_or_default();
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    format!("{letter} to {address} {what}{status}{said}")
}
