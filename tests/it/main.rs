//! The tests of the program from the outside: one binary, a file for each subject, data as files under `tests/data`.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod badinput;
mod chess;
mod config;
mod contract;
mod crash;
mod disk;
mod imports;
mod journal;
mod kill;
mod mail;
mod notices;
mod rules;
mod scenarios;
mod store;
mod systemd;
mod tidy;
mod world;
