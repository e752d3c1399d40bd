//! Days as people write them, with their place in a sentence: `June 1-14`, `vom 1.6. bis 14.6.`, `du 1er au 14 juin`,
//! `6/1 - 6/14`, `since 12 May`, `two weeks from July 1`, `until Monday`, `yesterday`. The words are data (`[dates]` in
//! `words/`).
//!
//! A day without a year is the one nearest to the postmark in the direction that the matter has: leave is ahead, a
//! complaint looks back. In `6/1` the month comes first for a player in the United States, unless another day of the
//! mail shows that he writes it otherwise. A day that no calendar has is none.

mod day;
mod text;

use super::Said;
use crate::mail::lexicon::Word;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use day::{Part, last_of};
use std::ops::Range;
use text::{Kind, Text};

/// How far back a day may lie that is expected ahead: leave may have begun.
const BEGUN: Days = Days::new(60);

/// A time that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// A day.
    On(NaiveDate),
    /// From a day on, or since it.
    From(NaiveDate),
    /// To the end of a day.
    Until(NaiveDate),
    /// From one day to the end of another.
    Between(NaiveDate, NaiveDate),
}

impl When {
    /// Returns the first day.
    pub(super) const fn first(self) -> Option<NaiveDate> {
        match self {
            Self::On(day) | Self::From(day) | Self::Between(day, _) => Some(day),
            Self::Until(_) => None,
        }
    }

    /// Returns the last day.
    pub(super) const fn last(self) -> Option<NaiveDate> {
        match self {
            Self::On(day) | Self::Until(day) | Self::Between(_, day) => Some(day),
            Self::From(_) => None,
        }
    }
}

/// A time and where it stands in the plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The time.
    pub(super) when: When,
    /// Where it stands.
    pub(super) at: Range<usize>,
}

/// Where days without a year are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toward {
    /// In the past.
    Back,
    /// In the future, or begun.
    Ahead,
}

/// How days are meant in a mail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    today: NaiveDate,
    toward: Toward,
    month_first: bool,
}

impl Calendar {
    /// Returns how the sender of a mail means days.
    pub(super) fn of(said: &Said<'_>, toward: Toward) -> Self {
        let shown = said.text.split(|c: char| !c.is_ascii_digit() && c != '/').find_map(|pair| {
            let (one, other) = pair.split_once('/')?;
            let other = other.split('/').next().unwrap_or_default();
            let (one, other): (u32, u32) = (one.parse().ok()?, other.parse().ok()?);
            match (one, other) {
                (13..=31, 1..=12) => Some(false),
                (1..=12, 13..=31) => Some(true),
                _ => None,
            }
        });
        let player = said.players.first().and_then(|p| said.desk.state.players.get(p));
        let month_first = shown.unwrap_or_else(|| {
            let country = player.and_then(|p| p.country.as_deref());
            let language = player.and_then(|p| p.language.as_deref());
            country.map_or(language.is_none_or(|l| l == "en"), |country| country == "US")
        });
        Self { today: said.postmark, toward, month_first }
    }

    /// Finds the times in plain text, in order.
    pub(super) fn spans(self, plain: &str) -> Vec<Span> {
        let text = Text::of(plain, self);
        let mut spans = Vec::new();
        let mut i = 0;
        while i < text.tokens.len() {
            match text.span(i) {
                Some((when, next)) if next > i => {
                    let end = text.tokens.get(next - 1).map_or(plain.len(), |t| t.at.end);
                    spans.push(Span { when, at: text.start(i)..end });
                    i = next;
                }
                _ => i += 1,
            }
        }
        spans
    }

    /// Returns the day that a month and a day mean where no year is given.
    fn near(self, month: u32, day: u32) -> Option<NaiveDate> {
        let year = self.today.year();
        let mut years =
            [year - 1, year, year + 1].map(|y| NaiveDate::from_ymd_opt(y, month, day)).into_iter();
        let begun = self.today.checked_sub_days(BEGUN)?;
        match self.toward {
            Toward::Ahead => years.flatten().find(|day| *day >= begun),
            Toward::Back => {
                years.rfind(|day| day.is_some_and(|d| d <= self.today + Days::new(1)))?
            }
        }
    }
}

impl Text<'_> {
    /// Reads a time that begins at a token.
    fn span(&self, i: usize) -> Option<(When, usize)> {
        if let Some((_, next)) = self.word(Word::NextWeek, i) {
            let monday = self.calendar.today.week(Weekday::Mon).first_day() + Days::new(7);
            return Some((When::Between(monday, monday + Days::new(6)), next));
        }
        let (between, begin) =
            self.word(Word::Between, i).map_or((false, i), |(_, next)| (true, next));
        let from = self.word(Word::From, begin).map(|(_, next)| next);
        let range = self.range(from.unwrap_or(begin), between);
        if let Some(range) = range.or_else(|| self.counted(i)).or_else(|| self.month(i)) {
            return Some(range);
        }
        if let Some((day, next)) = self.word(Word::Until, i).and_then(|(_, at)| self.day(at)) {
            return Some((When::Until(self.resolve(day)?), next));
        }
        if let Some(since) = self.lasting(i) {
            return Some(since);
        }
        let (day, next) = self.day(from.unwrap_or(i))?;
        let day = self.resolve(day)?;
        if let Some((length, next)) = self.length(self.behind(Word::During, next)) {
            return Some((When::Between(day, length(day)?), next));
        }
        let when = if from.is_some() { When::From(day) } else { When::On(day) };
        Some((when, next))
    }

    /// Reads two days with a dash or a word between them; the month and the year may stand beside one alone.
    fn range(&self, i: usize, between: bool) -> Option<(When, usize)> {
        let (first, next) = self.day(i).or_else(|| self.bare(i))?;
        let dash = self.is_sign(next, '-').then_some(next + 1);
        let and = || self.word(Word::And, next).filter(|_| between).map(|(_, next)| next);
        let word = || self.word(Word::Until, next).map(|(_, next)| next).or_else(and);
        let second = dash.or_else(word)?;
        let second = self.word(Word::Until, second).map_or(second, |(_, next)| next);
        let (second, next) = self.day(second).or_else(|| match first {
            Part::Bare(_) => None,
            Part::Fixed(_) | Part::Of { .. } => self.bare(second),
        })?;
        let (first, last) = self.joined(first, second)?;
        let shown = first <= last && last <= first.checked_add_months(Months::new(24))?;
        shown.then_some((When::Between(first, last), next))
    }

    fn joined(&self, first: Part, second: Part) -> Option<(NaiveDate, NaiveDate)> {
        let first = match (first, second) {
            (Part::Bare(day), Part::Of { year, month, .. }) => Part::Of { year, month, day },
            (Part::Bare(day), Part::Fixed(last)) => {
                Part::Fixed(NaiveDate::from_ymd_opt(last.year(), last.month(), day)?)
            }
            (
                Part::Of { year: None, month, day },
                Part::Of { year: Some(year), month: last, .. },
            ) => {
                let year = if month > last { year - 1 } else { year };
                Part::Of { year: Some(year), month, day }
            }
            (first, _) => first,
        };
        let first = self.resolve(first)?;
        let last = match second {
            Part::Fixed(day) => day,
            Part::Bare(day) => NaiveDate::from_ymd_opt(first.year(), first.month(), day)?,
            Part::Of { year: Some(year), month, day } => NaiveDate::from_ymd_opt(year, month, day)?,
            Part::Of { year: None, month, day } => {
                let same = NaiveDate::from_ymd_opt(first.year(), month, day);
                let next = || NaiveDate::from_ymd_opt(first.year() + 1, month, day);
                same.filter(|day| *day >= first).or_else(next)?
            }
        };
        Some((first, last))
    }

    /// Reads `two weeks from July 1` and `two weeks ago`.
    fn counted(&self, i: usize) -> Option<(When, usize)> {
        let (length, next) = self.length(i)?;
        if let Some((_, next)) = self.word(Word::Ago, next) {
            let today = self.calendar.today;
            // The length is counted from its first day on, which is included.
            let days = length(today)?.signed_duration_since(today).num_days() + 1;
            let day = today.checked_sub_days(Days::new(u64::try_from(days).ok()?))?;
            return Some((When::On(day), next));
        }
        let (_, at) = self.word(Word::From, next)?;
        let (day, next) = self.day(at)?;
        let day = self.resolve(day)?;
        Some((When::Between(day, length(day)?), next))
    }

    /// Reads `for two months`, `seit drei Wochen`, `3 weeks without a move` in a complaint: since then.
    fn lasting(&self, i: usize) -> Option<(When, usize)> {
        let toward = self.calendar.toward == Toward::Back;
        let skip = |kind: Word, at: usize| self.word(kind, at).map_or(at, |(_, next)| next);
        let (length, next) =
            self.length(skip(Word::During, skip(Word::From, i))).filter(|_| toward)?;
        let today = self.calendar.today;
        let days = length(today)?.signed_duration_since(today).num_days() + 1;
        Some((When::From(today - Days::new(u64::try_from(days).ok()?)), next))
    }

    /// Reads a length, `two weeks`, as what makes of a first day the last one.
    fn length(&self, i: usize) -> Option<(impl Fn(NaiveDate) -> Option<NaiveDate> + use<>, usize)> {
        let (count, next) = self.count(i)?;
        let (unit, next) = self.word(Word::Unit, next)?;
        let last = move |first: NaiveDate| {
            let behind = match unit {
                1 => first.checked_add_days(Days::new(u64::from(count))),
                2 => first.checked_add_days(Days::new(u64::from(count) * 7)),
                _ => first.checked_add_months(Months::new(count)),
            };
            behind?.pred_opt()
        };
        Some((last, next))
    }

    fn count(&self, i: usize) -> Option<(u32, usize)> {
        match self.kind(i)? {
            Kind::Number { value, digits: 1 | 2 } if value > 0 => Some((value, i + 1)),
            _ => self.word(Word::Number, i).map(|(n, next)| (u32::from(n), next)),
        }
    }

    /// Reads a month that is meant as a whole: `in July`.
    fn month(&self, i: usize) -> Option<(When, usize)> {
        let (_, at) = self.word(Word::During, i)?;
        let (month, next) = self.word(Word::Month, self.behind(Word::Filler, at))?;
        let (year, next) = self.year(next).map_or((None, next), |(y, next)| (Some(y), next));
        if year.is_none() && self.day_number(next).is_some() {
            return None;
        }
        let first = self.resolve(Part::Of { year, month: u32::from(month), day: 1 })?;
        Some((When::Between(first, last_of(first)?), next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str, today: &str, toward: Toward, month_first: bool) -> String {
        let today = today.parse().expect("a day");
        let calendar = Calendar { today, toward, month_first };
        let told =
            calendar.spans(&crate::mail::lexicon::plain(text)).into_iter().map(|s| match s.when {
                When::On(day) => day.to_string(),
                When::From(day) => format!("{day}.."),
                When::Until(day) => format!("..{day}"),
                When::Between(one, other) => format!("{one}..{other}"),
            });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn days_ahead_are_read_in_the_words_of_the_players() {
        let june = "2019-06-01..2019-06-14";
        for text in [
            "time out please, hospital, June 1-14",
            "1-14 June",
            "from 1 to 14 June",
            "1.6.-14.6.",
            "Urlaub vom 1. bis 14. Juni",
            "01.06. bis 14.06.2019",
            "6/1 - 6/14",
            "6/1-6/14, please",
            "June 1st through June 14th, 2019",
            "du 1er au 14 juin",
            "between June 1 and June 14",
            "two weeks from June 1",
            "for two weeks starting June 1",
            "from June 1 for two weeks",
            "2019-06-01 to 2019-06-14",
            "del 1 al 14 de junio",
            "dal 1 al 14 giugno",
            "van 1 t/m 14 juni",
            "de 1 a 14 de junho",
            "från 1 juni till och med 14 juni",
            "od 1. 6. do 14. 6. 2019",
            "od 1 do 14 czerwca",
            "с 1 по 14 июня",
            "Saturday, June 1 to Friday, June 14",
        ] {
            assert_eq!(spans(text, "2019-05-20", Toward::Ahead, true), june, "{text}");
        }
    }

    #[test]
    fn a_day_alone_is_read_as_it_is_bounded() {
        for (text, told) in [
            ("since 12 May", "2019-05-12.."),
            ("the 5th of May", "2019-05-05"),
            ("no answer since 12 May, repeat sent 26 May", "2019-05-12.. 2019-05-26"),
            ("sent 4/28, repeated 5/12", "2019-04-28 2019-05-12"),
            ("seit dem 3. Mai", "2019-05-03.."),
            ("yesterday", "2019-06-02"),
            ("three weeks ago", "2019-05-13"),
            ("10 days ago", "2019-05-24"),
            ("gesendet am 01.05., wiederholt am 16.05.", "2019-05-01 2019-05-16"),
            ("since December 30", "2018-12-30.."),
        ] {
            assert_eq!(spans(text, "2019-06-03", Toward::Back, true), told, "{text}");
        }
        for (text, told) in [
            ("until Monday", "..2019-06-10"),
            ("until the end of June", "..2019-06-30"),
            ("next week", "2019-06-10..2019-06-16"),
            ("tomorrow", "2019-06-04"),
            ("in July", "2019-07-01..2019-07-31"),
            ("from December 20 to January 5", "2019-12-20..2020-01-05"),
            ("3/4", "2020-03-04"),
            ("as of July 1", "2019-07-01.."),
        ] {
            assert_eq!(spans(text, "2019-06-03", Toward::Ahead, true), told, "{text}");
        }
        assert_eq!(spans("3/4", "2019-06-03", Toward::Back, false), "2019-04-03");
    }

    #[test]
    fn what_no_calendar_has_is_no_day() {
        for text in [
            "June 31",
            "30.2.2019",
            "2019-13-01",
            "19N04 3-1",
            "15.Bg5",
            "7.a4",
            "1-0",
            "12.5254",
            "may I ask",
            "34 of 30 days",
            "10-3-1",
        ] {
            assert_eq!(spans(text, "2019-06-03", Toward::Ahead, true), "", "{text}");
        }
    }
}
