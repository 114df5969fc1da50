//! Questions: single statements of the store, rendered with names. None changes anything.

use meterhouse_domain::link::{ACCOUNTS, Account};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{HitOrder, LinkId, LinkName, TableName, TableNo};
use meterhouse_journal::record::from_row;
use meterhouse_store::{
    Enforcement, FoundHit, HITS_MAX, HeadRow, JOURNAL_PAGE_MAX, JournalLine, LIST_MAX,
    MigrationState, Position,
};

use crate::Engine;
use crate::answer::Denied;
use crate::chain::Chain;
use crate::clock::{now, period_of};
use crate::commit::STATUS_FAULTED;
use crate::house::{Felt, unavailable};
use crate::view::{
    HitCursor, HitFilter, HitName, HitView, JournalEntry, LinkView, Page, Place, Readiness,
    TableRow,
};

/// Months ahead for which a partition has to be there already.
const PERIODS_LEAST: i32 = 1;

impl Engine {
    /// All links with what their signs show.
    ///
    /// # Errors
    /// [`Denied`] if the database can't be asked.
    pub async fn links(&self) -> Result<Vec<LinkView>, Denied> {
        let rows = self
            .inner
            .store
            .list_links(LinkId(0), LIST_MAX)
            .await
            .map_err(unavailable)?;
        let ids: Vec<LinkId> = rows.iter().map(|row| row.link).collect();
        let heads = self.inner.store.heads(&ids).await.map_err(unavailable)?;
        let tables = self.tables().await?;
        let mut views = Vec::with_capacity(heads.len());
        for head in heads {
            views.push(self.view(head, &tables).await?);
        }
        Ok(views)
    }

    /// One link with what its signs show.
    ///
    /// # Errors
    /// [`Denied`] where there is none of this name or the database can't be asked.
    pub async fn link(&self, name: &LinkName) -> Result<LinkView, Denied> {
        let id = self.inner.house.find_link(name).await?;
        let heads = self.inner.store.heads(&[id]).await.map_err(unavailable)?;
        let head = heads.into_iter().next();
        let head = head.ok_or_else(|| Denied::UnknownLink(name.to_string()))?;
        let tables = self
            .inner
            .store
            .list_tables(Some(id), (LinkId(0), TableNo(0)), LIST_MAX)
            .await;
        let tables: Vec<TableRow> = tables
            .map_err(unavailable)?
            .iter()
            .filter_map(table_row)
            .collect();
        self.view(head, &tables).await
    }

    async fn view(&self, head: HeadRow, tables: &[TableRow]) -> Result<LinkView, Denied> {
        let terms = self.inner.house.terms(head.link).await?;
        let displayed = displayed(&head.balances, terms.content().levels.len());
        let tables = tables
            .iter()
            .filter(|it| it.link == terms.name)
            .cloned()
            .collect();
        let faulted = head.status == STATUS_FAULTED;
        Ok(LinkView {
            terms,
            faulted,
            batch: head.batch,
            displayed,
            tables,
        })
    }

    /// All tables, by link and number.
    ///
    /// # Errors
    /// [`Denied`] if the database can't be asked.
    pub async fn tables(&self) -> Result<Vec<TableRow>, Denied> {
        let mut tables = Vec::new();
        let mut after = (LinkId(0), TableNo(0));
        loop {
            let page = self.inner.store.list_tables(None, after, LIST_MAX).await;
            let page = page.map_err(unavailable)?;
            tables.extend(page.iter().filter_map(table_row));
            match page.last() {
                Some(last) if page.len() == LIST_MAX => after = (last.link, last.table),
                Some(_) | None => return Ok(tables),
            }
        }
    }

    /// One hit.
    ///
    /// # Errors
    /// [`Denied`] where there is none of this name or the database can't be asked.
    pub async fn hit(&self, hit: &HitName) -> Result<HitView, Denied> {
        let felt = self.felt_of(hit).await?;
        let found = self
            .inner
            .store
            .find_hit(felt.link, felt.number.0, hit.sequence.0)
            .await;
        let found = found.map_err(unavailable)?;
        self.hit_view(found.ok_or_else(|| unknown_hit(hit))?).await
    }

    /// Where a hit was keyed; at a table that nobody knows there is no hit.
    pub(crate) async fn felt_of(&self, hit: &HitName) -> Result<Felt, Denied> {
        let felt = self.inner.house.find_table(&hit.table).await;
        felt.map_err(|denied| match denied {
            Denied::UnknownTable(_) => unknown_hit(hit),
            other => other,
        })
    }

    /// Hits by link and order.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or the database can't be asked.
    pub async fn hits(&self, filter: HitFilter) -> Result<Page<HitView, HitCursor>, Denied> {
        let link = match &filter.link {
            Some(name) => Some(self.inner.house.find_link(name).await?),
            None => None,
        };
        let limit = usize::try_from(filter.limit)
            .unwrap_or(HITS_MAX)
            .clamp(1, HITS_MAX);
        let after = filter.after.unwrap_or(HitCursor { link: 0, order: 0 });
        let asked = meterhouse_store::HitFilter {
            link,
            state: filter.state,
        };
        let after = (LinkId(after.link), HitOrder(after.order));
        let found = self
            .inner
            .store
            .list_hits(asked, after, limit)
            .await
            .map_err(unavailable)?;
        let next = found.last().filter(|_| found.len() == limit);
        let next = next.map(|last| HitCursor {
            link: last.link.0,
            order: last.hit.hit_order,
        });
        let mut items = Vec::with_capacity(found.len());
        for hit in found {
            items.push(self.hit_view(hit).await?);
        }
        Ok(Page { items, next })
    }

    pub(crate) async fn hit_view(&self, found: FoundHit) -> Result<HitView, Denied> {
        hit_view(&self.inner.house, found).await
    }

    /// The journal of a link behind a place.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or the database can't be asked.
    pub async fn journal(
        &self,
        link: &LinkName,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Page<JournalEntry, Place>, Denied> {
        let id = self.inner.house.find_link(link).await?;
        let limit = usize::try_from(limit)
            .unwrap_or(JOURNAL_PAGE_MAX)
            .clamp(1, JOURNAL_PAGE_MAX);
        let after = after.map_or(Position::behind(0), |it| Position {
            batch: it.batch,
            position: it.position,
        });
        let lines = self
            .inner
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

    /// Whether this server can do its work.
    pub async fn readiness(&self) -> Readiness {
        let store = &self.inner.store;
        let mut checks = vec![match store.ping().await {
            Ok(()) => ("database", true, "answers".to_owned()),
            Err(error) => ("database", false, Chain(&error).to_string()),
        }];
        checks.push(match store.migration_state().await {
            Ok(MigrationState::Current) => ("schema", true, "current".to_owned()),
            Ok(other) => (
                "schema",
                false,
                format!("{other:?}: run `meterhouse migrate`"),
            ),
            Err(error) => ("schema", false, Chain(&error).to_string()),
        });
        checks.push(match store.periods_ahead(period_of(now())).await {
            Ok(months) => {
                let sentence = format!("{months} months have their partition ahead");
                ("periods", months >= PERIODS_LEAST, sentence)
            }
            Err(error) => ("periods", false, Chain(&error).to_string()),
        });
        // Said, not failed: on somebody else's database that is the operator's to decide.
        checks.push(match store.enforcement().await {
            Ok(Enforcement::Enforced) => ("append-only", true, "enforced".to_owned()),
            Ok(Enforcement::NotEnforced { why }) => {
                ("append-only", true, format!("not enforced: {why:?}"))
            }
            Err(error) => ("append-only", false, Chain(&error).to_string()),
        });
        Readiness {
            ready: checks.iter().all(|(_, well, _)| *well),
            checks,
        }
    }
}

fn unknown_hit(hit: &HitName) -> Denied {
    Denied::UnknownHit(format!("{}.{}", hit.table, hit.sequence))
}

/// A hit with the names that its row leaves out.
pub(crate) async fn hit_view(
    house: &crate::house::House,
    found: FoundHit,
) -> Result<HitView, Denied> {
    let terms = house.terms(found.link).await?;
    let damaged = |_| Denied::LinkFaulted {
        reason: "a stored name can't be read".to_owned(),
    };
    let level = found
        .hit
        .level
        .and_then(|it| terms.content().levels.get(usize::from(it)));
    Ok(HitView {
        link: found.link_name.parse().map_err(damaged)?,
        table: found.table_name.parse().map_err(damaged)?,
        level: level.map(|it| it.name.clone()),
        row: found.hit,
    })
}

/// What the signs show by a head's balances.
pub(crate) fn displayed(balances: &[i64], levels: usize) -> Vec<Money> {
    let books = balances.chunks_exact(ACCOUNTS).take(levels);
    books
        .map(|book| {
            let micros = book
                .get(Account::Meter.index())
                .copied()
                .unwrap_or_default();
            Money::from_micros(micros).displayed()
        })
        .collect()
}

/// A stored name that is no name can't have been written by us.
fn table_row(row: &meterhouse_store::TableRow) -> Option<TableRow> {
    Some(TableRow {
        name: row.name.parse().ok()?,
        link: row.link_name.parse().ok()?,
        game: row.game.parse().ok()?,
        seats: row.seats,
    })
}

fn entry(line: JournalLine) -> Result<JournalEntry, Denied> {
    let place = Place {
        batch: line.line.place.batch,
        position: line.line.place.position,
    };
    let recorded = from_row(&line.line.event).map_err(|error| Denied::LinkFaulted {
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
