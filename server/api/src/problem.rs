//! The body of an error response: RFC 9457.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem as RFC 9457 defines it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Type: `urn:meterhouse:problem:` and the code.
    #[serde(rename = "type")]
    #[schema(examples("urn:meterhouse:problem:sequence_gap"))]
    pub kind: String,
    /// Title: the same for every problem of this code.
    #[schema(examples("A command is missing"))]
    pub title: String,
    /// Status of the response.
    #[schema(minimum = 400, maximum = 599, examples(409))]
    pub status: u16,
    /// Stable code, for programs.
    #[schema(pattern = "^[a-z0-9_]+$", examples("sequence_gap"))]
    pub code: String,
    /// Description and remedy, for people.
    pub detail: String,
    /// Names of fields and their values, as text.
    pub fields: BTreeMap<String, String>,
}
