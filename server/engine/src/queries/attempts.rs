//! The list of refused attempts.

use meterhouse_domain::ids::{LinkName, Timestamp};

pub use meterhouse_store::{AttemptKind, AttemptRow};

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::view::Page;

impl Engine {
    /// Returns refused attempts older than `before`, of one link or of all, newest first: from one time on, up to another.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn attempts(
        &self,
        link: Option<&LinkName>,
        before: Option<u64>,
        period: (Option<Timestamp>, Option<Timestamp>),
        limit: u32,
    ) -> Result<Page<AttemptRow, u64>, NotExecuted> {
        let link = match link {
            Some(link) => Some(self.context.registry.find_link(link).await?),
            None => None,
        };
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let found = self
            .context
            .store
            .attempts(link, before, period, limit)
            .await;
        let items = found.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|attempt| attempt.number),
            items,
        })
    }
}
