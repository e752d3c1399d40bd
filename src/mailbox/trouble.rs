//! How a command to a mail server goes wrong: for the session it was said in, or with it.

use crate::fault::Fault;

/// Why a command came to nothing.
#[derive(Debug)]
pub(in crate::mailbox) enum Trouble {
    /// The server said no; the session goes on.
    Refused(Fault),
    /// The session is over.
    Lost(Fault),
}

impl Trouble {
    pub(in crate::mailbox) fn fault(self) -> Fault {
        match self {
            Self::Refused(fault) | Self::Lost(fault) => fault,
        }
    }
}
