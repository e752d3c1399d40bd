#!/usr/bin/env bash
# The package and the service under a real systemd: installed, configured, started, reloaded, hung, stopped in mid-pass,
# purged. systemd runs as PID 1 in a throw-away overlay of this machine's root; nothing here changes.
#   tests/systemd/run.sh [BINARY]      exit code 0 also where it cannot run: the last line then begins with "skipped"
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
binary=${1:-$top/target/debug/knightmail}
lab=$(mktemp -d "${SDLAB:-/dev/shm/kmlab}.XXXXXX")
root=$lab/root
home=/var/lib/knightmail
pid=

skip() { rm -rf "$lab"; echo "skipped: the service was not run under systemd: $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip "this needs root"
for tool in systemd-nspawn nsenter dpkg-deb pgrep; do command -v "$tool" >/dev/null || skip "there is no $tool"; done

leader() { pgrep -P "${pid:-0}" -x systemd 2>/dev/null; }
inside() { nsenter -t "$(leader)" -m -u -i -p -C -- "$@"; }
as_user() { inside runuser -u knightmail -- "$@"; }
mail() { as_user knightmail --home "$home" "$@"; }
tear_down() {
    local first
    first=$(leader) && kill -s RTMIN+4 "$first" 2>/dev/null
    for _ in $(seq 60); do leader >/dev/null || break; sleep .05; done
    first=$(leader) && kill -KILL "$first"
    sleep .1
    umount "$root" 2>/dev/null
    rm -rf "$lab"
}
fail() {
    echo "FAILED: $*" >&2
    inside journalctl -u knightmail -u knightmail-once --no-pager -n 40 >&2 || cat "$lab/console" >&2
    exit 1
}
wait_for() { # WHAT COMMAND…: half a minute at most
    local what=$1
    shift
    for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return; sleep .1; done
    fail "$what: waited in vain"
}
is() { [ "$(inside systemctl show -P "$1" "${3:-knightmail}")" = "$2" ]; }
expect() { is "$@" || fail "$1 is $(inside systemctl show -P "$1" "${3:-knightmail}"), not $2"; }
says() { inside systemctl show -P StatusText knightmail | grep -q "$1"; }
in_log() { inside journalctl -u knightmail --no-pager -q -o cat "${@:2}" | grep -q -- "$1"; }
letters() { as_user sh -c "ls $home/mail/out/new | wc -l"; }
has_letters() { [ "$(letters)" -ge "$1" ]; }
ask() { # FROM TO: a question of each of these guests
    as_user sh -c "for n in \$(seq $1 $2); do
        printf 'From: Guest <guest%s@example.net>\r\nTo: knights@example.org\r\nSubject: a question\r\nMessage-ID: <q%s@example.net>\r\nDate: %s\r\n\r\nHow do I enter? I am guest %s.\r\n' \
            \$n \$n '$(date -R)' \$n >$home/mail/in/new/$(date +%s).M\$n.mx; done"
}
step() { printf '%5.1f s  %s\n' "$(bc <<<"$(date +%s.%N) - $begun" 2>/dev/null || echo 0)" "$*"; }

begun=$(date +%s.%N)
mkdir -p "$lab"/{up,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$lab/up,workdir=$lab/work" "$root" 2>/dev/null || skip "no overlay can be mounted"
trap tear_down EXIT
printf '[Unit]\nDescription=lab\nRequires=basic.target\nWants=dbus.socket\nAfter=basic.target\nAllowIsolate=yes\n' >"$root/etc/systemd/system/lab.target"
rm -rf "$root/var/log/journal" "$root/var/lib/knightmail"
mkdir -p "$root/var/log/journal"
rm -f "$root/etc/machine-id" "$root/usr/sbin/policy-rc.d"
systemd-id128 new >"$root/etc/machine-id"
for unit in systemd-sysctl systemd-timesyncd systemd-udevd systemd-networkd-wait-online; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn -q -D "$root" -M "knightmail$$" --register=no --keep-unit --link-journal=no \
    --resolv-conf=off --timezone=off --capability=all --system-call-filter="bpf keyctl add_key" --console=pipe --boot \
    systemd.unit=lab.target </dev/null >"$lab/console" 2>&1 &
pid=$!
up() { inside systemctl is-system-running | grep -Eq 'running|degraded'; }
for _ in $(seq 200); do up 2>/dev/null && break; kill -0 "$pid" 2>/dev/null || break; sleep .05; done
up 2>/dev/null || { tear_down; trap - EXIT; skip "systemd does not boot here"; }
step "systemd is up"

package=$(DEB_COMPRESSION=none bash "$top/packaging/deb.sh" "$binary" "$lab" 2>/dev/null)
cp "$package" "$root/var/cache/knightmail.deb"
inside dpkg --force-depends --force-unsafe-io --no-triggers -i /var/cache/knightmail.deb >"$lab/dpkg" 2>&1 || { cat "$lab/dpkg"; fail "dpkg -i"; }
[ "$(inside stat -c '%U %a' $home)" = "knightmail 700" ] || fail "the home is not the user's alone"
[ "$(inside systemctl is-enabled knightmail knightmail.timer | sort -u)" = disabled ] || fail "something is enabled"
expect ActiveState inactive
inside systemctl start knightmail
expect ActiveState inactive
expect ConditionResult no
step "the package is installed; nothing runs without a home"

mail init $home 2>/dev/null
as_user sed -i 's/^poll_seconds = .*/poll_seconds = 1/' $home/knightmail.toml
inside sh -c 'umask 077; mkdir -p /etc/knightmail; echo very-secret >/etc/knightmail/imap-password
    mkdir -p /etc/systemd/system/knightmail.service.d
    printf "[Service]\nLoadCredential=imap-password:/etc/knightmail/imap-password\nWatchdogSec=4s\nTimeoutAbortSec=1s\nRestartSec=100ms\n" \
        >/etc/systemd/system/knightmail.service.d/lab.conf'
inside systemctl daemon-reload
inside systemctl start knightmail || fail "it does not start"
expect ActiveState active
ask 1 1
wait_for "the first letter" has_letters 1
main=$(inside systemctl show -P MainPID knightmail)
[ "$(inside ps -o user= -p "$main")" = knightmail ] || fail "it does not run as its user"
inside cat "/proc/$main/environ" | tr '\0' '\n' | grep -q '^CREDENTIALS_DIRECTORY=' || fail "no credentials"
[ "$(inside cat /run/credentials/knightmail.service/imap-password)" = very-secret ] || fail "no secret was handed over"
as_user test -e /run/credentials/knightmail.service/imap-password || fail "its user cannot read the secret"
inside journalctl -u knightmail -q -o json KNIGHTMAIL_LETTER=L1 | grep -q '"KNIGHTMAIL_MAIL":"sha256:' || fail "the journal has no fields"
in_log guest1@ && fail "an address is in the log"
step "a mail is answered; the log has fields and no address; the secret is handed over"

as_user cp $home/knightmail.toml $home/good
as_user sh -c "printf '\n[nonsense]\n' >>$home/knightmail.toml"
inside systemctl reload knightmail
wait_for "the refusal of a bad configuration" says "has mistakes, the old one is in force"
in_log 'knightmail.toml:.*nonsense' -p err || fail "the log does not name the mistake"
ask 2 2
wait_for "a letter after a bad reload" has_letters 2
as_user cp $home/good $home/knightmail.toml
inside systemctl reload knightmail
wait_for "the good configuration" says '^waiting for mail$'
expect MainPID "$main"
step "a bad configuration is refused, a good one taken"

inside kill -STOP "$main"
wait_for "the watchdog" is NRestarts 1
wait_for "it is back" is ActiveState active
ask 3 3
wait_for "a letter after a hang" has_letters 3
step "the watchdog ends a daemon that hangs; the next one goes on"

ask 4 703
wait_for "the pass is under way" says '^at work'
inside systemctl stop knightmail
expect Result success
expect ActiveState inactive
waiting=$(as_user sh -c "ls $home/mail/in/new | wc -l")
[ "$waiting" -gt 0 ] || fail "the pass was not ended by the stop"
step "stopped in mid-pass, $waiting mails wait"
inside systemctl start knightmail-once || fail "a single pass"
expect Result success knightmail-once
[ "$(letters)" = 703 ] || fail "$(letters) letters instead of 703"
mail audit >/dev/null || fail "audit"
step "a single pass has done the rest; audit is clean"

inside systemctl start knightmail
inside dpkg --force-unsafe-io --no-triggers --purge knightmail >"$lab/dpkg" 2>&1 || { cat "$lab/dpkg"; fail "dpkg --purge"; }
inside test -f $home/store/daemon.lock || fail "the purge has deleted the books"
inside test ! -e /usr/lib/systemd/system/knightmail.service || fail "the purge has left the unit"
inside pgrep -u knightmail >/dev/null && fail "it still runs"
step "purged; the books are still there"
