//! Who wrote a mail, and how far that is known. An address anybody can write; a signature of its domain is better,
//! whether our own server found it or we did; and a token that only this player got is best. What each is worth for
//! which act is `office/harm.rs`.

use super::{
    Desk, authres,
    message::{Address, Mail},
    understanding::{Assurance, Sender},
};
use crate::domain::{
    docket::About,
    ids::{LetterId, MemberId},
};

/// Returns the sender, and the players who may be meant where several share the address.
pub(super) fn of(
    mail: &Mail<'_>,
    answered: Option<&(LetterId, About)>,
    desk: &Desk<'_>,
    reasons: &mut Vec<String>,
) -> (Sender, Vec<MemberId>) {
    let Some(author) = &mail.author else { return (Sender::default(), Vec::new()) };
    let known: Vec<MemberId> = desk.state.players_at(&author.address).cloned().collect();
    let director = is_directors(&author.address, desk);
    let mut sender = Sender {
        address: Some(author.address.clone()),
        name: author.name.clone(),
        player: if known.len() == 1 { known.first().cloned() } else { None },
        assurance: assurance(mail, author, director || !known.is_empty(), desk),
        elsewhere: false,
    };
    let Some((letter, about)) = answered else { return shared(sender, known, reasons) };
    // The token proves whom we wrote to and nobody else: it does not make another player's address his.
    if let Some(player) = &about.player
        && (known.is_empty() && !director || known.contains(player))
    {
        sender.player = Some(player.clone());
        sender.assurance = Assurance::Token;
        sender.elsewhere = known.is_empty();
        reasons.push("It answers a letter that only this player got.".to_owned());
        if sender.elsewhere {
            reasons.push("It comes from an address that is not known as the player's.".to_owned());
        }
        return (sender, vec![player.clone()]);
    }
    // A stranger's letter has a token as well, and proves nothing about the director.
    let went_to = desk.letters.went_to(*letter).filter(|_| about.player.is_none());
    if director && went_to.is_some_and(|address| is_directors(&address, desk)) {
        reasons.push("It answers a letter that only the director got.".to_owned());
        sender.assurance = Assurance::Token;
    }
    shared(sender, known, reasons)
}

/// Where several players use one address, the game that the mail is about tells which of them wrote.
fn shared(
    sender: Sender,
    known: Vec<MemberId>,
    reasons: &mut Vec<String>,
) -> (Sender, Vec<MemberId>) {
    if known.len() > 1 {
        let address = sender.address.as_deref().unwrap_or_default();
        reasons.push(format!("{} players use the address {address}.", known.len()));
    }
    (sender, known)
}

fn is_directors(address: &str, desk: &Desk<'_>) -> bool {
    desk.house.director.iter().any(|own| own.eq_ignore_ascii_case(address))
}

fn assurance(mail: &Mail<'_>, author: &Address, known: bool, desk: &Desk<'_>) -> Assurance {
    match known {
        false => Assurance::Unknown,
        true if is_vouched_for(mail, &author.address, desk) => Assurance::Dkim,
        true => Assurance::Address,
    }
}

/// Tells whether the domain of the author's address vouches for the mail: by a signature that we verified (RFC 6376), or
/// that our own server says it did (RFC 8601).
fn is_vouched_for(mail: &Mail<'_>, address: &str, desk: &Desk<'_>) -> bool {
    let Some((_, domain)) = address.rsplit_once('@') else { return false };
    let found = desk.house.authserv_id.as_deref().map(|ours| {
        let fields = mail.every("authentication-results");
        authres::vouched(fields, ours)
    });
    let mut vouching = desk.signed_by.iter().chain(found.iter().flatten());
    vouching.any(|signer| authres::is_aligned(signer, domain))
}
