//! Events, causes and matters as sentences and JSON, for `show`, `why`, `docket`, the demo, and the director's transcript.

mod lines;
mod post;

use crate::{
    domain::{
        acts::{
            Apart, Assigned, Carried, Charged, Complaint, Leave, Merged, MoneyMoved, MoveAgain,
            Overstep, Refund, Reminded, Substitution,
        },
        docket::About,
        event::{Advance, Correspondent, Event, Grounds},
        honours::{Award, CreditUsed},
        points::Side,
        question::{Answer, Question},
        section::Report,
    },
    store::transaction::{Cause, DeliveryOutcome, MailCause, MailOutcome},
};
use serde_json::{Map, Value, json};

/// Returns an event as a sentence.
pub fn sentence(event: &Event) -> String {
    match event {
        Event::PlayerListed(player) => {
            format!("{} ({}) is in the roster", player.name, player.member)
        }
        Event::AddressChanged(moved) => {
            format!("letters to {} go to {} from now on", moved.member, moved.new)
        }
        Event::EntryReceived { .. }
        | Event::EntryRenumbered { .. }
        | Event::EntryAccepted { .. }
        | Event::EntryRefused { .. }
        | Event::EntryCarriedForward { .. }
        | Event::EntryDeclined { .. }
        | Event::EntryAdvanced { .. }
        | Event::EntryTakenBack(_)
        | Event::EntryEliminated { .. }
        | Event::EntryFinished { .. }
        | Event::EntryPassedOver { .. }
        | Event::EntryBroughtForward { .. }
        | Event::EntryWithdrawn { .. } => entry(event),
        Event::ScoreCarried(_)
        | Event::AssignedFixed(_)
        | Event::AwardGiven(_)
        | Event::AwardTakenBack(_)
        | Event::CreditUsed(_)
        | Event::PrizesAwarded(_) => honours(event),
        Event::MembershipReminded(_)
        | Event::KeptApart(_)
        | Event::LeaveGranted(_)
        | Event::PlayerDied { .. }
        | Event::SeatTaken(_)
        | Event::PlayersMerged(_)
        | Event::PlayerForgotten(_)
        | Event::AdjudicationAsked { .. }
        | Event::ComplaintChecked(_)
        | Event::OverstepWarned(_)
        | Event::DaysCharged(_)
        | Event::MoneyMoved(_)
        | Event::Undone(_) => act(event),
        Event::PaymentReceived { member, amount, received, reference, .. } => {
            format!("{amount} received from member {member} on {received} ({reference})")
        }
        Event::PaymentRefunded(Refund { member, amount, reference, .. }) => {
            format!("{amount} go back to member {member} ({reference}) (Rule 8)")
        }
        Event::EntryPaid { entry, fee } => format!("{entry} is paid ({fee}) and waits (Rule 8)"),
        Event::PaymentReminded { member, entries, .. } => {
            let ids: Vec<&str> = entries.iter().map(|id| id.0.as_str()).collect();
            format!("member {member} was reminded of the fee of {} (Rule 8)", ids.join(", "))
        }
        Event::SectionFormed { section, seats, start, adopted, .. } => {
            let how = if *adopted { "adopted" } else { "formed" };
            format!("section {section} {how} with {} seats, start {start} (Rule 2)", seats.len())
        }
        Event::ColorsAdopted { game } => format!("{game}: taken over with these colours"),
        Event::MovePlayed { .. }
        | Event::MoveRepeated(_)
        | Event::MoveRefused { .. }
        | Event::RepliesDropped { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::WordRefused { .. } => play(event),
        Event::ResultReported { .. }
        | Event::ResultRepeated { .. }
        | Event::ResultConfirmed { .. }
        | Event::ResultDisputed { .. }
        | Event::ResultContested { .. }
        | Event::ResultRuled { .. }
        | Event::ResultRefused { .. } => result(event),
        Event::SectionCompleted { section } => format!("section {section} is complete (Rule 3)"),
        Event::QuestionAsked { .. }
        | Event::MailRead { .. }
        | Event::PetitionReceived { .. }
        | Event::AnswerRefused { .. }
        | Event::MailNotUnderstood { .. }
        | Event::MailHeldBack(_)
        | Event::OutageNoted(_)
        | Event::AlarmRaised(_)
        | Event::QuestionPut(_)
        | Event::QuestionAnswered { .. } => mail(event),
        Event::ItemOpened(item) => {
            let (id, kind, rule) = (item.item, item.kind.text(), item.rule);
            format!(
                "{id} {kind} waits for the director (Rule {rule}): {}",
                item.choices.join(" | ")
            )
        }
        Event::ItemRuled { item, ruling } => {
            let because = if ruling.reason.is_empty() { "" } else { ": " };
            let (choice, by, reason) = (&ruling.choice, &ruling.by, &ruling.reason);
            format!("{item} decided by {by}: {choice}{because}{reason} (Rule 7)")
        }
        Event::SlotPassed { on, .. } => format!("the slot of {on} is seen to"),
        Event::SummaryDue { on, .. } => format!("the director's summary of {on}"),
        Event::Post(happened) => post::sentence(happened),
        Event::LinesHeld(_) | Event::LinesSettled(_) | Event::LinesRead(_) => {
            lines::sentence(event)
        }
        Event::LetterResent { letter } => format!("{letter} goes out once more"),
    }
}

/// Returns what a mail asked or was asked as a sentence.
fn mail(event: &Event) -> String {
    match event {
        Event::QuestionAsked { from, .. } => format!("{} asked a question", writer(from)),
        Event::MailRead { from, aside } => {
            let aside =
                if aside.is_empty() { String::new() } else { format!("; {}", aside.join("; ")) };
            format!("a mail of {} was read{aside}", writer(from))
        }
        Event::PetitionReceived { from, intent, item } => {
            format!("{} of {} is before the director as {item}", intent.kind(), writer(from))
        }
        Event::AnswerRefused { from, question, refusal } => {
            format!(
                "the answer of {} to {question} does not count: {}",
                writer(from),
                refusal.code()
            )
        }
        Event::MailNotUnderstood { from, answered, .. } => {
            let told = if *answered { "and was told so" } else { "and was not answered" };
            format!("a mail of {} was not understood, {told}", writer(from))
        }
        Event::QuestionPut(Question { question, player, guard: Some(_), options, .. }) => {
            let says = options.first().map(|option| option.says.as_str()).unwrap_or_default();
            format!("{question} to member {player}: did he write this: {says}?")
        }
        Event::MailHeldBack(held) => {
            let told = if held.alert.is_some() { "; the director is told at once" } else { "" };
            format!("a mail of a flood is held back, {} stands for it{told}", held.item)
        }
        Event::OutageNoted(outage) => {
            let (from, to) = (outage.from.date_naive(), outage.to.date_naive());
            format!("no mail reached us from {from} to {to}: {} (Rule 10)", outage.what)
        }
        Event::AlarmRaised(alarm) => format!("the director is told: {}", alarm.words.join(" ")),
        Event::QuestionPut(question) => {
            format!("{} to member {}: {}", question.question, question.player, question.asks)
        }
        Event::QuestionAnswered { question, answer, .. } => match answer {
            Answer::Chosen(choice) => format!("{question} is answered: {choice}"),
            Answer::Neither => format!("{question} is answered: none of these"),
            Answer::Moot => format!("{question} is settled by a later mail"),
        },
        _ => String::new(),
    }
}

/// Returns what came in or was decided of an entry as a sentence.
fn entry(event: &Event) -> String {
    match event {
        Event::EntryReceived { entry, member, number, postmark, .. } => format!(
            "{entry} received: entry number {number} of member {member}, postmark {postmark} (Rule 9)"
        ),
        Event::EntryRenumbered { entry, number } => {
            format!(
                "{entry} is entry number {number} now: one with an earlier postmark came (Rule 9)"
            )
        }
        Event::EntryAccepted { entry } => format!("{entry} accepted (Rule 1)"),
        Event::EntryRefused { entry, refusal } => {
            format!("{entry} refused: {} (Rule {})", refusal.code(), refusal.rule())
        }
        Event::EntryCarriedForward { entry, to } => {
            let to = to.as_ref().map_or("next year's tournament", |id| &id.0);
            format!("{entry} carried forward to {to} (Rule 9)")
        }
        Event::EntryAdvanced { entry, section, points, why } => {
            let why = why_advanced(*why);
            let from = section.as_ref().map(|s| format!(" from {s}")).unwrap_or_default();
            format!("{entry} advances{from} with {points}: {why} (Rule 3)")
        }
        Event::EntryTakenBack(entry) => format!("{entry} is in its round again (Rule 3)"),
        Event::EntryEliminated { entry, section, points } => {
            let from = section.as_ref().map(|s| format!(" in {s}")).unwrap_or_default();
            format!("{entry} does not reach the next round: scored {points}{from} (Rule 3)")
        }
        Event::EntryFinished { entry } => format!("{entry} has played all rounds"),
        Event::EntryPassedOver { entry } => {
            format!("{entry} was passed over for a constraint's sake; it is served next (Rule 2)")
        }
        Event::EntryBroughtForward { entry, here, .. } => {
            format!("{entry} plays on as {here} (Rule 9)")
        }
        Event::EntryWithdrawn { entry } => format!("{entry} is withdrawn (Rule 10)"),
        Event::EntryDeclined { from, refusal } => {
            let (who, code, rule) = (writer(from), refusal.code(), refusal.rule());
            format!("an entry of {who} was not taken: {code} (Rule {rule})")
        }
        _ => String::new(),
    }
}

/// Returns what was scored, won or paid with credit as a sentence.
fn honours(event: &Event) -> String {
    match event {
        Event::ScoreCarried(Carried { entry, round, points, forfeit_losses }) => format!(
            "{entry}: {points} points in round {} taken over, {forfeit_losses} lost by forfeit",
            round + 1
        ),
        Event::AssignedFixed(Assigned { event, number, reason }) => {
            format!("{event}: {number} entries were assigned: {reason} (Rule 5)")
        }
        Event::AwardGiven(given) => {
            let (award, rule) = award(&given.award);
            format!("{} has {award} (Rule {rule})", given.entry)
        }
        Event::AwardTakenBack(given) => {
            let (award, rule) = award(&given.award);
            format!("{} has {award} no more: it goes on (Rule {rule})", given.entry)
        }
        Event::CreditUsed(used) => {
            let CreditUsed { member, entry, amount, currency, .. } = used;
            format!("{amount} {currency} of member {member}'s credit pay for {entry} (Rule 4)")
        }
        Event::PrizesAwarded(list) => {
            let of = list.section.as_ref().map_or(&list.event.0, |section| &section.0);
            format!(
                "{of}: {} prizes of {} in all are announced (Rule 5)",
                list.places.len(),
                list.fund
            )
        }
        _ => String::new(),
    }
}

/// Returns an award in words, and its rule.
fn award(award: &Award) -> (String, u8) {
    match award {
        Award::GiftCertificate { amount, currency } => {
            (format!("a gift certificate of {amount} {currency}"), 4)
        }
        Award::FramingCertificate => ("the certificate for framing".to_owned(), 4),
        Award::Pin => ("the pin".to_owned(), 4),
        Award::Title(title) => (format!("the title: {title}"), 5),
    }
}

/// Returns what befell a person or what the director did as a sentence.
fn act(event: &Event) -> String {
    match event {
        Event::MembershipReminded(Reminded { member, expires, days }) => {
            format!(
                "member {member} was told that the membership ends on {expires}, in {days} days (Rule 1)"
            )
        }
        Event::KeptApart(Apart { one, other, lifted }) => {
            let how = if *lifted { "may meet again" } else { "are kept apart" };
            format!("members {one} and {other} {how} (Rule 2)")
        }
        Event::LeaveGranted(Leave { member, from, to, .. }) => {
            format!("member {member} has leave from {from} to {to} (Rule 10)")
        }
        Event::PlayerDied { member, on } => {
            format!("member {member} has died; known {on} (Rule 10)")
        }
        Event::SeatTaken(Substitution { section, seat, left, entry, .. }) => {
            format!("{section}: {entry} takes seat {seat} of {left} (Rule 10)")
        }
        Event::PlayersMerged(Merged { from, into }) => format!("member {from} is member {into}"),
        Event::PlayerForgotten(forgotten) => {
            let (mails, letters) = (forgotten.mails.len(), forgotten.letters.len());
            let member = &forgotten.member;
            format!("member {member} was forgotten; {mails} mails and {letters} letters erased")
        }
        Event::AdjudicationAsked { game, item } => {
            format!("{game}: both players are asked for their claims, {item} (Rule 7)")
        }
        Event::ComplaintChecked(Complaint { from, game, premature_until, .. }) => {
            match premature_until {
                Some(day) => format!(
                    "{game}: the time complaint of {} is admissible from {day} (Rule 10)",
                    writer(from)
                ),
                None => format!(
                    "{game}: the time complaint of {} is admissible (Rule 10)",
                    writer(from)
                ),
            }
        }
        Event::OverstepWarned(Overstep { game, side, penalty_days, .. }) => format!(
            "{game}: {} overstepped the time and is warned, {penalty_days} days are charged (Rule 10)",
            if *side == Side::White { "White" } else { "Black" }
        ),
        Event::DaysCharged(Charged { game, side, days, reason, .. }) => format!(
            "{game}: {days} days are charged to {}: {reason} (Rule 10)",
            if *side == Side::White { "White" } else { "Black" }
        ),
        Event::MoneyMoved(MoneyMoved { member, from, to, amount, entry, .. }) => {
            format!("{amount} of member {member} go from {from} to {to} for {entry} (Rule 9)")
        }
        Event::Undone(undone) => {
            format!("transaction {} is taken back: {} (Rule 7)", undone.transaction, undone.reason)
        }
        _ => String::new(),
    }
}

const fn why_advanced(why: Advance) -> &'static str {
    match why {
        Advance::Points => "it has the points",
        Advance::NextBest => "nobody has more",
        Advance::Ruling => "the director took it",
        Advance::Fill => "it fills the last section",
    }
}

/// Returns what was played or said in a game as a sentence. Replies sent beforehand are shown to nobody.
fn play(event: &Event) -> String {
    let dotted = |number: &u16, side: &Side, san: &str| {
        let dots = if *side == Side::White { "." } else { "..." };
        format!("{number}{dots}{san}")
    };
    let name = |side: &Side| if *side == Side::White { "White" } else { "Black" };
    match event {
        Event::MovePlayed { game, number, side, san, offer, mail, .. } => {
            let how = if mail.is_none() { " as promised beforehand" } else { "" };
            let offer = if *offer { ", a draw is offered" } else { "" };
            format!("{game}: {} was played{how}{offer} (Rule 10)", dotted(number, side, san))
        }
        Event::MoveRepeated(MoveAgain { game, number, side, san, .. }) => {
            format!("{game}: {} is in the books already", dotted(number, side, san))
        }
        Event::MoveRefused { game, number, side, san, fault, .. } => {
            format!("{game}: {} was not played: {} (Rule 10)", dotted(number, side, san), fault.why)
        }
        Event::RepliesDropped { game, side } => {
            format!("{game}: what {} had promised was not met", name(side))
        }
        Event::DrawOffered { game, by, .. } => format!("{game}: {} offers a draw", name(by)),
        Event::DrawDeclined { game, by, .. } => format!("{game}: {} declines the draw", name(by)),
        Event::WordRefused { from, game, refusal, .. } => {
            format!("a word of {} in {game} was not taken: {}", writer(from), refusal.code())
        }
        _ => String::new(),
    }
}

/// Returns what was said or decided of a game as a sentence.
fn result(event: &Event) -> String {
    match event {
        Event::ResultReported { game, report } => {
            format!("{game}: {} (Rule 10)", told(report))
        }
        Event::ResultRepeated { game, report } => {
            format!("{game}: {}, which the books have already", told(report))
        }
        Event::ResultConfirmed { game, outcome, grounds, .. } => {
            let why = match grounds {
                Grounds::BothReported => "both players report it",
                Grounds::OwnInterest => "the loser reports it",
                Grounds::NoObjection => "nobody objected in time",
                Grounds::Adopted => "it came with the books",
                Grounds::Board => "the position ends the game",
                Grounds::Agreed => "the opponent had offered it",
                Grounds::Claimed => "the moves bear it out",
            };
            let (result, how) = (outcome.result, outcome.how.words());
            format!("{game}: {result} by {how} stands, {why} (Rule 10)")
        }
        Event::ResultDisputed { game, first, second } => {
            format!("{game}: disputed, {} but {} (Rule 10)", told(first), told(second))
        }
        Event::ResultContested { game, report } => {
            format!("{game}: {}, against the books (Rule 10)", told(report))
        }
        Event::ColorsAdopted { game } => format!("{game}: taken over with these colours"),
        Event::ResultRuled { game, outcome, reason, .. } => {
            let (result, how) = (outcome.result, outcome.how.words());
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{game}: ruled {result} by {how}{why} (Rule 7)")
        }
        Event::ResultRefused { from, game, refusal } => {
            format!("the report of {} on {game} was not taken: {}", writer(from), refusal.code())
        }
        _ => String::new(),
    }
}

fn told(report: &Report) -> String {
    let side = match report.by {
        crate::domain::points::Side::White => "White",
        crate::domain::points::Side::Black => "Black",
    };
    format!("{side} reports {} by {}", report.outcome.result, report.outcome.how.words())
}

fn writer(from: &Correspondent) -> String {
    match (&from.player, &from.address) {
        (Some(member), _) => format!("member {member}"),
        (None, Some(address)) => address.clone(),
        (None, None) => "somebody".to_owned(),
    }
}

/// Returns what a transaction comes from, as a sentence.
pub fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Mail(mail) => {
            let MailCause { digest, from, subject, .. } = &**mail;
            if mail.outcome == MailOutcome::Duplicate {
                return format!("a copy of mail {digest}");
            }
            format!("a mail of {from}, {subject:?}, {digest}")
        }
        Cause::Tick { job, slot } => {
            let job = serde_json::to_value(job).unwrap_or_default();
            format!("the job {} of {slot}", job.as_str().unwrap_or_default())
        }
        Cause::Director { by, words, mail } => {
            let how = mail.map(|mail| format!(" by mail {}", mail.digest)).unwrap_or_default();
            format!("{by}{how}: {words}")
        }
        Cause::Delivery { outcomes } => format!("the delivery of {} letters", outcomes.len()),
        Cause::Program => "what the program found out about itself".to_owned(),
        Cause::OpenBooks => "the first pass over this home".to_owned(),
    }
}

/// Returns what became of an attempt to deliver.
pub fn delivery(outcome: &DeliveryOutcome) -> String {
    match outcome {
        DeliveryOutcome::Sent => "sent".to_owned(),
        DeliveryOutcome::Printed => "put into the print folder".to_owned(),
        DeliveryOutcome::Deferred(why) => format!("not yet: {why}"),
        DeliveryOutcome::MaybeSent(why) => format!("maybe sent, to be tried again: {why}"),
        DeliveryOutcome::Refused(why) => format!("failed: {why}"),
    }
}

/// Returns what something is about in the contract's shape: ids as they are printed.
pub fn about_json(about: &About) -> Value {
    let mut map = Map::new();
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            map.insert(key.to_owned(), Value::String(value));
        }
    };
    put("event", about.event.as_ref().map(ToString::to_string));
    put("entry", about.entry.as_ref().map(ToString::to_string));
    put("player", about.player.as_ref().map(ToString::to_string));
    put("section", about.section.as_ref().map(ToString::to_string));
    put("mail", about.mail.clone());
    put("letter", about.letter.map(|l| l.to_string()));
    put("address", about.address.clone());
    put("item", about.item.map(|item| item.to_string()));
    if let Some(game) = &about.game {
        map.insert("white".to_owned(), json!(game.white));
        map.insert("black".to_owned(), json!(game.black));
    }
    Value::Object(map)
}

/// Tells whether a text can be an email address; whether anybody reads there only a letter can tell.
pub fn looks_like_address(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | ',');
    text.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
        && !text.contains(odd)
}
