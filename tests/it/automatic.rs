//! Automatic mail and people: machines that say so by standard headers, machines that do not, and people who speak of
//! their holidays, of receipts and of lost mail.

use super::{mail::word, office::Office};

fn class(from: &str, head: &str, subject: &str, body: &str) -> String {
    let mail = format!(
        "From: {from}\nTo: knights@chess.example.org\nSubject: {subject}\n{head}Content-Type: text/plain; charset=utf-8\n\n\
         {body}\n"
    );
    let read = Office::new().read(mail.as_bytes());
    assert!(word(&read.class) == "person" || read.intents.is_empty(), "{subject}: {read:#?}");
    word(&read.class)
}

#[test]
fn machines_that_say_so_are_known() {
    for (head, expected) in [
        ("Auto-Submitted: auto-replied\n", "auto-reply"),
        ("Auto-Submitted: auto-generated (vacation)\n", "auto-reply"),
        ("Auto-Submitted: no\n", "person"),
        ("Precedence: auto_reply\n", "auto-reply"),
        ("Precedence: bulk\n", "list"),
        ("X-Autoreply: yes\n", "auto-reply"),
        ("X-Autorespond: \n", "auto-reply"),
        ("X-Auto-Response-Suppress: All\n", "auto-reply"),
        ("List-Id: <knights.example.org>\n", "list"),
        ("List-Unsubscribe: <mailto:x@example.org>\n", "list"),
        ("X-Loop: knights@chess.example.org\n", "own"),
        ("Return-Path: <>\n", "auto-reply"),
        ("Return-Path: <ann@example.org>\n", "person"),
        ("X-Priority: 3\nX-Mailer: x\n", "person"),
    ] {
        assert_eq!(
            class("ann@example.org", head, "Re: 19N04", "I resign in 19N04 1-2."),
            expected,
            "{head}"
        );
    }
    for from in
        ["MAILER-DAEMON@example.org", "no-reply@example.org", "Postmaster <postmaster@example.org>"]
    {
        assert_eq!(class(from, "", "19N04", "I resign in 19N04 1-2."), "auto-reply", "{from}");
    }
}

#[test]
fn machines_that_do_not_say_so_are_known_by_their_subjects() {
    for subject in [
        "Out of Office: [19N04] Your games",
        "Out of Office AutoReply: [19N04] Your games",
        "Automatic reply: [19N04] Your games",
        "Auto: [19N04] Your games",
        "Re: [19N04] Your games (Auto-Reply)",
        "Autoreply: Re: 19N04",
        "Ann Lee is out of the office.",
        "Abwesenheitsnotiz: [19N04] Your games",
        "Automatische Antwort: [19N04] Your games",
        "Réponse automatique : [19N04] Your games",
        "Absence du bureau : [19N04]",
        "Respuesta automática: [19N04] Your games",
        "Fuera de la oficina: [19N04]",
        "Risposta automatica: [19N04] Your games",
        "Fuori sede: [19N04]",
        "Resposta automática: [19N04] Your games",
        "Automatisch antwoord: [19N04] Your games",
        "Automatyczna odpowiedź: [19N04] Your games",
        "Automatická odpověď: [19N04] Your games",
        "Automatisk svar: [19N04] Your games",
        "Autosvar: [19N04]",
        "Automatiskt svar: [19N04] Your games",
        "Automaattinen vastaus: [19N04] Your games",
        "Automatikus válasz: [19N04] Your games",
        "Автоматический ответ: [19N04] Your games",
        "自動返信: [19N04]",
        "自动回复: [19N04]",
        "Read: [19N04] Your games",
        "Gelesen: [19N04] Your games",
        "Lu : [19N04] Your games",
        "Leído: [19N04] Your games",
        "Letto: [19N04] Your games",
        "Přečteno: [19N04] Your games",
    ] {
        assert_eq!(
            class("ann@example.org", "", subject, "I am away. Result: 1-0"),
            "auto-reply",
            "{subject}"
        );
    }
    for subject in [
        "[Ticket#2019112] Your request",
        "Your request [#123] has been received",
        "We have received your message",
    ] {
        let body = "Thank you. A support ticket has been opened.";
        assert_eq!(class("help@example.net", "", subject, body), "auto-reply", "{subject}");
    }
}

#[test]
fn machines_that_do_not_say_so_are_known_by_their_words() {
    for (subject, body) in [
        (
            "Re: [19N04] Your games",
            "This is an automatic reply. I am out of the office until 14 June.",
        ),
        (
            "Re: [19N04] Your games",
            "Thank you for your email. I am out of the office until 14 June with limited access to e-mail. \
             For urgent matters please contact my assistant.",
        ),
        ("Vacation", "I am on vacation until 14 June."),
        ("Vacaciones", "Estaré de vacaciones hasta el 3 de junio."),
        (
            "Abwesenheit",
            "Ich bin bis 14. Juni nicht im Büro. In dringenden Fällen: meine Vertretung.",
        ),
        (
            "AW: [19N04] Your games",
            "Vielen Dank für Ihre Nachricht. Ich bin im Urlaub und ab 14. Juni wieder erreichbar. Ihre Nachricht wird \
             nicht weitergeleitet.",
        ),
        (
            "RE: x",
            "Je suis en congé jusqu'au 14 juin. En cas d'urgence, contactez le bureau. À mon retour je vous lirai.",
        ),
        ("Re: x", "Dit is een automatisch antwoord."),
        ("Odp: x", "To jest automatyczna odpowiedź."),
        ("Re: x", "Это автоматический ответ. Я в отпуске."),
        ("Re: x", "Please click here to confirm that you are human. Your mail waits until then."),
        ("Please confirm your message", "Click the link below to deliver your mail."),
        ("Re: x", "Your message was displayed on 3 June."),
    ] {
        assert_eq!(class("ann@example.org", "", subject, body), "auto-reply", "{subject}: {body}");
    }
}

#[test]
fn people_who_speak_of_holidays_and_machines_are_people() {
    for (subject, body) in [
        (
            "Leave",
            "I am on vacation from June 1 to June 14. Please grant me leave in all my games.",
        ),
        ("Vacation June 1-14", "I will be away in June, no moves in 19N04 until the 14th."),
        ("Re: [19N04] Your games", "I was out of the office, sorry. 19N04 1-2: 1-0"),
        ("Re: 19N04", "When I return from my holiday I will answer. Thank you for your message."),
        (
            "Urlaub",
            "Ich bin im Urlaub vom 1. bis 14. Juni, bitte die Bedenkzeit in meinen Partien anhalten.",
        ),
        (
            "Re: 19N04",
            "I got an automatic reply from Ortiz. What shall I do? He is on vacation, it seems.",
        ),
        ("Your letter", "I have read your letter. Thank you for your email."),
        ("Re: Entry received", "Thanks. Is the fee still 25.00?"),
        (
            "Delivery failure",
            "My letter to Ortiz could not be delivered. Is her address still right?",
        ),
        (
            "Fwd: Undelivered Mail Returned to Sender",
            "My move to #2 came back, user unknown. What now?",
        ),
        ("Reading: 19N04", "I won against #2."),
        ("Deleted by mistake", "I deleted your mail, please send it again."),
        ("Vacation is over", "Back again, my games can go on. 15. Bg5"),
    ] {
        assert_eq!(class("ann@example.org", "", subject, body), "person", "{subject}: {body}");
    }
}
