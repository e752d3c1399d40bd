//! `login`: walks the director through signing in at a provider, so that the program may read and send mail in his name.
//! The steps of the protocols stand in `net/oauth/signin.rs`; here are the words, the waiting, and the address that a
//! browser comes back to.

use super::{Done, Failure, Global, home::Home};
use crate::{
    fault::Fault,
    net::{
        oauth::{
            self, OAuth,
            signin::{self, Arrival, Journey, Prompt},
        },
        secret::Keyring,
    },
};
use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    thread,
    time::Duration,
};

/// How long a browser may take to send what it asks for.
const REQUEST: Duration = Duration::from_secs(5);

/// The longest request that is read.
const REQUEST_BYTES: u64 = 16 * 1024;

/// The port of the address that is pasted: nobody listens there.
const PASTE_PORT: u16 = 8400;

/// Sign in at a mail provider that takes no passwords, once
///
/// Google, Microsoft and others let a program read mail only after its owner has said so on their own web page. This
/// command takes you there: it prints an address, you open it in any browser, sign in as the owner of the mailbox, and
/// say yes. The provider then gives the program a key of its own (a "refresh token"), which is saved in the home as
/// secrets/NAME.refresh, for the home's owner alone. Your password is never seen here, and you can take the key back on
/// the provider's page at any time.
///
/// NAME is that of a table [oauth.NAME] in knightmail.toml. Where the table has device_url, you get a short code to type
/// in at the address shown, on any device. Else the browser is sent back to this machine at the end; where the browser
/// is on another machine, use --paste: the page that the browser ends at will not load, and you copy its address here.
///
/// Do it again when `knightmail check` or the log says so: after a change of password, or when the provider has ended
/// the sign-in. Run it as the user that runs knightmail.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The NAME of [oauth.NAME] in knightmail.toml
    #[arg(value_name = "NAME")]
    name: String,
    /// Read the address that the browser ends at from standard input: the browser is on another machine
    #[arg(long)]
    paste: bool,
    /// The port that the browser is sent back to; any that is free where the provider does not want a certain one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    let service = &home.config.service;
    let oauth = provider(service.providers.get(&args.name), args, &service.providers)?;
    let keyring = &service.keyring;
    if args.paste && oauth.authorize_url.is_some() {
        by_paste(oauth, keyring, args.port)?;
    } else if oauth.device_url.is_some() {
        signin::by_device(oauth, keyring, &mut show, &mut thread::sleep)?;
    } else {
        by_browser(oauth, keyring, args.port)?;
    }
    println!("Signed in. The key is saved in {}.", path(oauth, keyring));
    oauth::access_token(oauth, keyring, true)?;
    println!(
        "It works: {} gives access to the mail. `knightmail check` tries the rest.",
        oauth.name
    );
    Ok(())
}

fn provider<'a>(
    found: Option<&'a OAuth>,
    args: &Args,
    all: &std::collections::BTreeMap<String, OAuth>,
) -> Result<&'a OAuth, Failure> {
    let name = &args.name;
    let Some(oauth) = found else {
        let known: Vec<&str> = all.keys().map(String::as_str).collect();
        let hint = match known.as_slice() {
            [] => {
                "the sample knightmail.toml shows one for Google and one for Microsoft".to_owned()
            }
            known => format!("there are {}", known.join(", ")),
        };
        let what = format!("knightmail.toml has no table [oauth.{name}]\n  hint: {hint}");
        return Err(Failure::Usage(what));
    };
    if oauth.device_url.is_none() && oauth.authorize_url.is_none() {
        let what = format!(
            "knightmail.toml: [oauth.{name}] says nothing of where to sign in\n  hint: add \
             device_url or authorize_url; the provider's documents say what they are"
        );
        return Err(Failure::Usage(what));
    }
    Ok(oauth)
}

fn path(oauth: &OAuth, keyring: &Keyring) -> String {
    keyring.folder.join(oauth.refresh_name()).display().to_string()
}

fn show(prompt: &Prompt) {
    println!("Open this address in a browser, on any device:\n\n    {}\n", prompt.url);
    println!("and type in this code:\n\n    {}\n", prompt.code);
    if let Some(complete) = &prompt.complete {
        println!("Or open this one, which has the code in it:\n\n    {complete}\n");
    }
    println!("Sign in as the owner of the mailbox and say yes. Waiting {}.", minutes(prompt.lasts));
}

fn minutes(time: Duration) -> String {
    match time.as_secs() / 60 {
        0 => format!("{} seconds", time.as_secs()),
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// Reads where the browser has ended from standard input.
fn by_paste(oauth: &OAuth, keyring: &Keyring, port: Option<u16>) -> Done {
    let journey = Journey::begin(&redirect(port.unwrap_or(PASTE_PORT)))?;
    println!("Open this address in a browser:\n\n    {}\n", journey.url(oauth)?);
    println!(
        "Sign in as the owner of the mailbox and say yes. The browser then goes to a page that"
    );
    println!("does not load. Copy the address of that page from the browser and paste it here:");
    for line in io::stdin().lock().take(REQUEST_BYTES).lines() {
        match journey.arrival(oauth, &line?) {
            Arrival::Code(code) => return Ok(journey.finish(oauth, keyring, &code)?),
            Arrival::Refused(fault) => return Err(fault.into()),
            Arrival::Foreign => {
                println!(
                    "This is not the address that belongs to this sign-in. Once more, please:"
                );
            }
        }
    }
    let what = "no address was given\n  hint: it begins with http://127.0.0.1";
    Err(Failure::Person(what.to_owned()))
}

/// Waits for the browser, which is sent back to this machine (RFC 8252 section 7.3).
fn by_browser(oauth: &OAuth, keyring: &Keyring, port: Option<u16>) -> Done {
    let trouble = |e: io::Error| {
        let what = format!("no port to which the browser could be sent back: {e}");
        Fault::passing(what, "choose another --port, or use --paste")
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).map_err(trouble)?;
    let port = listener.local_addr().map_err(trouble)?.port();
    let journey = Journey::begin(&redirect(port))?;
    println!("Open this address in a browser on this machine:\n\n    {}\n", journey.url(oauth)?);
    println!(
        "Sign in as the owner of the mailbox and say yes. Waiting for the browser to come back;"
    );
    println!("Ctrl-C gives up. Is the browser on another machine? Then use --paste.");
    for stream in listener.incoming() {
        // A browser opens connections that it does not use, and asks for pictures too.
        let Some((stream, address)) = stream.ok().and_then(asked) else { continue };
        match journey.arrival(oauth, &address) {
            Arrival::Code(code) => {
                let done = journey.finish(oauth, keyring, &code);
                answer(stream, "200 OK", &page(done.as_ref().err()));
                return Ok(done?);
            }
            Arrival::Refused(fault) => {
                answer(stream, "200 OK", &page(Some(&fault)));
                return Err(fault.into());
            }
            Arrival::Foreign => answer(stream, "404 Not Found", "There is nothing here."),
        }
    }
    Err(Failure::Person("the browser did not come back".to_owned()))
}

fn redirect(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

fn page(trouble: Option<&Fault>) -> String {
    match trouble {
        None => "Signed in. You can close this page.".to_owned(),
        Some(_) => "The sign-in failed. Knightmail says why, where you started it.".to_owned(),
    }
}

/// Returns what a browser asks for: the path of its request.
fn asked(stream: TcpStream) -> Option<(TcpStream, String)> {
    stream.set_read_timeout(Some(REQUEST)).ok()?;
    stream.set_write_timeout(Some(REQUEST)).ok()?;
    let mut lines = BufReader::new((&stream).take(REQUEST_BYTES)).lines();
    let first = lines.next()?.ok()?;
    // The rest is read, so that the answer is not cut off by what is still on its way.
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    drop(lines);
    let mut words = first.split(' ');
    let path = (words.next() == Some("GET")).then(|| words.next()).flatten()?.to_owned();
    Some((stream, path))
}

fn answer(mut stream: TcpStream, status: &str, text: &str) {
    let length = text.len();
    // Whether the browser still listens changes nothing.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Length: {length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{text}"
    );
}
