//! Mails as they really come: the faults of the MIME parser that the program stands on, each repaired or detected, and
//! charsets under every label that was ever met.

use super::{
    mail::{both_ends, word},
    office::Office,
};

/// What is read of a mail: class, address, subject, text, and whether part of it is lost.
fn read(raw: &[u8]) -> (String, String, String, String, bool) {
    let [lf, crlf] = both_ends(raw).map(|raw| Office::new().read(&raw));
    assert_eq!(lf, crlf, "line ends make no difference");
    let address = lf.sender.address.clone().unwrap_or_default();
    let damaged = lf.trouble.as_ref().is_some_and(|trouble| word(trouble) == "damaged");
    (word(&lf.class), address, lf.headers.subject, lf.text, damaged)
}

fn sound(raw: &str, subject: &str, text: &str) {
    let expected = (
        "person".to_owned(),
        "ann@example.org".to_owned(),
        subject.to_owned(),
        text.to_owned(),
        false,
    );
    assert_eq!(read(raw.as_bytes()), expected, "{raw}");
}

#[test]
fn a_date_with_an_odd_zone_swallows_no_field() {
    for zone in ["UT", "Z", "A", "+0000", "EST", "MSK", "UTC", "GMT", "(CET)", "", "+0100 (MEZ)"] {
        let raw = format!(
            "Date: Fri, 1 Nov 2019 09:02:04 {zone}\nSubject: 19N04\nFrom: ann@example.org\n\nwords\n"
        );
        sound(&raw, "19N04", "words");
    }
    sound("Date:\nSubject: 19N04\nFrom: ann@example.org\n\nwords\n", "19N04", "words");
    sound(
        "Date: 2019-11-01T09:02:04Z\nSubject: 19N04\nFrom: ann@example.org\n\nwords\n",
        "19N04",
        "words",
    );
}

#[test]
fn base64_without_padding_loses_nothing() {
    for (code, text) in [
        ("MTIuIE5mMw", "12. Nf3"),
        ("MTIuIE5mMw=", "12. Nf3"),
        ("MTIuIE5mMw==", "12. Nf3"),
        ("MTIuIE5m\nMw==\n\n--\nKnights mailing list", "12. Nf3"),
        ("MTIuIE5m\n Mw ==", "12. Nf3"),
    ] {
        let raw = format!(
            "From: ann@example.org\nSubject: x\nContent-Transfer-Encoding: base64\n\n{code}\n"
        );
        sound(&raw, "x", text);
    }
    let broken = "From: ann@example.org\nSubject: x\nContent-Transfer-Encoding: base64\n\n12. Nf3!!! resign\n";
    assert!(read(broken.as_bytes()).4, "what is no base64 is not acted on");
}

#[test]
fn parts_are_told_apart_by_whole_lines() {
    let head = "From: ann@example.org\nSubject: x\nMIME-Version: 1.0\n";
    let plain = "Content-Type: text/plain\n\n";
    for (kind, body, text) in [
        (
            "multipart/mixed; boundary=b",
            format!("--b\n{plain}a --b c\n--bc\n--b--\n"),
            "a --b c\n--bc",
        ),
        ("multipart/mixed; boundary=b", format!("--b\n{plain}12. Nf3\n"), "12. Nf3"),
        ("multipart/mixed; boundary=b", format!("--b\n{plain}12. Nf3"), "12. Nf3"),
        (
            "multipart/mixed; boundary=b",
            format!("--b\n{plain}one\n--b\n{plain}two\n--b--\n"),
            "one\ntwo",
        ),
        (
            "multipart/mixed; boundary=\n \"b c\"",
            format!("--b c\n{plain}12. Nf3\n--b c--\n"),
            "12. Nf3",
        ),
        (
            "multipart/mixed;\n boundary=b",
            format!("preamble\n--b  \n{plain}12. Nf3\n--b--  \nepilogue\n"),
            "12. Nf3",
        ),
        (
            "multipart/alternative; boundary=b",
            format!("--b\n{plain}\n--b\nContent-Type: text/html\n\n<b>12. Nf3</b>\n--b--\n"),
            "12. Nf3",
        ),
        (
            "multipart/mixed; boundary=b",
            format!(
                "--b\nContent-Type: multipart/alternative; boundary=b2\n\n--b2\n{plain}12. Nf3\n--b2--\n--b\n{plain}list footer\n--b--\n"
            ),
            "12. Nf3\nlist footer",
        ),
        (
            "multipart/signed; boundary=b; protocol=\"application/pgp-signature\"",
            format!(
                "--b\n{plain}12. Nf3\n--b\nContent-Type: application/pgp-signature\n\n-----BEGIN\n--b--\n"
            ),
            "12. Nf3",
        ),
    ] {
        sound(&format!("{head}Content-Type: {kind}\n\n{body}"), "x", text);
    }
    let lost =
        format!("{head}Content-Type: multipart/mixed; boundary=b\n\nI resign in 19N04 1-2\n");
    assert!(read(lost.as_bytes()).4, "parts that cannot be told apart are not acted on");
}

#[test]
fn two_authors_are_nobody() {
    for head in [
        "From: ann@example.org\nFrom: rosa@example.net\n",
        "From: ann@example.org, rosa@example.net\n",
        "From: Players: ann@example.org;\n",
        "From: undisclosed\n",
        "",
    ] {
        let raw = format!("{head}Subject: x\n\nI resign in 19N04 1-2\n");
        assert_eq!(read(raw.as_bytes()).0, "unreadable", "{head}");
    }
    sound("From : ann@example.org\nSubject: x\n\nwords\n", "x", "words");
    sound("From: \"ann@example.com\" <ann@example.org>\nSubject: x\n\nwords\n", "x", "words");
}

#[test]
fn quoted_printable_of_chess_players_is_undone() {
    for (code, text) in [
        ("e8==3DQ", "e8==Q"),
        ("Nf3==", "Nf3=="),
        ("12. N=\nf3", "12. Nf3"),
        ("12. Nf3 =3D", "12. Nf3 ="),
        ("24.Ke1=", "24.Ke1="),
        ("Z=C3=BCge", "Züge"),
        ("Z=c3=bcge", "Züge"),
    ] {
        let raw = format!(
            "From: ann@example.org\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: quoted-printable\n\n{code}"
        );
        sound(&raw, "x", text);
    }
}

#[test]
fn flowed_text_keeps_its_words_apart() {
    for (parameters, body, text) in [
        ("; format=flowed", "12.Nf3 \nNc6", "12.Nf3 Nc6"),
        ("; format=flowed", "12.Nf3\nNc6", "12.Nf3\nNc6"),
        ("; format=flowed; delsp=yes", "12.Nf \n3", "12.Nf3"),
        ("; Format=Flowed; DelSp=Yes", "12.Nf3  \nNc6", "12.Nf3 Nc6"),
        ("; format=flowed", "> I \n> resign\n12.Nf3", "12.Nf3"),
        ("; format=flowed", "12.Nf3\n-- \nAnn", "12.Nf3"),
    ] {
        let raw = format!(
            "From: ann@example.org\nSubject: x\nContent-Type: text/plain{parameters}\n\n{body}\n"
        );
        sound(&raw, "x", text);
    }
}

#[test]
fn charsets_are_read_under_every_label() {
    let cases: &[(&[&str], &[u8], &str)] = &[
        (
            &["iso-8859-1", "8859_1", "latin1", "ISO_8859-1", "iso8859-1", "l1", "iso-latin-1"],
            b"Z\xfcge",
            "Züge",
        ),
        (
            &["windows-1252", "cp1252", "Windows1252", "cp-1252", "x-cp1252", "ansi"],
            b"\x80 Z\xfcge",
            "€ Züge",
        ),
        (&["iso-8859-15", "iso 8859-15", "latin-9", "latin9"], b"\xa4 Z\xfcge", "€ Züge"),
        (&["iso-8859-2", "latin2", "8859_2"], b"\xb3\xf3d\xbc", "łódź"),
        (&["windows-1250", "cp1250", "cp-1250"], b"\x8achody", "Šchody"),
        (&["windows-1251", "cp1251", "win-1251", "windows1251"], b"\xd5\xee\xe4", "Ход"),
        (&["koi8-r", "KOI8R", "koi8_r"], b"\xe8\xcf\xc4", "Ход"),
        (&["iso-8859-5"], b"\xc5\xde\xd4", "Ход"),
        (&["ks_c_5601-1987", "euc-kr", "cp949", "ksc5601"], b"\xc7\xd1", "한"),
        (&["gb2312", "gbk", "gb18030", "cp936", "x-gbk"], b"\xd6\xd0", "中"),
        (&["big5", "x-big5", "big5-hkscs", "cp950"], b"\xa4\xa4", "中"),
        (
            &["shift_jis", "x-sjis", "sjis", "shift-jis", "cp932", "windows-31j", "ms932"],
            b"\x82\xa0",
            "あ",
        ),
        (&["euc-jp", "x-euc-jp", "eucjp"], b"\xa4\xa2", "あ"),
        (&["iso-2022-jp", "csISO2022JP"], b"\x1b$B$\"\x1b(B", "あ"),
        (&["utf-7", "unicode-1-1-utf-7"], b"Z+APw-ge", "Züge"),
        (
            &["utf-8", "utf8", "UTF_8", "unicode", "\"utf-8\"", "'utf-8'", "utf-8;", "x-utf-8"],
            "Züge".as_bytes(),
            "Züge",
        ),
        (
            &[
                "unknown-8bit",
                "x-unknown",
                "default",
                "us-ascii",
                "ascii",
                "x-user-defined",
                "",
                "nonsense",
                "binary",
            ],
            "Züge".as_bytes(),
            "Züge",
        ),
        (&["unknown-8bit", "x-unknown", "us-ascii", "", "nonsense", "utf-8"], b"Z\xfcge", "Züge"),
        (&["macintosh", "x-mac-roman"], b"Z\x9fge", "Züge"),
        (&["cp850", "ibm850"], b"Z\x81ge", "Züge"),
        (&["cp437", "ibm437"], b"Z\x81ge", "Züge"),
    ];
    let mut wrong = Vec::new();
    for (labels, bytes, text) in cases {
        for label in *labels {
            let head = format!(
                "From: ann@example.org\nSubject: x\nContent-Type: text/plain; charset={label}\n\n"
            );
            let got = read(&[head.as_bytes(), bytes, b"\n"].concat()).3;
            if got != *text {
                wrong.push(format!("{label}: {got:?}, not {text:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_read_is_named() {
    let office = Office::new();
    for (kind, body, aside) in [
        (
            "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
            "AAAA",
            "encrypted text",
        ),
        (
            "multipart/encrypted; boundary=b",
            "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n\
             -----BEGIN PGP MESSAGE-----\n--b--",
            "encrypted text",
        ),
        (
            "text/plain",
            "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----",
            "encrypted text",
        ),
        (
            "multipart/mixed; boundary=b",
            "--b\nContent-Type: application/ms-tnef; name=winmail.dat\n\nAAAA\n--b--",
            "attachment winmail.dat, which only Outlook",
        ),
        (
            "multipart/mixed; boundary=b",
            "--b\nContent-Type: image/jpeg; name=\"card.jpg\"\n\nAAAA\n--b--",
            "attachment card.jpg, a picture",
        ),
        (
            "multipart/mixed; boundary=b",
            "--b\nContent-Type: application/pdf; name=scan.pdf\n\nAAAA\n--b--",
            "attachment scan.pdf, which is not read",
        ),
        (
            "multipart/mixed; boundary=b",
            "--b\nContent-Type: message/rfc822\n\nFrom: x@y\n\nI resign\n--b--",
            "forwarded message",
        ),
    ] {
        let raw = format!("From: ann@example.org\nSubject: x\nContent-Type: {kind}\n\n{body}\n");
        let read = office.read(raw.as_bytes());
        assert_eq!(read.text, "", "{kind}");
        assert!(
            read.set_aside.iter().any(|a| a.starts_with(aside)),
            "{kind}: {:?}",
            read.set_aside
        );
    }
    let signed = "From: ann@example.org\nSubject: x\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n12. Nf3\n\
                  - -- \nAnn\n-----BEGIN PGP SIGNATURE-----\n\niHUE\n-----END PGP SIGNATURE-----\n";
    sound(signed, "x", "12. Nf3");
}
