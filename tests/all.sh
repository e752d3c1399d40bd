#!/usr/bin/env bash
# Runs every check of the project: format, lints, tests, documentation. Installs what a fresh Debian machine lacks.
set -euo pipefail
cd "$(dirname "$0")/.."

# A linker for cargo; systemd-analyze to look over the unit file; Python for the referee.
missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v python3 >/dev/null || missing+=(python3)
if ((${#missing[@]})) && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

step() { printf '\n== %s\n' "$*"; "$@"; }
step cargo fmt --check
step cargo clippy --locked --all-targets -- -D warnings
step cargo test --locked
step python3 tests/referee/run.py target/debug/knightmail --seeds 5
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps --document-private-items
