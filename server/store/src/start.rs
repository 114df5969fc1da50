//! What a start has to know.

use meterhouse_domain::name::LinkId;
use meterhouse_journal::hit::HitState;

use crate::error::StoreError;
use crate::sql::link::LINKS_WITH_HITS;
use crate::store::{Failed as _, Store};

impl Store {
    /// The links on which a hit stands so (pending): they are loaded at once.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn links_with_hits(&self, state: HitState) -> Result<Vec<LinkId>, StoreError> {
        let links = sqlx::query_scalar(LINKS_WITH_HITS.sql).bind(i16::from(state.code()));
        let links: Vec<i32> = links.fetch_all(self.pool()).await.of(LINKS_WITH_HITS)?;
        Ok(links.into_iter().map(LinkId).collect())
    }
}
