//! What a comment says of a draw or a resignation: `{White offers a draw}`, `{Black resigns}`, `{Draw agreed}`, as cmail,
//! SCID and people write it. Only what cannot mean anything else counts; a comment that weighs or denies says nothing.

use super::Side;

/// Words of a comment that weighs something or denies it.
#[rustfmt::skip]
const HEDGES: [&str; 44] = [
    "if", "when", "unless", "would", "could", "should", "might", "may", "must", "can", "cannot", "not", "no", "never",
    "after", "before", "or", "else", "otherwise", "threat", "threatens", "declined", "declines", "decline", "refused",
    "refuses", "considered", "consider", "thought", "think", "almost", "perhaps", "maybe", "wenn", "falls", "nicht",
    "kein", "abgelehnt", "lehnt", "si", "se", "pas", "refuse", "without",
];
#[rustfmt::skip]
const OFFERS: [&str; 20] = [
    "offers a draw", "offers draw", "offer a draw", "offering a draw", "offered a draw", "draw offered", "draw offer",
    "proposes a draw", "propose a draw", "draw?", "remis?", "bietet remis", "biete remis", "remis angeboten",
    "propose nulle", "propose la nulle", "nulle?", "ofrece tablas", "propone patta", "предлагает ничью",
];
#[rustfmt::skip]
const AGREES: [&str; 16] = [
    "draw agreed", "agreed draw", "agreed a draw", "agree to a draw", "draw by agreement", "drawn by agreement",
    "draw by mutual agreement", "drawn by mutual agreement", "draw accepted", "accepts the draw", "accepts a draw",
    "remis vereinbart", "einigten sich auf remis", "nulle par accord", "tablas de común acuerdo", "patta d'accordo",
];
#[rustfmt::skip]
const RESIGNS: [&str; 12] = [
    "resigns", "resigned", "has resigned", "gives up", "gave up", "gibt auf", "gab auf", "abandonne", "abandona",
    "abbandona", "сдаются", "сдались",
];
#[rustfmt::skip]
const SIDES: [(&str, Side); 16] = [
    ("white", Side::White), ("black", Side::Black), ("weiß", Side::White), ("weiss", Side::White),
    ("schwarz", Side::Black), ("les blancs", Side::White), ("blancs", Side::White), ("les noirs", Side::Black),
    ("noirs", Side::Black), ("blancas", Side::White), ("negras", Side::Black), ("il bianco", Side::White),
    ("bianco", Side::White), ("il nero", Side::Black), ("nero", Side::Black), ("белые", Side::White),
];

/// Tells whether a comment offers a draw.
pub(super) fn offers(comment: &str) -> bool {
    says(comment, &OFFERS) && !comment.to_lowercase().contains("accept")
}

/// Tells whether a comment says that a draw was agreed.
pub(super) fn agrees(comment: &str) -> bool {
    says(comment, &AGREES)
}

/// Returns the side that a comment says to have resigned: its first clause says that and nothing else.
pub(super) fn resigns(comment: &str) -> Option<Side> {
    let text = plain(comment)?;
    let first = text.split(['.', ',', ';', '!', ':']).next()?.trim();
    let (side, rest) =
        SIDES.iter().find_map(|(name, side)| Some((*side, first.strip_prefix(name)?)))?;
    RESIGNS.contains(&rest.trim()).then_some(side)
}

fn says(comment: &str, phrases: &[&str]) -> bool {
    plain(comment).is_some_and(|text| phrases.iter().any(|phrase| text.contains(phrase)))
}

/// Returns a comment in lower case, or nothing where it weighs something, denies it, or tells a story.
fn plain(comment: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let text = Some(comment).filter(|c| c.len() <= LONGEST)?.to_lowercase();
    let hedged = text.split(|c: char| !c.is_alphanumeric()).any(|word| HEDGES.contains(&word));
    (!hedged && !text.contains("n't")).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resignation_is_one_that_says_nothing_else() {
        for (text, side) in [
            ("White resigns", Some(Side::White)),
            ("Black resigns, thank you for the game", Some(Side::Black)),
            ("Schwarz gibt auf.", Some(Side::Black)),
            ("resigns", None),
            ("I resign", None),
            ("White resigns if Rxh7", None),
            ("White should have resigned", None),
            ("if Rxh7, Black resigns", None),
            ("Black resigns himself to passive defence", None),
            ("Black resigns?", None),
            ("Black never resigns", None),
        ] {
            assert_eq!(resigns(text), side, "{text}");
        }
    }

    #[test]
    fn an_offer_is_none_when_it_is_denied() {
        assert!(offers("White offers a draw") && offers("draw?") && offers("Remis?"));
        assert!(!offers("White declines the draw offer") && !offers("a draw is near"));
        assert!(!offers("no draw offer, please") && !offers("I didn't offer a draw"));
        assert!(!offers("the draw offered by Black is accepted"));
        assert!(agrees("Draw agreed") && !agrees("draw not agreed"));
    }
}
