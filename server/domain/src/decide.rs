//! What a command causes: one event, a refusal, or nothing because it is done already.
//!
//! # Shape
//! [`decide`] reads the state, checks in a fixed order and answers an event that carries its results: one
//! command, at most one event. It changes nothing: [`apply`](crate::apply::apply) does.
//!
//! # What bounds it
//! A layout has at most 15 seats. On each hand of a round, the dealer's among them, at most three hits stand: its rank,
//! the Magic Card, the Lucky Bonus; what was undone stays beside them until the round is closed. Withdrawing a hit walks
//! the later ones of its level, those of open rounds and those that are kept of closed ones
//! ([`CLOSED_HITS_KEPT`](crate::state::CLOSED_HITS_KEPT)).
//!
//! # What can stop it
//! A sum that leaves its range or a balance that would fall below zero is [`Stop::Broken`]: the link is
//! faulted, never patched up.

mod adjust;
mod badge;
mod balance;
mod bonus;
mod cards;
mod ceiling;
mod coin_in;
mod correct;
mod decision;
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

pub use decision::{Decision, Inputs, Stop};
pub use open::open;

use crate::command::{Command, Envelope, TableCommand};
use crate::event::Event;
use crate::ids::{HitId, Sequence, TableNo};
use crate::state::{LinkState, Table};

/// Where a table's number stands to the last one used up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fence {
    /// It is the next one.
    Next,
    /// It was used up before: the command is a repeat, or another one under an old number.
    Used,
    /// One or more numbers before it are missing.
    Gap {
        /// The number that has to come first.
        expected: Sequence,
    },
}

/// Where `sequence` stands at this table.
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

/// What the command causes in this state. A table's number must be the next one ([`Fence::Next`]) and the
/// link not faulted; the caller has seen to both.
///
/// # Errors
/// [`Stop::Refused`] where the rules say no, [`Stop::Broken`] where they themselves broke.
pub fn decide(state: &LinkState, envelope: &Envelope, inputs: &Inputs) -> Result<Decision, Stop> {
    match &envelope.command {
        Command::Table {
            table,
            sequence,
            command,
        } => {
            let felt = state
                .table(*table)
                .ok_or(Stop::Broken("a command of an unknown table"))?;
            let event = decide_table(state, felt, *table, *sequence, command, inputs)?;
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
