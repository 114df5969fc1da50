//! The read of a start.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::hit::HitState;

use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::link::LINKS_WITH_HITS;
use crate::store::Store;

impl Store {
    /// Returns the links with a hit in this state (pending). A start loads them immediately.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn links_with_hits(&self, state: HitState) -> Result<Vec<LinkId>, StoreError> {
        let query = sqlx::query(LINKS_WITH_HITS.sql).bind(i16::from(state.code()));
        let rows = self.inner.rows(LINKS_WITH_HITS, query).await?;
        let link = |row| RowReader::new(LINKS_WITH_HITS, "link", row).get("link_id");
        rows.iter().map(|row| link(row).map(LinkId)).collect()
    }
}
