//! One day: `June 1`, `1.6.2019`, `6/1`, `the 5th of May`, `Monday`, `the end of June`, `yesterday`.

use super::{
    Toward,
    text::{Kind, Text},
};
use crate::mail::lexicon::Word;
use chrono::{Datelike, Days, Months, NaiveDate};

/// A day as far as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A day that needs nothing more: `tomorrow`.
    Fixed(NaiveDate),
    /// A day of a month.
    Of {
        /// The year; none where it is not written.
        year: Option<i32>,
        /// The month.
        month: u32,
        /// The day.
        day: u32,
    },
    /// A day whose month stands elsewhere.
    Bare(u32),
}

impl Text<'_> {
    /// Reads a day.
    pub(super) fn day(&self, i: usize) -> Option<(Part, usize)> {
        if let Some((number, next)) = self.word(Word::Relative, i) {
            let today = self.calendar.today;
            let day = today.checked_add_signed(chrono::TimeDelta::days(i64::from(number) - 3))?;
            return Some((Part::Fixed(day), next));
        }
        if let Some((_, at)) = self.word(Word::EndOf, i) {
            let (month, next) = self.word(Word::Month, self.behind(Word::Filler, at))?;
            let (year, next) = self.year(next).map_or((None, next), |(y, next)| (Some(y), next));
            let first = self.resolve(Part::Of { year, month: u32::from(month), day: 1 })?;
            return Some((Part::Fixed(last_of(first)?), next));
        }
        let at = self.behind(Word::Filler, i);
        if let Some((weekday, next)) = self.word(Word::Weekday, at) {
            // `Monday, June 3`: the date says more.
            let comma = next + usize::from(self.is_sign(next, ','));
            return self.dated(self.behind(Word::Filler, comma)).or_else(|| {
                let day = self.weekday(u32::from(weekday))?;
                Some((Part::Fixed(day), next))
            });
        }
        self.dated(at)
    }

    fn dated(&self, i: usize) -> Option<(Part, usize)> {
        self.iso(i).or_else(|| self.numeric(i)).or_else(|| self.spoken(i))
    }

    fn weekday(&self, number: u32) -> Option<NaiveDate> {
        let today = self.calendar.today;
        let ahead = (number + 6 - today.weekday().num_days_from_monday()) % 7;
        match self.calendar.toward {
            Toward::Ahead if ahead == 0 => today.checked_add_days(Days::new(7)),
            Toward::Ahead => today.checked_add_days(Days::new(u64::from(ahead))),
            Toward::Back => today.checked_sub_days(Days::new(u64::from(7 - ahead))),
        }
    }

    /// `2019-06-01`, `2019.6.1`.
    fn iso(&self, i: usize) -> Option<(Part, usize)> {
        let Kind::Number { value: year, digits: 4 } = self.kind(i)? else { return None };
        let Kind::Sign(sign @ ('-' | '.' | '/')) = self.kind(i + 1)? else { return None };
        let month = self.small(i + 2)?;
        let day = self.small(i + 4).filter(|_| self.is_sign(i + 3, sign))?;
        Some((part(year, month, day)?, i + 5))
    }

    /// `1.6.`, `1. 6. 2019`, `6/1`, `01-06-2019`.
    fn numeric(&self, i: usize) -> Option<(Part, usize)> {
        let one = self.small(i)?;
        let Kind::Sign(sign @ ('-' | '.' | '/')) = self.kind(i + 1)? else { return None };
        let other = self.small(i + 2).filter(|_| sign == '.' || self.touches(i + 2))?;
        let month_first = match sign {
            '/' if one <= 12 && other <= 12 => self.calendar.month_first,
            _ => other > 12,
        };
        let (month, day) = if month_first { (one, other) } else { (other, one) };
        let behind = self.is_sign(i + 3, sign);
        if let Some(Kind::Number { value, digits }) = self.kind(i + 4)
            && behind
            && digits > 1
            && (digits == 4 || self.touches(i + 4))
        {
            let year = if digits == 2 { 2000 + value } else { value };
            return Some((part(year, month, day)?, i + 5));
        }
        let next = i + 3 + usize::from(behind && sign == '.');
        let valid = NaiveDate::from_ymd_opt(2000, month, day).is_some();
        (valid && sign != '-').then_some((Part::Of { year: None, month, day }, next))
    }

    /// `June 1`, `1 June 2019`, `the 5th of May`.
    fn spoken(&self, i: usize) -> Option<(Part, usize)> {
        let (month, day, next) = self.month_first(i).or_else(|| self.day_first(i))?;
        let comma = next + usize::from(self.is_sign(next, ','));
        if let Some((year, next)) = self.year(self.behind(Word::Filler, comma)) {
            return Some((part(u32::try_from(year).ok()?, month, day)?, next));
        }
        NaiveDate::from_ymd_opt(2000, month, day)?;
        Some((Part::Of { year: None, month, day }, next))
    }

    fn month_first(&self, i: usize) -> Option<(u32, u32, usize)> {
        let (month, next) = self.word(Word::Month, i)?;
        let next = next + usize::from(self.is_sign(next, '.'));
        let (day, next) = self.day_number(self.behind(Word::Filler, next))?;
        Some((u32::from(month), day, next))
    }

    fn day_first(&self, i: usize) -> Option<(u32, u32, usize)> {
        let (day, next) = self.day_number(i)?;
        let (month, next) = self.word(Word::Month, self.behind(Word::Filler, next))?;
        let dot = self.is_sign(next, '.') && self.touches(next);
        Some((u32::from(month), day, next + usize::from(dot)))
    }

    /// A day of the month alone, as it stands beside another day.
    pub(super) fn bare(&self, i: usize) -> Option<(Part, usize)> {
        let (day, next) = self.day_number(self.behind(Word::Filler, i))?;
        Some((Part::Bare(day), next))
    }

    /// The number of a day in its month.
    pub(super) fn day_number(&self, i: usize) -> Option<(u32, usize)> {
        let (value, next) = match self.kind(i)? {
            Kind::Number { value, digits: 1 | 2 } => {
                (value, i + 1 + usize::from(self.is_sign(i + 1, '.')))
            }
            Kind::Ordinal(value) => (value, i + 1),
            _ => return None,
        };
        (1..=31).contains(&value).then_some((value, next))
    }

    fn small(&self, i: usize) -> Option<u32> {
        match self.kind(i)? {
            Kind::Number { value, digits: 1 | 2 } if (1..=31).contains(&value) => Some(value),
            _ => None,
        }
    }

    /// A year of four digits.
    pub(super) fn year(&self, i: usize) -> Option<(i32, usize)> {
        match self.kind(i)? {
            Kind::Number { value: value @ 1900..=2199, digits: 4 } => {
                Some((i32::try_from(value).ok()?, i + 1))
            }
            _ => None,
        }
    }

    /// Returns the day that is meant.
    pub(super) fn resolve(&self, part: Part) -> Option<NaiveDate> {
        match part {
            Part::Fixed(day) => Some(day),
            Part::Of { year: Some(year), month, day } => NaiveDate::from_ymd_opt(year, month, day),
            Part::Of { year: None, month, day } => self.calendar.near(month, day),
            Part::Bare(_) => None,
        }
    }
}

/// Returns a day of a year; none where no calendar has it.
fn part(year: u32, month: u32, day: u32) -> Option<Part> {
    let year = i32::try_from(year).ok().filter(|y| (1900..2200).contains(y))?;
    NaiveDate::from_ymd_opt(year, month, day)?;
    Some(Part::Of { year: Some(year), month, day })
}

/// Returns the last day of a month.
pub(super) fn last_of(first: NaiveDate) -> Option<NaiveDate> {
    first.checked_add_months(Months::new(1))?.pred_opt()
}
