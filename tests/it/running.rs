//! The real program in the background, for the tests of the daemon: started, told things by signals, waited for, and
//! heard as systemd hears it.

use crate::world::{Ran, World, end};
use std::{
    cell::RefCell,
    fs,
    os::unix::net::UnixDatagram,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Starts the program in the background.
pub(crate) fn start(mut command: Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

pub(crate) fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([name, &pid]).status().expect("kill is there");
    assert!(sent.success(), "kill {name} {pid}");
}

/// Waits until something is so, a minute at most.
#[track_caller]
pub(crate) fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{what}: waited in vain");
        sleep(Duration::from_millis(20));
    }
}

/// Waits until a daemon has its home; from then on it hears signals.
#[track_caller]
pub(crate) fn wait_until_up(world: &World, daemon: &Child) {
    let (lock, pid) = (world.path("store/daemon.lock"), daemon.id().to_string());
    wait_for("the lock", || fs::read_to_string(&lock).is_ok_and(|text| text.trim() == pid));
}

/// Ends the daemon as systemd does and makes sure that it ends well.
#[track_caller]
pub(crate) fn stop(daemon: Child) -> Ran {
    signal(&daemon, "-TERM");
    end(daemon).code(0)
}

/// Makes the daemon look into its mailbox every second.
pub(crate) fn hurry(world: &World) {
    let config = world.path("knightmail.toml");
    let text = fs::read_to_string(&config).expect("the configuration");
    crate::world::write(&config, text.replace("poll_seconds = 30", "poll_seconds = 1").as_bytes());
}

/// The end of the socket where the service manager listens.
pub(crate) struct Manager {
    socket: UnixDatagram,
    heard: RefCell<Vec<String>>,
}

impl Manager {
    /// Starts the daemon of a home under a service manager.
    pub(crate) fn start(world: &World) -> (Self, Child) {
        let path = world.path("notify");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_millis(50))).expect("a time limit");
        let mut command = world.command(&["run"]);
        command.env("NOTIFY_SOCKET", &path);
        (Self { socket, heard: RefCell::default() }, start(command))
    }

    /// Returns everything that the daemon has said so far.
    pub(crate) fn heard(&self) -> Vec<String> {
        let mut bytes = [0; 4096];
        while let Ok(len) = self.socket.recv(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..len]).into_owned();
            self.heard.borrow_mut().extend(text.lines().map(str::to_owned));
        }
        self.heard.borrow().clone()
    }

    /// Waits until the daemon has said a line that begins so, so many times.
    #[track_caller]
    pub(crate) fn wait_for(&self, begin: &str, times: usize) {
        wait_for(begin, || self.heard().iter().filter(|l| l.starts_with(begin)).count() >= times);
    }
}
