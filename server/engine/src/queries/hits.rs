//! The queries of hits, by name and in pages.

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{ActorId, HitOrder, LinkId};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_store::{Entered, FoundHit, HITS_MAX, NewestHits};

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::queries::late_hits;
use crate::registry::link_registry::TableRef;
use crate::view::{HitCursor, HitFilter, HitView, Page};

impl Engine {
    /// Returns one hit.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no hit of this name or the database can't be queried.
    pub async fn hit(&self, hit: &HitName) -> Result<HitView, NotExecuted> {
        let table_ref = self.table_of_hit(hit).await?;
        let reader = self.hit_reader();
        let found = reader
            .find(table_ref.link, hit.at(table_ref.number))
            .await?;
        self.hit_view(found.ok_or_else(|| unknown_hit(hit))?).await
    }

    /// Returns the table of a hit. If the table is unknown, the hit is unknown.
    pub(crate) async fn table_of_hit(&self, hit: &HitName) -> Result<TableRef, NotExecuted> {
        let table_ref = self.context.registry.find_table(&hit.table).await;
        table_ref.map_err(|denied| match denied {
            NotExecuted::UnknownTable(_) => unknown_hit(hit),
            other => other,
        })
    }

    /// Returns hits by link and order, or the newest hits of one link first. A page ends in front of the first hit that
    /// is archived.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or level, the first hit is archived, or the database can't be queried.
    pub async fn hits(&self, filter: HitFilter) -> Result<Page<HitView, HitCursor>, NotExecuted> {
        let link = match &filter.link {
            Some(name) => Some(self.context.registry.find_link(name).await?),
            None => None,
        };
        let limit = usize::try_from(filter.limit)
            .unwrap_or(HITS_MAX)
            .clamp(1, HITS_MAX);
        let entered = Entered {
            from: filter.from,
            to: filter.to,
        };
        let found = match link {
            Some(link) if filter.newest_first || filter.level.is_some() => {
                let level = match &filter.level {
                    Some(level) => Some(self.level_index(link, level).await?),
                    None => None,
                };
                let asked = NewestHits {
                    level,
                    state: filter.state,
                    entered,
                    before: filter.after.map(|cursor| HitOrder(cursor.order)),
                };
                self.context.store.newest_hits(link, asked, limit).await
            }
            // Hit orders and levels of different links can't be compared.
            None if filter.newest_first || filter.level.is_some() => {
                let refusal = Refusal::new(RefusalCode::OutOfRange);
                return Err(NotExecuted::Refused(refusal.with("link", "missing")));
            }
            Some(_) | None => {
                let asked = meterhouse_store::HitSelection {
                    link,
                    state: filter.state,
                    entered,
                };
                let after = filter.after.unwrap_or(HitCursor { link: 0, order: 0 });
                let after = (LinkId(after.link), HitOrder(after.order));
                self.context.store.list_hits(asked, after, limit).await
            }
        };
        let found = found.map_err(unavailable)?;
        let cursor = |last: &FoundHit| HitCursor {
            link: last.link.0,
            order: last.hit.hit_order,
        };
        let is_full = found.len() == limit;
        let cursors: Vec<HitCursor> = found.iter().map(cursor).collect();
        let mut items = Vec::with_capacity(found.len());
        let (checked, archived) = self.hit_reader().check_page(found).await?;
        for hit in checked {
            items.push(self.hit_view(hit).await?);
        }
        // The page behind the live hits answers that the next ones are archived.
        let next = match archived {
            Some(index) => cursors.get(index.saturating_sub(1)).copied(),
            None => cursors.last().filter(|_| is_full).copied(),
        };
        Ok(Page { items, next })
    }

    /// Returns a hit with all names that its row lacks, including those of the people who paid it.
    pub(crate) async fn hit_view(&self, found: FoundHit) -> Result<HitView, NotExecuted> {
        let payouts = found.hit.payouts.iter();
        let payers: Vec<Option<ActorId>> = payouts
            .map(|payout| payout.paid_by_actor.map(ActorId))
            .collect();
        let (link, row) = (found.link, found.hit.id());
        let mut view = self.link_reader().hit_view(found).await?;
        if late_hits::is_late(&view.row) {
            view.proposed_by = Box::pin(self.proposer_of(link, row, &view)).await?;
        }
        let known: Vec<ActorId> = payers.iter().flatten().copied().collect();
        if known.is_empty() {
            return Ok(view);
        }
        let names = self.context.store.actor_names(&known).await;
        let names = names.map_err(unavailable)?;
        let name_of = |payer: Option<ActorId>| {
            let found = names.iter().find(|(actor, _)| Some(*actor) == payer);
            found.map(|(_, name)| name.clone())
        };
        view.paid_by = payers.into_iter().map(name_of).collect();
        Ok(view)
    }
}

fn unknown_hit(hit: &HitName) -> NotExecuted {
    NotExecuted::UnknownHit(hit.to_string())
}
