//! Every limit of the program, in one place. A limit that is reached is told to whoever must act; nothing is cut
//! silently.

/// The largest mail that is read, in bytes. A larger one is archived and answered, not read.
pub const MAIL_BYTES: usize = 10 * 1024 * 1024;
/// The largest mail that `deliver` takes from a mail server, in bytes; one of this size is archived and not read.
pub const DELIVER_BYTES: usize = 100 * 1024 * 1024;
/// The longest address of an envelope, in bytes, with room to spare (RFC 5321 section 4.5.3.1.3 has 256).
pub const ADDRESS_BYTES: usize = 512;
/// What is read of the header of a mail that is larger, in bytes: enough to tell its sender.
pub const HEAD_BYTES: usize = 256 * 1024;
/// MIME parts of a mail that are looked at.
pub const MAIL_PARTS: usize = 200;
/// How deep MIME parts may nest.
pub const MAIL_NESTING: usize = 10;
/// New text of a mail that is read for meaning, in bytes; what is beyond is set aside.
pub const TEXT_BYTES: usize = 128 * 1024;
/// How deep HTML elements may nest before a simpler reading is taken; the better one is quadratic in the depth.
pub const HTML_NESTING: usize = 500;
/// Things that one mail may ask for; one that asks for more goes to the director whole.
pub const INTENTS: usize = 64;
/// Mails of a folder on a server that one look lists; those behind them wait for the next one.
pub const LOOK_MAILS: usize = 20_000;
/// Mails that share one sync.
pub const INTAKE_BATCH: usize = 256;
/// Bytes of mail that share one sync.
pub const INTAKE_BATCH_BYTES: usize = 32 * 1024 * 1024;
/// Letters that are handed to the transport at once.
pub const DELIVERY_BATCH: usize = 256;
/// Letters that have an outcome which the journal does not have yet, at most: so many are sent twice after a crash.
pub const UNRECORDED: usize = 64;
/// How often the program may end with a mail alone in hand before that is parked. A panic over it counts double, since
/// then it is known to be the cause; otherwise whoever stops the program from outside may have hit the same mail twice.
pub const MAIL_TRIES: u32 = 3;
/// Days in which a stranger is told once that a mail was not understood.
pub const STRANGER_ANSWER_DAYS: i64 = 7;
/// Mails of one address that say the same and are answered in a day: what comes after is a program's, or no news.
pub const ALIKE: u32 = 2;
/// The same for unknown addresses of one domain: a responder may have another address each time, and people at one
/// provider may ask the same thing in the same words.
pub const ALIKE_IN_DOMAIN: u32 = 5;
/// Days of which it is remembered how much mail was answered. Mail of an earlier day, as after an outage, is counted to
/// the oldest of them.
pub const TALLY_DAYS: usize = 8;
/// Hours between two passes beyond which the program is taken not to have run; passes of a daily timer are closer.
pub const DOWN_HOURS: i64 = 36;
/// Letters refused in one go of which the director is told as one trouble, where more than half are.
pub const REFUSED_MANY: usize = 10;
/// Hours without mail from a mailbox that was out of reach, beyond which a credit is proposed (Rule 10).
pub const OUTAGE_HOURS: i64 = 24;
/// Hours after which the director is told that a mailbox is out of reach, and `status` ends with 1.
pub const DEAF_HOURS: i64 = 1;
/// Days for which a deferred letter is tried again.
pub const DELIVERY_DAYS: i64 = 5;
/// Message-IDs in a letter's References: the thread's first one and the newest. Mail programs need no more.
pub const REFERENCES: usize = 12;
/// The longest Message-ID that a letter refers to; with it a header line stays below 998 characters (RFC 5322 section 2.1.1).
pub const MESSAGE_ID_CHARS: usize = 250;
/// Characters of a subject; what is beyond says nothing in a list of mails.
pub const SUBJECT_CHARS: usize = 200;
/// Lines of one kind in the director's summary; how many more there are is said, and a command shows them.
pub const SUMMARY_LINES: usize = 100;
/// Free bytes of the disk below which `status` says that a person is needed.
pub const DISK_FREE_BYTES: u64 = 100_000_000;
/// How long to wait for another process that writes to the store.
pub const LOCK_WAIT: std::time::Duration = std::time::Duration::from_mins(1);
