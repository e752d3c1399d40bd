//! P1 and P8: waiting mail taken in, durable, decided and answered.

use crate::{
    club::{self, Club, Mail},
    measure,
};
use knightmail::{
    config::Config,
    domain::command::{Command, Moment},
    office::books::Books,
};
use mail_parser::MessageParser;
use std::{fs, path::Path, time::Duration};

/// Games that are reported by both players take half of the mails; a section has 21.
const MAILS_PER_SECTION: usize = 80;

/// Prints mails a second, syncs and processor time a mail, and how they grow with their number.
pub(crate) fn run(count: usize) {
    let mut sizes = Vec::new();
    for count in [count / 4, count / 2, count] {
        let folder = tempfile::tempdir().expect("a folder");
        let (club, mails) = made(count);
        let syncs_a_second = measure::sync_rate(folder.path());
        let home = folder.path().join("home");
        make_home(&home, &club, &mails);
        let cpu = measure::children_cpu();
        let (time, ()) = measure::timed(|| measure::knightmail(&home, &["run", "--once"]));
        let cpu = measure::children_cpu().saturating_sub(cpu);
        measure::knightmail(&home, &["audit"]);
        let each = cpu.as_secs_f64() * 1e6 / count as f64;
        println!(
            "intake: {count} mails in {time:.2?} = {:.0} mails/s, {each:.0} us of CPU a mail; \
             plain syncs {syncs_a_second:.0}/s",
            measure::rate(count, time)
        );
        sizes.push((count, cpu));
        if sizes.len() == 3 {
            let traced = folder.path().join("traced");
            make_home(&traced, &club, &mails);
            if let Some(syncs) = measure::count_syncs(&traced, &["run", "--once"]) {
                let goal = count / 32 + 20;
                println!("intake: {syncs} syncs for {count} mails (must: {goal} at most)");
            }
            let alone = parsed_alone(&mails).as_secs_f64() * 1e6 / count as f64;
            println!("intake: mail-parser alone takes {alone:.1} us a mail: {:.1} x", each / alone);
        }
    }
    println!("intake: CPU grows with exponent {:.2}", measure::exponent(&sizes));
}

pub(crate) fn made(count: usize) -> (Club, Vec<Mail>) {
    let club = Club::new(count / MAILS_PER_SECTION + 1);
    let mails = club::mails(&club, count, 2019);
    (club, mails)
}

/// Makes a home with a club in its books and mails in its inbox.
fn make_home(home: &Path, club: &Club, mails: &[Mail]) {
    measure::run(
        std::process::Command::new(env!("CARGO_BIN_EXE_knightmail")).arg("init").arg(home),
    );
    for (what, csv) in [("roster", club.roster_csv()), ("sections", club.sections_csv())] {
        let path = home.join(format!("{what}.csv"));
        fs::write(&path, csv).expect("a file can be written");
        measure::knightmail(home, &["import", what, path.to_str().expect("plain")]);
    }
    let inbox = home.join("mail/in/new");
    for (number, mail) in mails.iter().enumerate() {
        let name = format!("{}.M{number:06}.bench", mail.arrived.timestamp());
        fs::write(inbox.join(name), &mail.bytes).expect("a file can be written");
    }
    measure::sync_rate(home);
}

/// Parse, text and four headers with mail-parser and nothing else.
pub(crate) fn parsed_alone(mails: &[Mail]) -> Duration {
    let parser = MessageParser::default();
    let parse = || {
        let mut found = 0;
        for mail in mails {
            let Some(message) = parser.parse(&mail.bytes) else { continue };
            found += message.body_text(0).map_or(0, |text| text.len());
            found += usize::from(message.from().is_some()) + usize::from(message.to().is_some());
            found +=
                usize::from(message.subject().is_some()) + usize::from(message.date().is_some());
        }
        found
    };
    measure::timed(parse).0.min(measure::timed(parse).0)
}

/// Takes a club into the books.
pub(crate) fn adopt(books: &mut Books, config: &Config, club: &Club) {
    let mut commands = vec![Command::ListPlayers(club.members.clone())];
    commands.extend((0..club.sections).map(|section| crate::journal::adopted(club, section)));
    let at = club::instant(0);
    let now = Moment { at, today: config.house.day(at) };
    for command in commands {
        for event in knightmail::domain::decide::decide(&config.rules, &books.state, now, &command)
        {
            books.apply(&event);
        }
    }
}
