//! Signed heads and paths of hash trees as texts.

use meterhouse_api::proof::ProofHead;
use meterhouse_api::text::Text;
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::SignedHead;

/// Returns a signed head.
pub(crate) fn proof_head(signed: &SignedHead) -> ProofHead {
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

/// Returns the hashes of a path.
pub(crate) fn path(hashes: &[TreeHash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}
