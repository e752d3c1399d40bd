//! Complaints about time (Rule 10), and wins claimed on time, by forfeit or by silence: they are claims, which the
//! director decides.
//!
//! Grammar: somebody does not answer (`no answer from Mr Vance since 12 May`, `3 weeks without a move from #5`), has
//! overstepped (`has used 34 of 30 days`), a complaint or a claim is made in words (`time complaint`, `I claim the game
//! on time`), with the days on which the move was sent and repeated, over one or several sentences. A complaint in words
//! is certain; silence is one where it has a day or a repetition; silence alone is asked about, and grumbling (`he is
//! slow`) is none. What is settled since then (`he has now answered`) is none either, nor is what is taken back.

use super::{
    Found, Said,
    dates::{Calendar, Span, Toward, When},
    game::{self, Clues, Pick, Problem},
    phrases::{Sentence, short},
    stated::{Hold, Words},
    whose,
};
use crate::{
    domain::{
        event::Trouble,
        intent::{Game, Intent},
    },
    mail::{
        lexicon::{Key, Tag, Tags},
        understanding::Confidence,
    },
};
use chrono::NaiveDate;
use regex::Regex;
use std::sync::LazyLock;

/// The keys of what is said about time.
const KEYS: [Key; 5] = [Key::Complaint, Key::Claim, Key::Silence, Key::Unheard, Key::Overstepped];
static USED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\bused (?:up )?(\d{1,3}) ?(?:days )?(?:of|out of|/|from) ?(?:his |her |the )?(\d{1,3})\b",
    )
    .expect("a valid pattern")
});

/// What the mail says about one game.
struct Complaint {
    pick: Pick,
    quoted: String,
    /// The piece of text that tells most of it.
    text: String,
    told: Piece,
}

/// What one piece of a sentence says.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// Which of [`KEYS`].
    says: Vec<Key>,
    /// The day on which the move was sent.
    sent: Option<NaiveDate>,
    /// The day on which it was repeated.
    repeated: Option<NaiveDate>,
}

/// Reads complaints about time.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let speaks = |s: &Sentence| KEYS.iter().any(|key| s.tags.has(*key)) || USED.is_match(&s.plain);
    if !said.sentences.iter().any(speaks) {
        return;
    }
    let settles = |s: &&Sentence| s.tags.has(Key::Settled) || s.tags.has(Key::Retracts);
    let settled = said.sentences.iter().find(settles);
    if let Some(settled) = settled {
        let quoted = short(&settled.text);
        return found
            .aside(format!("`{quoted}`: what was complained about is settled or taken back."));
    }
    let calendar = Calendar::of(said, Toward::Back);
    let subject = Clues::of(said.subject, said);
    let mut complaints: Vec<Complaint> = Vec::new();
    let mut unclear: Option<(Problem, String)> = None;
    for sentence in &said.sentences {
        for part in parts(sentence, said) {
            let Some(piece) = piece(&part, calendar, said, found) else { return };
            if !piece.says_something() {
                continue;
            }
            let quoted = short(&part.text);
            if piece.counts() {
                found.taken.push(sentence.text.clone());
            }
            for own in opponents(&part, &subject, said) {
                match game::resolve(&[&own, &subject], said) {
                    Ok(pick) => add(pick, &piece, &part.text, &mut complaints),
                    Err(problem) => match complaints.last_mut() {
                        // `I make a time complaint` after the sentence that names the opponent.
                        Some(_) if is_of_all(&part.plain) => {
                            for complaint in &mut complaints {
                                complaint.told.join(&piece);
                            }
                        }
                        Some(last) => last.told.join(&piece),
                        None if piece.counts() => {
                            unclear.get_or_insert((problem, quoted.clone()));
                        }
                        None => {}
                    },
                }
            }
        }
    }
    let claims_only = complaints.iter().all(|c| !c.told.counts());
    if let Some((problem, quoted)) = unclear.filter(|_| claims_only) {
        return which(&problem, &quoted, said, found);
    }
    for complaint in complaints {
        complaint.decide(said, found);
    }
}

impl Piece {
    fn is_dated(&self) -> bool {
        self.sent.is_some() || self.repeated.is_some()
    }

    fn says_something(&self) -> bool {
        !self.says.is_empty() || self.is_dated()
    }

    /// Tells whether it is enough for a complaint by itself: `nothing from him since 12 May` is, `no move yet` is not.
    fn counts(&self) -> bool {
        self.says.iter().any(|key| *key != Key::Unheard) || !self.says.is_empty() && self.is_dated()
    }

    /// Tells whether it is a complaint, and not only silence that may be one.
    fn is_sure(&self) -> bool {
        self.is_in_words() || self.is_dated()
    }

    fn is_in_words(&self) -> bool {
        let words = [Key::Complaint, Key::Claim, Key::Overstepped];
        self.says.iter().any(|key| words.contains(key))
    }

    fn join(&mut self, other: &Self) {
        self.says.extend(&other.says);
        self.sent = self.sent.or(other.sent);
        self.repeated = self.repeated.or(other.repeated);
    }
}

/// Reads a piece; none where it takes back or denies a complaint, so that nothing in the mail is one.
fn piece(part: &Sentence, calendar: Calendar, said: &Said<'_>, found: &mut Found) -> Option<Piece> {
    let mut piece = Piece::default();
    let keyed = KEYS.iter().any(|key| part.tags.has(*key));
    let around = if keyed { Tags::around(&part.plain) } else { Tags::default() };
    for (key, tag) in KEYS.iter().flat_map(|key| part.tags.each(*key).map(move |tag| (*key, tag))) {
        let words = Words::tagged(part, tag, &around);
        if whose::is_no_opponents(key, &words) {
            continue;
        }
        if let Some(hold) = words.held() {
            let quoted = short(&part.text);
            found.aside(format!(
                "`{quoted}` is not taken as a complaint about time: {}.",
                hold.why()
            ));
            if matches!(key, Key::Complaint | Key::Claim) || hold != Hold::Denial {
                return None;
            }
            continue;
        }
        let grounded = !matches!(key, Key::Complaint | Key::Claim) || is_grounded(&words, said);
        if grounded {
            piece.says.push(key);
        }
    }
    if used_too_much(part) {
        piece.says.push(Key::Overstepped);
    }
    days(part, calendar, &mut piece);
    Some(piece)
}

/// Tells whether a line gives both the day of receipt and that of sending: nobody writes that of his opponent.
fn sentence_of_times(plain: &str) -> bool {
    let got = ["recd", "rec'd", "rcvd", "received", "erhalten", "reçu", "recibid"];
    let sent = ["sent", "replied", "gesendet", "envoyé", "enviad"];
    got.iter().any(|word| plain.contains(word)) && sent.iter().any(|word| plain.contains(word))
}

/// Tells whether a claim or a complaint says why: time, forfeit, silence; one may complain of much else.
fn is_grounded(words: &Words<'_>, said: &Said<'_>) -> bool {
    words.around.has(Key::ClaimReason)
        || said.sentences.iter().any(|s| {
            s.tags.has(Key::Silence) || s.tags.has(Key::Unheard) || s.tags.has(Key::Overstepped)
        })
}

fn used_too_much(part: &Sentence) -> bool {
    let own = super::stated::is_first_person(&part.plain);
    let used = USED.captures(&part.plain).filter(|_| !own && !part.question);
    // `recd 1/2, sent 1/5, used 3/2`: the sender's own line, three days for this move and two in all before it.
    let line = sentence_of_times(&part.plain);
    used.is_some_and(|c| {
        let days = |n: usize| c[n].parse::<u16>().unwrap_or(0);
        !line && days(2) >= 10 && days(1) > days(2)
    })
}

/// Finds the days on which the move was sent and repeated: the words before each tell which is which.
fn days(part: &Sentence, calendar: Calendar, piece: &mut Piece) {
    if part.question {
        return;
    }
    let spans = calendar.spans(&part.plain);
    let mut from = 0;
    let mut around = None;
    for (n, Span { when, at }) in spans.iter().enumerate() {
        let within = |tag: &Tag| tag.at.start >= from && tag.at.end <= at.start;
        let until = spans.get(n + 1).map_or(part.plain.len(), |next| next.at.start);
        let behind = part.plain.get(at.end..until).unwrap_or_default();
        let again = part.tags.each(Key::SentAgain).any(within)
            || behind.trim_start_matches([' ', '(']).starts_with("repeat");
        let around = around.get_or_insert_with(|| Tags::around(&part.plain));
        let sent = matches!(when, When::From(_))
            || around.each(Key::Sent).any(within)
            || part.tags.each(Key::Silence).any(within);
        let day = when.first();
        if again {
            piece.repeated = piece.repeated.or(day);
        } else if sent {
            piece.sent = piece.sent.or(day);
        }
        from = at.end;
    }
}

/// Splits a sentence that speaks of several sections before each part that names another one.
fn parts(sentence: &Sentence, said: &Said<'_>) -> Vec<Sentence> {
    if Clues::of(&sentence.text, said).sections.len() < 2 {
        return vec![sentence.clone()];
    }
    let mut parts: Vec<(String, bool)> = Vec::new();
    for part in sentence.text.split_inclusive([',', ';']).flat_map(|p| p.split_inclusive(" and ")) {
        let names = !Clues::of(part, said).sections.is_empty();
        match parts.last_mut() {
            Some((last, named)) if !(*named && names) => {
                last.push_str(part);
                *named |= names;
            }
            _ => parts.push((part.to_owned(), names)),
        }
    }
    parts.iter().map(|(part, _)| Sentence::of(part.trim_end_matches(" and "))).collect()
}

/// Returns the clues of a piece, one set for each opponent that it names by name.
fn opponents(part: &Sentence, subject: &Clues, said: &Said<'_>) -> Vec<Clues> {
    let own = Clues::of(&part.text, said);
    let code = own.sections.first().or_else(|| subject.sections.first());
    let Some(section) = code.and_then(|code| said.desk.state.sections.get(code)) else {
        return vec![own];
    };
    let mine =
        |seat| said.desk.state.member_at(section, seat).is_some_and(|m| said.players.contains(m));
    let others: Vec<_> = own.named(section, said).into_iter().filter(|s| !mine(*s)).collect();
    if others.len() < 2 || own.pair.is_some() {
        return vec![own];
    }
    let alone =
        |seat| Clues { sections: vec![section.code.clone()], seat: Some(seat), ..Clues::default() };
    others.into_iter().map(alone).collect()
}

/// `Time complaint in both, please.`
fn is_of_all(plain: &str) -> bool {
    ["both", "all", "each", "beide", "beiden", "les deux"]
        .iter()
        .any(|w| super::phrases::has(plain, w))
}

fn add(pick: Pick, piece: &Piece, text: &str, complaints: &mut Vec<Complaint>) {
    // A piece that names nobody goes on about the game before it.
    let vague = pick.guessed || pick.order.is_empty();
    if vague && complaints.len() > 1 && is_of_all(&text.to_lowercase()) {
        return complaints.iter_mut().for_each(|c| c.told.join(piece));
    }
    let before = match complaints.len() {
        n if n > 0 && vague => complaints.last_mut(),
        _ => complaints.iter_mut().find(|c| c.pick.game == pick.game),
    };
    if let Some(complaint) = before {
        complaint.told.join(piece);
        if !vague && complaint.pick.guessed {
            complaint.pick = pick;
        }
        return;
    }
    let (quoted, text) = (short(text), text.to_owned());
    complaints.push(Complaint { pick, quoted, text, told: piece.clone() });
}

impl Complaint {
    fn decide(self, said: &Said<'_>, found: &mut Found) {
        if !self.told.counts() {
            return;
        }
        let id = self.pick.game.id();
        if !said.players.is_empty() && self.pick.sender.is_none() {
            let reason = format!("`{}`: the sender does not play in {id}.", self.quoted);
            return found.trouble(Trouble::GameUnclear, reason);
        }
        if let Some((_, member)) = &self.pick.sender {
            found.player.get_or_insert_with(|| member.clone());
        }
        if self.told.says.contains(&Key::Claim) {
            // `I claim the win on time: 1-0` reports no result; it is the director's to give.
            found
                .intents
                .retain(|i| !matches!(i, Intent::Result { game, .. } if *game == self.pick.game));
        }
        let again = said.sentences.iter().any(|s| s.tags.has(Key::SentAgain));
        if self.told.is_in_words() {
            self.without_the_move(found);
        } else if again && found.intents.iter().any(|i| self.is_sent_again(i)) {
            return found.aside(format!("`{}` tells why a move is sent again.", self.quoted));
        }
        let reason = format!("`{}` complains about the time in {id}.", self.quoted);
        let intent = self.intent();
        if !self.told.is_sure()
            && [" yet", "noch nicht", "pas encore", "todavía", "ancora"]
                .iter()
                .any(|yet| self.text.contains(yet))
        {
            return found
                .aside(format!("`{}` waits for a move and complains of nothing.", self.quoted));
        }
        let worried = !self.told.is_in_words() && whose::worries(said);
        if self.told.is_sure() && !self.pick.guessed && !worried {
            found.add(intent, Confidence::Certain, reason);
        } else {
            let asks = format!("Do you complain about the time in {}?", self.pick.described(said));
            found.ask(intent, asks, format!("I complain about the time in {id}"), reason);
        }
        if said.players.is_empty() {
            let reason = "No player is known under the sender's address.".to_owned();
            found.trouble(Trouble::SenderUnknown, reason);
        }
    }

    /// `Has not replied to my move 7.a4` tells which move is not answered, and does not send it again.
    fn without_the_move(&self, found: &mut Found) {
        let told = |i: &Intent| match i {
            Intent::Move(played) => {
                (played.repeat || played.fault.is_some())
                    && played.game == self.pick.game
                    && self.text.contains(&played.san)
            }
            _ => false,
        };
        let sends = self.text.starts_with("REPEAT") || self.text.starts_with("I repeat");
        if !sends && found.intents.iter().any(told) {
            found.intents.retain(|i| !told(i));
            found
                .reasons
                .push("The move that is not answered is told and not sent again.".to_owned());
        }
    }

    fn is_sent_again(&self, intent: &Intent) -> bool {
        matches!(intent, Intent::Move(played) if played.repeat && played.game == self.pick.game)
    }

    fn intent(&self) -> Intent {
        let game: Game = self.pick.game.clone();
        Intent::TimeComplaint { game, sent: self.told.sent, repeated: self.told.repeated }
    }
}

/// Says that the game is open.
fn which(problem: &Problem, quoted: &str, said: &Said<'_>, found: &mut Found) {
    let why = match problem {
        Problem::NoSuchSection(code) => format!("The books have no section {code}."),
        Problem::Unclear(why) => why.clone(),
    };
    let trouble =
        if said.players.is_empty() { Trouble::SenderUnknown } else { Trouble::GameUnclear };
    found.trouble(
        trouble,
        format!("`{quoted}` complains about time and leaves the game open. {why}"),
    );
}
