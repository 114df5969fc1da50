//! Renders signed heads and the paths of their trees.

use meterhouse_api::proof::{ProofConsistency, ProofHead, ProofInclusion};
use meterhouse_api::text::Text;
use meterhouse_engine::signing::proof::{ConsistencyView, InclusionView};
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::SignedHead;

/// Renders a signed head.
pub(crate) fn head(signed: &SignedHead) -> ProofHead {
    let head = &signed.head;
    ProofHead {
        number: head.number,
        batch: head.batch,
        chain_hash: head.chain_hash.to_string(),
        root: head.root.to_string(),
        signed_at: Text(head.at),
        bytes: hex::encode(head.bytes()),
        public_key: signed.key.to_string(),
        signature: hex::encode(signed.signature),
    }
}

/// Renders the path from a batch or entry.
pub(crate) fn inclusion(view: &InclusionView) -> ProofInclusion {
    ProofInclusion {
        batch: view.batch,
        chain_hash: view.chain_hash.to_string(),
        path: path(&view.path),
    }
}

/// Renders the path from an older head.
pub(crate) fn consistency(view: &ConsistencyView) -> ProofConsistency {
    ProofConsistency {
        since: head(&view.since),
        path: path(&view.path),
    }
}

/// Renders a path.
pub(crate) fn path(hashes: &[TreeHash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}
