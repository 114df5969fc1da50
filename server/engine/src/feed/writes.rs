//! The displays of a process: their number, and those that are slow to take a message.
//!
//! # Limits
//! [`WRITE_MAX`] for a message. A display counts as slow from [`SLOW_AFTER`] on, until it takes the message or is closed.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::answer::NotExecuted;

/// Maximum time in which a display takes a message. After that, its connection is closed.
pub const WRITE_MAX: Duration = Duration::from_secs(10);
/// Time after which a display that does not take a message counts as slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);

const _: () = assert!(SLOW_AFTER.as_millis() < WRITE_MAX.as_millis());

/// The displays of a process.
pub(crate) struct Displays {
    most: usize,
    permits: Arc<Semaphore>,
    writes: Writes,
}

impl Displays {
    /// Admits so many displays.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            permits: Arc::new(Semaphore::new(most)),
            writes: Writes::default(),
        }
    }

    /// Returns a permit for one more display.
    pub(crate) fn permit(&self) -> Result<OwnedSemaphorePermit, NotExecuted> {
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        permit.map_err(|_| NotExecuted::TooManyFeeds)
    }

    /// Returns the messages of the displays.
    pub(crate) fn writes(&self) -> Writes {
        self.writes.clone()
    }

    /// Returns the number of displays.
    pub(crate) fn count(&self) -> usize {
        self.most.saturating_sub(self.permits.available_permits())
    }

    /// Returns the number of slow displays.
    pub(crate) fn slow(&self) -> usize {
        self.writes.slow()
    }
}

/// The messages that displays take.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    slow: Arc<AtomicUsize>,
}

impl Writes {
    /// Waits until a display has taken a message. Returns nothing if that takes longer than [`WRITE_MAX`].
    pub async fn taken<T>(&self, sending: impl Future<Output = T>) -> Option<T> {
        let mut sending = pin!(sending);
        if let Ok(taken) = timeout(SLOW_AFTER, &mut sending).await {
            return Some(taken);
        }
        let _counted = SlowDisplay::count(&self.slow);
        timeout(WRITE_MAX.saturating_sub(SLOW_AFTER), sending)
            .await
            .ok()
    }

    /// Returns the number of slow displays.
    fn slow(&self) -> usize {
        self.slow.load(Ordering::Relaxed)
    }
}

/// A display that is counted as slow until it is dropped.
struct SlowDisplay<'a>(&'a AtomicUsize);

impl<'a> SlowDisplay<'a> {
    fn count(slow: &'a AtomicUsize) -> Self {
        slow.fetch_add(1, Ordering::Relaxed);
        Self(slow)
    }
}

impl Drop for SlowDisplay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::sync::oneshot;
    use tokio::time::{Instant, advance};

    use super::{SLOW_AFTER, WRITE_MAX, Writes};

    /// A display is slow from a second on until it takes its message, is closed, or its session ends.
    #[tokio::test(start_paused = true)]
    async fn a_display_is_slow_while_it_takes_no_message() {
        let writes = Writes::default();
        let (began, step) = (Instant::now(), SLOW_AFTER / 2);
        assert_eq!(writes.taken(async { 7 }).await, Some(7));
        let (take, sending) = oneshot::channel();
        let late = {
            let writes = writes.clone();
            tokio::spawn(async move { writes.taken(sending).await })
        };
        tokio::task::yield_now().await;
        advance(step).await;
        assert_eq!(writes.slow(), 0, "not yet");
        advance(step).await;
        tokio::task::yield_now().await;
        assert_eq!(writes.slow(), 1);
        take.send(7).expect("it waits");
        assert_eq!(late.await.expect("no panic"), Some(Ok(7)));
        assert_eq!(writes.slow(), 0, "it has taken the message");
        assert_eq!(began.elapsed(), SLOW_AFTER);
        assert_eq!(writes.taken(pending::<()>()).await, None);
        assert_eq!(began.elapsed(), SLOW_AFTER + WRITE_MAX);
        assert_eq!(writes.slow(), 0, "it is closed");
        let gone = tokio::time::timeout(2 * SLOW_AFTER, writes.taken(pending::<()>()));
        gone.await.expect_err("its session ended");
        assert_eq!(writes.slow(), 0);
    }
}
