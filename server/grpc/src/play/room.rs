//! Room for streams: of tables, and of whoever has shown no token yet.
//!
//! # Shape
//! Everybody may open a stream, so it takes none of the tables' room before a token held. Until then it has a [`Place`]
//! among those without a table; where all of these are taken, whoever has waited longest for its first request gives
//! its own to the newcomer. A table that speaks at once keeps it: what has come is looked at before the stream is ended.
//!
//! # What bounds it
//! [`STREAMS_MAX`] streams of tables, [`UNATTACHED_MAX`] without one; a newcomer waits [`PLACE_WAIT_MAX`] for a place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_edge::codes::EdgeCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::limits::{PLACE_WAIT_MAX, STREAMS_MAX, UNATTACHED_MAX};
use crate::status::{About, status};

/// Room for all streams.
#[derive(Clone)]
pub(super) struct Room {
    tables: Arc<Semaphore>,
    unattached: Arc<Semaphore>,
    silent: Arc<Silent>,
}

/// Those without a table that were not told to go, in the order in which they came.
#[derive(Default)]
struct Silent(Mutex<Coming>);

#[derive(Default)]
struct Coming {
    count: u64,
    leave: BTreeMap<u64, CancellationToken>,
}

/// A place among those without a table; free when it is dropped.
pub(super) struct Place {
    number: u64,
    leave: CancellationToken,
    silent: Arc<Silent>,
    _room: OwnedSemaphorePermit,
}

impl Room {
    /// Empty.
    pub(super) fn new() -> Self {
        Self::of(STREAMS_MAX, UNATTACHED_MAX)
    }

    fn of(tables: usize, unattached: usize) -> Self {
        Self {
            tables: Arc::new(Semaphore::new(tables)),
            unattached: Arc::new(Semaphore::new(unattached)),
            silent: Arc::default(),
        }
    }

    /// A place for a stream that begins.
    pub(super) async fn begin(&self) -> Result<Place, Status> {
        let free = Arc::clone(&self.unattached).try_acquire_owned();
        let room = if let Ok(room) = free {
            room
        } else {
            self.silent.end_longest();
            let coming = Arc::clone(&self.unattached).acquire_owned();
            let came = timeout(PLACE_WAIT_MAX, coming).await;
            came.ok().and_then(Result::ok).ok_or_else(busy)?
        };
        let leave = CancellationToken::new();
        Ok(Place {
            number: self.silent.add(leave.clone()),
            leave,
            silent: Arc::clone(&self.silent),
            _room: room,
        })
    }

    /// Room for a stream whose first table is known.
    pub(super) fn attach(&self) -> Result<OwnedSemaphorePermit, Status> {
        let room = Arc::clone(&self.tables).try_acquire_owned();
        room.map_err(|_| busy())
    }
}

impl Place {
    /// How a stream ends whose place somebody else needs; until then this waits.
    pub(super) async fn needed(&self) -> Status {
        self.leave.cancelled().await;
        busy()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.silent.lock().leave.remove(&self.number);
    }
}

impl Silent {
    fn lock(&self) -> MutexGuard<'_, Coming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, leave: CancellationToken) -> u64 {
        let mut coming = self.lock();
        coming.count += 1;
        let number = coming.count;
        coming.leave.insert(number, leave);
        number
    }

    /// Tells the one that has waited longest to go, and each only once.
    fn end_longest(&self) {
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

    /// A place that is there at once.
    fn at_once(room: &Room) -> Place {
        let place = room.begin().now_or_never().expect("at once");
        place.expect("a place")
    }

    fn is_needed(place: &Place) -> bool {
        place.needed().now_or_never().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_newcomer_takes_the_place_of_the_one_that_waited_longest() {
        let room = Room::of(1, 3);
        let attached = at_once(&room);
        let (longest, second) = (at_once(&room), at_once(&room));
        drop(attached);
        let third = at_once(&room);
        let newcomers = async { tokio::join!(room.begin(), room.begin()) };
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
    async fn who_does_not_leave_is_waited_for_in_time() {
        let room = Room::of(1, 1);
        let place = at_once(&room);
        let began = Instant::now();
        let refused = room.begin().await.err().expect("no place");
        assert_eq!(
            refused.message(),
            status(EdgeCode::Busy, About::default()).message()
        );
        assert_eq!(began.elapsed(), PLACE_WAIT_MAX);
        assert!(is_needed(&place));
        drop(place);
        drop(at_once(&room));
        assert!(room.silent.lock().leave.is_empty());
    }

    #[test]
    fn tables_have_room_of_their_own() {
        let room = Room::of(2, 0);
        let (first, second) = (room.attach(), room.attach());
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(
            room.attach().err().map(|it| it.code()),
            Some(Code::Unavailable)
        );
        drop(first);
        assert!(room.attach().is_ok());
    }
}
