//! The rules, one file each, named for what it decides. A file cites the numbers it applies; a number cited here is
//! a number of the championship's rules, and what is merely our reading is a key of the event's TOML file.

pub mod adoption;
pub mod advancement;
pub mod assignment;
pub mod colors;
pub mod draws;
pub mod eligibility;
pub mod entry;
pub mod granted;
pub mod moves;
pub mod payment;
pub mod petitions;
pub mod questions;
pub mod reminders;
pub mod replies;
pub mod reports;
pub mod rulings;
pub mod tables;
