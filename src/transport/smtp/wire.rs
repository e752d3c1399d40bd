//! The connection as the dialogue sees it. It keeps three things right that the dialogue cannot: what has gone out (was it
//! the final dot?), bytes beyond ASCII in a reply, which would end the dialogue after the letter was taken, and the greeting
//! that is missing when TLS began in the middle.

use crate::net::tls::Stream;
use lettre::transport::smtp::client::AsyncTokioStream;
use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What ends a letter. Dots at the beginning of lines are doubled, so that it stands nowhere else.
const FINAL_DOT: &[u8] = b"\r\n.\r\n";

/// Whether the final dot of the letter in hand has gone out: from then on the server may have it.
#[derive(Clone, Debug, Default)]
pub(super) struct Dot(Arc<AtomicBool>);

impl Dot {
    /// Begins a letter.
    pub(super) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Tells whether it has gone out.
    pub(super) fn is_out(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct Wire {
    stream: Stream,
    /// What is read before anything that the server says.
    ahead: &'static [u8],
    dot: Dot,
}

impl Wire {
    /// Takes an open connection. `ahead` stands in for a greeting that was read already.
    pub(super) fn new(stream: Stream, ahead: &'static [u8], dot: Dot) -> Self {
        Self { stream, ahead, dot }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        if !wire.ahead.is_empty() {
            let (now, later) = wire.ahead.split_at(wire.ahead.len().min(buf.remaining()));
            buf.put_slice(now);
            wire.ahead = later;
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut wire.stream).poll_read(cx, buf))?;
        for byte in &mut buf.filled_mut()[before..] {
            if !byte.is_ascii() {
                *byte = b'?';
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        let written = ready!(Pin::new(&mut wire.stream).poll_write(cx, bytes))?;
        if bytes == FINAL_DOT && written > 0 {
            wire.dot.0.store(true, Ordering::Relaxed);
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        match &self.stream {
            Stream::Plain(tcp) => tcp.peer_addr(),
            Stream::Tls(tls) => tls.get_ref().0.peer_addr(),
        }
    }
}
