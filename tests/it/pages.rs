//! Pages as they are printed: certificates and letters on paper. The PDF is looked into: what it is made of, the fonts it
//! carries, the characters that can be found and copied out of it.

use crate::world::World;
use flate2::read::ZlibDecoder;
use knightmail::{
    domain::{
        ids::{LetterId, MemberId},
        notice::{NoticeName, Recipient},
    },
    house::LETTER_TOP,
    mail::message::{Mail, plain_text},
    notices::{
        layout::Page,
        letter::{mail_as_sheet, write},
        pages::{
            Paper,
            fonts::{Fonts, Hand},
            pdf::{Unprintable, print},
            sheet::{Sheet, pages},
        },
        render::Templates,
        sample::{self, Books, notices::Sample},
        view::certificate::Certificate,
    },
    office::on_paper,
};
use mail_parser::{MessageParser, MimeHeaders as _};
use std::{collections::BTreeSet, fmt::Write as _, fs, io::Read as _};

fn certificate(name: &str) -> Certificate {
    let (books, templates) = (Books::new(), Templates::shipped());
    let certificate = books.certificate(&books.desk(&templates));
    Certificate { name: name.to_owned(), ..certificate }
}

/// What a PDF says of itself, outside of its compressed parts.
fn plain(pdf: &[u8]) -> String {
    String::from_utf8_lossy(pdf).into_owned()
}

/// The characters that a reader finds in a PDF: those that the maps of its fonts name.
fn characters(pdf: &[u8]) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    for from in (0..pdf.len()).filter(|n| pdf[*n..].starts_with(b"/Type/CMap")) {
        let stream = pdf[from..].windows(7).position(|w| w == b"stream\n").unwrap();
        let mut map = String::new();
        ZlibDecoder::new(&pdf[from + stream + 7..]).read_to_string(&mut map).unwrap();
        for line in map.lines().filter(|line| line.starts_with('<') && line.ends_with('>')) {
            let hex = line.rsplit('<').next().unwrap().trim_end_matches('>');
            let unit = |n: usize| u16::from_str_radix(hex.get(4 * n..4 * n + 4)?, 16).ok();
            let units: Vec<u16> = (0..hex.len() / 4).filter_map(unit).collect();
            found.extend(String::from_utf16_lossy(&units).chars());
        }
    }
    found
}

/// Takes everybody's address.
fn all_on_paper(books: &mut Books) {
    for player in books.state.players.values_mut() {
        player.emails.clear();
    }
}

fn boxes(pdf: &[u8]) -> Vec<String> {
    let text = plain(pdf);
    let boxes = text.split("/MediaBox[").skip(1);
    boxes.map(|rest| rest.split(']').next().unwrap().to_owned()).collect()
}

#[test]
fn a_certificate_is_the_same_bytes_and_carries_its_fonts() {
    let templates = Templates::shipped();
    let svg = templates.certificate(&certificate("Žofie Čapková")).unwrap();
    let pdf = print("Certificate", std::slice::from_ref(&svg), templates.fonts()).unwrap();
    assert_eq!(pdf, print("Certificate", &[svg], templates.fonts()).unwrap());
    let text = plain(&pdf);
    assert!(text.starts_with("%PDF-1.7"), "a PDF");
    assert!(!text.contains("CreationDate") && !text.contains("ModDate"), "no clock");
    for font in text.match_indices("/BaseFont/").map(|(at, _)| &text[at + 10..at + 40]) {
        assert_eq!(font.as_bytes()[6], b'+', "only the glyphs in use: {font}");
    }
    assert_eq!(text.matches("/FontFile3 ").count(), 3, "regular, italic, bold");
    assert!(pdf.len() < 60_000, "{}", pdf.len());
}

#[test]
fn names_of_the_world_are_written_and_can_be_found() {
    let templates = Templates::shipped();
    for name in [
        "Žofie Čapková",
        "Дмитрий Орлов",
        "Ελένη Παπαδοπούλου",
        "Nguyễn Thị Ánh",
        "李明",
        "김민수",
        "たなか",
        "محمد",
        "שלום",
    ] {
        let svg = templates.certificate(&certificate(name)).unwrap();
        assert!(svg.contains(name), "text stays text: {name}");
        let pdf = print(name, &[svg], templates.fonts()).unwrap();
        let found = characters(&pdf);
        let lost: String = name.chars().filter(|c| *c != ' ' && !found.contains(c)).collect();
        assert_eq!(lost, "", "of {name}");
    }
}

#[test]
fn a_name_cannot_break_out_of_the_page() {
    let templates = Templates::shipped();
    for name in ["A <&\"> B'", "</text><image href=\"x\"/>", "{{ director }}", "&amp;", "]]>"] {
        let svg = templates.certificate(&certificate(name)).unwrap();
        print(name, std::slice::from_ref(&svg), templates.fonts()).unwrap();
        assert!(!svg.contains("<image"), "{svg}");
    }
    let text =
        "  Office\n\n  Today\n\n  A <&\"> B\n\n  About </text>\n\nDear <b> & ]]>,\n".to_string();
    let sheet = Sheet { text: &text, paper: Paper::A4, number: "Letter <7>" };
    let svg = pages(sheet, templates.fonts()).unwrap();
    assert!(svg[0].contains(">A &lt;&amp;&quot;&gt; B</text>"), "{}", svg[0]);
    print("x", &svg, templates.fonts()).unwrap();
}

#[test]
fn a_long_name_shrinks_to_fit() {
    let fonts = Fonts::shipped();
    let ruler = fonts.ruler();
    let long = "Maria Concepción Castellanos-Whitmore de la Fuente y Rodríguez";
    assert_eq!(ruler.fit("Ann", Hand::Bold, 620, 440), 440, "never larger than asked for");
    let tenths = ruler.fit(long, Hand::Bold, 620, 440);
    assert!(tenths < 440 && ruler.width(long, Hand::Bold) * tenths <= 620 * 10 * 1000);
    let size = format!("font-size=\"{}.{}\"", tenths / 10, tenths % 10);
    let svg = Templates::shipped().certificate(&certificate(long)).unwrap();
    assert!(svg.contains(&size), "{size}");
}

#[test]
fn a_character_that_no_font_has_is_found() {
    let fonts = Fonts::shipped();
    let known = "Žofie Дмитрий Ελένη 李明 김민수 محمد \u{200d}\u{fe0f}";
    assert!(fonts.missing(known).is_empty());
    assert_eq!(fonts.missing("ก Ann ข ก"), vec!['ก', 'ข']);
    let templates = Templates::shipped();
    let svg = templates.certificate(&certificate("Ann กข")).unwrap();
    let error = print("x", &[svg], &fonts).unwrap_err();
    assert_eq!(error, Unprintable::Glyphs(vec!['ก', 'ข']));
    assert!(error.to_string().starts_with("no font has ก (U+0E01), ข (U+0E02)"), "{error}");
    let sheet = |text| pages(Sheet { text, paper: Paper::A4, number: "" }, &fonts);
    let error = sheet("  Office\n\n  Today\n\n  Ann ก\n\n  About\n\nDear Ann,\n").unwrap_err();
    assert_eq!(error, Unprintable::Glyphs(vec!['ก']), "no address");
    let svg = sheet("  Office\n\n  Today\n\n  Ann\n\n  About\n\nYou wrote: ก\n").unwrap();
    assert!(svg[0].contains("You wrote: [U+0E01]"), "in the text it is named");
}

#[test]
fn paper_is_that_of_the_country() {
    for (country, paper) in [
        (Some("US"), Paper::Letter),
        (Some("ca"), Paper::Letter),
        (Some("MX"), Paper::Letter),
        (Some("PA"), Paper::Letter),
        (Some("DE"), Paper::A4),
        (Some("GL"), Paper::A4),
        (None, Paper::A4),
    ] {
        assert_eq!(Paper::of_country(country), paper, "{country:?}");
        assert_eq!(Paper::named(paper.text()), paper);
    }
    let (mut books, templates) = (Books::new(), Templates::shipped());
    let printed = |books: &Books| {
        let svg = templates.certificate(&books.certificate(&books.desk(&templates))).unwrap();
        boxes(&print("x", &[svg], templates.fonts()).unwrap())
    };
    assert_eq!(printed(&books), ["0 0 792 612"]);
    for player in books.state.players.values_mut() {
        player.country = Some("CZ".to_owned());
    }
    assert!(printed(&books)[0].starts_with("0 0 841.889"), "{:?}", printed(&books));
}

#[test]
fn a_long_letter_has_numbered_pages_and_no_line_is_lost() {
    let fonts = Fonts::shipped();
    let mut text =
        "  Office\n  o@example.org\n\n  Today\n\n  Ann\n  1 Lane\n\n  About\n\nDear Ann,\n"
            .to_owned();
    for n in 0..12 {
        let words = "words that go on and on ".repeat(12);
        let _ = writeln!(text, "\nParagraph {n}: {words}\n\n- item one\n- item two\n");
        for row in 0..9 {
            let _ = writeln!(text, "  row-{n}-{row}   Name Ω   2000");
        }
    }
    let svg =
        pages(Sheet { text: &text, paper: Paper::Letter, number: "Letter L9" }, &fonts).unwrap();
    let of = svg.len();
    assert!(of > 3, "{of}");
    for (n, page) in svg.iter().enumerate() {
        assert!(
            page.contains(&format!(">{} of {of}</text>", n + 1)) && page.contains(">Letter L9<")
        );
    }
    let all = svg.concat();
    for n in 0..12 {
        let page = |row: usize| svg.iter().position(|p| p.contains(&format!(">row-{n}-{row}<")));
        assert!(
            (0..9).all(|row| page(row).is_some() && page(row) == page(0)),
            "table {n} is whole"
        );
    }
    assert_eq!(all.matches("words that").count() + all.matches(">that go").count(), 144);
    assert_eq!(print("x", &svg, &fonts).map(|pdf| boxes(&pdf).len()), Ok(of));
    let whole = pages(Sheet { text: "No head.\n", paper: Paper::A4, number: "" }, &fonts).unwrap();
    assert!(
        whole.len() == 1 && whole[0].contains(">No head.</text>") && !whole[0].contains(" of ")
    );
}

#[test]
fn every_letter_can_be_printed() {
    let (mut books, templates) = (Books::new(), Templates::shipped());
    all_on_paper(&mut books);
    let desk = books.desk(&templates);
    for sample in sample::notices::all() {
        let written = write(&sample.notice, LetterId(42), None, &desk).unwrap();
        if written.to.is_some() {
            continue;
        }
        let name = sample.notice.facts.name();
        let pdf = on_paper(LetterId(42), &written.bytes, templates.fonts()).unwrap();
        assert_eq!(boxes(&pdf)[0], "0 0 612 792", "{name}: Letter in the United States");
        assert!(characters(&pdf).contains(&'D'), "{name}: text stays text");
    }
}

/// A letter that was sent as mail and came back is the same sheet as if it had been written for paper (Rule 10).
#[test]
fn a_letter_that_was_mail_is_a_sheet_like_any_other() {
    let templates = Templates::shipped();
    let mut seen = 0;
    for Sample { notice, .. } in sample::notices::all() {
        let Recipient::Player(member) = &notice.to else { continue };
        let (mut by_mail, mut on_paper) = (Books::new(), Books::new());
        for books in [&mut by_mail, &mut on_paper] {
            let player = books.state.players.get_mut(member).unwrap();
            player.address = Some("12 Mill Lane, Springfield, OH 45501".to_owned());
        }
        on_paper.state.players.get_mut(member).unwrap().emails.clear();
        let desk = by_mail.desk(&templates);
        let mail = write(&notice, LetterId(42), None, &desk).unwrap();
        let paper = write(&notice, LetterId(42), None, &on_paper.desk(&templates)).unwrap();
        let Some(to) = &mail.to else { continue };
        let text = plain_text(&mail.bytes);
        let sheet = mail_as_sheet(&notice.to, &mail.subject, &text, &desk);
        let (sheet, written) = (Page::of(sheet).text(), plain_text(&paper.bytes));
        assert!(sheet.contains("  12 Mill Lane\n  Springfield, OH 45501\n"), "{sheet}");
        assert!(!sheet.contains("##"), "{sheet}");
        // What a letter says of his own address depends on whether he has one.
        if !sheet.contains(to) {
            assert_eq!(sheet.trim_end(), written.replace("\r\n", "\n").trim_end());
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Rule 4.
#[test]
fn rule_4_the_certificate_comes_with_its_letter() {
    let (mut books, templates) = (Books::new(), Templates::shipped());
    let sample = sample::notices::all().into_iter();
    let sample =
        sample.map(|s| s.notice).find(|n| n.facts.name() == NoticeName::FramingCertificate);
    let notice = sample.unwrap();
    let written = write(&notice, LetterId(42), None, &books.desk(&templates)).unwrap();
    let mail = MessageParser::default().parse(&written.bytes).unwrap();
    assert_eq!(
        (mail.text_body_count(), mail.html_body_count(), mail.attachment_count()),
        (1, 1, 1)
    );
    let page = mail.attachment(0).unwrap();
    assert_eq!(page.attachment_name(), Some("certificate-GK2016-004.pdf"));
    let kind = page.content_type().unwrap();
    assert_eq!((kind.ctype(), kind.subtype()), ("application", Some("pdf")));
    assert_eq!(boxes(page.contents()), ["0 0 792 612"]);
    assert!(characters(page.contents()).contains(&'½'));

    // Answered or returned, the letter is read as ours, page and all.
    let own = Mail::parse(&written.bytes).unwrap();
    assert_eq!((own.bodies.len(), own.attachments.len(), own.lost), (1, 1, None));
    let start = plain_text(&written.bytes);
    assert!(start.starts_with(LETTER_TOP) && start.trim_end().ends_with("##"), "{start}");

    // On paper it is the last page.
    all_on_paper(&mut books);
    let written = write(&notice, LetterId(42), None, &books.desk(&templates)).unwrap();
    assert_eq!(written.to, None);
    let pdf = on_paper(LetterId(42), &written.bytes, templates.fonts()).unwrap();
    assert_eq!(boxes(&pdf), ["0 0 612 792", "0 0 792 612"]);
    assert_eq!(pdf, on_paper(LetterId(42), &written.bytes, templates.fonts()).unwrap());

    // A name that no font can write is the director's: no certificate with boxes goes out.
    let lund = books.state.players.get_mut(&MemberId::from("10000012")).unwrap();
    (lund.name, lund.emails) = ("กข".to_owned(), vec!["lars@example.com".to_owned()]);
    let why = write(&notice, LetterId(42), None, &books.desk(&templates)).unwrap_err().why;
    assert!(why.contains("U+0E01") && why.contains("--entry GK2016-004"), "{why}");
}

#[test]
fn a_player_without_an_address_gets_pages() {
    let world = World::new();
    let row = |n: u32, name: &str, country: &str| {
        format!("4444444{n},{name},,{country},,1500,2018-01-01,2022-01-01")
    };
    let rows = [row(1, "Paula Stern", "US"), row(2, "李明 Bermudez", "BM"), row(3, "กข", "CA")];
    world.roster(&rows).code(0);
    for n in 1..=3 {
        let member = format!("4444444{n}");
        let args = ["direct", "entry", "GK2019", &member, "--postmark", "2019-01-02"];
        world.run(&args).code(0);
    }
    world.pass();
    let letters = world.json(&["letters"]);
    let files: Vec<_> = letters.iter().map(|letter| letter["file"].as_str()).collect();
    assert_eq!(files[..3], [Some("print/L000001.pdf"), Some("print/L000002.pdf"), None]);
    assert_eq!(letters[3]["notice"], "director-alert");
    assert_eq!(letters[2]["state"], "failed", "no boxes in an address");
    let docket = world.json(&["docket"]);
    let evidence = docket.iter().map(|item| item["evidence"].to_string()).collect::<String>();
    assert!(evidence.contains("U+0E01") && evidence.contains("fonts/"), "{evidence}");

    let print = |n: u32| fs::read(world.path(&format!("print/L00000{n}.pdf"))).unwrap();
    assert_eq!(boxes(&print(1))[0], "0 0 612 792");
    assert!(characters(&print(2)).contains(&'李'));
    // The same letter is the same sheet again.
    let before = print(1);
    fs::remove_file(world.path("print/L000001.pdf")).unwrap();
    world.run(&["resend", "L1"]).code(0);
    world.pass();
    assert_eq!(print(1), before);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a director edits his files by hand")]
fn a_director_sees_his_page_and_what_is_wrong_with_it() {
    let world = World::new();
    let file = world.path("page.pdf").display().to_string();
    world.run(&["preview", "assignment", "--pdf", &file]).code(0);
    assert_eq!(boxes(&fs::read(&file).unwrap())[0], "0 0 612 792");
    world.run(&["preview", "framing-certificate", "--pdf", &file]).code(0);
    assert_eq!(boxes(&fs::read(&file).unwrap()), ["0 0 792 612"]);
    let entry = ["preview", "framing-certificate", "--entry", "GK2019-001", "--pdf", &file];
    world.run(&entry).code(1).says("GK2019-001");
    world.run(&["preview", "director-summary", "--pdf", &file]).code(2).says("never goes on paper");

    let template = world.path("templates/certificate.svg");
    for (text, says) in [
        ("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g></svg>", "no SVG"),
        ("<svg xmlns='http://www.w3.org/2000/svg'>{{ nmae }}</svg>", "nmae"),
        ("<svg xmlns='http://www.w3.org/2000/svg'>{{ name | fit(size=3) }}</svg>", "width"),
    ] {
        fs::write(&template, text).unwrap();
        world.run(&["check"]).code(2).says("templates/certificate.svg").says(says);
    }
    fs::remove_file(&template).unwrap();
    fs::create_dir_all(world.path("fonts")).unwrap();
    fs::write(world.path("fonts/readme.txt"), "not one").unwrap();
    world.run(&["check"]).code(0);
    fs::write(world.path("fonts/broken.ttf"), "not one").unwrap();
    world.run(&["check"]).code(2).says("fonts/broken.ttf");
}
