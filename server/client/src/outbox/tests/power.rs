//! A power cut at any time: a command reported as stored is on the disk, and any other is there completely or not at
//! all.
//!
//! # Shape
//! A disk in memory records every write and sync. For every step of a commit, a file is made as the disk may have it
//! then. The file has all synced writes. Of the later writes it has a random selection, each completely or not at all.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use redb::StorageBackend;

use super::{Contents, Outbox, builder, count, number, open, outbox_path};

/// Seed of the lost writes, printed if the test fails.
const SEED: u64 = 657;
/// Number of commits, each cut off at every step.
const CHANGES: u32 = 6;
/// Number of disks that are tried for every step.
const DISKS: usize = 2;

/// A step of the store.
#[derive(Clone, Debug)]
enum Step {
    Write(usize, Vec<u8>),
    Length(usize),
    Sync,
}

#[derive(Debug, Default)]
struct State {
    /// The bytes that a reader sees.
    seen: Vec<u8>,
    /// The bytes on the disk when `steps` started.
    synced: Vec<u8>,
    steps: Vec<Step>,
}

/// A disk that loses unsynced writes.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<State>>);

impl Disk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Makes all writes so far durable.
    fn settle(&self) {
        let mut state = self.state();
        state.synced = state.seen.clone();
        state.steps.clear();
    }

    /// Returns a possible content of the disk after a power cut behind this number of steps.
    fn after(&self, steps: usize, rng: &mut StdRng) -> Vec<u8> {
        let state = self.state();
        let done = &state.steps[..steps];
        let synced = done.iter().rposition(|step| matches!(step, Step::Sync));
        let mut bytes = state.synced.clone();
        for (index, step) in done.iter().enumerate() {
            let is_safe = synced.is_some_and(|synced| index < synced);
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

/// Returns the content of a file with these bytes: the next number, and the numbers of the commands.
fn kept(path: &Path, bytes: &[u8]) -> (u64, Vec<u64>) {
    std::fs::write(path, bytes).unwrap();
    let (outbox, Contents { next, commands, .. }) = open(path);
    outbox.close().unwrap();
    let numbers = commands.keys().map(|sequence| sequence.get()).collect();
    (next.unwrap().get(), numbers)
}

/// See the header of this file.
#[test]
fn a_power_cut_loses_no_stored_command() {
    println!("seed {SEED}");
    let mut rng = StdRng::seed_from_u64(SEED);
    let (_folder, path) = outbox_path();
    let (outbox, _) = open(&path);
    outbox.set_next(number(1)).unwrap();
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
        let given = outbox.commit(&forget, vec![count(change); 2]).unwrap();
        let mut after = before.1.split_off(forget.len());
        before.1 = forget
            .iter()
            .map(|sequence| sequence.get())
            .chain(after.clone())
            .collect();
        after.extend(given.iter().map(|(sequence, _)| sequence.get()));
        let after = (before.0 + 2, after);
        let steps = disk.state().steps.len();
        for (step, _) in (0..=steps).flat_map(|step| (0..DISKS).map(move |disk| (step, disk))) {
            let found = kept(&path, &disk.after(step, &mut rng));
            let is_reported = step == steps;
            assert!(
                found == after || (!is_reported && found == before),
                "change {change}, step {step} of {steps}: {found:?}, not {before:?} or {after:?}"
            );
        }
        before = after;
    }
}
