//! What happens often and is said seldom.

use std::time::{Duration, Instant};

/// How often the log says the same of connections.
const SAID_EVERY: Duration = Duration::from_secs(1);

/// Something that happens often and is said seldom: at most once a second.
#[derive(Debug, Default)]
pub struct Seldom(Option<Instant>);

impl Seldom {
    /// Whether it is time to say it.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = self.0.is_none_or(|said| now - said >= SAID_EVERY);
        if due {
            self.0 = Some(now);
        }
        due
    }
}
