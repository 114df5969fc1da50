//! Current states of hits, with their payouts.
//!
//! # Shape
//! Each query is one statement, so that a hit and its payouts are consistent. The statement returns
//! one row per payout, and `gather` joins the rows of a hit.
//!
//! # Limits
//! One page holds at most [`HITS_MAX`] hits. The cursor is (link, order), which no change of a hit
//! moves.

use meterhouse_domain::ids::{HitId, HitOrder, LinkId, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow};
use sqlx::postgres::{PgConnection, PgRow};

use crate::database::{LONG_WAIT_MAX, READ_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::session::with_timeout;
use crate::sql::hit::{
    FIND_HIT, LARGE_HITS, LAST_HITS, LAST_RESET, LIST_HITS, LIST_HITS_IN_STATE, NEWEST_HITS,
    NEWEST_HITS_IN_STATE, NEWEST_HITS_OF_LEVEL, NEWEST_HITS_OF_LEVEL_IN_STATE,
};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of hits in one page.
pub const HITS_MAX: usize = 200;

/// A hit with the names of its link and table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHit {
    /// Link of the hit.
    pub link: LinkId,
    /// Name of the link.
    pub link_name: String,
    /// Name of the table that keyed the hit.
    pub table_name: String,
    /// Hit with its payouts.
    pub hit: HitRow,
}

/// A period in which hits were entered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Entered {
    /// Start of the period.
    pub from: Option<Timestamp>,
    /// End of the period, which does not belong to it.
    pub to: Option<Timestamp>,
}

impl Entered {
    /// Returns the start and the end, the whole range of times for one that is left out.
    fn bounds(self) -> (i64, i64) {
        let from = self.from.map_or(i64::MIN, |from| from.0);
        (from, self.to.map_or(i64::MAX, |to| to.0))
    }
}

/// A selection of hits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct HitSelection {
    /// Hits of this link only.
    pub link: Option<LinkId>,
    /// Hits in this state only.
    pub state: Option<HitState>,
    /// Hits of this period only.
    pub entered: Entered,
}

/// A selection among a link's hits, newest first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct NewestHits {
    /// Hits that took from this level only.
    pub level: Option<u8>,
    /// Hits in this state only.
    pub state: Option<HitState>,
    /// Hits of this period only.
    pub entered: Entered,
    /// Hits before this order only.
    pub before: Option<HitOrder>,
}

/// A selection of a link's hits by the amounts that they pay.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LargeHits {
    /// Hits after this order only.
    pub after: HitOrder,
    /// Hits of this period only.
    pub entered: Entered,
    /// Hits that pay a player at least this amount.
    pub amount: Money,
}

/// States of a hit that may have been paid: those of [`STANDING`], and a withdrawn one.
const PAYABLE: [HitState; 5] = [
    HitState::Pending,
    HitState::ValidatedByRule,
    HitState::Validated,
    HitState::Paid,
    HitState::Withdrawn,
];

/// States of a hit that was not taken back.
const STANDING: [HitState; 4] = [
    HitState::Pending,
    HitState::ValidatedByRule,
    HitState::Validated,
    HitState::Paid,
];

impl Store {
    /// Returns a hit.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_hit(&self, link: LinkId, hit: HitId) -> Result<Option<FoundHit>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let found = find(&mut connection, link, hit);
        let found = with_timeout("finding a hit", READ_WAIT_MAX, found).await;
        return_unless_timed_out(found, connection)
    }

    /// Returns at most [`HITS_MAX`] hits after (link, order), in that order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_hits(
        &self,
        filter: HitSelection,
        after: (LinkId, HitOrder),
        limit: usize,
    ) -> Result<Vec<FoundHit>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let listed = page(&mut connection, filter, after, limit);
        let listed = with_timeout("listing hits", READ_WAIT_MAX, listed).await;
        return_unless_timed_out(listed, connection)
    }

    /// Returns at most [`HITS_MAX`] hits of a link, newest first.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn newest_hits(
        &self,
        link: LinkId,
        filter: NewestHits,
        limit: usize,
    ) -> Result<Vec<FoundHit>, StoreError> {
        let level = filter.level.map(i16::from);
        let state = filter.state.map(|state| i16::from(state.code()));
        let statement = match (level, state) {
            (Some(_), Some(_)) => NEWEST_HITS_OF_LEVEL_IN_STATE,
            (Some(_), None) => NEWEST_HITS_OF_LEVEL,
            (None, Some(_)) => NEWEST_HITS_IN_STATE,
            (None, None) => NEWEST_HITS,
        };
        let (from, to) = filter.entered.bounds();
        let mut query = sqlx::query(statement.sql)
            .bind(link.0)
            .bind(filter.before.map_or(i64::MAX, |order| to_bigint(order.0)))
            .bind(bounded(limit, HITS_MAX))
            .bind(from)
            .bind(to);
        for given in [level, state].into_iter().flatten() {
            query = query.bind(given);
        }
        let rows = self.inner.rows(statement, query).await?;
        gather(statement, &rows)
    }

    /// Returns at most [`HITS_MAX`] newest hits of a level that were not taken back, newest first.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn last_hits(
        &self,
        link: LinkId,
        level: u8,
        limit: usize,
    ) -> Result<Vec<FoundHit>, StoreError> {
        let standing = STANDING.map(|state| i16::from(state.code()));
        let query = sqlx::query(LAST_HITS.sql)
            .bind(link.0)
            .bind(i16::from(level))
            .bind(standing.as_slice())
            .bind(bounded(limit, HITS_MAX));
        let rows = self.inner.rows(LAST_HITS, query).await?;
        gather(LAST_HITS, &rows)
    }

    /// Returns at most [`HITS_MAX`] hits that pay a player at least an amount, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn large_hits(
        &self,
        link: LinkId,
        asked: LargeHits,
    ) -> Result<Vec<FoundHit>, StoreError> {
        let (from, to) = asked.entered.bounds();
        let payable = PAYABLE.map(|state| i16::from(state.code()));
        let query = sqlx::query(LARGE_HITS.sql)
            .bind(link.0)
            .bind(to_bigint(asked.after.0))
            .bind(from)
            .bind(to)
            .bind(payable.as_slice())
            .bind(asked.amount.micros())
            .bind(bounded(HITS_MAX, HITS_MAX));
        let rows = self.inner.rows_within(LONG_WAIT_MAX, LARGE_HITS, query);
        gather(LARGE_HITS, &rows.await?)
    }

    /// Returns the newest hit before an order that took all of a level and was not taken back. The
    /// contributions to the next such hit begin there.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn last_reset(
        &self,
        link: LinkId,
        level: u8,
        before: HitOrder,
    ) -> Result<Option<FoundHit>, StoreError> {
        let standing = STANDING.map(|state| i16::from(state.code()));
        let query = sqlx::query(LAST_RESET.sql)
            .bind(link.0)
            .bind(i16::from(level))
            .bind(to_bigint(before.0))
            .bind(standing.as_slice());
        let rows = self.inner.rows(LAST_RESET, query).await?;
        Ok(gather(LAST_RESET, &rows)?.pop())
    }
}

async fn find(
    connection: &mut PgConnection,
    link: LinkId,
    hit: HitId,
) -> Result<Option<FoundHit>, StoreError> {
    let query = sqlx::query(FIND_HIT.sql)
        .bind(link.0)
        .bind(hit.table.0.cast_signed())
        .bind(hit.sequence.0.cast_signed())
        .bind(i16::from(hit.number));
    let rows = query.fetch_all(connection).await.in_statement(FIND_HIT)?;
    Ok(gather(FIND_HIT, &rows)?.pop())
}

/// Returns the rows of these hits. Unknown hits are left out.
pub(crate) async fn rows_of(
    connection: &mut PgConnection,
    link: LinkId,
    hits: &[HitId],
) -> Result<Vec<HitRow>, StoreError> {
    let mut found = Vec::with_capacity(hits.len());
    for hit in hits {
        let one = find(&mut *connection, link, *hit).await?;
        found.extend(one.map(|found| found.hit));
    }
    Ok(found)
}

pub(crate) async fn page(
    connection: &mut PgConnection,
    filter: HitSelection,
    (link, order): (LinkId, HitOrder),
    limit: usize,
) -> Result<Vec<FoundHit>, StoreError> {
    let statement = if filter.state.is_some() {
        LIST_HITS_IN_STATE
    } else {
        LIST_HITS
    };
    let (from, to) = filter.entered.bounds();
    let mut query = sqlx::query(statement.sql)
        .bind(filter.link.map(|link| link.0))
        .bind(link.0)
        .bind(to_bigint(order.0))
        .bind(bounded(limit, HITS_MAX))
        .bind(from)
        .bind(to);
    if let Some(state) = filter.state {
        query = query.bind(i16::from(state.code()));
    }
    let rows = query.fetch_all(connection).await.in_statement(statement)?;
    gather(statement, &rows)
}

/// Joins the rows of each hit. Rows of the same hit are adjacent.
pub(crate) fn gather(statement: Statement, rows: &[PgRow]) -> Result<Vec<FoundHit>, StoreError> {
    let mut hits: Vec<FoundHit> = Vec::new();
    for row in rows {
        let row = RowReader::new(statement, "hit", row);
        let link: i32 = row.get("link_id")?;
        let order = row.number::<u64, i64>("hit_order")?;
        let is_same = |found: &FoundHit| found.link.0 == link && found.hit.hit_order == order;
        if !hits.last().is_some_and(is_same) {
            hits.push(found(&row)?);
        }
        if let (Some(hit), Some(payout)) = (hits.last_mut(), payout(&row)?) {
            hit.hit.payouts.push(payout);
        }
    }
    Ok(hits)
}

fn found(row: &RowReader<'_>) -> Result<FoundHit, StoreError> {
    let state = row.number::<u8, i16>("state")?;
    let hit = HitRow {
        table: row.number::<u32, i32>("table_no")?,
        sequence: row.number::<u64, i64>("sequence")?,
        number: row.number::<u8, i16>("number")?,
        hit_order: row.number::<u64, i64>("hit_order")?,
        round: row.number::<u64, i64>("round")?,
        state: HitState::from_code(state).ok_or_else(|| row.inconsistent("state"))?,
        kind: row.number::<u8, i16>("kind")?,
        hand: row.maybe::<u8, i16>("hand")?,
        seat: row.maybe::<u8, i16>("seat")?,
        level: row.maybe::<u8, i16>("level")?,
        percent: row.maybe::<u8, i16>("percent")?,
        before: row.get("before")?,
        after: row.get("after")?,
        reserve_before: row.get("reserve_before")?,
        overflow_before: row.get("overflow_before")?,
        due: row.get("due")?,
        keyed_by_actor: row.get("keyed_by_actor")?,
        keyed_by: row.get("keyed_by")?,
        keyed_at: row.get("keyed_at")?,
        decided_by_actor: row.get("decided_by_actor")?,
        decided_by: row.get("decided_by")?,
        decided_at: row.get("decided_at")?,
        note: row.get("note")?,
        cards: row.get("cards")?,
        validated_cards: row.get("validated_cards")?,
        payouts: Vec::new(),
    };
    Ok(FoundHit {
        link: LinkId(row.get("link_id")?),
        link_name: row.get("link_name")?,
        table_name: row.get("table_name")?,
        hit,
    })
}

fn payout(row: &RowReader<'_>) -> Result<Option<PayoutRow>, StoreError> {
    let Some(number) = row.maybe::<u32, i32>("p_number")? else {
        return Ok(None);
    };
    Ok(Some(PayoutRow {
        number,
        seat: row.number::<u8, i16>("p_seat")?,
        player: row.get("player")?,
        kind: row.number::<u8, i16>("p_kind")?,
        amount: row.get("amount")?,
        charged_to: row.number::<u8, i16>("charged_to")?,
        handed_over: row.number::<u8, i16>("handed_over")?,
        paid_at: row.get("paid_at")?,
        paid_by_actor: row.get("paid_by_actor")?,
        document: row.get("document")?,
    }))
}
