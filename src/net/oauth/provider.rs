//! Talking to a provider: a form is posted, JSON comes back (RFC 6749 section 4.1.4 and 5). The only door to ureq. No
//! token stands in an error: what a provider says is shown in part, and not at all where it repeats what we sent.

use crate::{
    fault::Fault,
    net::{CONNECT, account::is_loopback, tls},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};
use ureq::{
    Agent, Error, Proxy,
    tls::{Certificate, RootCerts, TlsConfig},
};

/// Answers are a few hundred bytes, a few thousand where tokens are long.
const ANSWER_BYTES: u64 = 64 * 1024;

/// How much of a provider's own words is shown.
const WORDS_CHARS: usize = 200;

/// What a provider answered. It holds tokens, so that it cannot be printed.
pub(super) struct Answer(Map<String, Value>);

/// Why there is no answer.
pub(super) enum Trouble {
    /// The provider says no, by a word of RFC 6749 section 5.2 or RFC 8628 section 3.5.
    Refused {
        /// The word.
        code: String,
        /// What it adds, safe to show.
        words: String,
    },
    /// It is out of reach, or its answer is none.
    Fault(Fault),
}

impl Answer {
    /// Returns a text; none where it is missing or empty.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    /// Returns a token; none where it could not be one (RFC 6749 appendix A.12): it goes into lines of other protocols.
    pub(super) fn token(&self, key: &str) -> Option<SecretString> {
        let is_printable = |text: &&str| text.bytes().all(|b| (0x20..0x7f).contains(&b));
        self.text(key).filter(is_printable).map(SecretString::from)
    }

    /// Returns a number of seconds, which some write as a text.
    pub(super) fn seconds(&self, key: &str) -> Option<Duration> {
        let value = self.0.get(key)?;
        let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
        Some(Duration::from_secs(number))
    }
}

/// Posts a form, with the client's secret where it has one.
pub(super) fn post(
    url: &str,
    form: &[(&str, &str)],
    client: Option<&SecretString>,
) -> Result<Answer, Trouble> {
    let secret = client.map(|secret| ("client_secret", secret.expose_secret()));
    let form: Vec<_> = form.iter().copied().chain(secret).collect();
    let request = agent(url).post(url).header("Accept", "application/json");
    let sent = request.send_form(form.iter().copied());
    let mut response = sent.map_err(|error| Trouble::Fault(unreachable(url, &error)))?;
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_string();
    let body = body.map_err(|error| Trouble::Fault(unreachable(url, &error)))?;
    let Ok(Value::Object(answer)) = serde_json::from_str(&body) else {
        return Err(Trouble::Fault(senseless(url, status)));
    };
    let answer = Answer(answer);
    match answer.text("error") {
        Some(code) => {
            let code = code.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_');
            let words = answer.text("error_description").unwrap_or_default();
            let code = code.take(WORDS_CHARS / 4).collect();
            Err(Trouble::Refused { code, words: shown(words, &form) })
        }
        None if (200..300).contains(&status) => Ok(answer),
        None => Err(Trouble::Fault(senseless(url, status))),
    }
}

fn agent(url: &str) -> Agent {
    let roots = tls::system_roots().into_iter().map(|c| Certificate::from_der(&c).to_owned());
    let roots = RootCerts::Specific(Arc::new(roots.collect()));
    let proxy = if is_loopback(host(url)) { None } else { Proxy::try_from_env() };
    Agent::config_builder()
        .timeout_global(Some(CONNECT))
        .http_status_as_error(false)
        // A form with secrets goes where the director said and nowhere else.
        .max_redirects(0)
        .user_agent(concat!("knightmail/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .build()
        .into()
}

/// Returns the name of the server in an address.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let server = rest.split(['/', '?']).next().unwrap_or_default();
    match server.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => server,
    }
}

/// Returns a provider's own words, short; nothing where they repeat a value of the form.
fn shown(words: &str, form: &[(&str, &str)]) -> String {
    if form.iter().any(|(_, value)| value.len() > 3 && words.contains(value)) {
        return String::new();
    }
    let line = words.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(WORDS_CHARS).collect()
}

fn unreachable(url: &str, error: &Error) -> Fault {
    let why = match error {
        Error::Timeout(_) => "it does not answer in time".to_owned(),
        Error::HostNotFound => "there is no server of that name".to_owned(),
        Error::Io(error) => error.to_string(),
        Error::Rustls(error) => format!("its certificate or its TLS is not good: {error}"),
        Error::BodyExceedsLimit(_) => "its answer is too long".to_owned(),
        _ => "it breaks off".to_owned(),
    };
    let remedy = "check the addresses in the provider's table and the network; a pass tries again by itself, \
                  `knightmail login` is to be given once more";
    Fault::passing(format!("{} is out of reach: {why}", host(url)), remedy)
}

fn senseless(url: &str, status: u16) -> Fault {
    let what = format!("{} answers with status {status} and no words of OAuth2", host(url));
    let remedy = "check the addresses in [oauth.NAME]; where they are right, it passes by itself";
    Fault::passing(what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_found_in_an_address() {
        for (url, server) in [
            ("https://login.example.org/token", "login.example.org"),
            ("http://127.0.0.1:8080?x=http://y:1/", "127.0.0.1"),
            ("http://[::1]:8080/", "[::1]"),
        ] {
            assert_eq!(host(url), server);
        }
    }

    #[test]
    fn words_that_repeat_what_was_sent_are_not_shown() {
        let form = [("grant_type", "refresh_token"), ("refresh_token", "s3cr3t-token")];
        assert_eq!(shown("expired\r\nTrace: 1", &form), "expired");
        assert_eq!(shown("`s3cr3t-token` is revoked", &form), "");
        assert_eq!(shown(&"x".repeat(1000), &form).len(), WORDS_CHARS);
    }
}
