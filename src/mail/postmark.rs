//! The postmark of a mail (Rule 9): the calendar day on which its sender sent it, in his own zone, as long as that
//! agrees with the stamp of the server that took it in. Otherwise the server's day counts, and the reason is told.

use super::{Desk, date, message::Mail};
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};

/// Returns the day of the postmark, and why it is not the sender's own date, where it is not.
pub(super) fn of(
    mail: &Mail<'_>,
    stamped: Option<DateTime<Utc>>,
    desk: &Desk<'_>,
) -> (NaiveDate, Option<String>) {
    let latest = desk.now + TimeDelta::days(1);
    let sent = mail.field("date").and_then(|value| date::read(&value));
    let stamp = received(mail).or(stamped).filter(|at| *at <= latest);
    match (sent, stamp) {
        (Some(sent), Some(stamp)) => {
            let (claimed, taken_in) = (sent.date_naive(), stamp.with_timezone(sent.offset()));
            if apart(claimed, taken_in.date_naive()) <= tolerance(desk) {
                return (claimed, None);
            }
            let day = desk.house.day(stamp);
            let doubt = format!("The mail says it was sent on {claimed}, and it came in on {day}.");
            (day, Some(doubt))
        }
        (Some(sent), None) if sent.with_timezone(&Utc) <= latest => (sent.date_naive(), None),
        (Some(sent), None) => {
            let day = desk.house.day(desk.now);
            let doubt = format!(
                "The mail says it was sent on {}, which is yet to come; it was read on {day}.",
                sent.date_naive()
            );
            (day, Some(doubt))
        }
        (None, Some(stamp)) => {
            let day = desk.house.day(stamp);
            (day, Some(format!("The mail does not say when it was sent; it came in on {day}.")))
        }
        (None, None) => {
            let day = desk.house.day(desk.now);
            (day, Some(format!("Nothing says when the mail was sent; it was read on {day}.")))
        }
    }
}

/// Returns when our server took the mail in: the date of the topmost Received (RFC 5321 section 4.4).
fn received(mail: &Mail<'_>) -> Option<DateTime<Utc>> {
    let field = mail.field("received")?;
    let (_, stamp) = field.rsplit_once(';')?;
    date::read(stamp).map(|at| at.with_timezone(&Utc))
}

fn apart(one: NaiveDate, other: NaiveDate) -> Days {
    Days::new(one.signed_duration_since(other).num_days().unsigned_abs())
}

/// Returns the strictest tolerance of all tournaments, since a mail may be about any.
fn tolerance(desk: &Desk<'_>) -> Days {
    let terms = desk.rules.tournaments.values().map(|t| t.entry.postmark_tolerance_days);
    Days::new(terms.min().unwrap_or(1).into())
}
