//! A throttle for repeated log lines.

use std::time::{Duration, Instant};

/// Interval between two lines about the same subject.
const LINE_EVERY: Duration = Duration::from_secs(1);

/// A throttle for a log line that would repeat often: at most one line a second.
#[derive(Debug, Default)]
pub struct LogThrottle(Option<Instant>);

impl LogThrottle {
    /// Returns `true` if a line may be logged now.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = self.0.is_none_or(|logged| now - logged >= LINE_EVERY);
        if due {
            self.0 = Some(now);
        }
        due
    }
}
