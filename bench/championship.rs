//! P6: whole championships by made-up players, in memory, every day ticked, every checker run; of several sizes, so that
//! one sees how it grows.

use crate::measure;
use knightmail::{
    config::Config,
    notices::render::Templates,
    simulate::{self, Played, Settings, Venue},
};
use std::time::Duration;

/// Plays championships of an eighth, a quarter, a half and the whole of so many entries.
pub(crate) fn run(entries: usize) {
    let config = Config::shipped();
    let venue = Venue {
        house: config.house,
        rules: config.rules,
        jobs: config.service.jobs,
        templates: Templates::shipped(),
        caps: config.service.caps,
        undo: chrono::Duration::minutes(30),
    };
    let mut sizes: Vec<(usize, Duration)> = Vec::new();
    for entries in [entries / 8, entries / 4, entries / 2, entries] {
        let settings = Settings { entries, ..Settings::default() };
        let tournament = venue.rules.tournaments.values().next().expect("one is shipped");
        let (time, played) =
            measure::timed(|| simulate::play(&venue, tournament, &settings, |_| ()));
        let Played { summary, violations, .. } = played;
        assert_eq!(violations, [], "nothing is wrong");
        let games: usize = summary.games.values().sum();
        let (days, lines) = (summary.days, summary.transactions);
        let each = time / u32::try_from(games.max(1)).expect("few games");
        println!(
            "championship: {entries} entries, {games} games, {days} days, {lines} transactions in {time:.2?}, \
             {each:.2?} a game"
        );
        sizes.push((games.max(1), time));
    }
    println!(
        "championship: time grows with the games with exponent {:.2}",
        measure::exponent(&sizes)
    );
}
