//! The power goes at any moment: what was told as kept is on the disk, and what was not is there whole or not at all.
//!
//! # Shape
//! A disk in memory notes every write and sync of the store. For every moment of a change a file is made as the disk
//! may have it then: all that was synced, and of the writes after that any, each whole or not at all, as chance says.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use redb::StorageBackend;

use super::{Contents, Outbox, builder, count, number, open, place};

/// The way of the lost writes; printed where the test fails.
const SEED: u64 = 657;
/// Changes, each cut off everywhere.
const CHANGES: u32 = 6;
/// Disks that are tried for every moment.
const DISKS: usize = 2;

/// What the store did.
#[derive(Clone, Debug)]
enum Step {
    Write(usize, Vec<u8>),
    Length(usize),
    Sync,
}

#[derive(Debug, Default)]
struct State {
    /// What a reader sees.
    seen: Vec<u8>,
    /// What the disk had when `steps` began.
    synced: Vec<u8>,
    steps: Vec<Step>,
}

/// A disk that forgets what was not synced.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<State>>);

impl Disk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// From now on all that was written until now is safe.
    fn settle(&self) {
        let mut state = self.state();
        state.synced = state.seen.clone();
        state.steps.clear();
    }

    /// The disk as it may be when the power goes after so many steps.
    fn after(&self, steps: usize, rng: &mut StdRng) -> Vec<u8> {
        let state = self.state();
        let done = &state.steps[..steps];
        let synced = done.iter().rposition(|it| matches!(it, Step::Sync));
        let mut bytes = state.synced.clone();
        for (place, step) in done.iter().enumerate() {
            let is_safe = synced.is_some_and(|synced| place < synced);
            match step {
                Step::Write(at, data) if is_safe || rng.random_bool(0.5) => {
                    bytes[*at..*at + data.len()].copy_from_slice(data);
                }
                Step::Length(length) => bytes.resize(*length, 0),
                Step::Write(..) | Step::Sync => {}
            }
        }
        bytes
    }
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().seen.len() as u64)
    }

    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        let at = size(at);
        out.copy_from_slice(&self.state().seen[at..at + out.len()]);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.state();
        state.seen.resize(size(length), 0);
        state.steps.push(Step::Length(size(length)));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.state().steps.push(Step::Sync);
        Ok(())
    }

    fn write(&self, at: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.seen[size(at)..size(at) + data.len()].copy_from_slice(data);
        state.steps.push(Step::Write(size(at), data.to_vec()));
        Ok(())
    }
}

/// What a file with these bytes keeps: the next number, and the numbers of the commands.
fn kept(path: &Path, bytes: &[u8]) -> (u64, Vec<u64>) {
    std::fs::write(path, bytes).unwrap();
    let (outbox, Contents { next, commands }) = open(path);
    outbox.close().unwrap();
    let numbers = commands.keys().map(|it| it.get()).collect();
    (next.unwrap().get(), numbers)
}

/// See the head of this file.
#[test]
fn a_power_cut_loses_nothing_that_was_kept() {
    println!("seed {SEED}");
    let mut rng = StdRng::seed_from_u64(SEED);
    let (_folder, path) = place();
    let (outbox, _) = open(&path);
    outbox.begin(number(1)).unwrap();
    outbox.close().unwrap();
    let disk = Disk::default();
    disk.state().seen = std::fs::read(&path).unwrap();
    let database = builder().create_with_backend(disk.clone()).unwrap();
    let outbox = Outbox {
        database,
        path: path.clone(),
    };
    let mut before = (1, Vec::new());
    for change in 1..=CHANGES {
        disk.settle();
        let forget: Vec<_> = before.1.iter().copied().take(1).map(number).collect();
        let given = outbox.change(&forget, vec![count(change); 2]).unwrap();
        let mut after = before.1.split_off(forget.len());
        before.1 = forget
            .iter()
            .map(|it| it.get())
            .chain(after.clone())
            .collect();
        after.extend(given.iter().map(|it| it.0.get()));
        let after = (before.0 + 2, after);
        let steps = disk.state().steps.len();
        for (step, _) in (0..=steps).flat_map(|step| (0..DISKS).map(move |it| (step, it))) {
            let found = kept(&path, &disk.after(step, &mut rng));
            let is_told = step == steps;
            assert!(
                found == after || (!is_told && found == before),
                "change {change}, step {step} of {steps}: {found:?}, not {before:?} or {after:?}"
            );
        }
        before = after;
    }
}
