//! Signed heads of other houses: how they are deposited with a witness, and how the witness shows them.
//!
//! Section 12 of JOURNAL has the same form as a line of a witness's file.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::{List, objects};
use crate::values::{LinkName, Time};

/// A signed head of another house. All fields are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct DepositHeadRequest {
    /// Signed bytes: section 11 of JOURNAL says what they are.
    #[schema(pattern = "^([0-9a-f]{2})+$")]
    pub bytes: String,
    /// Ed25519 public key.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub public_key: String,
    /// Ed25519 signature over the bytes.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub signature: String,
    /// Words of earlier keys for later ones, the earliest first. They lead from a key that the witness knows to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<KeyVouch>>, max_items = 64)]
    pub vouches: Option<List<KeyVouch>>,
}

/// The word of an earlier signing key for a later one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct KeyVouch {
    /// Later public key.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub public_key: String,
    /// Time of its introduction, which the signature covers.
    pub introduced_at: Time,
    /// Earlier public key.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub by: String,
    /// Signature of the earlier key: section 9 of JOURNAL says over which bytes.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub signature: String,
}

/// A head that a witness keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WitnessedHead {
    /// Identity of the house's database.
    pub database: String,
    /// Name of the link; null for the house's chain.
    pub link: Option<LinkName>,
    /// Number of the head on its chain.
    pub number: u64,
    /// Newest batch, or entry of the house's chain, that it covers.
    pub batch: u64,
    /// House's time of the signature.
    pub signed_at: Time,
    /// True if it contradicts another head: the house signed two histories.
    pub fork: bool,
    /// Signed bytes: section 11 of JOURNAL says what they are.
    pub bytes: String,
    /// Ed25519 public key.
    pub public_key: String,
    /// Ed25519 signature over the bytes.
    pub signature: String,
}

/// A page of the heads that a witness keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WitnessedHeadPage {
    /// Heads by house, chain and number.
    pub heads: Vec<WitnessedHead>,
    /// True if there are more.
    pub more: bool,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

objects! { DepositHeadRequest KeyVouch }
