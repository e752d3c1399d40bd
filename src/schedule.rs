//! The schedule of a job, and the only door to the `cron` crate. A line is read on the wall clock of a zone, and its
//! slots are mapped to instants here, because the crate's own handling skips a slot that falls into the gap of
//! daylight saving, doubles one in the overlap and can go back in time. A slot in a gap is the first minute behind it,
//! a slot in an overlap is the earlier of the two. A job has one slot a day at most; a slot is known by its day.

use chrono::{DateTime, Days, MappedLocalTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use std::str::FromStr;

/// The names of the fields, and the numbers that each may hold. The day of the week is told by name.
const FIELDS: [(&str, u32, u32); 4] =
    [("minutes", 0, 59), ("hours", 0, 23), ("days of the month", 1, 31), ("months", 1, 12)];

/// The longest gap that a zone ever made: Samoa left out a whole day in 2011.
const GAP_MINUTES: i64 = 24 * 60;

/// When a job is due: minute, hour, day of month, month, day of week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    text: String,
    cron: cron::Schedule,
}

impl Schedule {
    /// Reads a line of five fields, such as `0 9 * * Mon`. Minute and hour are one number each; the days of the week
    /// have names.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |why: String| format!("\"{text}\" is no cron line: {why}");
        let fields: Vec<_> = text.split_whitespace().collect();
        let [.., weekday] = check_fields(&fields).map_err(wrong)?;
        check_weekday(weekday).map_err(wrong)?;
        let cron = cron::Schedule::from_str(&format!("0 {}", fields.join(" ")))
            .map_err(|_| wrong("a field is not written as *, 5, 1-5, 1,15 or */2".to_owned()))?;
        let schedule = Self { text: fields.join(" "), cron };
        let first = schedule.wall_times(DateTime::UNIX_EPOCH.date_naive()).next();
        match first {
            Some(_) => Ok(schedule),
            None => Err(wrong("no day ever fits it".to_owned())),
        }
    }

    /// Returns the line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first slot after an instant, by the wall clock of a zone. It is always later than the instant.
    pub fn next_after(&self, after: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        let day = after.with_timezone(&zone).date_naive();
        self.slots(day.checked_sub_days(Days::new(2))?, zone)
            .map(|(_, slot)| slot)
            .find(|slot| *slot > after)
    }

    /// Returns the latest slot that has passed by `now` of the days after `after_day`, with its day in the zone; none
    /// where none has. Slots that were missed before it are not made up for: the job runs late, once.
    pub fn slots_between(
        &self,
        after_day: NaiveDate,
        now: DateTime<Utc>,
        zone: Tz,
    ) -> Option<(NaiveDate, DateTime<Utc>)> {
        self.slots(after_day, zone).take_while(|(_, slot)| *slot <= now).last()
    }

    /// Returns the slots of the days after a day, in order.
    fn slots(
        &self,
        after_day: NaiveDate,
        zone: Tz,
    ) -> impl Iterator<Item = (NaiveDate, DateTime<Utc>)> {
        self.wall_times(after_day).filter_map(move |wall| Some((wall.date(), instant(wall, zone)?)))
    }

    /// Returns the times on the wall clock of the days after a day; UTC stands in for a zone that knows no gaps.
    fn wall_times(&self, after_day: NaiveDate) -> impl Iterator<Item = NaiveDateTime> {
        let midnight = after_day.and_hms_opt(23, 59, 59).expect("every day has this second");
        self.cron.after(&midnight.and_utc()).map(|wall| wall.naive_utc())
    }
}

/// Returns the instant at which a zone's wall clock shows a time, or the first minute behind the gap it falls into.
fn instant(wall: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    (0..=GAP_MINUTES).find_map(|minutes| {
        match zone.from_local_datetime(&(wall + TimeDelta::minutes(minutes))) {
            MappedLocalTime::Single(at) | MappedLocalTime::Ambiguous(at, _) => Some(at.to_utc()),
            MappedLocalTime::None => None,
        }
    })
}

fn check_fields<'a>(fields: &[&'a str]) -> Result<[&'a str; 5], String> {
    let Ok(five) = <[&str; 5]>::try_from(fields) else {
        return Err(format!("it has {} fields, not five", fields.len()));
    };
    for (field, (name, least, most)) in five.iter().zip(FIELDS) {
        let range = least..=most;
        if numbers(field).any(|n| !n.parse().is_ok_and(|n| range.contains(&n))) {
            return Err(format!("{name} run from {least} to {most}"));
        }
    }
    for (field, (name, ..)) in five.iter().zip(&FIELDS[..2]) {
        if !field.bytes().all(|b| b.is_ascii_digit()) {
            return Err(format!("a job runs once a day at most, so {name} are one number"));
        }
    }
    Ok(five)
}

/// Returns the numbers of a field, without the steps behind `/`.
fn numbers(field: &str) -> impl Iterator<Item = &str> {
    let parts = field.split(',').filter_map(|part| part.split('/').next());
    parts.flat_map(|part| part.split('-')).filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

/// Refuses numbers for the days of the week: some programs count them from Sunday as 0, the crate from Sunday as 1.
fn check_weekday(field: &str) -> Result<(), String> {
    if field.split('/').next().is_some_and(|days| days.contains(|c: char| c.is_ascii_digit())) {
        return Err("days of the week are named: Sun, Mon, Tue, Wed, Thu, Fri, Sat".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{Datelike, Weekday};
    use chrono_tz::{America, Asia, Australia, Europe, Pacific};

    const ZONES: [Tz; 7] = [
        America::New_York,
        America::Chicago,
        Europe::Berlin,
        Pacific::Auckland,
        Pacific::Chatham,
        Asia::Kolkata,
        Australia::Lord_Howe,
    ];

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn every_scheduled_day_of_a_year_has_exactly_one_slot_in_every_zone() {
        let hours = ["0 0", "30 0", "0 1", "30 1", "0 2", "15 2", "30 2", "45 2", "0 3", "30 23"];
        for (zone, hour) in ZONES.iter().flat_map(|z| hours.iter().map(move |h| (*z, h))) {
            let daily = Schedule::parse(&format!("{hour} * * *")).unwrap();
            let mut now = zone.with_ymd_and_hms(2020, 12, 31, 23, 59, 59).unwrap().to_utc();
            for n in 0..730 {
                let next = daily.next_after(now, zone).unwrap();
                assert!(next > now, "{zone} {hour}: {next} is not after {now}");
                let local = next.with_timezone(&zone).date_naive();
                assert_eq!(local, day("2021-01-01") + Days::new(n), "{zone} {hour}");
                now = next;
            }
        }
    }

    #[test]
    fn the_next_slot_is_later_from_whatever_instant_one_asks() {
        for zone in ZONES {
            let daily = Schedule::parse("30 2 * * *").unwrap();
            let mut now = at("2021-03-01T00:00:00Z");
            while now < at("2021-12-01T00:00:00Z") {
                let next = daily.next_after(now, zone).unwrap();
                assert!(next > now && next - now <= TimeDelta::hours(25), "{zone} {now} {next}");
                now += TimeDelta::minutes(97);
            }
        }
    }

    #[test]
    fn gaps_and_overlaps_of_daylight_saving() {
        for (zone, line, after, next) in [
            // The gap of 14 March 2021: 02:30 does not exist, 03:00 is the first minute behind it.
            (America::New_York, "30 2 * * *", "2021-03-14T05:00:00Z", "2021-03-14T07:00:00Z"),
            (America::New_York, "30 2 * * *", "2021-03-14T07:00:00Z", "2021-03-15T06:30:00Z"),
            // The overlap of 7 November 2021: 01:30 comes twice, the earlier one counts.
            (America::New_York, "30 1 * * *", "2021-11-07T04:00:00Z", "2021-11-07T05:30:00Z"),
            (America::New_York, "30 1 * * *", "2021-11-07T05:30:00Z", "2021-11-08T06:30:00Z"),
            (America::New_York, "30 1 * * *", "2021-11-07T06:10:00Z", "2021-11-08T06:30:00Z"),
            // Lord Howe moves its clocks by half an hour only.
            (Australia::Lord_Howe, "15 2 * * *", "2021-10-02T12:00:00Z", "2021-10-02T15:30:00Z"),
            // Samoa left out 30 December 2011: its slot falls on the first minute of the 31st.
            (Pacific::Apia, "0 9 * * *", "2011-12-29T20:00:00Z", "2011-12-30T10:00:00Z"),
            (Pacific::Apia, "0 9 * * *", "2011-12-30T10:00:00Z", "2011-12-30T19:00:00Z"),
            (America::Chicago, "0 9 29 Feb *", "2021-01-01T00:00:00Z", "2024-02-29T15:00:00Z"),
            (America::Chicago, "0 9 * * mon", "2021-01-01T00:00:00Z", "2021-01-04T15:00:00Z"),
            (America::Chicago, "0 9 1-7 */3 Sun", "2021-01-04T00:00:00Z", "2021-04-04T14:00:00Z"),
        ] {
            let schedule = Schedule::parse(line).unwrap();
            assert_eq!(
                schedule.next_after(at(after), zone),
                Some(at(next)),
                "{zone} {line} {after}"
            );
        }
    }

    #[test]
    fn the_latest_missed_slot_runs_late_and_once() {
        let monday = Schedule::parse("0 9 * * Mon").unwrap();
        for (after, now, slot) in [
            ("2021-03-01", "2021-03-08T14:59:59Z", None),
            ("2021-03-01", "2021-03-08T15:00:00Z", Some(("2021-03-08", "2021-03-08T15:00:00Z"))),
            ("2021-03-08", "2021-03-08T15:00:01Z", None),
            ("2021-03-01", "2021-03-24T00:00:00Z", Some(("2021-03-22", "2021-03-22T14:00:00Z"))),
            ("2021-03-23", "2021-03-24T00:00:00Z", None),
            ("2022-01-01", "2021-03-24T00:00:00Z", None),
        ] {
            let found = monday.slots_between(day(after), at(now), America::Chicago);
            assert_eq!(found, slot.map(|(d, s)| (day(d), at(s))), "{after} {now}");
        }
    }

    #[test]
    fn a_year_of_passes_sees_every_slot_once() {
        for zone in ZONES {
            let schedule = Schedule::parse("30 2 * * Sun").unwrap();
            let (mut last, mut seen) = (day("2020-12-31"), Vec::new());
            let mut now = zone.with_ymd_and_hms(2021, 1, 1, 0, 0, 0).unwrap().to_utc();
            while now < zone.with_ymd_and_hms(2022, 1, 1, 0, 0, 0).unwrap() {
                if let Some((slot, _)) = schedule.slots_between(last, now, zone) {
                    last = slot;
                    seen.push(slot);
                }
                now += TimeDelta::minutes(50);
            }
            let sundays = day("2021-01-01").iter_days().take(365);
            let sundays: Vec<_> = sundays.filter(|d| d.weekday() == Weekday::Sun).collect();
            assert_eq!(seen, sundays, "{zone}");
        }
    }

    #[test]
    fn lines_that_are_none_say_why() {
        for (line, why) in [
            ("", "it has 0 fields, not five"),
            ("0 0 9 * * Mon", "it has 6 fields, not five"),
            ("@daily", "it has 1 fields, not five"),
            ("0 25 * * Mon", "hours run from 0 to 23"),
            ("60 9 * * Mon", "minutes run from 0 to 59"),
            ("0 9 32 * *", "days of the month run from 1 to 31"),
            ("0 9 1,0 * *", "days of the month run from 1 to 31"),
            ("0 9 * 1-13 *", "months run from 1 to 12"),
            ("*/5 9 * * *", "a job runs once a day at most, so minutes are one number"),
            ("0 9,17 * * *", "a job runs once a day at most, so hours are one number"),
            ("0 9 * * 1", "days of the week are named: Sun, Mon, Tue, Wed, Thu, Fri, Sat"),
            ("0 9 * * Mon-5", "days of the week are named: Sun, Mon, Tue, Wed, Thu, Fri, Sat"),
            ("0 9 * * Mo", "a field is not written as *, 5, 1-5, 1,15 or */2"),
            ("0 9 30 2 *", "no day ever fits it"),
            ("0 9 99999999999 * *", "days of the month run from 1 to 31"),
        ] {
            assert_eq!(
                Schedule::parse(line).unwrap_err(),
                format!("\"{line}\" is no cron line: {why}")
            );
        }
    }
}
