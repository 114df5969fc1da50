//! The paytable that a table named when it joined. The name is in the journal, not in the link's state.
//!
//! # Limits
//! The tables of one link, in pages of [`NOTABLE_MAX`]. A process reads each table's paytable once.

use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{PaytableId, TableName};
use meterhouse_journal::kind::TABLE_JOINED;
use meterhouse_journal::record::from_row;
use meterhouse_store::NOTABLE_MAX;

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::registry::link_registry::TableRef;

impl Engine {
    /// Returns the paytable that a table named when it joined, with the same content as the link's.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such table or the database can't be queried.
    pub async fn table_paytable(&self, table: &TableName) -> Result<PaytableId, NotExecuted> {
        let table_ref = self.context.registry.find_table(table).await?;
        let named = table_ref
            .paytable
            .get_or_try_init(|| self.joined_with(&table_ref));
        Ok(named.await?.clone())
    }

    async fn joined_with(&self, table_ref: &TableRef) -> Result<PaytableId, NotExecuted> {
        let mut before = None;
        loop {
            let page =
                self.context
                    .store
                    .notable(table_ref.link, &[TABLE_JOINED], before, NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                let batch = happening.position.batch;
                let recorded = from_row(&happening.event);
                let recorded =
                    recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
                if let Event::TableJoined(joined) = recorded.event
                    && joined.table == table_ref.number
                {
                    return Ok(joined.paytable);
                }
            }
            let Some(last) = page.last() else {
                return Box::pin(self.joined_in_archive(table_ref)).await;
            };
            before = Some(last.position);
        }
    }

    /// Returns the paytable of a table that joined in an archived month.
    async fn joined_in_archive(&self, table_ref: &TableRef) -> Result<PaytableId, NotExecuted> {
        let store = &self.context.store;
        let found = store.archived_paytable(table_ref.link, table_ref.number);
        let found = found.await.map_err(unavailable)?;
        let paytable = found.and_then(|name| name.parse().ok());
        paytable.ok_or_else(|| damaged("a table never joined"))
    }
}
