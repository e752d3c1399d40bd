//! The shipped unit: systemd finds nothing to say against it, and it is shut in well. Both need `systemd-analyze`;
//! where that is missing the test says so and checks the text only.

use std::{fs, path::Path, process::Command};

const UNIT: &str = include_str!("../../config/systemd/knightmail.service");

/// The exposure that may not be reached, in tenths: 2.0.
const EXPOSURE_MAX: &str = "--threshold=20";

#[test]
fn the_unit_matches_the_exit_codes_and_the_watchdog() {
    for line in [
        "Type=notify",
        "ExecStart=/usr/bin/knightmail --home /var/lib/knightmail run",
        "WatchdogSec=5min",
        "Restart=on-failure",
        "RestartPreventExitStatus=2 3",
        "StateDirectory=knightmail",
    ] {
        assert!(UNIT.lines().any(|l| l == line), "{line}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test's unit may be half written")]
fn systemd_has_nothing_to_say_against_the_unit() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("skipped: there is no systemd-analyze here, so the unit was not verified");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let unit = dir.path().join("knightmail.service");
    let here = UNIT.replace("/usr/bin/knightmail", env!("CARGO_BIN_EXE_knightmail"));
    fs::write(&unit, here).unwrap();
    // An unknown key is only a line on standard error, and the exit code is 0.
    assert_eq!(analyze(&["verify", "--man=no"], &unit), (true, String::new()));
    let (well, said) = analyze(&["security", "--offline=true", EXPOSURE_MAX], &unit);
    assert!(well, "the unit is exposed at 2.0 or more\n{said}");
}

fn analyze(arguments: &[&str], unit: &Path) -> (bool, String) {
    let output = Command::new("systemd-analyze").args(arguments).arg(unit).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}
