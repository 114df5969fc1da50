//! A library for makers of table controllers. The README below lists its guarantees.
//!
//! # Shape
//! [`Controller::send`] passes a command to the outbox's thread. The thread writes the command to the disk (`outbox`),
//! adds it to the commands in flight (`in_flight`) and replies. The session (`session`) sends the commands in flight
//! over one stream after another, and adds their outcomes. [`Receipt`] and [`Outcomes`] return the outcomes.
//!
//! # Limits
//! [`OUTBOX_COMMANDS_MAX`] commands in the outbox and in flight. The server's window limits those on the stream.
//!
//! # Order
//! A command is durable, then its caller gets a receipt, then the command is sent. An outcome arrives, is taken, and
//! then its command is deleted from the outbox.
#![doc = include_str!("../README.md")]

mod command;
mod controller;
mod decisions;
mod error;
mod in_flight;
mod limits;
mod money;
mod not_a_value;
mod outbox;
mod outbox_writer;
mod outcome;
mod receipt;
mod round;
mod round_wagers;
mod session;
mod status;
mod values;
mod wire_words;

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
pub use crate::limits::{LIST_MAX, OUTBOX_COMMANDS_MAX};
pub use crate::money::Money;
pub use crate::not_a_value::NotAValue;
pub use crate::outcome::{
    ChargedTo, CoinInDone, Effect, HandedOver, HitDone, HitKind, HitState, JournalPosition,
    Outcome, Payout, PayoutKind, Taken,
};
pub use crate::receipt::{Outcomes, Receipt};
pub use crate::round::{Round, RoundHit, RoundPayout};
pub use crate::round_wagers::{
    FixedWager, Jurisdiction, LimitReading, LinePaid, RoundSettlement, RoundWagers, SeatEnd,
    SeatWagers, SettledSeat, SettledWager, TableTerms, WagerResult,
};
pub use tonic::transport::{Certificate, ClientTlsConfig, Identity};

pub use crate::status::{LinkState, Offline, Online, Standing, Status, Statuses, TableState};
pub use crate::values::{
    Badge, BonusKind, CARDS_MAX, Card, Cards, Hand, HitName, PaytableId, PlayerName, Seat,
    Sequence, TableName, VoidReason,
};
