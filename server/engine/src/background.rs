//! The tasks that an engine runs beside its commands.

pub(crate) mod attempt_writer;
pub(crate) mod expiry;
pub(crate) mod integrity_check;
pub(crate) mod liveness;
pub(crate) mod partitions;
pub(crate) mod tasks;
