//! The proof of a bundle: batches and entries, each with its way to a signed head.

use meterhouse_domain::hit_name::HitName;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::house::HouseEntry;
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::SignedHead;

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

impl EvidenceProof {
    /// Returns a batch of the proof.
    pub(super) fn batch(&self, number: u64) -> Option<&Batch> {
        let mut batches = self.batches.iter().map(|proven| &proven.batch);
        batches.find(|batch| batch.number == number)
    }
}
