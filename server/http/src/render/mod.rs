//! How values look in an answer: what several operations share.

mod command;
mod entry;
mod event;
mod hit;
mod level;
mod names;
mod scalar;

pub(crate) use entry::JournalView;
pub(crate) use hit::{HitDetail, HitPage, PayoutView, hit_due, hit_hand, split_due};
pub(crate) use level::LevelAmount;
pub(crate) use names::Names;
pub(crate) use scalar::{Amount, At};
