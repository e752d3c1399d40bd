//! How a person signs in to a provider, once: with a code that is typed in at another device (RFC 8628), or by a browser
//! that is sent back to us with a code (RFC 6749 section 4.1, with RFC 7636 and RFC 8252). What is shown and how it is
//! waited is the caller's. At the end the refresh token is in the keyring.

use super::{
    OAuth, client_secret,
    provider::{self, Answer, Trouble},
    refused, save,
};
use crate::{digest::Digest, fault::Fault, net::secret::Keyring};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use std::{fmt::Write as _, fs::File, io::Read as _, time::Duration};

/// The name of the grant of RFC 8628 section 3.4.
const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// How long is waited between two questions where the provider does not say (RFC 8628 section 3.2), and by how much
/// longer each time it says so (section 3.5).
const PAUSE: Duration = Duration::from_secs(5);

/// The longest time that a code is waited for, whatever the provider says.
const LONGEST: Duration = Duration::from_mins(30);

/// What the person is shown, who signs in with another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Where to go.
    pub url: String,
    /// What to type in there.
    pub code: String,
    /// An address that has the code in it.
    pub complete: Option<String>,
    /// How long the code is good.
    pub lasts: Duration,
}

/// Signs in by the device flow. `show` is called once, `wait` between two questions.
///
/// # Errors
/// The provider refuses or is out of reach, the person says no or is too late, or the token cannot be saved.
pub fn by_device(
    oauth: &OAuth,
    keyring: &Keyring,
    show: &mut dyn FnMut(&Prompt),
    wait: &mut dyn FnMut(Duration),
) -> Result<(), Fault> {
    let url = oauth.device_url.as_deref().ok_or_else(|| no_address(oauth, "device_url"))?;
    let secret = client_secret(oauth, keyring)?;
    let form = [("client_id", oauth.client_id.as_str()), ("scope", &oauth.scope)];
    let begun = provider::post(url, &form, secret.as_ref()).map_err(|t| refused(oauth, t))?;
    let (prompt, device) = prompt(oauth, &begun)?;
    show(&prompt);
    let form =
        [("grant_type", DEVICE_GRANT), ("device_code", &device), ("client_id", &oauth.client_id)];
    let mut pause = begun.seconds("interval").unwrap_or(PAUSE).max(Duration::from_secs(1));
    let mut waited = Duration::ZERO;
    while waited < prompt.lasts {
        wait(pause);
        waited += pause;
        match provider::post(&oauth.token_url, &form, secret.as_ref()) {
            Ok(answer) => return keep(oauth, keyring, &answer),
            Err(Trouble::Refused { code, .. }) if code == "authorization_pending" => {}
            Err(Trouble::Refused { code, .. }) if code == "slow_down" => pause += PAUSE,
            // A network that fails for a moment does not end it; we ask less often (RFC 8628 section 3.5).
            Err(Trouble::Fault(_)) if waited + pause * 2 < prompt.lasts => pause *= 2,
            Err(trouble) => return Err(refused(oauth, trouble)),
        }
    }
    let late = Trouble::Refused { code: "expired_token".to_owned(), words: String::new() };
    Err(refused(oauth, late))
}

/// Returns what is shown, and the device's own code.
fn prompt(oauth: &OAuth, begun: &Answer) -> Result<(Prompt, String), Fault> {
    // Google says verification_url.
    let url = begun.text("verification_uri").or_else(|| begun.text("verification_url"));
    let shown = url.zip(begun.text("user_code")).zip(begun.text("device_code"));
    let ((url, code), device) = shown.ok_or_else(|| {
        let what = format!("{} gives no code to type in", oauth.name);
        Fault::passing(what, format!("check device_url in [oauth.{}]", oauth.name))
    })?;
    let one_line = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    let lasts = begun.seconds("expires_in").unwrap_or(LONGEST).min(LONGEST);
    let complete = begun.text("verification_uri_complete").map(one_line);
    let prompt = Prompt { url: one_line(url), code: one_line(code), complete, lasts };
    Ok((prompt, device.to_owned()))
}

/// A sign-in by a browser that has begun.
pub struct Journey {
    redirect: String,
    state: String,
    verifier: String,
}

/// What an address that a browser was sent to is to us.
pub enum Arrival {
    /// The provider's answer, with the code.
    Code(String),
    /// The provider's no.
    Refused(Fault),
    /// Nothing of ours: another page, or somebody who does not know what we have asked.
    Foreign,
}

impl Journey {
    /// Begins a sign-in. `redirect` is where the browser is sent back to: an address of this machine (RFC 8252
    /// section 7.3).
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn begin(redirect: &str) -> Result<Self, Fault> {
        let (state, verifier) = (random()?, random()?);
        Ok(Self { redirect: redirect.to_owned(), state, verifier })
    }

    /// Returns the address to open in a browser.
    ///
    /// # Errors
    /// The provider has none.
    pub fn url(&self, oauth: &OAuth) -> Result<String, Fault> {
        let missing = || no_address(oauth, "authorize_url");
        let mut url = oauth.authorize_url.clone().ok_or_else(missing)?;
        // RFC 7636 section 4.2.
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Digest::of(self.verifier.as_bytes()).0);
        let query = [
            ("response_type", "code"),
            ("client_id", &oauth.client_id),
            ("redirect_uri", &self.redirect),
            ("scope", &oauth.scope),
            ("state", &self.state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        for (key, value) in query {
            let mark = if url.contains('?') { '&' } else { '?' };
            let _ = write!(url, "{mark}{key}={}", escaped(value));
        }
        Ok(url)
    }

    /// Reads the address that the browser was sent to, whole or from its path on.
    pub fn arrival(&self, oauth: &OAuth, address: &str) -> Arrival {
        let query = address.trim().split_once('?').map_or("", |(_, query)| query);
        let query = query.split('#').next().unwrap_or_default();
        let value = |key: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let mut found = pairs.filter(|(k, _)| *k == key).map(|(_, v)| unescaped(v));
            found.next().filter(|value| !value.is_empty())
        };
        if value("state").as_deref() != Some(self.state.as_str()) {
            return Arrival::Foreign;
        }
        match (value("code"), value("error")) {
            (Some(code), None) => Arrival::Code(code),
            (_, error) => {
                let code = error.unwrap_or_default();
                let code = code.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(50);
                let code = code.collect();
                Arrival::Refused(refused(oauth, Trouble::Refused { code, words: String::new() }))
            }
        }
    }

    /// Exchanges the code for tokens and saves the one that lasts.
    ///
    /// # Errors
    /// The provider refuses or is out of reach, or the token cannot be saved.
    pub fn finish(self, oauth: &OAuth, keyring: &Keyring, code: &str) -> Result<(), Fault> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect),
            ("client_id", &oauth.client_id),
            ("code_verifier", &self.verifier),
        ];
        let secret = client_secret(oauth, keyring)?;
        let answer = provider::post(&oauth.token_url, &form, secret.as_ref());
        keep(oauth, keyring, &answer.map_err(|t| refused(oauth, t))?)
    }
}

fn keep(oauth: &OAuth, keyring: &Keyring, answer: &Answer) -> Result<(), Fault> {
    let token = answer.token("refresh_token").ok_or_else(|| {
        let what = format!("{} gives no refresh token, so the sign-in would not last", oauth.name);
        let remedy = format!(
            "add what the provider wants for that to [oauth.{}]: the scope offline_access, or \
             access_type=offline in authorize_url",
            oauth.name
        );
        Fault::passing(what, remedy)
    })?;
    save(oauth, keyring, &token)
}

fn no_address(oauth: &OAuth, key: &str) -> Fault {
    let name = &oauth.name;
    let what = format!("[oauth.{name}] has no {key}");
    Fault::passing(what, "add it; the provider's documents say what it is")
}

/// Returns 43 characters that nobody can guess (RFC 7636 section 4.1).
fn random() -> Result<String, Fault> {
    let mut bytes = [0; 32];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|e| Fault::passing(format!("no random bytes: {e}"), "look at /dev/urandom"))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns a text as it stands in a query (RFC 3986 section 2).
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => drop(write!(escaped, "%{byte:02X}")),
        }
    }
    escaped
}

/// Returns a text from a query.
fn unescaped(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let pair = digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2)));
        match (byte, pair) {
            (b'%', Some((high, low))) => {
                plain.extend(u8::try_from(high * 16 + low));
                at += 2;
            }
            (b'+', _) => plain.push(b' '),
            _ => plain.push(*byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_as_it_was_written() {
        for text in ["", "a b&c=d", "https://mail.example.org/?x#y", "Zürich %+", "100%"] {
            assert_eq!(unescaped(&escaped(text)), text);
        }
        assert_eq!(unescaped("a+b%zz%4"), "a b%zz%4");
    }
}
