//! Reading the journal fast: the segments come in large chunks of whole lines, other threads verify and parse them
//! ahead, and the caller gets the lines in order. Parsing is nine tenths of the work of a restart.

use super::{
    line::{self, Line},
    segment::{self, Month},
};
use crate::fault::Fault;
use std::{
    collections::{BTreeMap, VecDeque},
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Bytes of a chunk, roughly.
const CHUNK_BYTES: usize = 512 * 1024;
/// Chunks that are read ahead for each thread, so that it never waits.
const CHUNKS_AHEAD: usize = 3;
/// Threads that parse; more would wait for the one that applies.
const THREADS_MAX: usize = 4;

/// Whole lines of one segment.
struct Chunk {
    month: Month,
    lines: Vec<u8>,
}

/// The lines of a chunk up to the first that does not verify, and what is wrong with that one.
pub(super) struct Read {
    /// The segment they come from.
    pub(super) month: Month,
    /// The lines that verify.
    pub(super) lines: Vec<Line>,
    /// Why there are no more.
    pub(super) broken: Option<String>,
    /// Whether a helping thread has parsed them. It frees them as well: a thread that frees what another one is
    /// allocating waits for it at every string.
    by_helper: bool,
}

/// Hands over all lines of segments in order, from `offset` of the first segment on. What stands behind the last
/// newline of a segment is not handed over.
pub(super) fn lines(
    folder: &Path,
    ending: &str,
    months: &[Month],
    offset: u64,
    each: &mut dyn FnMut(&Read) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut chunks = Chunks { folder, ending, months, offset, open: None, rest: Vec::new() };
    let (Some(first), second) = (chunks.next().transpose()?, chunks.next().transpose()?) else {
        return Ok(());
    };
    let Some(second) = second else { return each(&read(first)) };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let pool = Pool::default();
    thread::scope(|scope| {
        let _leaving = Leaving(&pool);
        for _ in 1..threads {
            scope.spawn(|| pool.help());
        }
        let mut given = [first, second].into_iter().map(Ok).chain(chunks);
        let (mut put, mut taken) = (0, 0);
        loop {
            while put - taken < threads * CHUNKS_AHEAD
                && let Some(chunk) = given.next()
            {
                pool.put(put, chunk?);
                put += 1;
            }
            if taken == put {
                return Ok(());
            }
            let read = pool.take(taken);
            each(&read)?;
            pool.give_back(read);
            taken += 1;
        }
    })
}

/// The chunks that are to be parsed and those that are. Whoever is free takes the next one, also the caller's own thread
/// when the one that it needs is not ready: applying the lines takes it a third of the whole time, on some machines more.
#[derive(Default)]
struct Pool {
    tasks: Mutex<Tasks>,
    changed: Condvar,
}

#[derive(Default)]
struct Tasks {
    waiting: VecDeque<(usize, Chunk)>,
    done: BTreeMap<usize, Read>,
    /// What helpers have parsed and nobody needs any more.
    spent: Vec<Read>,
    /// Somebody has left; nobody waits for anything any more.
    closed: bool,
}

impl Pool {
    fn put(&self, number: usize, chunk: Chunk) {
        self.lock().waiting.push_back((number, chunk));
        self.changed.notify_one();
    }

    /// Returns a chunk, parsed, and parses others while it is not ready.
    fn take(&self, number: usize) -> Read {
        let mut tasks = self.lock();
        loop {
            if let Some(read) = tasks.done.remove(&number) {
                return read;
            }
            assert!(!tasks.closed, "a thread that parses has died");
            match tasks.waiting.pop_front() {
                Some((number, chunk)) => {
                    drop(tasks);
                    let read = read(chunk);
                    tasks = self.lock();
                    tasks.done.insert(number, read);
                }
                None => tasks = self.wait(tasks),
            }
        }
    }

    /// Takes back what was followed, to be freed where it was made.
    fn give_back(&self, read: Read) {
        if read.by_helper {
            self.lock().spent.push(read);
        }
    }

    /// Parses chunks until somebody leaves.
    fn help(&self) {
        let _leaving = Leaving(self);
        let mut tasks = self.lock();
        while !tasks.closed {
            let spent = std::mem::take(&mut tasks.spent);
            match tasks.waiting.pop_front() {
                Some((number, chunk)) => {
                    drop(tasks);
                    drop(spent);
                    let read = Read { by_helper: true, ..read(chunk) };
                    tasks = self.lock();
                    tasks.done.insert(number, read);
                    self.changed.notify_all();
                }
                None => tasks = self.wait(tasks),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, tasks: MutexGuard<'a, Tasks>) -> MutexGuard<'a, Tasks> {
        self.changed.wait(tasks).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the pool however its owner leaves: at the end, by a fault, or because it died.
struct Leaving<'a>(&'a Pool);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

fn read(chunk: Chunk) -> Read {
    let Chunk { month, lines: bytes } = chunk;
    let mut lines = Vec::with_capacity(bytes.len() / 256);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', &bytes) {
        match line::read(&bytes[start..end]) {
            Ok(line) => lines.push(line),
            Err(why) => return Read { month, lines, broken: Some(why), by_helper: false },
        }
        start = end + 1;
    }
    Read { month, lines, broken: None, by_helper: false }
}

/// The chunks of segments, one after the other.
struct Chunks<'a> {
    folder: &'a Path,
    ending: &'a str,
    months: &'a [Month],
    /// Where the next segment is begun.
    offset: u64,
    open: Option<File>,
    /// What stood behind the last newline of the chunk before.
    rest: Vec<u8>,
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(month) = self.months.first().copied() {
            match self.next_of(month) {
                Ok(Some(lines)) => return Some(Ok(Chunk { month, lines })),
                Ok(None) => {
                    self.months = &self.months[1..];
                    self.open = None;
                    self.rest.clear();
                }
                Err(fault) => return Some(Err(fault)),
            }
        }
        None
    }
}

impl Chunks<'_> {
    /// Returns the next chunk of a segment; none at its end.
    fn next_of(&mut self, month: Month) -> Result<Option<Vec<u8>>, Fault> {
        let path = segment::path(self.folder, month, self.ending);
        let fault = |error| Fault::io("read", &path, &error);
        if self.open.is_none() {
            let mut file = segment::open(&path)?;
            file.seek(SeekFrom::Start(std::mem::take(&mut self.offset))).map_err(fault)?;
            self.open = Some(file);
        }
        let file = self.open.as_mut().expect("opened above");
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            bytes.reserve(CHUNK_BYTES);
            let count = file.take(CHUNK_BYTES as u64).read_to_end(&mut bytes).map_err(fault)?;
            if count == 0 {
                return Ok(None);
            }
            if let Some(end) = memchr::memrchr(b'\n', &bytes) {
                self.rest.extend_from_slice(&bytes[end + 1..]);
                bytes.truncate(end + 1);
                return Ok(Some(bytes));
            }
        }
    }
}
