//! All links of a database.

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{LIST_MAX, LinkRow, Store, StoreError};

/// Returns all links.
pub(super) async fn links(store: &Store) -> Result<Vec<LinkRow>, StoreError> {
    let mut links: Vec<LinkRow> = Vec::new();
    loop {
        let after = links.last().map_or(LinkId(0), |last| last.link);
        let page = store.list_links(after, LIST_MAX).await?;
        if page.is_empty() {
            return Ok(links);
        }
        links.extend(page);
    }
}
