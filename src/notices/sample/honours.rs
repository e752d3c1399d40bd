//! The tournament of three years before in the made-up books, which has come to its prizes, and the notices of what an
//! entry wins or does not (Rules 3 to 6).

use super::{
    Books, day, entry, event,
    notices::{Sample, player, sample},
};
use crate::domain::{
    acts::Carried,
    docket::About,
    event::{Advance, Event},
    honours::{Award, AwardGiven, CreditUsed, Prize, PrizeList},
    ids::{EntryId, SectionCode, TournamentId},
    notice::{Facts, Honour},
    points::Points,
    tournament::Tournament,
};
use chrono::{Datelike, NaiveDate};
use rust_decimal::Decimal;

/// Member, name, points in halves by round.
const PLAYED: [(&str, &str, &[u16]); 4] = [
    ("10000008", "Hale, Harriet", &[12, 12, 10]),
    ("10000006", "Fiore, Francesca", &[12, 11, 8]),
    ("10000011", "Kovács, Klára", &[12, 11, 8]),
    ("10000012", "Lund, Lars", &[9, 7]),
];

impl Books {
    /// The same tournament of the next year and of one that is over.
    pub(super) fn add_years(&mut self) {
        let mut tournament = self.rules.tournaments[&event()].clone();
        tournament.entry.carry_forward_to = Some("GK2020".into());
        for year in [2016, 2020] {
            let other = of_year(&tournament, year);
            self.rules.tournaments.insert(other.id.clone(), other);
        }
        self.rules.tournaments.insert(event(), tournament);
    }

    /// The prizes of 2016 are announced; in 2019 two entries are out, and the credit of one was used.
    pub(super) fn honour(&mut self) {
        for (n, (member, name, rounds)) in PLAYED.into_iter().enumerate() {
            let id = old(n + 1);
            let noon = day(2016, 2, 1).and_hms_opt(16, 0, 0).expect("an hour of the day").and_utc();
            self.tell(&Event::EntryReceived {
                entry: id.clone(),
                event: past(),
                member: member.into(),
                name: name.to_owned(),
                number: 1,
                postmark: day(2016, 2, 1),
                arrived: noon,
                from: None,
            });
            for (round, halves) in rounds.iter().enumerate() {
                let points = Points::from_halves(*halves);
                let forfeit_losses = 0;
                let entry = id.clone();
                self.tell(&Event::ScoreCarried(Carried { entry, round, points, forfeit_losses }));
            }
            match rounds.len() {
                3 => self.tell(&Event::EntryFinished { entry: id }),
                _ => self.end(&id, None, Points::from_halves(7), Award::FramingCertificate),
            }
        }
        self.tell(&Event::PrizesAwarded(prizes()));
        for (number, halves) in [(12, 6), (18, 5)] {
            let (amount, currency) = (Decimal::new(700, 2), "USD".to_owned());
            let gift = Award::GiftCertificate { amount, currency };
            self.end(&entry(number), Some("19N03".into()), Points::from_halves(halves), gift);
        }
        self.receive(&entry(21), "10000006", "Fiore, Francesca", 3, day(2019, 6, 14));
        self.tell(&Event::EntryAccepted { entry: entry(21) });
        self.tell(&Event::CreditUsed(CreditUsed {
            member: "10000006".into(),
            entry: entry(21),
            amount: Decimal::new(700, 2),
            currency: "USD".to_owned(),
            on: day(2019, 6, 14),
        }));
        self.tell(&Event::EntryPaid { entry: entry(21), fee: Decimal::new(1800, 2) });
    }

    fn end(&mut self, id: &EntryId, section: Option<SectionCode>, points: Points, award: Award) {
        let entry = id.clone();
        self.tell(&Event::EntryEliminated { entry, section: section.clone(), points });
        let (entry, on) = (id.clone(), day(2019, 6, 14));
        self.tell(&Event::AwardGiven(AwardGiven { entry, award, section, on }));
    }
}

fn of_year(tournament: &Tournament, year: i32) -> Tournament {
    let in_year = |day: NaiveDate| day.with_year(year).unwrap_or(day);
    let mut other = tournament.clone();
    other.id = TournamentId(format!("GK{year}"));
    other.name = format!("{year} Golden Knights");
    other.aliases.clear();
    other.entry.carry_forward_to = None;
    other.entry.opens = in_year(other.entry.opens);
    other.entry.pairings_from = in_year(other.entry.pairings_from);
    other.prizes.title = Some(format!("{year} Golden Knights Champion, with a plaque"));
    for deadline in &mut other.entry.deadlines {
        deadline.by = in_year(deadline.by);
    }
    for round in &mut other.rounds {
        round.code = round.code.replacen("19", &format!("{}", year % 100), 1);
    }
    other
}

fn past() -> TournamentId {
    "GK2016".into()
}

fn old(number: usize) -> EntryId {
    EntryId(format!("GK2016-{number:03}"))
}

/// The first two, and a tie for third.
fn prizes() -> PrizeList {
    let prize = |place, number: usize, cents, tied: &[usize]| Prize {
        place,
        entry: old(number),
        amount: Decimal::new(cents, 2),
        tied_with: tied.iter().map(|n| old(*n)).collect(),
    };
    PrizeList {
        event: past(),
        section: None,
        entries_assigned: 121,
        fund: Decimal::new(139_150, 2),
        places: vec![
            prize(1, 1, 48_400, &[]),
            prize(2, 2, 24_200, &[3]),
            prize(2, 3, 24_200, &[2]),
        ],
        undistributed: Decimal::new(42_350, 2),
        on: day(2019, 6, 14),
    }
}

/// Adds the notices of what came of entries.
pub(super) fn add(all: &mut Vec<Sample>) {
    let mut add = |variant, member: &str, id: EntryId, honour: Honour| {
        let about = About { entry: Some(id), ..About::default() };
        all.push(sample(variant, player(member), about, Facts::Honour(honour), None));
    };
    for (variant, why, halves) in [("", Advance::Fill, 8), ("ruled", Advance::Ruling, 7)] {
        let (section, points) = (Some("19N03".into()), Points::from_halves(halves));
        let filled = Honour::FilledIn { entry: entry(10), section, points, why };
        add(variant, "10000010", entry(10), filled);
    }
    let section = || Some(SectionCode::from("19N03"));
    for (variant, member, id, section, halves) in [
        ("", "10000012", entry(12), section(), 6),
        ("fill", "10000006", entry(18), section(), 8),
        ("framing", "10000012", old(4), None, 7),
    ] {
        let points = Points::from_halves(halves);
        let out = Honour::NotAdvancing { entry: id.clone(), section, points };
        add(variant, member, id, out);
    }
    let (amount, currency) = (Decimal::new(700, 2), "USD".to_owned());
    let gift = Honour::GiftCertificate { entry: entry(12), section: section(), amount, currency };
    add("", "10000012", entry(12), gift);
    let (section, points) = (Some("16Ns03".into()), Points::from_halves(7));
    let framing = Honour::FramingCertificate { entry: old(4), section, points };
    add("", "10000012", old(4), framing);
    add("", "10000011", old(3), Honour::Pin { entry: old(3) });
    for (variant, member, number) in [("", "10000008", 1), ("shared", "10000011", 3)] {
        let (event, entry) = (past(), old(number));
        add(variant, member, old(number), Honour::Prize { event, section: None, entry });
    }
    let title = "2016 Golden Knights Champion, with a plaque".to_owned();
    add("", "10000008", old(1), Honour::Champion { entry: old(1), title });
}
