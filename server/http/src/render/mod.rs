//! How values look in an answer: what several operations share.

mod change;
mod command;
mod entry;
mod event;
mod facts;
mod hit;
mod keyed;
mod level;
mod moves;
mod names;
mod scalar;

pub(crate) use change::{ChangeView, EffectNow, ResettledHit};
pub(crate) use entry::JournalView;
pub(crate) use hit::{HitDetail, HitPage, PayoutView};
pub(crate) use keyed::{Drawn, HitKeyed, card_texts, listed};
pub(crate) use level::LevelAmount;
pub(crate) use names::Names;
pub(crate) use scalar::{Amount, At};
