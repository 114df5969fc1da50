//! The record of refused attachments: who tried which table, and from where.

use std::net::IpAddr;

use meterhouse_edge::wire_error::WireError;
use meterhouse_engine::Engine;
use meterhouse_engine::access::By;
use meterhouse_engine::tokens::Caller;

/// Maximum length of a table's name that is recorded, in characters.
const TABLE_MAX: usize = 64;

/// Records that a token or a right refused to attach a table. Other errors are not about who asks.
pub(super) async fn record(
    engine: &Engine,
    (caller, address): (Option<&Caller>, Option<IpAddr>),
    table: &str,
    error: &WireError,
) {
    let WireError::Edge(error) = error else {
        return;
    };
    let by = By {
        actor: caller.map(|caller| caller.person.actor),
        name: caller.map(|caller| caller.person.name.to_string()),
        proof: if caller.is_some() { "token" } else { "" },
        address: address.map(|address| address.to_string()),
        details: vec![("code".to_owned(), error.code.code().to_owned())],
    };
    let shown = table.chars().filter(|character| !character.is_control());
    let table: String = shown.take(TABLE_MAX).collect();
    let act = by.act("refused", Some(&format!("attach table {table}")));
    if let Err(error) = engine.access().record_refusal(act).await {
        tracing::error!(%error, "a refused attachment can't be recorded");
    }
}
