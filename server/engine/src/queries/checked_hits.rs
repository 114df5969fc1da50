//! Hits checked against the journal: each row is computed again from its events and compared.
//!
//! # Shape
//! A row contains the times at which its hit was entered, decided and paid. The events of those times are projected by
//! the function that made the row. An event that gave a hit another amount has no time in the row, and a withdrawal
//! overwrites the time of the validation. Events of those kinds are read from the journal's end. A hit that can still
//! change is in the link's state. Any other hit has to be final, so that no row hides a later event.
//!
//! # Limits
//! [`TIMES_MAX`] times a statement, and the rejections and corrections of the link since the oldest hit. A row that
//! differs is read [`ATTEMPTS_MAX`] times, because the hit may have changed between the two statements.

use meterhouse_journal::position::Position;
use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::ids::{HitId, LinkId, Timestamp};
use meterhouse_journal::hit::{HitRow, HitState, project};
use meterhouse_journal::kind::{CHANGE_APPROVED, HIT_REJECTED, HIT_VALIDATED};
use meterhouse_journal::record::from_row;
use meterhouse_store::{ArchivedEnd, FoundHit, NOTABLE_MAX, PositionedEvent, Store, TIMES_MAX};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::registry::link_registry::LinkRegistry;

/// The kinds of events that give hits other amounts.
const RESETTLING: &[u8] = &[HIT_REJECTED, CHANGE_APPROVED];
/// [`RESETTLING`], and the validation, whose time in the row is overwritten by a withdrawal.
const WITHDRAWING: &[u8] = &[HIT_VALIDATED, HIT_REJECTED, CHANGE_APPROVED];
/// Maximum number of reads of a row that differs.
const ATTEMPTS_MAX: u32 = 3;

/// A reader of hits that compares them with the journal.
pub(crate) struct HitReader<'a> {
    pub(crate) store: &'a Store,
    pub(crate) registry: &'a LinkRegistry,
}

impl HitReader<'_> {
    /// Returns one hit, if it exists.
    ///
    /// # Errors
    /// [`NotExecuted::HitDiffers`] if its row differs from the journal, and [`NotExecuted::PositionArchived`] if its
    /// events are archived and the link keeps it no more.
    pub(crate) async fn find(
        &self,
        link: LinkId,
        hit: HitId,
    ) -> Result<Option<FoundHit>, NotExecuted> {
        match self.read_again(link, hit).await? {
            Reread::Same(found) => Ok(Some(found)),
            Reread::Missing => Ok(None),
            Reread::Archived(end) => Err(NotExecuted::archived(&end)),
            Reread::Differs(found, _) => Err(NotExecuted::HitDiffers {
                hit: numbered(&found.table_name, hit),
            }),
        }
    }

    /// Returns the hits after the comparison. A hit that is not in the journal, or whose events are archived, is left
    /// out.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub(crate) async fn check(&self, found: Vec<FoundHit>) -> Result<Vec<FoundHit>, NotExecuted> {
        let differing = self.differing(&found).await?;
        let mut checked = Vec::with_capacity(found.len());
        for hit in found {
            if !differing.contains(&(hit.link, hit.hit.id())) {
                checked.push(hit);
                continue;
            }
            let again = self.read_again(hit.link, hit.hit.id()).await?;
            checked.extend(again.into_journaled());
        }
        Ok(checked)
    }

    /// Returns a page of hits after the comparison, and the number of hits of the page in front of the first one whose
    /// events are archived. A hit that is not in the journal is left out.
    ///
    /// # Errors
    /// [`NotExecuted::PositionArchived`] if that is the first one; or if the database can't be queried.
    pub(crate) async fn check_page(
        &self,
        found: Vec<FoundHit>,
    ) -> Result<(Vec<FoundHit>, Option<usize>), NotExecuted> {
        let differing = self.differing(&found).await?;
        let mut checked = Vec::with_capacity(found.len());
        for (index, hit) in found.into_iter().enumerate() {
            if !differing.contains(&(hit.link, hit.hit.id())) {
                checked.push(hit);
                continue;
            }
            match self.read_again(hit.link, hit.hit.id()).await? {
                Reread::Archived(end) if index == 0 => return Err(NotExecuted::archived(&end)),
                Reread::Archived(_) => return Ok((checked, Some(index))),
                again => checked.extend(again.into_journaled()),
            }
        }
        Ok((checked, None))
    }

    /// Returns the hits whose rows differ from their events.
    async fn differing(
        &self,
        found: &[FoundHit],
    ) -> Result<BTreeSet<(LinkId, HitId)>, NotExecuted> {
        let mut by_link: BTreeMap<LinkId, Vec<&HitRow>> = BTreeMap::new();
        for hit in found {
            by_link.entry(hit.link).or_default().push(&hit.hit);
        }
        let mut differing = BTreeSet::new();
        for (link, rows) in by_link {
            let folded = self.fold(link, &rows).await?;
            let same = self.compare(link, &rows, &folded).await;
            let differs = rows.iter().zip(same).filter(|(_, same)| !same);
            differing.extend(differs.map(|(row, _)| (link, row.id())));
        }
        Ok(differing)
    }

    /// Returns the end of the archived events if the hit is among them, and what the link's state says of the row.
    async fn archived(
        &self,
        link: LinkId,
        row: &HitRow,
    ) -> Result<Option<(ArchivedEnd, Option<bool>)>, NotExecuted> {
        let moments: Vec<Timestamp> = times_of(row).map(Timestamp).collect();
        let end = self.store.archived_at(link, &moments).await;
        let Some(end) = end.map_err(unavailable)? else {
            return Ok(None);
        };
        let known = self.registry.confirmed_state(link).await?;
        let kept = known.state.hit(row.id());
        Ok(Some((end, kept.map(|hit| row.agrees_with(hit)))))
    }

    async fn read_again(&self, link: LinkId, hit: HitId) -> Result<Reread, NotExecuted> {
        let mut attempt = 1;
        loop {
            let found = self.store.find_hit(link, hit).await;
            let Some(found) = found.map_err(unavailable)? else {
                return Ok(Reread::Missing);
            };
            let rows = [&found.hit];
            let mut folded = self.fold(link, &rows).await?;
            if self.compare(link, &rows, &folded).await == [true] {
                return Ok(Reread::Same(found));
            }
            // Rare, so that it does not make every caller's future larger.
            match Box::pin(self.archived(link, &found.hit)).await? {
                Some((_, Some(true))) => return Ok(Reread::Same(found)),
                Some((end, None)) => return Ok(Reread::Archived(end)),
                Some((_, Some(false))) | None => {}
            }
            if attempt == ATTEMPTS_MAX {
                let hit = numbered(&found.table_name, hit);
                tracing::error!(link.id = %link, hit, "the row of a hit differs from the journal: run `meterhouse verify`");
                let journaled = folded.remove(&found.hit.id());
                return Ok(Reread::Differs(found, journaled.map(Box::new)));
            }
            attempt += 1;
        }
    }

    /// Compares rows with the journal, one after another.
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

    /// Computes the rows of one link's hits from the events.
    async fn fold(
        &self,
        link: LinkId,
        rows: &[&HitRow],
    ) -> Result<BTreeMap<HitId, HitRow>, NotExecuted> {
        let moments: BTreeSet<i64> = rows.iter().flat_map(|row| times_of(row)).collect();
        let moments: Vec<Timestamp> = moments.into_iter().map(Timestamp).collect();
        let mut events: BTreeMap<Position, PositionedEvent> = BTreeMap::new();
        for some in moments.chunks(TIMES_MAX) {
            let found = self.store.notable_at_any(link, some).await;
            let found = found.map_err(unavailable)?;
            events.extend(found.into_iter().map(|event| (event.position, event)));
        }
        if let Some(first) = events.keys().next().copied() {
            let kinds = kinds_without_time(rows.iter().copied());
            self.add_behind(link, kinds, first, &mut events).await?;
        }
        let asked: BTreeSet<HitId> = rows.iter().map(|row| row.id()).collect();
        let mut folded: BTreeMap<HitId, HitRow> = BTreeMap::new();
        for (position, event) in events {
            let recorded = from_row(&event.event)
                .map_err(|error| damaged(&format!("batch {}: {error}", position.batch)))?;
            let known = &folded;
            let mut find = |hit: HitId| match known.get(&hit) {
                Some(row) => Some(row.clone()),
                None if asked.contains(&hit) => None,
                None => rows.first().map(|row| another(row, hit)),
            };
            // An event of other hits, whose rows are not read.
            let changed = project(event.at, &recorded, &mut find).unwrap_or_default();
            let changed = changed.into_iter().filter(|row| asked.contains(&row.id()));
            let changed: Vec<HitRow> = changed.collect();
            folded.extend(changed.into_iter().map(|row| (row.id(), row)));
        }
        Ok(folded)
    }

    /// Adds the events of some kinds after a position.
    async fn add_behind(
        &self,
        link: LinkId,
        kinds: &[u8],
        first: Position,
        events: &mut BTreeMap<Position, PositionedEvent>,
    ) -> Result<(), NotExecuted> {
        let mut before = None;
        loop {
            let page = self.store.notable(link, kinds, before, NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            let oldest = page.last().map(|event| event.position);
            let is_last = page.len() < NOTABLE_MAX;
            let behind = page.into_iter().filter(|event| event.position > first);
            events.extend(behind.map(|event| (event.position, event)));
            match oldest {
                Some(oldest) if !is_last && oldest > first => before = Some(oldest),
                Some(_) | None => return Ok(()),
            }
        }
    }
}

/// A hit that was read again.
enum Reread {
    /// The row equals the journal's.
    Same(FoundHit),
    /// The row differs. The second value is the journal's row, if the journal has the hit.
    Differs(FoundHit, Option<Box<HitRow>>),
    /// The row does not exist.
    Missing,
    /// The hit's events are archived, and its link keeps it no more.
    Archived(ArchivedEnd),
}

impl Reread {
    /// Returns the hit as the journal has it, if the journal has it.
    fn into_journaled(self) -> Option<FoundHit> {
        match self {
            Self::Same(found) => Some(found),
            Self::Differs(found, Some(hit)) => Some(FoundHit { hit: *hit, ..found }),
            Self::Differs(_, None) | Self::Missing | Self::Archived(_) => None,
        }
    }
}

/// Returns the kinds of events about these hits of which the rows have no time.
pub(crate) fn kinds_without_time<'r>(mut rows: impl Iterator<Item = &'r HitRow>) -> &'static [u8] {
    if rows.any(|row| row.state == HitState::Withdrawn) {
        WITHDRAWING
    } else {
        RESETTLING
    }
}

/// Returns the times of events in a row.
pub(crate) fn times_of(row: &HitRow) -> impl Iterator<Item = i64> {
    let paid_at = row.payouts.iter().filter_map(|payout| payout.paid_at);
    paid_at.chain(row.decided_at).chain([row.keyed_at])
}

/// Returns a placeholder row of another hit, of which only the name is used.
pub(crate) fn another(row: &HitRow, hit: HitId) -> HitRow {
    HitRow {
        table: hit.table.0,
        sequence: hit.sequence.0,
        number: hit.number,
        payouts: Vec::new(),
        ..row.clone()
    }
}

/// Returns `true` if only a rejection or a correction of other hits could still change the hit.
fn is_final(row: &HitRow) -> bool {
    match row.state {
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated => false,
        HitState::Paid => row.payouts.iter().all(|payout| payout.paid_at.is_some()),
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => true,
    }
}

/// Returns the name of a hit.
pub(crate) fn numbered(table: &str, hit: HitId) -> String {
    match hit.number {
        0 => format!("{table}.{}", hit.sequence),
        number => format!("{table}.{}.{number}", hit.sequence),
    }
}
