//! Mail that nobody wrote to us: our own, a machine's answer, a list's (RFC 3834, RFC 2919). It is never answered and
//! never read for meaning, even where it quotes a command: two machines that answer each other never stop.

use super::{Desk, identity, message::Mail, understanding::Class};

/// Subjects that responders write, in lower case, by the languages of the players.
const RESPONDERS: &[&str] = &[
    "out of office",
    "out of the office",
    "automatic reply",
    "auto reply",
    "auto-reply",
    "autoreply",
    "auto response",
    "autoresponse",
    "auto:",
    "automated response",
    "on vacation",
    "vacation reply",
    "away from my mail",
    "abwesenheit",
    "automatische antwort",
    "automatische antwoord",
    "automatisch antwoord",
    "afwezig",
    "réponse automatique",
    "absence du bureau",
    "absent du bureau",
    "respuesta automática",
    "fuera de la oficina",
    "vacaciones",
    "risposta automatica",
    "fuori sede",
    "fuori ufficio",
    "resposta automática",
    "fora do escritório",
    "autosvar",
    "automatiskt svar",
    "automatisk svar",
    "frånvaro",
    "fraværende",
    "fravær",
    "automaattinen vastaus",
    "poissa",
    "automatyczna odpowiedź",
    "poza biurem",
    "automatická odpověď",
    "mimo kancelář",
    "automatikus válasz",
    "házon kívül",
    "автоответ",
    "автоматический ответ",
    "отсутству",
    "自動返信",
    "不在",
    "自动回复",
    "外出",
];
/// Local parts of addresses that no person reads.
const MACHINES: &[&str] = &[
    "mailer-daemon",
    "postmaster",
    "no-reply",
    "noreply",
    "no_reply",
    "donotreply",
    "do-not-reply",
    "do_not_reply",
    "bounce",
    "bounces",
    "mail-daemon",
    "autoreply",
    "auto-reply",
];

/// Returns the class of a mail that no person wrote to us, with the reason; none where a person may have.
pub(super) fn class(
    mail: &Mail<'_>,
    message_id: Option<&str>,
    desk: &Desk<'_>,
) -> Option<(Class, String)> {
    own(mail, message_id, desk)
        .map(|why| (Class::Own, why))
        .or_else(|| answer(mail).map(|why| (Class::AutoReply, why)))
        .or_else(|| list(mail).map(|why| (Class::List, why)))
        .or_else(|| machine(mail).map(|why| (Class::AutoReply, why)))
}

fn own(mail: &Mail<'_>, message_id: Option<&str>, desk: &Desk<'_>) -> Option<String> {
    if mail.author.as_ref().is_some_and(|a| desk.house.is_ours(&a.address)) {
        return Some("It comes from our own address.".to_owned());
    }
    if message_id.is_some_and(|id| identity::own_token(id, desk).is_some()) {
        return Some("Its Message-ID is one of ours.".to_owned());
    }
    let looped = mail.every("x-loop").any(|v| desk.house.is_ours(v.trim()));
    looped.then(|| "It carries our own X-Loop.".to_owned())
}

fn answer(mail: &Mail<'_>) -> Option<String> {
    if let Some(value) = mail.field("auto-submitted")
        && !value.trim().to_lowercase().starts_with("no")
    {
        return Some("It says Auto-Submitted (RFC 3834).".to_owned());
    }
    for name in ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response-suppress"] {
        if mail.has(name) {
            return Some(format!("It carries {name}."));
        }
    }
    if precedence(mail).contains("auto_reply") {
        return Some("It says Precedence: auto_reply.".to_owned());
    }
    if mail.report.is_some() {
        return Some("It is a report (multipart/report).".to_owned());
    }
    let subject = mail.subject.to_lowercase();
    let subject = subject.trim();
    let responder = RESPONDERS
        .iter()
        .find(|words| subject.starts_with(**words) || words.len() > 8 && subject.contains(**words));
    responder.map(|words| format!("Its subject is a responder's: `{words}`."))
}

fn list(mail: &Mail<'_>) -> Option<String> {
    if mail.has_field_beginning("list-") || mail.has("mailing-list") || mail.has("x-mailing-list") {
        return Some("It came through a list.".to_owned());
    }
    let precedence = precedence(mail);
    let bulk = ["bulk", "junk", "list"].iter().any(|word| precedence.contains(word));
    bulk.then(|| format!("It says Precedence: {precedence}."))
}

fn machine(mail: &Mail<'_>) -> Option<String> {
    if has_null_path(mail) {
        return Some(
            "Its reverse-path is empty, as that of a report or an automatic answer.".to_owned(),
        );
    }
    let author = mail.author.as_ref()?;
    is_machine(&author.address).then(|| format!("No person writes from {}.", author.address))
}

/// Tells whether the server that took the mail in noted an empty reverse-path (RFC 5321 section 4.5.5).
pub(super) fn has_null_path(mail: &Mail<'_>) -> bool {
    mail.field("return-path").is_some_and(|v| v.split_whitespace().collect::<String>() == "<>")
}

/// Tells whether an address is a mail system's, by its local part.
pub(super) fn is_machine(address: &str) -> bool {
    let local = address.split('@').next().unwrap_or_default().to_lowercase();
    let local = local.split('+').next().unwrap_or_default();
    MACHINES.contains(&local)
}

fn precedence(mail: &Mail<'_>) -> String {
    mail.field("precedence").map(|v| super::message::clean(&v.to_lowercase())).unwrap_or_default()
}
