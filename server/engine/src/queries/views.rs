//! Questions: single statements of the store, rendered with names. None changes anything.

use std::sync::Arc;

use meterhouse_domain::link::{ACCOUNTS, Account, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, HitOrder, LinkId, LinkName, TableName, TableNo};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::record::from_row;
use meterhouse_store::{
    FoundHit, HITS_MAX, HeadRow, JOURNAL_PAGE_MAX, JournalLine, LIST_MAX, NewestHits, Position,
};

use crate::Engine;
use crate::answer::Denied;
use crate::committer::published_state::Known;
use crate::queries::checked_hits::HitReader;
use crate::registry::link_registry::{Felt, House, unavailable};
use crate::view::{
    HitCursor, HitFilter, HitName, HitView, JournalEntry, LinkView, LinkWord, Page, Place,
    TableRow, TableStatus, disabled_of, reason_of,
};

/// Why a link can't be served that has no row of where it stands.
pub(crate) const HEAD_MISSING: &str = "the link's head is missing";

impl Engine {
    /// One link with what its signs show.
    ///
    /// # Errors
    /// [`Denied`] where there is none of this name or the database can't be asked.
    pub async fn link(&self, name: &LinkName) -> Result<LinkView, Denied> {
        let id = self.inner.house.find_link(name).await?;
        let heads = self.inner.store.heads(&[id]).await.map_err(unavailable)?;
        self.view(id, heads.first()).await
    }

    /// A link whose head was just read.
    async fn view(&self, id: LinkId, head: Option<&HeadRow>) -> Result<LinkView, Denied> {
        let terms = self.inner.house.terms(id).await?;
        let known = match head {
            Some(head) => self.inner.house.known_at(id, head.batch).await,
            None => Err(Denied::LinkFaulted {
                reason: HEAD_MISSING.to_owned(),
            }),
        };
        match known {
            Ok(_) | Err(Denied::LinkFaulted { .. }) => self.link_view(id, terms, head, known).await,
            Err(denied) => Err(denied),
        }
    }

    /// A link by its state, or where that can't be known by its head: faulted or unavailable, with the head's amounts.
    /// Without a head there are none to show.
    pub(crate) async fn link_view(
        &self,
        id: LinkId,
        terms: Arc<LinkTerms>,
        head: Option<&HeadRow>,
        known: Result<Known, Denied>,
    ) -> Result<LinkView, Denied> {
        let rows = self.rows_of(id).await?;
        let levels = terms.content().levels.len();
        Ok(match known {
            Ok(Known { batch, state }) => LinkView {
                state: LinkWord::of(&state),
                reason: reason_of(&state),
                values_accepted: Some(state.values_accepted),
                disabled: disabled_of(&state),
                batch,
                displayed: state.displayed().collect(),
                tables: self.table_rows(&rows, LinkWord::of(&state), Some(&state)),
                terms,
            },
            Err(denied) => {
                let (word, reason) = LinkWord::of_denied(&denied);
                LinkView {
                    terms,
                    state: word,
                    reason: Some(reason),
                    values_accepted: None,
                    disabled: Vec::new(),
                    batch: head.map_or(0, |head| head.batch),
                    displayed: head.map_or_else(Vec::new, |head| displayed(&head.balances, levels)),
                    tables: self.table_rows(&rows, word, None),
                }
            }
        })
    }

    /// The stored tables of one link, by number.
    pub(crate) async fn rows_of(
        &self,
        link: LinkId,
    ) -> Result<Vec<meterhouse_store::TableRow>, Denied> {
        let mut rows = Vec::new();
        let mut after = (link, TableNo(0));
        loop {
            let page = self.inner.store.list_tables(Some(link), after, LIST_MAX);
            let page = page.await.map_err(unavailable)?;
            let full = page.len() == LIST_MAX;
            rows.extend(page);
            match rows.last() {
                Some(last) if full => after = (last.link, last.table),
                Some(_) | None => return Ok(rows),
            }
        }
    }

    /// Tables with what is known of them beside their rows.
    pub(crate) fn table_rows(
        &self,
        rows: &[meterhouse_store::TableRow],
        link_state: LinkWord,
        state: Option<&LinkState>,
    ) -> Vec<TableRow> {
        let contacts = self.inner.house.contacts();
        let table = |row: &meterhouse_store::TableRow| {
            let felt = state.and_then(|it| it.table(row.table));
            // A stored name that is no name can't have been written by us.
            Some(TableRow {
                name: row.name.parse().ok()?,
                link: row.link_name.parse().ok()?,
                link_state,
                game: row.game.parse().ok()?,
                seats: row.seats,
                status: felt.map_or(TableStatus::InService, TableStatus::of),
                heard_at: contacts.of(row.link, row.table).heard_at(),
            })
        };
        rows.iter().filter_map(table).collect()
    }

    /// One hit.
    ///
    /// # Errors
    /// [`Denied`] where there is none of this name or the database can't be asked.
    pub async fn hit(&self, hit: &HitName) -> Result<HitView, Denied> {
        let felt = self.felt_of(hit).await?;
        let reader = self.hit_reader();
        let found = reader.find(felt.link, hit.at(felt.number)).await?;
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

    /// Hits by link and order, or the newest of one link first.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or level or the database can't be asked.
    pub async fn hits(&self, filter: HitFilter) -> Result<Page<HitView, HitCursor>, Denied> {
        let link = match &filter.link {
            Some(name) => Some(self.inner.house.find_link(name).await?),
            None => None,
        };
        let limit = usize::try_from(filter.limit)
            .unwrap_or(HITS_MAX)
            .clamp(1, HITS_MAX);
        let found = match link {
            Some(link) if filter.newest_first || filter.level.is_some() => {
                let level = match &filter.level {
                    Some(level) => Some(self.level_index(link, level).await?),
                    None => None,
                };
                let asked = NewestHits {
                    level,
                    state: filter.state,
                    before: filter.after.map(|it| HitOrder(it.order)),
                };
                self.inner.store.newest_hits(link, asked, limit).await
            }
            // Orders of different links can't be compared, nor their levels.
            None if filter.newest_first || filter.level.is_some() => {
                let refusal = Refusal::new(RefusalCode::OutOfRange);
                return Err(Denied::Refused(refusal.with("link", "missing")));
            }
            Some(_) | None => {
                let asked = meterhouse_store::HitFilter {
                    link,
                    state: filter.state,
                };
                let after = filter.after.unwrap_or(HitCursor { link: 0, order: 0 });
                let after = (LinkId(after.link), HitOrder(after.order));
                self.inner.store.list_hits(asked, after, limit).await
            }
        };
        let found = found.map_err(unavailable)?;
        let next = found.last().filter(|_| found.len() == limit);
        let next = next.map(|last| HitCursor {
            link: last.link.0,
            order: last.hit.hit_order,
        });
        let mut items = Vec::with_capacity(found.len());
        for hit in self.hit_reader().check(found).await? {
            items.push(self.hit_view(hit).await?);
        }
        Ok(Page { items, next })
    }

    /// Returns the way to hits as the journal has them.
    pub(crate) fn hit_reader(&self) -> HitReader<'_> {
        HitReader {
            store: &self.inner.store,
            house: &self.inner.house,
        }
    }

    /// A hit with the names that its row leaves out, those of who paid it among them.
    pub(crate) async fn hit_view(&self, found: FoundHit) -> Result<HitView, Denied> {
        let payouts = found.hit.payouts.iter();
        let payers: Vec<Option<ActorId>> =
            payouts.map(|it| it.paid_by_actor.map(ActorId)).collect();
        let mut view = hit_view(&self.inner.house, found).await?;
        let known: Vec<ActorId> = payers.iter().flatten().copied().collect();
        if known.is_empty() {
            return Ok(view);
        }
        let names = self.inner.store.actor_names(&known).await;
        let names = names.map_err(unavailable)?;
        let name_of = |payer: Option<ActorId>| {
            let found = names.iter().find(|(actor, _)| Some(*actor) == payer);
            found.map(|(_, name)| name.clone())
        };
        view.paid_by = payers.into_iter().map(name_of).collect();
        Ok(view)
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
}

fn unknown_hit(hit: &HitName) -> Denied {
    Denied::UnknownHit(hit.to_string())
}

/// A hit with the names that its row leaves out, except those of people: what displays may see.
pub(crate) async fn hit_view(house: &House, found: FoundHit) -> Result<HitView, Denied> {
    // A link whose terms can't be read has no names of levels; its hits are listed all the same.
    let terms = match house.terms(found.link).await {
        Ok(terms) => Some(terms),
        Err(Denied::LinkFaulted { .. }) => None,
        Err(denied) => return Err(denied),
    };
    let damaged = |_| Denied::LinkFaulted {
        reason: "a stored name can't be read".to_owned(),
    };
    let level = found
        .hit
        .level
        .zip(terms.as_ref())
        .and_then(|(level, terms)| terms.content().levels.get(usize::from(level)));
    Ok(HitView {
        link: found.link_name.parse().map_err(damaged)?,
        table: found.table_name.parse().map_err(damaged)?,
        level: level.map(|it| it.name.clone()),
        paid_by: vec![None; found.hit.payouts.len()],
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
