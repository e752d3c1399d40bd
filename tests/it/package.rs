//! The Debian package: what is in it, with which modes, and that its scripts leave the books alone. Where there is no
//! `dpkg-deb` the test says so and checks nothing.

use crate::world::write;
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

const PAGES: &str = "usr/share/man/man1";

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

fn built(folder: &Path) -> Option<PathBuf> {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        eprintln!("skipped: there is no dpkg-deb here, so no package was built");
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut build = Command::new("bash");
    build.arg(root.join("packaging/deb.sh")).arg(env!("CARGO_BIN_EXE_knightmail")).arg(folder);
    Some(output(build.env("DEB_COMPRESSION", "none")).trim().into())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).permissions().mode()
        & 0o7777
}

#[test]
fn the_package_has_everything_and_nothing_starts_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let Some(package) = built(dir.path()) else { return };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        output(Command::new("dpkg-deb").arg("-f").arg(&package).arg("Version")).trim(),
        version
    );

    let root = dir.path().join("root");
    output(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&root));
    assert_eq!(mode(&root.join("usr/bin/knightmail")), 0o755);
    for file in [
        "usr/lib/systemd/system/knightmail.service",
        "usr/lib/systemd/system/knightmail-once.service",
        "usr/lib/systemd/system/knightmail.timer",
        "usr/lib/sysusers.d/knightmail.conf",
        "usr/lib/tmpfiles.d/knightmail.conf",
        "usr/share/bash-completion/completions/knightmail",
        "usr/share/zsh/vendor-completions/_knightmail",
        "usr/share/fish/vendor_completions.d/knightmail.fish",
        "usr/share/doc/knightmail/copyright",
        "usr/share/doc/knightmail/README.md",
        "usr/share/doc/knightmail/README.Debian",
        "usr/share/doc/knightmail/changelog.gz",
    ] {
        assert_eq!(mode(&root.join(file)), 0o644, "{file}");
    }
    for page in ["knightmail", "knightmail-run", "knightmail-check", "knightmail-direct-forfeit"] {
        assert_eq!(mode(&root.join(PAGES).join(format!("{page}.1.gz"))), 0o644, "{page}");
    }
    assert!(
        !root.join("etc").exists() && !root.join("var").exists(),
        "nothing is enabled, no home is made"
    );
    let listed = output(Command::new("dpkg-deb").arg("-c").arg(&package));
    assert!(listed.lines().all(|line| line.contains(" root/root ")), "{listed}");
    let start = output(Command::new(root.join("usr/bin/knightmail")).arg("--version"));
    assert_eq!(start.trim(), format!("knightmail {version}"));
}

#[test]
fn a_purge_leaves_the_books_and_takes_an_empty_home() {
    let dir = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/debian/postrm");
    let home = dir.path().join("var/lib/knightmail");
    fs::create_dir_all(&home).unwrap();
    write(&home.join("knightmail.toml"), b"# a home");
    let purge =
        || output(Command::new("sh").arg(&script).arg("purge").env("DPKG_ROOT", dir.path()));
    assert!(purge().contains("the books stay"));
    assert!(home.join("knightmail.toml").is_file());
    fs::remove_file(home.join("knightmail.toml")).unwrap();
    assert_eq!(purge(), "");
    assert!(!home.exists());
}
