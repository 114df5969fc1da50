//! Arguments of handlers, read so that every error is a problem: path, query, body, upgrade.

mod body;
mod loose;
mod object;
mod path;
mod query;
mod upgrade;

pub use body::BODY_BYTES_MAX;
#[cfg(test)]
pub(crate) use body::parse;
pub(crate) use body::{JsonBody, OptionalBody};
pub(crate) use loose::Loose;
pub use meterhouse_edge::value::LIST_MAX;
pub(crate) use meterhouse_edge::value::bounded;
pub(crate) use object::{Members, Object};
pub(crate) use path::{
    GameOf, HitOf, LevelOf, LinkOf, PayoutOf, PaytableOf, ProposalOf, SequenceOf, TableOf,
};
pub use query::{HITS_PAGE_MAX, JOURNAL_PAGE_MAX, LAST_HITS, PAGE_DEFAULT};
pub(crate) use query::{LIST_PAGE_MAX, Query};
pub(crate) use upgrade::Upgrade;
