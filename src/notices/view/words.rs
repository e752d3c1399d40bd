//! Words that several letters share: dates, amounts, names, and a sentence for each refusal, entry state and matter
//! before the director. What only one letter says stands in its template.

use crate::domain::{
    docket::ItemKind,
    intent::DrawGround,
    points::{How, Outcome, Score},
    refusal::Refusal,
    section::EntryState,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;

/// Returns a text in one line without control characters and without marks that turn the direction of writing:
/// names come from mails and must not break a line, a header or a table.
pub fn clean(text: &str) -> String {
    let blank = |pair: &[u8]| pair == b"  ";
    let tidy = text.bytes().all(|b| (b' '..=b'~').contains(&b));
    if tidy && text.trim().len() == text.len() && !text.as_bytes().windows(2).any(blank) {
        return text.to_owned();
    }
    let plain = |c: char| match c {
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() || c.is_whitespace() => ' ',
        c => c,
    };
    let plain: String = text.chars().map(plain).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a name as it is spoken: `Adams, Ann` becomes `Ann Adams`.
pub fn spoken(name: &str) -> String {
    match name.split_once(',') {
        Some((family, given)) if !given.trim().is_empty() && !given.contains(',') => {
            clean(&format!("{given} {family}"))
        }
        _ => clean(name),
    }
}

/// Returns a day in words: `7 January 2019`.
pub fn date(day: NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}

/// Returns an amount with its currency: `$25.00`, `25.00 EUR`.
pub fn amount(amount: Decimal, currency: &str) -> String {
    match currency {
        "USD" => format!("${amount:.2}"),
        _ => format!("{amount:.2} {}", clean(currency)),
    }
}

/// Returns an ordinal number in words up to ten, in digits beyond.
pub fn ordinal(number: u8) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let word = usize::from(number).checked_sub(1).and_then(|n| WORDS.get(n));
    word.map_or_else(|| format!("{number}th"), |word| (*word).to_owned())
}

/// Returns a clause with a capital letter at its beginning.
pub fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// Returns an entry's state in the contract's spelling; templates choose their words by it.
pub const fn entry_state(state: EntryState) -> &'static str {
    match state {
        EntryState::Received => "received",
        EntryState::Docket => "docket",
        EntryState::Refused => "refused",
        EntryState::AwaitingPayment => "awaiting-payment",
        EntryState::Waiting => "waiting",
        EntryState::Assigned => "assigned",
        EntryState::Advanced => "advanced",
        EntryState::Eliminated => "eliminated",
        EntryState::Finished => "finished",
        EntryState::Withdrawn => "withdrawn",
        EntryState::CarriedForward => "carried-forward",
    }
}

/// Returns the sentence of a refusal, without its full stop, with its rule. What the roster says of a member is
/// said to that member only, so there is a wording for `known` readers and one for others.
pub fn refusal(refusal: &Refusal, known: Known) -> String {
    let why = match refusal {
        Refusal::ResidenceExcluded { place } if known == Known::Player => {
            format!("the championship is not open to residents of {}", clean(place))
        }
        Refusal::ResidenceExcluded { .. } => {
            "the championship is not open to residents of every country".to_owned()
        }
        Refusal::TooManyEntries { allowed } => {
            format!("one person may hold at most {allowed} entries")
        }
        Refusal::NotOpen { opens } => format!("entries are taken from {} on", date(*opens)),
        Refusal::Closed { closed } => {
            format!("entries had to be sent by {}, and that day has passed", date(*closed))
        }
        Refusal::MemberIdMissing => "the mail does not give a member number".to_owned(),
        Refusal::TournamentUnknown => {
            "the mail does not name a tournament that takes entries here".to_owned()
        }
        Refusal::ByRuling { reason } => format!("the director has ruled so: {}", clean(reason)),
        Refusal::RatingOutside { rating: Some(rating) } if known == Known::Player => {
            format!("no class of this tournament is open to a rating of {rating}")
        }
        Refusal::RatingOutside { .. } => {
            "no class of this tournament is open to the member's rating".to_owned()
        }
        Refusal::NotInvited { seats } => format!(
            "the {seats} seats went to the highest-rated of those who entered, and what was paid goes back"
        ),
        Refusal::GameUnknown => "there is no such game in our books".to_owned(),
        Refusal::NotYourGame => "by our books you do not play in that game".to_owned(),
        Refusal::GameOver => "by our books that game is not running any more".to_owned(),
        Refusal::NoOffer => "no offer of a draw from your opponent stands there".to_owned(),
        Refusal::OfferStands => {
            "your offer stands already, and your opponent has been told of it".to_owned()
        }
        Refusal::OpponentOffered => {
            "your opponent has offered a draw already; to take it, write \"I accept the draw\""
                .to_owned()
        }
        Refusal::ClaimUnproved { ground, counted } => unproved(*ground, *counted),
        Refusal::QuestionUnknown => "we have not asked you that".to_owned(),
        Refusal::QuestionSettled => "that question is settled already".to_owned(),
        Refusal::AnswerFromElsewhere => {
            "it came from an address that is not known as yours, and what we asked about would do \
             harm if somebody else had written it; please answer our letter from the address it went to"
                .to_owned()
        }
        Refusal::QuestionLate { until } => {
            format!("the question was open until {} only", date(*until))
        }
    };
    format!("{} (Rule {})", why.trim_end_matches('.'), refusal.rule())
}

fn unproved(ground: DrawGround, counted: u16) -> String {
    match ground {
        DrawGround::FiftyMoves => format!(
            "by the moves in our books {counted} moves have passed without a capture and without a \
             pawn's move, and it takes fifty"
        ),
        DrawGround::Repetition | DrawGround::Material | DrawGround::Unsaid => {
            let times = match counted {
                1 => "once".to_owned(),
                2 => "twice".to_owned(),
                more => format!("{more} times"),
            };
            format!(
                "by the moves in our books the position on the board has come up {times}, and it \
                 takes three times"
            )
        }
    }
}

/// Whether the reader of a letter is a player of the books, at the address of the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// He is; he may read what the books have of himself.
    Player,
    /// He is not, or it is not sure; he may read nothing of anybody.
    Stranger,
    /// He is the director.
    Director,
}

/// Returns why something waits for the director, a clause without its full stop.
pub const fn matter(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::ResidenceUnknown => {
            "our roster does not show a country of residence, and the championship is open to \
             residents of certain countries (Rule 1)"
        }
        ItemKind::MemberUnknown => "our roster does not have the member number (Rule 1)",
        ItemKind::MembershipLapsed => "by our roster the membership has lapsed (Rule 1)",
        ItemKind::AddressUnknown => {
            "the entry came from an address that we do not know as the member's"
        }
        ItemKind::PostmarkDoubtful => {
            "the date of the mail and the day on which it reached us are too far apart (Rule 9)"
        }
        ItemKind::EntryLate => {
            "it is too late for an entry of that number, though the tournament is still open \
             (Rule 9)"
        }
        ItemKind::PaymentUnclear => "a payment could not be matched with an entry (Rule 1)",
        ItemKind::SectionShort => {
            "entries are closed and too few are left to fill a section (Rule 2)"
        }
        ItemKind::ResultDisputed => "the two players report different results (Rule 10)",
        ItemKind::ResultContested => "a result that stands is contradicted (Rule 10)",
        ItemKind::NobodyAdvances => {
            "nobody in the section has the points that lead to the next round (Rule 3)"
        }
        ItemKind::MailHeld => "a mail needs a person's eye",
        ItemKind::MailParked => "a mail could not be read and was set aside",
        ItemKind::MailDenied => "a player denies a mail that bears the player's address (Rule 7)",
        ItemKind::LetterFailed => "a letter could not be delivered (Rule 10)",
        ItemKind::TimeComplaint => "a player says that the opponent is late (Rule 10)",
        ItemKind::LeaveAsked => "a player asks for leave (Rule 10)",
        ItemKind::WithdrawalAsked => "a player wants to withdraw (Rule 10)",
        ItemKind::AddressChanged => "a player has another address (Rule 10)",
        ItemKind::MembershipNews => "a player writes about the membership (Rule 1)",
        ItemKind::Objection => "a player objects to what is in the books (Rule 10)",
        ItemKind::Death => "we are told that a player has died (Rule 10)",
        ItemKind::Conduct => "a player complains about somebody's conduct (Rule 7)",
        ItemKind::EntryWishes => "a wish came with an entry (Rule 2)",
        ItemKind::DrawClaimed => "a draw is claimed that the books cannot prove (Rule 10)",
        ItemKind::FeeMissing => "a fee that has never come",
        ItemKind::MembershipLapse => "a membership that has ended in the middle of games",
        ItemKind::FillIn => "who fills the last section",
        ItemKind::AdvancementInDoubt => "an advancement that a later ruling calls in question",
        ItemKind::InvitationTied => "who is invited, of several equal in rating",
        ItemKind::ForfeitsSpread => "forfeits to several opponents",
        ItemKind::Adjudication => "a game to be adjudicated",
        ItemKind::TitleOpen => "who has the title",
        ItemKind::PrizesDiffer => "prizes that are not what was announced",
        ItemKind::StandingsUnsound => "standings that cannot be right",
        ItemKind::TimePenalty => "a move that cannot be played, sent in a final (Rule 10)",
        ItemKind::Outage => "no mail reached us for more than a day (Rule 10)",
        ItemKind::Flood => "more mail came than is answered in a day",
    }
}

/// Returns how a game ended, between two names: `Ann Adams won against Bruno Birch by resignation`.
pub fn outcome(outcome: Outcome, white: &str, black: &str) -> String {
    let how = match outcome.how {
        How::Played => String::new(),
        how => format!(" by {}", how.words()),
    };
    match outcome.result {
        Score::WhiteWins => format!("{white} won against {black}{how}"),
        Score::BlackWins => format!("{black} won against {white}{how}"),
        Score::Draw => format!("{white} and {black} drew{how}"),
        Score::BothLose => format!("the game between {white} and {black} is lost for both{how}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_turned() {
        for (name, expected) in [
            ("Adams, Ann", "Ann Adams"),
            ("Ann  Adams ", "Ann Adams"),
            ("A\r\nBcc: x@example.org", "A Bcc: x@example.org"),
            ("Ann\u{202e}smadA", "Ann smadA"),
            ("Smith, John, Jr.", "Smith, John, Jr."),
        ] {
            assert_eq!(spoken(name), expected);
        }
    }

    #[test]
    fn amounts_have_two_places() {
        assert_eq!(amount(Decimal::new(25, 0), "USD"), "$25.00");
        assert_eq!(amount(Decimal::new(75, 1), "EUR"), "7.50 EUR");
    }
}
