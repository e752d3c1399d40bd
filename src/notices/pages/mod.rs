//! Pages: what is printed on paper, as PDF. A page is an SVG, text and all: a certificate is `templates/certificate.svg`
//! filled with values, a letter on paper is laid out line by line (`sheet.rs`). The fonts are the program's own and
//! those of the home (`fonts.rs`), never the system's, so that the same page is the same bytes on every machine.
//!
//! This folder is the only door to usvg, krilla and ttf-parser. A character that no font has is never printed as an
//! empty box: a page that has one is not made, and the error names it.

pub mod fonts;
pub mod pdf;
pub mod sheet;

use serde::Serialize;

/// The paper of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Paper {
    /// 210 by 297 millimetres: the whole world but a part of America.
    #[default]
    A4,
    /// 8 1/2 by 11 inches.
    Letter,
}

/// A paper's measures upright: in points for laying out, and as an SVG says them exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures {
    /// Width in points.
    pub width: u32,
    /// Height in points.
    pub height: u32,
    /// Width with its unit.
    pub exact_width: &'static str,
    /// Height with its unit.
    pub exact_height: &'static str,
}

/// Countries where office paper is Letter: North America with Central America to Panama, and the islands that buy
/// theirs from the United States.
const LETTER: [&str; 18] = [
    "US", "CA", "MX", "GT", "BZ", "SV", "HN", "NI", "CR", "PA", "PR", "VI", "DO", "BS", "BM", "KY",
    "TC", "AS",
];

impl Paper {
    /// Returns the paper that is used in a country (ISO 3166-1 alpha-2); A4 where it is not known.
    pub fn of_country(country: Option<&str>) -> Self {
        let letter =
            country.is_some_and(|c| LETTER.iter().any(|l| l.eq_ignore_ascii_case(c.trim())));
        if letter { Self::Letter } else { Self::A4 }
    }

    /// Returns the paper that [`Paper::text`] named; A4 for any other word.
    pub fn named(text: &str) -> Self {
        if text.trim().eq_ignore_ascii_case("letter") { Self::Letter } else { Self::A4 }
    }

    /// Returns its name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "Letter",
        }
    }

    /// Returns its measures.
    pub const fn measures(self) -> Measures {
        match self {
            Self::A4 => {
                Measures { width: 595, height: 842, exact_width: "210mm", exact_height: "297mm" }
            }
            Self::Letter => {
                Measures { width: 612, height: 792, exact_width: "8.5in", exact_height: "11in" }
            }
        }
    }
}
