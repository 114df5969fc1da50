//! Periods of time: their batches, and the moment from which nothing is added to them.

use std::time::Duration;

use meterhouse_domain::ids::{LinkId, Timestamp};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;

/// The time after which a period is over: no commit under way is older.
const OVER_AFTER: Duration = Duration::from_mins(1);

/// Returns `true` if no batch can still be committed before this time.
pub(crate) fn is_over(moment: Timestamp) -> bool {
    let pause = i64::try_from(OVER_AFTER.as_micros()).unwrap_or(i64::MAX);
    moment.0.saturating_add(pause) <= now().0
}

impl Engine {
    /// Returns the last batch before one time and the last batch before another: 0 before the opening, and the head without
    /// an end.
    pub(crate) async fn batches_between(
        &self,
        link: LinkId,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
        head: u64,
    ) -> Result<(u64, u64), NotExecuted> {
        let from_batch = match from {
            Some(from) => self.last_batch_before(link, from).await?,
            None => 0,
        };
        let to_batch = match to {
            Some(to) => self.last_batch_before(link, to).await?,
            None => head,
        };
        Ok((from_batch, to_batch))
    }

    async fn last_batch_before(&self, link: LinkId, moment: Timestamp) -> Result<u64, NotExecuted> {
        let found = self.context.store.batch_before(link, moment).await;
        found.map_err(unavailable)
    }
}
