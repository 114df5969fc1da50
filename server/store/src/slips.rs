//! Slips of payouts: numbered without a gap, printed again under numbers of their own.
//!
//! # Limits
//! One page holds at most [`SLIPS_MAX`] slips or reprints.
//!
//! # Order and locking
//! A slip and a reprint are made under the lock of the counter's row. Both take the lock of the house's chain last. A transaction that fails gives its number back.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_journal::hit::HitState;
use meterhouse_journal::house::HouseFact;
use meterhouse_journal::slip::{Slip, SlipContent, SlipReprint};
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::house_chain::append;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::slip::{
    ADD_REPRINT, ADD_SLIP, ALL_REPRINTS, COUNT_SLIP, COUNTED, IS_UNCHANGED, LOCK_COUNTER,
    NEWEST_SLIP, REPLACED, REPRINTS, SLIPS,
};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of slips or reprints in one page.
pub const SLIPS_MAX: usize = 500;

/// A slip to make. The store gives its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSlip {
    /// Server time.
    pub at: Timestamp,
    /// Person who asks for it.
    pub actor: ActorId,
    /// Link.
    pub link: LinkId,
    /// State of the hit when its content was read.
    pub hit_state: HitState,
    /// `true` if the payout was paid then.
    pub is_paid: bool,
    /// What it says.
    pub content: SlipContent,
}

/// The result of asking for a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadeSlip {
    /// The slip was made.
    Made(Slip),
    /// The payout had a slip with the same amount.
    Before(Slip),
    /// The payout is paid, and was paid without a slip of its amount.
    Paid,
    /// The hit's state or the payout's amount is another one meanwhile, or it was paid.
    Changed,
}

/// The result of asking for a reprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reprinted {
    /// The reprint was recorded.
    Made(SlipReprint),
    /// A reprint has this number already.
    Before(SlipReprint),
    /// Another number comes next.
    Next(u32),
}

impl Store {
    /// Makes the slip of a payout under the next number, unless the newest slip of the payout has the same amount. One with
    /// another amount is replaced.
    ///
    /// # Errors
    /// If the database refuses. No number is used then.
    pub async fn make_slip(&self, new: &NewSlip) -> Result<MadeSlip, StoreError> {
        self.run_tx("slip.make", async |transaction: &mut PgConnection| {
            make(transaction, new).await
        })
        .await
    }

    /// Records a further print of a slip under the next number.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn reprint_slip(&self, asked: &SlipReprint) -> Result<Reprinted, StoreError> {
        self.run_tx("slip.reprint", async |transaction: &mut PgConnection| {
            reprint(transaction, asked).await
        })
        .await
    }

    /// Returns at most [`SLIPS_MAX`] slips after a number, made in a period.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn slips(
        &self,
        after: u64,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        limit: usize,
    ) -> Result<Vec<Slip>, StoreError> {
        let query = sqlx::query(SLIPS.sql)
            .bind(to_bigint(after))
            .bind(from.map(|from| from.0))
            .bind(to.map(|to| to.0))
            .bind(bounded(limit, SLIPS_MAX));
        let rows = self.inner.rows(SLIPS, query).await?;
        rows.iter().map(|row| slip(SLIPS, row)).collect()
    }

    /// Returns the reprints of some slips, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn reprints(&self, slips: &[u64]) -> Result<Vec<SlipReprint>, StoreError> {
        let numbers: Vec<i64> = slips.iter().map(|number| to_bigint(*number)).collect();
        let query = sqlx::query(REPRINTS.sql).bind(numbers);
        let rows = self.inner.rows(REPRINTS, query).await?;
        rows.iter().map(|row| one_reprint(REPRINTS, row)).collect()
    }

    /// Returns, for those of some slips that were replaced, the number of the newer slip.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn replaced_slips(&self, slips: &[u64]) -> Result<Vec<(u64, u64)>, StoreError> {
        let numbers: Vec<i64> = slips.iter().map(|number| to_bigint(*number)).collect();
        let query = sqlx::query(REPLACED.sql).bind(numbers);
        let rows = self.inner.rows(REPLACED, query).await?;
        let pair = |row| {
            let row = RowReader::new(REPLACED, "slip", row);
            let replaced = row.number::<u64, i64>("replaces")?;
            Ok((replaced, row.number::<u64, i64>("number")?))
        };
        rows.iter().map(pair).collect()
    }

    /// Returns at most [`SLIPS_MAX`] reprints of all slips after one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn all_reprints(&self, after: (u64, u32)) -> Result<Vec<SlipReprint>, StoreError> {
        let query = sqlx::query(ALL_REPRINTS.sql)
            .bind(to_bigint(after.0))
            .bind(after.1.cast_signed())
            .bind(bounded(SLIPS_MAX, SLIPS_MAX));
        let rows = self.inner.rows(ALL_REPRINTS, query).await?;
        let reprint = |row| one_reprint(ALL_REPRINTS, row);
        rows.iter().map(reprint).collect()
    }

    /// Returns the number of the newest slip by the counter.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn counted_slips(&self) -> Result<u64, StoreError> {
        let row = self.inner.row(COUNTED, sqlx::query(COUNTED.sql)).await?;
        let last = |row| RowReader::new(COUNTED, "slip_counter", row).number::<u64, i64>("last");
        row.as_ref().map_or(Ok(0), last)
    }
}

/// Locks the counter, and returns the number of the newest slip.
async fn lock(transaction: &mut PgConnection) -> Result<u64, StoreError> {
    let locked = sqlx::query(LOCK_COUNTER.sql);
    let locked = locked
        .fetch_one(transaction)
        .await
        .in_statement(LOCK_COUNTER)?;
    RowReader::new(LOCK_COUNTER, "slip_counter", &locked).number::<u64, i64>("last")
}

async fn make(transaction: &mut PgConnection, new: &NewSlip) -> Result<MadeSlip, StoreError> {
    let last = lock(transaction).await?;
    // Under the lock, so that a slip never replaces one that was read later.
    if !is_unchanged(transaction, new).await? {
        return Ok(MadeSlip::Changed);
    }
    let content = &new.content;
    let newest = sqlx::query(NEWEST_SLIP.sql)
        .bind(new.link.0)
        .bind(content.table.cast_signed())
        .bind(to_bigint(content.sequence))
        .bind(i16::from(content.hit_number))
        .bind(content.payout.cast_signed())
        .fetch_optional(&mut *transaction)
        .await
        .in_statement(NEWEST_SLIP)?;
    let newest = newest.map(|row| slip(NEWEST_SLIP, &row)).transpose()?;
    if let Some(newest) = &newest
        && newest.content.amount == content.amount
    {
        return Ok(MadeSlip::Before(newest.clone()));
    }
    // A second paper for the same money could be cashed.
    if new.is_paid {
        return Ok(MadeSlip::Paid);
    }
    let slip = Slip {
        number: last + 1,
        at: new.at,
        actor: new.actor,
        link: new.link,
        content: content.clone(),
        replaces: newest.map(|newest| newest.number),
    };
    sqlx::query(COUNT_SLIP.sql)
        .bind(to_bigint(slip.number))
        .execute(&mut *transaction)
        .await
        .in_statement(COUNT_SLIP)?;
    add(transaction, &slip).await?;
    let fact = HouseFact::Slip(Box::new(slip.clone()));
    append(transaction, slip.at, &[fact]).await?;
    Ok(MadeSlip::Made(slip))
}

/// Returns `true` if the hit and the payout are as they were read.
async fn is_unchanged(transaction: &mut PgConnection, new: &NewSlip) -> Result<bool, StoreError> {
    let content = &new.content;
    let row = sqlx::query(IS_UNCHANGED.sql)
        .bind(new.link.0)
        .bind(content.table.cast_signed())
        .bind(to_bigint(content.sequence))
        .bind(i16::from(content.hit_number))
        .bind(content.payout.cast_signed())
        .bind(i16::from(new.hit_state.code()))
        .bind(content.amount)
        .bind(new.is_paid)
        .fetch_one(transaction)
        .await
        .in_statement(IS_UNCHANGED)?;
    RowReader::new(IS_UNCHANGED, "hit", &row).get("is_unchanged")
}

async fn add(transaction: &mut PgConnection, slip: &Slip) -> Result<(), StoreError> {
    let content = &slip.content;
    let code = |code: Option<u8>| code.map(i16::from);
    sqlx::query(ADD_SLIP.sql)
        .bind(to_bigint(slip.number))
        .bind(slip.at.0)
        .bind(slip.actor.0)
        .bind(slip.link.0)
        .bind(content.table.cast_signed())
        .bind(to_bigint(content.sequence))
        .bind(i16::from(content.hit_number))
        .bind(content.payout.cast_signed())
        .bind(content.amount)
        .bind(i16::from(content.seat))
        .bind(&content.player)
        .bind(i16::from(content.kind))
        .bind(i16::from(content.charged_to))
        .bind(to_bigint(content.hit_order))
        .bind(to_bigint(content.round))
        .bind(i16::from(content.hit_kind))
        .bind(code(content.hand))
        .bind(code(content.level))
        .bind(code(content.percent))
        .bind(&content.cards)
        .bind(&content.keyed_by)
        .bind(content.keyed_at.0)
        .bind(&content.decided_by)
        .bind(content.decided_at.map(|at| at.0))
        .bind(slip.replaces.map(to_bigint))
        .execute(transaction)
        .await
        .in_statement(ADD_SLIP)
        .map(drop)
}

async fn reprint(
    transaction: &mut PgConnection,
    asked: &SlipReprint,
) -> Result<Reprinted, StoreError> {
    lock(transaction).await?;
    let before = sqlx::query(REPRINTS.sql).bind(vec![to_bigint(asked.number)]);
    let before = before
        .fetch_all(&mut *transaction)
        .await
        .in_statement(REPRINTS)?;
    let before = before.iter().map(|row| one_reprint(REPRINTS, row));
    let before = before.collect::<Result<Vec<_>, _>>()?;
    if let Some(made) = before.iter().find(|made| made.reprint == asked.reprint) {
        return Ok(Reprinted::Before(made.clone()));
    }
    let next = before.last().map_or(1, |last| last.reprint + 1);
    if asked.reprint != next {
        return Ok(Reprinted::Next(next));
    }
    sqlx::query(ADD_REPRINT.sql)
        .bind(to_bigint(asked.number))
        .bind(asked.reprint.cast_signed())
        .bind(asked.at.0)
        .bind(asked.actor.0)
        .bind(&asked.reason)
        .execute(&mut *transaction)
        .await
        .in_statement(ADD_REPRINT)?;
    let fact = HouseFact::SlipReprint(Box::new(asked.clone()));
    append(transaction, asked.at, &[fact]).await?;
    Ok(Reprinted::Made(asked.clone()))
}

fn slip(statement: Statement, row: &PgRow) -> Result<Slip, StoreError> {
    let row = RowReader::new(statement, "slip", row);
    let decided_at: Option<i64> = row.get("decided_at")?;
    Ok(Slip {
        number: row.number::<u64, i64>("number")?,
        at: Timestamp(row.get("at")?),
        actor: ActorId(row.get("actor_id")?),
        link: LinkId(row.get("link_id")?),
        content: SlipContent {
            table: row.number::<u32, i32>("table_no")?,
            sequence: row.number::<u64, i64>("sequence")?,
            hit_number: row.number::<u8, i16>("hit_number")?,
            payout: row.number::<u32, i32>("payout")?,
            amount: row.get("amount")?,
            seat: row.number::<u8, i16>("seat")?,
            player: row.get("player")?,
            kind: row.number::<u8, i16>("kind")?,
            charged_to: row.number::<u8, i16>("charged_to")?,
            hit_order: row.number::<u64, i64>("hit_order")?,
            round: row.number::<u64, i64>("round")?,
            hit_kind: row.number::<u8, i16>("hit_kind")?,
            hand: row.maybe::<u8, i16>("hand")?,
            level: row.maybe::<u8, i16>("level")?,
            percent: row.maybe::<u8, i16>("percent")?,
            cards: row.get("cards")?,
            keyed_by: row.get("keyed_by")?,
            keyed_at: Timestamp(row.get("keyed_at")?),
            decided_by: row.get("decided_by")?,
            decided_at: decided_at.map(Timestamp),
        },
        replaces: row.maybe::<u64, i64>("replaces")?,
    })
}

fn one_reprint(statement: Statement, row: &PgRow) -> Result<SlipReprint, StoreError> {
    let row = RowReader::new(statement, "slip_reprint", row);
    Ok(SlipReprint {
        number: row.number::<u64, i64>("number")?,
        reprint: row.number::<u32, i32>("reprint")?,
        at: Timestamp(row.get("at")?),
        actor: ActorId(row.get("actor_id")?),
        reason: row.get("reason")?,
    })
}
