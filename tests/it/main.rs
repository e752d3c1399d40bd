//! The tests of the program from the outside: one binary, a file for each subject, data as files under `tests/data`.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod agenda;
mod automatic;
mod badinput;
mod bounces;
mod chess;
mod config;
mod contract;
mod crash;
mod damaged;
mod direct;
mod disk;
mod imports;
mod journal;
mod kill;
mod mail;
mod notices;
mod office;
mod pages;
mod pgn;
mod rules;
mod said;
mod scenarios;
mod simulate;
mod standings;
mod store;
mod stripping;
mod systemd;
mod tidy;
mod world;
