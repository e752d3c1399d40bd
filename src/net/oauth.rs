//! OAuth2 (RFC 6749): access tokens for mail servers that take no passwords. The refresh token lies in the keyring, where
//! the `login` command has put it; an access token is kept in memory until it runs out. How a provider is talked to
//! stands in `provider.rs`, how a person signs in in `signin.rs`.
//!
//! A provider may answer with another refresh token, which replaces the first. It goes to the home's `secrets/`, also
//! where the first came from systemd's credentials, which nobody can write. Then both are there, and the home's holds,
//! unless the credential is no longer the one it followed from: then the operator has put another in its place.

mod provider;
pub mod signin;

use super::secret::{self, Keyring};
use crate::{digest::Digest, fault::Fault};
use provider::{Answer, Trouble};
use secrecy::{ExposeSecret as _, SecretString};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// A provider and what we are to it. All of it is public but the secrets, which are names of the keyring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OAuth {
    /// The name that its secrets have in the keyring: `NAME.refresh`, and `NAME.client` where the provider wants one.
    pub name: String,
    /// The client's id.
    pub client_id: String,
    /// Where tokens are given.
    pub token_url: String,
    /// Where a device asks for its code (RFC 8628 section 3.1).
    pub device_url: Option<String>,
    /// Where a person signs in (RFC 6749 section 4.1.1).
    pub authorize_url: Option<String>,
    /// What is asked for.
    pub scope: String,
}

impl OAuth {
    /// Returns the name of the refresh token in the keyring.
    pub fn refresh_name(&self) -> String {
        format!("{}.refresh", self.name)
    }

    /// Returns the name of the client's secret in the keyring. Many clients have none.
    pub fn client_name(&self) -> String {
        format!("{}.client", self.name)
    }
}

/// How long before its end an access token is no longer shown: it must last for the connection that it opens.
const MARGIN: Duration = Duration::from_mins(1);

/// How long an access token is taken to be good where the provider does not say (RFC 6749 section 5.1).
const UNSAID: Duration = Duration::from_mins(5);

/// An access token in memory.
struct Held {
    access: SecretString,
    until: Instant,
    /// A refresh token that could not be saved, behind the one that it followed.
    unsaved: Option<(SecretString, SecretString)>,
}

/// What is held, by home and provider. It is the process's, so that mailbox and transport share a token; who waits here
/// waits for the other's answer from the provider and takes it.
static HELD: Mutex<BTreeMap<(PathBuf, String), Held>> = Mutex::new(BTreeMap::new());

/// Returns an access token. `fresh`: the last one was refused.
///
/// # Errors
/// Nobody has signed in yet, the provider refuses, or it is out of reach.
pub fn access_token(oauth: &OAuth, keyring: &Keyring, fresh: bool) -> Result<SecretString, Fault> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (keyring.folder.clone(), oauth.name.clone());
    if let Some(held) = held.get(&key).filter(|held| !fresh && Instant::now() < held.until) {
        return Ok(held.access.clone());
    }
    let unsaved = held.remove(&key).and_then(|held| held.unsaved);
    let new = refreshed(oauth, keyring, unsaved)?;
    let access = new.access.clone();
    held.insert(key, new);
    Ok(access)
}

/// Asks the provider for an access token with the refresh token (RFC 6749 section 6).
fn refreshed(
    oauth: &OAuth,
    keyring: &Keyring,
    unsaved: Option<(SecretString, SecretString)>,
) -> Result<Held, Fault> {
    // Another process of this home (`check`, `login`) must not use up the same token at the same time.
    let turn = File::open(&keyring.folder);
    let _turn = turn.and_then(|folder| folder.lock().map(|()| folder));
    let kept = refresh_token(oauth, keyring)?;
    let same = |a: &SecretString, b: &SecretString| a.expose_secret() == b.expose_secret();
    let unsaved = unsaved.filter(|(before, _)| same(before, &kept));
    let refresh = unsaved.as_ref().map_or(&kept, |(_, after)| after);
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh.expose_secret()),
        ("client_id", &oauth.client_id),
    ];
    let answer = provider::post(&oauth.token_url, &form, client_secret(oauth, keyring)?.as_ref());
    let answer = answer.map_err(|trouble| refused(oauth, trouble))?;
    let access = answer.token("access_token").ok_or_else(|| nonsense(oauth))?;
    let rotated = answer.token("refresh_token").filter(|new| !same(new, refresh));
    let unsaved = match rotated {
        None => unsaved,
        Some(new) => match save(oauth, keyring, &new) {
            Ok(()) => None,
            Err(fault) => {
                tracing::warn!("the new sign-in at {} holds until we stop: {fault}", oauth.name);
                Some((kept, new))
            }
        },
    };
    Ok(Held { access, until: Instant::now() + lasts(&answer), unsaved })
}

/// Returns how long an answer's access token is shown.
fn lasts(answer: &Answer) -> Duration {
    let whole = answer.seconds("expires_in").unwrap_or(UNSAID);
    whole.saturating_sub(MARGIN.min(whole / 2))
}

/// Saves a refresh token in the home, with the digest of the credential that it takes the place of.
pub(super) fn save(oauth: &OAuth, keyring: &Keyring, token: &SecretString) -> Result<(), Fault> {
    let name = oauth.refresh_name();
    let credential = secret::credential(&name).and_then(|path| fs::read(path).ok());
    let note = credential.map_or_else(String::new, |c| format!("instead of {}\n", digest(&c)));
    secret::write(keyring, &name, &format!("{}\n{note}", token.expose_secret()))
}

/// Returns the refresh token that holds.
fn refresh_token(oauth: &OAuth, keyring: &Keyring) -> Result<SecretString, Fault> {
    let name = oauth.refresh_name();
    let own = keyring.folder.join(&name);
    let credential = secret::credential(&name);
    if credential.is_none() && !own.exists() {
        let what = format!("nobody has signed in to {} yet", oauth.name);
        return Err(Fault::passing(what, sign_in(oauth)));
    }
    let follows = |path: &PathBuf| {
        let note = fs::read_to_string(&own).unwrap_or_default();
        let note = note.lines().nth(1).and_then(|line| line.strip_prefix("instead of "));
        note.is_none_or(|of| fs::read(path).is_ok_and(|bytes| digest(&bytes) == of))
    };
    match credential {
        Some(path) if !own.exists() || !follows(&path) => secret::read_file(&path),
        _ => secret::read_own(keyring, &name),
    }
}

fn digest(bytes: &[u8]) -> String {
    Digest::of(bytes.trim_ascii()).to_string()
}

fn client_secret(oauth: &OAuth, keyring: &Keyring) -> Result<Option<SecretString>, Fault> {
    let name = oauth.client_name();
    let is_there = secret::place(keyring, &name).exists();
    is_there.then(|| secret::read(keyring, &name)).transpose()
}

fn sign_in(oauth: &OAuth) -> String {
    format!("the director must sign in: knightmail login {}", oauth.name)
}

fn nonsense(oauth: &OAuth) -> Fault {
    let what = format!("{} gives no access token: its answer is not understood", oauth.name);
    Fault::passing(what, format!("check token_url in [oauth.{}]", oauth.name))
}

/// Says a provider's no in words that a person can act on (RFC 6749 section 5.2).
fn refused(oauth: &OAuth, trouble: Trouble) -> Fault {
    let name = &oauth.name;
    let (code, words) = match trouble {
        Trouble::Fault(fault) => return fault,
        Trouble::Refused { code, words } => (code, words),
    };
    let (why, remedy) = match code.as_str() {
        "invalid_grant" => (
            "no longer takes our sign-in",
            format!("the director must sign in again: knightmail login {name}"),
        ),
        "invalid_client" | "unauthorized_client" => (
            "does not know us",
            format!("check client_id in [oauth.{name}], and the file secrets/{name}.client"),
        ),
        "invalid_scope" => ("does not know the scope", format!("check scope in [oauth.{name}]")),
        "access_denied" => ("was told no", format!("sign in again: knightmail login {name}")),
        "expired_token" => {
            ("waited too long", format!("begin again and be quicker: knightmail login {name}"))
        }
        _ => ("gives no token", format!("look at [oauth.{name}] and the provider's documents")),
    };
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    Fault::passing(format!("{name} {why} ({code}{words})"), remedy)
}
