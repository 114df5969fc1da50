//! The queries of links and tables: one link, and lists in pages.
//!
//! # Shape
//! The rows of a page are read first. Then the states of all links are requested concurrently. A link that is faulted or does
//! not answer is listed with that status and the amounts of its head.
//!
//! # Limits
//! [`LIST_MAX`] entries a page; [`ANSWER_MAX`] for a link's answer.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, LinkName, TableName, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_store::{HeadRow, LIST_MAX, LinkRow};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::answer::{NotExecuted, unavailable};
use crate::committer::published_state::StateAt;
use crate::context::Engine;
use crate::fault_reason::HEAD_MISSING;
use crate::view::{LinkStatus, LinkView, ListedLink, Page, TableRow, UnreadableLink};

/// Maximum wait for a link of a list: less than the wait of the displays' page for the list.
const ANSWER_MAX: Duration = Duration::from_secs(3);

/// States of links, or the denials.
type KnownLinks = HashMap<LinkId, Result<StateAt, NotExecuted>>;

impl Engine {
    /// Returns one link with its displayed amounts.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no link of this name or the database can't be queried.
    pub async fn link(&self, name: &LinkName) -> Result<LinkView, NotExecuted> {
        let id = self.context.registry.find_link(name).await?;
        self.link_reader().read(id).await
    }

    /// Returns links in the order of their opening, those behind `after`, with their displayed amounts.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no link `after` or the database can't be queried.
    pub async fn links(
        &self,
        after: Option<&LinkName>,
        limit: u32,
    ) -> Result<Page<ListedLink, LinkName>, NotExecuted> {
        let after = match after {
            Some(name) => self.context.registry.find_link(name).await?,
            None => LinkId(0),
        };
        let limit = bounded(limit);
        let rows = self.context.store.list_links(after, limit).await;
        let rows = rows.map_err(unavailable)?;
        let ids: Vec<LinkId> = rows.iter().map(|row| row.link).collect();
        let heads = self.context.store.heads(&ids).await.map_err(unavailable)?;
        let mut known = self.ask_all(&ids, &heads).await;
        let presented = self.context.store.link_presentations(&ids).await;
        let mut presented = presented.map_err(unavailable)?;
        let mut items = Vec::with_capacity(rows.len());
        for row in &rows {
            let head = heads.iter().find(|head| head.link == row.link);
            let known = known.remove(&row.link).unwrap_or_else(no_answer);
            let presentation = presented.remove(&row.link).unwrap_or_default();
            items.push(self.listed(row, head, known, presentation).await?);
        }
        let last = rows.last().filter(|_| rows.len() == limit);
        let next = last.and_then(|row| row.name.parse().ok());
        Ok(Page { items, next })
    }

    /// Returns tables by link and number, those behind `after`.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no table `after` or the database can't be queried.
    pub async fn tables(
        &self,
        after: Option<&TableName>,
        limit: u32,
    ) -> Result<Page<TableRow, TableName>, NotExecuted> {
        let after = match after {
            Some(name) => {
                let table_ref = self.context.registry.find_table(name).await?;
                (table_ref.link, table_ref.number)
            }
            None => (LinkId(0), TableNo(0)),
        };
        let limit = bounded(limit);
        let rows = self.context.store.list_tables(None, after, limit).await;
        let rows = rows.map_err(unavailable)?;
        let mut ids: Vec<LinkId> = rows.iter().map(|row| row.link).collect();
        ids.dedup();
        let heads = self.context.store.heads(&ids).await.map_err(unavailable)?;
        let known = self.ask_all(&ids, &heads).await;
        let mut items = Vec::with_capacity(rows.len());
        for of_link in rows.chunk_by(|one, other| one.link == other.link) {
            let known = of_link.first().and_then(|row| known.get(&row.link));
            let (word, state) = match known {
                Some(Ok(known)) => (LinkStatus::of(&known.state), Some(known.state.as_ref())),
                Some(Err(denied)) => (LinkStatus::of_not_executed(denied).0, None),
                None => (LinkStatus::Unavailable, None),
            };
            items.extend(self.link_reader().table_rows(of_link, word, state));
        }
        let last = rows.last().filter(|_| rows.len() == limit);
        let next = last.and_then(|row| row.name.parse().ok());
        Ok(Page { items, next })
    }

    /// Asks links concurrently for their states as of their heads or later.
    async fn ask_all(&self, links: &[LinkId], heads: &[HeadRow]) -> KnownLinks {
        let mut asked = JoinSet::new();
        let mut known = KnownLinks::new();
        for link in links {
            let link = *link;
            let Some(head) = heads.iter().find(|head| head.link == link) else {
                let reason = HEAD_MISSING.to_owned();
                known.insert(link, Err(NotExecuted::LinkFaulted { reason }));
                continue;
            };
            let (registry, batch) = (self.context.registry.clone(), head.batch);
            asked.spawn(async move {
                let answer = timeout(ANSWER_MAX, registry.known_at(link, batch)).await;
                (link, answer.unwrap_or_else(|_| no_answer()))
            });
        }
        while let Some(answer) = asked.join_next().await {
            known.extend(answer.ok());
        }
        known
    }

    /// Returns a link of a list from its row, its head and its committer's answer.
    async fn listed(
        &self,
        row: &LinkRow,
        head: Option<&HeadRow>,
        known: Result<StateAt, NotExecuted>,
        presentation: LinkPresentation,
    ) -> Result<ListedLink, NotExecuted> {
        let denied = match self.context.registry.terms(row.link).await {
            Ok(terms) => {
                let view = self
                    .link_reader()
                    .link_view(row.link, (terms, presentation), head, known)
                    .await?;
                return Ok(ListedLink::Shown(Box::new(view)));
            }
            Err(denied) => denied,
        };
        let (state, reason) = LinkStatus::of_not_executed(&denied);
        let rows = self.link_reader().rows_of(row.link).await?;
        let unreadable = || NotExecuted::LinkFaulted {
            reason: "a stored name can't be read".to_owned(),
        };
        Ok(ListedLink::Unreadable(UnreadableLink {
            name: row.name.parse().map_err(|_| unreadable())?,
            paytable: row.paytable_id.parse().map_err(|_| unreadable())?,
            content_hash: row.content_hash,
            wager: Money::from_micros(row.wager_micros),
            decks: row.decks,
            state,
            reason,
            batch: head.map_or(0, |head| head.batch),
            tables: self.link_reader().table_rows(&rows, state, None),
        }))
    }
}

fn no_answer() -> Result<StateAt, NotExecuted> {
    Err(NotExecuted::DatabaseUnavailable)
}

/// Returns the limit in the store's type.
fn bounded(limit: u32) -> usize {
    usize::try_from(limit)
        .unwrap_or(LIST_MAX)
        .clamp(1, LIST_MAX)
}
