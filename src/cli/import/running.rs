//! Adopting what runs already: sections and results from the director's lists.

use super::rows::{DATE, Row, Sheet, Trouble, given_entry, known_player};
use crate::{
    cli::home::Home,
    domain::{
        command::{AdoptedSection, Command},
        ids::{EntryId, GameId, MemberId, Seat, SectionCode, TournamentId},
        points::{How, Outcome, Score},
        progress,
        rules::adoption,
        section::Section,
        state::State,
        tournament::Rules,
    },
};
use chrono::NaiveDate;
use std::collections::BTreeMap;

/// A section as the rows tell it: its start, and who sits at each seat.
struct Told<'a> {
    first: &'a Row,
    event: TournamentId,
    round: usize,
    start: NaiveDate,
    seats: BTreeMap<u8, (Option<EntryId>, MemberId)>,
}

pub(super) fn sections(
    sheet: &Sheet,
    state: &State,
    home: &Home,
    trouble: &mut Trouble,
) -> Vec<Command> {
    let mut told: BTreeMap<SectionCode, Told<'_>> = BTreeMap::new();
    for row in &sheet.rows {
        take_row(sheet, row, state, &home.config.rules, &mut told, trouble);
    }
    let mut commands = Vec::new();
    for (section, told) in told {
        if let Some(known) = state.sections.get(&section) {
            compare(sheet, state, known, &told, trouble);
            continue;
        }
        let last = told.seats.keys().last().copied().unwrap_or(0);
        if usize::from(last) != told.seats.len() || last < 2 {
            let why = format!("{section} must have the seats from 1 on, without a gap");
            sheet.blame(trouble, told.first, "seat", &why);
        }
        warn(&home.config.rules, state, &section, &told);
        let Told { event, round, start, seats, .. } = told;
        let seats = seats.into_values().collect();
        commands.push(Command::AdoptSection(AdoptedSection {
            section,
            event,
            round,
            start,
            seats,
        }));
    }
    commands
}

/// What a director once did is taken as he did it, and said: a section that is not full, an entry that had not the
/// points for the round (Rules 2 and 3).
fn warn(rules: &Rules, state: &State, section: &SectionCode, told: &Told<'_>) {
    let Some(tournament) = rules.tournaments.get(&told.event) else { return };
    let full = tournament.rounds.get(told.round).map_or(0, |round| usize::from(round.size));
    if told.seats.len() != full {
        let seats = told.seats.len();
        eprintln!("warning: {section}: taken over with {seats} seats, a full one has {full}");
    }
    let Some(before) = told.round.checked_sub(1) else { return };
    let Some(round) = tournament.rounds.get(before) else { return };
    let least = [round.advance, round.otherwise, round.fill].into_iter().flatten().min();
    for (entry, member) in told.seats.values() {
        let known = match entry {
            Some(entry) => state.entries.get(entry),
            None => match adoption::candidates(state, &told.event, told.round, member)[..] {
                [only] => Some(only),
                _ => None,
            },
        };
        let score = known.and_then(|entry| progress::score(state, entry, before));
        if let (Some(entry), Some(score)) = (known, score)
            && score.complete
            && Some(score.points) < least
        {
            let (id, points) = (&entry.id, score.points);
            eprintln!("warning: {section}: {id} is taken over with {points} in the round before");
        }
    }
}

fn take_row<'a>(
    sheet: &Sheet,
    row: &'a Row,
    state: &State,
    rules: &Rules,
    told: &mut BTreeMap<SectionCode, Told<'a>>,
    trouble: &mut Trouble,
) {
    let code = code(sheet, row, trouble);
    let seat: Option<u8> = sheet.need(trouble, row, "seat", "a seat's number");
    let start: Option<NaiveDate> = sheet.need(trouble, row, "start", DATE);
    let player = known_player(sheet, state, row, trouble);
    let (Some(code), Some(seat), Some(start), Some(player)) = (code, seat, start, player) else {
        return;
    };
    let Some((event, round)) = round_of(rules, &code, sheet.text(row, "round")) else {
        let why = format!("no tournament has this round with sections such as {code}");
        return sheet.blame(trouble, row, "round", &why);
    };
    let entry = given_entry(sheet, row, &event);
    if let Some(known) = entry.as_ref().and_then(|id| state.entries.get(id)) {
        let sits = known.sections.iter().any(|s| {
            *s != code && state.sections.get(s).is_some_and(|section| section.round == round)
        });
        if known.member != player.member {
            let why = format!("the books have {} for member {}", known.id, known.member);
            sheet.blame(trouble, row, "entry", &why);
        } else if sits {
            let why = format!("{} sits in another section of this round", known.id);
            sheet.blame(trouble, row, "entry", &why);
        }
    }
    if entry.is_none() && round > 0 && !state.sections.contains_key(&code) {
        blame_ambiguous(sheet, row, state, (&event, round), &player.member, trouble);
    }
    let told = told.entry(code).or_insert_with(|| Told {
        first: row,
        event,
        round,
        start,
        seats: BTreeMap::new(),
    });
    if told.start != start {
        sheet.blame(trouble, row, "start", &format!("another row of it says {}", told.start));
    }
    if told.seats.values().any(|(_, member)| member == &player.member) {
        sheet.blame(trouble, row, "member_id", "one person cannot sit twice in a section (Rule 2)");
    }
    if told.seats.insert(seat, (entry, player.member.clone())).is_some() {
        sheet.blame(trouble, row, "seat", &format!("seat {seat} is taken by another row"));
    }
}

/// A later round's entry is known by its member alone where that leaves no choice.
fn blame_ambiguous(
    sheet: &Sheet,
    row: &Row,
    state: &State,
    (event, round): (&TournamentId, usize),
    member: &MemberId,
    trouble: &mut Trouble,
) {
    let meant = adoption::candidates(state, event, round, member);
    if meant.len() > 1 {
        let ids: Vec<&str> = meant.iter().map(|entry| entry.id.0.as_str()).collect();
        let why = format!("member {member} has {} in this round; say which", ids.join(" and "));
        sheet.blame(trouble, row, "entry", &why);
    }
}

fn code(sheet: &Sheet, row: &Row, trouble: &mut Trouble) -> Option<SectionCode> {
    let code = SectionCode::read(sheet.text(row, "section"));
    if code.is_none() {
        let why = format!("`{}` is no section code such as 19N04", sheet.text(row, "section"));
        sheet.blame(trouble, row, "section", &why);
    }
    code
}

/// Finds the tournament and round of a section: by its code, and by the round's name or number.
fn round_of(rules: &Rules, code: &SectionCode, round: &str) -> Option<(TournamentId, usize)> {
    let number: Option<usize> = round.parse().ok();
    rules.tournaments.values().find_map(|tournament| {
        let named = |(n, r): &(usize, &crate::domain::tournament::Round)| {
            let wanted =
                round.is_empty() || number == Some(n + 1) || r.name.eq_ignore_ascii_case(round);
            let digits = code.0.strip_prefix(&r.code);
            wanted && digits.is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()))
        };
        let (n, _) = tournament.rounds.iter().enumerate().find(named)?;
        Some((tournament.id.clone(), n))
    })
}

/// The same section again changes nothing; another one under its code is refused.
fn compare(sheet: &Sheet, state: &State, known: &Section, told: &Told<'_>, trouble: &mut Trouble) {
    let members: Vec<Option<&MemberId>> =
        known.each_seat().map(|(seat, _)| state.member_at(known, seat)).collect();
    let again: Vec<Option<&MemberId>> = told.seats.values().map(|(_, m)| Some(m)).collect();
    if members != again || known.start != told.start {
        let why = format!("the books have {} with other seats or another start", known.code);
        sheet.blame(trouble, told.first, "section", &why);
    }
}

pub(super) fn results(sheet: &Sheet, state: &State, trouble: &mut Trouble) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut told = BTreeMap::new();
    for row in &sheet.rows {
        let code = code(sheet, row, trouble);
        let white: Option<u8> = sheet.need(trouble, row, "white_seat", "a seat's number");
        let black: Option<u8> = sheet.need(trouble, row, "black_seat", "a seat's number");
        let right = "1-0, 0-1, 1/2-1/2 or 0-0";
        let result: Option<Score> = sheet.need(trouble, row, "result", right);
        let how: Option<How> = sheet.need(trouble, row, "how", "mate, resignation, played …");
        let on: Option<NaiveDate> = sheet.need(trouble, row, "date", DATE);
        let parts = (code, white, black, result, how, on);
        let (Some(section), Some(w), Some(b), Some(result), Some(how), Some(on)) = parts else {
            continue;
        };
        let game = GameId { section, white: Seat(w), black: Seat(b) };
        let outcome = Outcome { result, how };
        if !outcome.is_possible() {
            let why = format!("{result} does not come about by {}", how.words());
            sheet.blame(trouble, row, "how", &why);
            continue;
        }
        // Where two play twice, with the colours changed, White's seat tells which of their games is meant.
        let twice = |section: &Section| section.games_between(Seat(w), Seat(b)).count() > 1;
        let pair = if state.sections.get(&game.section).is_some_and(twice) {
            (w, b)
        } else {
            (w.min(b), w.max(b))
        };
        let key = (game.section.clone(), pair);
        match told.insert(key, (row.line(), outcome, w)) {
            Some((line, before, white)) if (before, white) != (outcome, w) => {
                let why = format!("line {line} has another result of this game");
                sheet.blame(trouble, row, "result", &why);
                continue;
            }
            _ => {}
        }
        match state.game(&game).map(|(_, known)| known.settled()) {
            None if adoption::reversible(state, &game).is_some() => {
                eprintln!(
                    "warning: {game}: taken over with these colours, the table has them reversed"
                );
                commands.push(Command::AdoptResult { game, outcome, on });
            }
            None => blame_game(sheet, row, state, &game, trouble),
            Some(Some(stands)) if stands != outcome => {
                let (result, how) = (stands.result, stands.how);
                let why = format!("the books have {result} by {how}; `direct result` overrules");
                sheet.blame(trouble, row, "result", &why);
            }
            Some(_) => commands.push(Command::AdoptResult { game, outcome, on }),
        }
    }
    commands
}

/// Says which part of a game's name is wrong.
fn blame_game(sheet: &Sheet, row: &Row, state: &State, game: &GameId, trouble: &mut Trouble) {
    let GameId { section: code, white, black } = game;
    let Some(section) = state.sections.get(code) else {
        let why = format!("there is no section {code} in the books; import sections first");
        return sheet.blame(trouble, row, "section", &why);
    };
    let seats = section.seats.len();
    for (column, seat) in [("white_seat", *white), ("black_seat", *black)] {
        if section.seated(seat).is_none() {
            let why = format!("there is no seat {seat} in {code}; it has {seats}");
            return sheet.blame(trouble, row, column, &why);
        }
    }
    let why = if white == black {
        "nobody plays himself".to_owned()
    } else {
        format!("there is no game {game} in the books; White's seat stands first")
    };
    sheet.blame(trouble, row, "black_seat", &why);
}
