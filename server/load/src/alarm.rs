//! Waking at an instant: the runtime's own timers are good to a millisecond, a schedule needs microseconds.
//!
//! # Shape
//! A timer of the kernel that the runtime waits for as for a socket.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd, RawFd};
use std::time::Duration;

use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The shortest time that is set: none at all would switch the timer off.
const SHORTEST: Duration = Duration::from_nanos(1);

/// A timer of one task.
#[derive(Debug)]
pub(crate) struct Alarm {
    timer: AsyncFd<Timer>,
}

/// The kernel's timer, as the runtime wants it.
#[derive(Debug)]
struct Timer(TimerFd);

impl AsRawFd for Timer {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_fd().as_raw_fd()
    }
}

impl Alarm {
    /// One that is not set.
    #[expect(
        deprecated,
        reason = "the way that is not deprecated is unsafe code; here the timer owns its descriptor for good"
    )]
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
        let timer = AsyncFd::with_interest(Timer(timer), Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// Sets it; what was set before is forgotten.
    pub(crate) fn set(&self, after: Duration) -> io::Result<()> {
        let once = Expiration::OneShot(TimeSpec::from_duration(after.max(SHORTEST)));
        let timer = &self.timer.get_ref().0;
        Ok(timer.set(once, TimerSetTimeFlags::empty())?)
    }

    /// Waits until it rings.
    pub(crate) async fn rings(&self) -> io::Result<()> {
        loop {
            let mut ready = self.timer.readable().await?;
            if let Ok(rung) = ready.try_io(|timer| Ok(timer.get_ref().0.wait()?)) {
                return rung;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Alarm;

    /// It rings once for each time it is set, never early.
    #[tokio::test]
    async fn it_rings_when_set() {
        let alarm = Alarm::new().expect("a timer");
        for micros in [0, 200, 3_000] {
            let time = Duration::from_micros(micros);
            let start = Instant::now();
            alarm.set(time).expect("it is set");
            alarm.rings().await.expect("it rings");
            assert!(start.elapsed() >= time);
        }
    }
}
