//! From SVG to PDF. Text stays text, fonts are embedded as far as they are used, and nothing of the moment or of the
//! machine goes in: the same pages give the same bytes.

use super::fonts::Fonts;
use krilla::{Document, SerializeSettings, metadata::Metadata, page::PageSettings};
use krilla_svg::{SurfaceExt as _, SvgSettings};
use std::{
    fmt,
    panic::{self, AssertUnwindSafe},
};
use usvg::{Group, ImageHrefResolver, Node, Options, Tree};

/// Why a page cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprintable {
    /// It is no SVG: the line, where it is known, and what is wrong.
    Svg(Option<usize>, String),
    /// No font has these characters.
    Glyphs(Vec<char>),
    /// No PDF can be made of it.
    Pdf(String),
}

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Svg(Some(line), what) => write!(f, "the page is no SVG in line {line}: {what}"),
            Self::Svg(None, what) => write!(f, "the page is no SVG: {what}"),
            Self::Glyphs(missing) => {
                let named = |c: &char| format!("{c} (U+{:04X})", u32::from(*c));
                let missing: Vec<_> = missing.iter().map(named).collect();
                let missing = missing.join(", ");
                write!(f, "no font has {missing}; put one that has into the fonts/ of the home")
            }
            Self::Pdf(what) => write!(f, "the page cannot be made a PDF: {what}"),
        }
    }
}

impl std::error::Error for Unprintable {}

/// Returns pages as one PDF with a title.
///
/// # Errors
/// A page that is no SVG, or a character that no font has.
pub fn print(title: &str, pages: &[String], fonts: &Fonts) -> Result<Vec<u8>, Unprintable> {
    // Should what draws the pages fail over one of them, the others are printed all the same.
    panic::catch_unwind(AssertUnwindSafe(|| document(title, pages, fonts)))
        .unwrap_or_else(|_| Err(Unprintable::Pdf("the program broke over it".to_owned())))
}

fn document(title: &str, pages: &[String], fonts: &Fonts) -> Result<Vec<u8>, Unprintable> {
    let settings = SerializeSettings { enable_tagging: false, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let producer = "Knightmail".to_owned();
    document.set_metadata(Metadata::new().title(title.to_owned()).producer(producer));
    for svg in pages {
        let tree = tree(svg, fonts)?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let wrong = || Unprintable::Svg(None, "it has no size".to_owned());
        let page = PageSettings::from_wh(width, height).ok_or_else(wrong)?;
        let size = krilla::geom::Size::from_wh(width, height).ok_or_else(wrong)?;
        let mut page = document.start_page_with(page);
        let mut surface = page.surface();
        surface.draw_svg(&tree, size, SvgSettings::default());
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|e| Unprintable::Pdf(format!("{e:?}")))
}

/// Reads a page and makes sure that every character of it has a shape.
fn tree(svg: &str, fonts: &Fonts) -> Result<Tree, Unprintable> {
    let options = Options {
        // A user unit is a point.
        dpi: 72.0,
        font_family: super::fonts::SERIF.to_owned(),
        fontdb: fonts.database(),
        // A picture must be in the SVG itself: a page depends on no other file.
        image_href_resolver: ImageHrefResolver {
            resolve_data: ImageHrefResolver::default_data_resolver(),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| match error {
        usvg::Error::ParsingFailed(error) => {
            let line = usize::try_from(error.pos().row).ok();
            Unprintable::Svg(line, error.to_string())
        }
        other => Unprintable::Svg(None, other.to_string()),
    })?;
    let mut missing = Vec::new();
    find_missing(tree.root(), &mut missing);
    if missing.is_empty() {
        return Ok(tree);
    }
    missing.sort_unstable();
    missing.dedup();
    Err(Unprintable::Glyphs(missing))
}

/// Glyph 0 of every font is the empty box.
fn find_missing(group: &Group, missing: &mut Vec<char>) {
    for node in group.children() {
        match node {
            Node::Group(group) => find_missing(group, missing),
            Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                missing.extend(glyphs.filter(|g| g.id.0 == 0).flat_map(|g| g.text.chars()));
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}
