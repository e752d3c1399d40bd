//! A look into a folder: which mails wait there, and how large they are. A mail waits until it is deleted or carries our
//! keyword; that somebody has seen it says nothing, since people read the club's mailbox too. One that somebody marks as
//! unread waits again, so that mail can be read once more after a restore; what is in the books is known by its digest.

use super::session::{Session, Trouble};
use crate::limits;
use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// The keyword of mails that were seen to (RFC 3501 section 2.3.2).
pub(super) const DONE: &str = "$KnightmailDone";
/// The keyword of suspects that were looked at and left. It counts in the folder of suspected spam alone: a mail that
/// somebody moves out of there takes it along, and is then to be read.
pub(super) const LEFT: &str = "$KnightmailLeft";
/// Mails whose sizes are asked for at once.
const CHUNK: usize = 1000;

/// What a look finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The life of the folder that the numbers belong to.
    pub(super) validity: u32,
    /// Whether our keyword can be set there.
    pub(super) keywords: bool,
    /// Every mail that waits by its UID, also those that were seen to and could not be marked.
    pub(super) mails: BTreeMap<u32, Seen>,
}

/// What is known of a mail before it is fetched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) stamped: Option<DateTime<Utc>>,
    pub(super) bytes: Option<usize>,
}

/// Looks into a folder. Of the mails that wait, the first ones that are not in `known` are asked about.
pub(super) async fn look(
    session: &mut Session,
    folder: &str,
    suspect: bool,
    known: &BTreeSet<(u32, u32)>,
) -> Result<Found, Trouble> {
    let selected = session.select(folder).await?;
    let validity = selected.validity;
    let keywords = keeps(selected.permanent.as_deref());
    let mut found = Found { validity, keywords, mails: BTreeMap::new() };
    if selected.exists == 0 {
        return Ok(found);
    }
    let wanted = match (keywords, suspect) {
        (false, _) => String::new(),
        (true, false) => format!(" OR UNKEYWORD {DONE} UNSEEN"),
        (true, true) => format!(" OR UNKEYWORD {DONE} UNSEEN UNKEYWORD {LEFT}"),
    };
    let line = format!("UID SEARCH UNDELETED{wanted}");
    let limit = session.patience.answer;
    session
        .must(&line, limit, |response| {
            if let Response::MailboxData(MailboxDatum::Search(uids)) = response {
                found.mails.extend(uids.iter().map(|uid| (*uid, Seen::default())));
            }
        })
        .await?;
    let unknown = found.mails.keys().filter(|uid| !known.contains(&(validity, **uid)));
    let asked: Vec<u32> = unknown.copied().take(limits::LOOK_MAILS).collect();
    for uids in asked.chunks(CHUNK) {
        let line = format!("UID FETCH {} (UID INTERNALDATE RFC822.SIZE)", ranges(uids));
        let hear = |response: &Response<'_>| {
            if let Some((uid, seen)) = size(response)
                && let Some(mail) = found.mails.get_mut(&uid)
            {
                *mail = seen;
            }
        };
        // A server that refuses this has delivered all the same: without a date, without a size.
        session.command(&line, limit, hear).await?;
    }
    Ok(found)
}

/// Tells whether a folder keeps our keyword, by the flags that it keeps. Where the server does not say which, it keeps all
/// (RFC 3501 section 7.1).
pub(super) fn keeps(flags: Option<&[String]>) -> bool {
    let ours = |flag: &String| flag == "\\*" || flag.eq_ignore_ascii_case(DONE);
    flags.is_none_or(|flags| flags.iter().any(ours))
}

fn size(response: &Response<'_>) -> Option<(u32, Seen)> {
    let Response::Fetch(_, attributes) = response else { return None };
    let (mut uid, mut seen) = (None, Seen::default());
    for attribute in attributes {
        match attribute {
            AttributeValue::Uid(number) => uid = Some(*number),
            AttributeValue::Rfc822Size(bytes) => seen.bytes = usize::try_from(*bytes).ok(),
            AttributeValue::InternalDate(date) => seen.stamped = stamp(date),
            _ => {}
        }
    }
    Some((uid?, seen))
}

/// Reads an INTERNALDATE. Its day may be written ` 1`.
fn stamp(date: &str) -> Option<DateTime<Utc>> {
    let read = DateTime::parse_from_str(date.trim_start(), "%d-%b-%Y %H:%M:%S %z");
    read.ok().map(|stamped| stamped.to_utc())
}

/// Writes numbers that rise as a set of ranges.
pub(super) fn ranges(uids: &[u32]) -> String {
    let mut written: Vec<(u32, u32)> = Vec::new();
    for uid in uids {
        match written.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*uid) => *last = *uid,
            _ => written.push((*uid, *uid)),
        }
    }
    let range = |(first, last): (u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}:{last}") }
    };
    written.into_iter().map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::{ranges, stamp};

    #[test]
    fn numbers_that_follow_each_other_become_a_range() {
        for (uids, written) in [
            (&[7][..], "7"),
            (&[1, 2, 3], "1:3"),
            (&[1, 3, 4, 9, u32::MAX - 1, u32::MAX], "1,3:4,9,4294967294:4294967295"),
        ] {
            assert_eq!(ranges(uids), written);
        }
    }

    #[test]
    fn a_date_is_read_with_one_or_two_figures_for_the_day() {
        let seconds = |date| stamp(date).map(|at| at.timestamp());
        assert_eq!(seconds(" 1-Jan-2019 09:00:00 -0600"), Some(1_546_354_800));
        assert_eq!(seconds("01-Jan-2019 15:00:00 +0000"), Some(1_546_354_800));
        assert_eq!(seconds("yesterday"), None);
    }
}
