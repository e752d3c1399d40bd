//! Letters through a program that takes mail as sendmail does: a small shell script in its place.

use crate::world;
use knightmail::{
    domain::ids::LetterId,
    store::transaction::DeliveryOutcome::{self, Deferred, MaybeSent, Refused, Sent},
    transport::{
        News, Outgoing, Transport as _,
        sendmail::{self, Sendmail},
    },
};
use std::{fs, ops::ControlFlow, os::unix::fs::PermissionsExt as _, path::PathBuf, time::Duration};

struct Program {
    folder: tempfile::TempDir,
}

impl Program {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = Self { folder };
        let head = format!("#!/bin/sh\ncd {}\n", program.folder.path().display());
        world::write(&program.path(), format!("{head}{script}\n").as_bytes());
        fs::set_permissions(program.path(), fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("sendmail")
    }

    fn said(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn deliver(
        &self,
        letters: &[Outgoing],
        limit: Duration,
    ) -> (Vec<DeliveryOutcome>, Vec<String>) {
        let (mut outcomes, mut troubles) = (Vec::new(), Vec::new());
        let mut way =
            Sendmail::new(self.path(), "knights@example.org".to_owned()).with_limit(limit);
        let done = way.deliver(letters, &mut |news| {
            match news {
                News::Outcomes(records) => outcomes.extend(records.into_iter().map(|r| r.outcome)),
                News::Trouble(fault) => troubles.push(fault.to_string()),
                News::AtWork => {}
            }
            Ok(ControlFlow::Continue(()))
        });
        done.unwrap();
        (outcomes, troubles)
    }
}

fn letter(number: u64, to: &str) -> Outgoing {
    Outgoing {
        letter: LetterId(number),
        to: Some(to.to_owned()),
        from: Some("knights+l1.01@example.org".to_owned()),
        bytes: b"Subject: x\r\n\r\nHello\r\n.\r\nend\r\n".to_vec(),
        paper: None,
    }
}

const LONG: Duration = Duration::from_mins(2);

#[test]
fn the_program_gets_the_envelope_as_words_and_the_letter_with_unix_lines() {
    let program = Program::new("printf '%s\\n' \"$@\" > words; cat > letter");
    let odd = Outgoing { from: None, ..letter(2, "-oQ/tmp@example.net") };
    let (outcomes, troubles) = program.deliver(&[letter(1, "ann@example.net")], LONG);
    assert_eq!((outcomes, troubles.len()), (vec![Sent], 0));
    assert_eq!(program.said("words"), "-i\n-f\nknights+l1.01@example.org\n--\nann@example.net\n");
    assert_eq!(program.said("letter"), "Subject: x\n\nHello\n.\nend\n");
    program.deliver(&[odd], LONG);
    assert_eq!(program.said("words"), "-i\n-f\nknights@example.org\n--\n-oQ/tmp@example.net\n");
}

#[test]
fn how_it_ends_says_what_became_of_the_letter() {
    let program = Program::new(
        "cat > /dev/null; echo \"about $5\" >&2\n\
         case $5 in nouser*) exit 67;; nohost*) exit 68;; later*) exit 75;; odd*) exit 65;; esac",
    );
    let to = ["nouser", "nohost", "later", "odd", "ann"].map(|name| format!("{name}@example.net"));
    let letters: Vec<_> = (1..).zip(&to).map(|(number, to)| letter(number, to)).collect();
    let (outcomes, troubles) = program.deliver(&letters, LONG);
    assert!(matches!(&outcomes[..], [Refused(_), Refused(_), Deferred(_), Deferred(_), Sent]));
    assert_eq!(outcomes[0], Refused("exit code 67: about nouser@example.net".to_owned()));
    assert!(troubles.is_empty());
}

#[test]
fn a_mail_system_that_does_not_run_tries_no_letter_and_is_told_once() {
    let program = Program::new("echo 'the queue is not there' >&2; exit 69");
    let letters = [letter(1, "ann@example.net"), letter(2, "ben@example.net")];
    let (outcomes, troubles) = program.deliver(&letters, LONG);
    assert!(outcomes.is_empty());
    assert!(
        matches!(&troubles[..], [one] if one.contains("the queue is not there")),
        "{troubles:?}"
    );
    fs::remove_file(program.path()).unwrap();
    let (outcomes, troubles) = program.deliver(&letters, LONG);
    assert!(outcomes.is_empty() && troubles.len() == 1, "{troubles:?}");
    assert!(sendmail::probe(&program.path()).is_err());
}

#[test]
fn a_program_that_does_not_end_is_stopped() {
    let program = Program::new("exec sleep 600");
    let letters = [letter(1, "ann@example.net"), letter(2, "ben@example.net")];
    let (outcomes, troubles) = program.deliver(&letters, Duration::from_millis(50));
    assert!(matches!(&outcomes[..], [MaybeSent(why)] if why.contains("too long")), "{outcomes:?}");
    assert_eq!(troubles.len(), 1);
}
