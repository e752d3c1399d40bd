//! Letters on paper: a PDF a letter in the print folder (`L000042.pdf`), for a person to print and post. That it
//! lies there is all we can know, so the outcome is `Printed`.

use super::{Outgoing, Told, Transport};
use crate::{
    domain::ids::LetterId, fault::Fault, store::atomic, store::transaction::DeliveryOutcome,
};
use std::path::PathBuf;

/// A folder that letters on paper are put into.
#[derive(Debug)]
pub struct PrintFolder {
    root: PathBuf,
}

impl PrintFolder {
    /// Names the folder; it is made at the first delivery.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn try_deliver(
        &self,
        letters: &[Outgoing],
    ) -> Result<Vec<Result<DeliveryOutcome, Fault>>, Fault> {
        let workshop = self.root.join(".tmp");
        atomic::make_folder(&workshop)?;
        let files: Vec<atomic::NamedFile<'_>> = letters.iter().map(file).collect();
        let written = atomic::write_batch(&workshop, &self.root, &files).into_iter();
        Ok(written.map(|written| written.map(|()| DeliveryOutcome::Printed)).collect())
    }
}

impl Transport for PrintFolder {
    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault> {
        let outcomes =
            self.try_deliver(letters).unwrap_or_else(|fault| vec![Err(fault); letters.len()]);
        super::tell(letters, outcomes, told)
    }
}

/// The pages; where there are none, the message as it is.
fn file(letter: &Outgoing) -> atomic::NamedFile<'_> {
    match &letter.paper {
        Some(pages) => (file_name(letter.letter), pages),
        None => (format!("{}.eml", stem(letter.letter)), &letter.bytes),
    }
}

/// Returns the file name of a letter on paper: `L000042.pdf`.
pub fn file_name(letter: LetterId) -> String {
    format!("{}.pdf", stem(letter))
}

fn stem(letter: LetterId) -> String {
    format!("L{:06}", letter.0)
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{letter, outcomes},
        *,
    };
    use std::fs;

    #[test]
    fn a_letter_on_paper_is_its_pages_or_its_message() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("print");
        let on_paper = Outgoing { to: None, paper: Some(b"%PDF".to_vec()), ..letter(1) };
        let letters = [on_paper, letter(2)];
        for _ in 0..2 {
            let heard = outcomes(&mut PrintFolder::new(&root), &letters);
            assert_eq!(heard, vec![DeliveryOutcome::Printed; 2]);
        }
        assert_eq!(fs::read(root.join("L000001.pdf")).unwrap(), b"%PDF");
        assert_eq!(fs::read(root.join("L000002.eml")).unwrap(), letters[1].bytes);
        let heard = outcomes(&mut PrintFolder::new(root.join("L000001.pdf/x")), &letters);
        assert!(matches!(&heard[..], [DeliveryOutcome::Deferred(_), DeliveryOutcome::Deferred(_)]));
    }
}
