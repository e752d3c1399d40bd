//! What may be wrong with the places: keys that a kind needs or does not have, accounts that cannot work, secrets in the
//! wrong hands, two tables for one place. What is right is taken over in `places.rs`.

use super::{
    AccountKeys, AuthWord, Inbox, InboxKind, InboxTable, OAuthTable, OutboxKind, OutboxTable,
    TlsWord,
};
use crate::{
    config::{document::Mistakes, places::Ground},
    net::account::is_loopback,
};
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

/// The keys of every account.
const ACCOUNT: [&str; 8] = ["host", "port", "tls", "ca", "user", "auth", "secret", "oauth"];

/// A table of a place: the key that it stands at, its kind, and what it says.
struct Table<'a> {
    at: &'a str,
    kind: &'static str,
    /// The keys that this kind has beside those of an account.
    own: &'static [&'static str],
    has_account: bool,
    /// The keys that the table may have, and whether they stand there.
    written: Vec<(&'static str, bool)>,
}

/// Notes what is wrong with the places.
pub(in crate::config) fn check(
    inbox: &InboxTable,
    others: &BTreeMap<String, InboxTable>,
    outbox: &OutboxTable,
    ground: &Ground<'_>,
    wrong: &mut Mistakes<'_>,
) {
    let named = others.iter().map(|(name, table)| (format!("mailboxes.{name}"), table));
    let inboxes: Vec<_> = std::iter::once(("mailbox".to_owned(), inbox)).chain(named).collect();
    for name in others.keys().filter(|name| !is_plain_name(name)) {
        let hint = "use letters, digits and -, for example [mailboxes.events]";
        wrong.at("mailboxes", format!("\"{name}\" is no name for a mailbox"), hint);
    }
    for (at, table) in &inboxes {
        check_inbox(at, table, ground, wrong);
    }
    check_outbox(outbox, ground, wrong);
    for (name, table) in ground.oauth {
        check_provider(name, table, wrong);
    }
    check_twice(&inboxes, outbox, ground, wrong);
}

fn check_inbox(at: &str, table: &InboxTable, ground: &Ground<'_>, wrong: &mut Mistakes<'_>) {
    let (kind, own, has_account): (_, &[&str], _) = match table.kind {
        InboxKind::Maildir => ("maildir", &["path"], false),
        InboxKind::Imap => ("imap", &["folders", "spam", "done"], true),
        InboxKind::Pop3 => ("pop3", &[], true),
        InboxKind::Pipe => ("pipe", &[], false),
    };
    let keys = table.account();
    let mut written = keys.written();
    written.extend([
        ("path", table.path.is_some()),
        ("folders", table.folders.is_some()),
        ("spam", table.spam.is_some()),
        ("done", table.done.is_some()),
    ]);
    let place = Table { at, kind, own, has_account, written };
    place.check_keys(wrong);
    if table.kind == InboxKind::Maildir {
        check_path(at, table.path.as_deref(), "\"mail/in\"", ground, wrong);
    }
    if has_account {
        check_account(at, &keys, ground, wrong);
        check_inbox_login(at, &keys, wrong);
    }
    if table.kind == InboxKind::Imap {
        check_folders(at, table, wrong);
    }
}

fn check_outbox(table: &OutboxTable, ground: &Ground<'_>, wrong: &mut Mistakes<'_>) {
    let (kind, own, has_account): (_, &[&str], _) = match table.kind {
        OutboxKind::Maildir => ("maildir", &["path"], false),
        OutboxKind::Smtp => ("smtp", &["connections"], true),
        OutboxKind::Sendmail => ("sendmail", &["path"], false),
    };
    let at = "transport";
    let keys = table.account();
    let mut written = keys.written();
    written.extend([("path", table.path.is_some()), ("connections", table.connections.is_some())]);
    Table { at, kind, own, has_account, written }.check_keys(wrong);
    match table.kind {
        OutboxKind::Maildir => {
            check_path(at, table.path.as_deref(), "\"mail/out\"", ground, wrong);
        }
        OutboxKind::Sendmail => {
            check_path(at, table.path.as_deref(), "\"/usr/sbin/sendmail\"", ground, wrong);
        }
        OutboxKind::Smtp => check_account(at, &keys, ground, wrong),
    }
    if table.connections.is_some_and(|n| !(1..=8).contains(&n)) {
        let hint = "it is a number from 1 to 8; 2 is usual";
        wrong.at("transport.connections", "a server takes a few at once", hint);
    }
}

impl Table<'_> {
    /// Notes the keys that have no meaning for the kind.
    fn check_keys(&self, wrong: &mut Mistakes<'_>) {
        let account: &[&str] = if self.has_account { &ACCOUNT } else { &[] };
        let known = [account, self.own].concat();
        for (key, _) in self.written.iter().filter(|(key, is)| *is && !known.contains(key)) {
            let hint = match known.as_slice() {
                [] => format!("take it out; kind = \"{}\" needs no other key", self.kind),
                known => {
                    format!("take it out; kind = \"{}\" has {}", self.kind, known.join(", "))
                }
            };
            let what = format!("it has no meaning for kind = \"{}\"", self.kind);
            wrong.at(&format!("{}.{key}", self.at), what, hint);
        }
    }
}

impl AccountKeys<'_> {
    fn written(&self) -> Vec<(&'static str, bool)> {
        let Self { host, port, tls, ca, user, auth, secret, oauth } = self;
        let there = [
            host.is_some(),
            port.is_some(),
            tls.is_some(),
            ca.is_some(),
            user.is_some(),
            auth.is_some(),
            secret.is_some(),
            oauth.is_some(),
        ];
        ACCOUNT.into_iter().zip(there).collect()
    }
}

fn check_path(
    at: &str,
    path: Option<&Path>,
    example: &str,
    ground: &Ground<'_>,
    wrong: &mut Mistakes<'_>,
) {
    let key = format!("{at}.path");
    match path {
        None => wrong.at(&key, "it is missing", format!("add it, for example path = {example}")),
        Some(path) if path.as_os_str().is_empty() => {
            wrong.at(&key, "the path is empty", format!("for example {example}"));
        }
        Some(path) if whole(ground.home, path).starts_with(whole(ground.home, "store")) => {
            let hint = format!("choose another folder, for example {example}");
            wrong.at(&key, "store/ belongs to the books", hint);
        }
        Some(_) => {}
    }
}

/// Returns a path from the root, without steps back, so that two spellings of a place are equal.
fn whole(home: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = home.join(path);
    let mut plain = PathBuf::new();
    for part in std::path::absolute(&path).unwrap_or(path).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn check_account(at: &str, keys: &AccountKeys<'_>, ground: &Ground<'_>, wrong: &mut Mistakes<'_>) {
    let key = |name: &str| format!("{at}.{name}");
    check_host(&key("host"), keys.host.map(String::as_str), wrong);
    if keys.port == Some(0) {
        let hint = "leave it out for the usual one: 993 imap, 995 pop3, 465 smtp";
        wrong.at(&key("port"), "there is no port 0", hint);
    }
    if keys.tls == Some(TlsWord::Off) {
        if keys.host.is_some_and(|host| !is_loopback(host)) {
            let hint = "take it out (TLS from the first byte), or \"starttls\"; \"off\" is for \
                        a server on this machine";
            wrong.at(&key("tls"), "everybody on the way could read the password", hint);
        }
        if keys.ca.is_some() {
            wrong.at(&key("ca"), "it has no meaning with tls = \"off\"", "take it out");
        }
    }
    if keys.ca.is_some_and(|path| path.as_os_str().is_empty()) {
        let hint = "name a file of certificates in PEM, or take the key out";
        wrong.at(&key("ca"), "the path is empty", hint);
    }
    check_proof(at, keys, ground, wrong);
}

fn check_host(key: &str, host: Option<&str>, wrong: &mut Mistakes<'_>) {
    let hint = "it is the server's bare name, for example \"mail.example.org\", without scheme, \
                user and password";
    let is_bare = |host: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._:".contains(c);
        let is_v6 = host.parse::<std::net::Ipv6Addr>().is_ok();
        !host.is_empty() && host.chars().all(fits) && (is_v6 || !host.contains(':'))
    };
    match host {
        None => wrong.at(key, "it is missing", "add it, for example host = \"mail.example.org\""),
        // The text is not shown: a password may stand in it.
        Some(host) if !is_bare(host) => wrong.at(key, "this is no name of a server", hint),
        Some(_) => {}
    }
}

/// `user`, `auth`, `secret` and `oauth` say together who we are and how that is proved.
fn check_proof(at: &str, keys: &AccountKeys<'_>, ground: &Ground<'_>, wrong: &mut Mistakes<'_>) {
    let key = |name: &str| format!("{at}.{name}");
    let foreign = |name: &str, auth: &str, wrong: &mut Mistakes<'_>| {
        let what = format!("it has no meaning with auth = \"{auth}\"");
        wrong.at(&key(name), what, "take it out, or choose another auth");
    };
    if keys.user.is_some_and(|user| user.trim().is_empty() || user.contains(char::is_control)) {
        wrong.at(&key("user"), "the name is empty", "for example \"knights@example.org\"");
    }
    let is_bare = keys.user.is_none() && keys.secret.is_none() && keys.oauth.is_none();
    match keys.auth {
        None if is_bare => return,
        Some(AuthWord::None) => {
            let rest = [("user", keys.user), ("secret", keys.secret), ("oauth", keys.oauth)];
            for (name, _) in rest.iter().filter(|(_, value)| value.is_some()) {
                foreign(name, "none", wrong);
            }
            return;
        }
        None | Some(AuthWord::Password) => {
            if keys.oauth.is_some() && keys.auth.is_none() {
                let hint = "add auth = \"xoauth2\" (Google, Microsoft) or \"oauthbearer\"";
                return wrong.at(&key("oauth"), "it has no meaning without auth", hint);
            }
            if keys.oauth.is_some() {
                foreign("oauth", "password", wrong);
            }
            check_secret(&key("secret"), keys.secret.map(String::as_str), wrong);
        }
        Some(auth) => {
            let word = if auth == AuthWord::Xoauth2 { "xoauth2" } else { "oauthbearer" };
            if keys.secret.is_some() {
                foreign("secret", word, wrong);
            }
            check_oauth(&key("oauth"), keys.oauth.map(String::as_str), ground, wrong);
        }
    }
    if keys.user.is_none() {
        let hint = "add it, for example user = \"knights@example.org\"";
        wrong.at(&key("user"), "it is missing", hint);
    }
}

/// A mailbox always wants to know who we are; a relay may not.
fn check_inbox_login(at: &str, keys: &AccountKeys<'_>, wrong: &mut Mistakes<'_>) {
    if keys.auth == Some(AuthWord::None) {
        let hint = "take it out and add user and secret";
        wrong.at(&format!("{at}.auth"), "a mailbox is somebody's", hint);
    } else if keys.user.is_none() && keys.secret.is_none() && keys.oauth.is_none() {
        let hint = "add user = \"knights@example.org\" and secret = \"imap\", the name of a file \
                    in secrets/ that has the password";
        wrong.at(&format!("{at}.user"), "it is missing", hint);
    }
}

fn check_secret(key: &str, name: Option<&str>, wrong: &mut Mistakes<'_>) {
    let hint = "it is the name of a file in secrets/ that has the password, for example \"imap\"";
    match name {
        None => wrong.at(key, "it is missing", format!("add it: {hint}")),
        // The text is not shown: somebody may have written the password here.
        Some(name) if !is_plain_name(name) => wrong.at(key, "this is no name of a file", hint),
        Some(_) => {}
    }
}

fn check_oauth(key: &str, name: Option<&str>, ground: &Ground<'_>, wrong: &mut Mistakes<'_>) {
    let known: Vec<_> = ground.oauth.keys().map(String::as_str).collect();
    match name {
        None => {
            let hint = "add it: the NAME of a table [oauth.NAME], for example \"google\"";
            wrong.at(key, "it is missing", hint);
        }
        Some(name) if !ground.oauth.contains_key(name) => {
            let hint = match known.as_slice() {
                [] => format!("add the table [oauth.{name}] as the sample has it"),
                known => format!("there are {}", known.join(", ")),
            };
            wrong.at(key, format!("there is no table [oauth.{name}]"), hint);
        }
        Some(_) => {}
    }
}

/// A folder is read once, and what is seen to does not come back.
fn check_folders(at: &str, table: &InboxTable, wrong: &mut Mistakes<'_>) {
    let is_inbox = |name: &str| name.eq_ignore_ascii_case("INBOX");
    let same = |a: &str, b: &str| a == b || is_inbox(a) && is_inbox(b);
    let inbox = vec!["INBOX".to_owned()];
    let folders = table.folders.as_ref().unwrap_or(&inbox);
    if folders.is_empty() {
        let hint = "for example [\"INBOX\"], or leave the key out";
        wrong.at(&format!("{at}.folders"), "no folder would be read", hint);
    }
    let listed = folders.iter().enumerate().map(|(n, f)| (format!("folders[{}]", n + 1), f));
    let spam = table.spam.iter().map(|folder| ("spam".to_owned(), folder));
    let done = table.done.iter().map(|folder| ("done".to_owned(), folder));
    let mut seen: Vec<&String> = Vec::new();
    for (name, folder) in listed.chain(spam).chain(done) {
        let key = format!("{at}.{name}");
        if folder.trim().is_empty() || folder.contains(char::is_control) {
            wrong.at(&key, "a folder has a name", "write it as the mail program shows it");
        } else if seen.iter().any(|other| same(other, folder)) {
            let hint = if name == "done" {
                "mail that was seen to goes to a folder that is not read, \"Knightmail\""
            } else {
                "each folder stands once"
            };
            wrong.at(&key, format!("\"{folder}\" is read already"), hint);
        }
        seen.push(folder);
    }
}

fn check_provider(name: &str, table: &OAuthTable, wrong: &mut Mistakes<'_>) {
    if !is_plain_name(name) {
        let hint = "its secrets are files of that name: use letters, digits and -";
        wrong.at("oauth", format!("\"{name}\" is no name for a provider"), hint);
        return;
    }
    let key = |word: &str| format!("oauth.{name}.{word}");
    let needed = [("client_id", &table.client_id, "the id"), ("scope", &table.scope, "the scope")];
    for (word, value, what) in needed {
        let hint = format!("{what} stands in the provider's documents for programs that read mail");
        match value {
            None => wrong.at(&key(word), "it is missing", hint),
            Some(value) if value.trim().is_empty() => wrong.at(&key(word), "it is empty", hint),
            Some(_) => {}
        }
    }
    if table.token_url.is_none() {
        let hint = "add it, for example token_url = \"https://login.example.org/token\"";
        wrong.at(&key("token_url"), "it is missing", hint);
    }
    let urls = [
        ("token_url", &table.token_url),
        ("device_url", &table.device_url),
        ("authorize_url", &table.authorize_url),
    ];
    for (word, url) in urls {
        if url.as_ref().is_some_and(|url| !is_safe_url(url)) {
            let hint = "for example \"https://login.example.org/token\"; http only on this machine";
            wrong.at(&key(word), "it is no address that begins with https://", hint);
        }
    }
}

/// Tells whether an address can be called without showing a token to those on the way.
fn is_safe_url(url: &str) -> bool {
    let (is_https, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return false,
    };
    let server = rest.split(['/', '?']).next().unwrap_or_default();
    let host = match server.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => server,
    };
    let is_plain = url.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
    is_plain && !host.is_empty() && !server.contains('@') && (is_https || is_loopback(host))
}

/// Two tables for one place would take every mail twice, and letters must not come back as mail.
fn check_twice(
    inboxes: &[(String, &InboxTable)],
    outbox: &OutboxTable,
    ground: &Ground<'_>,
    wrong: &mut Mistakes<'_>,
) {
    let maildir = |table: &InboxTable| {
        let path = table.path.as_deref().filter(|path| !path.as_os_str().is_empty());
        path.filter(|_| table.kind == InboxKind::Maildir).map(|path| whole(ground.home, path))
    };
    for (n, (at, table)) in inboxes.iter().enumerate() {
        let place = table.place(ground);
        let again = inboxes[..n].iter().find(|(_, other)| {
            let both = (maildir(table), maildir(other));
            matches!(&both, (Some(one), Some(two)) if one == two)
                || clash(&place, &other.place(ground))
        });
        if let Some((other, _)) = again {
            let hint = "take one of the two out, or read other folders";
            wrong.at(at, format!("[{other}] is the same place"), hint);
        }
    }
    let letters = outbox.path.as_deref().filter(|_| outbox.kind == OutboxKind::Maildir);
    let letters = letters.map(|path| whole(ground.home, path));
    if letters.is_some() && inboxes.iter().any(|(_, table)| maildir(table) == letters) {
        let hint = "mail comes in at one place and leaves at another, for example \"mail/out\"";
        wrong.at("transport.path", "our letters would come back to us as mail", hint);
    }
}

/// Tells whether two mailboxes would read the same mail.
fn clash(one: &Inbox, two: &Inbox) -> bool {
    match (one, two) {
        (Inbox::Imap(one), Inbox::Imap(two)) => {
            let folders = |place: &super::ImapPlace| {
                let all = place.folders.iter().chain(&place.spam).cloned();
                all.map(|f| if f.eq_ignore_ascii_case("INBOX") { "INBOX".to_owned() } else { f })
                    .collect::<Vec<_>>()
            };
            let (here, there) = (folders(one), folders(two));
            one.account.is_same_as(&two.account) && here.iter().any(|f| there.contains(f))
        }
        (Inbox::Pop3(one), Inbox::Pop3(two)) => one.is_same_as(two),
        (Inbox::Pipe, Inbox::Pipe) => true,
        _ => false,
    }
}

/// Tells whether a text is a plain name of a file.
fn is_plain_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(fits)
}
