//! What is new in a mail: measured on the bodies that other stripping libraries are tested with, and properties that
//! hold of every mail: what stands below or above a text never changes it.

#![expect(clippy::format_collect, reason = "a test may build its texts as it reads best")]

use super::mail::{both_ends, shared};
use crate::office::{Office, data};
use knightmail::{house::LETTER_TOP, mail};
use serde::Deserialize;
use std::{collections::BTreeSet, fs};

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Deserialize)]
struct Case {
    id: String,
    text: String,
    expected: String,
}

/// The replies of which we take something else for new than the libraries do, why, and what: their tests of quotations
/// leave signatures alone, and they leave a quotation that nothing stands above.
const OTHERWISE: &[(&str, &str, &str)] = &[
    ("talon/iphone.eml", "a telephone's footer is not what its owner says", "Hello"),
    ("talon/sparrow.eml", "a signature is not what is newly said", "Hello"),
    (
        "trimmer/embedded_email_16.txt",
        "a quotation above the answer is a quotation",
        "Yep, me too, although I bet due to RubyConf/OOPSLA, it may be a little longer yet...",
    ),
    (
        "trimmer/embedded_email_17.txt",
        "a quotation between the answers is a quotation, and so may be what stands below its attribution",
        "",
    ),
    (
        "trimmer/embedded_email_18.txt",
        "below an attribution without marks nothing is known to be the sender's",
        "",
    ),
    (
        "trimmer/embedded_email_7.txt",
        "a quotation between the answers is a quotation; a rule alone begins no signature",
        "This is a line before the embedded email. This is some text after the embedded email. \
         _______________________ And here's my signature.",
    ),
    ("trimmer/forwarded_message.txt", "a mail that is passed on is not its sender's", ""),
    (
        "trimmer/quote_and_text.txt",
        "a quotation above the answer is a quotation",
        "And this is some text.",
    ),
    ("trimmer/quote_only.txt", "a quotation alone says nothing new", ""),
];

#[test]
fn replies_are_stripped_like_others_do() {
    let Some(folder) = shared("replies") else { return };
    let cases = fs::read_to_string(folder.join("cases.json")).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&cases).unwrap();
    let (mut same, mut otherwise) = (0, 0);
    for case in &cases {
        let (got, expected) = (squeezed(&mail::new_text(&case.text).0), squeezed(&case.expected));
        if got == expected {
            same += 1;
            continue;
        }
        let known = OTHERWISE.iter().find(|(id, ..)| *id == case.id);
        let (_, why, ours) =
            known.unwrap_or_else(|| panic!("{}: {}\ngot {got}", case.id, case.text));
        println!("{}: {why}", case.id);
        // Never more than they take for new; what exactly, where it is short.
        let less = got.split(' ').all(|word| expected.contains(word));
        assert!(
            got == *ours || ours.is_empty() && less && !got.contains('>'),
            "{}: {got}",
            case.id
        );
        otherwise += 1;
    }
    println!(
        "{same} of {} replies give the same new text, {otherwise} another on purpose",
        cases.len()
    );
    assert_eq!(same + otherwise, cases.len());
    assert!(same >= 88 && cases.len() == 97);
}

/// The fixtures of a library in whose test the new text is the same five lines, and those lines.
fn common(folder: &std::path::Path) -> (String, Vec<String>) {
    let script = fs::read_to_string(folder.join("test.js")).unwrap();
    let (_, rest) = script.split_once("COMMON_FIRST_FRAGMENT = '").unwrap();
    let (text, rest) = rest.split_once("';").unwrap();
    let mut names = Vec::new();
    let mut last = None;
    for line in rest.lines() {
        if let Some((_, name)) = line.split_once("get_email(\"") {
            last = name.split('"').next();
        } else if line.contains("COMMON_FIRST_FRAGMENT, ") {
            names.extend(last.take().map(str::to_owned));
        }
    }
    (text.replace("\\n\\", ""), names)
}

#[test]
fn bodies_in_many_languages_are_stripped() {
    let Some(folder) = shared("replies/crisp/test") else { return };
    let (text, names) = common(&folder);
    let mut bad = 0;
    for name in &names {
        let file = folder.join("fixtures").join(format!("{name}.txt"));
        let body = fs::read_to_string(file).unwrap();
        let got = mail::new_text(&body).0;
        if squeezed(&got) != squeezed(&text) {
            bad += 1;
            println!("=== {name}\n{body}\n--- got\n{got}");
        }
    }
    println!("{} of {} bodies", names.len() - bad, names.len());
    assert!(bad == 0);
}

/// What programs write around a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Around {
    attributions: Vec<String>,
    blocks: Vec<String>,
    forwarded: Vec<String>,
    footers: Vec<String>,
    signatures: Vec<String>,
}

impl Around {
    fn read() -> Self {
        toml::from_str(&fs::read_to_string(data("quotes.toml")).unwrap()).unwrap()
    }
}

/// The old mail that is quoted in these tests: a word of it that is taken for the sender's would do harm.
const OLD: &str =
    "Dear Tom,\n\nI resign in 19N04. Result: 0-1\n\nLadies and gentlemen, 12.Nf3\nAnn";
/// A letter of ours, as it is quoted.
const LETTER: &str = "{{top}}\n\nDear Tom,\n\nGame: 19N04 1-2\nResult: 1-0\nHow: resignation\n\n\
                      {{end}} l42.d2002ed8658489ea0a60 ##";

fn quoted(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

/// What may stand below a text and takes nothing from it.
fn tails() -> Vec<String> {
    let around = Around::read();
    let letter = Office::new().with_tokens(LETTER);
    let mut tails = Vec::new();
    for line in &around.attributions {
        for mark in ["> ", ">"] {
            tails.push(format!("{line}\n{}", quoted(OLD, mark)));
            tails.push(format!("{line}\n\n{}", quoted(OLD, mark)));
        }
    }
    tails.extend(around.blocks.iter().map(|block| format!("{block}\n\n{OLD}")));
    tails.extend(around.forwarded.iter().map(|block| format!("{block}\n\n{OLD}")));
    tails.extend(around.footers.iter().chain(&around.signatures).cloned());
    for footer in &around.footers {
        tails.push(format!("{footer}\n\n{}\n{}", around.attributions[0], quoted(OLD, "> ")));
        tails.push(format!("{footer}\n\n{}\n\n{OLD}", around.blocks[0]));
    }
    tails.push(letter.clone());
    tails.push(quoted(&letter, "> "));
    tails.push(quoted(&letter, "\t"));
    tails.push(quoted(&letter, "    | "));
    tails.push(letter.split_whitespace().collect::<Vec<_>>().join(" "));
    tails.push(quoted(&rewrapped(&letter, 20), "> "));
    tails.push(format!("{}\n\n{letter}", around.blocks[0]));
    tails
}

/// Wraps lines anew.
fn rewrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = 0;
    for word in text.split_whitespace() {
        if line > 0 && line + word.len() >= width {
            out.push('\n');
            line = 0;
        } else if line > 0 {
            out.push(' ');
        }
        out.push_str(word);
        line += word.len() + 1;
    }
    out
}

/// The new texts of our own cases, and some that are hard to keep.
fn texts() -> BTreeSet<String> {
    let cases = fs::read_dir(data("mail")).unwrap().map(|f| f.unwrap().path());
    let tables = cases.filter(|f| f.extension().is_some_and(|e| e == "toml"));
    let mut texts: BTreeSet<String> = tables
        .filter_map(|file| {
            let table: toml::Table = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
            Some(table.get("text")?.as_str()?.to_owned())
        })
        .filter(|text| !text.is_empty())
        .collect();
    texts.extend(KEPT.iter().map(|text| (*text).to_owned()));
    texts
}

/// Texts that begin like something that is taken away, and are the sender's.
const KEPT: &[&str] = &[
    "Von meinem Gegner habe ich seit dem 12. Mai nichts gehört.",
    "Dit bericht is voor de toernooileider: ik heb gewonnen.",
    "Questo messaggio conferma la mia mossa 15. Ag5.",
    "Sent 3/6, received 3/4, used 2/11.",
    "Sent by regular mail on 3 June: 15. Bg5",
    "Gesendet am 06.03., erhalten am 04.03.",
    "From: seat 3\nTo: seat 5\nMove: 15. Bg5",
    "Game 1:\n---\nFrom: seat 3\nTo: seat 5\nMove: 15. Bg5",
    "Received: 4 March\nAnswered: 6 March\n15. Bg5",
    "Date: 3 May\nWhite: Hale\nBlack: Ortiz\nResult: 1-0",
    "On the other hand I could play 15. Bg5.",
    "At move 20 I wrote:\n20. Rxh7",
    "On move 12 you wrote 12...Nf6 and my reply is:\n13. Bg5",
    "| 19N04 | Hale | Ortiz |\n| 1-0 | 31 moves | |",
    "The original message was lost, here is it again: 15. Bg5",
    "Message for the director: I won.",
    "A > B means nothing.\n15. Bg5",
    "15. Bg5\n\n16. Nf3",
    "Thanks to my opponent for a good game\n1-0",
];

#[test]
fn what_stands_below_a_text_never_changes_it() {
    let tails = tails();
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (n, text) in texts().iter().enumerate() {
        let alone = mail::new_text(text).0;
        assert_eq!(squeezed(&alone), squeezed(text), "it is all the sender's");
        // Hard texts meet every tail, the others every sixth, each tail another sixth of them.
        let all = KEPT.contains(&text.as_str());
        for tail in tails.iter().enumerate().filter(|(m, _)| all || (m + n) % 6 == 0).map(|t| t.1) {
            let got = mail::new_text(&format!("{text}\n\n{tail}")).0;
            tried += 1;
            if got != alone {
                wrong.push(format!("{text:?}\n  below it {tail:?}\n  gives {got:?}"));
            }
        }
    }
    println!("{tried} texts with something below, {} changed by it", wrong.len());
    assert!(tried > 10_000);
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(20)].join("\n"));
}

#[test]
fn a_quotation_above_a_text_never_changes_it() {
    let around = Around::read();
    let letter = Office::new().with_tokens(LETTER);
    let mut heads: Vec<_> =
        around.attributions.iter().map(|line| format!("{line}\n{}", quoted(OLD, "> "))).collect();
    heads.push(quoted(OLD, "> "));
    heads.push(quoted(&letter, "> "));
    heads.push(quoted(&letter, ">"));
    heads.push(letter.clone());
    heads.push(format!("{}\n\n{letter}\n", around.blocks[0]));
    let mut wrong = Vec::new();
    for text in texts() {
        let alone = mail::new_text(&text).0;
        for head in &heads {
            let got = mail::new_text(&format!("{head}\n{text}")).0;
            if got != alone {
                wrong.push(format!("{text:?}\n  above it {head:?}\n  gives {got:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} {}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

#[test]
fn answers_between_the_quotations_are_all_found() {
    let around = Around::read();
    for line in &around.attributions {
        let body = format!(
            "{line}\n> 12.Nf3, your move?\n\n12...Nc6\n\n> And in the other game?\n\nI resign.\n"
        );
        let got = mail::new_text(&body).0;
        assert_eq!(squeezed(&got), "12...Nc6 I resign.", "{line}");
    }
}

#[test]
fn line_ends_make_no_difference_and_no_bytes_do_harm() {
    let office = Office::new();
    let around = Around::read();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % u64::try_from(below).unwrap()).unwrap()
    };
    let texts: Vec<_> = texts().into_iter().collect();
    let tails = tails();
    for round in 0..3_000 {
        let text = &texts[next(texts.len())];
        let tail = &tails[next(tails.len())];
        let head = &around.attributions[next(around.attributions.len())];
        let mail = format!(
            "From: ann@example.org\nSubject: {}\nContent-Type: text/{}; charset=utf-8{}\n\n{head}\n{text}\n{tail}\n",
            ["x", "Fwd: x", "Re: 19N04"][next(3)],
            ["plain", "html"][next(2)],
            ["", "; format=flowed", "; format=flowed; delsp=yes"][next(3)],
        );
        let [lf, crlf] = both_ends(mail.as_bytes()).map(|raw| office.read(&raw));
        assert_eq!(lf, crlf, "{mail}");
        let mut broken = mail.into_bytes();
        for _ in 0..=round % 12 {
            let at = next(broken.len().max(1));
            if at >= broken.len() {
                break;
            }
            match next(4) {
                0 => broken[at] = u8::try_from(next(256)).unwrap(),
                1 => drop(broken.drain(at..(at + next(40)).min(broken.len()))),
                2 => broken.insert(at, [b'\n', b'>', b'<', b'=', 0xff, b'-'][next(6)]),
                _ => broken.truncate(at.max(1)),
            }
        }
        let read = office.read(&broken);
        assert!(read.text.len() <= broken.len() * 4, "a text does not grow");
    }
}

/// HTML as programs write it, and what is new in it.
const HTML: &[(&str, &str, &str)] = &[
    (
        "Gmail",
        "<div dir=\"ltr\">12...Nc6<div><br></div></div><br><div class=\"gmail_quote\"><div dir=\"ltr\" \
         class=\"gmail_attr\">Ann wrote, whatever the language:<br></div><blockquote class=\"gmail_quote\" \
         style=\"margin:0 0 0 .8ex\"><div>I resign</div></blockquote></div>",
        "12...Nc6",
    ),
    (
        "Gmail, answered between",
        "<div class=\"gmail_quote\"><div class=\"gmail_attr\">On 1 May 2019 Ann wrote:</div><blockquote \
         class=\"gmail_quote\">12.Nf3</blockquote><div>12...Nc6</div><blockquote class=\"gmail_quote\">I resign\
         </blockquote><div>Thanks</div></div>",
        "12...Nc6 Thanks",
    ),
    (
        "Gmail, passed on",
        "<div>See below.</div><div class=\"gmail_quote\"><div class=\"gmail_attr\">---------- Forwarded message \
         ---------<br>From: Ann &lt;a@example.org&gt;<br>Date: 1 May</div><br>I resign in 19N04</div>",
        "See below.",
    ),
    (
        "Gmail, signed",
        "<div>12...Nc6</div><div><br></div><span class=\"gmail_signature_prefix\">-- </span><br><div dir=\"ltr\" \
         class=\"gmail_signature\" data-smartmail=\"gmail_signature\"><div>Tom 1-0</div></div>",
        "12...Nc6",
    ),
    (
        "Apple Mail",
        "<body>12...Nc6<br><div><br><blockquote type=\"cite\"><div>On 1 May 2019, at 09:00, Ann \
         &lt;a@example.org&gt; wrote:</div><br><div>I resign</div></blockquote></div></body>",
        "12...Nc6",
    ),
    (
        "an iPhone",
        "<html><body dir=\"auto\">12...Nc6<br><br><div dir=\"ltr\">Sent from my iPhone</div><div dir=\"ltr\"><br>\
         <blockquote type=\"cite\">On May 1, 2019, at 09:00, Ann wrote:<br><br></blockquote></div><blockquote \
         type=\"cite\"><div>I resign</div></blockquote></body></html>",
        "12...Nc6",
    ),
    (
        "Yahoo",
        "<div class=\"yahoo-style-wrap\"><div>12...Nc6</div></div><div id=\"yahoo_quoted_1\" class=\"yahoo_quoted\">\
         <div><div>On Wednesday, Ann wrote:</div><div>I resign</div></div></div>",
        "12...Nc6",
    ),
    (
        "Outlook, in no language that is known",
        "<div class=WordSection1><p class=MsoNormal>12...Nc6<o:p></o:p></p><div><div style='border:none;border-top:\
         solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>Avsandinn:</b> Ann<br><b>Dagr:</b> \
         Manadagr<br></p></div></div><p class=MsoNormal>I resign</p></div>",
        "12...Nc6",
    ),
    (
        "Outlook in German",
        "<p class=MsoNormal>12...Nc6</p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p><b>Von:</b> Ann<br>\
         <b>Gesendet:</b> Montag<br><b>An:</b> Tom<br><b>Betreff:</b> x</p></div><p>I resign</p>",
        "12...Nc6",
    ),
    (
        "Outlook on the web",
        "<div>12...Nc6</div><div id=\"appendonsend\"></div><hr style=\"display:inline-block;width:98%\" tabindex=\"-1\">\
         <div id=\"divRplyFwdMsg\" dir=\"ltr\"><font><b>From:</b> Ann<br><b>Sent:</b> Monday<br></font></div>\
         <div>I resign</div>",
        "12...Nc6",
    ),
    (
        "Outlook on a telephone",
        "<div>12...Nc6</div><div id=\"ms-outlook-mobile-signature\">Get <a href=\"x\">Outlook for iOS</a></div><hr>\
         <div id=\"divRplyFwdMsg\"><b>De :</b> Ann<br><b>Envoyé :</b> lundi</div><div>I resign</div>",
        "12...Nc6",
    ),
    (
        "Thunderbird",
        "<body>12...Nc6<br><div class=\"moz-cite-prefix\">Am 1.5.2019 um 9 Uhr meinte Ann:<br></div><blockquote \
         type=\"cite\">I resign</blockquote>Thanks<br><div class=\"moz-signature\">-- <br>Tom 1-0</div></body>",
        "12...Nc6 Thanks",
    ),
    (
        "Proton Mail",
        "<div>12...Nc6</div><div class=\"protonmail_signature_block\"><div class=\"protonmail_signature_block-proton\">\
         Sent with <a>Proton Mail</a> secure email.</div></div><div class=\"protonmail_quote\">On Monday Ann wrote:<br>\
         <blockquote class=\"protonmail_quote\" type=\"cite\">I resign</blockquote></div>",
        "12...Nc6",
    ),
    (
        "GMX",
        "<div>12...Nc6</div><div><div name=\"quote\" style=\"margin:10px; border-left:2px solid #C3D9E5;\"><div><b>\
         Gesendet:</b>&nbsp;Montag<br/><b>Von:</b>&nbsp;Ann</div><div name=\"quoted-content\">I resign</div></div></div>",
        "12...Nc6",
    ),
    (
        "a table and a blank",
        "<table><tr><td>19N04</td><td>1&ndash;2</td><td>1-0</td></tr><tr><td>19N07</td><td>3&nbsp;1</td></tr></table>\
         <style>p{}</style><script>I resign</script><!-- I resign --><p>Thanks<br>Tom",
        "19N04 1–2 1-0 19N07 3 1 Thanks Tom",
    ),
];

#[test]
fn html_of_many_programs_is_read() {
    let office = Office::new();
    for (program, html, new) in HTML {
        for kind in ["text/html", "multipart/alternative; boundary=b"] {
            let body = match kind {
                "text/html" => (*html).to_owned(),
                _ => format!(
                    "--b\nContent-Type: text/plain\n\nYour client cannot show HTML mail.\n--b\n\
                     Content-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
                ),
            };
            let mail = format!(
                "From: ann@example.org\nSubject: x\nContent-Type: {kind}; charset=utf-8\n\n{body}\n"
            );
            for raw in both_ends(mail.as_bytes()) {
                let read = office.read(&raw);
                assert_eq!(squeezed(&read.text), *new, "{program}: {read:#?}");
            }
        }
    }
}

#[test]
fn a_plain_part_that_excuses_itself_is_not_the_text() {
    let office = Office::new();
    for (excuse, is_one) in [
        ("Your e-mail client does not support HTML messages.", true),
        ("This message is in HTML format. Please view it in your browser.", true),
        ("Ihr E-Mail-Programm kann keine HTML-Nachrichten anzeigen.", true),
        ("Votre logiciel ne supporte pas le format HTML.", true),
        ("Su programa de correo no puede mostrar HTML.", true),
        ("Il tuo programma non supporta il formato HTML.", true),
        ("O seu programa não suporta HTML.", true),
        ("Uw programma ondersteunt geen HTML.", true),
        ("Program nie obsługuje formatu HTML.", true),
        ("Ваша программа не поддерживает HTML.", true),
        ("", true),
        ("15. Bg5", false),
        (
            "I cannot read your game in the browser any more, sorry for that: please send it again as text to me",
            false,
        ),
    ] {
        let mail = format!(
            "From: ann@example.org\nSubject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\
             Content-Type: text/plain; charset=utf-8\n\n{excuse}\n--b\nContent-Type: text/html\n\n<p>12...Nc6</p>\n\
             --b--\n"
        );
        let read = office.read(mail.as_bytes());
        assert_eq!(read.text == "12...Nc6", is_one, "{excuse}: {}", read.text);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    id: String,
    /// Words of the new text.
    stay: Vec<String>,
    /// Words that are not its sender's, or not new.
    go: Vec<String>,
}

#[test]
fn bodies_keep_what_must_stay_and_lose_what_must_go() {
    #[derive(Deserialize)]
    struct Table {
        body: Vec<Words>,
    }
    let Some(folder) = shared("replies") else { return };
    let table: Table = toml::from_str(&fs::read_to_string(data("replies.toml")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in &table.body {
        let new = mail::new_text(&fs::read_to_string(folder.join(&case.id)).unwrap()).0;
        let lost = case.stay.iter().filter(|words| !new.contains(words.as_str()));
        let left = case.go.iter().filter(|words| new.contains(words.as_str()));
        let odd: Vec<_> = lost.chain(left).collect();
        if !odd.is_empty() {
            wrong.push(format!("{}: {odd:?}", case.id));
        }
    }
    println!("{} of {} bodies", table.body.len() - wrong.len(), table.body.len());
    assert!(table.body.len() > 60);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A letter of ours as programs quote it, without a blank line at its ends.
fn as_quoted(letter: &str) -> Vec<String> {
    let block = "________________________________\nVan: Golden Knights <knights@example.org>\nVerzonden: maandag";
    let tabbed: String = letter.lines().map(|line| format!("    {}\n", line.trim())).collect();
    vec![
        quoted(letter, "> "),
        quoted(letter, ">"),
        quoted(letter, "> > "),
        quoted(&rewrapped(letter, 50), "> "),
        rewrapped(letter, 60),
        tabbed,
        letter.to_owned(),
        format!("{block}\n\n{letter}"),
        format!(
            "On Mon, Nov 30, 2026 at 9:00 AM Golden Knights <knights@example.org> wrote:\n\n{letter}"
        ),
    ]
}

fn as_html(letter: &str) -> Vec<String> {
    let escaped = letter.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let lines = escaped.replace('\n', "<br>\n");
    let paragraphs: String =
        escaped.lines().map(|line| format!("<p class=MsoNormal>{line}</p>\n")).collect();
    let head = "<div><b>Od:</b> Golden Knights<br><b>Kdy:</b> dnes</div>";
    vec![
        format!("<blockquote type=cite>{lines}</blockquote>"),
        format!("<div style='border-top:solid #E1E1E1 1.0pt'>{head}</div>{paragraphs}"),
        format!(
            "<div class=\"gmail_quote\"><div class=\"gmail_attr\">GK:<br></div><blockquote>{lines}</blockquote></div>"
        ),
        format!("<div>{lines}</div>"),
        format!("<pre>{escaped}</pre>"),
        format!("<div>{}</div>", rewrapped(&escaped, 70)),
    ]
}

#[test]
fn our_own_letters_are_known_however_they_come_back() {
    let office = Office::new();
    let mut letters = 0;
    for file in fs::read_dir(data("letters")).unwrap().map(|f| f.unwrap().path()) {
        let letter = mail::message::plain_text(&fs::read(&file).unwrap());
        if !letter.contains(LETTER_TOP) {
            continue; // on paper
        }
        letters += 1;
        let letter = letter.trim();
        let read = |kind: &str, body: &str| {
            let head = "From: ann@example.org\nSubject: Re: x\nContent-Type: text/";
            let mail = format!("{head}{kind}; charset=utf-8\n\n{body}\n");
            office.read(mail.as_bytes())
        };
        for copy in as_quoted(letter) {
            for body in [format!("12...Nc6\n\n{copy}"), format!("{copy}\n\n12...Nc6")] {
                let got = read("plain", &body);
                assert_eq!(got.text, "12...Nc6", "{}: {body}", file.display());
                let named = got.set_aside.iter().any(|a| a.starts_with("our letter"));
                assert!(named, "{}: {:?} {body}", file.display(), got.set_aside);
            }
        }
        for copy in as_html(letter) {
            for body in [format!("<p>12...Nc6</p>{copy}"), format!("{copy}<p>12...Nc6</p>")] {
                let got = read("html", &body);
                assert_eq!(got.text, "12...Nc6", "{}: {body}", file.display());
            }
        }
    }
    assert!(letters > 20);
}
