//! The made-up players of a simulated championship and their habits. Who they are is settled here, before the first
//! mail; what they do when is `season.rs`.

use super::chance::Chance;
use crate::domain::{ids::MemberId, player::Player, tournament::Tournament};
use chrono::{Days, NaiveDate};

const FIRST: [&str; 32] = [
    "Ada", "Boris", "Clara", "Dmitri", "Elena", "Frank", "Greta", "Hugo", "Irene", "Jonas",
    "Karin", "Leon", "Marta", "Nils", "Olga", "Pavel", "Quentin", "Rosa", "Stefan", "Tilda",
    "Ulrich", "Vera", "Walter", "Xenia", "Yusuf", "Zelda", "Anton", "Bettina", "Casimir", "Dora",
    "Emil", "Flora",
];
const LAST: [&str; 43] = [
    "Albrook",
    "Birchwell",
    "Corvane",
    "Dunmere",
    "Eastling",
    "Farrowby",
    "Gravesend",
    "Hollowell",
    "Inglestone",
    "Jarrowick",
    "Kettleby",
    "Larkspur",
    "Marchbank",
    "Netherby",
    "Oakhurst",
    "Pemberley",
    "Quillfeather",
    "Ravenhill",
    "Stonebridge",
    "Thornbury",
    "Underwick",
    "Vantongeren",
    "Wetherell",
    "Yarborough",
    "Zellwood",
    "Ashgrove",
    "Brambling",
    "Cresswick",
    "Dovecote",
    "Elmsworth",
    "Fennimore",
    "Goldcrest",
    "Hawkesbury",
    "Ironside",
    "Juniper",
    "Kingsford",
    "Lindenau",
    "Moorcroft",
    "Nightingale",
    "Ottershaw",
    "Primrose",
    "Rookwood",
    "Swanwick",
];

/// What somebody does with his mail and his games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Habit {
    /// Writes within a day or two, always rightly.
    Prompt,
    /// Writes after weeks, and pays after the reminder.
    Slow,
    /// Stops answering in some of the games, and never reports.
    Silent,
    /// Spells oddly, writes twice, takes the wrong seat and corrects it.
    Sloppy,
    /// Contradicts, objects, complains before the time.
    Quarrelsome,
    /// Resigns by mail.
    Resigning,
    /// Dies during the event.
    Dying,
    /// Changes the address during the event.
    Moving,
    /// Lets the membership end during the event.
    Lapsing,
    /// Leaves the event before its end.
    Withdrawing,
    /// Asks for leave.
    OnLeave,
    /// Has a program that answers every mail.
    ByMachine,
    /// Has no email.
    OnPaper,
}

/// How many of a hundred players have each habit.
const SHARES: [(Habit, u64); 13] = [
    (Habit::Prompt, 31),
    (Habit::Slow, 15),
    (Habit::Silent, 5),
    (Habit::Sloppy, 12),
    (Habit::Quarrelsome, 6),
    (Habit::Resigning, 8),
    (Habit::Dying, 2),
    (Habit::Moving, 5),
    (Habit::Lapsing, 4),
    (Habit::Withdrawing, 3),
    (Habit::OnLeave, 4),
    (Habit::ByMachine, 3),
    (Habit::OnPaper, 2),
];

/// A made-up player.
#[derive(Clone, Debug)]
pub(super) struct Person {
    /// As the roster has him.
    pub(super) listed: Player,
    /// What he does.
    pub(super) habit: Habit,
    /// How many entries he wants to have.
    pub(super) entries: u8,
    /// The address he writes from; none: he writes on paper.
    pub(super) address: Option<String>,
    /// Whether the roster does not have him when he enters.
    pub(super) stranger: bool,
    /// Whether he still writes at all.
    pub(super) gone: bool,
}

impl Person {
    /// Returns the member's number.
    pub(super) fn member(&self) -> &MemberId {
        &self.listed.member
    }

    /// Returns the name.
    pub(super) fn name(&self) -> &str {
        &self.listed.name
    }

    /// Returns how strong he plays.
    pub(super) fn strength(&self) -> u16 {
        self.listed.rating.unwrap_or(1400)
    }
}

/// Makes up players who together want so many entries.
pub(super) fn invent(chance: &mut Chance, tournament: &Tournament, entries: usize) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    let mut wanted = 0;
    // Nobody sits twice in a section: whoever has more entries than there are sections waits for ever.
    let size = tournament.rounds.first().map_or(7, |round| usize::from(round.size));
    let most = u8::try_from(entries / (2 * size.max(1))).unwrap_or(u8::MAX);
    let most = most.clamp(1, tournament.entry.per_player.max(1));
    while wanted < entries {
        let mut person = one(chance, tournament, people.len());
        let left = u8::try_from(entries - wanted).unwrap_or(u8::MAX);
        person.entries = person.entries.min(left).min(most);
        wanted += usize::from(person.entries);
        people.push(person);
    }
    people
}

fn one(chance: &mut Chance, tournament: &Tournament, number: usize) -> Person {
    let habit = habit(chance);
    // Every pair of names comes once before any comes again.
    let turn = number / FIRST.len();
    let (first, last) = (FIRST[number % FIRST.len()], LAST[(turn + 5 * number) % LAST.len()]);
    // The same name twice would be no mistake of the program's, but the mails would have to say which.
    let again = number / (FIRST.len() * LAST.len());
    let name = match again {
        0 => format!("{first} {last}"),
        n => format!("{first} {last}son{}", "s".repeat(n)),
    };
    let address = format!("{}.{}{number}@example.org", first.to_lowercase(), last.to_lowercase());
    let address = (habit != Habit::OnPaper).then_some(address);
    let opens = tournament.entry.opens;
    let rated = !chance.in_a_hundred(7);
    let rating = 1100 + chance.below(700) + chance.below(700);
    let home = if chance.in_a_hundred(8) { "CA" } else { "US" };
    let country = tournament.eligibility.countries.iter().any(|code| code == home);
    let country = if country || tournament.eligibility.countries.is_empty() {
        home.to_owned()
    } else {
        chance.pick(&tournament.eligibility.countries).clone()
    };
    let listed = Player {
        member: MemberId((12_400_000 + number * 7).to_string()),
        name,
        emails: address.iter().cloned().collect(),
        country: (!chance.in_a_hundred(1)).then_some(country),
        state: Some("OH".to_owned()),
        rating: rated.then(|| u16::try_from(rating).unwrap_or(1500)),
        rating_date: rated.then_some(opens - Days::new(20)),
        expires: Some(expires(chance, habit, opens)),
        address: Some(format!("{} Main Street, Springfield, OH 45501", 10 + number)),
        ..Player::default()
    };
    let entries = match chance.below(24) {
        0..15 => 1,
        15..19 => 2,
        19..22 => 3,
        22 => 5,
        _ => 8,
    };
    let stranger = address.is_some() && chance.in_a_hundred(1);
    Person { listed, habit, entries, address, stranger, gone: false }
}

fn habit(chance: &mut Chance) -> Habit {
    let mut left = chance.below(100);
    for (habit, share) in SHARES {
        if left < share {
            return habit;
        }
        left -= share;
    }
    Habit::Prompt
}

/// Most are members for longer than any championship lasts.
fn expires(chance: &mut Chance, habit: Habit, opens: NaiveDate) -> NaiveDate {
    match habit {
        Habit::Lapsing => opens + Days::new(chance.between(420, 900)),
        _ => opens + Days::new(365 * 15),
    }
}
