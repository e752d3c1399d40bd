//! STARTTLS (RFC 3207): the few words that are spoken in the open before TLS begins. A server that does not offer it gets
//! nothing from us, and what it says ahead of TLS is no answer to what we ask under it.

use crate::{
    fault::Fault,
    net::{
        ANSWER,
        account::Account,
        tls::{self, Stream},
    },
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};

/// Stands in for the greeting, which was spoken before TLS.
pub(super) const GREETING: &[u8] = b"220 secured\r\n";
/// The longest reply that is read in the open.
const REPLY_BYTES: usize = 16 * 1024;

/// Secures a connection that was just opened. `domain` is ours.
///
/// # Errors
/// The server does not offer TLS, does not begin it, or its certificate is not good.
pub(super) async fn upgrade(
    mut stream: Stream,
    account: &Account,
    domain: &str,
) -> Result<Stream, Fault> {
    let host = &account.host;
    let broken = |why: String| {
        let remedy =
            "check `port` and `tls` in knightmail.toml: 587 is \"starttls\", 465 \"implicit\"";
        Fault::passing(format!("{host}: {why}"), remedy)
    };
    expect(&mut stream, "220").await.map_err(broken)?;
    let offers = ask(&mut stream, &format!("EHLO {domain}\r\n"), "250").await.map_err(broken)?;
    let offered =
        |line: &str| line.get(4..).is_some_and(|o| o.trim().eq_ignore_ascii_case("STARTTLS"));
    if !offers.lines().any(offered) {
        let remedy = "set tls = \"implicit\" and port = 465 if the server has that; nothing is sent unsecured";
        return Err(Fault::passing(format!("{host} does not offer STARTTLS"), remedy));
    }
    ask(&mut stream, "STARTTLS\r\n", "220").await.map_err(broken)?;
    tls::secure(stream, account).await
}

async fn ask(stream: &mut Stream, command: &str, code: &str) -> Result<String, String> {
    stream.write_all(command.as_bytes()).await.map_err(|e| e.to_string())?;
    expect(stream, code).await
}

/// Reads one reply and nothing beyond it.
async fn expect(stream: &mut Stream, code: &str) -> Result<String, String> {
    let reply =
        timeout(ANSWER, read(stream)).await.map_err(|_| "no answer in time".to_owned())??;
    let begins = reply.lines().all(|line| line.starts_with(code));
    if begins { Ok(reply) } else { Err(reply.trim_end().to_owned()) }
}

async fn read(stream: &mut Stream) -> Result<String, String> {
    let (mut reply, mut part) = (Vec::new(), [0; 1024]);
    while !is_whole(&reply) {
        let count = stream.read(&mut part).await.map_err(|e| e.to_string())?;
        if count == 0 {
            return Err("the server closed the connection".to_owned());
        }
        reply.extend_from_slice(&part[..count]);
        if reply.len() > REPLY_BYTES {
            return Err("the server's reply has no end".to_owned());
        }
    }
    let text = String::from_utf8_lossy(&reply).into_owned();
    // Whoever stands in the way could put answers here, to be believed later as if they came under TLS.
    let last = |line: &str| line.as_bytes().get(3) != Some(&b'-');
    if text.lines().filter(|line| last(line)).count() != 1 {
        return Err("the server said more than it was asked".to_owned());
    }
    Ok(text)
}

/// Tells whether the last line of a reply is there: its code is followed by a blank or nothing.
fn is_whole(reply: &[u8]) -> bool {
    let Some(lines) = reply.strip_suffix(b"\n") else { return false };
    let last = lines.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    last.get(3) != Some(&b'-')
}
