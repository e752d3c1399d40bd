//! Dates as mail writes them (RFC 5322 sections 3.3 and 4.3), with the spellings that are seen besides: ISO, zones of
//! letters, no weekday, no seconds. A zone that is not known counts as Greenwich, as the RFC says.

use chrono::{DateTime, FixedOffset, NaiveDate};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a date; none where there is none.
pub(super) fn read(value: &str) -> Option<DateTime<FixedOffset>> {
    let value = without_comments(value);
    DateTime::parse_from_rfc3339(value.trim()).ok().or_else(|| usual(&value))
}

/// Reads `Fri, 1 Nov 2002 09:02:04 +0000`, and the order of the C library, `Fri Nov 1 09:02:04 2002`.
fn usual(value: &str) -> Option<DateTime<FixedOffset>> {
    let (mut day, mut month, mut year, mut time, mut offset) = (None, None, None, None, 0);
    for word in value.split([' ', ',', '\t', '-']).filter(|w| !w.is_empty()).take(12) {
        let lower = word.to_ascii_lowercase();
        if word.contains(':') {
            time = time.or_else(|| clock(word));
        } else if let Some(zone) = time.and_then(|_| digits_zone(value, word)) {
            offset = zone;
        } else if let Ok(number) = word.parse::<i32>() {
            if day.is_none() && (1..=31).contains(&number) && word.len() <= 2 {
                day = u32::try_from(number).ok();
            } else if year.is_none() {
                year = Some(full_year(number, word.len()));
            }
        } else if let Some(n) = MONTHS.iter().position(|m| lower.starts_with(m)) {
            month = month.or(u32::try_from(n + 1).ok());
        } else if time.is_some() {
            offset = named_zone(&lower).unwrap_or(offset);
        }
    }
    let (hour, minute, second) = time?;
    let at = NaiveDate::from_ymd_opt(year?, month?, day?)?.and_hms_opt(hour, minute, second)?;
    let zone = FixedOffset::east_opt(offset * 60)?;
    at.and_local_timezone(zone).single()
}

/// Returns the offset in minutes of a zone in digits, whose sign was taken for a separator.
fn digits_zone(value: &str, word: &str) -> Option<i32> {
    let digits = word.strip_prefix('+').unwrap_or(word);
    let (hours, minutes) = digits.split_at_checked(2).filter(|_| digits.len() == 4)?;
    let east = word.starts_with('+');
    let west = !east && value.contains(&format!("-{word}"));
    let offset = hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?;
    (east || west).then_some(if west { -offset } else { offset }).filter(|o| o.abs() < 24 * 60)
}

fn named_zone(name: &str) -> Option<i32> {
    let hours = match name {
        "edt" => -4,
        "est" | "cdt" => -5,
        "cst" | "mdt" => -6,
        "mst" | "pdt" => -7,
        "pst" => -8,
        "hst" => -10,
        "cet" | "bst" | "mez" => 1,
        "cest" | "mesz" | "eet" => 2,
        "msk" => 3,
        _ => return None,
    };
    Some(hours * 60)
}

fn clock(word: &str) -> Option<(u32, u32, u32)> {
    let mut parts = word.split(':').map(str::parse::<u32>);
    let (hour, minute) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let second = parts.next().and_then(Result::ok).unwrap_or(0);
    Some((hour, minute, second.min(59))) // a leap second is no second of chrono's
}

fn full_year(number: i32, digits: usize) -> i32 {
    match (digits, number) {
        (2, 0..=49) => 2000 + number,
        (2 | 3, _) => 1900 + number,
        _ => number,
    }
}

fn without_comments(value: &str) -> String {
    let mut depth = 0_usize;
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn dates_are_read_in_every_spelling() {
        for (text, expected) in [
            ("Fri, 1 Nov 2002 09:02:04 +0000", "2002-11-01T09:02:04+00:00"),
            ("Fri, 1 Nov 2002 09:02:04 -0930 (some zone)", "2002-11-01T09:02:04-09:30"),
            ("Fri, 1 Nov 2002 09:02:04 UT", "2002-11-01T09:02:04+00:00"),
            ("Fri, 1 Nov 2002 09:02:04 A", "2002-11-01T09:02:04+00:00"),
            ("1 Nov 02 09:02 EST", "2002-11-01T09:02:00-05:00"),
            ("Fri Nov  1 09:02:04 2002", "2002-11-01T09:02:04+00:00"),
            ("2019-11-01T09:02:04Z", "2019-11-01T09:02:04+00:00"),
            ("Tue, 31 Dec 2019 23:59:60 -1000", "2019-12-31T23:59:59-10:00"),
        ] {
            assert_eq!(read(text).map(|d| d.to_rfc3339()).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "yesterday", "Fri, 32 Nov 2002 09:02:04 +0000", "1 Nov 2002"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
