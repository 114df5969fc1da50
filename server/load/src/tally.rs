//! What one connection counted.
//!
//! # What bounds it
//! [`WRONG_MAX`] broken promises are told in words, all are counted; refusals are counted by their code.

use std::collections::BTreeMap;

use crate::error::LoadError;
use crate::timeline::Latencies;

/// Broken promises that are told in words.
const WRONG_MAX: usize = 20;

/// What one connection counted, or all of them.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Commands with an outcome.
    pub(crate) commands: u64,
    /// Those of them whose outcome came while it was measured.
    pub(crate) measured: u64,
    /// When the last outcome came, in nanoseconds since the beginning.
    pub(crate) last_outcome: u64,
    /// Refusals by the rules, by their code.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// Commands that were sent again because their answer was lost.
    pub(crate) resent: u64,
    /// Connections that were opened again, other than after a reordering or a cut of our own.
    pub(crate) reconnects: u64,
    /// Connections that were cut on purpose.
    pub(crate) cuts: u64,
    /// Commands sent twice on purpose, and answered.
    pub(crate) repeats: u64,
    /// Later numbers sent first, and answered with the expected one.
    pub(crate) reorderings: u64,
    /// From the hit to its outcome.
    pub(crate) hits: Latencies,
    /// From the planned instant to sending, where nothing but the generator was in between.
    pub(crate) delay: Latencies,
    /// Commands that were planned and not sent before the end.
    pub(crate) unsent: u64,
    /// How many promises were broken.
    pub(crate) wrong: u64,
    /// The first of them, in words.
    pub(crate) wrongs: Vec<String>,
}

impl Tally {
    /// Nothing yet.
    pub(crate) fn new() -> Result<Self, LoadError> {
        Ok(Self {
            commands: 0,
            measured: 0,
            last_outcome: 0,
            refusals: BTreeMap::new(),
            resent: 0,
            reconnects: 0,
            cuts: 0,
            repeats: 0,
            reorderings: 0,
            hits: Latencies::new()?,
            delay: Latencies::new()?,
            unsent: 0,
            wrong: 0,
            wrongs: Vec::new(),
        })
    }

    /// A promise was broken.
    pub(crate) fn broken(&mut self, what: impl FnOnce() -> String) {
        self.wrong += 1;
        if self.wrongs.len() < WRONG_MAX {
            self.wrongs.push(what());
        }
    }

    /// The rules refused a command.
    pub(crate) fn refused(&mut self, code: String) {
        *self.refusals.entry(code).or_default() += 1;
    }

    /// Adds what another connection counted.
    pub(crate) fn add(&mut self, other: Self) {
        self.commands += other.commands;
        self.measured += other.measured;
        self.last_outcome = self.last_outcome.max(other.last_outcome);
        for (code, count) in other.refusals {
            *self.refusals.entry(code).or_default() += count;
        }
        self.resent += other.resent;
        self.reconnects += other.reconnects;
        self.cuts += other.cuts;
        self.repeats += other.repeats;
        self.reorderings += other.reorderings;
        self.hits.add(&other.hits);
        self.delay.add(&other.delay);
        self.unsent += other.unsent;
        self.wrong += other.wrong;
        let room = WRONG_MAX.saturating_sub(self.wrongs.len());
        self.wrongs.extend(other.wrongs.into_iter().take(room));
    }
}
