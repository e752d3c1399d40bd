//! The files that `init` lays out, compiled in. They are the tested defaults, and what a hint takes its examples from.

/// The shipped `knightmail.toml`.
pub const SERVICE: &str = include_str!("../../config/knightmail.toml");

/// A tournament that is shipped.
pub struct Event {
    /// The stem of its file's name.
    pub stem: &'static str,
    /// Its id.
    pub id: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($stem:literal $id:literal,)*) => {
        /// All tournaments that are shipped, the default one first.
        pub const EVENTS: &[Event] = &[$(Event {
            stem: $stem,
            id: $id,
            text: include_str!(concat!("../../config/events/", $stem, ".toml")),
        },)*];

        /// Every shipped file: its path, as seen from the home, and its text.
        pub const FILES: &[(&str, &str)] = &[
            (super::service::FILE, SERVICE),
            $((
                concat!("events/", $stem, ".toml"),
                include_str!(concat!("../../config/events/", $stem, ".toml")),
            ),)*
        ];
    };
}

shipped! {
    "golden-knights-2019" "GK2019",
    "electronic-knights-2019" "EK2019",
    "class-quads" "CQ2020",
    "absolute-2020" "AB2020",
    "palciauskas-2019" "VP2019",
}

/// Returns a shipped tournament by its id or the stem of its file's name.
pub fn event(name: &str) -> Option<&'static Event> {
    EVENTS.iter().find(|e| e.stem == name || e.id.eq_ignore_ascii_case(name))
}

/// The shipped Golden Knights, complete for every rule.
pub const TOURNAMENT: &str = include_str!("../../config/events/golden-knights-2019.toml");

/// The file of [`TOURNAMENT`], as seen from the home.
pub const TOURNAMENT_FILE: &str = "events/golden-knights-2019.toml";
