//! Signed heads of the chains: reading and adding them, and the leaves and nodes that their trees are made of.
//!
//! # Limits
//! One page holds at most [`HEADS_MAX`] heads or [`LEAVES_MAX`] leaves or nodes.
//!
//! # Order and locking
//! The nodes that a tree completes are added before its head. Each is one statement that waits for nobody. If two
//! processes add a head with the same number, one of them adds nothing.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::month::IDENTITY_BYTES;
use meterhouse_journal::tree::{NodePlace, TreeHash};
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead, TreeHead};
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::signed_head::{
    ADD_HEAD, ADD_NODES, ALL_NODES, BATCH_BEFORE, CHAIN, ENTRY_BEFORE, HEAD, HEADS, HOUSE_LEAVES,
    LEAVES, NEWEST_HEAD, NODES,
};
use crate::sql::statement::Statement;
use crate::store::Store;

/// Maximum number of heads in one page.
pub const HEADS_MAX: usize = 1_000;
/// Maximum number of leaves in one page.
pub const LEAVES_MAX: usize = 10_000;
/// Lowest level of the nodes that are stored: those over 256 leaves.
pub const STORED_LEVEL: u8 = 8;

/// A chain that heads are about: a link's, or the house's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeChain {
    /// Identity of the database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Link, or [`HOUSE`].
    pub link: LinkId,
    /// Name of the link; empty for the house.
    pub name: String,
}

/// The nodes that a growing tree completed, with their hashes.
pub type TreeNodes = Vec<(NodePlace, TreeHash)>;

impl Store {
    /// Returns a link's chain, or the house's. Returns nothing if there is no such link.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn tree_chain(&self, link: LinkId) -> Result<Option<TreeChain>, StoreError> {
        let query = sqlx::query(CHAIN.sql).bind(link.0);
        let row = self.inner.row(CHAIN, query).await?;
        let row = row.ok_or(StoreError::Inconsistent {
            table: "database_identity",
            column: "identity",
        })?;
        let row = RowReader::new(CHAIN, "database_identity", &row);
        let identity = row.array("identity")?;
        let name: Option<String> = row.get("name")?;
        let is_house = link == HOUSE;
        let name = name.or_else(|| is_house.then(String::new));
        Ok(name.map(|name| TreeChain {
            identity,
            link,
            name,
        }))
    }

    /// Returns at most [`HEADS_MAX`] heads of a chain after a number, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn signed_heads(
        &self,
        chain: &TreeChain,
        after: u64,
    ) -> Result<Vec<SignedHead>, StoreError> {
        let query = sqlx::query(HEADS.sql)
            .bind(chain.link.0)
            .bind(to_bigint(after))
            .bind(bounded(HEADS_MAX, HEADS_MAX));
        let rows = self.inner.rows(HEADS, query).await?;
        rows.iter().map(|row| head(HEADS, chain, row)).collect()
    }

    /// Returns the newest head of a chain.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn newest_signed_head(
        &self,
        chain: &TreeChain,
    ) -> Result<Option<SignedHead>, StoreError> {
        let query = sqlx::query(NEWEST_HEAD.sql).bind(chain.link.0);
        let row = self.inner.row(NEWEST_HEAD, query).await?;
        row.map(|row| head(NEWEST_HEAD, chain, &row)).transpose()
    }

    /// Returns the head of a chain with a number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn signed_head(
        &self,
        chain: &TreeChain,
        number: u64,
    ) -> Result<Option<SignedHead>, StoreError> {
        let query = sqlx::query(HEAD.sql)
            .bind(chain.link.0)
            .bind(to_bigint(number));
        let row = self.inner.row(HEAD, query).await?;
        row.map(|row| head(HEAD, chain, &row)).transpose()
    }

    /// Returns at most `limit` chain hashes behind a batch, each with its number, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn leaves(
        &self,
        link: LinkId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, ChainHash)>, StoreError> {
        let (statement, query) = if link == HOUSE {
            (HOUSE_LEAVES, sqlx::query(HOUSE_LEAVES.sql))
        } else {
            (LEAVES, sqlx::query(LEAVES.sql).bind(link.0))
        };
        let query = query
            .bind(to_bigint(after))
            .bind(bounded(limit, LEAVES_MAX));
        let rows = self.inner.rows(statement, query).await?;
        let leaf = |row: &PgRow| {
            let row = RowReader::new(statement, "batch", row);
            let number = row.number::<u64, i64>("batch")?;
            Ok((number, ChainHash(row.hash("chain_hash")?)))
        };
        rows.iter().map(leaf).collect()
    }

    /// Returns the number of a chain's last batch before a moment; 0 without one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn batch_before(&self, link: LinkId, moment: Timestamp) -> Result<u64, StoreError> {
        let (statement, query) = if link == HOUSE {
            (ENTRY_BEFORE, sqlx::query(ENTRY_BEFORE.sql))
        } else {
            (BATCH_BEFORE, sqlx::query(BATCH_BEFORE.sql).bind(link.0))
        };
        let row = self.inner.row(statement, query.bind(moment.0)).await?;
        let number = |row| RowReader::new(statement, "batch", row).number::<u64, i64>("batch");
        row.as_ref().map_or(Ok(0), number)
    }

    /// Returns the stored nodes of a chain's tree among these places. A place without a node is left out.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn tree_nodes(
        &self,
        link: LinkId,
        places: &[NodePlace],
    ) -> Result<TreeNodes, StoreError> {
        let (levels, positions) = columns(places.iter().copied());
        let query = sqlx::query(NODES.sql)
            .bind(link.0)
            .bind(levels)
            .bind(positions);
        let rows = self.inner.rows(NODES, query).await?;
        rows.iter().map(|row| node(NODES, row)).collect()
    }

    /// Returns at most [`LEAVES_MAX`] stored nodes of a chain's tree after one, in the order of their places.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn all_tree_nodes(
        &self,
        link: LinkId,
        after: Option<NodePlace>,
    ) -> Result<TreeNodes, StoreError> {
        let (level, position) = match after {
            Some(after) => (i16::from(after.level), to_bigint(after.position)),
            None => (0, 0),
        };
        let query = sqlx::query(ALL_NODES.sql)
            .bind(link.0)
            .bind(level)
            .bind(position)
            .bind(bounded(LEAVES_MAX, LEAVES_MAX));
        let rows = self.inner.rows(ALL_NODES, query).await?;
        rows.iter().map(|row| node(ALL_NODES, row)).collect()
    }

    /// Adds nodes of a chain's tree, unless they are there.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn add_tree_nodes(&self, link: LinkId, nodes: &TreeNodes) -> Result<(), StoreError> {
        if nodes.is_empty() {
            return Ok(());
        }
        let (levels, positions) = columns(nodes.iter().map(|(place, _)| *place));
        let hashes: Vec<Vec<u8>> = nodes.iter().map(|(_, hash)| hash.0.to_vec()).collect();
        let add = sqlx::query(ADD_NODES.sql)
            .bind(link.0)
            .bind(levels)
            .bind(positions)
            .bind(hashes);
        self.inner.run(ADD_NODES, add).await.map(drop)
    }

    /// Adds a head. Returns `false` if another node has added one with the same number.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn add_signed_head(&self, signed: &SignedHead) -> Result<bool, StoreError> {
        let head = &signed.head;
        let add = sqlx::query(ADD_HEAD.sql)
            .bind(head.link.0)
            .bind(to_bigint(head.number))
            .bind(to_bigint(head.batch))
            .bind(head.chain_hash.0.to_vec())
            .bind(head.root.0.to_vec())
            .bind(head.at.0)
            .bind(head.previous.to_vec())
            .bind(signed.key.0.to_vec())
            .bind(signed.signature.to_vec());
        Ok(self.inner.run(ADD_HEAD, add).await? == 1)
    }
}

fn node(statement: Statement, row: &PgRow) -> Result<(NodePlace, TreeHash), StoreError> {
    let row = RowReader::new(statement, "tree_node", row);
    let place = NodePlace {
        level: row.number::<u8, i16>("level")?,
        position: row.number::<u64, i64>("position")?,
    };
    Ok((place, TreeHash(row.hash("hash")?)))
}

fn columns(places: impl Iterator<Item = NodePlace>) -> (Vec<i16>, Vec<i64>) {
    let column = |place: NodePlace| (i16::from(place.level), to_bigint(place.position));
    places.map(column).unzip()
}

fn head(statement: Statement, chain: &TreeChain, row: &PgRow) -> Result<SignedHead, StoreError> {
    let row = RowReader::new(statement, "signed_head", row);
    Ok(SignedHead {
        head: TreeHead {
            identity: chain.identity,
            link: chain.link,
            name: chain.name.clone(),
            number: row.number::<u64, i64>("number")?,
            previous: row.hash("previous")?,
            batch: row.number::<u64, i64>("batch")?,
            chain_hash: ChainHash(row.hash("chain_hash")?),
            root: TreeHash(row.hash("root")?),
            at: Timestamp(row.get("at")?),
        },
        key: PublicKey(row.hash("public_key")?),
        signature: row.array("signature")?,
    })
}
