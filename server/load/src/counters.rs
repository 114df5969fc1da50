//! Counters of one connection.
//!
//! # Limits
//! All contract violations are counted, and [`DESCRIBED_VIOLATIONS_MAX`] are described. Refusals are counted by code.

use std::collections::BTreeMap;

use crate::error::LoadError;
use crate::timeline::Latencies;

/// Maximum number of contract violations that are described.
const DESCRIBED_VIOLATIONS_MAX: usize = 20;

/// Counters of one connection, or the sum over all connections.
#[derive(Debug)]
pub(crate) struct Counters {
    /// Commands with an outcome.
    pub(crate) commands: u64,
    /// Commands whose outcome arrived during the measured time.
    pub(crate) measured: u64,
    /// Time of the last outcome, in nanoseconds since the start.
    pub(crate) last_outcome: u64,
    /// Refusals by the rules, by code.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// Commands that were resent because their reply was lost.
    pub(crate) resent: u64,
    /// Connections that were opened again, except after a reordering or a cut on purpose.
    pub(crate) reconnects: u64,
    /// Connections that were cut on purpose.
    pub(crate) cuts: u64,
    /// Commands that were sent twice on purpose, and answered.
    pub(crate) repeats: u64,
    /// Later numbers that were sent first on purpose, and answered with the expected number.
    pub(crate) reorderings: u64,
    /// Latencies of hits.
    pub(crate) hits: Latencies,
    /// Delay from the planned time to the send, where only the generator was the cause.
    pub(crate) delay: Latencies,
    /// Commands that were planned and not sent before the end.
    pub(crate) unsent: u64,
    /// Number of contract violations.
    pub(crate) violations: u64,
    /// The first contract violations, described.
    pub(crate) described_violations: Vec<String>,
}

impl Counters {
    /// Creates counters of zero.
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
            violations: 0,
            described_violations: Vec::new(),
        })
    }

    /// Counts a contract violation.
    pub(crate) fn add_violation(&mut self, what: impl FnOnce() -> String) {
        self.violations += 1;
        if self.described_violations.len() < DESCRIBED_VIOLATIONS_MAX {
            self.described_violations.push(what());
        }
    }

    /// Counts a refusal by the rules.
    pub(crate) fn add_refusal(&mut self, code: String) {
        *self.refusals.entry(code).or_default() += 1;
    }

    /// Adds the counters of another connection.
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
        self.violations += other.violations;
        let room = DESCRIBED_VIOLATIONS_MAX.saturating_sub(self.described_violations.len());
        self.described_violations
            .extend(other.described_violations.into_iter().take(room));
    }
}
