//! P4: letters rendered, kept and queued; then delivered to a Maildir, every outcome recorded.

use crate::{
    club::{self, Club},
    intake, measure,
};
use knightmail::{
    config::Config,
    digest::Digest,
    domain::{
        docket::About,
        event::Topic,
        ids::{LetterId, SectionCode},
        notice::{Facts, Notice, Recipient},
        player::Player,
    },
    notices::{Desk, letter, render::Templates},
    office::books::Books,
    store::{Shelf, Store as _, files::FileStore},
    transport::{News, Outgoing, Transport, maildir::MaildirOut},
};

use std::ops::ControlFlow;

/// Letters that share a sync.
const BATCH: usize = 256;

/// Prints letters a second.
pub(crate) fn run(count: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let (config, club) = (Config::shipped(), Club::new(50));
    let mut books = Books::default();
    intake::adopt(&mut books, &config, &club);
    let templates = Templates::shipped();
    let desk = Desk {
        house: &config.house,
        rules: &config.rules,
        state: &books.state,
        templates: &templates,
        now: club::instant(0),
        counts: None,
    };
    let mut store = FileStore::open(folder.path()).expect("a temporary folder");
    store.catch_up(&mut |_| ()).expect("nothing is there");
    let (time, letters) = measure::timed(|| {
        let mut letters = Vec::with_capacity(count);
        for number in 0..count {
            let player = &club.members[number % (club.sections * 7)];
            letters.push(write(number, player, &desk, &mut store));
            if number % BATCH == BATCH - 1 {
                store.commit().expect("the disk works");
            }
        }
        store.commit().expect("the disk works");
        letters
    });
    let rate = measure::rate(count, time);
    println!("letters: {count} rendered and kept in {time:.2?} = {rate:.0} letters/s");

    let mut maildir = MaildirOut::new(folder.path().join("out"));
    let (time, sent) = measure::timed(|| {
        letters.chunks(BATCH).map(|batch| deliver(&mut maildir, batch)).sum::<usize>()
    });
    let (rate, syncs) = (measure::rate(sent, time), measure::sync_rate(folder.path()));
    println!(
        "letters: {sent} delivered to a Maildir in {time:.2?} = {rate:.0} letters/s; \
         plain syncs {syncs:.0}/s"
    );
}

/// Delivers a batch and counts the outcomes that are told.
fn deliver(way: &mut dyn Transport, batch: &[Outgoing]) -> usize {
    let mut count = 0;
    let told = way.deliver(batch, &mut |news| {
        if let News::Outcomes(records) = news {
            count += records.len();
        }
        Ok(ControlFlow::Continue(()))
    });
    told.expect("nobody objects");
    count
}

/// Writes a letter: every third is an assignment sheet, the longest that there is.
fn write(number: usize, player: &Player, desk: &Desk<'_>, store: &mut FileStore) -> Outgoing {
    let section = SectionCode(Club::code(number % 350 / 7));
    let facts = match number % 3 {
        0 => Facts::Assignment { section, takes_over: false },
        1 => Facts::SectionComplete { section },
        _ => Facts::Help { topic: Topic::Help, section: None },
    };
    let to = Recipient::Player(player.member.clone());
    let id = LetterId(number as u64 + 1);
    let letter = letter::write(&Notice { to, about: About::default(), facts }, id, None, desk);
    let letter = letter.expect("the shipped templates work");
    let digest = Digest::of(&letter.bytes);
    store.keep(Shelf::Letters, desk.now, digest, &letter.bytes).expect("the disk works");
    Outgoing { letter: id, to: letter.to, from: None, bytes: letter.bytes, paper: None }
}
