//! What a maker of table controllers embeds; the README below says what it promises.
//!
//! # Shape
//! [`Controller::send`] gives a command to the outbox's thread, which writes it to the disk (`outbox`), lays it on the
//! board (`board`) and answers. The session (`session`) sends what lies there over one stream after another and lays
//! the outcomes beside it. Whoever waits takes them from there.
//!
//! # What bounds it
//! [`KEPT_MAX`] commands in the outbox, on the board and, as far as the server's window lets them, on the stream.
//!
//! # What order holds
//! Durable, then told to the caller, then sent; told by the server, then taken, then forgotten.
#![doc = include_str!("../README.md")]

mod board;
mod command;
mod controller;
mod decisions;
mod error;
mod kept;
mod limits;
mod money;
mod not_a_value;
mod outbox;
mod outbox_writer;
mod outcome;
mod round;
mod session;
mod status;
mod values;
mod words;

pub mod blocking;
pub mod table_stream;

pub use crate::command::{
    Bonus, CancelHit, Close, CoinIn, Command, Count, Envy, Fold, Hit, Holder, Settle, Void, Wager,
};
pub use crate::controller::{Controller, Options};
pub use crate::decisions::Decisions;
pub use crate::error::{
    DecisionError, OpenError, OutboxError, OutcomeError, SendError, Stopped, TooLong, Unreadable,
};
pub use crate::kept::{Kept, Outcomes};
pub use crate::limits::{KEPT_MAX, LIST_MAX};
pub use crate::money::Money;
pub use crate::not_a_value::NotAValue;
pub use crate::outcome::{
    ChargedTo, CoinInDone, Effect, HandedOver, HitDone, HitKind, HitState, Outcome, Payout,
    PayoutKind, Place, Taken,
};
pub use crate::round::{Round, RoundHit, RoundPayout};
pub use crate::status::{LinkState, Offline, Online, Standing, Status, Statuses, TableState};
pub use crate::values::{
    Badge, BonusKind, CARDS_MAX, Card, Cards, Hand, HitName, PlayerName, Seat, Sequence, TableName,
    VoidReason,
};
