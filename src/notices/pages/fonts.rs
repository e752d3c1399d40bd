//! The fonts of the pages: those of the program (`fonts/README.md` says which and why), and what a director has put
//! into the `fonts/` of his home. They are read once and shared. A [`Ruler`] measures text with them and finds the
//! characters that none of them has.

use super::pdf::Unprintable;
use std::{
    fmt,
    sync::{Arc, LazyLock},
};
use ttf_parser::Face;
use usvg::fontdb::{Database, Source};

/// The face of all words.
pub const SERIF: &str = "Linux Libertine O";
/// The face of tables.
pub const MONO: &str = "DejaVu Sans Mono";
/// A face for what the first does not have.
const SANS: &str = "DejaVu Sans";

/// The bytes of a font file.
type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

macro_rules! shipped {
    ($($name:literal,)*) => {
        &[$(include_bytes!(concat!("../../../fonts/", $name)),)*]
    };
}

/// The files that are part of the program. What the face that is asked for does not have is taken from the first that
/// has it.
const SHIPPED: &[&[u8]] = shipped![
    "LinLibertine_R.otf",
    "LinLibertine_RI.otf",
    "LinLibertine_RB.otf",
    "DejaVuSans.ttf",
    "DejaVuSansMono.ttf",
    "wqy-microhei.ttc",
];

/// A style of writing that a [`Ruler`] measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// Upright words.
    Regular,
    /// Slanted words.
    Italic,
    /// Heavy words.
    Bold,
    /// Tables.
    Mono,
}

/// All fonts there are for pages. A copy shares them.
#[derive(Clone)]
pub struct Fonts {
    database: Arc<Database>,
    /// Every face, in the order of the database.
    faces: Arc<[Known]>,
}

/// A face: its file, its place in it, and the name of its family.
struct Known {
    file: Bytes,
    index: u32,
    family: String,
}

/// A measure with the fonts laid open.
pub struct Ruler<'a> {
    faces: Vec<(Face<'a>, &'a str)>,
}

/// Part of a line that one face has all characters of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// The face's family where it stands in for the one that was asked for.
    pub family: Option<&'a str>,
    /// The words.
    pub text: String,
}

impl Fonts {
    /// Returns the fonts of the program.
    pub fn shipped() -> Self {
        static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
            let files = SHIPPED.iter().map(|file| Arc::new(*file) as Bytes);
            Fonts::of(files.collect()).expect("the shipped fonts are tested")
        });
        FONTS.clone()
    }

    /// Returns the fonts of the program and after them those of a home: file names with their bytes.
    ///
    /// # Errors
    /// A file that is no font, by its name.
    pub fn with_own(own: Vec<(String, Vec<u8>)>) -> Result<Self, String> {
        if own.is_empty() {
            return Ok(Self::shipped());
        }
        let mut files: Vec<Bytes> = SHIPPED.iter().map(|file| Arc::new(*file) as Bytes).collect();
        for (name, bytes) in own {
            Face::parse(&bytes, 0).map_err(|_| name)?;
            files.push(Arc::new(bytes));
        }
        Self::of(files)
    }

    fn of(files: Vec<Bytes>) -> Result<Self, String> {
        let mut database = Database::new();
        let mut faces = Vec::new();
        for file in files {
            for id in database.load_font_source(Source::Binary(file.clone())) {
                let face = database.face(id).ok_or("a face is gone")?;
                let family = face.families.first().map(|(name, _)| name.clone());
                let (family, index) = (family.unwrap_or_default(), face.index);
                faces.push(Known { file: file.clone(), index, family });
            }
        }
        database.set_serif_family(SERIF);
        database.set_sans_serif_family(SANS);
        database.set_monospace_family(MONO);
        Ok(Self { database: Arc::new(database), faces: faces.into() })
    }

    /// Lays the fonts open for measuring.
    pub fn ruler(&self) -> Ruler<'_> {
        Ruler { faces: self.faces.iter().filter_map(Known::open).collect() }
    }

    /// Returns the characters of a text that no font has, each once.
    pub fn missing(&self, text: &str) -> Vec<char> {
        if text.is_ascii() {
            return Vec::new();
        }
        let ruler = self.ruler();
        let mut missing: Vec<char> = text.chars().filter(|c| !ruler.has(*c)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Makes sure that every character of a text can be printed.
    ///
    /// # Errors
    /// Those that cannot.
    pub fn prove(&self, text: &str) -> Result<(), Unprintable> {
        let missing = self.missing(text);
        if missing.is_empty() { Ok(()) } else { Err(Unprintable::Glyphs(missing)) }
    }

    pub(super) fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }
}

impl Known {
    fn open(&self) -> Option<(Face<'_>, &str)> {
        let face = Face::parse((*self.file).as_ref(), self.index).ok()?;
        Some((face, self.family.as_str()))
    }
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fonts({} faces)", self.faces.len())
    }
}

impl Ruler<'_> {
    /// Returns the width of a line in thousandths of the font's size. Kerning is left out, so that it is a little
    /// less in print.
    pub fn width(&self, text: &str, hand: Hand) -> u32 {
        text.chars().map(|c| self.advance(c, hand)).sum()
    }

    /// Returns the largest size, in tenths of a point, at which a line is no wider than so many points; at most
    /// `largest`.
    pub fn fit(&self, text: &str, hand: Hand, width: u32, largest: u32) -> u32 {
        let units = u64::from(self.width(text, hand)).max(1);
        let fits = u64::from(width) * 10 * 1000 / units;
        u32::try_from(fits).unwrap_or(u32::MAX).min(largest).max(1)
    }

    /// Tells whether a character can be printed, or is one that is not seen anyway.
    pub fn has(&self, c: char) -> bool {
        unseen(c) || self.faces.iter().any(|(face, _)| face.glyph_index(c).is_some())
    }

    /// Returns a line in parts, each of one face. What is laid out in one piece takes all its characters from one
    /// stand-in, also those that the face has itself, so a page draws the parts one by one.
    pub fn runs(&self, text: &str, hand: Hand) -> Vec<Run<'_>> {
        let own = hand.face();
        let mut runs: Vec<(usize, String)> = Vec::new();
        for c in text.chars() {
            let face = if c.is_ascii() { own } else { self.face_of(c, own) };
            match runs.last_mut() {
                Some((last, run)) if *last == face || unseen(c) => run.push(c),
                _ => runs.push((face, c.to_string())),
            }
        }
        let family = |face: usize| self.faces.get(face).map(|(_, family)| *family);
        let run = |(face, text)| Run { family: family(face).filter(|_| face != own), text };
        runs.into_iter().map(run).collect()
    }

    fn face_of(&self, c: char, own: usize) -> usize {
        let has = |n: &usize| self.faces.get(*n).is_some_and(|(f, _)| f.glyph_index(c).is_some());
        if has(&own) { own } else { (0..self.faces.len()).find(has).unwrap_or(own) }
    }

    fn advance(&self, c: char, hand: Hand) -> u32 {
        let advance = |(face, _): &(Face<'_>, &str)| {
            let glyph = face.glyph_index(c)?;
            let advance = u32::from(face.glyph_hor_advance(glyph)?);
            Some(advance * 1000 / u32::from(face.units_per_em()).max(1))
        };
        self.faces.get(self.face_of(c, hand.face())).and_then(advance).unwrap_or(1000)
    }
}

impl Hand {
    /// Returns its place among the shipped faces.
    const fn face(self) -> usize {
        match self {
            Self::Regular => 0,
            Self::Italic => 1,
            Self::Bold => 2,
            Self::Mono => 4,
        }
    }
}

/// Blanks, controls and marks of direction and form, which have no shape of their own.
const fn unseen(c: char) -> bool {
    matches!(c,
        '\0'..='\u{20}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}
