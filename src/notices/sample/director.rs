//! What came of the director's mails in the made-up books: a transcript, and lines that wait for his word (Rule 7).

use super::{
    day,
    notices::{Sample, sample, thread},
};
use crate::domain::{
    docket::About,
    notice::{Facts, Recipient},
    transcript::{HeldLines, ReadLine, Transcript},
};

/// Adds the notices about the director's mails.
pub(super) fn add(all: &mut Vec<Sample>) {
    let mut add = |variant, facts| {
        all.push(sample(variant, Recipient::Director, About::default(), facts, Some(thread())));
    };
    add("", Facts::Transcript(Transcript { lines: lines(), unread: 0 }));
    let unknown = |line: &&str| said(line, &["This is no command and does nothing."]);
    let greetings = ["Dear all,", "how are you?", "It rains here.", "And there?", "Vera"];
    let lines = greetings.iter().map(unknown).collect();
    add("unread", Facts::Transcript(Transcript { lines, unread: 2 }));
    add(
        "",
        Facts::DirectorConfirm(HeldLines {
            mail: "sha256:5f3c".to_owned(),
            lines: vec![
                "D12 forfeit: no answer since 12 May".to_owned(),
                "withdraw 10000004: he asked for it".to_owned(),
            ],
            until: day(2019, 7, 1),
        }),
    );
}

fn lines() -> Vec<ReadLine> {
    let table = "19N04  started 2019-02-04\n 1  Adams, Ann     . 1 -\n 2  Brook, Ben     0 . -";
    vec![
        ReadLine {
            act: Some(214),
            ..said(
                "result 19N04 3-1 1-0 adjudicated: bare king",
                &[
                    "19N04 3-1: ruled 1-0 by adjudication: bare king (Rule 7).",
                    "2 letters follow and wait until 09:30: ruling to Ann Adams, ruling to Clara Dunn.",
                    "`undo 214` takes it back.",
                ],
            )
        },
        said(
            "forfeit 19N04 1-2 white",
            &["Not done: it does not say how. Write it like `forfeit 19N04 3-1 white time: why`."],
        ),
        ReadLine { shown: table.to_owned(), ..said("crosstable 19N04", &[]) },
        said("Best regards, Vera", &["This is no command and does nothing."]),
    ]
}

fn said(line: &str, said: &[&str]) -> ReadLine {
    let said = said.iter().map(|&sentence| sentence.to_owned()).collect();
    ReadLine { line: line.to_owned(), said, ..ReadLine::default() }
}
