//! From values of the engine to the types of the API, for what several operations share.

pub(crate) mod change;
pub(crate) mod event;
mod event_form;
pub(crate) mod evidence;
pub(crate) mod evidence_proof;
pub(crate) mod hit;
pub(crate) mod hit_detail;
pub(crate) mod names;
pub(crate) mod proof;
mod refused_command;
mod refused_wagers;
pub(crate) mod slip;
pub(crate) mod value;
