//! Who we are to the server (RFC 4954): PLAIN or LOGIN for a password, XOAUTH2 or OAUTHBEARER (RFC 7628) for an access
//! token. What is shown here stands in no error: a server's words are left out where they repeat it.

use super::session::{No, Session};
use crate::net::{
    ANSWER,
    account::{Account, Proof},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret as _, SecretString};

/// The longest proof that goes with the command itself; a longer one waits to be asked for (RFC 4954 section 4).
const INITIAL_CHARS: usize = 400;

/// Shows the proof.
///
/// # Errors
/// What the server says, or that it knows no way that we know; never the proof.
pub(super) async fn prove(
    session: &mut Session,
    account: &Account,
    user: &str,
    proof: &Proof,
) -> Result<(), No> {
    match proof {
        Proof::Password(password) => by_password(session, user, password).await,
        Proof::XOauth2(token) => {
            let words = format!("user={user}\x01auth=Bearer {}\x01\x01", token.expose_secret());
            by_words(session, "XOAUTH2", words, token).await
        }
        Proof::OauthBearer(token) => {
            let Account { host, port, .. } = account;
            let token_text = token.expose_secret();
            let words = format!(
                "n,a={user},\x01host={host}\x01port={port}\x01auth=Bearer {token_text}\x01\x01"
            );
            by_words(session, "OAUTHBEARER", words, token).await
        }
    }
}

async fn by_password(session: &mut Session, user: &str, password: &SecretString) -> Result<(), No> {
    if session.offers.proves("PLAIN") || !session.offers.proves("LOGIN") {
        let words = format!("\0{user}\0{}", password.expose_secret());
        return by_words(session, "PLAIN", words, password).await;
    }
    let hidden = |no: No| no.without(password);
    session.say("AUTH LOGIN", ANSWER).await.map_err(hidden)?;
    session.say(&STANDARD.encode(user), ANSWER).await.map_err(hidden)?;
    let password_words = STANDARD.encode(password.expose_secret());
    session.say(&password_words, ANSWER).await.map_err(hidden)?;
    Ok(())
}

async fn by_words(
    session: &mut Session,
    mechanism: &str,
    words: String,
    secret: &SecretString,
) -> Result<(), No> {
    if !session.offers.proves(mechanism) {
        let offered = session.offers.proofs();
        let text = format!("the server does not know {mechanism}; it offers {offered}");
        return Err(No::Refused { code: 504, text });
    }
    let hidden = |no: No| no.without(secret);
    let encoded = STANDARD.encode(words);
    let mut asked = if encoded.len() <= INITIAL_CHARS {
        session.say(&format!("AUTH {mechanism} {encoded}"), ANSWER).await.map_err(hidden)?
    } else {
        session.say(&format!("AUTH {mechanism}"), ANSWER).await.map_err(hidden)?;
        session.say(&encoded, ANSWER).await.map_err(hidden)?
    };
    if asked.has_code(334) {
        // Why a token is refused comes as a question; an empty answer brings the refusal itself (RFC 7628 section 3.2.3).
        let empty = if mechanism == "OAUTHBEARER" { "AQ==" } else { "" };
        asked = session.say(empty, ANSWER).await.map_err(hidden)?;
    }
    if asked.has_code(235) {
        return Ok(());
    }
    let text = format!("{} instead of 235", asked.code());
    Err(No::Refused { code: 500, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        net::{self, account::Tls, secret::Keyring},
        transport::smtp::Desk,
    };
    use std::{
        io::{BufRead as _, BufReader, Write as _},
        net::TcpListener,
        thread,
    };

    /// Proves a login to a server that answers the lines after EHLO with these; returns what it heard.
    fn prove_to(answers: &'static [&'static str], proof: &Proof) -> (Result<(), No>, Vec<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let stream = listener.accept().unwrap().0;
            let (mut lines, mut write) = (BufReader::new(&stream).lines(), &stream);
            let hello = "250-x\r\n250 AUTH XOAUTH2 OAUTHBEARER";
            write.write_all(b"220 x\r\n").unwrap();
            let answers = [hello, hello].into_iter().chain(answers.iter().copied());
            let heard = answers.map(|answer| {
                let line = lines.next().unwrap().unwrap();
                write.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
                line
            });
            heard.skip(2).collect()
        });
        let account =
            Account { host: "127.0.0.1".to_owned(), port, tls: Tls::Off, ca: None, login: None };
        let keyring = Keyring { folder: "nowhere".into() };
        let desk = Desk::new(account, 1, keyring, "knights@example.org".to_owned());
        let proved = net::runtime().unwrap().block_on(async {
            let mut session = Session::greet(&desk).await.unwrap();
            prove(&mut session, &desk.account, "ann@example.org", proof).await
        });
        (proved, server.join().unwrap())
    }

    fn decoded(line: &str) -> String {
        let word = line.rsplit(' ').next().unwrap();
        String::from_utf8(STANDARD.decode(word).unwrap()).unwrap()
    }

    #[test]
    fn a_token_is_shown_in_the_way_that_each_mechanism_wants() {
        let (proved, lines) = prove_to(&["235 welcome"], &Proof::XOauth2("tok".into()));
        assert!(proved.is_ok() && lines[0].starts_with("AUTH XOAUTH2 "));
        assert_eq!(decoded(&lines[0]), "user=ann@example.org\x01auth=Bearer tok\x01\x01");
        let (proved, lines) = prove_to(&["235 welcome"], &Proof::OauthBearer("tok".into()));
        let words = decoded(&lines[0]);
        assert!(
            proved.is_ok() && words.starts_with("n,a=ann@example.org,\x01host=127.0.0.1\x01port=")
        );
        assert!(words.ends_with("\x01auth=Bearer tok\x01\x01"), "{words:?}");
    }

    #[test]
    fn why_a_token_is_refused_is_asked_for_and_a_long_one_waits_to_be_asked_for() {
        let answers = &["334 eyJzdGF0dXMiOiI0MDEifQ==", "535 5.7.8 no"];
        for (proof, empty) in
            [(Proof::XOauth2("tok".into()), ""), (Proof::OauthBearer("tok".into()), "AQ==")]
        {
            let (proved, lines) = prove_to(answers, &proof);
            let refused =
                |no: &No| matches!(no, No::Refused { code: 535, text } if text == "535 5.7.8 no");
            assert!(proved.as_ref().is_err_and(refused), "{proved:?}");
            assert_eq!((lines.len(), lines[1].as_str()), (2, empty));
        }
        let long = "t".repeat(1500);
        let (proved, lines) =
            prove_to(&["334 ", "235 welcome"], &Proof::XOauth2(long.as_str().into()));
        assert!(proved.is_ok());
        assert_eq!(lines[0], "AUTH XOAUTH2");
        assert!(decoded(&lines[1]).contains(&long));
    }
}
