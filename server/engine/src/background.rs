//! The background tasks of an engine.

pub(crate) mod attempt_writer;
pub(crate) mod expiry;
pub(crate) mod integrity_check;
pub(crate) mod liveness;
pub(crate) mod partitions;
pub(crate) mod tasks;
