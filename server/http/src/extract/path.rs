//! What a path names: one argument a part.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{
    GameName, LevelName, LinkName, PaytableId, ProposalId, Sequence, TableName,
};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, shown};
use meterhouse_edge::wire_error::EdgeError;

use crate::problem::Failure;

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $part:literal $read:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) $inner);

        impl<S: Send + Sync> FromRequestParts<S> for $name {
            type Rejection = Failure;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
                let params = RawPathParams::from_request_parts(parts, state).await;
                let params = params.map_err(|_| not_a_text())?;
                let text = params.iter().find(|(name, _)| *name == $part).map(|(_, text)| text);
                let read: fn(&str, &str) -> Result<$inner, EdgeError> = $read;
                Ok(Self(read($part, text.unwrap_or_default())?))
            }
        }
    )+};
}

parts! {
    /// A table.
    TableOf(TableName) = "table" value::name;
    /// A link.
    LinkOf(LinkName) = "link" value::name;
    /// A level.
    LevelOf(LevelName) = "level" value::name;
    /// A proposal.
    ProposalOf(ProposalId) = "proposal" value::proposal;
    /// A paytable.
    PaytableOf(PaytableId) = "paytable" value::name;
    /// A game.
    GameOf(GameName) = "game" value::name;
    /// The number of a command.
    SequenceOf(Sequence) = "sequence" value::sequence;
    /// A hit.
    HitOf(HitName) = "hit" value::hit;
    /// The number of a payout, from 1.
    PayoutOf(u32) = "payout" payout;
}

fn payout(field: &str, text: &str) -> Result<u32, EdgeError> {
    let number = value::sequence(field, text)
        .ok()
        .and_then(|it| u32::try_from(it.0).ok());
    number.ok_or_else(|| {
        let detail = "a payout is its number from the answer to the hit, from 1";
        EdgeError::because(EdgeCode::InvalidSequence, detail).with(field, shown(text))
    })
}

fn not_a_text() -> EdgeError {
    EdgeError::because(EdgeCode::InvalidName, "a name in the path is not UTF-8")
}
