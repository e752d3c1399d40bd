//! Letters that were written as mail and go on paper, because no address of their player works (Rule 10). What is printed
//! is a sheet like any other: without the marks for an answer by mail, with the address that the postman needs. A letter
//! that was written for paper in the first place is printed as it is: `deliveries.rs`.

use super::{Office, deliveries::on_paper};
use crate::{
    domain::{
        docket::About,
        ids::LetterId,
        notice::{NoticeName, Recipient},
    },
    mail::{self, Letters as _},
    notices::{
        Desk, letter,
        pages::{
            Paper,
            pdf::{self, Unprintable},
            sheet::{self, Sheet},
        },
        view::certificate,
    },
};

impl Office {
    /// Returns a letter as it is printed (PDF).
    ///
    /// # Errors
    /// Why it cannot be printed: a postal address that no font can write.
    pub(super) fn page(&self, letter: LetterId, bytes: &[u8]) -> Result<Vec<u8>, Unprintable> {
        let head = mail::message::head(bytes);
        let was_mail = mail::message::field_of(head, letter::PAPER).is_none();
        match self.books.about(letter).filter(|_| was_mail) {
            Some(about) => self.mail_on_paper(letter, &about, bytes),
            None => on_paper(letter, bytes, self.standing.templates.fonts()),
        }
    }

    fn mail_on_paper(
        &self,
        letter: LetterId,
        about: &About,
        bytes: &[u8],
    ) -> Result<Vec<u8>, Unprintable> {
        let super::Standing { house, rules, templates, .. } = &self.standing;
        let entry = self.books.letter(letter);
        let now = entry.map_or_else(|| self.doors.clock.now(), |entry| entry.queued);
        let state = &self.books.state;
        let desk = Desk { house, rules, state, templates, now, counts: None };
        let player = about.player.as_ref().and_then(|member| state.players.get(member));
        let to = about.player.clone().map_or(Recipient::Director, Recipient::Player);
        let subject = mail::message::subject(bytes);
        let text = letter::mail_as_sheet(&to, &subject, &mail::message::plain_text(bytes), &desk);
        let paper = Paper::of_country(player.and_then(|player| player.country.as_deref()));
        let number = format!("Letter {letter}");
        let sheet = Sheet { text: &text, paper, number: &number };
        let mut pages = sheet::pages(sheet, templates.fonts())?;
        let framed = entry.is_some_and(|e| e.notice == NoticeName::FramingCertificate);
        let enclosed = about.entry.as_ref().filter(|_| framed);
        let certificate = enclosed.and_then(|entry| certificate::of_entry(entry, &desk));
        pages.extend(certificate.and_then(|certificate| templates.certificate(&certificate).ok()));
        pdf::print(&number, &pages, templates.fonts())
    }
}
