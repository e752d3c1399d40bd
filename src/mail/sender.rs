//! Who wrote a mail, and how far that is known. An address anybody can write; what our own server vouches for is
//! better, and a token that only this player got is best.

use super::{
    Desk,
    message::{Address, Mail},
    understanding::{Assurance, Sender},
};
use crate::domain::{docket::About, ids::MemberId};

/// Returns the sender, and the players who may be meant where several share the address.
pub(super) fn of(
    mail: &Mail<'_>,
    answered: Option<&About>,
    desk: &Desk<'_>,
    reasons: &mut Vec<String>,
) -> (Sender, Vec<MemberId>) {
    let Some(author) = &mail.author else { return (Sender::default(), Vec::new()) };
    let known: Vec<MemberId> = desk.state.players_at(&author.address).cloned().collect();
    let director = desk.house.director.iter().any(|a| a.eq_ignore_ascii_case(&author.address));
    let mut sender = Sender {
        address: Some(author.address.clone()),
        name: author.name.clone(),
        player: if known.len() == 1 { known.first().cloned() } else { None },
        assurance: assurance(mail, author, director || !known.is_empty(), desk),
    };
    if let Some(player) = answered.and_then(|about| about.player.as_ref())
        && (known.is_empty() && !director || known.contains(player))
    {
        reasons.push("It answers a letter that only this player got.".to_owned());
        sender.player = Some(player.clone());
        sender.assurance = Assurance::Token;
        return (sender, vec![player.clone()]);
    }
    if known.len() > 1 {
        reasons.push(format!("{} players use the address {}.", known.len(), author.address));
    }
    (sender, known)
}

fn assurance(mail: &Mail<'_>, author: &Address, known: bool, desk: &Desk<'_>) -> Assurance {
    match known {
        false => Assurance::Unknown,
        true if is_vouched_for(mail, &author.address, desk) => Assurance::Dkim,
        true => Assurance::Address,
    }
}

/// Tells whether our own server found a good signature of the author's domain (RFC 8601). Only the topmost result
/// under our server's name is believed; what stands below it, or under another name, the sender may have written.
fn is_vouched_for(mail: &Mail<'_>, address: &str, desk: &Desk<'_>) -> bool {
    let (Some(ours), Some((_, domain))) = (&desk.house.authserv_id, address.rsplit_once('@'))
    else {
        return false;
    };
    let results = mail.every("authentication-results").find(|value| {
        let id = value.split([';', ' ']).find(|word| !word.is_empty());
        id.is_some_and(|id| id.eq_ignore_ascii_case(ours))
    });
    results.is_some_and(|value| {
        let value = without_comments(&value);
        value.split(';').skip(1).any(|result| is_aligned_pass(result, domain))
    })
}

fn is_aligned_pass(result: &str, domain: &str) -> bool {
    let mut words = result.split_whitespace();
    let passed = words.next().is_some_and(|word| word.eq_ignore_ascii_case("dkim=pass"));
    passed
        && words.any(|word| {
            let signer = word.strip_prefix("header.d=").or_else(|| {
                word.strip_prefix("header.i=").map(|i| i.rsplit('@').next().unwrap_or_default())
            });
            signer.is_some_and(|signer| is_aligned(&signer.to_lowercase(), &domain.to_lowercase()))
        })
}

/// Tells whether a signer speaks for a domain: it is the domain, or one above it.
fn is_aligned(signer: &str, domain: &str) -> bool {
    let above = domain.strip_suffix(signer).is_some_and(|rest| rest.ends_with('.'));
    signer.contains('.') && (signer == domain || above)
}

/// Returns a value without what stands in brackets and quotes: a sender chooses some of it.
fn without_comments(value: &str) -> String {
    let (mut depth, mut quoted) = (0_usize, false);
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth == 0 && !quoted => text.push(c),
            _ => {}
        }
    }
    text
}
