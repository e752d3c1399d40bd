//! Draws: offers, their acceptance and refusal, and claims by the rules of the game.
//!
//! An offer is made by the sender, now and without a condition; one that is asked about, told of or thought of is none. An
//! acceptance where the books know of no offer reports a draw that was agreed elsewhere. What is tied to something else (`in both games or neither`) goes to the director, and so does a mail that accepts and plays on.

use super::{
    Found, Said, blocks, drawn,
    game::{self, Clues, Pick},
    phrases::{Sentence, short},
};
use crate::{
    domain::{
        event::Trouble,
        intent::{Choice, DrawGround, Game, Intent},
        points::Side,
    },
    mail::{
        lexicon::{self, Key},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// What a sentence says of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Offer,
    Accept,
    Decline,
    Claim,
}

/// The most games that a question names.
const OPTIONS: usize = 6;

/// Reads what is said of draws. The sentences that speak of one are no results.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let speaks = |s: &Sentence| {
        WORDS.iter().any(|(key, _)| s.tags.has(*key))
            || s.tags.has(Key::DrawWithdrawn)
            || is_bare_question(s)
            || is_bare_yes(s)
            || !drawn::words(&s.plain).is_empty()
            || loose(s).is_some()
            || OFFERS.is_match(&s.plain)
    };
    if !said.sentences.iter().any(speaks) {
        return;
    }
    let matter = said.sentences.iter().any(|s| drawn::is_matter(&s.plain));
    let governing = blocks::governing(said);
    let mut read: Vec<(Word, usize)> = Vec::new();
    for (place, sentence) in said.sentences.iter().enumerate() {
        match word(sentence) {
            Ok(Some(Word::Decline))
                if !matter && sentence.tags.first(Key::DrawDecline).is_none() => {}
            // `I withdraw from 19N07. In 19N04 I play on.` declines nothing.
            Ok(Some(Word::Decline)) if is_wish(sentence) && leaves(said) => {}
            Ok(Some(word)) => {
                found.taken.push(sentence.text.clone());
                read.push((word, place));
            }
            Ok(None) => {}
            Err(Held { why, heard }) => {
                found.taken.push(sentence.text.clone());
                let reason = format!("`{}` is not acted on: {why}.", short(&sentence.text));
                if heard && !said.players.is_empty() {
                    found.trouble(Trouble::ForDirector, reason);
                } else {
                    found.reasons.push(reason);
                }
            }
        }
    }
    for (word, place) in read {
        take(word, place, &governing[place], said, found);
    }
    contradictions(found);
}

const WORDS: [(Key, Word); 5] = [
    (Key::DrawClaim, Word::Claim),
    (Key::DrawDecline, Word::Decline),
    (Key::DrawAccept, Word::Accept),
    (Key::DrawOffer, Word::Offer),
    (Key::DrawSign, Word::Offer),
];

/// Why words of a draw are not acted on, and whether a person should see to them.
struct Held {
    why: &'static str,
    heard: bool,
}

/// Returns what a sentence says of a draw; an error where it says something that is not to be acted on.
fn word(sentence: &Sentence) -> Result<Option<Word>, Held> {
    let held = |why, heard| Err(Held { why, heard });
    if is_bare_question(sentence) {
        return Ok(Some(Word::Offer));
    }
    if is_bare_yes(sentence) {
        return Ok(Some(Word::Accept));
    }
    if sentence.plain.contains("no offer") {
        return held("it speaks of no offer", false);
    }
    if let Some(word) = loose(sentence) {
        return Ok(Some(word));
    }
    if let Some(found) = OFFERS.find(&sentence.plain) {
        return checked(Word::Offer, found.start(), sentence);
    }
    let found = WORDS
        .iter()
        .flat_map(|(key, word)| sentence.tags.all(*key).map(move |range| (*key, *word, range)));
    let mut found: Vec<(Key, Word, Range<usize>)> = found.collect();
    for (key, range) in drawn::words(&sentence.plain) {
        found.extend(WORDS.iter().find(|(k, _)| *k == key).map(|(_, word)| (key, *word, range)));
    }
    // `i do not accept the draw` holds `accept the draw`; the longer phrase says what is meant.
    let all = found.clone();
    found.retain(|(_, word, range)| {
        !all.iter().any(|(_, other, wider)| {
            other != word
                && wider.len() > range.len()
                && wider.start < range.end
                && range.start < wider.end
        })
    });
    if sentence.tags.has(Key::DrawWithdrawn) && !found.iter().any(|(_, w, _)| *w != Word::Offer) {
        let made = found.iter().any(|(key, ..)| *key == Key::DrawOffer);
        if !made {
            let own = sentence.plain.contains("withdraw") || sentence.plain.contains("take");
            return held("it speaks of an offer that was made before", own);
        }
    }
    // `Thank you for the offer, but I decline the draw`: a refusal names the offer it refuses.
    let said: Vec<Word> = {
        let firm = found.iter().filter(|(key, ..)| *key != Key::DrawSign);
        let mut firm: Vec<Word> = firm.map(|(_, word, _)| *word).collect();
        firm.dedup();
        firm
    };
    let (word, at) = match (&said[..], found.first()) {
        ([], None) => return Ok(None),
        ([], Some((_, word, range))) => {
            if !drawn::stands_alone(sentence) {
                return held("it speaks of a draw and offers none", false);
            }
            (*word, range.start)
        }
        (_, _) if said.contains(&Word::Offer) && said.len() > 1 => {
            return held("it offers and answers at once", true);
        }
        (_, _) if said.contains(&Word::Accept) && said.contains(&Word::Decline) => {
            return held("it accepts and declines at once", true);
        }
        _ => {
            let first =
                found.iter().find(|(key, word, _)| *key != Key::DrawSign && *word == said[0]);
            (said[0], first.map_or(0, |(.., range)| range.start))
        }
    };
    checked(word, at, sentence)
}

/// `I hereby offer Ms. Thorne a draw`.
static OFFERS: LazyLock<Regex> = LazyLock::new(|| {
    let may = "hereby|herewith|also|now|therefore|would like to|wish to|want to|do";
    Regex::new(&format!(
        r"\b(?:i|we)(?: (?:{may}))? (?:offer|propose|suggest)(?: [\p{{L}}.'-]+){{1,4}} a draw\b"
    ))
    .expect("a valid pattern")
});

/// Words that answer the offer that stands, whatever their order: `your offer of a draw I accept with pleasure`,
/// `no thank you to the draw`. Where no offer stands, they are nothing.
fn loose(sentence: &Sentence) -> Option<Word> {
    let tags = &sentence.tags;
    let firm = WORDS.iter().any(|(key, _)| *key != Key::DrawSign && tags.has(*key));
    if firm || !tags.has(Key::DrawMatter) || sentence.question {
        return None;
    }
    if tags.has(Key::DrawRefuse) {
        return Some(Word::Decline);
    }
    let held = [Key::ConditionIf, Key::MoveDenied, Key::DrawThought, Key::DrawPondered];
    (tags.has(Key::DrawAgree) && !held.iter().any(|key| tags.has(*key))).then_some(Word::Accept)
}

/// `I accept.` and nothing else: an answer to the offer that stands.
fn is_bare_yes(sentence: &Sentence) -> bool {
    sentence.tags.all(Key::DrawYes).any(|range| {
        let rest = sentence.plain.len() - range.len();
        rest <= 2 && !sentence.question
    })
}

/// `A draw, Björn?`: a few words that end in a question mark, and one of them is a draw.
fn is_bare_question(sentence: &Sentence) -> bool {
    let few = sentence.plain.split(' ').filter(|w| w.chars().count() > 1).count() <= 4;
    few && sentence.question
        && !sentence.tags.has(Key::DrawAsking)
        && lexicon::list(Key::DrawSign)
            .filter_map(|(_, phrase)| phrase.strip_suffix('?'))
            .any(|word| super::phrases::has(&sentence.plain, word.trim()))
}

/// Tells whether a statement hangs on something, is denied, thought of, or another's.
fn checked(word: Word, at: usize, sentence: &Sentence) -> Result<Option<Word>, Held> {
    let held = |why, heard| Err(Held { why, heard });
    let plain = &sentence.plain;
    if sentence.tags.has(Key::DrawLinked)
        || ["both", "all my", "every", "beide"].iter().any(|w| super::phrases::has(plain, w))
    {
        return held("it is tied to something else", true);
    }
    if word == Word::Accept && sentence.tags.has(Key::DrawPondered) {
        return held("it is only thought of", true);
    }
    let polite = sentence.tags.has(Key::ConditionPolite);
    let hangs =
        sentence.tags.all(Key::ConditionIf).any(|r| !(r.start >= at && word == Word::Claim));
    if hangs && !polite {
        return held("it hangs on a condition", word != Word::Claim);
    }
    let thought = sentence.tags.all(Key::DrawThought).any(|range| range.start < at);
    if thought && word != Word::Decline {
        return held("it is no statement of the sender's", false);
    }
    let mixed = word == Word::Offer
        && plain
            .get(at..)
            .is_some_and(|rest| rest.contains("which i accept") || rest.contains("i accept"));
    if mixed {
        return held("it offers and accepts at once", true);
    }
    if sentence.question && word != Word::Offer {
        return held("it is a question", true);
    }
    Ok(Some(word))
}

/// Finds the game of what is said, and adds it.
fn take(word: Word, place: usize, clues: &[Clues], said: &Said<'_>, found: &mut Found) {
    let sentence = &said.sentences[place];
    let text = short(&sentence.text);
    let layers: Vec<&Clues> = clues.iter().collect();
    let played = of_the_move(place, &layers, said, found);
    let (pick, sure) = match played.map_or_else(|| game_of(word, &layers, said), Ok) {
        Ok(picked) => picked,
        Err(Missing::Nothing(why)) => {
            let reason = format!("`{text}` leaves the game open. {why}");
            if said.players.is_empty() {
                return found.reasons.push(reason);
            }
            return found.trouble(Trouble::GameUnclear, reason);
        }
        Err(Missing::Several(picks)) => {
            return ask_which(word, &picks, &text, sentence, said, found);
        }
    };
    let Some((side, member)) = &pick.sender else {
        return strangers(word, &pick, sentence, said, found);
    };
    found.player.get_or_insert_with(|| member.clone());
    let described = pick.described(said);
    let offer = said.desk.state.game(&pick.game.id()).and_then(|(_, game)| game.offer);
    if word == Word::Decline && offer != Some(side.other()) && is_wish(sentence) {
        let reason = format!("`{text}` declines no offer: none stands in {described}.");
        return found.reasons.push(reason);
    }
    let slight = is_bare_yes(sentence) || loose(sentence) == Some(word);
    if slight && offer != Some(side.other()) {
        let reason = format!("`{text}` answers no offer: none stands in {described}.");
        return found.reasons.push(reason);
    }
    let intent = intent(word, &pick.game, sentence, said);
    let reason = format!("`{text}` {} in {described}.", word.says());
    let stands = offer == Some(side.other());
    if word == Word::Accept && offer == Some(*side) {
        let reason = format!("{reason} But the offer that stands is the sender's own.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    // The players may have agreed by letters of their own: then it is his report of a draw, and the opponent may object.
    let reason = if word == Word::Accept && !stands {
        format!("{reason} The books know of no offer.")
    } else {
        reason
    };
    if sure == Confidence::Probable {
        let says = format!("{} in {described}", word.noun());
        let reason = format!("{reason} Nothing names the game; only there can that be.");
        found.add(intent.clone(), sure, reason);
        return found
            .doubt(format!("Did you mean {says}?"), vec![Choice { says, intents: vec![intent] }]);
    }
    found.add(intent, sure, reason);
}

/// Tells whether the mail withdraws from something.
fn leaves(said: &Said<'_>) -> bool {
    said.sentences.iter().any(|s| s.tags.has(Key::Withdraw) || s.plain.contains("withdraw from"))
}

/// `I do not want a draw`, `I prefer to play on`: a refusal only where there is something to refuse.
fn is_wish(sentence: &Sentence) -> bool {
    let firm = ["decl", "refus", "reject", "accept", "offer", "yet"];
    let words = sentence.tags.all(Key::DrawDecline).filter_map(|r| sentence.plain.get(r));
    let own = sentence.tags.each(Key::DrawDecline).all(|tag| tag.code == "en");
    own && words.into_iter().all(|phrase| !firm.iter().any(|word| phrase.contains(word)))
}

/// Adds what somebody says whose address is not known; nothing comes of it but a question to the director.
fn strangers(word: Word, pick: &Pick, sentence: &Sentence, said: &Said<'_>, found: &mut Found) {
    let text = short(&sentence.text);
    if said.players.is_empty() {
        let reason = format!("`{text}` {} in {}.", word.says(), pick.game.id());
        found.add(intent(word, &pick.game, sentence, said), Confidence::Unsure, reason);
        let reason = "No player is known under the sender's address.".to_owned();
        return found.trouble(Trouble::SenderUnknown, reason);
    }
    let reason = format!("`{text}`: the sender does not play in {}.", pick.game.id());
    found.trouble(Trouble::GameUnclear, reason);
}

/// Why no game was found.
enum Missing {
    Nothing(String),
    Several(Vec<Pick>),
}

/// Returns the game of the move that the mail brings, where the words of the draw name none of their own.
fn of_the_move(
    place: usize,
    layers: &[&Clues],
    said: &Said<'_>,
    found: &Found,
) -> Option<(Pick, Confidence)> {
    let mut games = found.intents.iter().filter_map(|intent| match intent {
        Intent::Move(it) => Some(&it.game),
        _ => None,
    });
    let (game, None) = (games.next()?, games.next()) else { return None };
    let own = Clues::of(&said.sentences[place].text, said);
    if said.own_subject && place == 0 || blocks::names(&own, said) || !own.sections.is_empty() {
        let field = game::field(layers, said).ok()?;
        if field.picks.iter().all(|pick| pick.game != *game) {
            return None;
        }
    }
    let section = said.desk.state.sections.get(&game.section)?;
    let own = said.own_seats(section);
    let sender = [(Side::White, game.white), (Side::Black, game.black)]
        .into_iter()
        .find(|(_, seat)| own.contains(seat))
        .and_then(|(side, seat)| Some((side, said.desk.state.member_at(section, seat)?.clone())));
    Some((
        Pick { game: game.clone(), sender, order: Vec::new(), guessed: false },
        Confidence::Certain,
    ))
}

/// Finds the game by the clues, else the only one in which it can be said.
fn game_of(word: Word, layers: &[&Clues], said: &Said<'_>) -> Result<(Pick, Confidence), Missing> {
    let field = game::field(layers, said).map_err(|problem| match problem {
        game::Problem::NoSuchSection(code) => {
            Missing::Nothing(format!("The books have no section {code}."))
        }
        game::Problem::Unclear(why) => Missing::Nothing(why),
    })?;
    let named = field.by >= game::By::Thread;
    let state = said.desk.state;
    let open = |pick: &&Pick| {
        let game = state.game(&pick.game.id()).map(|(_, game)| game);
        game.is_some_and(|game| game.outcome().is_none())
    };
    if let (true, [only]) = (named, &field.picks[..]) {
        return Ok((only.clone(), Confidence::Certain));
    }
    let running: Vec<&Pick> =
        field.picks.iter().filter(open).filter(|p| p.sender.is_some()).collect();
    let offered = |pick: &&&Pick| {
        let offer = state.game(&pick.game.id()).and_then(|(_, game)| game.offer);
        pick.sender.as_ref().is_some_and(|(side, _)| offer == Some(side.other()))
    };
    let answers = matches!(word, Word::Accept | Word::Decline);
    let fitting: Vec<&Pick> =
        if answers { running.iter().filter(offered).copied().collect() } else { running.clone() };
    match &fitting[..] {
        [] if running.is_empty() || answers => {
            Err(Missing::Nothing("No game of the sender fits what is said.".to_owned()))
        }
        [only] if named || running.len() == 1 => Ok(((*only).clone(), Confidence::Certain)),
        [only] => Ok(((*only).clone(), Confidence::Probable)),
        several => Err(Missing::Several(several.iter().map(|pick| (*pick).clone()).collect())),
    }
}

/// Asks in which of several games it was meant.
fn ask_which(
    word: Word,
    picks: &[Pick],
    text: &str,
    sentence: &Sentence,
    said: &Said<'_>,
    found: &mut Found,
) {
    let names: Vec<String> = picks.iter().map(|pick| pick.described(said)).collect();
    let reason = format!("`{text}` {} and names no game: {}.", word.says(), names.join(", "));
    if picks.len() > OPTIONS {
        return found.trouble(Trouble::GameUnclear, reason);
    }
    found.reasons.push(reason);
    found.undecided = true;
    let options = picks.iter().map(|pick| Choice {
        says: format!("{} in {}", word.noun(), pick.described(said)),
        intents: vec![intent(word, &pick.game, sentence, said)],
    });
    found.doubt(format!("In which game did you mean `{text}`?"), options.collect());
}

fn intent(word: Word, game: &Game, sentence: &Sentence, said: &Said<'_>) -> Intent {
    let game = game.clone();
    match word {
        Word::Offer => Intent::DrawOffer { game },
        Word::Accept => Intent::DrawAccept { game },
        Word::Decline => Intent::DrawDecline { game },
        Word::Claim => Intent::DrawClaim { game, ground: ground(sentence, said) },
    }
}

/// Returns why a draw is claimed: by the sentence, else by another of the mail.
fn ground(sentence: &Sentence, said: &Said<'_>) -> DrawGround {
    let of = |s: &Sentence| {
        let grounds = [
            (Key::DrawFifty, DrawGround::FiftyMoves),
            (Key::DrawRepetition, DrawGround::Repetition),
            (Key::DrawMaterial, DrawGround::Material),
        ];
        grounds.into_iter().find(|(key, _)| s.tags.has(*key)).map(|(_, ground)| ground)
    };
    of(sentence).or_else(|| said.sentences.iter().find_map(of)).unwrap_or(DrawGround::Unsaid)
}

impl Word {
    const fn says(self) -> &'static str {
        match self {
            Self::Offer => "offers a draw",
            Self::Accept => "accepts a draw",
            Self::Decline => "declines a draw",
            Self::Claim => "claims a draw",
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Offer => "a draw offer",
            Self::Accept => "that you accept the draw",
            Self::Decline => "that you decline the draw",
            Self::Claim => "a draw claim",
        }
    }
}

/// A mail that accepts a draw and plays on, or offers and accepts one, says two things of one game.
fn contradictions(found: &mut Found) {
    let accepted: Vec<&Game> = found
        .intents
        .iter()
        .filter_map(|intent| match intent {
            Intent::DrawAccept { game } => Some(game),
            _ => None,
        })
        .collect();
    let other = found.intents.iter().find(|intent| {
        !matches!(intent, Intent::DrawAccept { .. } | Intent::Result { .. })
            && intent.game().is_some_and(|game| accepted.contains(&game))
    });
    if let Some(game) = other.and_then(Intent::game).map(Game::id) {
        let reason = format!("It accepts a draw in {game} and says something else of that game.");
        found.trouble(Trouble::ForDirector, reason);
    }
}
