//! A mailbox by IMAP (RFC 3501, RFC 9051). Looking and fetching set no flag; only `file_away` and `leave` change anything
//! on the server, when the mails are durable here.
//!
//! Mails are fetched ahead, many in one command and few enough to keep in memory. When that goes wrong, they are fetched
//! one by one, so that one which the server or the reader of its answers cannot deliver hides no other. UIDs are worth
//! something only within one life of a folder (UIDVALIDITY): a mail of an earlier one has gone, and is found again at
//! the next look and known by its digest.

mod connect;
mod filing;
mod line;
mod look;
mod probe;
mod session;
mod utf7;
pub mod watch;

use super::{
    Arrival, Mailbox, Waiting,
    pause::{Patience, Pause},
};
use crate::{config::places::ImapPlace, fault::Fault, limits, net::secret::Keyring};
use filing::Mark;
use line::Line;
use look::{Seen, ranges};
use session::{Session, Trouble};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    mem,
    ops::Range,
};

/// Mails that are fetched ahead, at most.
const AHEAD: usize = 64;
/// Bytes that are fetched ahead, at most; one mail may be larger.
const AHEAD_BYTES: usize = 8 * 1024 * 1024;
/// What a mail is taken for whose size the server does not tell.
const SIZE_UNKNOWN: usize = 128 * 1024;

/// A mailbox on an IMAP server.
pub struct ImapMailbox {
    line: Line,
    folders: Vec<Folder>,
    /// The mails that the last look found, in the order in which they are handed out.
    listing: Vec<Listed>,
    /// Where in the listing a mail stands.
    index: HashMap<String, usize>,
    /// Mails that were fetched ahead, by their place in the listing.
    fetched: HashMap<usize, Vec<u8>>,
    /// Mails that are fetched alone, since it went wrong with others.
    alone: HashSet<usize>,
    /// Mails that could not be delivered, each with a pause of its own.
    troubled: HashMap<String, Pause>,
}

/// A folder that is read.
struct Folder {
    name: String,
    /// Whether the server puts there what it takes for spam.
    suspect: bool,
    /// Whether our keyword can be set there.
    keywords: bool,
    /// Mails that were seen to and stayed where they are, with the life of the folder. Where the server keeps our
    /// keyword this is a second net, where it does not the only one.
    remembered: BTreeSet<(u32, u32)>,
}

/// A mail that waits.
#[derive(Clone, Copy)]
struct Listed {
    folder: usize,
    validity: u32,
    uid: u32,
    bytes: usize,
}

/// What came of asking for mails: their bytes by UID, none where the server named a mail and gave nothing.
type Got = HashMap<u32, Option<Vec<u8>>>;

impl ImapMailbox {
    /// Names the mailbox; connects at the first look.
    pub fn new(place: ImapPlace, keyring: Keyring) -> Self {
        Self::with_patience(place, keyring, Patience::default())
    }

    /// The same, with other limits of time.
    pub fn with_patience(place: ImapPlace, keyring: Keyring, patience: Patience) -> Self {
        let folder = |name: &String, suspect| Folder {
            name: name.clone(),
            suspect,
            keywords: true,
            remembered: BTreeSet::new(),
        };
        let plain = place.folders.iter().map(|name| folder(name, false));
        let folders = plain.chain(place.spam.iter().map(|name| folder(name, true))).collect();
        Self {
            line: Line::new(place, keyring, patience),
            folders,
            listing: Vec::new(),
            index: HashMap::new(),
            fetched: HashMap::new(),
            alone: HashSet::new(),
            troubled: HashMap::new(),
        }
    }

    /// Looks into a folder and lists what waits there.
    fn look_into(
        &mut self,
        number: usize,
        old: &mut HashMap<String, Pause>,
    ) -> Result<Vec<Arrival>, Fault> {
        let folder = &self.folders[number];
        let Folder { name, suspect, remembered, .. } = folder;
        let job =
            async |session: &mut Session| look::look(session, name, *suspect, remembered).await;
        let found = self.line.run(&job)?;
        let validity = found.validity;
        let folder = &mut self.folders[number];
        folder.keywords = found.keywords;
        folder.remembered.retain(|(life, uid)| *life == validity && found.mails.contains_key(uid));
        let waiting =
            found.mails.iter().filter(|(uid, _)| !folder.remembered.contains(&(validity, **uid)));
        let mails: Vec<(u32, Seen)> =
            waiting.take(limits::LOOK_MAILS).map(|(uid, seen)| (*uid, *seen)).collect();
        Ok(mails.into_iter().filter_map(|mail| self.list(number, validity, mail, old)).collect())
    }

    /// Lists a mail, unless it has a pause.
    fn list(
        &mut self,
        folder: usize,
        validity: u32,
        (uid, seen): (u32, Seen),
        old: &mut HashMap<String, Pause>,
    ) -> Option<Arrival> {
        let Folder { name, suspect, .. } = &self.folders[folder];
        let account = &self.line.place.account;
        let user = account.login.as_ref().map_or("", |login| login.user.as_str());
        let key = format!("{user}@{} imap:{name};UIDVALIDITY={validity};UID={uid}", account.host);
        if let Some(pause) = old.remove(&key) {
            let waits = pause.is_on();
            self.troubled.insert(key.clone(), pause);
            if waits {
                return None;
            }
        }
        self.index.insert(key.clone(), self.listing.len());
        let bytes = seen.bytes.unwrap_or(SIZE_UNKNOWN);
        self.listing.push(Listed { folder, validity, uid, bytes });
        Some(Arrival { key, stamped: seen.stamped, suspect: *suspect })
    }

    /// Returns the mails that are fetched together with one: those behind it, while they are few and small.
    fn window(&self, at: usize) -> Range<usize> {
        let first = self.listing[at];
        let (mut end, mut bytes) = (at, 0);
        while let Some(next) = self.listing.get(end) {
            let same = next.folder == first.folder && next.validity == first.validity;
            bytes += next.bytes;
            let fits = end - at < AHEAD && bytes <= AHEAD_BYTES && !self.alone.contains(&end);
            let alone = first.bytes > limits::MAIL_BYTES * 2;
            if end > at && (alone || !same || !fits) {
                break;
            }
            end += 1;
        }
        at..end
    }

    /// Asks for mails of one folder. What has come until it went wrong is there as well.
    fn ask(
        &mut self,
        wanted: &[Listed],
        tried: &Cell<bool>,
    ) -> (Got, Result<Option<String>, Fault>) {
        let Some(first) = wanted.first().copied() else { return (Got::new(), Ok(None)) };
        let uids: Vec<u32> = wanted.iter().map(|listed| listed.uid).collect();
        let limit = self.line.patience.with(wanted.iter().map(|listed| listed.bytes).sum());
        let name = &self.folders[first.folder].name;
        let got = RefCell::new(Got::new());
        let job = async |session: &mut Session| -> Result<Option<String>, Trouble> {
            if !filing::opened(session, name, first.validity).await? {
                return Ok(None);
            }
            tried.set(true);
            let line = format!("UID FETCH {} (UID BODY.PEEK[])", ranges(&uids));
            let reply = session
                .command(&line, limit, |response| {
                    if let Some((uid, body)) = session::body(response) {
                        let mut got = got.borrow_mut();
                        let bytes = got.entry(uid).or_default();
                        *bytes = body.map(<[u8]>::to_vec).or_else(|| bytes.take());
                    }
                })
                .await?;
            Ok((!reply.ok).then_some(reply.text))
        };
        let done = self.line.once(&job);
        let got = got.into_inner();
        if got.values().any(Option::is_some) {
            self.line.worked();
        }
        (got, done)
    }

    /// Fetches mails ahead. Those that do not come are fetched alone when their turn comes.
    fn fetch_ahead(&mut self, window: Range<usize>) {
        self.fetched.clear();
        let wanted = self.listing[window.clone()].to_vec();
        let (mut got, _) = self.ask(&wanted, &Cell::default());
        for (at, listed) in window.zip(wanted) {
            match got.remove(&listed.uid).flatten() {
                Some(bytes) => drop(self.fetched.insert(at, bytes)),
                None => drop(self.alone.insert(at)),
            }
        }
    }

    fn fetch_alone(&mut self, at: usize, key: &str) -> Result<Option<Vec<u8>>, Fault> {
        let listed = self.listing[at];
        let tried = Cell::new(false);
        let (mut got, done) = self.ask(&[listed], &tried);
        let why = match (got.remove(&listed.uid), done) {
            (Some(Some(bytes)), _) => return Ok(Some(bytes)),
            (_, Err(fault)) if !tried.get() => return Err(fault),
            (_, Err(fault)) => fault.what,
            (None, Ok(None)) => return Ok(None),
            (_, Ok(Some(text))) => format!("the server refuses it: {text}"),
            (Some(None), Ok(None)) => "the server gives nothing of it".to_owned(),
        };
        let folder = &self.folders[listed.folder].name;
        let what = format!(
            "the mail with UID {} in the folder `{folder}` cannot be fetched: {why}",
            listed.uid
        );
        let remedy = "look at it with another mail program; the mails behind it go on";
        let fault = Fault::passing(what, remedy);
        let patience = self.line.patience;
        let pause = self.troubled.entry(key.to_owned()).or_insert_with(|| Pause::new(patience));
        pause.failed(&fault);
        Err(fault)
    }

    /// Hands mails to `act` by the folders that they are in, as UIDs that rise.
    fn by_folder(
        &mut self,
        arrivals: &[Arrival],
        mut act: impl FnMut(&mut Self, usize, u32, &[u32]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut places: BTreeMap<(usize, u32), BTreeSet<u32>> = BTreeMap::new();
        for at in arrivals.iter().filter_map(|arrival| self.index.get(&arrival.key)) {
            let Listed { folder, validity, uid, .. } = self.listing[*at];
            places.entry((folder, validity)).or_default().insert(uid);
        }
        let mut first_fault = Ok(());
        for ((folder, validity), uids) in places {
            let uids: Vec<u32> = uids.into_iter().collect();
            let acted = act(self, folder, validity, &uids);
            first_fault = first_fault.and(acted);
        }
        first_fault
    }

    /// Moves mails to where what is done goes.
    fn carry(&mut self, folder: usize, validity: u32, uids: &[u32], to: &str) -> Result<(), Fault> {
        let name = &self.folders[folder].name;
        self.line.run(&async |session| {
            if filing::opened(session, name, validity).await? {
                filing::carry(session, uids, to).await?;
            }
            Ok(())
        })
    }

    /// Marks mails where they are, and remembers them.
    fn mark(
        &mut self,
        folder: usize,
        validity: u32,
        uids: &[u32],
        mark: Mark,
    ) -> Result<(), Fault> {
        let Folder { name, keywords, .. } = &self.folders[folder];
        self.line.run(&async |session| {
            if !filing::opened(session, name, validity).await? {
                return Ok(());
            }
            match filing::mark(session, uids, *keywords, mark).await {
                // It said that it keeps keywords, and does not.
                Err(Trouble::Refused(_)) if *keywords => {
                    filing::mark(session, uids, false, mark).await
                }
                marked => marked,
            }
        })?;
        let marked = uids.iter().map(|uid| (validity, *uid));
        self.folders[folder].remembered.extend(marked);
        Ok(())
    }
}

impl Mailbox for ImapMailbox {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        self.listing.clear();
        self.index.clear();
        self.fetched.clear();
        self.alone.clear();
        let mut old = mem::take(&mut self.troubled);
        let (mut waiting, mut reached) = (Waiting::default(), false);
        for number in 0..self.folders.len() {
            match self.look_into(number, &mut old) {
                Ok(arrivals) => {
                    reached = true;
                    waiting.arrivals.extend(arrivals);
                }
                Err(fault) if waiting.troubles.contains(&fault) => {}
                Err(fault) => waiting.troubles.push(fault),
            }
        }
        match waiting.troubles.first() {
            Some(fault) if !reached => Err(fault.clone()),
            _ => {
                self.line.worked();
                Ok(waiting)
            }
        }
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        let Some(at) = self.index.get(&arrival.key).copied() else { return Ok(None) };
        let window = self.window(at);
        if !self.fetched.contains_key(&at) && !self.alone.contains(&at) && window.len() > 1 {
            self.fetch_ahead(window);
        }
        match self.fetched.remove(&at) {
            Some(bytes) => Ok(Some(bytes)),
            None => self.fetch_alone(at, &arrival.key),
        }
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        let done = self.line.place.done.clone();
        self.by_folder(arrivals, |mailbox, folder, validity, uids| {
            let elsewhere = done.as_ref().filter(|done| **done != mailbox.folders[folder].name);
            match elsewhere {
                Some(to) => mailbox.carry(folder, validity, uids, to),
                None => mailbox.mark(folder, validity, uids, Mark::Seen),
            }
        })
    }

    fn leave(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        self.by_folder(arrivals, |mailbox, folder, validity, uids| {
            mailbox.mark(folder, validity, uids, Mark::Left)
        })
    }
}
