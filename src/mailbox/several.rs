//! Several mailboxes as one: clubs have an address for each event, often with another provider. One that is out of reach
//! hides no other; its fault is told and the rest is read.

use super::{Arrival, Look, Mailbox, Waiting};
use crate::fault::Fault;
use std::collections::HashMap;

/// Several mailboxes.
pub struct Several {
    inboxes: Vec<Inbox>,
    /// Which of them a mail is in that the last look found.
    owners: HashMap<String, usize>,
}

/// One of several mailboxes.
pub struct Inbox {
    /// The name that the operator knows it by; empty: nobody is told of it.
    name: String,
    /// Why it could not be read at the last look.
    trouble: Option<String>,
    /// What stands before its keys, so that no two mails of different mailboxes have the same.
    prefix: String,
    mailbox: Box<dyn Mailbox>,
}

impl Several {
    /// Takes mailboxes.
    pub fn new(inboxes: Vec<Inbox>) -> Self {
        Self { inboxes, owners: HashMap::new() }
    }

    /// Hands each mailbox those of the mails that are its own.
    fn each(
        &mut self,
        arrivals: &[Arrival],
        act: impl Fn(&mut dyn Mailbox, &[Arrival]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut first_fault = Ok(());
        for (number, inbox) in self.inboxes.iter_mut().enumerate() {
            let own = arrivals.iter().filter(|a| self.owners.get(&a.key) == Some(&number));
            let own: Vec<Arrival> = own.map(|arrival| inbox.inner(arrival)).collect();
            if !own.is_empty() {
                let acted = act(inbox.mailbox.as_mut(), &own);
                first_fault = first_fault.and(acted);
            }
        }
        first_fault
    }
}

impl Inbox {
    /// Takes a mailbox, its name and what is put before its keys; nothing where they are different from all others'
    /// anyway.
    pub fn new(name: String, prefix: String, mailbox: Box<dyn Mailbox>) -> Self {
        Self { name, trouble: None, prefix, mailbox }
    }

    /// Returns a mail as its own mailbox knows it.
    fn inner(&self, arrival: &Arrival) -> Arrival {
        let key = arrival.key.strip_prefix(&self.prefix).unwrap_or(&arrival.key);
        Arrival { key: key.to_owned(), ..arrival.clone() }
    }
}

impl Mailbox for Several {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        self.owners.clear();
        let mut all = Waiting::default();
        for (number, inbox) in self.inboxes.iter_mut().enumerate() {
            match inbox.mailbox.waiting() {
                Ok(waiting) => {
                    let deaf = waiting.troubles.first().filter(|_| waiting.deaf);
                    inbox.trouble = deaf.map(|fault| fault.what.clone());
                    all.troubles.extend(waiting.troubles);
                    all.deaf |= waiting.deaf;
                    for mut arrival in waiting.arrivals {
                        arrival.key.insert_str(0, &inbox.prefix);
                        self.owners.insert(arrival.key.clone(), number);
                        all.arrivals.push(arrival);
                    }
                }
                Err(fault) => {
                    inbox.trouble = Some(fault.what.clone());
                    all.troubles.push(fault);
                    all.deaf = true;
                }
            }
        }
        // Stable: where nothing is stamped, the order of the mailboxes holds, and in each of them its own.
        all.arrivals.sort_by_key(|arrival| (arrival.stamped.is_none(), arrival.stamped));
        Ok(all)
    }

    fn looks(&self) -> Vec<Look> {
        let named = self.inboxes.iter().filter(|inbox| !inbox.name.is_empty());
        named.map(|it| Look { inbox: it.name.clone(), trouble: it.trouble.clone() }).collect()
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        let owner = self.owners.get(&arrival.key).copied();
        let Some(inbox) = owner.and_then(|number| self.inboxes.get_mut(number)) else {
            return Ok(None);
        };
        let inner = inbox.inner(arrival);
        inbox.mailbox.fetch(&inner)
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        self.each(arrivals, |mailbox, own| mailbox.file_away(own))
    }

    fn leave(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        self.each(arrivals, |mailbox, own| mailbox.leave(own))
    }
}
