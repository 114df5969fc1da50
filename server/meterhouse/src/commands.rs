//! The commands, one file each.

pub(crate) mod archive;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod export;
mod fixed_returns;
pub(crate) mod key;
pub(crate) mod load;
pub(crate) mod man_pages;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod paytable;
pub(crate) mod policy;
pub(crate) mod ready;
pub(crate) mod returns;
pub(crate) mod serve;
pub(crate) mod settle;
pub(crate) mod token;
pub(crate) mod user;
pub(crate) mod verify;
pub(crate) mod verify_evidence;
pub(crate) mod verify_file;
pub(crate) mod version;
