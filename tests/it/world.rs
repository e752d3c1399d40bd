//! A world for the tests at the public door: a home in a temporary folder, the real binary, a clock that stands where
//! the test puts it. Nothing leaks in from outside: no environment, no present time, no zone but the home's own.

use serde_json::Value;
use std::{
    cell::Cell,
    ffi::OsStr,
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;

/// The columns of a roster, as the contract has them.
const ROSTER: &str = "member_id,name,email,country,state,rating,rating_date,expires\n";
/// Seven players, enough for a section, by falling rating: seat 1 is Ann's, seat 7 is Gina's.
pub(crate) const SEVEN: [&str; 7] = ["ann", "ben", "clara", "david", "edith", "frank", "gina"];

/// A home and the time it is there.
pub(crate) struct World {
    folder: TempDir,
    now: Cell<i64>,
    mails: Cell<u32>,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; -1 where a signal ended it.
    pub(crate) code: i32,
    /// Standard output, bytes as they came.
    pub(crate) out: Vec<u8>,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// Makes sure that the command ended with this code.
    #[track_caller]
    pub(crate) fn code(self, wanted: i32) -> Self {
        assert_eq!(self.code, wanted, "{}\n{}", self.err, String::from_utf8_lossy(&self.out));
        self
    }

    /// Makes sure that standard error says this.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "`{words}` is not in:\n{}", self.err);
        self
    }

    /// Returns standard output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// Returns standard output as JSON, one object a line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        let text = self.text();
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }

    /// Returns standard output as the one JSON object it is.
    #[track_caller]
    pub(crate) fn object(&self) -> Value {
        let mut lines = self.lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines.remove(0)
    }
}

impl World {
    /// Makes a home at 09:00 on 2 January 2019, Chicago time.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let world = Self { folder, now: Cell::new(0), mails: Cell::new(0) };
        world.at("2019-01-02T09:00:00-06:00");
        let home = world.home();
        bare(&["init", &home.display().to_string()], b"").code(0);
        world
    }

    /// Makes a home with the seven players in its roster, after its first pass.
    pub(crate) fn with_seven() -> Self {
        let world = Self::new();
        world.roster(&SEVEN.map(player)).code(0);
        world.pass();
        world
    }

    /// Makes a home in which the seven have entered, paid, and sit in 19N01.
    pub(crate) fn with_section() -> Self {
        let world = Self::with_seven();
        for name in SEVEN {
            world.receive(&entry_mail(name));
        }
        world.pass();
        let rows = SEVEN.map(|name| format!("GK2019,{},25.00,2019-01-03,check {name}", id(name)));
        world.import("payments", "event,member_id,amount,received,reference", &rows).code(0);
        world.at("2019-01-07T09:30:00-06:00");
        world.pass();
        world
    }

    /// Returns the home's folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Returns the path of something in the home.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home().join(name)
    }

    /// Makes it this time, RFC 3339.
    pub(crate) fn at(&self, instant: &str) {
        let at = chrono::DateTime::parse_from_rfc3339(instant).expect("an instant");
        self.now.set(at.timestamp());
    }

    /// Returns the time it is.
    pub(crate) fn now(&self) -> chrono::DateTime<chrono::Utc> {
        chrono::DateTime::from_timestamp_secs(self.now.get()).expect("an instant")
    }

    /// Returns a command of the program over this home.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = program();
        command.arg("--home").arg(self.home()).arg("--now").arg(self.now().to_rfc3339());
        command.args(args).current_dir(self.folder.path());
        command
    }

    /// Runs the program over this home.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        finish(self.command(args), b"")
    }

    /// Runs a command with `--json` and returns what it printed.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Vec<Value> {
        self.run(&[args, &["--json"]].concat()).code(0).lines()
    }

    /// The same for a command that prints one object.
    #[track_caller]
    pub(crate) fn object(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).code(0).object()
    }

    /// Makes one pass in which nothing goes wrong.
    #[track_caller]
    pub(crate) fn pass(&self) -> Ran {
        self.run(&["run", "--once"]).code(0)
    }

    /// Imports a roster.
    pub(crate) fn roster(&self, rows: &[String]) -> Ran {
        self.import("roster", ROSTER.trim_end(), rows)
    }

    /// Imports a CSV file of these rows.
    pub(crate) fn import(&self, kind: &str, header: &str, rows: &[String]) -> Ran {
        let file = self.csv(kind, header, rows);
        self.run(&["import", kind, file.to_str().expect("plain text")])
    }

    /// Writes a CSV file and returns where it is.
    pub(crate) fn csv(&self, name: &str, header: &str, rows: &[String]) -> PathBuf {
        let file = self.folder.path().join(format!("{name}.csv"));
        write(&file, format!("{header}\n{}\n", rows.join("\n")).as_bytes());
        file
    }

    /// Puts a mail into the mailbox; a second later than the one before. Returns its file name.
    pub(crate) fn receive(&self, mail: &Mail) -> String {
        self.receive_bytes(&mail.bytes(self.now(), self.mails.get()))
    }

    /// Puts bytes into the mailbox as a mail server would.
    pub(crate) fn receive_bytes(&self, bytes: &[u8]) -> String {
        let number = self.mails.replace(self.mails.get() + 1);
        let name = format!("{}.M{number:06}P1.mx", self.now.get());
        write(&self.path("mail/in/new").join(&name), bytes);
        name
    }

    /// Returns a game as the crosstable of 19N01 has it.
    pub(crate) fn game(&self, white: u8, black: u8) -> Value {
        let table = self.object(&["crosstable", "19N01"]);
        let games = table["games"].as_array().expect("a list of games");
        let game = games.iter().find(|g| g["white"] == white && g["black"] == black);
        game.expect("such a game").clone()
    }

    /// Returns what the audit says, which must be good.
    #[track_caller]
    pub(crate) fn audit(&self) -> Value {
        let audit = self.object(&["audit"]);
        assert_eq!((&audit["ok"], &audit["problems"]), (&true.into(), &Value::Array(vec![])));
        audit
    }

    /// Returns the letters that went to an address, the first one first.
    pub(crate) fn letters_to(&self, address: &str) -> Vec<Value> {
        let mut letters = self.json(&["letters"]);
        letters.retain(|letter| letter["to"] == address);
        letters
    }

    /// Returns the names of the notices that went to an address.
    pub(crate) fn notices_to(&self, address: &str) -> Vec<String> {
        let notice = |letter: &Value| letter["notice"].as_str().unwrap_or_default().to_owned();
        self.letters_to(address).iter().map(notice).collect()
    }

    /// Returns the docket's kinds, the oldest item first.
    pub(crate) fn docket(&self) -> Vec<String> {
        let kind = |item: &Value| item["kind"].as_str().unwrap_or_default().to_owned();
        self.json(&["docket"]).iter().map(kind).collect()
    }

    /// Returns the plain text of a letter.
    #[track_caller]
    pub(crate) fn letter_text(&self, letter: &str) -> String {
        let bytes = self.run(&["show", "letter", letter]).code(0).out;
        let parsed = mail_parser::MessageParser::default().parse(&bytes).expect("a letter");
        parsed.body_text(0).expect("its text").into_owned()
    }

    /// Returns the bytes of the journal.
    pub(crate) fn journal(&self) -> Vec<u8> {
        let mut all = Vec::new();
        let folder = self.path("store/journal");
        for file in folder.exists().then(|| files(&folder)).into_iter().flatten() {
            all.extend(fs::read(file).expect("a segment"));
        }
        all
    }
}

/// Runs the program without a home.
pub(crate) fn bare(args: &[&str], input: &[u8]) -> Ran {
    let mut command = program();
    command.args(args).current_dir(std::env::temp_dir());
    finish(command, input)
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knightmail"));
    command.env_clear().env("PATH", "/usr/bin:/bin");
    command
}

/// Runs a command to its end.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    // It may end without having read everything.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    feeding.join().expect("no panic");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran { code: output.status.code().unwrap_or(-1), out: output.stdout, err }
}

/// Collects what a child that is already running leaves behind.
pub(crate) fn end(mut child: Child) -> Ran {
    let status = child.wait().expect("the program ends");
    let (mut out, mut err) = (Vec::new(), String::new());
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut out).expect("its output");
    }
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_string(&mut err).expect("its words");
    }
    Ran { code: status.code().unwrap_or(-1), out, err }
}

/// Writes a file.
#[expect(clippy::disallowed_methods, reason = "a test's files may be half written")]
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Moves a file.
#[expect(clippy::disallowed_methods, reason = "a test's files may be half written")]
pub(crate) fn rename(from: &Path, to: &Path) {
    fs::rename(from, to).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
}

/// Returns the files of a folder in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = listed.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// Returns the member number of one of the seven.
pub(crate) fn id(name: &str) -> String {
    format!("2222220{}", SEVEN.iter().position(|n| *n == name).expect("one of the seven") + 1)
}

/// Returns the address of one of the seven.
pub(crate) fn address(name: &str) -> String {
    format!("{name}@example.org")
}

/// Returns the full name of one of the seven.
pub(crate) fn full_name(name: &str) -> String {
    let surnames = ["Adams", "Brook", "Dunn", "Eames", "Frost", "Gould", "Hale"];
    let place = SEVEN.iter().position(|n| *n == name).expect("one of the seven");
    format!("{}{} {}", name[..1].to_uppercase(), &name[1..], surnames[place])
}

/// Returns the roster's row of one of the seven.
pub(crate) fn player(name: &str) -> String {
    let place = SEVEN.iter().position(|n| *n == name).expect("one of the seven");
    let (id, full, address) = (id(name), full_name(name), address(name));
    format!("{id},{full},{address},US,IL,{},2018-12-01,2022-12-31", 2000 - 50 * place)
}

/// Returns a mail with which one of the seven enters.
pub(crate) fn entry_mail(name: &str) -> Mail {
    let id = id(name);
    Mail::of(name).subject("Entry").text(&format!(
        "Please enter me in the 2019 Golden Knights, 1 entry, ID {id}.\n\n{}\n",
        full_name(name)
    ))
}

/// Returns a mail with which one of the seven reports a result in the structured form.
pub(crate) fn result_mail(name: &str, game: &str, result: &str) -> Mail {
    Mail::of(name)
        .subject(&format!("19N01 {game}"))
        .text(&format!("Section: 19N01\nGame: {game}\nResult: {result}\n"))
}

/// A mail in the making.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    headers: Vec<(String, String)>,
    without: Vec<String>,
    text: Vec<u8>,
}

impl Mail {
    /// Begins a mail of one of the seven.
    pub(crate) fn of(name: &str) -> Self {
        Self::from(&format!("{} <{}>", full_name(name), address(name)))
    }

    /// Begins a mail of anybody.
    pub(crate) fn from(from: &str) -> Self {
        let to = "knights@example.org".to_owned();
        let headers = vec![("From".to_owned(), from.to_owned()), ("To".to_owned(), to)];
        Self { headers, without: Vec::new(), text: Vec::new() }
    }

    /// Sets its subject.
    pub(crate) fn subject(self, subject: &str) -> Self {
        self.header("Subject", subject)
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Leaves a header out.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.without.push(name.to_owned());
        self.headers.retain(|(n, _)| n != name);
        self
    }

    /// Sets its text.
    pub(crate) fn text(self, text: &str) -> Self {
        self.body(text.as_bytes())
    }

    /// Sets its body, whatever it is.
    pub(crate) fn body(mut self, body: &[u8]) -> Self {
        self.text = body.to_vec();
        self
    }

    /// Returns the mail as it is sent at a time.
    pub(crate) fn bytes(&self, at: chrono::DateTime<chrono::Utc>, number: u32) -> Vec<u8> {
        let usual = [
            ("Date", at.to_rfc2822()),
            ("Message-ID", format!("<m{number}.{}@mail.example.net>", at.timestamp())),
            ("MIME-Version", "1.0".to_owned()),
            ("Content-Type", "text/plain; charset=utf-8".to_owned()),
        ];
        let has = |name: &str| {
            self.headers.iter().any(|(n, _)| n == name) || self.without.iter().any(|n| n == name)
        };
        let mut mail = Vec::new();
        for (name, value) in usual.iter().filter(|(name, _)| !has(name)) {
            mail.extend(format!("{name}: {value}\r\n").bytes());
        }
        for (name, value) in &self.headers {
            mail.extend(format!("{name}: {value}\r\n").bytes());
        }
        mail.extend(b"\r\n");
        mail.extend(&self.text);
        mail
    }
}
