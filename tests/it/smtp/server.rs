//! A mail server that does what it is told: polite by itself, with the answers of a script in place of its own. It notes
//! every line it hears and every letter it takes.

use std::{
    collections::VecDeque,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Barrier, Mutex},
    thread,
};

/// What a script may say in the place of an answer: hang up without a word.
pub(super) const CUT: &str = "CUT";

/// An answer in the place of the polite one.
#[derive(Clone)]
struct Scripted {
    /// What the line begins with; `greeting` and `.` stand for the beginning and the final dot.
    line: &'static str,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
    forever: bool,
}

/// A server.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) port: u16,
    heard: Arc<Mutex<Vec<(usize, String)>>>,
    letters: Arc<Mutex<Vec<Vec<u8>>>>,
    script: Arc<Mutex<Vec<Scripted>>>,
    meeting: Option<Arc<Barrier>>,
}

impl Server {
    /// Starts a server whose answer to EHLO offers these.
    pub(super) fn offering(offers: &'static str) -> Self {
        Self::start(offers, None)
    }

    /// Starts a server that takes no letter before two connections have one for it.
    pub(super) fn for_two() -> Self {
        Self::start("", Some(Arc::new(Barrier::new(2))))
    }

    fn start(offers: &'static str, meeting: Option<Arc<Barrier>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, letters, script) = (Arc::default(), Arc::default(), Arc::default());
        let server = Self { port, heard, letters, script, meeting };
        let serving = server.clone();
        thread::spawn(move || {
            for (number, stream) in (1..).zip(listener.incoming()) {
                let (server, stream) = (serving.clone(), stream.unwrap());
                thread::spawn(move || server.serve(number, &stream, offers));
            }
        });
        server
    }

    /// Answers a line that begins so with this, always.
    pub(super) fn always(self, line: &'static str, answer: &'static str) -> Self {
        self.scripted(line, &[answer], true)
    }

    /// Answers a line that begins so with these, one after the other, and politely from then on.
    pub(super) fn then(self, line: &'static str, answers: &[&'static str]) -> Self {
        self.scripted(line, answers, false)
    }

    fn scripted(self, line: &'static str, answers: &[&'static str], forever: bool) -> Self {
        let answers = Arc::new(Mutex::new(answers.iter().copied().collect()));
        self.script.lock().unwrap().push(Scripted { line, answers, forever });
        self
    }

    /// Returns what was said on a connection, without the letters; 0 means on all.
    pub(super) fn heard(&self, connection: usize) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        let of = heard.iter().filter(|(number, _)| connection == 0 || *number == connection);
        of.map(|(_, line)| line.clone()).collect()
    }

    /// Returns how many connections there were on which anything was said.
    pub(super) fn connections(&self) -> usize {
        self.heard.lock().unwrap().iter().map(|(number, _)| *number).max().unwrap_or(0)
    }

    /// Returns the letters as they came over the wire, dots and all, without the final one.
    pub(super) fn letters(&self) -> Vec<String> {
        let letters = self.letters.lock().unwrap();
        letters.iter().map(|letter| String::from_utf8_lossy(letter).into_owned()).collect()
    }

    fn answer(&self, line: &str, polite: &str) -> String {
        for scripted in self.script.lock().unwrap().iter().filter(|s| line.starts_with(s.line)) {
            let mut answers = scripted.answers.lock().unwrap();
            let next =
                if scripted.forever { answers.front().copied() } else { answers.pop_front() };
            if let Some(answer) = next {
                return answer.to_owned();
            }
        }
        polite.to_owned()
    }

    /// Talks to one client until it leaves or the script hangs up.
    fn serve(&self, number: usize, stream: &TcpStream, offers: &str) -> Option<()> {
        let mut lines = BufReader::new(stream);
        Self::say(stream, &self.answer("greeting", "220 mail.example.net ready"))?;
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end().to_owned();
            self.heard.lock().unwrap().push((number, line.clone()));
            let polite = match line.split([' ', ':']).next().unwrap_or_default() {
                "EHLO" => format!("250-mail.example.net\r\n{offers}250 HELP"),
                "AUTH" => "235 2.7.0 welcome".to_owned(),
                "DATA" => "354 go ahead".to_owned(),
                "QUIT" => "221 bye".to_owned(),
                _ => "250 2.0.0 ok".to_owned(),
            };
            let answer = self.answer(&line, &polite);
            Self::say(stream, &answer)?;
            if line == "DATA" && answer.starts_with("354") {
                self.take_letter(stream, &mut lines)?;
            }
            if line == "QUIT" || answer.starts_with("421") {
                return None;
            }
        }
    }

    fn take_letter(&self, stream: &TcpStream, lines: &mut BufReader<&TcpStream>) -> Option<()> {
        let mut letter = Vec::new();
        loop {
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line).ok().filter(|count| *count > 0)?;
            if line == b".\r\n" {
                break;
            }
            letter.extend_from_slice(&line);
        }
        if let Some(meeting) = &self.meeting {
            meeting.wait();
        }
        self.letters.lock().unwrap().push(letter);
        Self::say(stream, &self.answer(".", "250 2.0.0 queued"))
    }

    fn say(mut stream: &TcpStream, answer: &str) -> Option<()> {
        if answer == CUT {
            stream.shutdown(std::net::Shutdown::Both).ok()?;
            return None;
        }
        stream.write_all(format!("{answer}\r\n").as_bytes()).ok()
    }
}
