//! The tests of the program from the outside: one binary, a file for each subject, data as files under `tests/data`.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod config;
mod mail;
mod notices;
mod rules;
mod store;
mod systemd;
