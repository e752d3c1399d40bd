//! The tests of the program from the outside: one binary, a file for each subject, data as files under `tests/data`.

mod store;
