//! Filing away: the only place that changes anything on the server, after the mails are durable here. Into the folder for
//! what is done, by MOVE (RFC 6851) or by copying and deleting; or, where there is no such folder, by a keyword.
//!
//! Nothing is ever expunged but what this very command has copied, and of that only what the server can name by UID: an
//! EXPUNGE without UIDs would also remove what a person has marked as deleted and may want back.

use super::{
    look::{DONE, LEFT, ranges},
    session::{Session, Trouble, quoted},
};

/// Mails in one command: the line stays short even when no two numbers follow each other.
const CHUNK: usize = 500;

/// What a folder's mails get when they were seen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Seen, and the keyword of what is done.
    Seen,
    /// A keyword alone: a suspect is left as it was for whoever looks through them.
    Left,
}

/// Opens a folder unless it is open; answers whether it is still the one that the mails were seen in.
pub(super) async fn opened(
    session: &mut Session,
    folder: &str,
    validity: u32,
) -> Result<bool, Trouble> {
    let open = session.selected.as_ref().filter(|selected| selected.folder == folder);
    let now = match open {
        Some(selected) => selected.validity,
        None => session.select(folder).await?.validity,
    };
    Ok(now == validity)
}

/// Moves mails of the open folder into another one, which is made where it is missing.
pub(super) async fn carry(session: &mut Session, uids: &[u32], to: &str) -> Result<(), Trouble> {
    let verb = if session.can("MOVE") { "MOVE" } else { "COPY" };
    let target = quoted(to);
    for chunk in uids.chunks(CHUNK) {
        let set = ranges(chunk);
        let line = format!("UID {verb} {set} {target}");
        put(session, &line, &target).await?;
        if verb == "COPY" {
            // A crash before this copies them once more, which harms nobody.
            let limit = session.patience.answer;
            let deleted = format!("UID STORE {set} +FLAGS.SILENT (\\Deleted)");
            session.must(&deleted, limit, |_| ()).await?;
            // Without UIDPLUS (RFC 4315) they stay with \Deleted, and no search of ours finds them.
            if session.can("UIDPLUS") {
                session.must(&format!("UID EXPUNGE {set}"), limit, |_| ()).await?;
            }
        }
    }
    Ok(())
}

/// Moves or copies; makes the folder where that is what is missing, once.
async fn put(session: &mut Session, line: &str, target: &str) -> Result<(), Trouble> {
    let limit = session.patience.answer;
    let reply = session.command(line, limit, |_| ()).await?;
    if reply.ok {
        return Ok(());
    }
    // Not every server says TRYCREATE; a folder that is there already is not made twice.
    let made = session.command(&format!("CREATE {target}"), limit, |_| ()).await?;
    if !made.ok && !reply.try_create {
        return Err(session.refused(line, &reply));
    }
    if !made.ok {
        return Err(session.refused("CREATE", &made));
    }
    session.must(line, limit, |_| ()).await
}

/// Marks mails of the open folder where they are.
///
/// Where it keeps no keywords, they are marked as seen at most. No other flag is taken for ours: `\Flagged` and
/// `\Answered` are a person's, and `\Deleted` would let the next EXPUNGE of anybody destroy the mail. Who they are is then
/// remembered in memory; after a restart they are fetched once more and known by their digests, so that nothing is lost
/// and nothing is done twice.
pub(super) async fn mark(
    session: &mut Session,
    uids: &[u32],
    keywords: bool,
    mark: Mark,
) -> Result<(), Trouble> {
    let flags = match (mark, keywords) {
        (Mark::Seen, true) => format!("\\Seen {DONE}"),
        (Mark::Seen, false) => "\\Seen".to_owned(),
        (Mark::Left, true) => LEFT.to_owned(),
        (Mark::Left, false) => return Ok(()),
    };
    for chunk in uids.chunks(CHUNK) {
        let line = format!("UID STORE {} +FLAGS.SILENT ({flags})", ranges(chunk));
        session.must(&line, session.patience.answer, |_| ()).await?;
    }
    Ok(())
}
