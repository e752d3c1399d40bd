//! The architecture, kept true by reading the source text: who may use whom, one dependency one door, and that what the
//! code says of the rules is so. Each complaint names file and line and says what would be right.

mod source;

use source::{Source, cited, files, is_word, long_functions, names_crate, root, sources, uses};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A part of the program, what it is, and which other parts it may use. The header of `src/lib.rs` tells the same in words.
const LAYERS: &[(&str, &[&str])] = &[
    // Values that everybody may speak of; they know nothing, or only each other.
    ("limits", &[]),
    ("fault", &[]),
    ("mask", &[]),
    ("net", &["fault", "digest", "store"]),
    ("mishap", &["fault"]),
    ("digest", &["token"]),
    ("token", &["domain"]),
    ("house", &["token"]),
    // Pure: values in, values out.
    ("chess", &[]),
    ("domain", &["chess"]),
    ("mail", &["chess", "domain", "house", "token", "digest", "limits"]),
    ("notices", &["chess", "domain", "house", "token", "digest", "limits"]),
    // Each a door to the world outside; none knows the rules.
    ("clock", &[]),
    ("schedule", &["domain", "house", "fault"]),
    ("store", &["domain", "digest", "fault", "limits", "mishap", "token"]),
    ("mailbox", &["store", "config", "digest", "fault", "limits", "mishap", "net"]),
    ("transport", &["store", "domain", "digest", "fault", "limits", "mishap", "net"]),
    ("signatures", &["fault", "net"]),
    ("config", &["domain", "house", "schedule", "token", "fault", "store", "net"]),
    // What ties them together, through the traits alone.
    (
        "office",
        &[
            "chess",
            "clock",
            "config",
            "digest",
            "domain",
            "fault",
            "house",
            "limits",
            "mail",
            "mailbox",
            "mask",
            "mishap",
            "notices",
            "schedule",
            "signatures",
            "store",
            "token",
            "transport",
        ],
    ),
    (
        "simulate",
        &[
            "clock",
            "config",
            "digest",
            "domain",
            "fault",
            "house",
            "mail",
            "mailbox",
            "mishap",
            "notices",
            "office",
            "schedule",
            "signatures",
            "store",
            "token",
            "transport",
        ],
    ),
    ("daemon", &["office", "fault", "clock", "mask"]),
    (
        "cli",
        &[
            "chess",
            "clock",
            "config",
            "daemon",
            "digest",
            "domain",
            "fault",
            "house",
            "limits",
            "mail",
            "mailbox",
            "mishap",
            "net",
            "notices",
            "office",
            "schedule",
            "signatures",
            "simulate",
            "store",
            "token",
            "transport",
        ],
    ),
];

/// Words that a part must not say outside its tests: what it would reach for to do another's work.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("src/domain", "HashMap", "a BTreeMap, whose order is the same in every run"),
    ("src/domain", "HashSet", "a BTreeSet, whose order is the same in every run"),
    ("src/domain", "std::fs", "nothing: the domain does no input and no output"),
    ("src/domain", "std::net", "nothing: the domain does no input and no output"),
    ("src/domain", "tokio::", "nothing: the domain is pure"),
    ("src/domain", "f64", "Points or Decimal: money and points are exact"),
    ("src/chess", "std::fs", "nothing: chess does no input and no output"),
    ("src/chess", "tokio::", "nothing: chess is pure"),
    ("src/chess", "f64", "whole numbers"),
    ("src/mail", "std::fs", "bytes that were handed in: mail is pure"),
    ("src/mail", "tokio::", "nothing: mail is pure"),
    ("src/notices", "std::fs", "texts that were handed in: notices are pure"),
    ("src/notices", "tokio::", "nothing: notices are pure"),
    ("src/store", "domain::rules", "an event that the rules made"),
    ("src/mailbox", "domain::rules", "bytes alone"),
    ("src/transport", "domain::rules", "bytes alone"),
    (
        "src/simulate/checkers",
        "rules::",
        "arithmetic of its own: whoever keeps the books does not audit them",
    ),
    ("src/office", "maildir::", "the trait: the office knows no adapter"),
    ("src", concat!("TO", "DO"), "an issue, or the thing done"),
    ("src", concat!("FIX", "ME"), "an issue, or the thing done"),
    ("src", concat!("unimple", "mented!"), "an issue, or the thing done"),
    ("src", concat!("to", "do!("), "an issue, or the thing done"),
];

/// One dependency, one door: the crate, and the files that may name it.
const DOORS: &[(&str, &[&str])] = &[
    ("cozy_chess", &["src/chess"]),
    ("mail_parser", &["src/mail/message"]),
    ("lettre", &["src/notices/letter.rs", "src/transport/smtp"]),
    ("tera", &["src/notices/render.rs"]),
    ("usvg", &["src/notices/pages"]),
    ("krilla", &["src/notices/pages"]),
    ("krilla_svg", &["src/notices/pages"]),
    ("ttf_parser", &["src/notices/pages"]),
    ("cron", &["src/schedule.rs"]),
    ("csv", &["src/cli/import"]),
    ("clap", &["src/cli", "src/office/orders"]),
    ("toml", &["src/config", "src/notices/sample", "src/mail/lexicon.rs"]),
    ("aho_corasick", &["src/mail/lexicon.rs", "src/mail/marks.rs"]),
    ("sd_notify", &["src/daemon"]),
    (
        "tokio",
        &[
            "src/daemon",
            "src/net",
            "src/signatures.rs",
            "src/mailbox/imap",
            "src/mailbox/pop3",
            "src/transport/smtp",
        ],
    ),
    ("mail_auth", &["src/signatures.rs"]),
    ("async_imap", &["src/mailbox/imap"]),
    ("tokio_rustls", &["src/net/tls.rs"]),
    ("rustls_native_certs", &["src/net/tls.rs"]),
    ("ureq", &["src/net/oauth/provider.rs"]),
    ("secrecy", &["src/net", "src/mailbox/imap", "src/mailbox/pop3", "src/transport/smtp"]),
    ("clap_complete", &["src/cli"]),
    ("clap_mangen", &["src/cli"]),
    ("tracing_journald", &["src/daemon"]),
    ("tracing_subscriber", &["src/daemon"]),
    ("rustix", &["src/store"]),
    ("crc32fast", &["src/store"]),
    ("memchr", &["src/store", "src/mail/message"]),
    ("hmac", &["src/token.rs"]),
    ("sha2", &["src/digest.rs", "src/token.rs", "src/mail/identity.rs"]),
    ("regex", &["src/mail"]),
];

/// The rules that there are: each is cited in the domain and proved by a test.
const RULES: std::ops::RangeInclusive<u32> = 1..=11;

/// How long a file may be, and a function. Tests are tables and stories, and may be longer.
const FILE_LINES: usize = 500;
const TEST_FILE_LINES: usize = 800;
const FUNCTION_LINES: usize = 70;

fn complain(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_layer_uses_what_it_may_and_nothing_else() {
    let table: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut complaints = Vec::new();
    for source in sources() {
        let Some(layer) = source.layer() else { continue };
        let Some(allowed) = table.get(layer) else {
            complaints.push(format!(
                "{}: `{layer}` has no line in LAYERS of tests/it/tidy.rs",
                source.path
            ));
            continue;
        };
        for (line, used) in uses(&source) {
            if used != layer
                && table.contains_key(used.as_str())
                && !allowed.contains(&used.as_str())
            {
                let may = if allowed.is_empty() {
                    "nothing of ours".to_owned()
                } else {
                    allowed.join(", ")
                };
                complaints.push(format!(
                    "{}:{line}: `{layer}` uses `{used}`; it may use {may}",
                    source.path
                ));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn no_part_reaches_for_what_is_anothers() {
    let mut complaints = Vec::new();
    for source in sources() {
        for (folder, word, right) in FORBIDDEN {
            let below = source.path.starts_with(&format!("{folder}/"));
            for (line, text) in source.code().filter(|_| below) {
                let found = text.match_indices(word).any(|(at, _)| is_word(text, at, word));
                if found && !text.contains("mod ") {
                    complaints
                        .push(format!("{}:{line}: `{word}` here; right is {right}", source.path));
                }
            }
        }
    }
    complain(&complaints);
}

#[test]
fn every_dependency_has_one_door() {
    let mut complaints = Vec::new();
    for source in sources() {
        for (name, doors) in DOORS {
            let is_door = doors
                .iter()
                .any(|door| source.path == *door || source.path.starts_with(&format!("{door}/")));
            for (line, _) in source.code().filter(|(_, line)| !is_door && names_crate(line, name)) {
                let doors = doors.join(", ");
                complaints.push(format!(
                    "{}:{line}: {name} is used here; its door is {doors}",
                    source.path
                ));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn every_dependency_is_used_and_every_door_leads_somewhere() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let listed = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let listed: BTreeSet<String> = listed
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once(" = ")?.0.replace('-', "_")))
        .collect();
    assert!(listed.contains("chrono"), "the dependencies are found");
    let sources = sources();
    let mut complaints = Vec::new();
    for name in &listed {
        if !sources.iter().any(|s| s.code().any(|(_, line)| names_crate(line, name))) {
            complaints.push(format!("Cargo.toml: {name} is used nowhere below src; take it out"));
        }
    }
    for (name, _) in DOORS.iter().filter(|(name, _)| !listed.contains(*name)) {
        complaints.push(format!("tests/it/tidy.rs: {name} is no dependency; take it out of DOORS"));
    }
    complain(&complaints);
}

#[test]
fn every_file_says_what_it_is_for_and_is_not_too_long() {
    let mut complaints = Vec::new();
    for source in sources().into_iter().chain(files("tests", "rs")) {
        let is_main = source.path == "src/main.rs";
        if !source.text.starts_with("//! ") && !is_main {
            complaints
                .push(format!("{}:1: it opens with a `//!` sentence: what it is for", source.path));
        }
        let lines = source.text.lines().count();
        let is_test = source.path.starts_with("tests/");
        let most = if is_test { TEST_FILE_LINES } else { FILE_LINES };
        if lines > most {
            complaints
                .push(format!("{}:{most}: {lines} lines; split it by what is in it", source.path));
        }
        let functions = long_functions(&source.text, FUNCTION_LINES);
        for (line, name, length) in functions.into_iter().filter(|_| !is_test) {
            complaints.push(format!(
                "{}:{line}: `{name}` has {length} lines; {FUNCTION_LINES} at most, take a part out",
                source.path
            ));
        }
    }
    complain(&complaints);
}

#[test]
fn every_rule_cited_exists_and_every_rule_built_is_cited() {
    let mut complaints = Vec::new();
    let mut domain = BTreeSet::new();
    let texts = sources().into_iter().chain(files("tests/it", "rs")).chain(files("config", "toml"));
    for source in texts.chain(files("templates", "txt")) {
        for (line, rule) in cited(&source.text) {
            if !RULES.contains(&rule) {
                complaints.push(format!(
                    "{}:{line}: there is no Rule {rule}; they go from 1 to 11",
                    source.path
                ));
            }
            if source.path.starts_with("src/domain/") {
                domain.insert(rule);
            }
        }
    }
    for rule in RULES.filter(|rule| !domain.contains(rule)) {
        complaints.push(format!("src/domain/rules: Rule {rule} is cited nowhere"));
    }
    complain(&complaints);
}

#[test]
fn every_rule_built_is_proved_by_a_test_of_its_name() {
    let mut proved: BTreeMap<u32, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    for source in sources().into_iter().chain(files("tests/it", "rs")) {
        for (number, line) in (1..).zip(source.text.lines()) {
            let Some(name) = line.trim_start().strip_prefix("fn rule_") else { continue };
            let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
            match digits.parse() {
                Ok(rule) if RULES.contains(&rule) => *proved.entry(rule).or_default() += 1,
                _ => complaints.push(format!("{}:{number}: a test of which rule?", source.path)),
            }
        }
    }
    for rule in RULES.filter(|rule| !proved.contains_key(rule)) {
        complaints.push(format!("tests/it/rules: no test `rule_{rule}_…` proves Rule {rule}"));
    }
    complain(&complaints);
}

#[test]
fn every_notice_has_a_template_and_every_template_a_notice() {
    use knightmail::domain::notice::NoticeName;
    const PARTIALS: [&str; 1] = ["signature"];
    let templates: BTreeSet<String> = files("templates", "txt")
        .iter()
        .map(|t| t.path.trim_start_matches("templates/").trim_end_matches(".txt").to_owned())
        .collect();
    let notices: BTreeSet<&str> = NoticeName::ALL.iter().map(|name| name.text()).collect();
    let mut complaints = Vec::new();
    for name in notices.iter().filter(|name| !templates.contains(**name)) {
        complaints.push(format!("templates/{name}.txt: the notice {name} has no words"));
    }
    for template in &templates {
        let partial = PARTIALS.contains(&template.as_str()) || template.starts_with('_');
        if !notices.contains(template.as_str()) && !partial {
            complaints.push(format!("templates/{template}.txt: no notice has this name"));
        }
    }
    complain(&complaints);
}

#[test]
fn the_readers_of_this_file_read_what_they_should() {
    let source = |text: &str| Source { path: "src/mail/x.rs".to_owned(), text: text.to_owned() };
    let words = |text: &str| -> Vec<String> {
        uses(&source(text)).into_iter().map(|(_, word)| word).collect()
    };
    assert_eq!(words("use crate::limits;"), ["limits"]);
    assert_eq!(words("use crate::{domain::{a, b}, store};"), ["domain", "store"]);
    assert_eq!(
        words("use crate::{\n    domain::{\n        store,\n    },\n    token,\n};"),
        ["domain", "token"]
    );
    assert_eq!(words("fn a() -> crate::fault::Fault {}"), ["fault"]);
    assert!(
        words("pub(in crate::mail) fn a() {}\n// crate::store\n#[cfg(test)]\nuse crate::store;")
            .is_empty()
    );
    assert!(names_crate("use csv;", "csv") && names_crate("    csv::Reader", "csv"));
    assert!(!names_crate("use crate::csv::X;", "csv") && !names_crate("let csv = 1;", "csv"));
    let rules =
        |text: &str| -> Vec<u32> { cited(text).into_iter().map(|(_, rule)| rule).collect() };
    assert_eq!(rules("(Rule 9) Rules 1, 8 and 9: x; Rules 7 to 9."), [9, 1, 8, 9, 7, 9]);
    assert!(rules("the Rules are Rule of thumb").is_empty());
    let long = format!("fn a() {{\n{}}}\n", "    x();\n".repeat(FUNCTION_LINES));
    assert_eq!(long_functions(&long, FUNCTION_LINES), [(1, "a".to_owned(), FUNCTION_LINES + 2)]);
    assert!(long_functions("fn a() {\n    x();\n}\n", FUNCTION_LINES).is_empty());
}
