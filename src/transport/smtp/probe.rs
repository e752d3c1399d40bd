//! A visit to the server that sends nothing: everything up to the recipient, taken back. `check` says by it what is wrong
//! before the first letter has to wait.

use super::{
    Smtp,
    crew::not_for_us,
    replies,
    session::{No, Session},
};
use crate::{fault::Fault, net};

impl Smtp {
    /// Connects, proves who we are, and asks whether a letter from our address to `to` would be taken.
    ///
    /// # Errors
    /// What is wrong, and what mends it: out of reach, certificate, no STARTTLS, login, sender, recipient.
    pub fn probe(&self, to: &str) -> Result<(), Fault> {
        let runtime = net::runtime()?;
        let asked = runtime.block_on(self.ask(to));
        runtime.shutdown_background();
        asked
    }

    async fn ask(&self, to: &str) -> Result<(), Fault> {
        let (host, from) = (&self.desk.account.host, &self.desk.address);
        let mut session = Session::open(&self.desk).await?;
        let asked = session.rehearse(from, to).await;
        session.quit().await;
        let (line, no) = match asked {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        match &no {
            No::Refused { code, text } if replies::is_ours_to_mend(*code, text) => {
                Err(not_for_us(host, text))
            }
            No::Refused { .. } | No::Lost(_) => {
                let remedy = "read its words; `address` must belong to the account, and the recipient must exist";
                Err(Fault::passing(format!("{host} does not take `{line}`: {no}"), remedy))
            }
        }
    }
}
