//! Knightmail runs correspondence chess championships by email.

pub mod digest;
pub mod domain;
pub mod fault;
pub mod house;
pub mod limits;
pub mod token;
