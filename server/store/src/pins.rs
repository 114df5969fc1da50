//! PINs: reading them, counting wrong ones, and the changes of PINs and signatures.
//!
//! # Order
//! A wrong PIN is counted in one statement before the PIN is compared, so that attempts at the same time, on any node,
//! get no more tries than attempts one after another.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::{Credential, Voucher};
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::PgRow;

use crate::access::{Changed, Making};
use crate::access_change::{NewSignature, Proven};
use crate::actors::{ActorRow, actor_row, voucher_in};
use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::statement::ResultExt as _;
use crate::sql::{login, pin};
use crate::store::Store;

/// A stored PIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinRow {
    /// Hash, in the text form of argon2.
    pub hash: String,
    /// Time at which it was set.
    pub set_at: Timestamp,
    /// Voucher.
    pub voucher: Option<Voucher>,
}

impl Store {
    /// Counts an attempt to sign as a wrong one, and returns the number in a row with this one. Returns nothing if there
    /// were `most` before.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn count_pin_try(
        &self,
        name: &str,
        most: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        let query = sqlx::query(pin::COUNT_TRY.sql)
            .bind(name)
            .bind(now.0)
            .bind(i64::from(most));
        let row = self.inner.row(pin::COUNT_TRY, query).await?;
        let count = |row: &PgRow| {
            RowReader::new(pin::COUNT_TRY, "pin_failure", row).number::<u32, i32>("failures")
        };
        row.as_ref().map(count).transpose()
    }

    /// Forgets the wrong PINs of a name.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn forget_pin_tries(&self, name: &str) -> Result<(), StoreError> {
        let query = sqlx::query(pin::FORGET_TRIES.sql).bind(name);
        self.inner.run(pin::FORGET_TRIES, query).await.map(drop)
    }
}

/// Returns the PIN of a person's row, if it has one.
pub(crate) fn pin_of(row: RowReader<'_>) -> Result<Option<PinRow>, StoreError> {
    let hash: Option<String> = row.get("pin_hash")?;
    let set_at: Option<i64> = row.get("pin_set_at")?;
    let voucher = voucher_in(row, "pin_voucher")?;
    Ok(hash.zip(set_at).map(|(hash, set_at)| PinRow {
        hash,
        set_at: Timestamp(set_at),
        voucher,
    }))
}

impl Making<'_> {
    /// Gives a person a new PIN, or takes it away. Wrong PINs are forgotten, and all signatures of the person end.
    pub(crate) async fn pin(
        &mut self,
        name: &str,
        hash: Option<&str>,
        proven: Option<Proven>,
    ) -> Result<ActorRow, StoreError> {
        let actor = self.find(name).await?;
        if let Some(proven) = proven {
            self.prove(&actor, proven).await?;
        }
        let set_at = self.next_time(actor.actor).await?;
        let voucher = match hash {
            Some(hash) => self.vouched(&actor, &Credential::pin(hash, set_at))?,
            None => None,
        };
        let add = sqlx::query(pin::ADD_PIN.sql)
            .bind(actor.actor.0)
            .bind(set_at.0)
            .bind(hash.map(str::to_owned))
            .bind(voucher);
        self.send(pin::ADD_PIN, add).await?;
        let fact = AccessFact::pin(actor.actor, hash, set_at);
        self.facts.push(HouseFact::Access(fact));
        let forget = sqlx::query(pin::FORGET_TRIES.sql).bind(name.to_owned());
        self.send(pin::FORGET_TRIES, forget).await?;
        self.end_signatures(actor.actor).await?;
        Ok(actor)
    }

    /// Adds a signature of a person whose PIN was right.
    pub(crate) async fn signature(
        &mut self,
        name: &str,
        signature: NewSignature,
    ) -> Result<Changed, StoreError> {
        let NewSignature {
            token,
            expires_at,
            pin_set_at,
        } = signature;
        let actor = self.find(name).await?;
        self.prove(&actor, Proven::Pin(pin_set_at)).await?;
        let credential = Credential::Signature {
            signature: token,
            created_at: self.at,
            expires_at,
        };
        let add = sqlx::query(pin::ADD_SIGNATURE.sql)
            .bind(token.to_vec())
            .bind(actor.actor.0)
            .bind(self.at.0)
            .bind(expires_at.0)
            .bind(self.vouched(&actor, &credential)?);
        self.send(pin::ADD_SIGNATURE, add).await?;
        Ok(Changed { actor, ended: 0 })
    }

    pub(crate) async fn end_signatures(&mut self, actor: ActorId) -> Result<(), StoreError> {
        let end = sqlx::query(pin::END_SIGNATURES.sql)
            .bind(actor.0)
            .bind(self.at.0);
        self.send(pin::END_SIGNATURES, end).await.map(drop)
    }

    /// Returns `true` if a session of an actor goes on.
    pub(crate) async fn has_session(
        &mut self,
        actor: ActorId,
        session: [u8; HASH_BYTES],
    ) -> Result<bool, StoreError> {
        let statement = login::FIND_SESSION;
        let found = sqlx::query(statement.sql)
            .bind(session.to_vec())
            .bind(self.at.0)
            .bind(i64::MIN);
        let found = found.fetch_optional(&mut *self.transaction).await;
        let Some(row) = found.in_statement(statement)? else {
            return Ok(false);
        };
        Ok(actor_row(statement, &row)?.actor == actor)
    }
}
