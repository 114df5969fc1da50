//! What a start has to know.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::hit::HitState;

use crate::error::StoreError;
use crate::rows::Of;
use crate::sql::link::LINKS_WITH_HITS;
use crate::store::Store;

impl Store {
    /// The links on which a hit stands so (pending): they are loaded at once.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn links_with_hits(&self, state: HitState) -> Result<Vec<LinkId>, StoreError> {
        let query = sqlx::query(LINKS_WITH_HITS.sql).bind(i16::from(state.code()));
        let rows = self.inner.rows(LINKS_WITH_HITS, query).await?;
        let link = |row| Of::new(LINKS_WITH_HITS, "link", row).get("link_id");
        rows.iter().map(|row| link(row).map(LinkId)).collect()
    }
}
