//! P4: letters delivered by SMTP to a sink that takes everything, every outcome in the journal; against Python's smtplib,
//! which writes nothing down, to the same sink.

use crate::measure;
use knightmail::{
    domain::ids::LetterId,
    net::{
        account::{Account, Tls},
        secret::Keyring,
    },
    store::{
        Store as _,
        files::FileStore,
        transaction::{Cause, DeliveryRecord, Transaction},
    },
    transport::{News, Outgoing, Transport as _, smtp::Smtp},
};
use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    ops::ControlFlow,
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

/// Letters that the office hands over at once.
const BATCH: usize = knightmail::limits::DELIVERY_BATCH;
/// Rounds, the two in turn; the best of each counts.
const ROUNDS: usize = 3;

/// What Python sends, from a file of letters that are apart by a line of one form feed.
const PEER: &str = r"
import smtplib, sys, time
letters = open(sys.argv[2], 'rb').read().split(b'\f\n')
start = time.perf_counter()
with smtplib.SMTP('127.0.0.1', int(sys.argv[1])) as server:
    for number, letter in enumerate(letters):
        server.sendmail('knights@example.org', [f'p{number}@example.net'], letter)
print(time.perf_counter() - start)
";

/// Prints letters a second of both, and the ratio.
pub(crate) fn run(count: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let letters: Vec<Outgoing> = (1..=count).map(letter).collect();
    let port = sink();
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    let mut syncs = 0;
    for round in 0..ROUNDS {
        let home = folder.path().join(round.to_string());
        let (time, commits) = measure::timed(|| deliver(port, &letters, &home));
        (ours, syncs) = (ours.min(time), commits);
        theirs = theirs.min(peer(port, &letters, folder.path()));
    }
    let (rate, peer) = (measure::rate(count, ours), measure::rate(count, theirs));
    let plain = measure::sync_rate(folder.path());
    println!(
        "delivery: {count} by SMTP, every outcome recorded, in {ours:.2?} = {rate:.0} letters/s; \
         {syncs} commits, plain syncs {plain:.0}/s"
    );
    println!(
        "delivery: smtplib sends them in {theirs:.2?} = {peer:.0} letters/s: {:.1} x",
        rate / peer
    );
}

fn letter(number: usize) -> Outgoing {
    let mut text =
        format!("Message-ID: <l{number}.0123@example.org>\r\nSubject: Your game\r\n\r\n");
    for line in 0..40 {
        let _ =
            write!(text, "Line {line} of a letter that says what was played and what is due.\r\n");
    }
    Outgoing {
        letter: LetterId(number as u64),
        to: Some(format!("p{number}@example.net")),
        from: Some(format!("knights+l{number}.0123@example.org")),
        bytes: text.into_bytes(),
        paper: None,
    }
}

/// Delivers as the office does: what is told is in the journal and synced before more is heard. Returns the commits.
fn deliver(port: u16, letters: &[Outgoing], home: &Path) -> usize {
    fs::create_dir_all(home).expect("a temporary folder");
    let mut store = FileStore::open(home).expect("a temporary folder");
    store.catch_up(&mut |_| ()).expect("nothing is there");
    let account =
        Account { host: "127.0.0.1".to_owned(), port, tls: Tls::Off, ca: None, login: None };
    let keyring = Keyring { folder: home.to_owned() };
    let mut smtp = Smtp::new(account, 2, keyring, "knights@example.org".to_owned());
    let (mut seq, mut known) = (0, 0);
    let mut record = |outcomes: Vec<DeliveryRecord>| {
        (seq, known) = (seq + 1, known + outcomes.len());
        let cause = Cause::Delivery { outcomes };
        let (events, at) = (Vec::new(), crate::club::instant(seq));
        store.append(&Transaction { seq, at, cause, events, letters: Vec::new() })?;
        store.commit()?;
        Ok(ControlFlow::Continue(()))
    };
    for batch in letters.chunks(BATCH) {
        let told = smtp.deliver(batch, &mut |news| match news {
            News::Outcomes(outcomes) => record(outcomes),
            News::Trouble(fault) => panic!("{fault}"),
            News::AtWork => Ok(ControlFlow::Continue(())),
        });
        told.expect("the disk works");
    }
    assert_eq!(known, letters.len(), "every letter has an outcome");
    usize::try_from(seq).expect("small")
}

fn peer(port: u16, letters: &[Outgoing], folder: &Path) -> Duration {
    let file = folder.join("letters");
    let bytes: Vec<&[u8]> = letters.iter().map(|letter| &letter.bytes[..]).collect();
    fs::write(&file, bytes.join(&b"\x0c\n"[..])).expect("a temporary folder");
    let mut python = Command::new("python3");
    let done = python.args(["-c", PEER, &port.to_string()]).arg(&file).output();
    let done = done.expect("python3 is there");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let seconds = String::from_utf8_lossy(&done.stdout).trim().parse().expect("seconds");
    Duration::from_secs_f64(seconds)
}

/// Starts a server that takes everything and keeps nothing; returns its port.
fn sink() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || swallow(&stream));
        }
    });
    port
}

fn swallow(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut lines, mut line, mut in_letter) = (BufReader::new(stream), Vec::new(), false);
    stream.write_all(b"220 sink\r\n")?;
    while lines.read_until(b'\n', &mut line)? > 0 {
        let answer: &[u8] = match (&line[..line.len().min(4)].to_ascii_uppercase()[..], in_letter) {
            (_, true) if line != b".\r\n" => b"",
            (b"DATA", false) => b"354 go ahead\r\n",
            (b"EHLO", false) => b"250-sink\r\n250-SIZE 1000000\r\n250 DSN\r\n",
            (b"QUIT", false) => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        in_letter = answer.is_empty() || answer.starts_with(b"354");
        stream.write_all(answer)?;
        line.clear();
    }
    Ok(())
}
