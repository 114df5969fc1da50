//! The reader of links with their tables and hits, with names instead of numbers.

use std::sync::Arc;

use meterhouse_domain::ids::{LinkId, TableNo};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{FoundHit, HeadRow, LIST_MAX, Store};

use crate::answer::{NotExecuted, unavailable};
use crate::committer::published_state::StateAt;
use crate::fault_reason::HEAD_MISSING;
use crate::registry::link_registry::LinkRegistry;
use crate::stored_rows::displayed;
use crate::view::{HitView, LinkStatus, LinkView, TableRow, TableStatus, disabled_of, reason_of};

/// A reader of links, on the database and the links of this process.
pub(crate) struct LinkReader<'a> {
    pub(crate) store: &'a Store,
    pub(crate) registry: &'a LinkRegistry,
}

impl LinkReader<'_> {
    /// Returns a link as of its newest head.
    pub(crate) async fn read(&self, id: LinkId) -> Result<LinkView, NotExecuted> {
        let heads = self.store.heads(&[id]).await.map_err(unavailable)?;
        let head = heads.first();
        let terms = self.registry.terms(id).await?;
        let known = match head {
            Some(head) => self.registry.known_at(id, head.batch).await,
            None => Err(NotExecuted::LinkFaulted {
                reason: HEAD_MISSING.to_owned(),
            }),
        };
        match known {
            Ok(_) | Err(NotExecuted::LinkFaulted { .. }) => {
                let presented = self.store.link_presentations(&[id]).await;
                let presented = presented.map_err(unavailable)?.remove(&id);
                let presentation = presented.unwrap_or_default();
                self.link_view(id, (terms, presentation), head, known).await
            }
            Err(denied) => Err(denied),
        }
    }

    /// Returns a link by its state. If the state is unknown, the link is faulted or unavailable, with the amounts of
    /// its head, if there is a head.
    pub(crate) async fn link_view(
        &self,
        id: LinkId,
        (terms, presentation): (Arc<LinkTerms>, LinkPresentation),
        head: Option<&HeadRow>,
        known: Result<StateAt, NotExecuted>,
    ) -> Result<LinkView, NotExecuted> {
        let rows = self.rows_of(id).await?;
        let levels = terms.content().levels.len();
        Ok(match known {
            Ok(StateAt { batch, state }) => LinkView {
                state: LinkStatus::of(&state),
                reason: reason_of(&state),
                values_accepted: Some(state.values_accepted),
                adopted: Arc::clone(&state.adopted),
                disabled: disabled_of(&state),
                batch,
                displayed: state.displayed().collect(),
                tables: self.table_rows(&rows, LinkStatus::of(&state), Some(&state)),
                presentation,
                terms,
            },
            Err(denied) => {
                let (word, reason) = LinkStatus::of_not_executed(&denied);
                LinkView {
                    terms,
                    state: word,
                    reason: Some(reason),
                    values_accepted: None,
                    adopted: Arc::default(),
                    disabled: Vec::new(),
                    batch: head.map_or(0, |head| head.batch),
                    displayed: head.map_or_else(Vec::new, |head| displayed(&head.balances, levels)),
                    tables: self.table_rows(&rows, word, None),
                    presentation,
                }
            }
        })
    }

    /// Returns the stored tables of one link, by number.
    pub(crate) async fn rows_of(
        &self,
        link: LinkId,
    ) -> Result<Vec<meterhouse_store::TableRow>, NotExecuted> {
        let mut rows = Vec::new();
        let mut after = (link, TableNo(0));
        loop {
            let page = self.store.list_tables(Some(link), after, LIST_MAX);
            let page = page.await.map_err(unavailable)?;
            let full = page.len() == LIST_MAX;
            rows.extend(page);
            match rows.last() {
                Some(last) if full => after = (last.link, last.table),
                Some(_) | None => return Ok(rows),
            }
        }
    }

    /// Adds the present status to the rows of tables.
    pub(crate) fn table_rows(
        &self,
        rows: &[meterhouse_store::TableRow],
        link_state: LinkStatus,
        state: Option<&LinkState>,
    ) -> Vec<TableRow> {
        let contacts = self.registry.last_seen();
        let table = |row: &meterhouse_store::TableRow| {
            let table_state = state.and_then(|state| state.table(row.table));
            // The server never stores an invalid name.
            Some(TableRow {
                name: row.name.parse().ok()?,
                link: row.link_name.parse().ok()?,
                link_state,
                game: row.game.parse().ok()?,
                seats: row.seats,
                status: table_state.map_or(TableStatus::InService, TableStatus::of),
                heard_at: contacts.of(row.link, row.table).heard_at(),
                pit: row.pit.as_deref().and_then(|pit| pit.parse().ok()),
            })
        };
        rows.iter().filter_map(table).collect()
    }

    /// Returns a hit with the names that its row lacks, except names of people: the version for displays.
    pub(crate) async fn hit_view(&self, found: FoundHit) -> Result<HitView, NotExecuted> {
        // A link whose terms can't be read has no level names, so its hits are listed without them.
        let terms = match self.registry.terms(found.link).await {
            Ok(terms) => Some(terms),
            Err(NotExecuted::LinkFaulted { .. }) => None,
            Err(denied) => return Err(denied),
        };
        let damaged = |_| NotExecuted::LinkFaulted {
            reason: "a stored name can't be read".to_owned(),
        };
        let level = found
            .hit
            .level
            .zip(terms.as_ref())
            .and_then(|(level, terms)| terms.content().levels.get(usize::from(level)));
        HitView::new(
            found.link_name.parse().map_err(damaged)?,
            found.table_name.parse().map_err(damaged)?,
            level.map(|level| level.name.clone()),
            found.hit,
        )
    }
}
