//! How fast the program is, by goals P1 to P4, P6 and P8: `cargo bench --bench speed --
//! [intake|restart|reading|letters|delivery|championship] [N]`. What each measures and what it printed stands in `bench/README.md`.

#![expect(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "rates and ratios")]
#![expect(clippy::disallowed_methods, reason = "made-up files in a temporary folder")]

mod championship;
mod club;
mod delivery;
mod intake;
mod journal;
mod letters;
mod measure;
mod reading;

use std::env;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let size = words.get(1).and_then(|word| word.parse().ok());
    match words.first().map(String::as_str) {
        Some("intake") => intake::run(size.unwrap_or(10_000)),
        Some("reading") => reading::run(size.unwrap_or(10_000)),
        Some("restart") => journal::run(size.unwrap_or(1_000_000)),
        Some("restart-once") => journal::restart_once(&words[1]),
        Some("letters") => letters::run(size.unwrap_or(10_000)),
        Some("delivery") => delivery::run(size.unwrap_or(10_000)),
        Some("championship") => championship::run(size.unwrap_or(1000)),
        Some(other) => {
            panic!(
                "`{other}` is none of intake, reading, restart, letters, delivery, championship"
            );
        }
        None => {
            intake::run(10_000);
            reading::run(10_000);
            journal::run(1_000_000);
            letters::run(10_000);
            delivery::run(10_000);
            championship::run(1000);
        }
    }
}
