//! The network: what the adapters of mail servers share. An account and how it proves who it is, secrets that are never
//! printed, TLS, and the one runtime that a blocking caller drives its connection with.
//!
//! Mailbox and transport speak the protocols; here nothing knows what a mail is.

pub mod account;
pub mod lines;
pub mod oauth;
pub mod sasl;
pub mod secret;
pub mod tls;

use crate::fault::Fault;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How long a server may take to accept a connection and to agree on TLS.
pub const CONNECT: Duration = Duration::from_secs(30);
/// How long a server may take to answer one command.
pub const ANSWER: Duration = Duration::from_mins(1);

/// Makes the runtime of one adapter. The office is called outside of every runtime, so that an adapter may wait in its own.
///
/// # Errors
/// The process cannot have what that needs.
pub fn runtime() -> Result<Runtime, Fault> {
    Builder::new_current_thread().enable_all().build().map_err(|e| {
        Fault::passing(format!("no runtime: {e}"), "look at the limits of the process")
    })
}
