//! Arguments of handlers, read so that every error is a problem: path, query, body, upgrade.

pub(crate) mod cursor;
pub(crate) mod date;
pub(crate) mod parameters;
pub(crate) mod paths;
pub(crate) mod period;
pub(crate) mod request;
pub(crate) mod upgrade;
