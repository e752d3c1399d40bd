//! What the service manager is told (sd_notify(3)): ready, alive, what the daemon is doing. Without systemd nobody
//! listens and nothing happens.

use sd_notify::NotifyState;
use std::time::Duration;

/// How often a waiting daemon says that it is alive, where the unit asks for nothing more often.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Returns how long the daemon may be silent: a third of the watchdog time of the unit.
pub(super) fn heartbeat() -> Duration {
    sd_notify::watchdog_enabled().map_or(HEARTBEAT, |time| HEARTBEAT.min(time / 3))
}

/// It is ready, at first and after a reload.
pub(super) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// It is alive.
pub(super) fn alive() {
    tell(&[NotifyState::Watchdog]);
}

/// It reads its configuration anew, until it is ready again.
pub(super) fn reloading() {
    let now = NotifyState::monotonic_usec_now().ok();
    let states: Vec<_> = [Some(NotifyState::Reloading), now].into_iter().flatten().collect();
    tell(&states);
}

/// It comes to its end.
pub(super) fn stopping() {
    tell(&[NotifyState::Stopping, NotifyState::Status("stopping")]);
}

/// What it is doing, for `systemctl status`: one line.
pub(super) fn status(text: &str) {
    let line = text.lines().next().unwrap_or_default();
    tell(&[NotifyState::Status(line)]);
}

fn tell(states: &[NotifyState<'_>]) {
    let _ = sd_notify::notify(states);
}
