//! A thread for calls that may hang: into a device's library, or to a file on a remote disk.
//!
//! # Shape
//! One thread owns what is called, and makes one call after another. A caller waits for a bounded time. A call that hangs
//! holds this thread alone: no thread of the runtime, and not the end of the process.
//!
//! # Limits
//! [`CALLS_MAX`] calls wait. A call is refused without a wait while an earlier one is out for as long as the caller would
//! wait.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Maximum number of waiting calls.
const CALLS_MAX: usize = 16;

/// A call that was not made, or whose result did not arrive in time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoResult {
    /// An earlier call is still out, or too many wait.
    #[error("an earlier call is still out")]
    Busy,
    /// The call was not over in time.
    #[error("no answer within {} s", .0.as_secs())]
    Late(Duration),
    /// The system gives no thread, or a call ended it.
    #[error("its thread is gone")]
    Gone,
}

struct Call<S> {
    /// Moment at which the caller gives up.
    until: Instant,
    work: Box<dyn FnOnce(&mut S) + Send>,
}

/// A thread with what it owns.
pub(crate) struct CallThread<S> {
    calls: SyncSender<Call<S>>,
    /// Start of the call that is out.
    out_since: Arc<Mutex<Option<Instant>>>,
}

impl<S: 'static> CallThread<S> {
    /// Starts a thread, which first makes what it owns.
    pub(crate) fn start<E: Send + 'static>(
        name: &str,
        wait: Duration,
        make: impl FnOnce() -> Result<S, E> + Send + 'static,
    ) -> Result<Result<Self, E>, NoResult> {
        let (calls, waiting) = sync_channel(CALLS_MAX);
        let (reply, replied) = sync_channel(1);
        let out_since = Arc::default();
        let this = Self {
            calls,
            out_since: Arc::clone(&out_since),
        };
        let thread = Builder::new().name(name.to_owned());
        let thread = thread.spawn(move || match make() {
            Ok(owned) => {
                drop(reply.send(Ok(())));
                make_calls(owned, &waiting, &out_since);
            }
            Err(error) => drop(reply.send(Err(error))),
        });
        thread.map_err(|_| NoResult::Gone)?;
        Ok(result(&replied, wait)?.map(|()| this))
    }

    /// Makes a call, and waits for its result. Blocks for the given time at most.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        wait: Duration,
        work: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> Result<T, NoResult> {
        let out_since = *lock(&self.out_since);
        if out_since.is_some_and(|since| since.elapsed() >= wait) {
            return Err(NoResult::Busy);
        }
        let (reply, replied) = sync_channel(1);
        let call = Call {
            until: Instant::now() + wait,
            work: Box::new(move |owned| drop(reply.send(work(owned)))),
        };
        self.calls.try_send(call).map_err(|error| match error {
            TrySendError::Full(_) => NoResult::Busy,
            TrySendError::Disconnected(_) => NoResult::Gone,
        })?;
        result(&replied, wait)
    }
}

fn result<T>(reply: &Receiver<T>, wait: Duration) -> Result<T, NoResult> {
    reply.recv_timeout(wait).map_err(|error| match error {
        RecvTimeoutError::Timeout => NoResult::Late(wait),
        RecvTimeoutError::Disconnected => NoResult::Gone,
    })
}

fn lock(out_since: &Mutex<Option<Instant>>) -> MutexGuard<'_, Option<Instant>> {
    out_since.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the calls whose callers still wait, until there is no caller any more.
fn make_calls<S>(mut owned: S, waiting: &Receiver<Call<S>>, out_since: &Mutex<Option<Instant>>) {
    while let Ok(call) = waiting.recv() {
        let now = Instant::now();
        if now < call.until {
            *lock(out_since) = Some(now);
            (call.work)(&mut owned);
            *lock(out_since) = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);
    const SHORT: Duration = Duration::from_millis(20);

    fn counter() -> CallThread<u32> {
        let made = CallThread::start("counter", LONG, || Ok::<_, ()>(0));
        made.expect("in time").expect("a thread")
    }

    /// A call that hangs is given up in time, the next ones are refused without a wait, and once it is over, calls are
    /// made again. A call without a caller is not made.
    #[test]
    fn a_call_that_hangs_holds_up_nobody() {
        let thread = counter();
        let (release, released) = sync_channel::<()>(0);
        let (begun, has_begun) = sync_channel(1);
        std::thread::scope(|scope| {
            let thread = &thread;
            let hanging = scope.spawn(move || {
                thread.call(LONG, move |count| {
                    begun.send(()).expect("it is waited for");
                    released.recv().unwrap_or_default();
                    *count += 1;
                })
            });
            has_begun.recv().expect("the first call is out");
            let add = |count: &mut u32| *count += 100;
            // The call that is out for a shorter time is waited for.
            let patient = SHORT * 20;
            assert_eq!(thread.call(patient, add), Err(NoResult::Late(patient)));
            assert_eq!(thread.call(SHORT, add), Err(NoResult::Busy));
            assert_eq!(thread.call(patient, add), Err(NoResult::Busy));
            drop(release);
            assert_eq!(hanging.join().expect("no panic"), Ok(()));
        });
        assert_eq!(thread.call(LONG, |count| *count), Ok(1));
    }

    /// What is owned and can't be made in time, or at all, gives no thread.
    #[test]
    fn what_hangs_from_the_beginning_is_refused() {
        let (release, released) = sync_channel::<()>(0);
        let hang = move || {
            released.recv().unwrap_or_default();
            Ok::<_, ()>(0)
        };
        let started = CallThread::start("late", SHORT, hang);
        assert_eq!(started.err(), Some(NoResult::Late(SHORT)));
        drop(release);
        let started = CallThread::start("wrong", LONG, || Err::<u32, _>("no device"));
        assert_eq!(started.ok().and_then(Result::err), Some("no device"));
    }

    /// More calls than may wait are refused.
    #[test]
    fn calls_that_wait_are_limited() {
        let thread = counter();
        let (release, released) = sync_channel::<()>(0);
        let (begun, has_begun) = sync_channel(1);
        std::thread::scope(|scope| {
            let thread = &thread;
            scope.spawn(move || {
                thread.call(LONG, move |_| {
                    begun.send(()).expect("it is waited for");
                    released.recv().unwrap_or_default();
                })
            });
            has_begun.recv().expect("the first call is out");
            for _ in 0..CALLS_MAX {
                let (reply, _) = sync_channel::<()>(1);
                let work = Box::new(move |_: &mut u32| drop(reply));
                let until = Instant::now() + LONG;
                assert!(thread.calls.try_send(Call { until, work }).is_ok());
            }
            assert_eq!(thread.call(LONG, |_| ()), Err(NoResult::Busy));
            drop(release);
        });
        // The calls that waited may still be on their way out.
        let left = loop {
            match thread.call(LONG, |count| *count) {
                Err(NoResult::Busy) => std::thread::yield_now(),
                other => break other,
            }
        };
        assert_eq!(left, Ok(0));
    }
}
