//! Templates: the words of the letters, and the only door to tera. A letter is one file, `templates/<notice>.txt`: the
//! first line is its subject, the rest its text, laid out by `layout.rs`. A director changes a letter by a file of
//! the same name in his home's `templates/`; `signature.txt` is the end of all of them, `letter.html` the frame of the
//! HTML part, and a file of his own whose name begins with `_` may be included.
//!
//! `certificate.svg` is a page to be printed and no letter: an SVG, in which every value is escaped by itself and
//! `fit` gives the size at which a text is no wider than a number of points.
//!
//! All templates are rendered with sample books when they are loaded, in all variants that the samples know, so that
//! a wrong name is found by `check` and not in two years. Should one fail in earnest nevertheless, the shipped words
//! are used: a letter that a rule asks for goes out.

use super::{
    Desk, layout,
    pages::{
        fonts::{Fonts, Hand},
        pdf,
    },
    sample,
    view::{self, certificate::Certificate},
};
use crate::domain::notice::{Notice, NoticeName};
use std::{borrow::Cow, fmt};
use tera::{Context, ErrorKind, Kwargs, State, Tera, TeraResult};

/// The words of all letters, compiled.
#[derive(Clone)]
pub struct Templates {
    tera: Tera,
    /// The shipped words, where some of them are replaced.
    shipped: Option<Tera>,
    /// What pages are set in.
    fonts: Fonts,
}

/// What is wrong with a template, for the director who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The file's name.
    pub file: String,
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, a sentence without its full stop.
    pub what: String,
}

/// A letter in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The subject, one line.
    pub subject: String,
    /// The text as the template printed it; `layout.rs` makes lines of it.
    pub raw: String,
}

macro_rules! shipped {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../templates/", $name))),)*]
    };
}

/// The files that are part of the program.
const SHIPPED: &[(&str, &str)] = shipped![
    "entry-received.txt",
    "entry-refused.txt",
    "entry-carried-forward.txt",
    "payment-reminder.txt",
    "membership-reminder.txt",
    "assignment.txt",
    "receipt.txt",
    "move.txt",
    "move-rejected.txt",
    "draw-offer.txt",
    "draw-declined.txt",
    "question.txt",
    "confirmation.txt",
    "condolence.txt",
    "complaint-premature.txt",
    "time-complaint-received.txt",
    "time-warning.txt",
    "leave-granted.txt",
    "leave-announced.txt",
    "address-changed.txt",
    "substitution.txt",
    "bereavement.txt",
    "result-receipt.txt",
    "result-reported.txt",
    "result-disputed.txt",
    "adjudication-request.txt",
    "ruling.txt",
    "forfeit.txt",
    "taken-back.txt",
    "withdrawal-confirmed.txt",
    "section-complete.txt",
    "advancement.txt",
    "filled-in.txt",
    "not-advancing.txt",
    "gift-certificate.txt",
    "framing-certificate.txt",
    "pin.txt",
    "prize.txt",
    "champion.txt",
    "not-understood.txt",
    "help.txt",
    "director-summary.txt",
    "director-alert.txt",
    "transcript.txt",
    "director-confirm.txt",
    "signature.txt",
    "letter.html",
    "certificate.svg",
];

/// The page of the certificate for framing.
const CERTIFICATE: &str = "certificate.svg";

impl Templates {
    /// Returns the words as they are shipped.
    pub fn shipped() -> Self {
        Self::set_in(Fonts::shipped())
    }

    fn set_in(fonts: Fonts) -> Self {
        let tera = compile(SHIPPED.iter().copied(), &fonts);
        Self { tera: tera.expect("the shipped templates are tested"), shipped: None, fonts }
    }

    /// Returns the shipped words with those of a home in their place, each checked with sample books.
    ///
    /// # Errors
    /// The first thing that is wrong with one of the files.
    pub fn with_overrides<'a>(
        overrides: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, TemplateError> {
        Self::of_home(overrides, Fonts::shipped())
    }

    /// Returns the same, with pages that are set in the fonts of a home.
    ///
    /// # Errors
    /// The first thing that is wrong with one of the files.
    pub fn of_home<'a>(
        overrides: impl Iterator<Item = (&'a str, &'a str)>,
        fonts: Fonts,
    ) -> Result<Self, TemplateError> {
        let overrides: Vec<_> = overrides.collect();
        for (name, _) in &overrides {
            check_name(name)?;
        }
        let shipped = Self::set_in(fonts.clone()).tera;
        let tera = compile(SHIPPED.iter().copied().chain(overrides.iter().copied()), &fonts)?;
        let templates = Self { tera, shipped: Some(shipped), fonts };
        templates.prove(&overrides)?;
        Ok(templates)
    }

    /// Returns the shipped template of a notice, for a director who wants to begin with it.
    pub fn source(name: NoticeName) -> &'static str {
        let file = format!("{name}.txt");
        let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == file);
        shipped.expect("every notice has a template").1
    }

    /// Returns a letter's words. Should a template of the home fail, the shipped one speaks.
    ///
    /// # Errors
    /// What is wrong with the template.
    pub fn words(&self, notice: &Notice, desk: &Desk<'_>) -> Result<Words, TemplateError> {
        let own = words(&self.tera, notice, desk);
        match (&self.shipped, own) {
            (Some(shipped), Err(_)) => words(shipped, notice, desk),
            (_, own) => own,
        }
    }

    /// Returns the HTML part: the elements of `layout::Page::html` in their frame.
    ///
    /// # Errors
    /// What is wrong with `letter.html`.
    pub fn html(&self, subject: &str, elements: &str) -> Result<String, TemplateError> {
        let own = html(&self.tera, subject, elements);
        match (&self.shipped, own) {
            (Some(shipped), Err(_)) => html(shipped, subject, elements),
            (_, own) => own,
        }
    }

    /// Returns the page of a certificate, an SVG. Should the template of the home fail, the shipped one speaks.
    ///
    /// # Errors
    /// What is wrong with `certificate.svg`.
    pub fn certificate(&self, certificate: &Certificate) -> Result<String, TemplateError> {
        let own = page(&self.tera, certificate);
        match (&self.shipped, own) {
            (Some(shipped), Err(_)) => page(shipped, certificate),
            (_, own) => own,
        }
    }

    /// Returns what pages are set in.
    pub const fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Returns subject and text of a notice about made-up books.
    ///
    /// # Errors
    /// What is wrong with the template.
    pub fn sample(&self, name: NoticeName) -> Result<(String, String), TemplateError> {
        let books = sample::Books::new();
        let samples = sample::notices::all();
        let sample = samples.iter().find(|s| s.notice.facts.name() == name);
        let sample = sample.expect("there is a sample of every notice");
        let words = words(&self.tera, &sample.notice, &books.desk(self))?;
        Ok((words.subject, layout::Page::of(&words.raw).text()))
    }

    /// Renders every sample and looks up every name, so that a wrong one is found now.
    fn prove(&self, overrides: &[(&str, &str)]) -> Result<(), TemplateError> {
        let books = sample::Books::new();
        let desk = books.desk(self);
        for sample in sample::notices::all() {
            words(&self.tera, &sample.notice, &desk)?;
            let file = format!("{}.txt", sample.notice.facts.name());
            if let Some((_, text)) = overrides.iter().find(|(name, _)| *name == file) {
                check_variables(&self.tera, &file, text, &context(&sample.notice, &desk)?)?;
            }
        }
        html(&self.tera, "subject", "<p>text</p>")?;
        self.prove_page(overrides, &books.certificate(&desk))
    }

    /// Prints the page of a certificate where the home has its own.
    fn prove_page(
        &self,
        overrides: &[(&str, &str)],
        certificate: &Certificate,
    ) -> Result<(), TemplateError> {
        let Some((_, text)) = overrides.iter().find(|(name, _)| *name == CERTIFICATE) else {
            return Ok(());
        };
        let svg = page(&self.tera, certificate)?;
        let context = Context::from_serialize(certificate);
        let context = context.map_err(|error| explain(CERTIFICATE, &error))?;
        check_variables(&self.tera, CERTIFICATE, text, &context)?;
        pdf::print(CERTIFICATE, &[svg], &self.fonts).map(drop).map_err(|wrong| TemplateError {
            file: CERTIFICATE.to_owned(),
            line: None,
            what: wrong.to_string(),
        })
    }
}

impl fmt::Debug for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Templates({} of the home)", if self.shipped.is_some() { "some" } else { "none" })
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for TemplateError {}

fn compile<'a>(
    files: impl Iterator<Item = (&'a str, &'a str)>,
    fonts: &Fonts,
) -> Result<Tera, TemplateError> {
    let mut tera = Tera::default();
    tera.autoescape_on([".html", ".svg"]);
    let fonts = fonts.clone();
    tera.register_filter("fit", move |text: String, how: Kwargs, _: &State<'_>| {
        fit(&fonts, &text, &how)
    });
    let files: Vec<_> = files.map(|(name, text)| (name, own_lines(text))).collect();
    tera.add_raw_templates(files.iter().map(|(name, text)| (*name, text.as_str())))
        .map_err(|error| explain("templates", &error))?;
    Ok(tera)
}

/// Takes away the line break behind a line that holds nothing but one tag, by moving it into the tag. So a loop or a
/// condition on a line of its own leaves no empty line, and lines keep their numbers.
fn own_lines(template: &str) -> String {
    let mut out = String::with_capacity(template.len());
    for line in template.split_inclusive('\n') {
        match lone_tag(line) {
            Some((inside, end)) => {
                out.push_str(inside);
                out.push('\n');
                out.push_str(end);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Returns what stands before the end of the only tag of a line, and that end.
fn lone_tag(line: &str) -> Option<(&str, &str)> {
    let tag = line.strip_suffix('\n')?.trim();
    let [open, close] = [["{%", "%}"], ["{#", "#}"]]
        .into_iter()
        .find(|[open, close]| tag.starts_with(open) && tag.ends_with(close))?;
    let inside = &tag[..tag.len() - close.len()];
    let only = inside.matches(open).count() == 1 && !inside.contains(close);
    // `-` belongs to the end of the tag.
    let inside = inside.strip_suffix('-').map_or(inside, |shorter| shorter);
    only.then(|| (inside, &tag[inside.len()..]))
}

fn words(tera: &Tera, notice: &Notice, desk: &Desk<'_>) -> Result<Words, TemplateError> {
    let file = format!("{}.txt", notice.facts.name());
    let wrong = |what: &str| TemplateError { file: file.clone(), line: None, what: what.into() };
    let context = context(notice, desk)?;
    let printed = tera.render(&file, &context).map_err(|error| explain(&file, &error))?;
    let (first, raw) = printed.trim_start().split_once('\n').unwrap_or((&printed, ""));
    let subject = first.strip_prefix("Subject:").map(view::words::clean);
    let subject = subject.filter(|s| !s.is_empty()).ok_or_else(|| TemplateError {
        line: Some(1),
        ..wrong("the first line must be `Subject: ` and the subject of the letter")
    })?;
    if raw.trim().is_empty() {
        return Err(wrong("the letter has a subject and no text"));
    }
    Ok(Words { subject, raw: raw.to_owned() })
}

/// Returns what a letter's template may print.
fn context(notice: &Notice, desk: &Desk<'_>) -> Result<Context, TemplateError> {
    let file = notice.facts.name().text();
    let body = Context::from_serialize(&view::body(notice, desk));
    let frame = Context::from_serialize(&view::frame(&notice.to, desk));
    let mut context = body.map_err(|error| explain(file, &error))?;
    context.extend(frame.map_err(|error| explain(file, &error))?);
    Ok(context)
}

/// Finds a name that the letter does not know also where no sample comes by.
fn check_variables(
    tera: &Tera,
    file: &str,
    text: &str,
    context: &Context,
) -> Result<(), TemplateError> {
    let names = tera.get_template_variables(file).map_err(|error| explain(file, &error))?;
    let unknown = names.into_iter().filter(|name| !context.contains_key(name)).min();
    let Some(name) = unknown else { return Ok(()) };
    let line = text.lines().position(|line| line.contains('{') && line.contains(name));
    let what = format!("this letter knows nothing that is called `{name}`");
    Err(TemplateError { file: file.to_owned(), line: line.map(|n| n + 1), what })
}

fn html(tera: &Tera, subject: &str, elements: &str) -> Result<String, TemplateError> {
    let mut context = Context::new();
    context.insert("subject", subject);
    context.insert("body", elements);
    tera.render("letter.html", &context).map_err(|error| explain("letter.html", &error))
}

fn page(tera: &Tera, certificate: &Certificate) -> Result<String, TemplateError> {
    let context = Context::from_serialize(certificate);
    let context = context.map_err(|error| explain(CERTIFICATE, &error))?;
    tera.render(CERTIFICATE, &context).map_err(|error| explain(CERTIFICATE, &error))
}

/// `text | fit(size=46, width=560, style="bold")`: the size in points, at most `size`, at which the text is no wider
/// than `width`.
fn fit(fonts: &Fonts, text: &str, how: &Kwargs) -> TeraResult<String> {
    let size: u32 = how.must_get("size")?;
    let width: u32 = how.must_get("width")?;
    let hand = match how.get::<&str>("style")? {
        Some("italic") => Hand::Italic,
        Some("bold") => Hand::Bold,
        _ => Hand::Regular,
    };
    let tenths = fonts.ruler().fit(text, hand, width, size.saturating_mul(10));
    Ok(format!("{}.{}", tenths / 10, tenths % 10))
}

fn check_name(name: &str) -> Result<(), TemplateError> {
    if name.starts_with('_') || SHIPPED.iter().any(|(known, _)| *known == name) {
        return Ok(());
    }
    let known: Vec<_> = SHIPPED.iter().map(|(name, _)| *name).collect();
    let what = format!(
        "no letter has this file name; the names are {}, and a file to be included begins with `_`",
        known.join(", ")
    );
    Err(TemplateError { file: name.to_owned(), line: None, what })
}

/// Returns what tera says with its place. A few of its errors have the place in their words only.
fn explain(file: &str, error: &tera::Error) -> TemplateError {
    match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => TemplateError {
            file: report.filename().to_owned(),
            line: Some(report.span().start_line),
            what: report.message().to_owned(),
        },
        other => {
            let text = other.to_string();
            let (file, line) = place_in(&text).unwrap_or((Cow::Borrowed(file), None));
            let what = view::words::clean(text.lines().next().unwrap_or_default());
            let what = what.strip_prefix("error: ").unwrap_or(&what).to_owned();
            TemplateError { file: file.into_owned(), line, what }
        }
    }
}

/// Finds `--> file:line:column` in an error's words.
fn place_in(text: &str) -> Option<(Cow<'_, str>, Option<usize>)> {
    let (_, place) = text.split_once("--> ")?;
    let place = place.lines().next()?.trim().trim_matches(['[', ']']);
    let mut parts = place.split(':');
    let file = parts.next()?;
    Some((Cow::Borrowed(file), parts.next().and_then(|line| line.trim().parse().ok())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_one_tag_leaves_no_empty_line() {
        let text = "a\n  {% if x %}\nb\n{%- endif -%}\n{# c #}\n{{ d }}\n{% if y %}z{% endif %}\n";
        let expected =
            "a\n{% if x \n%}b\n{%- endif \n-%}{# c \n#}{{ d }}\n{% if y %}z{% endif %}\n";
        assert_eq!(own_lines(text), expected);
    }

    #[test]
    fn a_template_that_cannot_be_used_is_named_with_its_line() {
        for (file, text, line, part) in [
            ("ruling.txt", "Subject: x\n\n{{ nobody }}\n", Some(3), "nobody"),
            ("ruling.txt", "Subject: x\n\n\n{% if game %}\n", Some(5), ""),
            ("ruling.txt", "Subject: x\n\n{{ game.colour }}\n", Some(3), "colour"),
            ("ruling.txt", "Subject: x\n\n{{ name | shout }}\n", Some(3), "shout"),
            ("ruling.txt", "Subject: x\n\n{% include \"_none.txt\" %}\n", Some(3), "_none.txt"),
            (
                "ruling.txt",
                "Subject: x\n\n{% if not game %}\n{{ prize }}\n{% endif %}\nx\n",
                Some(4),
                "prize",
            ),
            ("ruling.txt", "Dear {{ name }},\n\nwhat?\n", Some(1), "Subject"),
            ("ruling.txt", "Subject: x\n", None, "no text"),
            ("rulling.txt", "Subject: x\n\ny\n", None, "no letter has this file name"),
        ] {
            let error = Templates::with_overrides([(file, text)].into_iter()).unwrap_err();
            assert_eq!((error.file.as_str(), error.line), (file, line), "{text}: {error}");
            assert!(error.what.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_home_may_say_it_in_its_own_words_and_include_its_own_files() {
        let files = [
            ("ruling.txt", "Subject: Game {{ game.id }}\n\n{% include \"_thanks.txt\" %}\n"),
            ("_thanks.txt", "Thanks, {{ name }}.\n"),
        ];
        let templates = Templates::with_overrides(files.into_iter()).unwrap();
        let (subject, text) = templates.sample(NoticeName::Ruling).unwrap();
        assert!(subject.starts_with("Game 19N04"), "{subject}");
        assert!(text.starts_with("Thanks, "), "{text}");
    }
}
