//! Web push: the subscriptions of people's browsers, and the hits that a node has to tell.
//!
//! # Limits
//! A person has the caller's number of subscriptions. A list has [`PUSH_SUBSCRIPTIONS_MAX`], and one taking
//! [`PUSH_HITS_MAX`] hits.

use meterhouse_domain::ids::{ActorId, HitId, LinkId, Sequence, TableNo, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::hit::HitState;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::push;
use crate::store::Store;

/// Maximum number of subscriptions of a house that are told of a hit: the newest ones.
pub const PUSH_SUBSCRIPTIONS_MAX: usize = 256;
/// Maximum number of hits that one statement takes.
pub const PUSH_HITS_MAX: usize = 64;

/// A subscription of a browser at its push service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRow {
    /// SHA-256 of the endpoint.
    pub endpoint_hash: [u8; HASH_BYTES],
    /// Address at the push service.
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    pub p256dh: String,
    /// Secret of the browser for its senders, in base64url.
    pub auth: String,
    /// Time of the subscription.
    pub created_at: Timestamp,
}

impl Store {
    /// Adds a subscription of a person. The oldest ones of the person are removed, so that there are `most`.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn subscribe_push(
        &self,
        actor: ActorId,
        new: &PushRow,
        most: usize,
    ) -> Result<(), StoreError> {
        let query = sqlx::query(push::SUBSCRIBE.sql)
            .bind(new.endpoint_hash.to_vec())
            .bind(actor.0)
            .bind(new.endpoint.clone())
            .bind(new.p256dh.clone())
            .bind(new.auth.clone())
            .bind(new.created_at.0)
            .bind(i64::try_from(most.saturating_sub(1)).unwrap_or(i64::MAX));
        self.inner.run(push::SUBSCRIBE, query).await.map(drop)
    }

    /// Removes a subscription of a person.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn unsubscribe_push(
        &self,
        actor: ActorId,
        endpoint_hash: [u8; HASH_BYTES],
    ) -> Result<(), StoreError> {
        let query = sqlx::query(push::UNSUBSCRIBE.sql)
            .bind(endpoint_hash.to_vec())
            .bind(actor.0);
        self.inner.run(push::UNSUBSCRIBE, query).await.map(drop)
    }

    /// Removes a subscription that its push service no longer knows, unless it was renewed since.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn remove_gone_push(&self, gone: &PushRow) -> Result<(), StoreError> {
        let query = sqlx::query(push::REMOVE_GONE.sql)
            .bind(gone.endpoint_hash.to_vec())
            .bind(gone.created_at.0);
        self.inner.run(push::REMOVE_GONE, query).await.map(drop)
    }

    /// Returns the subscriptions of a person, newest first.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn pushes_of(&self, actor: ActorId) -> Result<Vec<PushRow>, StoreError> {
        let query = sqlx::query(push::OF_PERSON.sql)
            .bind(actor.0)
            .bind(bounded(PUSH_SUBSCRIPTIONS_MAX, PUSH_SUBSCRIPTIONS_MAX));
        let rows = self.inner.rows(push::OF_PERSON, query).await?;
        let read = |row| subscription(RowReader::new(push::OF_PERSON, TABLE, row));
        rows.iter().map(read).collect()
    }

    /// Returns the subscriptions of all people who may come in, newest first.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn pushes(&self) -> Result<Vec<PushRow>, StoreError> {
        let query = sqlx::query(push::SUBSCRIPTIONS.sql)
            .bind(bounded(PUSH_SUBSCRIPTIONS_MAX, PUSH_SUBSCRIPTIONS_MAX));
        let rows = self.inner.rows(push::SUBSCRIPTIONS, query).await?;
        let read = |row| subscription(RowReader::new(push::SUBSCRIPTIONS, TABLE, row));
        rows.iter().map(read).collect()
    }

    /// Takes hits that wait for a person and were entered from one time on. Each hit is taken once, by one node. Hits that
    /// were taken before another time are forgotten.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn take_waiting_hits(
        &self,
        now: Timestamp,
        entered_from: Timestamp,
        forget_before: Timestamp,
    ) -> Result<Vec<(LinkId, HitId)>, StoreError> {
        let query = sqlx::query(push::TAKE_HITS.sql)
            .bind(i16::from(HitState::Pending.code()))
            .bind(entered_from.0)
            .bind(forget_before.0)
            .bind(now.0)
            .bind(bounded(PUSH_HITS_MAX, PUSH_HITS_MAX));
        let rows = self.inner.rows(push::TAKE_HITS, query).await?;
        rows.iter().map(hit).collect()
    }
}

/// Table that error messages name.
const TABLE: &str = "push_subscription";

fn subscription(row: RowReader<'_>) -> Result<PushRow, StoreError> {
    Ok(PushRow {
        endpoint_hash: row.hash("endpoint_hash")?,
        endpoint: row.get("endpoint")?,
        p256dh: row.get("p256dh")?,
        auth: row.get("auth")?,
        created_at: Timestamp(row.get("created_at")?),
    })
}

fn hit(row: &PgRow) -> Result<(LinkId, HitId), StoreError> {
    let row = RowReader::new(push::TAKE_HITS, "push_notice", row);
    let hit = HitId {
        table: TableNo(row.number::<u32, i32>("table_no")?),
        sequence: Sequence(row.number::<u64, i64>("sequence")?),
        number: row.number::<u8, i16>("number")?,
    };
    Ok((LinkId(row.get("link_id")?), hit))
}
