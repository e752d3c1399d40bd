//! Rule 1: who may play. Residence is data; what is unknown is never refused but put to the director.

use crate::domain::{docket::ItemKind, player::Player, refusal::Refusal, tournament::Eligibility};
use chrono::NaiveDate;

/// Whether somebody may play.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Eligible,
    /// The director decides; the sentence is for his evidence.
    Doubtful(ItemKind, String),
    /// No.
    Refused(Refusal),
}

/// Judges a player on a day; `None` is somebody whom the roster does not have (Rule 1).
pub fn judge(terms: &Eligibility, player: Option<&Player>, on: NaiveDate) -> Verdict {
    let Some(player) = player else {
        let why = "The roster does not have this member.".to_owned();
        return Verdict::Doubtful(ItemKind::MemberUnknown, why);
    };
    match residence(terms, player) {
        Verdict::Eligible => membership(player, on),
        other => other,
    }
}

fn residence(terms: &Eligibility, player: &Player) -> Verdict {
    let state = upper(player.state.as_deref());
    let country = upper(player.country.as_deref());
    if terms.countries.is_empty() || terms.states_anywhere.contains(&state) {
        return Verdict::Eligible;
    }
    if !is_country(&country) {
        let given = if country.is_empty() { "no country" } else { "an unknown country" };
        let why = format!("The roster has {given} for {} ({country:?}).", player.name);
        return Verdict::Doubtful(ItemKind::ResidenceUnknown, why);
    }
    if !terms.countries.contains(&country) {
        return Verdict::Refused(Refusal::ResidenceExcluded { place: country });
    }
    if terms.states_excluded.contains(&state) {
        return Verdict::Refused(Refusal::ResidenceExcluded { place: state });
    }
    Verdict::Eligible
}

fn membership(player: &Player, on: NaiveDate) -> Verdict {
    match player.expires {
        Some(expires) if expires < on => {
            let why = format!("The membership of {} lapsed on {expires}.", player.name);
            Verdict::Doubtful(ItemKind::MembershipLapsed, why)
        }
        _ => Verdict::Eligible,
    }
}

fn upper(text: Option<&str>) -> String {
    text.unwrap_or_default().trim().to_ascii_uppercase()
}

fn is_country(code: &str) -> bool {
    COUNTRIES.split(' ').any(|country| country == code)
}

/// The countries there are: ISO 3166-1 alpha-2, and Kosovo, which goes by XK.
const COUNTRIES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ \
    BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR \
    CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR \
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU \
    ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ \
    LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ \
    MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF \
    PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI \
    SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR \
    TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK";

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> Eligibility {
        let codes = |text: &str| text.split(' ').map(str::to_owned).collect();
        Eligibility {
            countries: codes("US CA MX BM"),
            states_anywhere: codes("AA AE AP"),
            states_excluded: codes("GU AS MP"),
            membership_reminder_days: vec![60, 30, 7],
        }
    }

    #[test]
    fn rule_1_residence_decides_and_the_unknown_is_asked_about() {
        let refused =
            |place: &str| Verdict::Refused(Refusal::ResidenceExcluded { place: place.to_owned() });
        let cases = [
            (Some("US"), Some("IL"), Some(Verdict::Eligible)),
            (Some("us"), Some("hi"), Some(Verdict::Eligible)),
            (Some("CA"), None, Some(Verdict::Eligible)),
            (Some("US"), Some("AE"), Some(Verdict::Eligible)),
            (Some("DE"), Some("AE"), Some(Verdict::Eligible)),
            (None, Some("AP"), Some(Verdict::Eligible)),
            (Some("US"), Some("GU"), Some(refused("GU"))),
            (Some("DE"), None, Some(refused("DE"))),
            (None, None, None),
            (Some(""), Some("TX"), None),
            (Some("XX"), None, None),
            (Some("Narnia"), None, None),
        ];
        for (country, state, expected) in cases {
            let player = Player {
                country: country.map(str::to_owned),
                state: state.map(str::to_owned),
                ..Player::default()
            };
            let verdict = judge(&terms(), Some(&player), NaiveDate::MIN);
            match expected {
                Some(expected) => assert_eq!(verdict, expected, "{country:?} {state:?}"),
                None => assert!(
                    matches!(verdict, Verdict::Doubtful(ItemKind::ResidenceUnknown, _)),
                    "{country:?} {state:?} gave {verdict:?}"
                ),
            }
        }
    }

    #[test]
    fn rule_1_a_lapsed_membership_and_a_stranger_are_asked_about() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let player = Player {
            country: Some("US".to_owned()),
            expires: Some(day("2019-05-31")),
            ..Player::default()
        };
        assert_eq!(judge(&terms(), Some(&player), day("2019-05-31")), Verdict::Eligible);
        let late = judge(&terms(), Some(&player), day("2019-06-01"));
        assert!(matches!(late, Verdict::Doubtful(ItemKind::MembershipLapsed, _)));
        let stranger = judge(&terms(), None, day("2019-06-01"));
        assert!(matches!(stranger, Verdict::Doubtful(ItemKind::MemberUnknown, _)));
    }
}
