//! What a client says when it proves who it is (SASL, RFC 4422): the same words in IMAP, POP3 and SMTP. The secrets in
//! them are handed on and kept nowhere.

use super::account::{Account, Login, Proof};
use secrecy::ExposeSecret as _;

/// The words of one mechanism.
pub struct Words {
    /// The mechanism's name.
    pub mechanism: &'static str,
    /// What is said first.
    pub first: String,
    /// What is said when the server explains a refusal in a second challenge, so that it may end the exchange.
    pub then: &'static str,
}

/// Returns the words for a proof.
pub fn words(account: &Account, login: &Login, proof: &Proof) -> Words {
    let user = &login.user;
    match proof {
        // RFC 4616.
        Proof::Password(password) => Words {
            mechanism: "PLAIN",
            first: format!("\0{user}\0{}", password.expose_secret()),
            then: "",
        },
        Proof::XOauth2(token) => Words {
            mechanism: "XOAUTH2",
            first: format!("user={user}\x01auth=Bearer {}\x01\x01", token.expose_secret()),
            then: "",
        },
        // RFC 7628 section 3.1. In the name, `=` and `,` stand for themselves no more.
        Proof::OauthBearer(token) => {
            let (name, token) =
                (user.replace('=', "=3D").replace(',', "=2C"), token.expose_secret());
            let (host, port) = (&account.host, account.port);
            Words {
                mechanism: "OAUTHBEARER",
                first: format!(
                    "n,a={name},\x01host={host}\x01port={port}\x01auth=Bearer {token}\x01\x01"
                ),
                then: "\x01",
            }
        }
    }
}

/// Takes a proof out of what a server says: some answer a command that they do not know with the command itself.
pub fn without(proof: &Proof, said: &str) -> String {
    let (Proof::Password(secret) | Proof::XOauth2(secret) | Proof::OauthBearer(secret)) = proof;
    said.replace(secret.expose_secret(), "(secret)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::account::{ProofKind, Tls};
    use secrecy::SecretString;

    #[test]
    fn each_mechanism_has_its_words() {
        let account = Account {
            host: "mail.example.org".to_owned(),
            port: 993,
            tls: Tls::Implicit,
            ca: None,
            login: None,
        };
        let proof = ProofKind::Password("mailbox".to_owned());
        let login = Login { user: "a=b@example.org".to_owned(), proof };
        let secret = || SecretString::from("s3cret");
        let said = |proof| words(&account, &login, &proof).first;
        assert_eq!(said(Proof::Password(secret())), "\0a=b@example.org\0s3cret");
        assert_eq!(
            said(Proof::XOauth2(secret())),
            "user=a=b@example.org\x01auth=Bearer s3cret\x01\x01"
        );
        assert_eq!(
            said(Proof::OauthBearer(secret())),
            "n,a=a=3Db@example.org,\x01host=mail.example.org\x01port=993\x01auth=Bearer s3cret\x01\x01"
        );
    }
}
