//! The corpus: what players really write, with what a careful director would understand (`tests/data/said`, how a case is
//! written says its README). The test prints a table and fails on any false act, and when too few are read right.
//! `KNIGHTMAIL_SAID=moves` shows what is wrong in one file, `KNIGHTMAIL_SAID=all` in all of them.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use crate::office::{Office, data, game};
use chrono::DateTime;
use knightmail::mail::understanding::{Confidence, Understanding};
use serde::Deserialize;
use serde_json::Value;
use std::{
    fmt::{self, Write as _},
    fs,
};

/// How many of a hundred cases are read right, at least.
const FLOOR: usize = 95;

/// Kinds that change nothing by themselves; all others are acts.
const NO_ACTS: &[&str] = &["question", "membership", "objection", "conduct"];

/// Fields that are compared and do not make another act of it.
const BESIDE: &[&str] = &[
    "expires", "from", "ground", "how", "name", "paid", "repeat", "repeated", "sent", "to",
    "wishes",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mail: Vec<Case>,
}

/// A mail, and what is to be understood of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    from: String,
    name: Option<String>,
    subject: String,
    #[serde(default)]
    text: String,
    html: Option<String>,
    reply: Option<u64>,
    #[serde(default)]
    headers: Vec<String>,
    #[serde(default)]
    attached: Vec<Attached>,
    #[serde(default = "monday")]
    date: String,
    intents: Option<Vec<toml::Table>>,
    confidence: Option<String>,
    #[serde(default)]
    aside: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attached {
    name: String,
    text: String,
}

fn monday() -> String {
    "2019-06-03T20:15:00-04:00".to_owned()
}

/// What came of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Right,
    /// Otherwise than expected.
    Wrong,
    /// As expected, but asked about where it could be acted on.
    Timid,
    /// Acted on, and nothing allows it.
    FalseAct,
}

/// How many cases of a file came out how.
#[derive(Clone, Copy, Default)]
struct Tally {
    cases: usize,
    wrong: usize,
    timid: usize,
    false_acts: usize,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        self.cases += 1;
        match verdict {
            Verdict::Right => {}
            Verdict::Wrong => self.wrong += 1,
            Verdict::Timid => self.timid += 1,
            Verdict::FalseAct => self.false_acts += 1,
        }
    }

    fn right(self) -> usize {
        self.cases - self.wrong - self.timid - self.false_acts
    }

    fn percent(self) -> usize {
        self.right() * 100 / self.cases.max(1)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cases, right, percent) = (self.cases, self.right(), self.percent());
        write!(f, "{cases:6}{right:7}{percent:4} %{:7}{:10}", self.wrong, self.timid)?;
        write!(f, "{:10}", self.false_acts)
    }
}

impl Case {
    /// Writes the mail as a client sends it.
    fn raw(&self, office: &Office) -> String {
        let date = DateTime::parse_from_rfc3339(&self.date).unwrap().to_rfc2822();
        let from = match &self.name {
            Some(name) => format!("{name} <{}>", self.from),
            None => self.from.clone(),
        };
        let mut raw = format!(
            "Received: from mail.example.org by mx.chess.example.org with ESMTPS id 1; {date}\n\
             From: {from}\nSubject: {}\nDate: {date}\nMessage-ID: <said-{:x}@example.org>\n",
            encoded(&self.subject),
            hash(&self.about),
        );
        match self.reply {
            Some(letter) => writeln!(
                raw,
                "To: knights+{{{{token {letter}}}}}@chess.example.org\n\
                 In-Reply-To: <{{{{token {letter}}}}}@chess.example.org>"
            ),
            None => writeln!(raw, "To: knights@chess.example.org"),
        }
        .unwrap();
        for header in &self.headers {
            writeln!(raw, "{header}").unwrap();
        }
        self.write_body(&mut raw);
        office.with_tokens(&raw)
    }

    fn write_body(&self, raw: &mut String) {
        let kind = if self.html.is_some() { "html" } else { "plain" };
        let body = self.html.as_ref().unwrap_or(&self.text);
        let typed = self.headers.iter().any(|h| h.to_lowercase().starts_with("content-type:"));
        let head = format!(
            "Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}"
        );
        if typed {
            return write!(raw, "Content-Transfer-Encoding: 8bit\n\n{body}").unwrap();
        }
        if self.attached.is_empty() {
            return raw.push_str(&head);
        }
        write!(raw, "Content-Type: multipart/mixed; boundary=\"said\"\n\n--said\n{head}").unwrap();
        for Attached { name, text } in &self.attached {
            write!(
                raw,
                "\n--said\nContent-Type: text/plain; charset=utf-8; name=\"{name}\"\n\
                 Content-Disposition: attachment; filename=\"{name}\"\n\
                 Content-Transfer-Encoding: 8bit\n\n{text}"
            )
            .unwrap();
        }
        raw.push_str("\n--said--\n");
    }

    /// Tells what came of it, and why where it is not as expected.
    fn judge(&self, got: &Understanding) -> (Verdict, String) {
        let intents: Vec<Value> = got.intents.iter().map(json).collect();
        let confidence = json(&got.confidence).as_str().unwrap_or_default().to_owned();
        if let Some(act) = self.false_act(&intents, got.confidence) {
            return (Verdict::FalseAct, format!("acted on: {act}"));
        }
        if let Some(why) = self.expected().and_then(|expected| differs(&expected, &intents)) {
            return (Verdict::Wrong, why);
        }
        if let Some(expected) = self.confidence.as_ref().filter(|c| **c != confidence) {
            let timid = expected == "certain" && got.confidence < Confidence::Certain;
            let verdict = if timid { Verdict::Timid } else { Verdict::Wrong };
            return (verdict, format!("{confidence} instead of {expected}"));
        }
        let missing = |aside: &&String| !got.set_aside.iter().any(|a| a.starts_with(*aside));
        match self.aside.iter().find(missing) {
            Some(aside) => (Verdict::Wrong, format!("`{aside}` was not set aside")),
            None => (Verdict::Right, String::new()),
        }
    }

    /// Returns an act that would be done and that the mail does not allow.
    fn false_act(&self, intents: &[Value], confidence: Confidence) -> Option<String> {
        let acts = |i: &&Value| !NO_ACTS.contains(&i["kind"].as_str().unwrap_or_default());
        let held = self.confidence.as_deref() == Some("unsure");
        let expected = self.expected().filter(|_| !held).unwrap_or_default();
        let allowed = |act: &Value| expected.iter().any(|e| same_act(e, act));
        let acted = confidence == Confidence::Certain;
        let false_act = |act: &&Value| acted && !is_known(act) && !allowed(act);
        let act = intents.iter().filter(acts).find(false_act)?;
        Some(act.to_string())
    }

    /// Returns the intents as `read --json` has them, the game taken apart.
    fn expected(&self) -> Option<Vec<Value>> {
        let apart = |table: &toml::Table| {
            let mut value = json(table);
            let fields = value.as_object_mut().unwrap();
            if let Some(id) = fields.remove("game") {
                let id = game(id.as_str().unwrap());
                fields.insert("section".to_owned(), json(&id.section));
                fields.insert("white".to_owned(), json(&id.white));
                fields.insert("black".to_owned(), json(&id.black));
            }
            value
        };
        Some(self.intents.as_ref()?.iter().map(apart).collect())
    }

    /// Tells whether the case belongs to the half that is compared later; its text has no say in it.
    fn is_blind(&self) -> bool {
        hash(&self.about) % 2 == 1
    }

    fn report(&self, why: &str, got: &Understanding) -> String {
        let intents: Vec<String> = got.intents.iter().map(|i| json(i).to_string()).collect();
        format!(
            "\n  {}\n    {why}\n    from {}, {}\n    read: {}\n    because: {}\n    aside: {}",
            self.about,
            self.from,
            self.subject,
            intents.join("\n          "),
            got.reasons.join("\n             "),
            got.set_aside.join("; "),
        )
    }
}

fn json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap()
}

/// FNV-1a: the same in every build.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) >> 16
}

/// Returns a header value, as an encoded word (RFC 2047) where it is not plain.
fn encoded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut words = String::new();
    for (n, word) in text.chars().collect::<Vec<_>>().chunks(12).enumerate() {
        let bytes: String = word.iter().collect();
        let bytes: String = bytes.bytes().fold(String::new(), |s, b| format!("{s}={b:02X}"));
        write!(words, "{}=?utf-8?q?{bytes}?=", if n == 0 { "" } else { "\n " }).unwrap();
    }
    words
}

/// Tells how what was read differs from what is expected; order does not matter.
fn differs(expected: &[Value], got: &[Value]) -> Option<String> {
    let mut left: Vec<&Value> = got.iter().collect();
    for wanted in expected {
        let Some(at) = left.iter().position(|g| unlike(wanted, g).is_none()) else {
            let near = left.iter().find(|g| g["kind"] == wanted["kind"]);
            let why = near.and_then(|g| unlike(wanted, g));
            return Some(why.unwrap_or_else(|| format!("not read: {wanted}")));
        };
        left.remove(at);
    }
    left.retain(|more| !is_known(more));
    left.first().map(|more| format!("read, and not said: {more}"))
}

/// Tells whether it is a move that the books have already: to say it once more does nothing.
fn is_known(intent: &Value) -> bool {
    intent["repeat"] == true
}

/// Tells whether an act is the expected one, whatever is said beside it.
fn same_act(wanted: &Value, got: &Value) -> bool {
    let mut wanted = wanted.clone();
    wanted.as_object_mut().unwrap().retain(|field, _| !BESIDE.contains(&field.as_str()));
    unlike(&wanted, got).is_none()
}

/// Tells in which of the given fields an intent differs.
fn unlike(wanted: &Value, got: &Value) -> Option<String> {
    let field = |(name, value): (&String, &Value)| {
        let found = got.get(name).unwrap_or(&Value::Null);
        let empty = value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
        let same = match (name.as_str(), value) {
            _ if empty => found.is_null() || found.as_array().is_some_and(Vec::is_empty),
            ("wishes", Value::Array(wishes)) => wishes.iter().all(|w| holds(found, w)),
            ("fault", word) => found["fault"] == *word,
            // How a section stands is what its table says, and the answer to both is the same letter.
            ("topic", topic) if got["section"].is_string() => {
                let table = |t: &Value| t == "section" || t == "standings";
                found == topic || table(found) && table(topic)
            }
            _ => found == value,
        };
        (!same).then(|| format!("{name} is {found} instead of {value}"))
    };
    wanted.as_object().unwrap().iter().find_map(field)
}

/// Tells whether one of several texts holds the words.
fn holds(texts: &Value, words: &Value) -> bool {
    let words = words.as_str().unwrap_or_default();
    let texts = texts.as_array().into_iter().flatten();
    texts.into_iter().any(|t| t.as_str().is_some_and(|t| t.contains(words)))
}

/// Returns the names of the files, and their cases.
fn cases() -> Vec<(String, Vec<Case>)> {
    let files = fs::read_dir(data("said")).unwrap().map(|f| f.unwrap().path());
    let files = files.filter(|f| f.extension().is_some_and(|e| e == "toml"));
    let read = |file: std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let File { mail } = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, mail)
    };
    let mut cases: Vec<_> = files.map(read).collect();
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

#[test]
fn what_players_write_is_understood() {
    let office = Office::playing();
    let shown = std::env::var("KNIGHTMAIL_SAID").unwrap_or_default();
    let (mut all, mut blind) = (Tally::default(), Tally::default());
    let mut reports = String::new();
    println!("{:20} cases  right        wrong     timid false acts", "");
    for (name, cases) in cases() {
        let mut tally = Tally::default();
        for case in &cases {
            let got = office.read(case.raw(&office).as_bytes());
            let (verdict, why) = case.judge(&got);
            tally.add(verdict);
            all.add(verdict);
            if case.is_blind() {
                blind.add(verdict);
            }
            let show = shown == name || shown == "all" || verdict == Verdict::FalseAct;
            if verdict != Verdict::Right && show {
                write!(reports, "\n{name}:{}", case.report(&why, &got)).unwrap();
            }
        }
        println!("{name:20}{tally}");
    }
    println!("{:20}{all}\n{:20}{blind}\n{reports}", "all", "the blind half");
    assert!(all.cases >= 320, "{} cases", all.cases);
    assert_eq!(all.false_acts, 0, "an act that nobody asked for");
    assert!(all.percent() >= FLOOR, "{} % are right", all.percent());
}

/// Returns the office and the cases that are plain text: a third of them, since each is read many times over, and all
/// with `KNIGHTMAIL_SAID=all`.
fn plain() -> (Office, Vec<(String, Case)>) {
    let named = |(name, cases): (String, Vec<Case>)| {
        cases.into_iter().map(move |case| (format!("{name}: {}", case.about), case))
    };
    let all = std::env::var("KNIGHTMAIL_SAID").is_ok_and(|shown| shown == "all");
    let plain = |(name, case): &(String, Case)| {
        case.html.is_none() && case.attached.is_empty() && (all || hash(name).is_multiple_of(3))
    };
    (Office::playing(), cases().into_iter().flat_map(named).filter(plain).collect())
}

/// What a mail was understood to say, to be compared.
fn said(got: &Understanding) -> (Vec<Value>, Value) {
    (got.intents.iter().map(json).collect(), json(&got.confidence))
}

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

impl Case {
    /// Whether nothing but words stands in it: no quotation and no signature that would set the rest aside.
    fn is_bare(&self) -> bool {
        let framed = |line: &str| line.starts_with(['>', '|', '-', '_']) || line.contains("{{");
        let bare = self.headers.is_empty() && !self.text.lines().any(framed);
        bare && !self.text.trim().is_empty() && self.aside.is_empty()
    }
}

#[test]
fn a_quotation_or_a_footer_below_changes_nothing() {
    let (office, cases) = plain();
    let below = [
        "On Sun, Jun 2, 2019 at 6:40 PM Somebody Else <else@example.com> wrote:\n\
         > I resign. 1-0, you win.\n> I withdraw from everything. 15.Be3, draw?\n",
        "-- \nI resign. 1-0\nmy new address: other@example.com\n",
    ];
    let mut wrong = Vec::new();
    for (name, case) in cases.iter().filter(|(_, case)| case.is_bare()) {
        let before = said(&office.read(case.raw(&office).as_bytes()));
        for more in below {
            let raw = format!("{}\n\n{}", case.raw(&office), more);
            let after = said(&office.read(raw.as_bytes()));
            if before != after {
                wrong.push(format!("{name}: {before:?} became {after:?} by {more}"));
            }
        }
    }
    none(&wrong);
}

#[test]
fn the_way_it_is_packed_makes_no_difference() {
    let (office, cases) = plain();
    let mut wrong = Vec::new();
    for (name, case) in cases.iter().filter(|(_, case)| case.is_bare()) {
        let plain = case.raw(&office);
        let (head, body) = plain.split_once("\n\n").unwrap();
        let html = head.replace("text/plain", "text/html");
        let quoted = head.replace("8bit", "quoted-printable");
        let before = said(&office.read(plain.as_bytes()));
        for (how, raw) in [
            ("html", format!("{html}\n\n{}", in_html(body))),
            ("quoted-printable", format!("{quoted}\n\n{}", quoted_printable(body))),
        ] {
            let after = said(&office.read(raw.as_bytes()));
            if before != after {
                wrong.push(format!("{name}: {before:?} became {after:?} in {how}"));
            }
        }
    }
    none(&wrong);
}

/// Returns lines as a mail program on the web writes them.
fn in_html(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let lines = escaped.lines().map(|line| match line {
        "" => "<div><br></div>".to_owned(),
        line => format!("<div>{}</div>", line.replace("  ", " &nbsp;")),
    });
    format!("<html><body dir=\"ltr\">{}</body></html>", lines.collect::<String>())
}

/// Returns a text in quoted-printable (RFC 2045), with every sign that may be encoded encoded.
fn quoted_printable(text: &str) -> String {
    let line = |line: &str| {
        let bytes: Vec<String> = line.bytes().map(|b| format!("={b:02X}")).collect();
        bytes.chunks(20).map(<[String]>::concat).collect::<Vec<_>>().join("=\n")
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

#[test]
fn line_ends_make_no_difference() {
    let (office, cases) = plain();
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        let raw = case.raw(&office);
        let crlf = raw.replace('\n', "\r\n");
        if said(&office.read(raw.as_bytes())) != said(&office.read(crlf.as_bytes())) {
            wrong.push(name.clone());
        }
    }
    none(&wrong);
}

#[test]
fn a_stranger_is_never_acted_for() {
    let (office, cases) = plain();
    let mut wrong = Vec::new();
    for (name, mut case) in cases {
        case.from = "nobody.we.know@example.com".to_owned();
        case.reply = None;
        let got = office.read(case.raw(&office).as_bytes());
        let kinds: Vec<&str> =
            got.intents.iter().map(knightmail::domain::intent::Intent::kind).collect();
        let acts = kinds.iter().any(|kind| !NO_ACTS.contains(kind) && *kind != "entry");
        if got.confidence == Confidence::Certain && acts {
            wrong.push(format!("{name}: {kinds:?}"));
        }
    }
    none(&wrong);
}

#[test]
fn a_machine_says_nothing() {
    let (office, cases) = plain();
    let mut wrong = Vec::new();
    for (name, mut case) in cases {
        case.headers.push("Auto-Submitted: auto-replied".to_owned());
        let got = office.read(case.raw(&office).as_bytes());
        if got.intents.iter().any(|intent| intent.kind() != "bounce") {
            wrong.push(name);
        }
    }
    none(&wrong);
}

#[test]
fn every_case_has_a_name_of_its_own() {
    for (name, cases) in cases() {
        let mut names: Vec<&str> = cases.iter().map(|c| c.about.as_str()).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1], "{name}");
        }
    }
}
