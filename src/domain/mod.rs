//! The domain: what a championship is and how its rules decide. Pure functions of values; there is no file, no
//! network, no clock and no template below here, and nothing else of this program is known.
//!
//! A wish is a [`command::Command`]. [`decide::decide`] makes [`event::Event`]s of it, [`apply::apply`] changes the
//! [`state::State`] by them, and [`tell::notices`] says who must be told what.

pub mod acts;
pub mod alarm;
pub mod apply;
pub mod before;
pub mod command;
pub mod correspondence;
pub mod crosstable;
pub mod decide;
pub mod docket;
pub mod event;
pub mod flood;
pub mod forgotten;
pub mod honours;
pub mod ids;
pub mod intent;
pub mod notice;
pub mod outage;
pub mod player;
pub mod points;
pub mod post;
pub mod progress;
pub mod question;
pub mod readings;
pub mod reason;
pub mod refusal;
pub mod rules;
pub mod section;
pub mod state;
pub mod tell;
pub mod tournament;
pub mod transcript;
