#!/usr/bin/env bash
# Runs every check of the project: format, lints, tests, real mail servers, a real systemd, documentation. Installs what a
# fresh Debian machine lacks.
set -euo pipefail
cd "$(dirname "$0")/.."

# A linker for cargo; systemd-analyze to look over the unit file; Python for the referee and the mail servers, openssl for
# their certificates.
missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v python3 >/dev/null || missing+=(python3)
command -v openssl >/dev/null || missing+=(openssl)
if ((${#missing[@]})) && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

step() { printf '\n== %s\n' "$*"; "$@"; }
step cargo fmt --check
step cargo clippy --locked --all-targets -- -D warnings
step cargo test --locked
step python3 tests/referee/run.py target/debug/knightmail --seeds 5
step python3 tests/servers/run.py target/debug/knightmail
step bash tests/systemd/run.sh
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps --document-private-items
