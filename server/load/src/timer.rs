//! A timer with a precision of microseconds. The runtime's own timers are precise to a millisecond.
//!
//! # Shape
//! A timer of the kernel. The runtime waits for its descriptor, as for a socket.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd, RawFd};
use std::time::Duration;

use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The shortest delay. A delay of zero would disarm the timer.
const DELAY_MIN: Duration = Duration::from_nanos(1);

/// A timer of one task.
#[derive(Debug)]
pub(crate) struct Timer {
    timer: AsyncFd<KernelTimer>,
}

/// The kernel's timer, as a descriptor for the runtime.
#[derive(Debug)]
struct KernelTimer(TimerFd);

impl AsRawFd for KernelTimer {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_fd().as_raw_fd()
    }
}

impl Timer {
    /// Creates a timer that is not set.
    #[expect(
        deprecated,
        reason = "the way that is not deprecated is unsafe code; here the timer owns its descriptor for good"
    )]
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
        let timer = AsyncFd::with_interest(KernelTimer(timer), Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// Sets the timer. An earlier setting is replaced.
    pub(crate) fn set(&self, delay: Duration) -> io::Result<()> {
        let expiration = Expiration::OneShot(TimeSpec::from_duration(delay.max(DELAY_MIN)));
        let timer = &self.timer.get_ref().0;
        Ok(timer.set(expiration, TimerSetTimeFlags::empty())?)
    }

    /// Waits until the timer expires.
    pub(crate) async fn expired(&self) -> io::Result<()> {
        loop {
            let mut ready = self.timer.readable().await?;
            if let Ok(expired) = ready.try_io(|timer| Ok(timer.get_ref().0.wait()?)) {
                return expired;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Timer;

    /// The timer expires once for each time it is set, and never early.
    #[tokio::test]
    async fn expires_once_after_the_delay() {
        let timer = Timer::new().expect("a timer");
        for micros in [0, 200, 3_000] {
            let delay = Duration::from_micros(micros);
            let start = Instant::now();
            timer.set(delay).expect("it is set");
            timer.expired().await.expect("it rings");
            assert!(start.elapsed() >= delay);
        }
    }
}
