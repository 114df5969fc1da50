//! Hits as the journal has them: the rows that people read are made again from the events and compared.
//!
//! # Shape
//! A row holds the moments when its hit was keyed, decided and paid. The events of those moments are folded by the
//! function that made the row. An event that gave a hit another amount left no moment in the row, and a withdrawal
//! overwrites that of the validation: those kinds are read back from the journal's end. A hit that can still change is
//! in the link's state; any other has to be final, so that no row hides a later event.
//!
//! # Limits
//! [`MOMENTS_MAX`] moments a statement, and the rejections and corrections of the link since the oldest hit asked for.
//! A row that differs is read [`ATTEMPTS_MAX`] times: the hit may have changed between the two statements.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::ids::{HitId, LinkId, Timestamp};
use meterhouse_journal::hit::{HitRow, HitState, project};
use meterhouse_journal::kind::{CHANGE_APPROVED, HIT_REJECTED, HIT_VALIDATED};
use meterhouse_journal::record::from_row;
use meterhouse_store::{FoundHit, HAPPENINGS_MAX, Happening, MOMENTS_MAX, Position, Store};

use crate::answer::{Denied, damaged, unavailable};
use crate::registry::link_registry::LinkRegistry;

/// The kinds of events that give hits other amounts.
const RESETTLING: &[u8] = &[HIT_REJECTED, CHANGE_APPROVED];
/// The same, and the validation whose moment a withdrawal has overwritten in the row.
const WITHDRAWING: &[u8] = &[HIT_VALIDATED, HIT_REJECTED, CHANGE_APPROVED];
/// How often a row that differs is read.
const ATTEMPTS_MAX: u32 = 3;

/// Reads hits and compares them with the journal.
pub(crate) struct HitReader<'a> {
    /// The database.
    pub(crate) store: &'a Store,
    /// The links of this process.
    pub(crate) registry: &'a LinkRegistry,
}

impl HitReader<'_> {
    /// Returns one hit, if there is one.
    ///
    /// # Errors
    /// [`Denied::HitDiffers`] where its row is not what the journal says.
    pub(crate) async fn find(&self, link: LinkId, hit: HitId) -> Result<Option<FoundHit>, Denied> {
        match self.read_again(link, hit).await? {
            Read::Same(found) => Ok(Some(found)),
            Read::Missing => Ok(None),
            Read::Differs(found, _) => Err(Denied::HitDiffers {
                hit: numbered(&found.table_name, hit),
            }),
        }
    }

    /// Returns hits as the journal has them. One that the journal does not have is left out.
    ///
    /// # Errors
    /// [`Denied`] if the database can't be asked.
    pub(crate) async fn check(&self, found: Vec<FoundHit>) -> Result<Vec<FoundHit>, Denied> {
        let mut by_link: BTreeMap<LinkId, Vec<&HitRow>> = BTreeMap::new();
        for hit in &found {
            by_link.entry(hit.link).or_default().push(&hit.hit);
        }
        let mut differing = BTreeSet::new();
        for (link, rows) in by_link {
            let folded = self.fold(link, &rows).await?;
            let same = self.compare(link, &rows, &folded).await;
            let differs = rows.iter().zip(same).filter(|(_, same)| !same);
            differing.extend(differs.map(|(row, _)| (link, row.id())));
        }
        let mut checked = Vec::with_capacity(found.len());
        for hit in found {
            if !differing.contains(&(hit.link, hit.hit.id())) {
                checked.push(hit);
                continue;
            }
            match self.read_again(hit.link, hit.hit.id()).await? {
                Read::Same(found) => checked.push(found),
                Read::Differs(found, Some(hit)) => checked.push(FoundHit { hit: *hit, ..found }),
                Read::Differs(_, None) | Read::Missing => {}
            }
        }
        Ok(checked)
    }

    async fn read_again(&self, link: LinkId, hit: HitId) -> Result<Read, Denied> {
        let mut attempt = 1;
        loop {
            let found = self.store.find_hit(link, hit).await;
            let Some(found) = found.map_err(unavailable)? else {
                return Ok(Read::Missing);
            };
            let rows = [&found.hit];
            let mut folded = self.fold(link, &rows).await?;
            if self.compare(link, &rows, &folded).await == [true] {
                return Ok(Read::Same(found));
            }
            if attempt == ATTEMPTS_MAX {
                let hit = numbered(&found.table_name, hit);
                tracing::error!(link.id = %link, hit, "the row of a hit differs from the journal: run `meterhouse verify`");
                let journaled = folded.remove(&found.hit.id());
                return Ok(Read::Differs(found, journaled.map(Box::new)));
            }
            attempt += 1;
        }
    }

    /// Compares rows with the journal's, one after another.
    async fn compare(
        &self,
        link: LinkId,
        rows: &[&HitRow],
        folded: &BTreeMap<HitId, HitRow>,
    ) -> Vec<bool> {
        let known = if rows.iter().all(|row| is_final(row)) {
            None
        } else {
            self.registry.confirmed_state(link).await.ok()
        };
        let may_change = |row: &HitRow| {
            let known = known.as_ref();
            known.is_none_or(|known| known.state.hit(row.id()).is_some())
        };
        let is_same = |row: &&HitRow| {
            folded.get(&row.id()) == Some(*row) && (is_final(row) || may_change(row))
        };
        rows.iter().map(is_same).collect()
    }

    /// Makes rows of one link from the events.
    async fn fold(
        &self,
        link: LinkId,
        rows: &[&HitRow],
    ) -> Result<BTreeMap<HitId, HitRow>, Denied> {
        let moments: BTreeSet<i64> = rows.iter().flat_map(|row| moments_of(row)).collect();
        let moments: Vec<Timestamp> = moments.into_iter().map(Timestamp).collect();
        let mut events: BTreeMap<Position, Happening> = BTreeMap::new();
        for some in moments.chunks(MOMENTS_MAX) {
            let found = self.store.notable_at_any(link, some).await;
            let found = found.map_err(unavailable)?;
            events.extend(found.into_iter().map(|event| (event.place, event)));
        }
        if let Some(first) = events.keys().next().copied() {
            let is_withdrawn = |row: &&HitRow| row.state == HitState::Withdrawn;
            let kinds = if rows.iter().any(is_withdrawn) {
                WITHDRAWING
            } else {
                RESETTLING
            };
            self.add_behind(link, kinds, first, &mut events).await?;
        }
        let asked: BTreeSet<HitId> = rows.iter().map(|row| row.id()).collect();
        let mut folded: BTreeMap<HitId, HitRow> = BTreeMap::new();
        for (place, event) in events {
            let recorded = from_row(&event.event)
                .map_err(|error| damaged(&format!("batch {}: {error}", place.batch)))?;
            let known = &folded;
            let mut find = |hit: HitId| match known.get(&hit) {
                Some(row) => Some(row.clone()),
                None if asked.contains(&hit) => None,
                None => rows.first().map(|row| another(row, hit)),
            };
            // An event of other hits, whose rows are not known here.
            let changed = project(event.at, &recorded, &mut find).unwrap_or_default();
            let changed = changed.into_iter().filter(|row| asked.contains(&row.id()));
            let changed: Vec<HitRow> = changed.collect();
            folded.extend(changed.into_iter().map(|row| (row.id(), row)));
        }
        Ok(folded)
    }

    /// Adds the events of some kinds behind a place.
    async fn add_behind(
        &self,
        link: LinkId,
        kinds: &[u8],
        first: Position,
        events: &mut BTreeMap<Position, Happening>,
    ) -> Result<(), Denied> {
        let mut before = None;
        loop {
            let page = self.store.notable(link, kinds, before, HAPPENINGS_MAX);
            let page = page.await.map_err(unavailable)?;
            let oldest = page.last().map(|event| event.place);
            let is_last = page.len() < HAPPENINGS_MAX;
            let behind = page.into_iter().filter(|event| event.place > first);
            events.extend(behind.map(|event| (event.place, event)));
            match oldest {
                Some(oldest) if !is_last && oldest > first => before = Some(oldest),
                Some(_) | None => return Ok(()),
            }
        }
    }
}

/// A hit that was read again.
enum Read {
    /// Its row is what the journal says.
    Same(FoundHit),
    /// Its row differs; the row by the journal, if the journal has the hit.
    Differs(FoundHit, Option<Box<HitRow>>),
    /// There is no such row.
    Missing,
}

/// The moments of events that a row names.
fn moments_of(row: &HitRow) -> impl Iterator<Item = i64> {
    let paid_at = row.payouts.iter().filter_map(|payout| payout.paid_at);
    paid_at.chain(row.decided_at).chain([row.keyed_at])
}

/// The row of a hit that nobody asked for: only its name counts.
fn another(row: &HitRow, hit: HitId) -> HitRow {
    HitRow {
        table: hit.table.0,
        sequence: hit.sequence.0,
        number: hit.number,
        payouts: Vec::new(),
        ..row.clone()
    }
}

/// Checks that only a rejection or a correction of other hits could still change a hit that stands so.
fn is_final(row: &HitRow) -> bool {
    match row.state {
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated => false,
        HitState::Paid => row.payouts.iter().all(|payout| payout.paid_at.is_some()),
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => true,
    }
}

/// A hit as people write it.
fn numbered(table: &str, hit: HitId) -> String {
    match hit.number {
        0 => format!("{table}.{}", hit.sequence),
        number => format!("{table}.{}.{number}", hit.sequence),
    }
}
