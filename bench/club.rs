//! A made-up club: members, sections, and the mail they write, of the kinds that are acted on so far. All chance comes
//! from a seed, so that equal numbers give equal bytes.

use chrono::{DateTime, Days, Duration, NaiveDate, Utc};
use knightmail::domain::{ids::MemberId, player::Player};
use std::fmt::Write as _;

/// Seats in a section.
const SEATS: usize = 7;
const FIRST: [&str; 12] = [
    "Ada", "Boris", "Clara", "Dmitri", "Elena", "Frank", "Greta", "Hugo", "Irene", "Jonas",
    "Karin", "Leon",
];
const LAST: [&str; 12] = [
    "Albrook",
    "Birchwell",
    "Corvane",
    "Dunmere",
    "Eastling",
    "Farrowby",
    "Gravesend",
    "Holloway",
    "Inglestone",
    "Jarrow",
    "Kettleby",
    "Larkspur",
];

/// Numbers by chance, the same for the same seed (splitmix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).expect("below a usize")
    }
}

/// Members who sit in sections of seven, and later members who write entries.
pub(crate) struct Club {
    pub(crate) members: Vec<Player>,
    pub(crate) sections: usize,
}

/// A game of the club: who plays it and how it ended.
pub(crate) struct Game {
    pub(crate) code: String,
    pub(crate) white: usize,
    pub(crate) black: usize,
    white_seat: usize,
    black_seat: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) score: &'static str,
}

impl Club {
    /// Returns a club of so many sections; as many members again sit nowhere.
    pub(crate) fn new(sections: usize) -> Self {
        Self { members: (0..2 * SEATS * sections).map(member).collect(), sections }
    }

    /// Returns the day the sections start.
    pub(crate) fn start() -> NaiveDate {
        NaiveDate::from_ymd_opt(2019, 1, 7).expect("a day")
    }

    pub(crate) fn code(section: usize) -> String {
        format!("19N{:02}", section + 1)
    }

    pub(crate) fn seats(section: usize) -> impl Iterator<Item = usize> {
        section * SEATS..(section + 1) * SEATS
    }

    /// Returns all games in the order in which they end. White at the lower seat when the seats' sum is odd.
    pub(crate) fn games(&self, chance: &mut Chance) -> Vec<Game> {
        let mut games = Vec::new();
        for (a, b) in (1..=SEATS).flat_map(|a| (a + 1..=SEATS).map(move |b| (a, b))) {
            for section in 0..self.sections {
                let (white, black) = if (a + b) % 2 == 1 { (a, b) } else { (b, a) };
                games.push(Game {
                    code: Self::code(section),
                    white: section * SEATS + white - 1,
                    black: section * SEATS + black - 1,
                    white_seat: white,
                    black_seat: black,
                    score: ["1-0", "0-1", "1/2-1/2"][chance.below(3)],
                });
            }
        }
        games
    }

    /// Returns the roster as `import roster` takes it.
    pub(crate) fn roster_csv(&self) -> String {
        let mut csv = "member_id,name,email,country,state,rating,rating_date,expires\n".to_owned();
        for Player { member, name, emails, rating, .. } in &self.members {
            let (email, rating) = (&emails[0], rating.unwrap_or_default());
            let _ = writeln!(csv, "{member},{name},{email},US,OH,{rating},2018-12-01,2035-12-31");
        }
        csv
    }

    /// Returns the sections as `import sections` takes them.
    pub(crate) fn sections_csv(&self) -> String {
        let mut csv = "section,round,seat,member_id,start\n".to_owned();
        for section in 0..self.sections {
            for (seat, member) in Self::seats(section).enumerate() {
                let (code, member) = (Self::code(section), &self.members[member].member);
                let _ = writeln!(csv, "{code},1,{},{member},{}", seat + 1, Self::start());
            }
        }
        csv
    }
}

fn member(number: usize) -> Player {
    let (first, last) = (FIRST[number % 12], LAST[number / 12 % 12]);
    Player {
        member: MemberId((12_000_000 + number * 7).to_string()),
        name: format!("{first} {last}"),
        emails: vec![format!("{}.{number}@example.org", last.to_lowercase())],
        country: Some("US".to_owned()),
        state: Some("OH".to_owned()),
        rating: u16::try_from(1200 + number % 1100).ok(),
        rating_date: NaiveDate::from_ymd_opt(2018, 12, 1),
        expires: NaiveDate::from_ymd_opt(2035, 12, 31),
        ..Player::default()
    }
}

/// A waiting mail: when it arrived, and its bytes.
pub(crate) struct Mail {
    pub(crate) arrived: DateTime<Utc>,
    pub(crate) bytes: Vec<u8>,
}

/// Returns so many mails: in a hundred some fifty are results (both players report each game), twenty entries, ten
/// questions; the rest are auto-replies, bounces, spam, and mails that come twice.
pub(crate) fn mails(club: &Club, count: usize, seed: u64) -> Vec<Mail> {
    let mut chance = Chance(seed);
    let start = Club::start().and_hms_opt(12, 0, 0).expect("noon").and_utc();
    let games = club.games(&mut chance);
    let mut reports = games.iter().flat_map(|game| [(game, game.white), (game, game.black)]);
    let mut entrants = (club.members.len() / 2..club.members.len()).cycle();
    let mut mails: Vec<Mail> = Vec::with_capacity(count);
    for number in 0..count {
        let arrived = start + Duration::minutes(20 * i64::try_from(number).expect("small"));
        let mut writer = Writer { number, arrived, chance: &mut chance };
        let any = &club.members[writer.chance.below(club.members.len())];
        let bytes = match writer.chance.below(100) {
            0..50 => match reports.next() {
                Some((game, by)) => writer.result(club, game, by),
                None => writer.question(any),
            },
            50..70 => writer.entry(&club.members[entrants.next().expect("a cycle")]),
            70..80 => writer.question(any),
            80..85 => writer.auto_reply(any),
            85..89 => writer.bounce(any),
            89..95 => writer.spam(),
            _ => match mails.last() {
                Some(last) => last.bytes.clone(),
                None => writer.spam(),
            },
        };
        mails.push(Mail { arrived, bytes });
    }
    mails
}

struct Writer<'a> {
    number: usize,
    arrived: DateTime<Utc>,
    chance: &'a mut Chance,
}

impl Writer<'_> {
    fn mail(&self, from: &str, subject: &str, headers: &str, body: &str) -> Vec<u8> {
        let date = (self.arrived - Duration::minutes(2)).to_rfc2822();
        let number = self.number;
        format!(
            "Return-Path: <{address}>\nReceived: from mail.example.org by mx.example.org; {date}\n\
             From: {from}\nTo: Golden Knights Desk <knights@example.org>\nSubject: {subject}\n\
             Date: {date}\nMessage-ID: <{number}.bench@mail.example.org>\n\
             MIME-Version: 1.0\n{headers}\n{body}",
            address = from.rsplit('<').next().unwrap_or(from).trim_end_matches('>'),
        )
        .into_bytes()
    }

    fn plain(&self, from: &Player, subject: &str, text: &str) -> Vec<u8> {
        let (name, address) = (&from.name, &from.emails[0]);
        let headers = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n";
        let body = format!("{text}\n\nBest wishes\n{name}\n\n-- \n{name}, played since 1987\n");
        self.mail(&format!("{name} <{address}>"), subject, headers, &body)
    }

    fn result(&mut self, club: &Club, game: &Game, by: usize) -> Vec<u8> {
        let (white, black) = (&club.members[game.white], &club.members[game.black]);
        let (code, score) = (&game.code, game.score);
        let (seats, from) = ((game.white_seat, game.black_seat), &club.members[by]);
        let opponent = if by == game.white { black } else { white };
        let won = match (score, by == game.white) {
            ("1/2-1/2", _) => None,
            (score, is_white) => Some((score == "1-0") == is_white),
        };
        let story = match won {
            None => "My opponent and I agreed to a draw",
            Some(true) => "I won",
            Some(false) => "I lost",
        };
        let subject = format!("{code} {}-{}", white.surname(), black.surname());
        match self.chance.below(4) {
            0 => {
                let text = format!(
                    "Section: {code}\nWhite: {}\nBlack: {}\nResult: {score}",
                    seats.0, seats.1
                );
                self.plain(from, "Result", &text)
            }
            1 => {
                let text = format!(
                    "Dear director,\n\n{code}, {} - {}: {score}.\n\nThank you.\n\n{}",
                    seats.0,
                    seats.1,
                    self.quoted(opponent)
                );
                self.plain(from, &format!("Re: {subject}"), &text)
            }
            2 => {
                let text = format!("{story} against {} in {code}.", opponent.name);
                self.html(from, &subject, &text)
            }
            _ => {
                let text = format!(
                    "{}\n{story} my game against {} in section {code}, {score}.",
                    self.quoted(opponent),
                    opponent.name
                );
                self.plain(from, &format!("Re: {subject}"), &text)
            }
        }
    }

    /// Returns what mail programs leave of the letter that is answered.
    fn quoted(&self, from: &Player) -> String {
        let day = (self.arrived - Duration::days(1)).format("%a, %b %e, %Y at %H:%M");
        let mut text = format!("On {day}, {} <{}> wrote:\n", from.name, from.emails[0]);
        for line in [
            "Thank you for the game, it was a pleasure.",
            "",
            "I had hoped for 1-0 after 23. Rxe6, but you found the only defence; 0-1 was as near.",
            "Shall we report it to the director?",
            "",
            "All the best",
        ] {
            let _ = writeln!(text, "> {line}");
        }
        text
    }

    fn html(&self, from: &Player, subject: &str, text: &str) -> Vec<u8> {
        let headers = "Content-Type: multipart/alternative; boundary=\"b1\"\n";
        let body = format!(
            "--b1\nContent-Type: text/plain; charset=utf-8\n\n{text}\n\n--b1\n\
             Content-Type: text/html; charset=utf-8\n\n<html><body><p>{text}</p>\
             <div class=\"gmail_signature\">{}</div></body></html>\n\n--b1--\n",
            from.name
        );
        self.mail(&format!("{} <{}>", from.name, from.emails[0]), subject, headers, &body)
    }

    fn entry(&mut self, from: &Player) -> Vec<u8> {
        let count = 1 + self.chance.below(3);
        let text = format!(
            "Please enter me in the 2019 Golden Knights, {count} {}. My member ID is {}.\n\
             The fee comes by post.",
            if count == 1 { "entry" } else { "entries" },
            from.member
        );
        self.plain(from, "Golden Knights entry", &text)
    }

    fn question(&mut self, from: &Player) -> Vec<u8> {
        let text = [
            "Has my section been formed yet?",
            "When do the entries close, and what is the fee?",
            "How do I report a result?",
        ][self.chance.below(3)];
        self.plain(from, "A question", text)
    }

    fn auto_reply(&self, from: &Player) -> Vec<u8> {
        let from = format!("{} <{}>", from.name, from.emails[0]);
        let headers = "Auto-Submitted: auto-replied\nPrecedence: bulk\n\
                       Content-Type: text/plain; charset=utf-8\n";
        self.mail(&from, "Out of office", headers, "I am away until Monday.\n")
    }

    fn bounce(&self, to: &Player) -> Vec<u8> {
        let address = &to.emails[0];
        let headers =
            "Content-Type: multipart/report; report-type=delivery-status; boundary=\"b2\"\n";
        let body = format!(
            "--b2\n\nThe mail to <{address}> could not be delivered.\n\n--b2\n\
             Content-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.org\n\n\
             Final-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.1.1\n\n--b2--\n"
        );
        let from = "Mail Delivery System <MAILER-DAEMON@example.org>";
        self.mail(from, "Undelivered Mail Returned to Sender", headers, &body)
    }

    fn spam(&mut self) -> Vec<u8> {
        let from = format!("Lucky Offer <win{}@example.net>", self.chance.below(1000));
        let body = "You have been selected! Click here to claim your prize before midnight.\n";
        self.mail(&from, "Congratulations", "Content-Type: text/plain\n", body)
    }
}

/// Returns the instant of the n-th transaction of a journal that grows for years.
pub(crate) fn instant(number: u64) -> DateTime<Utc> {
    let start = (Club::start() - Days::new(1)).and_hms_opt(12, 0, 0).expect("noon").and_utc();
    start + Duration::seconds(200 * i64::try_from(number).expect("small"))
}
