//! The tasks that an engine runs beside its commands.

pub(crate) mod expiry;
pub(crate) mod liveness;
pub(crate) mod tasks;
