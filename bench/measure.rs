//! What everything is measured with: clocks, counters of the kernel, and the disk's plain sync rate, so that figures of
//! one run can be set against each other.

use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

/// Seconds and what they were for, as `a second`.
pub(crate) fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Returns how long something takes, with its answer.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let answer = work();
    (start.elapsed(), answer)
}

/// Appends of 200 bytes a second, each synced by itself, in a folder.
pub(crate) fn sync_rate(folder: &Path) -> f64 {
    let path = folder.join("sync-rate");
    let mut file = File::create(&path).expect("a file can be made");
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(1) {
        file.write_all(&[b'x'; 200]).and_then(|()| file.sync_data()).expect("it can be written");
        count += 1;
    }
    fs::remove_file(path).expect("it is ours");
    rate(count, start.elapsed())
}

/// Processor time of children that have ended, by `/proc/self/stat` (hundredths of a second).
pub(crate) fn children_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("this is Linux");
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
    let ticks = [13, 14].map(|field: usize| fields[field].parse::<u64>().expect("a number"));
    Duration::from_millis(10 * ticks.iter().sum::<u64>())
}

/// The most memory this process ever had, in megabytes.
pub(crate) fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// Runs the program on a home; its words are shown when it fails.
pub(crate) fn knightmail(home: &Path, words: &[&str]) {
    run(Command::new(env!("CARGO_BIN_EXE_knightmail")).arg("--home").arg(home).args(words));
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) {
    let done = command.output().expect("it can be started");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
}

/// Runs the program under strace, if that is there; returns how many syncs it made.
pub(crate) fn count_syncs(home: &Path, words: &[&str]) -> Option<usize> {
    let trace = home.join("strace");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=fsync,fdatasync,syncfs", "-o"]).arg(&trace);
    strace.arg(env!("CARGO_BIN_EXE_knightmail")).arg("--home").arg(home).args(words);
    strace.output().ok().filter(|done| done.status.success())?;
    Some(fs::read_to_string(trace).ok()?.matches("sync").count())
}

/// How a time grows when the work doubles: the exponent between the first and the last of `(size, time)`.
pub(crate) fn exponent(sizes: &[(usize, Duration)]) -> f64 {
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    let grown = last.1.as_secs_f64() / first.1.as_secs_f64();
    grown.ln() / (last.0 as f64 / first.0 as f64).ln()
}
