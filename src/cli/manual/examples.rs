//! An example or two for each command: what is typed behind `knightmail`, and what comes of it.

/// A line that can be typed, and what it does.
pub(super) type Example = (&'static str, &'static str);

/// The examples by command, in the order of `--help`.
pub(super) const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "init",
        &[
            ("init club", "Makes the folder club a home for the 2019 Golden Knights."),
            ("init cup --event GK2019", "The same, by the id of the tournament."),
        ],
    ),
    (
        "run",
        &[
            (
                "--home club run",
                "Runs until it is told to stop (SIGTERM). SIGHUP reads the configuration anew.",
            ),
            (
                "--home club run --once",
                "One pass, for a timer; exit code 1 when something went wrong on the way.",
            ),
        ],
    ),
    (
        "check",
        &[(
            "check",
            "Names everything that is wrong, and how to mend it; exit code 0 when all is well.",
        )],
    ),
    (
        "read",
        &[
            ("read mail.eml", "Says what the mail is understood to say, and why."),
            ("read - --json", "The same for a mail from standard input, for a program."),
        ],
    ),
    (
        "show",
        &[
            ("show game 19N04 3-1", "Shows the game of seats 3 and 1, with its board and history."),
            ("show letter L42", "Prints letter L42 as it was sent."),
        ],
    ),
    ("crosstable", &[("crosstable 19N04", "Prints the crosstable of section 19N04.")]),
    (
        "standings",
        &[("standings GK2019 --worked", "Prints the standings and how each total comes about.")],
    ),
    ("prizes", &[("prizes GK2019", "Prints who wins what, as things stand.")]),
    ("docket", &[("docket", "Lists what waits for you, the oldest first, with the choices.")]),
    (
        "rule",
        &[(
            "rule D7 warn --reason \"first time\"",
            "Decides item D7; the reason is told to those whom it concerns.",
        )],
    ),
    (
        "direct",
        &[
            ("direct payment GK2019 12345678 25.00", "Confirms a payment."),
            (
                "direct withdraw 12345678 --reason \"by telephone\"",
                "Withdraws a player from everything.",
            ),
            (
                "direct undo 123 --reason \"wrong player\"",
                "Takes back transaction 123, if nothing has followed from it.",
            ),
        ],
    ),
    (
        "import",
        &[(
            "import roster members.csv",
            "Takes the members in, or names every bad row and takes none.",
        )],
    ),
    ("letters", &[("letters --json", "Lists every letter and what became of it, for a program.")]),
    (
        "preview",
        &[
            ("preview assignment", "Shows the letter with made-up players."),
            (
                "preview assignment --source > templates/assignment.txt",
                "Begins a wording of your own.",
            ),
        ],
    ),
    (
        "deliver",
        &[(
            "deliver --from \"$SENDER\" --to \"$RECIPIENT\"",
            "Takes one mail; the next pass reads it.",
        )],
    ),
    (
        "status",
        &[
            ("status", "Tells what was read last, what waits, and what is out of reach."),
            (
                "status --json --expect-daemon",
                "The same for monitoring; exit code 1 needs a person.",
            ),
        ],
    ),
    ("login", &[("login google", "Signs in with the provider [oauth.google] of knightmail.toml.")]),
    (
        "keys",
        &[
            ("keys list", "Tells how many reply keys there are, and how old."),
            ("keys rotate", "Puts a new one first and keeps four old ones."),
            ("keys rotate --keep 0", "Keeps no old one: somebody may have seen reply.keys."),
        ],
    ),
    ("resend", &[("resend L42", "Sends letter L42 once more, the same bytes.")]),
    ("why", &[("why 19N04 3-1", "Tells the rule, the mails and the rulings behind a result.")]),
    ("agenda", &[("agenda --days 30", "Tells what the next month brings if nothing arrives.")]),
    ("audit", &[("audit", "Goes through all books; exit code 1 when an account does not add up.")]),
    (
        "forget",
        &[
            ("forget 12345678 --reason \"his letter of 3 May\"", "Tells what would be erased."),
            ("forget 12345678 --reason \"his letter of 3 May\" --yes", "Erases it."),
        ],
    ),
    (
        "simulate",
        &[(
            "simulate --seed 7 --entries 50",
            "Plays a championship of 50 entries in seconds and checks it.",
        )],
    ),
    (
        "demo",
        &[("demo", "Shows in a minute what the program does, in a folder that is thrown away.")],
    ),
    ("completions", &[("completions bash > knightmail", "Writes the completions for bash.")]),
];
