//! Where the rules are silent or can be read in two ways: how a tournament reads them, each choice a word in its file.
//! Most questions have one answer so far. The word still stands in the file, so that a director sees what was decided
//! for him; another answer is another variant here and a branch in `rules/`.

use serde::Deserialize;

/// The readings of a tournament. What the file leaves out is read as the default says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Readings {
    /// Rule 1: what happens on the day a player's membership lapses.
    pub membership_lapse: MembershipLapse,
    /// Rule 2: who of the waiting is seated first.
    pub seated_first: SeatedFirst,
    /// Rule 2: how often a later entry may be seated before one, for a constraint's sake.
    pub passed_over: PassedOver,
    /// Rule 3: where nobody must have reached the points that advance.
    pub nobody: Nobody,
    /// Rule 3: when it is proposed to fill up the last section of the next round.
    pub fill_proposed: FillProposed,
    /// Rule 3: who breaks a tie in rating among those who may fill up.
    pub fill_tie: Decider,
    /// Rule 4: for whom there is a gift certificate.
    pub gift_certificates: GiftCertificates,
    /// Rule 5: what becomes of the prize of an entry without a right to it.
    pub without_right: WithoutRight,
    /// Rule 5: who gives the title that such an entry would have had.
    pub title_passed_over: Decider,
    /// Rule 6: how shares are brought to whole cents.
    pub cents: Cents,
    /// Rule 9: by what a person's entries are counted.
    pub entries_counted: EntriesCounted,
    /// Rule 9: who decides about an entry that is too late for its number while the tournament is open.
    pub late_for_number: LateForNumber,
    /// Rule 10: which day is "day 20".
    pub complaint_day: ComplaintDay,
    /// Rule 10: which day chooses the rule set.
    pub rule_set: RuleSet,
}

macro_rules! reading {
    ($(#[$doc:meta])* $name:ident { $(#[$only_doc:meta])* $only:ident }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $(#[$only_doc])*
            #[default]
            $only,
        }
    };
}

reading! {
    /// What happens on the day a player's membership lapses (Rule 1).
    MembershipLapse {
        /// A notice, and a question to the director. No forfeit.
        Docket
    }
}
/// Who of the waiting is seated first (Rule 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatedFirst {
    /// The earliest postmark, then the earliest arrival.
    #[default]
    EarliestPostmark,
    /// The highest rating of all who entered: an invitation. Nobody is seated before entries are closed.
    HighestRating,
}

reading! {
    /// How often a later entry may be seated before one (Rule 2).
    PassedOver {
        /// Once.
        Once
    }
}
reading! {
    /// Where nobody must have reached the points that advance (Rule 3).
    Nobody {
        /// In the section, whatever happened in the others.
        InSection
    }
}
reading! {
    /// When filling up is proposed (Rule 3).
    FillProposed {
        /// When every section of the round before is complete.
        RoundComplete
    }
}
reading! {
    /// Who decides.
    Decider {
        /// The director (Rule 7).
        Director
    }
}
reading! {
    /// For whom there is a gift certificate (Rule 4).
    GiftCertificates {
        /// For each entry.
        PerEntry
    }
}
reading! {
    /// What becomes of the prize of an entry without a right to it (Rule 5).
    WithoutRight {
        /// It keeps its place in the standings, and the next one has the prize.
        PassedOver
    }
}
reading! {
    /// How shares are brought to whole cents (Rule 6).
    Cents {
        /// Down; what is left over is reported to the director.
        RoundedDown
    }
}
reading! {
    /// By what a person's entries are counted (Rule 9).
    EntriesCounted {
        /// By postmark, then arrival.
        ByPostmark
    }
}
reading! {
    /// What becomes of an entry that is too late for its number while the tournament is open (Rule 9).
    LateForNumber {
        /// The director decides.
        Docket
    }
}
reading! {
    /// Which day is "day 20" (Rule 10).
    ComplaintDay {
        /// The day of sending and so many days; that day and every later one.
        SentPlusDays
    }
}
reading! {
    /// Which day chooses the rule set (Rule 10).
    RuleSet {
        /// The day of the act.
        DayOfAct
    }
}
