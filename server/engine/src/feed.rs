//! The feed of a link: meters and notable events for displays and for tables' streams.

pub mod audience;
pub mod channel;
pub(crate) mod displayed_status;
pub mod feed_pass;
pub mod feeds;
pub mod follower;
pub mod group;
pub mod item;
pub mod listener;
pub(crate) mod notable_events;
pub(crate) mod presented;
pub mod subscription;
pub mod writes;
