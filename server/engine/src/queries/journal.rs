//! The query of a link's journal, in pages.

use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_journal::record::from_row;
use meterhouse_store::{JOURNAL_PAGE_MAX, JournalLine, Position};

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::view::{JournalEntry, Page, Place};

impl Engine {
    /// Returns the journal of a link after a position, in pages.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn journal(
        &self,
        link: &LinkName,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Page<JournalEntry, Place>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let limit = usize::try_from(limit)
            .unwrap_or(JOURNAL_PAGE_MAX)
            .clamp(1, JOURNAL_PAGE_MAX);
        let after = after.map_or(Position::behind(0), |after| Position {
            batch: after.batch,
            position: after.position,
        });
        let lines = self
            .context
            .store
            .journal_page(id, after, limit)
            .await
            .map_err(unavailable)?;
        let full = lines.len() == limit;
        let items = lines
            .into_iter()
            .map(entry)
            .collect::<Result<Vec<_>, _>>()?;
        let next = items.last().filter(|_| full).map(|last| last.place);
        Ok(Page { items, next })
    }
}

fn entry(line: JournalLine) -> Result<JournalEntry, NotExecuted> {
    let place = Place {
        batch: line.line.position.batch,
        position: line.line.position.position,
    };
    let recorded = from_row(&line.line.event).map_err(|error| NotExecuted::LinkFaulted {
        reason: format!("the journal is damaged: batch {}: {error}", place.batch),
    })?;
    let table: Option<TableName> = line.table_name.and_then(|name| name.parse().ok());
    Ok(JournalEntry {
        place,
        at: line.line.at,
        actor: line
            .actor_name
            .unwrap_or_else(|| recorded.actor.to_string()),
        table,
        recorded,
    })
}
