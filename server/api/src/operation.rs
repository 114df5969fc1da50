//! The server itself: health, readiness and refused attempts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{LinkName, TableName, Time};
use crate::words::{AttemptKind, CheckStatus, HealthStatus, ReadinessStatus};

/// The liveness of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Status.
    pub status: HealthStatus,
}

/// The readiness of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// True if the server can do its work, degraded or not.
    pub ready: bool,
    /// Status: the worst check's.
    pub status: ReadinessStatus,
    /// Purpose of the database: `casino`, `demo` or `load`; null if it can't be queried. Play money is never in a casino's
    /// database.
    #[schema(examples("casino"))]
    pub purpose: Option<String>,
    /// Checks.
    pub checks: Vec<ReadinessCheck>,
}

/// A check of the readiness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadinessCheck {
    /// Name.
    #[schema(examples("database"))]
    pub name: String,
    /// True if all is well.
    pub ok: bool,
    /// Status.
    pub status: CheckStatus,
    /// Result as a sentence.
    pub detail: String,
}

/// A page of refused attempts, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AttemptPage {
    /// Attempts.
    pub attempts: Vec<Attempt>,
    /// True if older ones follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// A refused attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    /// Number.
    #[schema(minimum = 1)]
    pub attempt: u64,
    /// Time, by the clock of the node that refused it.
    pub at: Time,
    /// Kind.
    pub kind: AttemptKind,
    /// Name of the token's holder.
    pub actor: Option<String>,
    /// Link.
    pub link: LinkName,
    /// Table, if the attempt is about one.
    pub table: Option<TableName>,
    /// Number that was used, if the attempt has one.
    pub sequence: Option<u64>,
    /// Node that refused it.
    pub node: String,
    /// Differences; empty for a command.
    pub detail: String,
    /// Number of attempts of the same kind at the same table or link directly before this one, without entries of their
    /// own.
    pub suppressed: u64,
}
