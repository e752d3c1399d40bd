//! Every limit of the program, in one place. A limit that is reached is told to whoever must act; nothing is cut
//! silently.

/// The largest mail that is read, in bytes. A larger one is archived and answered, not read.
pub const MAIL_BYTES: usize = 10 * 1024 * 1024;
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
/// Mails that share one sync.
pub const INTAKE_BATCH: usize = 256;
/// Bytes of mail that share one sync.
pub const INTAKE_BATCH_BYTES: usize = 32 * 1024 * 1024;
/// Letters that are handed to the transport at once.
pub const DELIVERY_BATCH: usize = 256;
/// How often the program may end with a mail alone in hand before that is parked. A panic over it counts double, since
/// then it is known to be the cause; otherwise whoever stops the program from outside may have hit the same mail twice.
pub const MAIL_TRIES: u32 = 3;
/// Days in which a stranger is told once that a mail was not understood.
pub const STRANGER_ANSWER_DAYS: i64 = 7;
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
/// How long to wait for another process that writes to the store.
pub const LOCK_WAIT: std::time::Duration = std::time::Duration::from_mins(1);
