//! Signatures: which domains have signed a mail (DKIM, RFC 6376), verified by ourselves. The keys come from the DNS; who
//! does not want that asked has [`NoSignatures`]. This is the only door to mail-auth. Whether a domain speaks for a
//! mail's author is judged in `mail/sender.rs`, and what that is worth in `office/harm.rs`.
//!
//! A signature counts only where it passes as a whole: not one over a part of the body (`l=`, section 8.2: anything may
//! stand behind it), not one whose domain still tests it (`t=y`), not one past its day. Everything else, trouble with
//! the DNS too, is as good as no signature: the mail is then known by its address, and the player is asked.

use crate::{fault::Fault, net};
use mail_auth::{
    AuthenticatedMessage, DkimResult, DnsError, Error, MessageAuthenticator, Parameters,
    ResolverCache, Txt,
    common::{cache::NoCache, parse::TxtRecordParser as _, verify::DomainKey},
};
use std::{
    borrow::{Borrow, Cow},
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

/// Who tells which domains have signed a mail.
pub trait Signatures {
    /// Returns the domains whose signature of a mail is good, of those that are kin to its author's.
    fn signed_by(&mut self, mail: &[u8]) -> Vec<String>;
}

/// Asks nobody: no mail is signed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSignatures;

impl Signatures for NoSignatures {
    fn signed_by(&mut self, _: &[u8]) -> Vec<String> {
        Vec::new()
    }
}

/// How many signatures of a mail are looked at.
const SIGNATURES: usize = 3;
/// How long all keys of a mail may take.
const ANSWER: Duration = Duration::from_secs(5);
/// How long a domain is left alone whose servers did not answer in time, so that a pile of mails does not wait for each.
const PAUSE: Duration = Duration::from_mins(5);
/// How long a key is kept at most; the DNS may say less.
const KEPT: Duration = Duration::from_hours(1);
/// How many keys and domains are kept.
const MOST: usize = 1000;
/// The bit of `t=y` in a key's flags (section 3.6.1).
const TESTING: u64 = 0x10;

/// Verifies with keys from the DNS servers of this machine.
pub struct DnsSignatures {
    runtime: Runtime,
    resolver: MessageAuthenticator,
    keys: Kept,
    /// Domains whose servers did not answer in time, and when they are asked again.
    silent: HashMap<String, Instant>,
}

impl DnsSignatures {
    /// Reads which DNS servers this machine uses (`/etc/resolv.conf`); none is asked yet.
    ///
    /// # Errors
    /// Where that cannot be read.
    pub fn system() -> Result<Self, Fault> {
        let runtime = net::runtime()?;
        let resolver = {
            let _inside = runtime.enter();
            MessageAuthenticator::new_system_conf()
        };
        let resolver = resolver.map_err(|e| {
            let remedy = "put /etc/resolv.conf right, or set dkim_dns = \"off\" in knightmail.toml";
            Fault::passing(format!("the DNS servers of this machine are not known: {e}"), remedy)
        })?;
        Ok(Self { runtime, resolver, keys: Kept::default(), silent: HashMap::new() })
    }
}

impl Signatures for DnsSignatures {
    fn signed_by(&mut self, mail: &[u8]) -> Vec<String> {
        let now = Instant::now();
        self.silent.retain(|_, until| *until > now);
        let mail = with_crlf(mail);
        let Some(mut message) = signed(&mail) else { return Vec::new() };
        message.dkim_headers.retain(|header| !self.silent.contains_key(&header.header.d));
        let (resolver, keys) = (&self.resolver, &self.keys);
        let verified = self.runtime.block_on(async {
            tokio::time::timeout(ANSWER, verify(resolver, keys, &message)).await
        });
        verified.unwrap_or_else(|_| {
            if self.silent.len() < MOST {
                let asked = message.dkim_headers.iter().map(|header| header.header.d.clone());
                self.silent.extend(asked.map(|domain| (domain, now + PAUSE)));
            }
            tracing::warn!("the DNS did not answer in time for the signature of a mail");
            Vec::new()
        })
    }
}

/// Verifies with keys that were put in before, and asks nobody; for tests.
pub struct KnownSignatures {
    runtime: Runtime,
    resolver: MessageAuthenticator,
    keys: Fixed,
}

impl KnownSignatures {
    /// Takes the records of keys by their names: `selector._domainkey.example.org`, `v=DKIM1; k=ed25519; p=…`.
    ///
    /// # Errors
    /// The process cannot have a runtime.
    pub fn new<'a>(keys: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Fault> {
        let runtime = net::runtime()?;
        let resolver = {
            let _inside = runtime.enter();
            // It is never asked: every name has an answer in the cache.
            MessageAuthenticator::new_google()
        };
        let resolver = resolver.map_err(|e| Fault::internal(e.to_string()))?;
        let record = |(name, record): (&str, &str)| {
            let key = DomainKey::parse(record.as_bytes());
            (format!("{name}.").into_boxed_str(), key.map_or_else(Txt::Error, Txt::from))
        };
        let keys = Fixed(keys.into_iter().map(record).collect());
        Ok(Self { runtime, resolver, keys })
    }
}

impl Signatures for KnownSignatures {
    fn signed_by(&mut self, mail: &[u8]) -> Vec<String> {
        let mail = with_crlf(mail);
        let Some(message) = signed(&mail) else { return Vec::new() };
        self.runtime.block_on(verify(&self.resolver, &self.keys, &message))
    }
}

/// Takes a mail apart where it has signatures that are worth looking at: of a domain that is kin to its author's. Nobody
/// makes us ask the servers of a domain of his choice in a known player's name.
fn signed(mail: &[u8]) -> Option<AuthenticatedMessage<'_>> {
    let mut message = AuthenticatedMessage::parse(mail)?;
    let author = message.from.first().filter(|_| message.from.len() == 1)?;
    let author = author.rsplit_once('@')?.1.to_lowercase();
    message.dkim_headers.retain(|header| {
        let (signature, domain) = (&header.header, header.header.d.to_lowercase());
        let is_kin = domain == author
            || author.ends_with(&format!(".{domain}"))
            || domain.ends_with(&format!(".{author}"));
        let covers = signature.h.iter().any(|name| name.eq_ignore_ascii_case("from"));
        is_kin && covers && signature.l == 0 && domain.contains('.')
    });
    message.dkim_headers.truncate(SIGNATURES);
    (!message.dkim_headers.is_empty()).then_some(message)
}

async fn verify(
    resolver: &MessageAuthenticator,
    keys: &impl ResolverCache<Box<str>, Txt>,
    message: &AuthenticatedMessage<'_>,
) -> Vec<String> {
    let parameters = Parameters {
        params: message,
        cache_txt: Some(keys),
        cache_mx: None::<&NoCache<_, _>>,
        cache_ptr: None::<&NoCache<_, _>>,
        cache_ipv4: None::<&NoCache<_, _>>,
        cache_ipv6: None::<&NoCache<_, _>>,
    };
    let outputs = resolver.verify_dkim(parameters).await;
    // A changed body is neutral there and no failure, so that nothing counts but a pass.
    let passed = outputs.iter().filter(|output| *output.result() == DkimResult::Pass);
    let good = passed.filter_map(|output| output.signature()).filter(|signature| {
        let name = format!("{}._domainkey.{}.", signature.s, signature.d);
        matches!(keys.get::<str>(&name), Some(Txt::DomainKey(key)) if key.f & TESTING == 0)
    });
    good.map(|signature| signature.d.to_lowercase()).collect()
}

/// Returns a mail with the line ends it was signed with; a Maildir has others.
fn with_crlf(mail: &[u8]) -> Cow<'_, [u8]> {
    let first = mail.iter().position(|byte| *byte == b'\n');
    if first.is_none_or(|end| end > 0 && mail[end - 1] == b'\r') {
        return Cow::Borrowed(mail);
    }
    let mut lines = Vec::with_capacity(mail.len() + mail.len() / 40);
    for line in mail.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(text) => {
                lines.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
                lines.extend_from_slice(b"\r\n");
            }
            None => lines.extend_from_slice(line),
        }
    }
    Cow::Owned(lines)
}

/// Keys by name, until they are old.
#[derive(Default)]
struct Kept(Mutex<HashMap<Box<str>, (Txt, Instant)>>);

impl Kept {
    fn keys(&self) -> MutexGuard<'_, HashMap<Box<str>, (Txt, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResolverCache<Box<str>, Txt> for Kept {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let keys = self.keys();
        keys.get(name).filter(|(_, until)| *until > Instant::now()).map(|(key, _)| key.clone())
    }

    fn remove<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.keys().remove(name).map(|(key, _)| key)
    }

    fn insert(&self, name: Box<str>, key: Txt, valid_until: Instant) {
        let mut keys = self.keys();
        if keys.len() >= MOST {
            keys.clear();
        }
        keys.insert(name, (key, valid_until.min(Instant::now() + KEPT)));
    }
}

/// Keys that were put in; there are no others.
struct Fixed(HashMap<Box<str>, Txt>);

impl ResolverCache<Box<str>, Txt> for Fixed {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let missing = || Txt::Error(Error::Dns(DnsError::InvalidRecordType));
        Some(self.0.get(name).cloned().unwrap_or_else(missing))
    }

    fn remove<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: Txt, _: Instant) {}
}
