//! Knightmail runs correspondence chess championships by email.

pub mod clock;
pub mod config;
pub mod digest;
pub mod domain;
pub mod fault;
pub mod house;
pub mod limits;
pub mod mail;
pub mod mailbox;
pub mod mishap;
pub mod notices;
pub mod office;
pub mod schedule;
pub mod store;
pub mod token;
pub mod transport;
