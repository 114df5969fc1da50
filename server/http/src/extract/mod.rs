//! Arguments of handlers, read so that every error is a problem: path, query, body, upgrade.

mod body;
mod loose;
mod object;
mod path;
mod query;
mod upgrade;

pub use body::BODY_BYTES_MAX;
pub(crate) use body::JsonBody;
#[cfg(test)]
pub(crate) use body::parse;
pub use loose::LIST_MAX;
pub(crate) use loose::{Loose, bounded};
pub(crate) use object::Object;
pub(crate) use path::{HitOf, LinkOf, PayoutOf, PaytableOf, SequenceOf, TableOf};
pub(crate) use query::Query;
pub use query::{HITS_PAGE_MAX, JOURNAL_PAGE_MAX, PAGE_DEFAULT};
pub(crate) use upgrade::Upgrade;
