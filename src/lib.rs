//! Knightmail runs correspondence chess championships by email. This page is its architecture: what the parts are, who
//! may use whom, what is deliberately absent, and where a new thing goes.
//!
//! # The idea
//!
//! ```text
//!  raw mail                      commands               events            letters
//!  mailbox ──▶ mail (reading) ──▶ domain::decide ──▶ domain::tell ──▶ notices ──┐
//!     ▲            pure               pure                pure           pure   │
//!     │       ┌───────────── office: one pass, in order ─────────────┐          ▼
//!     └───────│ 1 mail in   2 due jobs   3 letters out   4 views      │       outbox
//!  file away  └──────┬───────────────────────┬──────────────────┬────┘          │
//!                    ▼                       ▼                  ▼               ▼
//!             store: journal (truth),   transport         views (derived)   transport
//!                    archive (bytes)
//! ```
//!
//! The director's word is final and must be explainable years later, so the **journal is the case file**: append-only
//! text, one line a transaction (a cause, the events decided for it, the letters that follow), each line sealed by a
//! checksum that chains it to the one before. Everything else, also what is in memory, is derived from it. General
//! rules change under running tournaments, so *events* are kept and not commands: old decisions stand, new acts meet
//! the new rules. Everything that matters is a function of values and is tested without a clock, a file or a network.
//!
//! # Reading order
//!
//! | part | what it is |
//! |---|---|
//! | [`chess`] | positions, moves, games, and how people write them |
//! | [`domain`] | the championship: words ([`domain::event`], [`domain::command`], [`domain::notice`]), the books ([`domain::state`]), the rules by name ([`domain::rules`]) |
//! | [`mail`] | from raw bytes to what the sender means, with reasons: a [`mail::understanding::Understanding`] |
//! | [`notices`] | from facts to letters: view, template, RFC 5322 message; and pages to print: SVG, PDF |
//! | [`store`] | journal, archive, views; rewriting them, for the one time that something must be forgotten ([`store::rewriting`], [`office::forgetting`]); and their double in memory that fails and crashes on demand |
//! | [`signatures`] | which domains have signed a mail (DKIM), with keys from the DNS |
//! | [`mailbox`], [`transport`] | where mail comes in and goes out: servers by IMAP, POP3 and SMTP, Maildir folders, programs; doubles in memory |
//! | [`net`] | what they share who talk to servers: accounts, secrets, signing in (OAuth2), TLS |
//! | [`office`] | ties all that together: [`office::Office::pass`] is the order of work and of every crash point; [`office::orders`] is what the director may order, by mail or at the command line |
//! | [`config`], [`schedule`], [`clock`] | what the files of a home say; when jobs are due; the only place that asks the time |
//! | [`simulate`] | whole championships by made-up players through the real office, in memory; and checkers that know the rules for themselves |
//! | [`daemon`], [`cli`] | the service and the command line; they decide nothing |
//! | [`house`], [`token`], [`digest`], [`fault`], [`limits`], [`mask`] | small words that several parts share |
//! | [`mishap`] | failures and crashes on demand, for the doubles in memory |
//!
//! # Who may use whom
//!
//! | layer | may use | must not use |
//! |---|---|---|
//! | chess | `cozy-chess` | anything of ours, files, the clock |
//! | domain | chess, collections, chrono types, `rust_decimal`, serde | anything else of ours, files, network, tokio, templates, the clock |
//! | mail, notices | chess, domain, house, token, digest, limits | each other, files, tokio, the clock |
//! | net | the small words; of the store the writing of a file whole | what a mail is |
//! | store, mailbox, transport, signatures, schedule | the types they carry | each other, `domain::rules` |
//! | office | all above, through the traits `Mailbox`, `Transport`, `Store`, `Clock`, `Signatures` | concrete adapters |
//! | simulate | what the command line may, but for the daemon and the adapters | deciding anything; its checkers also `domain::rules` |
//! | daemon, cli | everything | deciding anything |
//!
//! One dependency has one door (clap has two, since the words of the director's orders are the same in his mails and at the
//! command line): cozy-chess is used in `chess/` alone, mail-parser in `mail/message/`, lettre's builder in `notices/letter.rs`
//! and its SMTP connection in `transport/smtp/`, tera in
//! `notices/render.rs`, mail-auth in `signatures.rs`, usvg and krilla in `notices/pages/`, cron in `schedule.rs`, and so on. `tests/it/tidy.rs` reads the source and keeps both tables true.
//!
//! # A pass, and every crash point
//!
//! 1. Mails that wait are fetched, oldest first; no flag is set.
//! 2. What is in hand is written down with a count of tries: a mail with which it died again and again is parked.
//! 3. The bytes go to the archive.
//! 4. The mail is read; a panic is caught.
//! 5. Commands are decided, events applied, letters written and put into the archive.
//! 6. **Commit**: one sync of the archive and one of the journal for a whole batch of mails.
//! 7. The mails are filed away.
//! 8. For each job whose slot has passed: a tick, decided and committed.
//! 9. Letters of the outbox are delivered, each outcome committed as soon as it is known.
//! 10. Views that changed are written, and how the program has fared (`store/status.json`, derived).
//!
//! A crash anywhere repeats only harmless work: before 6 nothing has happened, after it the mail is known by its digest.
//! A pass that is told to stop ends between two batches; what is left waits for the next one.
//! After a store fault the office is thrown away and opened anew from the journal, since the books in memory may be
//! ahead of it ([`office`]).
//!
//! # What is deliberately absent
//!
//! - **A database.** Years of mail fit in memory; a million transactions are replayed in about a second.
//! - **Acts without a person.** What the rules leave open becomes a docket item with evidence, choices and a
//!   recommendation ([`domain::docket`]); a ruling adds to the record and never edits it.
//! - **Errors in the domain.** A lawful no is a [`domain::refusal::Refusal`] and becomes a polite letter. A
//!   [`config::error::ConfigError`] is the director's (file, line, key, hint), a [`fault::Fault`] the operator's (what,
//!   where, remedy), a failed assertion the developer's (the mail is parked, the others go on).
//! - **A plug-in system, async code below the daemon, a mini-language in the tournament's file.**
//!
//! # Where a new thing goes
//!
//! - *A tournament*: a file in `events/`; nothing else. A wish that the file cannot say is a rule.
//! - *A rule*: a file in `domain/rules/` that cites its number, an [`domain::event::Event`] for what it decides, an arm
//!   in `domain/apply.rs` (the compiler asks for it), a test named `rule_N_…`.
//! - *A kind of mail*: a reader in `mail/reading/` with one line in its table, an `Intent`, and the command it becomes in
//!   `office/acting.rs`.
//! - *An act that does harm when somebody else has written it*: a row in `office/harm.rs` and a key of `[trust]`; what its
//!   yes brings about, `domain/rules/guards.rs`.
//! - *A language of moves*: its piece letters are a line in `chess/notation/languages.rs`, its words stand in `words.rs`.
//! - *An act of the director*: its words and its check in `office/orders/`, a command of the domain, an example in
//!   `office/orders/examples.rs`; the command line and his mails have it from there.
//! - *A letter*: its facts in `domain/notice.rs`, who gets it in `domain/tell.rs`, a view in `notices/view/`, the words in
//!   `templates/NAME.txt`, a golden file.
//! - *A mail server's protocol*: an adapter of one of the traits beside `maildir.rs`, and a `kind` in `config/service.rs`.

pub mod chess;
pub mod cli;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod digest;
pub mod domain;
pub mod fault;
pub mod house;
pub mod limits;
pub mod mail;
pub mod mailbox;
pub mod mask;
pub mod mishap;
pub mod net;
pub mod notices;
pub mod office;
pub mod schedule;
pub mod signatures;
pub mod simulate;
pub mod store;
pub mod token;
pub mod transport;
