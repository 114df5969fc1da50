//! The last hits of each level, without those that were undone (CONFORMANCE 62).
//!
//! # Limits
//! The caller's number of hits a level, at most a page of the store.

use meterhouse_domain::ids::{LevelName, LinkId, LinkName};
use meterhouse_store::HITS_MAX;

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::view::{LastHitsView, LevelHits};

impl Engine {
    /// Returns the newest hits of each level that were not undone. A list ends in front of the first one that is archived.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn last_hits(
        &self,
        link: &LinkName,
        limit: u32,
    ) -> Result<LastHitsView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let terms = self.context.registry.terms(id).await?;
        let limit = usize::try_from(limit).unwrap_or(HITS_MAX);
        let mut levels = Vec::new();
        for (index, level) in (0_u8..).zip(&terms.content().levels) {
            levels.push(self.last_of_level(id, index, &level.name, limit).await?);
        }
        Ok(LastHitsView {
            link: terms.name.clone(),
            levels,
        })
    }

    async fn last_of_level(
        &self,
        link: LinkId,
        index: u8,
        name: &LevelName,
        limit: usize,
    ) -> Result<LevelHits, NotExecuted> {
        let mut list = LevelHits {
            level: name.clone(),
            hits: Vec::new(),
            archived: false,
        };
        let found = self.context.store.last_hits(link, index, limit).await;
        let found = found.map_err(unavailable)?;
        let (checked, archived) = match self.hit_reader().check_page(found).await {
            Err(NotExecuted::PositionArchived { .. }) => (Vec::new(), Some(0)),
            checked => checked?,
        };
        list.archived = archived.is_some();
        for hit in checked {
            list.hits.push(self.hit_view(hit).await?);
        }
        Ok(list)
    }
}
