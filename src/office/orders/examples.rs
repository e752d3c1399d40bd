//! What can be ordered by mail, with an example each: the list that `help` brings, and the right form that is shown beside
//! a line that is not quite one. Each example is read by the grammar in a test.

/// A line that can be written: its first word, an example, and what it does.
pub(super) struct Example {
    /// The first word.
    pub(super) verb: &'static str,
    /// The line.
    pub(super) line: &'static str,
    /// What it does.
    pub(super) does: &'static str,
}

const fn example(verb: &'static str, line: &'static str, does: &'static str) -> Example {
    Example { verb, line, does }
}

/// All of them, in the order of the list.
pub(super) const EXAMPLES: &[Example] = &[
    example(
        "rule",
        "D12 forfeit: no answer since 12 May",
        "decides an item of the docket; so does its choice's number",
    ),
    example(
        "result",
        "result 19N04 3-1 1-0 adjudicated: bare king",
        "fixes a result, also one that stands",
    ),
    example(
        "forfeit",
        "forfeit 19N04 3-1 white time: the second overstep",
        "who loses: white, black or both; how: time, silence, withdrawal, administrative",
    ),
    example(
        "adjudicate",
        "adjudicate 19N04 3-1 1/2-1/2: opposite bishops",
        "ends a game that is not finished",
    ),
    example(
        "withdraw",
        "withdraw 12345678 from 19N04: his own wish",
        "from a section, a tournament, or all that he plays",
    ),
    example("died", "died 12345678", "his opponents are told, his games come before you"),
    example(
        "leave",
        "leave 12345678 2019-06-01 to 2019-06-14: hospital",
        "stops his clocks, both days included",
    ),
    example(
        "substitute",
        "substitute 19N04 seat 5 GK2019-031: the other left",
        "gives a seat to an entry that waits",
    ),
    example("take", "take GK2019-031: nobody else has 4", "sends an entry on to the next round"),
    example(
        "entry",
        "enter GK2019 12345678 2019-03-01 2 entries paid",
        "a paper entry with its postmark",
    ),
    example("payment", "pay GK2019 12345678 25.00 2019-03-04: check 118", "confirms a fee"),
    example(
        "entries-assigned",
        "entries-assigned GK2019 121: the sheets are lost",
        "how many entries were assigned",
    ),
    example("address", "address 12345678 ann@example.org", "his letters go there from now on"),
    example("renew", "renew 12345678 2021-12-31", "until when his membership runs"),
    example(
        "apart",
        "apart 12345678 23456789",
        "they are kept in different sections; `lift` behind it: no longer",
    ),
    example("merge", "merge 23456789 into 12345678", "two records of the roster become one"),
    example(
        "undo",
        "undo 214: the wrong game",
        "takes an act back, by its number or its item (D12)",
    ),
    example("resend", "resend L42", "sends a letter once more"),
    example(
        "preview",
        "preview D12 forfeit",
        "before any of these, or alone above them: what they would bring about; nothing is changed",
    ),
    example("docket", "docket", "lists what waits for you"),
    example("standings", "standings GK2019", "the standings of a tournament"),
    example("crosstable", "crosstable 19N04", "the table of a section"),
    example(
        "show",
        "show GK2019-031",
        "an entry, a member, a section, a game, an item or a letter",
    ),
    example("status", "status", "how mails, letters and docket stand"),
    example("help", "help", "this list"),
    example("end", "end", "what stands below is not read"),
];

/// Returns the right form of a kind of line.
pub(super) fn of(verb: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|example| example.verb == verb).map(|example| example.line)
}

/// Returns the list as a text.
pub(super) fn list() -> String {
    let mut text = String::from("One order a line; what stands behind a colon is the reason.\n");
    for Example { line, does, .. } in EXAMPLES {
        text.push('\n');
        text.push_str(line);
        text.push_str("\n    ");
        text.push_str(does);
        text.push('\n');
    }
    text
}
