//! How far the signing of this node has come, for those who watch it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::time::Instant;

use crate::clock::now;

/// Number of microseconds in a second.
const MICROS: i64 = 1_000_000;

/// The measures of signing at one moment, in seconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SigningMeasures {
    /// Interval of signing.
    pub interval: u64,
    /// Time since this node found every chain signed.
    pub age: u64,
    /// Time since the newest head of all chains was signed; `None` without one.
    pub head_age: Option<u64>,
}

/// How far the signing of this node has come.
#[derive(Debug, Default)]
pub(crate) struct SigningStatus(Mutex<Option<Status>>);

#[derive(Copy, Clone, Debug)]
struct Status {
    interval: Duration,
    signed: Instant,
    newest: Option<Timestamp>,
}

impl SigningStatus {
    /// Notes that signing begins.
    pub(crate) fn begin(&self, interval: Duration) {
        self.with(|status| {
            *status = Some(Status {
                interval,
                signed: Instant::now(),
                newest: None,
            });
        });
    }

    /// Notes that every chain that has grown is signed.
    pub(crate) fn all_signed(&self) {
        self.with(|status| {
            if let Some(status) = status {
                status.signed = Instant::now();
            }
        });
    }

    /// Notes a signed head, of this node or of another one.
    pub(crate) fn head_seen(&self, at: Timestamp) {
        self.with(|status| {
            if let Some(status) = status {
                status.newest = status.newest.max(Some(at));
            }
        });
    }

    /// Returns the measures; `None` if this node signs nothing.
    pub(crate) fn measures(&self) -> Option<SigningMeasures> {
        let status = self.with(|status| *status)?;
        let head_age = status.newest.map(|at| (now().0 - at.0) / MICROS);
        Some(SigningMeasures {
            interval: status.interval.as_secs(),
            age: status.signed.elapsed().as_secs(),
            // A head from the future is one of a clock that was set back.
            head_age: head_age.map(|age| u64::try_from(age).unwrap_or(0)),
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Option<Status>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
