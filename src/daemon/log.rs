//! Where log lines go: to the journal of systemd, with their fields, where standard error leads there; else to standard
//! error. `RUST_LOG` sets what is logged.

use std::{
    fs::File,
    io::{self, IsTerminal as _},
    os::{fd::AsFd as _, unix::fs::MetadataExt as _},
};
use tracing_subscriber::{
    EnvFilter, Layer as _, layer::SubscriberExt as _, registry, util::SubscriberInitExt as _,
};

/// What stands before the name of a field in the journal: `journalctl KNIGHTMAIL_LETTER=L12`.
const FIELDS: &str = "KNIGHTMAIL";

/// Begins to log.
pub fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let in_journal = leads_to_the_journal();
    let journal = in_journal.then(|| tracing_journald::layer().ok()).flatten();
    let layer = if let Some(layer) = journal {
        let layer = layer.with_field_prefix(Some(FIELDS.to_owned()));
        layer.with_syslog_identifier("knightmail".to_owned()).boxed()
    } else {
        let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(false);
        let layer = layer.with_ansi(io::stderr().is_terminal());
        // The journal dates each line itself.
        if in_journal { layer.without_time().boxed() } else { layer.boxed() }
    };
    // A logger that was set before is the right one.
    let _ = registry().with(layer.with_filter(filter)).try_init();
}

/// Tells whether standard error is the stream that systemd has named (systemd.exec(5), `$JOURNAL_STREAM`): a child of
/// a service inherits the variable though its output may go elsewhere.
fn leads_to_the_journal() -> bool {
    let Ok(stream) = std::env::var("JOURNAL_STREAM") else { return false };
    let here = io::stderr().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    here.is_ok_and(|here| stream == format!("{}:{}", here.dev(), here.ino()))
}
