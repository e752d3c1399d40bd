//! Connections: TCP with a time limit and without delay, and TLS over it. The only door to rustls. What is wrong with a
//! certificate is said in words that an operator can act on.

use super::{
    CONNECT,
    account::{Account, Tls},
};
use crate::fault::Fault;
use std::{
    io,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        CertificateError, ClientConfig, Error as TlsError, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};

/// A connection to a server.
#[derive(Debug)]
pub enum Stream {
    /// Open to everybody on the way.
    Plain(TcpStream),
    /// Secured.
    Tls(Box<TlsStream<TcpStream>>),
}

/// Connects to an account's server; with TLS where it begins with the first byte.
///
/// # Errors
/// The server is out of reach, or its certificate is not good.
pub async fn connect(account: &Account) -> Result<Stream, Fault> {
    let server = format!("{}:{}", account.host, account.port);
    let dialled = timeout(CONNECT, TcpStream::connect((account.host.as_str(), account.port)));
    let tcp = match dialled.await {
        Ok(Ok(tcp)) => tcp,
        Ok(Err(error)) => return Err(unreachable(&server, &error.to_string())),
        Err(_) => return Err(unreachable(&server, "no answer in time")),
    };
    // Commands are small; without this each waits for the acknowledgement of the one before it.
    tcp.set_nodelay(true).map_err(|e| unreachable(&server, &e.to_string()))?;
    let stream = Stream::Plain(tcp);
    if account.tls == Tls::Implicit { secure(stream, account).await } else { Ok(stream) }
}

/// Puts TLS over an open connection, as after STARTTLS.
///
/// # Errors
/// The certificate is not good, or the server breaks off.
pub async fn secure(stream: Stream, account: &Account) -> Result<Stream, Fault> {
    let Stream::Plain(tcp) = stream else { return Ok(stream) };
    let config = client(account.ca.as_deref())?;
    let name = ServerName::try_from(account.host.clone()).map_err(|_| {
        Fault::passing(
            format!("`{}` is no name of a server", account.host),
            "mend it in knightmail.toml",
        )
    })?;
    let agreed = timeout(CONNECT, TlsConnector::from(config).connect(name, tcp));
    match agreed.await {
        Ok(Ok(tls)) => Ok(Stream::Tls(Box::new(tls))),
        Ok(Err(error)) => Err(refused(account, &error)),
        Err(_) => Err(unreachable(&account.host, "it does not agree on TLS in time")),
    }
}

fn client(ca: Option<&Path>) -> Result<Arc<ClientConfig>, Fault> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(system_roots());
    if let Some(path) = ca {
        let remedy = "name a file of certificates in PEM, or take the key `ca` out";
        let bad = |e: String| Fault::passing(format!("{}: {e}", path.display()), remedy);
        let found = CertificateDer::pem_file_iter(path).map_err(|e| bad(e.to_string()))?;
        for certificate in found {
            let certificate = certificate.map_err(|e| bad(e.to_string()))?;
            roots.add(certificate).map_err(|e| bad(e.to_string()))?;
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| Fault::passing(format!("TLS: {e}"), "please report it"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Returns the authorities that this system believes.
pub(super) fn system_roots() -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_native_certs().certs
}

fn unreachable(server: &str, why: &str) -> Fault {
    let remedy = "check host and port in knightmail.toml, the network, and whether the server runs";
    Fault::passing(format!("{server} is out of reach: {why}"), remedy)
}

/// Says what is wrong with a certificate, and what mends it.
fn refused(account: &Account, error: &io::Error) -> Fault {
    let inner = error.get_ref().and_then(|e| e.downcast_ref::<TlsError>());
    let (why, remedy) = match inner {
        Some(TlsError::InvalidCertificate(bad)) => certificate(bad),
        _ => (
            format!("TLS was not agreed on ({error})"),
            "check `port` and `tls`: 993, 995 and 465 are \"implicit\", 143, 110 and 587 \"starttls\"",
        ),
    };
    Fault::passing(format!("{}: {why}", account.host), remedy)
}

fn certificate(bad: &CertificateError) -> (String, &'static str) {
    const A_DAY: u64 = 24 * 60 * 60;
    match bad {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            let since = match bad {
                CertificateError::ExpiredContext { time, not_after } => {
                    let days = time.as_secs().saturating_sub(not_after.as_secs()) / A_DAY;
                    format!(", {days} days ago")
                }
                _ => String::new(),
            };
            let remedy = "have the server's certificate renewed; if it is good, the clock of this machine is wrong";
            (format!("its certificate has run out{since}"), remedy)
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => (
            "its certificate is not good yet".to_owned(),
            "look whether the clock of this machine is right (`timedatectl`)",
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            let names = match bad {
                // They come as `DnsName("mail.example.org")`.
                CertificateError::NotValidForNameContext { presented, .. } => presented
                    .iter()
                    .map(|name| name.split('"').nth(1).unwrap_or(name))
                    .collect::<Vec<_>>()
                    .join(", "),
                _ => String::new(),
            };
            (
                format!("its certificate is for another name: {names}"),
                "write a name of the certificate as `host`, if it is the right server",
            )
        }
        CertificateError::UnknownIssuer => (
            "nobody known has signed its certificate".to_owned(),
            "name the certificate of the authority as `ca`, or check that it is the right server",
        ),
        // A certificate that has signed itself as an authority does not serve as a server's.
        other if format!("{other:?}").contains("CaUsedAsEndEntity") => (
            "its certificate is an authority's own and no server's".to_owned(),
            "have one made for the server, signed by an authority, and name that one as `ca`",
        ),
        other => {
            (format!("its certificate is not good ({other})"), "check the server's certificate")
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(tcp) => Pin::new(tcp).poll_read(cx, buf),
            Self::Tls(tls) => Pin::new(tls).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(tcp) => Pin::new(tcp).poll_write(cx, bytes),
            Self::Tls(tls) => Pin::new(tls).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(tcp) => Pin::new(tcp).poll_flush(cx),
            Self::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Self::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        }
    }
}
