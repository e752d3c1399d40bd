//! What the certificate for framing may print (Rule 4): who, for what, when, and the measures of the paper it lies on.

use super::{event, member_name, words};
use crate::{
    domain::{
        ids::{EntryId, SectionCode, TournamentId},
        points::Points,
        progress,
    },
    notices::{
        Desk,
        pages::{Measures, Paper},
        table,
    },
};
use serde::Serialize;

/// A certificate.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// The player's name as it is spoken.
    pub name: String,
    /// The number of the entry.
    pub entry: String,
    /// The tournament's id: `GK2019`.
    pub event: String,
    /// The tournament's full name.
    pub event_name: String,
    /// The round that the entry reached, in words.
    pub round: String,
    /// The section it played in; null where its score was carried over.
    pub section: Option<String>,
    /// Its points there.
    pub points: String,
    /// The points that a perfect score has there; null where it is not known.
    pub of: Option<String>,
    /// The day in words.
    pub date: String,
    /// The director's name.
    pub director: String,
    /// The name of the house.
    pub office: String,
    /// The name of the paper.
    pub paper: &'static str,
    /// The width of the page in points; it lies on its side.
    pub width: u32,
    /// Its height in points.
    pub height: u32,
    /// The same width as an SVG says it exactly.
    pub exact_width: &'static str,
    /// The same height as an SVG says it exactly.
    pub exact_height: &'static str,
}

/// Returns the certificate of an entry for the round that it came to last; none where it has not played.
pub fn of_entry(id: &EntryId, desk: &Desk<'_>) -> Option<Certificate> {
    let entry = desk.state.entries.get(id)?;
    let round = progress::reached(desk.state, entry).checked_sub(1)?;
    let score = progress::score(desk.state, entry, round)?;
    Some(certificate(id, score.section.map(|s| &s.code), score.points, desk))
}

/// Returns the view of an entry's certificate.
pub fn certificate(
    id: &EntryId,
    section: Option<&SectionCode>,
    points: Points,
    desk: &Desk<'_>,
) -> Certificate {
    let entry = desk.state.entries.get(id);
    let nowhere = TournamentId(String::new());
    let event = event(entry.map_or(&nowhere, |e| &e.tournament), desk);
    let tournament = entry.and_then(|e| desk.rules.tournaments.get(&e.tournament));
    let played = section.and_then(|code| desk.state.sections.get(code));
    let round = played
        .map(|s| s.round)
        .or_else(|| entry.and_then(|e| progress::reached(desk.state, e).checked_sub(1)));
    let round = round.zip(tournament).and_then(|(round, t)| t.rounds.get(round));
    let own = played.and_then(|s| Some(s.games_of(s.seat_of(id)?).count()));
    let games =
        round.map(|r| usize::from(r.size.saturating_sub(1)) * usize::from(r.games_per_pair));
    let games = own.or(games);
    let player = entry.and_then(|e| desk.state.players.get(&e.member));
    let paper = Paper::of_country(player.and_then(|p| p.country.as_deref()));
    let Measures { width, height, exact_width, exact_height } = paper.measures();
    Certificate {
        name: words::spoken(
            &entry.map_or_else(String::new, |e| member_name(desk.state, &e.member)),
        ),
        entry: id.0.clone(),
        event: event.id,
        event_name: event.name,
        round: round.map_or_else(|| "last round".to_owned(), |r| words::clean(&r.name)),
        section: section.map(|code| code.0.clone()),
        points: table::points(points),
        of: games.map(|games| games.to_string()),
        date: words::date(desk.house.day(desk.now)),
        director: words::clean(&desk.house.director_name),
        office: words::clean(&desk.house.name),
        paper: paper.text(),
        width: height,
        height: width,
        exact_width: exact_height,
        exact_height: exact_width,
    }
}

impl Certificate {
    /// Returns the title of the file.
    pub fn title(&self) -> String {
        format!("{}: certificate of merit for {}", self.event_name, self.name)
    }
}
