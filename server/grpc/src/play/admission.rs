//! Admission of streams: of tables, and of clients that have shown no token yet.
//!
//! # Shape
//! Any client may open a stream, so that a stream takes no slot of the tables before its token is
//! valid. Until then, it holds a [`WaitingSlot`]. If all of these are taken, the stream that has
//! waited longest for its first request gives its slot to the new one. A request that has already
//! arrived is taken before the stream is ended, so that a prompt table keeps its slot.
//!
//! # Limits
//! [`STREAMS_MAX`] streams of tables, [`UNATTACHED_MAX`] without one. A new stream waits up to
//! [`SLOT_WAIT_MAX`] for a slot.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_edge::codes::EdgeCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::limits::{SLOT_WAIT_MAX, STREAMS_MAX, UNATTACHED_MAX};
use crate::status::{About, status};

/// The slots of all streams.
#[derive(Clone)]
pub(super) struct Admission {
    tables: Arc<Semaphore>,
    unattached: Arc<Semaphore>,
    waiting: Arc<Unattached>,
}

/// The streams without a table that were not asked to end, in the order in which they began.
#[derive(Default)]
struct Unattached(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    count: u64,
    leave: BTreeMap<u64, CancellationToken>,
}

/// The slot of a stream without a table, freed on drop.
pub(super) struct WaitingSlot {
    number: u64,
    leave: CancellationToken,
    waiting: Arc<Unattached>,
    _permit: OwnedSemaphorePermit,
}

impl Admission {
    /// Creates the slots, all of them free.
    pub(super) fn new() -> Self {
        Self::of(STREAMS_MAX, UNATTACHED_MAX)
    }

    fn of(tables: usize, unattached: usize) -> Self {
        Self {
            tables: Arc::new(Semaphore::new(tables)),
            unattached: Arc::new(Semaphore::new(unattached)),
            waiting: Arc::default(),
        }
    }

    /// Takes a slot for a new stream.
    pub(super) async fn begin(&self) -> Result<WaitingSlot, Status> {
        let free = Arc::clone(&self.unattached).try_acquire_owned();
        let permit = if let Ok(permit) = free {
            permit
        } else {
            self.waiting.end_longest_waiting();
            let freed = Arc::clone(&self.unattached).acquire_owned();
            let permit = timeout(SLOT_WAIT_MAX, freed).await;
            permit.ok().and_then(Result::ok).ok_or_else(busy)?
        };
        let leave = CancellationToken::new();
        Ok(WaitingSlot {
            number: self.waiting.add(leave.clone()),
            leave,
            waiting: Arc::clone(&self.waiting),
            _permit: permit,
        })
    }

    /// Takes a slot for a stream whose first table was attached.
    pub(super) fn attach(&self) -> Result<OwnedSemaphorePermit, Status> {
        let permit = Arc::clone(&self.tables).try_acquire_owned();
        permit.map_err(|_| busy())
    }
}

impl WaitingSlot {
    /// Waits until another stream needs the slot, and returns the status that ends this one.
    pub(super) async fn needed(&self) -> Status {
        self.leave.cancelled().await;
        busy()
    }
}

impl Drop for WaitingSlot {
    fn drop(&mut self) {
        self.waiting.lock().leave.remove(&self.number);
    }
}

impl Unattached {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, leave: CancellationToken) -> u64 {
        let mut waiting = self.lock();
        waiting.count += 1;
        let number = waiting.count;
        waiting.leave.insert(number, leave);
        number
    }

    /// Ends the stream that has waited longest.
    fn end_longest_waiting(&self) {
        let longest = self.lock().leave.pop_first();
        if let Some((_, leave)) = longest {
            leave.cancel();
        }
    }
}

fn busy() -> Status {
    status(EdgeCode::Busy, About::default())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use meterhouse_edge::codes::EdgeCode;
    use tokio::time::Instant;
    use tonic::Code;

    use super::*;

    /// Takes a slot that is free.
    fn free_slot(admission: &Admission) -> WaitingSlot {
        let slot = admission.begin().now_or_never().expect("at once");
        slot.expect("a place")
    }

    fn is_needed(slot: &WaitingSlot) -> bool {
        slot.needed().now_or_never().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_stream_takes_the_slot_of_the_one_that_waited_longest() {
        let admission = Admission::of(1, 3);
        let attached = free_slot(&admission);
        let (longest, second) = (free_slot(&admission), free_slot(&admission));
        drop(attached);
        let third = free_slot(&admission);
        let newcomers = async { tokio::join!(admission.begin(), admission.begin()) };
        let leaving = async {
            assert_eq!(longest.needed().await.code(), Code::Unavailable);
            assert_eq!(second.needed().await.code(), Code::Unavailable);
            drop((longest, second));
        };
        let (newcomers, ()) = tokio::join!(newcomers, leaving);
        assert!(newcomers.0.is_ok() && newcomers.1.is_ok());
        assert!(!is_needed(&third), "two came, two went");
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_stream_waits_for_a_slot_for_a_limited_time() {
        let admission = Admission::of(1, 1);
        let slot = free_slot(&admission);
        let began = Instant::now();
        let refused = admission.begin().await.err().expect("no place");
        assert_eq!(
            refused.message(),
            status(EdgeCode::Busy, About::default()).message()
        );
        assert_eq!(began.elapsed(), SLOT_WAIT_MAX);
        assert!(is_needed(&slot));
        drop(slot);
        drop(free_slot(&admission));
        assert!(admission.waiting.lock().leave.is_empty());
    }

    #[test]
    fn tables_have_slots_of_their_own() {
        let admission = Admission::of(2, 0);
        let (first, second) = (admission.attach(), admission.attach());
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(
            admission.attach().err().map(|status| status.code()),
            Some(Code::Unavailable)
        );
        drop(first);
        assert!(admission.attach().is_ok());
    }
}
