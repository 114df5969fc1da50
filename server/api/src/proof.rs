//! The proofs of links and of the house's chain: signed heads and the paths of its hash tree.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{LinkName, Time};

/// The newest signed head of a link, with the paths that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Proof {
    /// Link.
    pub link: LinkName,
    /// Newest batch of the link. Batches behind the head are not signed yet.
    pub batch: u64,
    /// Newest signed head; null if nothing was signed yet.
    pub head: Option<ProofHead>,
    /// Path from the batch in the parameter `batch` to the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusion: Option<ProofInclusion>,
    /// Path from the head in the parameter `since` to the newest head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<ProofConsistency>,
}

/// The newest signed head of the house's chain, with the paths that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HouseProof {
    /// Newest entry of the chain. Entries behind the head are not signed yet.
    pub entry: u64,
    /// Newest signed head; null if nothing was signed yet.
    pub head: Option<ProofHead>,
    /// Path from the entry in the parameter `entry` to the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusion: Option<ProofInclusion>,
    /// Path from the head in the parameter `since` to the newest head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<ProofConsistency>,
}

/// A signed head. Hashes, keys and signatures are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofHead {
    /// Number of the head on its chain, from 1 without gaps.
    pub number: u64,
    /// Newest batch, or entry of the house's chain, that it covers, which is the size of the tree.
    pub batch: u64,
    /// Hash of that batch or entry in its chain.
    pub chain_hash: String,
    /// Root of the tree over all of them up to it.
    pub root: String,
    /// Server time of the signature.
    pub signed_at: Time,
    /// Signed bytes: section 11 of JOURNAL says what they are.
    pub bytes: String,
    /// Ed25519 public key.
    pub public_key: String,
    /// Ed25519 signature over the bytes.
    pub signature: String,
}

/// The path from a batch or entry to the root of the newest head: RFC 9162, section 2.1.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofInclusion {
    /// Batch, or entry of the house's chain.
    pub batch: u64,
    /// Its chain hash: SHA-256 of the hash before and of its bytes.
    pub chain_hash: String,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<String>,
}

/// The path from an older head to the newest one: RFC 9162, section 2.1.4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofConsistency {
    /// Older head.
    pub since: ProofHead,
    /// Hashes from which both roots are made.
    pub path: Vec<String>,
}
