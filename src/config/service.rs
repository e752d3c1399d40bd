//! `knightmail.toml`: who we are, where mail comes in and goes out, when things are done. Secrets never stand in it.
//! What a tournament is stands in `tournament.rs`.

use super::{
    answers::{self, Caps},
    document::{Document, Mistakes},
    error::ConfigError,
    places::{self, Inbox, Outbox},
    shipped,
    trust::{self, Trust},
};
use crate::{
    domain::event::Job,
    house::House,
    net::{
        oauth::OAuth,
        secret::{self, Keyring},
    },
    schedule::Schedule,
    token::ReplyKeys,
};
use chrono_tz::Tz;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

/// The file's name in a home.
pub const FILE: &str = "knightmail.toml";

/// What the file says, checked.
#[derive(Clone, Debug)]
pub struct Service {
    /// The name that letters are signed with.
    pub name: String,
    /// The address that players write to.
    pub address: String,
    /// Other addresses that reach us.
    pub aliases: Vec<String>,
    /// The zone of the house.
    pub zone: Tz,
    /// The name under which our own mail server adds `Authentication-Results`.
    pub authserv_id: Option<String>,
    /// The director's name.
    pub director_name: String,
    /// The director's addresses, the one to write to first.
    pub director: Vec<String>,
    /// Where mail comes in: the first is `[mailbox]`, the others are `[mailboxes.NAME]`.
    pub mailboxes: Vec<Inbox>,
    /// How letters leave.
    pub transport: Outbox,
    /// The providers that are signed in to, `[oauth.NAME]`, by name.
    pub providers: BTreeMap<String, OAuth>,
    /// Where the secrets of the accounts are.
    pub keyring: Keyring,
    /// How many answers are written in a day, at most.
    pub caps: Caps,
    /// How long letters that follow from a ruling wait, so that the director can take it back.
    pub undo: Duration,
    /// Whether mail to `knights+token@…` reaches us.
    pub subaddress: bool,
    /// Whether DKIM signatures are checked by ourselves, with the keys that the system's resolver finds.
    pub dkim_dns: bool,
    /// What a mail must show of its sender.
    pub trust: Trust,
    /// How long the daemon waits between two looks into the mailbox.
    pub poll: Duration,
    /// When each job is due.
    pub jobs: BTreeMap<Job, Schedule>,
}

impl Service {
    /// Reads the text of the file. Paths that are not absolute are taken from the home.
    ///
    /// # Errors
    /// All mistakes of the file, in order of their lines.
    pub fn read(text: &str, home: &Path) -> Result<Self, Vec<ConfigError>> {
        let document = Document::parse(FILE, text)?;
        let sample = Document::parse(FILE, shipped::SERVICE).expect("the shipped file is right");
        let file: ServiceFile = document.read(&sample)?;
        check(&document, &file, home)?;
        Ok(file.into_service(home))
    }

    /// Returns the house of this service with its keys.
    pub fn house(&self, keys: ReplyKeys) -> House {
        House {
            name: self.name.clone(),
            address: self.address.clone(),
            aliases: self.aliases.clone(),
            director_name: self.director_name.clone(),
            director: self.director.clone(),
            authserv_id: self.authserv_id.clone(),
            trust: self.trust,
            subaddress: self.subaddress,
            zone: self.zone,
            keys,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServiceFile {
    house: HouseTable,
    director: DirectorTable,
    mailbox: places::InboxTable,
    #[serde(default)]
    mailboxes: BTreeMap<String, places::InboxTable>,
    transport: places::OutboxTable,
    #[serde(default)]
    oauth: BTreeMap<String, places::OAuthTable>,
    answers: Caps,
    #[serde(default)]
    rulings: RulingsTable,
    #[serde(default)]
    trust: Trust,
    #[serde(default)]
    dns: DnsTable,
    schedule: ScheduleTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HouseTable {
    name: String,
    address: String,
    aliases: Vec<String>,
    timezone: String,
    authserv_id: Option<String>,
    #[serde(default = "yes")]
    subaddress: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectorTable {
    name: String,
    addresses: Vec<String>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RulingsTable {
    undo_minutes: u32,
}

impl Default for RulingsTable {
    fn default() -> Self {
        Self { undo_minutes: 30 }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DnsTable {
    resolver: Resolver,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Resolver {
    #[default]
    Off,
    System,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScheduleTable {
    poll_seconds: u32,
    assignments: String,
    reminders: String,
    summary: String,
}

impl ScheduleTable {
    /// Returns the jobs with their keys and lines.
    fn jobs(&self) -> [(Job, &'static str, &str); 3] {
        [
            (Job::Assignments, "schedule.assignments", &self.assignments),
            (Job::Reminders, "schedule.reminders", &self.reminders),
            (Job::Summary, "schedule.summary", &self.summary),
        ]
    }
}

impl ServiceFile {
    /// Takes over what [`check`] found right.
    fn into_service(self, home: &Path) -> Service {
        let ground = places::Ground { home, oauth: &self.oauth };
        let inboxes = std::iter::once(&self.mailbox).chain(self.mailboxes.values());
        let mailboxes = inboxes.map(|table| table.place(&ground)).collect();
        let transport = self.transport.place(&ground);
        let jobs = self.schedule.jobs().into_iter();
        let jobs = jobs.filter_map(|(job, _, line)| Some((job, Schedule::parse(line).ok()?)));
        Service {
            jobs: jobs.collect(),
            zone: self.house.timezone.parse().unwrap_or(Tz::UTC),
            mailboxes,
            transport,
            providers: self.oauth.iter().map(|(n, t)| (n.clone(), t.provider(n))).collect(),
            keyring: Keyring { folder: home.join(secret::FOLDER) },
            caps: self.answers,
            undo: Duration::from_mins(self.rulings.undo_minutes.into()),
            subaddress: self.house.subaddress,
            dkim_dns: self.dns.resolver == Resolver::System,
            trust: self.trust,
            poll: Duration::from_secs(self.schedule.poll_seconds.into()),
            name: self.house.name,
            address: self.house.address,
            aliases: self.house.aliases,
            authserv_id: self.house.authserv_id,
            director_name: self.director.name,
            director: self.director.addresses,
        }
    }
}

fn check(document: &Document<'_>, file: &ServiceFile, home: &Path) -> Result<(), Vec<ConfigError>> {
    let mut wrong = document.mistakes();
    for (key, name) in [("house.name", &file.house.name), ("director.name", &file.director.name)] {
        if name.trim().is_empty() || name.contains(['\r', '\n']) {
            wrong.at(key, "a name is one line and not empty", "letters show it");
        }
    }
    check_addresses(file, &mut wrong);
    if file.house.timezone.parse::<Tz>().is_err() {
        let what = format!("there is no zone \"{}\"", file.house.timezone);
        let hint = "zones have names like America/Chicago or Europe/Berlin, in this spelling";
        wrong.at("house.timezone", what, hint);
    }
    let ground = places::Ground { home, oauth: &file.oauth };
    places::check(&file.mailbox, &file.mailboxes, &file.transport, &ground, &mut wrong);
    check_schedule(file, &mut wrong);
    answers::check(&file.answers, &mut wrong);
    check_rulings(file, &mut wrong);
    trust::check(file.trust, &mut wrong);
    wrong.or(())
}

fn check_rulings(file: &ServiceFile, wrong: &mut Mistakes<'_>) {
    if file.rulings.undo_minutes > 1440 {
        let hint = "it is a number from 0 to 1440, a day; 30 is usual";
        wrong.at("rulings.undo_minutes", "letters would wait too long", hint);
    }
}

fn check_addresses(file: &ServiceFile, wrong: &mut Mistakes<'_>) {
    let mut seen = BTreeSet::new();
    for (key, address) in addresses(file) {
        if !is_address(address) {
            let hint = "write it without a name and without <>, for example knights@example.org";
            wrong.at(&key, format!("\"{address}\" is no mail address"), hint);
        } else if !seen.insert(address.to_lowercase()) {
            let hint = "each address stands once; the director's are not those of the house";
            wrong.at(&key, format!("{address} stands here a second time"), hint);
        }
    }
    if file.director.addresses.is_empty() {
        let hint = "docket items and summaries go there, for example [\"director@example.org\"]";
        wrong.at("director.addresses", "the director has no address", hint);
    }
}

fn check_schedule(file: &ServiceFile, wrong: &mut Mistakes<'_>) {
    for (_, key, line) in file.schedule.jobs() {
        if let Err(what) = Schedule::parse(line) {
            let hint = "write it as minute hour day-of-month month day-of-week, \
                        for example \"0 9 * * Mon\"";
            wrong.at(key, what, hint);
        }
    }
    if !(1..=3600).contains(&file.schedule.poll_seconds) {
        let hint = "it is a number from 1 to 3600; 30 is usual";
        wrong.at("schedule.poll_seconds", "nobody can look that often, or so rarely", hint);
    }
}

/// Returns all addresses with their keys.
fn addresses(file: &ServiceFile) -> impl Iterator<Item = (String, &String)> {
    let aliases = file.house.aliases.iter().enumerate();
    let director = file.director.addresses.iter().enumerate();
    std::iter::once(("house.address".to_owned(), &file.house.address))
        .chain(aliases.map(|(n, a)| (format!("house.aliases[{}]", n + 1), a)))
        .chain(director.map(|(n, a)| (format!("director.addresses[{}]", n + 1), a)))
}

/// Tells whether a text looks like a bare address: a local part and a domain of letters, digits and dots.
/// RFC 5321 allows more; nobody has it.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let label = |l: &str| {
        !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-') && !l.starts_with('-')
    };
    let odd = |c: char| c.is_whitespace() || c.is_control() || "\"(),:;<>@[\\]".contains(c);
    !local.is_empty() && !local.contains(odd) && domain.split('.').all(label)
}
