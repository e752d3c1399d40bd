//! An account on a mail server: where it is, how the connection is secured, and how we prove who we are. Plain data; the
//! secrets stand elsewhere (`secret.rs`) and are read when they are needed, so that a changed password is known at the
//! next try.

use super::{
    oauth::{self, OAuth},
    secret::{self, Keyring},
};
use crate::fault::Fault;
use secrecy::SecretString;
use std::{fmt, net::IpAddr, path::PathBuf};

/// An account on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The server's name, which its certificate must have.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is secured.
    pub tls: Tls,
    /// A file of certificates (PEM) that is believed beside the system's: a club's own authority.
    pub ca: Option<PathBuf>,
    /// Who we are there, and how that is proved; none: the server wants no proof.
    pub login: Option<Login>,
}

/// How a connection is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// From the first byte (RFC 8314 section 3).
    Implicit,
    /// By STARTTLS; without it nothing is said.
    StartTls,
    /// Not at all: on this machine only.
    Off,
}

/// Who we are on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The name.
    pub user: String,
    /// How it is proved.
    pub proof: ProofKind,
}

/// How a name is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// A password, under this name in the keyring.
    Password(String),
    /// An OAuth2 access token in the way of Google and Microsoft (XOAUTH2).
    XOauth2(OAuth),
    /// An OAuth2 access token (RFC 7628).
    OauthBearer(OAuth),
}

/// A proof, ready to be shown.
pub enum Proof {
    /// A password.
    Password(SecretString),
    /// An access token, as XOAUTH2 takes it.
    XOauth2(SecretString),
    /// An access token, as OAUTHBEARER takes it.
    OauthBearer(SecretString),
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.login {
            Some(login) => write!(f, "{} on {}:{}", login.user, self.host, self.port),
            None => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl Account {
    /// Tells whether two accounts are one: the same person on the same server.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let same = |(one, two): (&Login, &Login)| one.user == two.user;
        self.host.eq_ignore_ascii_case(&other.host)
            && self.port == other.port
            && self.login.as_ref().zip(other.login.as_ref()).is_some_and(same)
    }
}

/// Tells whether a server's name is this machine's own, where nobody listens on the way.
pub fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

impl Login {
    /// Returns what an operator can do where a server does not take the proof.
    pub fn remedy(&self) -> String {
        match &self.proof {
            ProofKind::Password(name) => format!(
                "check `user` in knightmail.toml and the password in the secret `{name}`; some providers want a password \
                 of its own for each program"
            ),
            ProofKind::XOauth2(oauth) | ProofKind::OauthBearer(oauth) => format!(
                "sign in anew: knightmail login {}; and check that the provider lets the account be used by programs",
                oauth.name
            ),
        }
    }

    /// Returns the proof. `fresh`: the server has refused the last one, so that an access token is not taken from memory.
    ///
    /// # Errors
    /// There is no such secret, or the provider gives no token.
    pub fn proof(&self, keyring: &Keyring, fresh: bool) -> Result<Proof, Fault> {
        Ok(match &self.proof {
            ProofKind::Password(name) => Proof::Password(secret::read(keyring, name)?),
            ProofKind::XOauth2(oauth) => {
                Proof::XOauth2(oauth::access_token(oauth, keyring, fresh)?)
            }
            ProofKind::OauthBearer(oauth) => {
                Proof::OauthBearer(oauth::access_token(oauth, keyring, fresh)?)
            }
        })
    }
}
