//! The query of a link's journal, in pages.

use meterhouse_domain::ids::{LinkName, TableName, Timestamp};
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{JOURNAL_PAGE_MAX, JournalLine};

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::view::{JournalEntry, Page};

impl Engine {
    /// Returns the journal of a link after a position, in pages: from one time on, up to another.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn journal(
        &self,
        link: &LinkName,
        after: Option<Position>,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        limit: u32,
    ) -> Result<Page<JournalEntry, Position>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let (from_batch, to_batch) = self.batches_between(id, from, to, u64::MAX).await?;
        let limit = usize::try_from(limit)
            .unwrap_or(JOURNAL_PAGE_MAX)
            .clamp(1, JOURNAL_PAGE_MAX);
        let begin = Position::behind(from_batch);
        let after = after.map_or(begin, |after| after.max(begin));
        let lines = self
            .context
            .store
            .journal_page(id, after, limit)
            .await
            .map_err(unavailable)?;
        let inside = |line: &JournalLine| line.line.position.batch <= to_batch;
        let lines: Vec<JournalLine> = lines.into_iter().take_while(inside).collect();
        let full = lines.len() == limit;
        let items = lines
            .into_iter()
            .map(entry)
            .collect::<Result<Vec<_>, _>>()?;
        let next = items.last().filter(|_| full).map(|last| last.position);
        Ok(Page { items, next })
    }
}

fn entry(line: JournalLine) -> Result<JournalEntry, NotExecuted> {
    let position = line.line.position;
    let recorded = from_row(&line.line.event).map_err(|error| NotExecuted::LinkFaulted {
        reason: format!("the journal is damaged: batch {}: {error}", position.batch),
    })?;
    let table: Option<TableName> = line.table_name.and_then(|name| name.parse().ok());
    Ok(JournalEntry {
        position,
        at: line.line.at,
        actor: line
            .actor_name
            .unwrap_or_else(|| recorded.actor.to_string()),
        table,
        recorded,
    })
}
