//! Letters on paper: a text file a letter in the print folder (`L000042.txt`), for a person to print and post. That it
//! lies there is all we can know, so the outcome is `Printed`.

use super::{Outgoing, Transport, maildir::outcome};
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

    fn try_deliver(&self, letters: &[Outgoing]) -> Result<Vec<DeliveryOutcome>, Fault> {
        let workshop = self.root.join(".tmp");
        atomic::make_folder(&workshop)?;
        let files: Vec<atomic::NamedFile<'_>> = letters.iter().map(file).collect();
        let written = atomic::write_batch(&workshop, &self.root, &files).into_iter();
        Ok(written.map(|written| outcome(written, DeliveryOutcome::Printed)).collect())
    }
}

impl Transport for PrintFolder {
    fn deliver(&mut self, letters: &[Outgoing]) -> Vec<DeliveryOutcome> {
        self.try_deliver(letters)
            .unwrap_or_else(|fault| vec![DeliveryOutcome::Deferred(fault.what); letters.len()])
    }
}

/// The text for paper; where there is none, the message as it is.
fn file(letter: &Outgoing) -> atomic::NamedFile<'_> {
    let text = letter.paper.as_ref().map_or(&letter.bytes[..], |text| text.as_bytes());
    (file_name(letter.letter), text)
}

/// Returns the file name of a letter on paper: `L000042.txt`.
pub fn file_name(letter: LetterId) -> String {
    format!("L{:06}.txt", letter.0)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::letter, *};
    use std::fs;

    #[test]
    fn a_letter_on_paper_is_its_text_or_its_message() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("print");
        let on_paper = Outgoing { to: None, paper: Some("Dear Ann".to_owned()), ..letter(1) };
        let letters = [on_paper, letter(2)];
        for _ in 0..2 {
            let outcomes = PrintFolder::new(&root).deliver(&letters);
            assert_eq!(outcomes, vec![DeliveryOutcome::Printed; 2]);
        }
        assert_eq!(fs::read(root.join("L000001.txt")).unwrap(), b"Dear Ann");
        assert_eq!(fs::read(root.join("L000002.txt")).unwrap(), letters[1].bytes);
        let outcomes = PrintFolder::new(root.join("L000001.txt/x")).deliver(&letters);
        assert!(matches!(
            &outcomes[..],
            [DeliveryOutcome::Deferred(_), DeliveryOutcome::Deferred(_)]
        ));
    }
}
