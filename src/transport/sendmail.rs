//! Letters through a program that takes mail as sendmail does: `PROGRAM -i -f REVERSE-PATH -- RECIPIENT`, the letter on
//! its standard input with LF line ends. How it ends says what became of the letter, by the numbers of sysexits.h.
//!
//! One letter at a time: such a program only puts it into its own queue, which takes milliseconds.

use super::{News, Outgoing, Told, Transport};
use crate::{
    fault::Fault,
    store::transaction::{DeliveryOutcome, DeliveryRecord},
};
use std::{
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long the program may take over one letter.
const LIMIT: Duration = Duration::from_mins(2);
/// How often it is looked whether it has ended, and how often it is said that we wait.
const LOOK: Duration = Duration::from_millis(10);
const PULSE: Duration = Duration::from_secs(5);
/// What is kept of the program's words.
const WORDS_BYTES: u64 = 2000;

/// Numbers of sysexits.h.
const EX_NOUSER: i32 = 67;
const EX_NOHOST: i32 = 68;

/// A program that takes letters.
#[derive(Debug)]
pub struct Sendmail {
    program: PathBuf,
    /// The reverse-path of a letter that has none of its own.
    address: String,
    limit: Duration,
}

/// What became of one letter, and whether the way out is blocked for the others too.
enum Ended {
    Done(DeliveryOutcome),
    Blocked(Fault),
    Hung(String),
}

impl Sendmail {
    /// Names the program; `address` is ours.
    pub fn new(program: impl Into<PathBuf>, address: String) -> Self {
        Self { program: program.into(), address, limit: LIMIT }
    }

    /// Sets how long the program may take over one letter.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    fn send(&self, letter: &Outgoing, told: Told<'_>) -> Result<Ended, Fault> {
        let to = letter.to.as_deref().unwrap_or_default();
        if !to.contains('@') || to.contains(|c: char| c.is_control() || c.is_whitespace()) {
            let why = "553 5.1.3 its address cannot stand on an envelope";
            return Ok(Ended::Done(DeliveryOutcome::Refused(why.to_owned())));
        }
        let from = letter.from.as_deref().unwrap_or(&self.address);
        let mut command = Command::new(&self.program);
        command.args(["-i", "-f", from, "--", to]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                return Ok(Ended::Blocked(Fault::io("run", &self.program, &error)));
            }
        };
        let (status, words) = self.attend(child, &with_line_feeds(&letter.bytes), told)?;
        Ok(match status {
            Some(status) => self.judge(status, &words),
            None => {
                Ended::Hung(format!("{} took too long and was stopped", self.program.display()))
            }
        })
    }

    /// Feeds the program and waits for its end; no status: it was killed for taking too long.
    fn attend(
        &self,
        mut child: Child,
        bytes: &[u8],
        told: Told<'_>,
    ) -> Result<(Option<ExitStatus>, String), Fault> {
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        thread::scope(|scope| {
            // It may end without reading all; its number says why.
            scope.spawn(move || input.map(|mut pipe| pipe.write_all(bytes)));
            let words = scope.spawn(move || {
                let mut words = Vec::new();
                let mut pipe = errors?;
                pipe.by_ref().take(WORDS_BYTES).read_to_end(&mut words).ok()?;
                io::copy(&mut pipe, &mut io::sink()).ok()?;
                Some(
                    String::from_utf8_lossy(&words)
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" "),
                )
            });
            let waited = self.wait(&mut child, told);
            if !matches!(waited, Ok(Some(_))) {
                let _ = child.kill();
                let _ = child.wait();
            }
            let words = words.join().ok().flatten().unwrap_or_default();
            Ok((waited?, words))
        })
    }

    fn wait(&self, child: &mut Child, told: Told<'_>) -> Result<Option<ExitStatus>, Fault> {
        let started = Instant::now();
        let mut pulse = started;
        while started.elapsed() < self.limit {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(Some(status)),
                Ok(None) => thread::sleep(LOOK),
                Err(error) => return Err(Fault::io("wait for", &self.program, &error)),
            }
            if pulse.elapsed() > PULSE {
                // Whoever wants it to end waits for this letter; it has its time limit.
                let _ = told(News::AtWork)?;
                pulse = Instant::now();
            }
        }
        Ok(None)
    }

    fn judge(&self, status: ExitStatus, words: &str) -> Ended {
        let why = |end: String| if words.is_empty() { end } else { format!("{end}: {words}") };
        match status.code() {
            Some(0) => Ended::Done(DeliveryOutcome::Sent),
            Some(code @ (EX_NOUSER | EX_NOHOST)) => {
                Ended::Done(DeliveryOutcome::Refused(why(format!("exit code {code}"))))
            }
            Some(code @ (69 | 71..=74 | 77 | 78)) => {
                self.blocked(&why(format!("exit code {code}, {}", meaning(code))))
            }
            Some(code) => {
                let end = format!("exit code {code}, {}", meaning(code));
                Ended::Done(DeliveryOutcome::Deferred(why(end)))
            }
            None => Ended::Done(DeliveryOutcome::Deferred(why(status.to_string()))),
        }
    }

    fn blocked(&self, why: &str) -> Ended {
        Ended::Blocked(Self::trouble(&format!("{} takes no letter: {why}", self.program.display())))
    }

    fn trouble(what: &str) -> Fault {
        let remedy = "try it by hand as the user that runs knightmail; the letters wait";
        Fault::passing(what, remedy)
    }
}

impl Transport for Sendmail {
    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault> {
        for letter in letters {
            let record =
                |outcome| News::Outcomes(vec![DeliveryRecord { letter: letter.letter, outcome }]);
            let heard = match self.send(letter, told)? {
                Ended::Done(outcome) => told(record(outcome))?,
                Ended::Blocked(fault) => return told(News::Trouble(fault)).map(drop),
                Ended::Hung(why) => {
                    let _ = told(record(DeliveryOutcome::MaybeSent(why.clone())))?;
                    return told(News::Trouble(Self::trouble(&why))).map(drop);
                }
            };
            if heard.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Returns whether a program can be run at all: it is there, and a file that may be executed.
///
/// # Errors
/// It is not.
pub fn probe(program: &Path) -> Result<(), Fault> {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = program.metadata().map_err(|e| Fault::io("find", program, &e))?;
    if meta.is_file() && meta.permissions().mode() & 0o111 != 0 {
        return Ok(());
    }
    let what = format!("{} is no program", program.display());
    Err(Fault::passing(what, "name one as `path` of [transport], often /usr/sbin/sendmail"))
}

fn meaning(code: i32) -> &'static str {
    match code {
        64 => "it does not know these options",
        65 => "it does not take the letter as it is",
        69 => "its mail system does not run",
        70 => "an error inside of it",
        71..=74 => "the system does not let it work",
        75 => "not now",
        76 => "it does not understand the next mail system",
        77 => "it may not send for us",
        78 => "its configuration is wrong",
        _ => "which says nothing",
    }
}

/// Unix programs end their lines with LF; sendmail makes CRLF of it again on the wire.
fn with_line_feeds(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            None => text.extend_from_slice(line),
        }
    }
    text
}
