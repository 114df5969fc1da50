//! Decisions: a command causes one event, a refusal, or nothing because it is done already.
//!
//! # Shape
//! [`decide`] reads the state, checks in a fixed order and returns an event that carries its results: one command, at
//! most one event. It changes nothing; [`apply`](crate::apply::apply) makes the changes.
//!
//! # Bounds
//! A layout has at most 15 seats. At most three hits stand on each hand of a round, the dealer's included: its rank,
//! the Magic Card, the Lucky Bonus. Undone hits stay in the round until it is closed. Withdrawing a hit walks the
//! later hits of its level, in open rounds and among the kept hits of closed rounds
//! ([`CLOSED_HITS_KEPT`](crate::state::CLOSED_HITS_KEPT)).
//!
//! # Faults
//! A sum that leaves its range or a balance that would fall below zero is [`Stop::Broken`]: the link is faulted and
//! nothing is adjusted.

mod adjust;
mod adopt;
mod badge;
mod balance;
mod bonus;
mod cards;
mod ceiling;
mod coin_in;
mod correct;
mod decision;
mod dry_run;
mod eligible;
mod held;
mod hit;
mod join;
mod late_hit;
mod link_state;
mod open;
mod open_round;
mod payouts;
mod people;
mod proposal;
mod resettle;
mod round;
mod settle;
mod turn;
mod undo;
mod values;
mod wagers;

pub use decision::{Decision, Inputs, Stop};
pub use dry_run::{DryRun, dry_run};
pub use open::open;

use crate::command::{Command, Envelope, TableCommand};
use crate::event::Event;
use crate::ids::{HitId, Sequence, TableNo};
use crate::state::{LinkState, Table};

/// The relation of a command's number to the last one that its table used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The next number.
    Next,
    /// A used number: the command is a repeat, or another one under an old number.
    Used,
    /// One or more numbers before it are missing.
    Gap {
        /// Number that has to come first.
        expected: Sequence,
    },
}

/// Compares `sequence` with the last number that this table used.
pub const fn fence(table: &Table, sequence: Sequence) -> Fence {
    let expected = Sequence(table.last_sequence.0 + 1);
    if sequence.0 < expected.0 {
        Fence::Used
    } else if sequence.0 == expected.0 {
        Fence::Next
    } else {
        Fence::Gap { expected }
    }
}

/// Decides a command in this state. The caller has checked that a table's number is the next one ([`Fence::Next`])
/// and that the link is not faulted.
///
/// # Errors
/// [`Stop::Refused`] if the rules refuse the command, [`Stop::Broken`] if the rules themselves fail.
pub fn decide(state: &LinkState, envelope: &Envelope, inputs: &Inputs) -> Result<Decision, Stop> {
    match &envelope.command {
        Command::Table {
            table,
            sequence,
            command,
        } => {
            let found = state
                .table(*table)
                .ok_or(Stop::Broken("a command of an unknown table"))?;
            let event = decide_table(state, found, *table, *sequence, command, inputs)?;
            badge::named(state, envelope, &event)?;
            Ok(Decision::Event(event))
        }
        Command::Person(command) => people::decide_person(state, envelope, command, inputs),
    }
}

fn decide_table(
    state: &LinkState,
    table: &Table,
    number: TableNo,
    sequence: Sequence,
    command: &TableCommand,
    inputs: &Inputs,
) -> Result<Event, Stop> {
    match command {
        TableCommand::CoinIn(coin_in) => coin_in::coin_in(state, table, coin_in, inputs),
        TableCommand::Count { chips } => round::count(table, *chips),
        TableCommand::Fold { seats } => round::fold(table, seats),
        TableCommand::Hit(command) => hit::hit(state, table, command),
        TableCommand::Envy { seat, hand, cards } => {
            hit::envy(state, table, *seat, *hand, cards.as_deref())
        }
        TableCommand::Bonus(command) => bonus::bonus(state, table, command),
        TableCommand::Settle(command) => settle::settle(state, table, number, sequence, command),
        TableCommand::SettleWagers(command) => {
            wagers::settle_wagers(state, table, number, sequence, command)
        }
        TableCommand::CancelHit { hit, number: nth } => {
            let id = HitId {
                table: number,
                sequence: *hit,
                number: *nth,
            };
            undo::cancel(state, table, sequence, id)
        }
        TableCommand::Close => round::close(state, table, number),
        TableCommand::Void { reason } => undo::void(state, table, number, *reason),
    }
}
