//! What a table has had counted: whatever is refused has to leave it as it was.

use meterhouse_tests::{Caller, House};
use serde_json::Value;

/// What a table and its link have come to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    /// The last number that was used up.
    pub(crate) last_sequence: Value,
    /// The newest batch.
    pub(crate) batch: Value,
    /// What the signs show.
    pub(crate) levels: Value,
    /// The books of every level.
    pub(crate) books: Value,
    /// The open round with its hits.
    pub(crate) round: Value,
}

/// Reads it as an auditor would.
pub(crate) struct Counter {
    auditor: Caller,
    table: String,
}

impl Counter {
    pub(crate) async fn of(house: &House, table: &str) -> Self {
        Self {
            auditor: house.person("aud", "auditor").await,
            table: table.to_owned(),
        }
    }

    pub(crate) async fn now(&self) -> Counted {
        let table = self
            .auditor
            .get(&format!("/v1/tables/{}", self.table))
            .await
            .is(200);
        let link = table.text("link");
        let meters = self
            .auditor
            .get(&format!("/v1/links/{link}/meters"))
            .await
            .is(200);
        let books = self
            .auditor
            .get(&format!("/v1/links/{link}/reconciliation"))
            .await
            .is(200);
        Counted {
            last_sequence: table["last_sequence"].clone(),
            batch: meters["batch"].clone(),
            levels: meters["levels"].clone(),
            books: books["levels"].clone(),
            round: table["round"].clone(),
        }
    }
}
