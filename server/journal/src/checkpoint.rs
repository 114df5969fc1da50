//! Checkpoints: the sums of a link's batches up to one of them, as bytes in a hash chain of their own.
//!
//! # Order
//! Each hash covers the hash of the checkpoint before and the chain hash of its batch.

use meterhouse_domain::ids::LinkId;
use sha2::{Digest as _, Sha256};

use crate::batch::ChainHash;
use crate::codec::Writer;

/// Version byte at the beginning of a checkpoint's bytes.
pub const CHECKPOINT_VERSION: u8 = 1;

/// The sums of a link's batches, from the first one up to one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Link whose batches are summed.
    pub link: LinkId,
    /// Checkpoint number on the link, from 1 without gaps.
    pub number: u64,
    /// Number of the last batch in the sums.
    pub batch: u64,
    /// Chain hash of the batch [`batch`](Self::batch).
    pub chain_hash: ChainHash,
    /// Sum of all deltas for each account, in micro-dollars: book b, account a is at 8 × b + a.
    pub sums: Vec<i64>,
}

impl Checkpoint {
    /// Returns SHA-256 over the hash of the checkpoint before ([`ChainHash::GENESIS`] for the first) and this one.
    pub fn hash(&self, previous: ChainHash) -> ChainHash {
        let Self {
            link,
            number,
            batch,
            chain_hash,
            sums,
        } = self;
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.u8(CHECKPOINT_VERSION);
        out.i32(link.0);
        out.u64(*number);
        out.u64(*batch);
        out.fixed(&chain_hash.0);
        out.list(sums);
        let hasher = Sha256::new_with_prefix(previous.0).chain_update(bytes);
        ChainHash(hasher.finalize().into())
    }
}
