//! The links that are loaded in this process.

pub(crate) mod last_seen;
pub(crate) mod link_registry;
pub(crate) mod loaded;
pub(crate) mod loading;
