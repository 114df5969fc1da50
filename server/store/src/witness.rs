//! Signed heads of other houses that this one witnesses, and the positions of the witnesses of its own heads.
//!
//! # Limits
//! One page holds at most [`WITNESSED_MAX`] heads. A chain has at most [`FORKS_MAX`] forks.
//!
//! # Order and locking
//! Each function is one statement that waits for nobody. If two nodes add heads that follow the same one, the second node
//! adds nothing and looks again.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::month::IDENTITY_BYTES;
use meterhouse_journal::tree_head::{PublicKey, SignedHead, TreeHead};
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::links::LIST_MAX;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::signed_heads::TreeChain;
use crate::sql::statement::Statement;
use crate::sql::witness::{
    ADD_WITNESS_KEY, ADD_WITNESSED_HEAD, NEWEST_WITNESSED, SET_POSITION, WITNESS_CHAINS,
    WITNESS_KEYS, WITNESSED_HEADS, WITNESSED_NEAR,
};
use crate::store::Store;

/// Maximum number of heads in one page.
pub const WITNESSED_MAX: usize = 500;
/// Maximum number of stored forks of one chain. A key's holder could sign any number.
const FORKS_MAX: usize = 1_000;

/// A head of another house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessedHead {
    /// Head with its signature.
    pub signed: SignedHead,
    /// `true` if it contradicts another head.
    pub is_fork: bool,
    /// Server time of the deposit.
    pub at: Timestamp,
}

/// The stored heads that a head is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessedNear {
    /// Number of the chain's newest head; 0 without one.
    pub newest: u64,
    /// Heads of the same number, and those of the number before.
    pub heads: Vec<WitnessedHead>,
}

/// The place of a head in the list of all.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WitnessCursor {
    /// Identity of the house's database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Link, or the house's chain.
    pub link: LinkId,
    /// Number of the head.
    pub number: u64,
    /// Hash of the head.
    pub hash: [u8; HASH_BYTES],
}

impl WitnessCursor {
    /// Returns the place before all heads.
    pub const fn start() -> Self {
        Self {
            identity: [0; IDENTITY_BYTES],
            link: LinkId(-1),
            number: 0,
            hash: [0; HASH_BYTES],
        }
    }

    /// Returns the place of a head.
    pub fn of(head: &TreeHead) -> Self {
        Self {
            identity: head.identity,
            link: head.link,
            number: head.number,
            hash: head.hash(),
        }
    }
}

/// A chain of this house with signed heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessChain {
    /// Chain.
    pub chain: TreeChain,
    /// Number of its newest head.
    pub newest: u64,
    /// Number of the newest head that the witness has; 0 without one.
    pub sent: u64,
}

impl Store {
    /// Returns the keys of another house that are known here.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn witness_keys(
        &self,
        identity: &[u8; IDENTITY_BYTES],
    ) -> Result<Vec<PublicKey>, StoreError> {
        let query = sqlx::query(WITNESS_KEYS.sql).bind(identity.to_vec());
        let rows = self.inner.rows(WITNESS_KEYS, query).await?;
        let key = |row: &PgRow| {
            let row = RowReader::new(WITNESS_KEYS, "witness_key", row);
            row.hash("public_key").map(PublicKey)
        };
        rows.iter().map(key).collect()
    }

    /// Adds a key of another house. Returns `false` if it is known, or nobody vouches for it and the house has a key.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn add_witness_key(
        &self,
        identity: &[u8; IDENTITY_BYTES],
        key: PublicKey,
        vouched_by: Option<PublicKey>,
        (at, actor): (Timestamp, ActorId),
    ) -> Result<bool, StoreError> {
        let add = sqlx::query(ADD_WITNESS_KEY.sql)
            .bind(identity.to_vec())
            .bind(key.0.to_vec())
            .bind(vouched_by.map(|by| by.0.to_vec()))
            .bind(at.0)
            .bind(actor.0);
        Ok(self.inner.run(ADD_WITNESS_KEY, add).await? == 1)
    }

    /// Returns what a head is compared with.
    ///
    /// # Errors
    /// If a query fails.
    pub async fn witnessed_near(&self, head: &TreeHead) -> Result<WitnessedNear, StoreError> {
        let query = sqlx::query(WITNESSED_NEAR.sql)
            .bind(head.identity.to_vec())
            .bind(head.link.0)
            .bind(to_bigint(head.number));
        let rows = self.inner.rows(WITNESSED_NEAR, query).await?;
        let heads = rows.iter().map(|row| witnessed(WITNESSED_NEAR, row));
        let heads = heads.collect::<Result<Vec<_>, _>>()?;
        let query = sqlx::query(NEWEST_WITNESSED.sql)
            .bind(head.identity.to_vec())
            .bind(head.link.0);
        let newest = self.inner.row(NEWEST_WITNESSED, query).await?;
        let number = |row| {
            RowReader::new(NEWEST_WITNESSED, "witness_head", row).number::<u64, i64>("number")
        };
        Ok(WitnessedNear {
            newest: newest.as_ref().map_or(Ok(0), number)?,
            heads,
        })
    }

    /// Adds a head of another house. Returns `false` if it is there, if another one follows the same head, or if it is one
    /// fork too many.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn add_witnessed_head(
        &self,
        signed: &SignedHead,
        is_fork: bool,
        (at, actor): (Timestamp, ActorId),
    ) -> Result<bool, StoreError> {
        let head = &signed.head;
        let add = sqlx::query(ADD_WITNESSED_HEAD.sql)
            .bind(head.identity.to_vec())
            .bind(head.link.0)
            .bind(to_bigint(head.number))
            .bind(head.hash().to_vec())
            .bind(head.previous.to_vec())
            .bind(head.bytes())
            .bind(signed.key.0.to_vec())
            .bind(signed.signature.to_vec())
            .bind(is_fork)
            .bind(at.0)
            .bind(actor.0)
            .bind(bounded(FORKS_MAX, FORKS_MAX));
        Ok(self.inner.run(ADD_WITNESSED_HEAD, add).await? == 1)
    }

    /// Returns at most [`WITNESSED_MAX`] heads after a place, of one house or of all.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn witnessed_heads(
        &self,
        of: Option<[u8; IDENTITY_BYTES]>,
        after: &WitnessCursor,
        limit: usize,
    ) -> Result<Vec<WitnessedHead>, StoreError> {
        let query = sqlx::query(WITNESSED_HEADS.sql)
            .bind(after.identity.to_vec())
            .bind(after.link.0)
            .bind(to_bigint(after.number))
            .bind(after.hash.to_vec())
            .bind(of.map(|identity| identity.to_vec()))
            .bind(bounded(limit, WITNESSED_MAX));
        let rows = self.inner.rows(WITNESSED_HEADS, query).await?;
        let head = |row| witnessed(WITNESSED_HEADS, row);
        rows.iter().map(head).collect()
    }

    /// Returns at most [`LIST_MAX`] chains of this house after one that have signed heads, with the position of a witness.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn witness_chains(
        &self,
        witness: &str,
        after: LinkId,
    ) -> Result<Vec<WitnessChain>, StoreError> {
        let query = sqlx::query(WITNESS_CHAINS.sql)
            .bind(witness)
            .bind(after.0)
            .bind(bounded(LIST_MAX, LIST_MAX));
        let rows = self.inner.rows(WITNESS_CHAINS, query).await?;
        let chain = |row: &PgRow| {
            let row = RowReader::new(WITNESS_CHAINS, "signed_head", row);
            Ok(WitnessChain {
                chain: TreeChain {
                    identity: row.array("identity")?,
                    link: LinkId(row.get("link_id")?),
                    name: row.get("name")?,
                },
                newest: row.number::<u64, i64>("newest")?,
                sent: row.number::<u64, i64>("sent")?,
            })
        };
        rows.iter().map(chain).collect()
    }

    /// Sets the number of the newest head of a chain that a witness has. It is lowered only if the witness lacks heads.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn set_witness_position(
        &self,
        witness: &str,
        link: LinkId,
        number: u64,
        is_lowered: bool,
    ) -> Result<(), StoreError> {
        let set = sqlx::query(SET_POSITION.sql)
            .bind(witness)
            .bind(link.0)
            .bind(to_bigint(number))
            .bind(is_lowered);
        self.inner.run(SET_POSITION, set).await.map(drop)
    }
}

fn witnessed(statement: Statement, row: &PgRow) -> Result<WitnessedHead, StoreError> {
    let row = RowReader::new(statement, "witness_head", row);
    let bytes: &[u8] = row.get("head")?;
    let head = TreeHead::from_bytes(bytes).map_err(|_| StoreError::Inconsistent {
        table: "witness_head",
        column: "head",
    })?;
    Ok(WitnessedHead {
        signed: SignedHead {
            head,
            key: PublicKey(row.hash("public_key")?),
            signature: row.array("signature")?,
        },
        is_fork: row.get("is_fork")?,
        at: Timestamp(row.get("at")?),
    })
}
