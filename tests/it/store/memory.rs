//! The store in memory fails and dies where it is told to, as a store in files may.

use super::*;

/// A small run over a store: three batches, each read back. Answers the fault that stopped it.
fn run(store: &mut dyn Store) -> Result<(), Fault> {
    store.begin()?;
    let mut last = 0;
    store.catch_up(&mut |transaction| last = transaction.seq)?;
    for seq in last + 1..=3 {
        let bytes = seq.to_le_bytes();
        store.keep(Shelf::Mail, june(), Digest::of(&bytes), &bytes)?;
        store.append(&transaction(seq, june()))?;
        store.commit()?;
        assert_eq!(store.fetch(Digest::of(&bytes))?.as_deref(), Some(&bytes[..]));
        store.set_in_hand(&InHand::new())?;
        store.write_view("last.txt", &seq.to_string())?;
    }
    store.end()
}

/// The store in memory fails and dies at every call there is, and the next run ends where an untouched one does.
#[test]
fn a_run_that_fails_or_dies_at_any_call_ends_the_same() {
    let untouched = MemoryStore::default();
    run(&mut untouched.reopen()).unwrap();
    for call in 1..=untouched.calls() {
        let failing = MemoryStore::default();
        failing.fail_at(call);
        assert!(run(&mut failing.reopen()).unwrap_err().what.contains("on demand"));
        ends_the_same(&failing);
        for cut in CommitCut::ALL {
            let dying = MemoryStore::default();
            dying.crash_at(call, cut);
            let died = catch_unwind(AssertUnwindSafe(|| run(&mut dying.reopen()))).unwrap_err();
            assert!(died.is::<Crashed>());
            ends_the_same(&dying);
        }
    }
    assert_eq!(untouched.syncs(), 6);
}

fn ends_the_same(store: &MemoryStore) {
    run(&mut store.reopen()).unwrap();
    let mut store = store.reopen();
    assert_eq!(caught_up(&mut store).unwrap(), [1, 2, 3]);
    for seq in 1..=3_u64 {
        assert!(store.fetch(Digest::of(&seq.to_le_bytes())).unwrap().is_some());
    }
}
