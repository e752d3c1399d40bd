//! `deliver`: takes one mail from a mail server that pipes it in (an alias, a transport, a delivery hook). The mail is
//! laid durably into the home's spool and read by the next pass, as from any mailbox: nothing is locked, nothing is
//! understood here, and many may deliver at once. What the envelope said is put before the mail.
//!
//! The exit codes are those of sysexits.h, by which mail servers decide: 75 is tried again, the others but 0 go back to
//! the sender. So everything that may be mended is 75.

use super::{Done, Failure, Global, home};
use crate::{
    config::service::FILE,
    digest::Digest,
    fault::Fault,
    limits,
    mailbox::{maildir, spool},
    store::atomic,
};
use chrono::{DateTime, Utc};
use std::{
    io::{self, Read as _},
    path::Path,
};

/// Take one mail from standard input, for a mail server's alias or transport.
///
/// The mail is safe when this ends with exit code 0; the next pass of `run` reads it. The exit codes are those of
/// sysexits.h, by which mail servers decide what becomes of a mail.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The envelope's sender; `<>` or nothing for a report or an automatic answer, which is never answered
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,
    /// The envelope's recipient, with the sub-address behind `+` that tells which letter is answered
    #[arg(long, value_name = "ADDRESS")]
    to: Vec<String>,
}

/// What mail servers are told, in the words of each.
pub(super) const SETUP: &str = "\
Run it as the user that owns the home.

Postfix, main.cf:
  recipient_delimiter = +
  transport_maps = hash:/etc/postfix/transport
Postfix, transport:
  knights@example.org   knightmail:
Postfix, master.cf:
  knightmail unix - n n - 4 pipe flags=q user=knightmail null_sender=
    argv=/usr/bin/knightmail --home /var/lib/knightmail deliver --from ${sender} --to ${recipient}
/etc/aliases, of any of them:
  knights: \"|/usr/bin/knightmail --home /var/lib/knightmail deliver\"
Exim, a transport:
  knightmail:
    driver = pipe
    command = /usr/bin/knightmail --home /var/lib/knightmail \\
      deliver --to $local_part$local_part_suffix@$domain
    user = knightmail
    return_path_add
    delivery_date_add
    temp_errors = *
Sieve (pipe):
  pipe \"knightmail\" [\"--home\", \"/var/lib/knightmail\", \"deliver\"];";

/// EX_USAGE.
pub(super) const USAGE: u8 = 64;
/// EX_DATAERR.
const DATA: u8 = 65;
/// EX_TEMPFAIL.
const AGAIN: u8 = 75;
/// EX_CONFIG.
const CONFIG: u8 = 78;

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let envelope = envelope(args)?;
    let home = home::find(global).map_err(|failure| Failure::Exit(CONFIG, failure.to_string()))?;
    if !home.join(FILE).is_file() {
        // A disk that is not mounted looks the same; the mail must not go back to its sender for that.
        let what = format!("{} is no home, or is away", home.display());
        return Err(Failure::Exit(AGAIN, what));
    }
    let mail = read_mail()?;
    let now = global.now.unwrap_or_else(home::present);
    keep(&home, &lines(&envelope, &mail), now)
        .map_err(|fault| Failure::Exit(AGAIN, fault.to_string()))
}

/// Returns the fields that tell what the envelope said.
fn envelope(args: &Args) -> Result<Vec<String>, Failure> {
    let mut fields = Vec::new();
    if let Some(from) = &args.from {
        // Mail servers write the empty path in these ways.
        let null = matches!(from.trim(), "" | "<>" | "MAILER-DAEMON");
        let path = if null { "" } else { bare("--from", from)? };
        fields.push(format!("Return-Path: <{path}>"));
    }
    for to in &args.to {
        fields.push(format!("Delivered-To: {}", bare("--to", to)?));
    }
    Ok(fields)
}

/// Returns an address without its brackets.
fn bare<'a>(option: &str, address: &'a str) -> Result<&'a str, Failure> {
    let text = address.trim();
    let text = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(text);
    let odd = |c: char| c.is_control() || matches!(c, '<' | '>');
    if text.is_empty() || text.len() > limits::ADDRESS_BYTES || text.contains(odd) {
        let what = format!(
            "{option}: {address:?} is no address\n  hint: give what the envelope has, on one line"
        );
        return Err(Failure::Exit(USAGE, what));
    }
    Ok(text)
}

fn read_mail() -> Result<Vec<u8>, Failure> {
    let mut mail = Vec::new();
    let most = limits::DELIVER_BYTES as u64;
    io::stdin()
        .lock()
        .take(most + 1)
        .read_to_end(&mut mail)
        .map_err(|error| Failure::Exit(AGAIN, format!("cannot read standard input: {error}")))?;
    if mail.len() as u64 > most {
        return Err(Failure::Exit(DATA, format!("the mail is larger than {most} bytes")));
    }
    if mail.trim_ascii().is_empty() {
        return Err(Failure::Exit(DATA, "no mail came on standard input".to_owned()));
    }
    Ok(mail)
}

/// Returns the mail with the envelope's fields before it, in place of the line `From ` that some mail servers put there.
fn lines(envelope: &[String], mail: &[u8]) -> Vec<u8> {
    let end = first_line(mail);
    let mail = if mail.starts_with(b"From ") { &mail[end..] } else { mail };
    let crlf = mail[..first_line(mail)].ends_with(b"\r\n");
    let mut all = Vec::with_capacity(mail.len() + 200);
    for field in envelope {
        all.extend(field.bytes());
        all.extend(if crlf { &b"\r\n"[..] } else { &b"\n"[..] });
    }
    all.extend(mail);
    all
}

/// Returns where the first line ends, its end with it.
fn first_line(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// Lays a mail into the spool; it is durable when this answers. Its name is like no other's, whoever delivers beside us,
/// and tells when it came.
fn keep(home: &Path, mail: &[u8], now: DateTime<Utc>) -> Result<(), Fault> {
    let root = home.join(spool::FOLDER);
    maildir::create(&root)?;
    let (seconds, micros) = (now.timestamp(), now.timestamp_subsec_micros());
    let digest = &Digest::of(mail).hex()[..16];
    let name = format!("{seconds}.M{micros:06}P{}.{digest}", std::process::id());
    let (workshop, folder) = (root.join("tmp"), root.join("new"));
    let written = atomic::write_batch(&workshop, &folder, &[(name, mail)]);
    written.into_iter().collect()
}
