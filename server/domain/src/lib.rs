//! The rules of a linked progressive jackpot: plain functions of values.
//!
//! A link is a deterministic state machine. [`decide`](decide::decide) returns the event that a command causes;
//! [`apply`](apply::apply) applies the event to the state. Replaying a journal through `apply` gives the same state,
//! bit for bit. No function waits, reads a clock, draws a number or accesses storage. The words are those of the
//! field; each rule names its clause of 58 Pa. Code ch. 657a or its worked figure.

pub mod adopted;
pub mod apply;
pub mod card;
pub mod change;
pub mod charging;
pub mod command;
pub mod decide;
pub mod difference;
pub mod draw;
pub mod entries;
pub mod event;
pub mod fixed;
pub mod hand;
mod hand_formation;
pub mod hit_name;
pub mod ids;
pub mod lifetime;
pub mod link;
pub mod meter_path;
pub mod money;
pub mod paytable;
pub mod presentation;
pub mod rate;
pub mod recorded_hit;
pub mod refusal;
pub mod repeat;
pub mod returns;
pub mod round_wagers;
pub mod seat;
pub mod state;
pub mod theme;

/// The version of the rules that a batch was decided under. Raise it with every change of the results of `decide`:
/// replay then applies older batches without deciding them again.
pub const RULE_VERSION: u16 = 8;
