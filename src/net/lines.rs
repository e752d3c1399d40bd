//! Lines over a connection, for protocols that are spoken in lines ended by CR LF. Every wait has its limit, and so has
//! what a server may make us keep.

use super::tls::Stream;
use std::{io, time::Duration};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    time::timeout,
};

/// The longest line, in bytes. Mail has shorter ones by RFC 5322 section 2.1.1, but not everybody has read that.
const LINE_BYTES: u64 = 16 * 1024 * 1024;

/// A connection that is spoken over in lines.
#[derive(Debug)]
pub struct Lines(BufReader<Stream>);

impl Lines {
    /// Speaks over a connection.
    pub fn new(stream: Stream) -> Self {
        Self(BufReader::new(stream))
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The connection is lost.
    pub async fn say(&mut self, line: &str, limit: Duration) -> io::Result<()> {
        let text = format!("{line}\r\n");
        let sent = async {
            self.0.write_all(text.as_bytes()).await?;
            self.0.flush().await
        };
        timeout(limit, sent).await?
    }

    /// Returns the next line without its end.
    ///
    /// # Errors
    /// The connection is lost, nothing came in time, or the line has no end.
    pub async fn hear(&mut self, limit: Duration) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut reader = (&mut self.0).take(LINE_BYTES);
        timeout(limit, reader.read_until(b'\n', &mut line)).await??;
        if line.pop() != Some(b'\n') {
            let kind = io::ErrorKind::UnexpectedEof;
            return Err(io::Error::new(kind, "it broke off in the middle of a line"));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(line)
    }

    /// Returns the connection, for TLS or for another protocol to go on with.
    ///
    /// # Errors
    /// The server has said more than it was asked. Before STARTTLS that may be somebody on the way who wants his words
    /// to be taken for the server's (RFC 3207 section 6 tells of it).
    pub fn into_stream(self) -> io::Result<Stream> {
        if self.0.buffer().is_empty() {
            return Ok(self.0.into_inner());
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "it spoke out of turn"))
    }
}
