//! Carrying out a mail of the director's, line by line (Rule 7). Each order is a transaction of its own, caused by that line
//! of that mail, so that it is told and taken back by itself; what came of all lines goes back to him in one letter.
//!
//! His address alone proves nothing, since anybody can write it: what comes so waits for his word. He is believed where
//! our own server found his domain's signature, or where he answers a letter that only he got.
//!
//! Orders come before the transaction of the mail itself. When the program dies in between, the mail is read again, and
//! what the books know as carried out is not carried out twice.

use super::{Announce, Bench, Office, Order, Refused, answers, lines, lines::Line, words};
use crate::{
    domain::{
        apply::apply,
        command::Command,
        decide::decide,
        docket::Item,
        event::{Event, Trouble},
        ids::LetterId,
        intent::Intent,
        notice::{Notice, NoticeName, Recipient},
        tell,
        transcript::{HeldLines, ReadLine, SettledLines, Transcript},
    },
    fault::Fault,
    mail::understanding::{Assurance, Class, Understanding},
    notices::view::member_name,
    office::{harm::Act, intake::Mail},
    store::transaction::{Cause, LetterRecord, MailLine, MailOutcome, Transaction},
};
use chrono::{DateTime, Utc};

/// Lines that are no commands after which the rest is not read.
const STOP: usize = 5;
/// Lines of a mail that are read at most.
const LINES: usize = 200;
/// How much of a line is read, in characters.
const LINE_CHARS: usize = 2000;

/// What a mail of the director's is.
enum Written {
    /// Lines to carry out.
    Lines(Vec<String>),
    /// His word about lines that waited.
    Word(SettledLines),
    /// His word about lines that wait no more.
    Late,
    /// Lines in his name, and nothing proves that they are his.
    Unproved(Vec<String>),
}

impl Office {
    /// Deals with a mail of the director's that gives orders; false where it is none.
    pub(in crate::office) fn take_orders(
        &mut self,
        mail: &Mail,
        understanding: &Understanding,
    ) -> Result<bool, Fault> {
        let Some(written) = self.written(understanding) else { return Ok(false) };
        // Orders that are proved to be his are bounded by nothing; all else is held like any other flood: whoever writes
        // in his name all day, and a machine of his own that answers what we say to it.
        let bounded = match written {
            Written::Lines(_) => !has_orders(understanding),
            Written::Word(_) => false,
            Written::Late | Written::Unproved(_) => true,
        };
        if bounded && self.beyond(mail, understanding).is_some() {
            return Ok(false);
        }
        let held = |word: &SettledLines| self.books.state.held_lines.get(&word.mail).cloned();
        let (mut commands, lines) = match written {
            Written::Unproved(lines) => {
                let command = Command::HoldLines { mail: mail.digest.to_string(), lines };
                self.settle_mail(mail, understanding, MailOutcome::Held, &[command])?;
                return Ok(true);
            }
            Written::Lines(lines) => (Vec::new(), lines),
            Written::Word(word) => {
                let lines = held(&word).filter(|_| word.his).map(|held| held.lines);
                (vec![Command::SettleLines(word)], lines.unwrap_or_default())
            }
            Written::Late => (Vec::new(), Vec::new()),
        };
        let item = self.item_answered(understanding);
        let rehearsal = lines::is_rehearsal(&understanding.headers.subject);
        let mut transcript = self.carry_lines(mail, &lines, item.as_ref(), rehearsal)?;
        if lines.is_empty() {
            transcript.lines.push(word_alone(understanding, !commands.is_empty()));
        }
        commands.push(Command::Transcribe(transcript));
        self.settle_mail(mail, understanding, MailOutcome::Acted, &commands)?;
        Ok(true)
    }

    /// Returns what a mail of the director's is; none where it gives no order.
    fn written(&self, understanding: &Understanding) -> Option<Written> {
        let address = understanding.sender.address.as_deref()?;
        let director = &self.standing.house.director;
        let is_his = director.iter().any(|known| known.eq_ignore_ascii_case(address));
        if understanding.class != Class::Person || !is_his {
            return None;
        }
        let proved = self.is_proved(understanding);
        if proved && let Some(word) = self.word(understanding) {
            return Some(word);
        }
        let orders = has_orders(understanding);
        // What nobody understands from him is told so line by line, unless he plays here and may mean a game.
        let nothing = understanding.intents.is_empty()
            && understanding.sender.player.is_none()
            && understanding.doubt.is_none()
            && matches!(
                understanding.trouble,
                Some(Trouble::NothingFound | Trouble::ForDirector | Trouble::SenderUnknown)
            );
        let lines = || lines_of(&understanding.text);
        let asked = || lines().into_iter().take(LINES).collect();
        match (orders, proved) {
            (true, true) => Some(Written::Lines(lines())),
            (true, false) => Some(Written::Unproved(asked())),
            (false, true) if nothing => Some(Written::Lines(lines())),
            (false, _) => None,
        }
    }

    /// Tells whether the director is known well enough as the author of a mail (`House::trust`): its domain vouches for it, or
    /// it answers a letter that went to him as the director. What he got as a player proves the player.
    fn is_proved(&self, understanding: &Understanding) -> bool {
        let trust = self.standing.house.trust;
        let sender = &understanding.sender;
        let his_letter = || {
            let answers = understanding.headers.answers;
            answers.is_some_and(|id| self.books.went_to_director(id, &self.standing.house))
        };
        let by_letter = sender.assurance == Assurance::Token;
        Act::Director.is_proved(sender, trust) && (!by_letter || his_letter())
    }

    /// Returns the director's word where he answers the letter that asks whether lines are his.
    fn word(&self, understanding: &Understanding) -> Option<Written> {
        let letter = understanding.headers.answers?;
        let entry = self.books.letter(letter)?;
        let first = lines_of(&understanding.text).into_iter().next()?.to_lowercase();
        let his = match first.trim_matches(|c: char| !c.is_alphanumeric()) {
            "yes" | "y" | "ja" | "ok" | "confirm" | "confirmed" | "they are mine" => true,
            "no" | "n" | "nein" | "cancel" | "they are not" => false,
            _ => return None,
        };
        if entry.notice != NoticeName::DirectorConfirm {
            return None;
        }
        let held = self.books.state.held_lines.values().find(|held| self.asked_by(held, letter));
        let in_time = held.filter(|held| held.until >= self.moment().today);
        Some(match in_time {
            Some(held) => Written::Word(SettledLines { mail: held.mail.clone(), his }),
            None => Written::Late,
        })
    }

    /// Tells whether a letter asks about these lines: it was written when their mail was dealt with.
    fn asked_by(&self, held: &HeldLines, letter: LetterId) -> bool {
        let seq = held.mail.parse().ok().and_then(|digest| self.books.mail(digest));
        seq.is_some() && seq == self.books.letter(letter).map(|entry| entry.seq)
    }

    /// Returns the one open item that the letter which a mail answers puts before the director.
    fn item_answered(&self, understanding: &Understanding) -> Option<Item> {
        let about = crate::mail::Letters::about(&self.books, understanding.headers.answers?)?;
        self.books.state.docket.get(&about.item?).map(|(item, _)| item.clone())
    }

    fn carry_lines(
        &mut self,
        mail: &Mail,
        all: &[String],
        item: Option<&Item>,
        mut rehearsal: bool,
    ) -> Result<Transcript, Fault> {
        let mut transcript = Transcript::default();
        let mut unknown = 0;
        for (number, line) in (1..).zip(all) {
            let said = match lines::read(line, item) {
                Line::Unknown(_) | Line::Wrong(_) if item.is_none() && self.is_choice(line) => {
                    Line::Wrong(self.which_item(line))
                }
                Line::Order(order, _) if rehearsal => Line::Preview(order),
                said => said,
            };
            rehearsal |= matches!(said, Line::Rehearse);
            if matches!(said, Line::End) {
                break;
            }
            if unknown == STOP || transcript.lines.len() == LINES {
                transcript.unread = all.len() - transcript.lines.len();
                break;
            }
            unknown += usize::from(matches!(said, Line::Unknown(_)));
            let place = MailLine { digest: mail.digest, line: number };
            let read = self.carry_line(line, said, place)?;
            transcript.lines.push(ReadLine { line: line.clone(), ..read });
        }
        Ok(transcript)
    }

    /// Tells whether a line is a choice of something that waits.
    fn is_choice(&self, line: &str) -> bool {
        self.books.state.open_docket().any(|item| lines::choice(line, item).is_some())
    }

    fn which_item(&self, line: &str) -> String {
        let state = &self.books.state;
        let first = state.open_docket().next().map(|item| item.item.to_string());
        format!(
            "it names no item, and the letter that it answers does not put one alone before you; {} wait; write it like \
             `{} {line}`",
            super::waiting(state),
            first.unwrap_or_default()
        )
    }

    fn carry_line(&mut self, line: &str, said: Line, place: MailLine) -> Result<ReadLine, Fault> {
        Ok(match said {
            Line::Order(order, at_once) => match self.carry_order(line, &order, at_once, place)? {
                Ok(read) => read,
                Err(why) => sentence(format!("Not done: {why}.")),
            },
            Line::Preview(order) => match self.ready(&order) {
                Ok(ready) => ReadLine { said: self.preview(&ready.command), ..ReadLine::default() },
                Err(Refused::Fault(fault)) => return Err(fault),
                Err(why) => sentence(format!("It would not be done: {why}.")),
            },
            Line::Show(asked) => match answers::shown(&self.bench(), &asked) {
                Ok(shown) => ReadLine { shown, ..ReadLine::default() },
                Err(why) => sentence(format!("Not shown: {why}.")),
            },
            Line::Wrong(why) => sentence(format!("Not done: {why}.")),
            Line::Rehearse => {
                let words = "What stands below is only previewed: nothing of it is done.";
                sentence(words.to_owned())
            }
            Line::Unknown(Some(near)) => sentence(format!(
                "This is no command and does nothing. Is `{near}` meant? Then write it like `{}`.",
                super::examples::of(near).unwrap_or(near)
            )),
            Line::Unknown(None) | Line::End => {
                sentence("This is no command and does nothing.".to_owned())
            }
        })
    }

    fn bench(&self) -> Bench<'_> {
        let by = self.standing.house.director_name.as_str();
        Bench { rules: &self.standing.rules, books: &self.books, now: self.moment(), by }
    }

    /// Carries out an order of a line, unless that was done before the program died over this very mail.
    fn carry_order(
        &mut self,
        line: &str,
        order: &Order,
        at_once: bool,
        place: MailLine,
    ) -> Result<Result<ReadLine, Refused>, Fault> {
        if let Some(done) = self.books.carried_out(place) {
            return Ok(Ok(self.told(&done.clone())));
        }
        let ready = match self.ready(order) {
            Ok(ready) => ready,
            Err(Refused::Fault(fault)) => return Err(fault),
            Err(why) => return Ok(Err(why)),
        };
        let by = self.standing.house.director_name.clone();
        let cause = Cause::Director { by, words: line.to_owned(), mail: Some(place) };
        let announce = order.announce(at_once);
        let done = self.transact(cause, &[ready.command], None, announce)?;
        Ok(Ok(self.told(&done)))
    }

    /// Returns what came of an order, in sentences.
    fn told(&self, done: &Transaction) -> ReadLine {
        let Transaction { seq, events, letters, .. } = done;
        if events.is_empty() && letters.is_empty() {
            return sentence("Nothing changed: the books have it so already.".to_owned());
        }
        let mut said: Vec<String> = events.iter().map(told_event).collect();
        said.extend(self.told_letters(letters));
        said.push(format!("`undo {seq}` takes it back."));
        ReadLine { act: Some(*seq), said, ..ReadLine::default() }
    }

    fn told_letters(&self, letters: &[LetterRecord]) -> Option<String> {
        let first = letters.first()?;
        let state = &self.books.state;
        let to = |letter: &LetterRecord| match &letter.about.player {
            Some(member) => format!("{} to {}", letter.notice, member_name(state, member)),
            None => format!("{} to {}", letter.notice, letter.to.as_deref().unwrap_or("nobody")),
        };
        let listed: Vec<String> = letters.iter().map(to).collect();
        let wait = first.not_before.map(|until| format!(" They wait until {}.", self.clock(until)));
        Some(format!("Letters: {}.{}", listed.join(", "), wait.unwrap_or_default()))
    }

    fn clock(&self, at: DateTime<Utc>) -> String {
        at.with_timezone(&self.standing.house.zone).format("%H:%M").to_string()
    }

    /// Returns what a command would bring about: nothing of it is kept.
    fn preview(&self, command: &Command) -> Vec<String> {
        let mut state = self.books.state.clone();
        let events = decide(&self.standing.rules, &state, self.moment(), command);
        for event in &events {
            apply(&mut state, event);
        }
        if events.is_empty() {
            return vec!["It would change nothing: the books have it so already.".to_owned()];
        }
        let mut said = vec!["Nothing is done yet. This would follow:".to_owned()];
        said.extend(events.iter().map(told_event));
        let notices = tell::notices(&state, &events);
        let to = |notice: &Notice| {
            let to = match &notice.to {
                Recipient::Player(member) => member_name(&state, member),
                Recipient::Stranger(from) => from.address.clone().unwrap_or_default(),
                Recipient::Director => "you".to_owned(),
            };
            format!("{} to {to}", notice.facts.name())
        };
        let letters: Vec<String> = notices.iter().map(to).collect();
        if !letters.is_empty() {
            said.push(format!("Letters: {}.", letters.join(", ")));
        }
        said
    }
}

impl Order {
    /// Returns when the letters leave that follow from it.
    pub(super) const fn announce(&self, at_once: bool) -> Announce {
        if self.may_be_undone() && !at_once { Announce::AfterUndoTime } else { Announce::Yes }
    }
}

fn has_orders(understanding: &Understanding) -> bool {
    understanding.intents.iter().any(|intent| matches!(intent, Intent::Director { .. }))
}

fn told_event(event: &Event) -> String {
    let said = words::sentence(event);
    if said.ends_with('.') { said } else { format!("{said}.") }
}

fn sentence(said: String) -> ReadLine {
    ReadLine { said: vec![said], ..ReadLine::default() }
}

/// Returns what is said of a mail that has no lines to carry out.
fn word_alone(understanding: &Understanding, settled: bool) -> ReadLine {
    let line = lines_of(&understanding.text).into_iter().next().unwrap_or_default();
    let said = if settled {
        "The lines that waited are dropped; nothing of them was done."
    } else {
        "Nothing was done: those lines were settled before, or their days are over. Send them again if you still \
         want them carried out."
    };
    ReadLine { line, said: vec![said.to_owned()], ..ReadLine::default() }
}

/// Returns the lines of a text that say anything.
fn lines_of(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| line.chars().take(LINE_CHARS).collect()).collect()
}
