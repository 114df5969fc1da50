//! The evidence of a hit: the batches that have its events, each with its way to a signed head, and what follows from them.
//!
//! # Shape
//! [`gather`] reads the batches, and [`derived`] makes everything that people read from them. The verifier has the batches
//! alone, and makes the same again. [`check`] compares the batches with the signatures.
//!
//! # Limits
//! 256 commands of the round, and [`HISTORY`] batches on either side of the hit.

pub mod check;
pub mod derived;
mod gather;
mod payoff;

use meterhouse_domain::hit_name::HitName;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::house::HouseEntry;
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::SignedHead;

use crate::view::PayoffView;

pub use self::payoff::{PayoffFigures, payoff_findings};

/// Number of batches on either side of the hit whose balances are shown.
pub const HISTORY: u64 = 8;

/// A batch with its way to the root of the link's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenBatch {
    /// Batch with its events.
    pub batch: Batch,
    /// Chain hash of the batch before.
    pub hash_before: ChainHash,
    /// Chain hash of the batch.
    pub chain_hash: ChainHash,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<TreeHash>,
}

/// An entry of the house's chain with its way to the root of the house's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenEntry {
    /// Entry.
    pub entry: HouseEntry,
    /// Hash of the entry before.
    pub hash_before: ChainHash,
    /// Hash of the entry.
    pub hash: ChainHash,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<TreeHash>,
}

/// The proof of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceProof {
    /// Hit.
    pub hit: HitName,
    /// Signed head of the link.
    pub head: SignedHead,
    /// Batches of the link, in their order.
    pub batches: Vec<ProvenBatch>,
    /// Signed head of the house's chain.
    pub house_head: SignedHead,
    /// Entries of the house's chain, in their order.
    pub entries: Vec<ProvenEntry>,
}

/// The evidence of a hit.
#[derive(Clone, Debug)]
pub struct EvidenceView {
    /// Batches and signatures.
    pub proof: EvidenceProof,
    /// What follows from them.
    pub derived: derived::Derived,
    /// Origin of the amount; `None` for a hit that took nothing from a level.
    pub payoff: Option<PayoffView>,
}
