//! The shipped units: systemd finds nothing to say against them, and they are shut in well. Both need `systemd-analyze`;
//! where that is missing the test says so and checks the text only.

use std::{path::Path, process::Command};

const SERVICE: &str = include_str!("../../config/systemd/knightmail.service");
const ONCE: &str = include_str!("../../config/systemd/knightmail-once.service");
const TIMER: &str = include_str!("../../config/systemd/knightmail.timer");

/// The exposure that may not be reached, in tenths: 2.0.
const EXPOSURE_MAX: &str = "--threshold=20";

#[test]
fn the_unit_matches_the_exit_codes_and_the_watchdog() {
    for line in [
        "ConditionPathExists=/var/lib/knightmail/knightmail.toml",
        "Type=notify",
        "ExecStart=/usr/bin/knightmail --home /var/lib/knightmail run",
        "ExecReload=/bin/kill -HUP $MAINPID",
        "WatchdogSec=5min",
        "Restart=on-failure",
        "RestartPreventExitStatus=2 3",
        "StateDirectory=knightmail",
    ] {
        assert!(SERVICE.lines().any(|l| l == line), "{line}");
    }
    assert!(TIMER.lines().any(|l| l == "Unit=knightmail-once.service"));
}

#[test]
fn the_single_pass_is_shut_in_as_the_service_is() {
    let walls = |unit: &'static str| -> Vec<&str> {
        let lines = unit.lines().skip_while(|line| !line.starts_with("AmbientCapabilities="));
        lines.take_while(|line| !line.is_empty()).collect()
    };
    assert!(walls(SERVICE).len() > 25);
    assert_eq!(walls(SERVICE), walls(ONCE));
}

#[test]
fn systemd_has_nothing_to_say_against_the_units() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("skipped: there is no systemd-analyze here, so the units were not verified");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let unit = dir.path().join(name);
        let here = text.replace("/usr/bin/knightmail", env!("CARGO_BIN_EXE_knightmail"));
        crate::world::write(&unit, here.as_bytes());
        unit
    };
    // As a director would have it: with the lines for secrets.
    let secrets = SERVICE.replace("#LoadCredential=", "LoadCredential=");
    assert_eq!(secrets.matches("\nLoadCredential=").count(), 2);
    let units = [
        put("knightmail.service", &secrets),
        put("knightmail-once.service", ONCE),
        put("knightmail.timer", TIMER),
    ];
    for unit in &units {
        // An unknown key is only a line on standard error, and the exit code is 0.
        assert_eq!(analyze(&["verify", "--man=no"], unit), (true, String::new()));
    }
    for unit in &units[..2] {
        let (well, said) = analyze(&["security", "--offline=true", EXPOSURE_MAX], unit);
        assert!(well, "{} is exposed at 2.0 or more\n{said}", unit.display());
    }
}

fn analyze(arguments: &[&str], unit: &Path) -> (bool, String) {
    let output = Command::new("systemd-analyze").args(arguments).arg(unit).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}
