//! Mailboxes on servers, against a server that says what the test wants: what goes out to it, command by command, and
//! that nothing which it does hides a mail, loses one or tells a secret. Real servers are in tests/servers.

pub(crate) mod scripted;

use crate::world::{Mail, World, address, write};
use knightmail::mailbox::{
    Arrival, Mailbox, Waiting,
    imap::{ImapMailbox, watch::watch_with},
    memory::MemoryMailbox,
    several::{Inbox, Several},
};
use scripted::{CLOSE, HANG, PATIENCE, Rules, SHORT, Server, mail, on};
use std::{fs, sync::mpsc, time::Duration};

const DONE: &str = "TAG OK done\n";

fn imap(rules: Rules<'_>) -> (Server, ImapMailbox) {
    let server = Server::imap(rules);
    let mailbox = ImapMailbox::with_patience(server.place(), server.keyring(), PATIENCE);
    (server, mailbox)
}

fn into(done: &str, rules: Rules<'_>) -> (Server, ImapMailbox) {
    let server = Server::imap(rules);
    let place =
        knightmail::config::places::ImapPlace { done: Some(done.to_owned()), ..server.place() };
    let mailbox = ImapMailbox::with_patience(place, server.keyring(), PATIENCE);
    (server, mailbox)
}

fn arrivals(mailbox: &mut dyn Mailbox) -> Vec<Arrival> {
    let waiting = mailbox.waiting().unwrap();
    assert_eq!(waiting.troubles, []);
    waiting.arrivals
}

fn keys(arrivals: &[Arrival]) -> Vec<&str> {
    arrivals.iter().map(|arrival| arrival.key.as_str()).collect()
}

fn text(mailbox: &mut dyn Mailbox, arrival: &Arrival) -> String {
    String::from_utf8(mailbox.fetch(arrival).unwrap().unwrap()).unwrap()
}

#[test]
fn a_look_and_what_follows_are_these_commands() {
    let sizes = "* 1 FETCH (UID 1 INTERNALDATE \" 1-Jan-2019 09:00:00 -0600\" RFC822.SIZE 5)\n\
        * 2 FETCH (RFC822.SIZE 5 UID 2)\n* 3 FETCH (FLAGS () INTERNALDATE \"never\" UID 3)\nTAG OK done\n";
    let bodies = format!("{}{}{}TAG OK done\n", mail(1, "one"), mail(2, "two"), mail(3, "three"));
    let (server, mut mailbox) = imap(&[on("RFC822.SIZE", &[sizes]), on("BODY.PEEK", &[&bodies])]);
    let found = arrivals(&mut mailbox);
    assert_eq!(
        keys(&found),
        [1, 2, 3].map(|uid| format!("referee@127.0.0.1 imap:INBOX;UIDVALIDITY=7;UID={uid}"))
    );
    let stamps: Vec<_> = found.iter().map(|a| a.stamped.map(|at| at.timestamp())).collect();
    assert_eq!(stamps, [Some(1_546_354_800), None, None]);
    assert_eq!(found.clone().map_texts(&mut mailbox), ["one", "two", "three"]);
    mailbox.file_away(&found).unwrap();
    assert_eq!(
        server.work(),
        [
            "SELECT \"INBOX\"",
            "UID SEARCH UNDELETED OR UNKEYWORD $KnightmailDone UNSEEN",
            "UID FETCH 1:3 (UID INTERNALDATE RFC822.SIZE)",
            "UID FETCH 1:3 (UID BODY.PEEK[])",
            "UID STORE 1:3 +FLAGS.SILENT (\\Seen $KnightmailDone)",
        ]
    );
    assert!(arrivals(&mut mailbox).is_empty(), "the server shows them on, and they are known");
}

/// Fetches each of the mails.
trait Texts {
    fn map_texts(self, mailbox: &mut dyn Mailbox) -> Vec<String>;
}

impl Texts for Vec<Arrival> {
    fn map_texts(self, mailbox: &mut dyn Mailbox) -> Vec<String> {
        self.iter().map(|arrival| text(mailbox, arrival)).collect()
    }
}

/// Returns what a server is told when two of three mails are filed away.
fn filing(capabilities: &str, more: Rules<'_>) -> Vec<String> {
    let capabilities = format!("* CAPABILITY IMAP4rev1 {capabilities}\nTAG OK done\n");
    let told = [capabilities.as_str()];
    let mut rules = vec![("CAPABILITY", &told[..])];
    rules.extend(more);
    let (server, mut mailbox) = into("Erledigte Züge", &rules);
    let found = arrivals(&mut mailbox);
    server.said();
    mailbox.file_away(&[found[2].clone(), found[0].clone()]).unwrap();
    server.said()
}

#[test]
fn mails_are_filed_away_by_what_the_server_offers_and_by_nothing_else() {
    let moved = "UID MOVE 1,3 \"Erledigte Z&APw-ge\"";
    let copied = "UID COPY 1,3 \"Erledigte Z&APw-ge\"";
    let made = "CREATE \"Erledigte Z&APw-ge\"";
    let deleted = "UID STORE 1,3 +FLAGS.SILENT (\\Deleted)";
    assert_eq!(filing("MOVE UIDPLUS", &[]), [moved]);
    assert_eq!(filing("UIDPLUS", &[]), [copied, deleted, "UID EXPUNGE 1,3"]);
    assert_eq!(filing("", &[]), [copied, deleted]);
    let missing: Rules<'_> = &[on("MOVE", &["TAG NO [TRYCREATE] no such folder\n", DONE])];
    assert_eq!(filing("MOVE", missing), [moved, made, moved]);
    let silent: Rules<'_> = &[on("COPY", &["TAG NO no such folder\n", DONE])];
    assert_eq!(filing("", silent), [copied, made, copied, deleted]);
}

#[test]
fn a_mail_that_cannot_be_copied_is_not_deleted() {
    let (server, mut mailbox) = into(
        "Done",
        &[on("COPY", &["TAG NO over quota\n"]), on("CREATE", &["TAG NO it exists\n"])],
    );
    let found = arrivals(&mut mailbox);
    server.said();
    let fault = mailbox.file_away(&found).unwrap_err();
    assert!(fault.what.contains("over quota"), "{fault}");
    assert!(!server.said().iter().any(|line| line.contains("Deleted")));
}

#[test]
fn one_mail_over_which_the_server_breaks_off_hides_no_other() {
    let first = format!("{}{CLOSE}", mail(1, "one"));
    let third = format!("{}TAG OK done\n", mail(3, "three"));
    let (server, mut mailbox) = imap(&[
        on("FETCH 1:3 (UID BODY", &[&first]),
        on("FETCH 2 (UID BODY", &[CLOSE]),
        on("FETCH 3 (UID BODY", &[&third]),
    ]);
    let found = arrivals(&mut mailbox);
    assert_eq!(text(&mut mailbox, &found[0]), "one");
    let fault = mailbox.fetch(&found[1]).unwrap_err();
    assert!(fault.what.contains("UID 2 in the folder `INBOX` cannot be fetched"), "{fault}");
    assert_eq!(text(&mut mailbox, &found[2]), "three");
    server.said();
    assert_eq!(keys(&arrivals(&mut mailbox)), keys(&[found[0].clone(), found[2].clone()]));
}

#[test]
fn a_mail_that_the_server_refuses_or_gives_nothing_of_is_told_and_one_that_has_gone_is_not() {
    let all = "* 1 FETCH (UID 1 FLAGS (\\Seen))\nTAG NO [EXPUNGEISSUED] some have gone\n";
    let (_server, mut mailbox) = imap(&[
        on("FETCH 1:3 (UID BODY", &[all]),
        on("FETCH 1 (UID BODY", &["* 1 FETCH (UID 1 BODY[] NIL)\nTAG OK done\n"]),
        on("FETCH 2 (UID BODY", &["TAG NO [SERVERBUG] internal error\n"]),
        on("FETCH 3 (UID BODY", &[DONE]),
    ]);
    let found = arrivals(&mut mailbox);
    assert!(mailbox.fetch(&found[0]).unwrap_err().what.ends_with("gives nothing of it"));
    assert!(mailbox.fetch(&found[1]).unwrap_err().what.contains("[SERVERBUG] internal error"));
    assert_eq!(mailbox.fetch(&found[2]), Ok(None));
}

#[test]
fn answers_that_break_their_reader_cost_one_mail() {
    for odd in [
        "* 2 FETCH (UID 2 BODY[] ~{3}\nabc)\nTAG OK done\n",
        "* 2 FETCH (INTERNALDATE NIL UID 2)\nTAG OK done\n",
        "* 2 FETCH (UID 2 BODY[] {3}\nabc\nTAG OK done\n!close",
        "what?\n",
    ] {
        let third = "* 3 FETCH (FLAGS (\\Seen) BODY[] \"three\" UID 3)\nTAG OK done\n".to_owned();
        let (_server, mut mailbox) = imap(&[
            on("FETCH 1:3 (UID BODY", &[odd]),
            on("FETCH 2 (UID BODY", &[odd]),
            on("FETCH 3 (UID BODY", &[&third]),
        ]);
        let found = arrivals(&mut mailbox);
        let fault = mailbox.fetch(&found[1]).unwrap_err();
        assert!(!fault.to_string().contains("abc"), "a fault quotes no mail: {fault}");
        assert_eq!(text(&mut mailbox, &found[2]), "three", "{odd}");
    }
}

#[test]
fn a_mail_of_an_earlier_life_of_the_folder_has_gone_and_is_found_anew() {
    let old = "* 3 EXISTS\n* OK [UIDVALIDITY 7] ok\nTAG OK done\n";
    let new = "* 3 EXISTS\n* OK [UIDVALIDITY 8] ok\nTAG OK done\n";
    let (server, mut mailbox) = imap(&[on("SELECT", &[old, new]), on("BODY.PEEK", &[CLOSE])]);
    let found = arrivals(&mut mailbox);
    assert_eq!(mailbox.fetch(&found[0]), Ok(None));
    server.said();
    mailbox.file_away(&found).unwrap();
    assert!(server.said().is_empty(), "other mails have these numbers now");
    assert!(arrivals(&mut mailbox)[0].key.ends_with("UIDVALIDITY=8;UID=1"));
}

#[test]
fn a_server_that_does_not_answer_is_given_up_and_left_alone_for_a_while() {
    let server = Server::imap(&[on("LOGIN", &[HANG])]);
    let mut mailbox = ImapMailbox::with_patience(server.place(), server.keyring(), SHORT);
    let fault = mailbox.waiting().unwrap_err();
    assert!(fault.what.contains("no answer within 2s"), "{fault}");
    let fault = mailbox.waiting().unwrap_err();
    assert!(fault.what.ends_with("the next try is after a pause of 60 s"), "{fault}");
    assert_eq!(server.said().iter().filter(|line| line.starts_with("LOGIN")).count(), 1);
}

#[test]
fn a_session_that_ended_between_two_looks_is_made_anew_without_a_word() {
    let (_server, mut mailbox) = imap(&[on(
        "UID SEARCH",
        &["* SEARCH 1\nTAG OK done\n", CLOSE, "* SEARCH 1 2\nTAG OK done\n"],
    )]);
    assert_eq!(arrivals(&mut mailbox).len(), 1);
    assert_eq!(arrivals(&mut mailbox).len(), 2);
}

#[test]
fn no_fault_tells_a_password() {
    for rules in [
        &[on("LOGIN", &["TAG BAD I do not know LOGIN \"referee\" \"s3cret\"\n"])][..],
        &[on("LOGIN", &["* s3cret\n!close"])],
        &[on("LOGIN", &["TAG NO [AUTHENTICATIONFAILED] no\n"])],
    ] {
        let (_server, mut mailbox) = imap(rules);
        let fault = mailbox.waiting().unwrap_err();
        assert!(!format!("{fault} {fault:?}").contains("s3cret"), "{fault}");
    }
}

#[test]
fn a_folder_that_is_not_there_hides_no_other_and_the_remedy_names_those_that_are() {
    let server = Server::imap(&[
        on("SELECT \"Z&APw-ge\"", &["TAG NO no such mailbox\n"]),
        on("LIST", &["* LIST () \"/\" INBOX\n* LIST () \"/\" \"Z&APw-g\"\nTAG OK done\n"]),
    ]);
    let folders = vec!["Züge".to_owned(), "INBOX".to_owned()];
    let place = knightmail::config::places::ImapPlace { folders, ..server.place() };
    let mut mailbox = ImapMailbox::with_patience(place, server.keyring(), PATIENCE);
    let Waiting { arrivals, troubles, deaf } = mailbox.waiting().unwrap();
    assert_eq!((arrivals.len(), troubles.len(), deaf), (3, 1, false));
    assert!(troubles[0].what.contains("the folder `Züge` cannot be opened: no such mailbox"));
    assert!(troubles[0].remedy.contains("INBOX, Züg"), "{}", troubles[0]);
}

#[test]
fn without_keywords_a_mail_is_marked_as_seen_and_remembered() {
    let folder =
        "* 3 EXISTS\n* OK [UIDVALIDITY 7] ok\n* OK [PERMANENTFLAGS (\\Seen)] ok\nTAG OK done\n";
    let (server, mut mailbox) = imap(&[on("SELECT", &[folder])]);
    let found = arrivals(&mut mailbox);
    mailbox.file_away(&found[..2]).unwrap();
    let said = server.said();
    assert!(said.contains(&"UID SEARCH UNDELETED".to_owned()), "{said:?}");
    assert_eq!(said.last().unwrap(), "UID STORE 1:2 +FLAGS.SILENT (\\Seen)");
    assert_eq!(keys(&arrivals(&mut mailbox)), [found[2].key.as_str()]);
}

#[test]
fn suspects_are_told_apart_and_left_without_being_marked_as_seen() {
    let server = Server::imap(&[]);
    let place =
        knightmail::config::places::ImapPlace { spam: Some("Junk".to_owned()), ..server.place() };
    let mut mailbox = ImapMailbox::with_patience(place, server.keyring(), PATIENCE);
    let found = arrivals(&mut mailbox);
    let suspects: Vec<bool> = found.iter().map(|arrival| arrival.suspect).collect();
    assert_eq!(suspects, [false, false, false, true, true, true]);
    mailbox.leave(&found[3..]).unwrap();
    let said = server.said();
    let looked =
        "UID SEARCH UNDELETED OR UNKEYWORD $KnightmailDone UNSEEN UNKEYWORD $KnightmailLeft";
    assert!(said.contains(&looked.to_owned()), "{said:?}");
    assert_eq!(said.last().unwrap(), "UID STORE 1:3 +FLAGS.SILENT ($KnightmailLeft)");
}

#[test]
fn the_server_tells_of_new_mail_and_the_watch_goes_on() {
    let can = "* CAPABILITY IMAP4rev1 IDLE\nTAG OK done\n";
    let server = Server::imap(&[
        on("CAPABILITY", &[can]),
        on("IDLE", &["+ idling\n* 4 EXISTS\n", "+ idling\n* 5 EXISTS\n", "+ idling\n"]),
    ]);
    let (wake, woken) = mpsc::channel();
    let watch =
        watch_with(server.place(), server.keyring(), PATIENCE, move || wake.send(()).unwrap());
    for _ in 0..2 {
        woken.recv_timeout(Duration::from_mins(1)).unwrap();
    }
    drop(watch.unwrap());
}

#[test]
fn a_server_without_idle_is_not_watched() {
    let server = Server::imap(&[]);
    let (wake, woken) = mpsc::channel::<()>();
    let watch =
        watch_with(server.place(), server.keyring(), PATIENCE, move || wake.send(()).unwrap());
    assert_eq!(
        woken.recv_timeout(Duration::from_mins(1)),
        Err(mpsc::RecvTimeoutError::Disconnected)
    );
    assert!(!server.said().contains(&"IDLE".to_owned()));
    drop(watch);
}

#[test]
fn of_several_mailboxes_one_that_is_out_of_reach_hides_no_other() {
    let (near, far) = (MemoryMailbox::default(), MemoryMailbox::default());
    near.receive(None, "near");
    far.receive(None, "far");
    let (_server, gone) = imap(&[on("LOGIN", &[CLOSE])]);
    let door = |name: &str, prefix: &str, mailbox: Box<dyn Mailbox>| {
        Inbox::new(name.to_owned(), prefix.to_owned(), mailbox)
    };
    let mut all = Several::new(vec![
        door("near", "", Box::new(near.clone())),
        door("gone", "", Box::new(gone)),
        door("far", "far/", Box::new(far.clone())),
    ]);
    let Waiting { arrivals, troubles, deaf } = all.waiting().unwrap();
    assert_eq!(
        (keys(&arrivals), troubles.len(), deaf),
        (vec!["m00000001", "far/m00000001"], 1, true)
    );
    let looks = all.looks();
    let found: Vec<_> = looks.iter().map(|it| (it.inbox.as_str(), it.trouble.is_some())).collect();
    assert_eq!(found, [("near", false), ("gone", true), ("far", false)]);
    assert_eq!(arrivals.clone().map_texts(&mut all), ["near", "far"]);
    all.file_away(&arrivals[1..]).unwrap();
    assert_eq!((near.filed(), far.filed()), (0, 1));
}

#[test]
fn what_the_server_takes_for_spam_counts_only_from_somebody_in_the_books() {
    let world = World::with_seven();
    let at = world.now();
    let sent = |from: &str, number| {
        let mail = Mail::from(from).subject("A question").text("When does my section begin?");
        String::from_utf8(mail.bytes(at, number)).unwrap().replace("\r\n", "\n")
    };
    let (ours, strange) = (sent(&address("ann"), 1), sent("offers@example.net", 2));
    let bodies = format!("{}{}TAG OK done\n", mail(1, &ours), mail(2, &strange));
    let server = Server::imap(&[
        on("SELECT \"INBOX\"", &["* 0 EXISTS\n* OK [UIDVALIDITY 1] ok\nTAG OK done\n"]),
        on("UID SEARCH", &["* SEARCH 1 2\nTAG OK done\n"]),
        on("BODY.PEEK", &[&bodies]),
    ]);
    let path = world.path("knightmail.toml");
    let kind = format!(
        "kind = \"imap\"\nhost = \"127.0.0.1\"\nport = {}\ntls = \"off\"\nuser = \"referee\"\nsecret = \"mailbox\"\n\
         spam = \"Junk\"\ndone = \"Done\"\n#",
        server.port()
    );
    let file = fs::read_to_string(&path).unwrap();
    let file = file.replacen("kind = \"maildir\"", &kind, 1).replacen("path = \"mail/in\"", "#", 1);
    write(&path, file.as_bytes());
    copy_secret(&server, &world);
    world.pass().code(0).says("1 mail taken in").says("lay among suspected spam");
    assert_eq!(world.letters_to(&address("ann")).len(), 1);
    assert!(world.letters_to("offers@example.net").is_empty());
    let said = server.said();
    assert!(said.contains(&"UID COPY 1 \"Done\"".to_owned()), "{said:?}");
    assert!(said.contains(&"UID STORE 2 +FLAGS.SILENT ($KnightmailLeft)".to_owned()), "{said:?}");
}

fn copy_secret(server: &Server, world: &World) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = world.path("secrets");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("mailbox");
    fs::copy(server.keyring().folder.join("mailbox"), &path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
}
