//! Applying what befell letters on their way, and addresses (Rule 10).

use crate::domain::{
    docket::{Item, ItemKind},
    event::Event,
    ids::LetterId,
    post::{AddressNews, Failing, Lost, Post, PostEvent, Undelivered},
    state::State,
};
use chrono::NaiveDate;

/// Books what happened.
pub(super) fn post(state: &mut State, event: &Event) {
    let happened = match event {
        Event::Post(happened) => happened,
        Event::LetterResent { letter } => return sent_again(state, *letter),
        _ => return,
    };
    match happened {
        PostEvent::Undelivered(told) => lose(state, told),
        PostEvent::Redirected(redirected) => {
            if let Some(lost) = state.post.lost.get_mut(&redirected.letter) {
                lost.to.clone_from(&redirected.to);
                lost.again = None;
            }
        }
        PostEvent::Delivered(delivered) => {
            if let Some(lost) = state.post.lost.get_mut(&delivered.letter) {
                lost.until = Some(delivered.on);
            }
        }
        PostEvent::AddressFailed(AddressNews { member, address, on }) => {
            state.post.failed.insert((member.clone(), address.to_lowercase()), *on);
        }
        PostEvent::AddressGood(AddressNews { member, address, on }) => {
            let key = (member.clone(), address.to_lowercase());
            state.post.failed.remove(&key);
            run_again(&mut state.post, &key.1, |lost| lost.member == *member, *on);
        }
    }
}

/// A letter that waited to be sent again does not wait any more.
fn sent_again(state: &mut State, letter: LetterId) {
    if let Some(lost) = state.post.lost.get_mut(&letter) {
        lost.again = None;
    }
}

fn lose(state: &mut State, told: &Undelivered) {
    if matches!(told.how, Failing::Delayed | Failing::Known) {
        return;
    }
    let new = || Lost { member: told.member.clone(), since: told.on, ..Lost::default() };
    let lost = state.post.lost.entry(told.letter).or_insert_with(new);
    let add = |list: &mut Vec<String>, address: &Option<String>| {
        if let Some(address) = address.as_deref().map(str::to_lowercase)
            && !list.contains(&address)
        {
            list.push(address);
        }
    };
    lost.to.clone_from(&told.address);
    lost.clock.clone_from(&told.clock);
    lost.until = None;
    lost.again = (told.how == Failing::Passing).then_some(told.on);
    if told.how.is_final() {
        add(&mut lost.tried, &told.address);
        add(&mut lost.named, &told.named);
    }
}

/// The director has seen to an item, or it came to rest by itself: the clocks of its letters run again.
pub(super) fn seen_to(post: &mut Post, item: &Item, on: NaiveDate) {
    if item.kind != ItemKind::LetterFailed || item.about.letter.is_none() {
        return;
    }
    if let Some(address) = &item.about.address {
        run_again(post, address, |lost| lost.member == item.about.player, on);
    }
}

fn run_again(post: &mut Post, address: &str, of: impl Fn(&Lost) -> bool, on: NaiveDate) {
    let of_address = |lost: &&mut Lost| of(lost) && lost.tried.iter().any(|a| a == address);
    for lost in post.lost.values_mut().filter(of_address) {
        lost.until.get_or_insert(on);
    }
}
