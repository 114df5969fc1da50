//! States of a link and its levels and tables: suspended, disabled, lost, faulted (RULES §1.6, §4.6).
//!
//! A state that already holds is already done, for every person and reason: the first reason stays.

use crate::command::PersonCommand;
use crate::event::Event;
use crate::ids::TableNo;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Table};

use super::decision::{Decision, Stop};
use super::undo::named;

/// Decides suspending, resuming, disabling, enabling, losing and finding tables, leaving, and faulting.
pub(super) fn decide_state(state: &LinkState, command: &PersonCommand) -> Result<Decision, Stop> {
    let (is_so, event) = match command {
        PersonCommand::SuspendLink { reason } => {
            let reason = reason.clone();
            (state.suspended.is_some(), Event::LinkSuspended { reason })
        }
        PersonCommand::ResumeLink => (state.suspended.is_none(), Event::LinkResumed),
        PersonCommand::DisableLevel { level, reason } => {
            let (level, reason) = (known_level(state, *level)?, reason.clone());
            let event = Event::LevelDisabled { level, reason };
            (state.is_disabled(level), event)
        }
        PersonCommand::EnableLevel { level } => {
            let level = known_level(state, *level)?;
            (!state.is_disabled(level), Event::LevelEnabled { level })
        }
        PersonCommand::LoseTable {
            table,
            heard_at,
            must_resume,
        } => {
            let event = Event::TableLost {
                table: *table,
                heard_at: *heard_at,
                must_resume: *must_resume,
            };
            let known = known_table(state, *table)?;
            (known.lost.is_some() || known.left, event)
        }
        PersonCommand::ResumeTable { table } => {
            let found = known_table(state, *table)?.lost.is_none();
            (found, Event::TableBack { table: *table })
        }
        PersonCommand::DisableTable { table, reason } => {
            let event = Event::TableDisabled {
                table: *table,
                reason: reason.clone(),
            };
            (present_table(state, *table)?.disabled.is_some(), event)
        }
        PersonCommand::EnableTable { table } => {
            let is_enabled = present_table(state, *table)?.disabled.is_none();
            (is_enabled, Event::TableEnabled { table: *table })
        }
        PersonCommand::LeaveLink { table, reason } => {
            let event = Event::TableLeft {
                table: *table,
                reason: reason.clone(),
            };
            (has_left(state, *table)?, event)
        }
        PersonCommand::FaultLink { reason } => {
            let reason = reason.clone();
            (state.fault.is_some(), Event::LinkFaulted { reason })
        }
        PersonCommand::JoinTable(_)
        | PersonCommand::ValidateHit { .. }
        | PersonCommand::RejectHit { .. }
        | PersonCommand::PayPayout { .. }
        | PersonCommand::AcceptValues { .. }
        | PersonCommand::Propose(_)
        | PersonCommand::Approve { .. }
        | PersonCommand::Decline { .. } => return Err(Stop::Broken("no command about a state")),
    };
    if is_so {
        Ok(Decision::AlreadyDone)
    } else {
        Ok(Decision::Event(event))
    }
}

/// Returns the level, if the paytable has it.
pub(super) fn known_level(state: &LinkState, level: u8) -> Result<u8, Stop> {
    let levels = state.terms.content().levels.len();
    if usize::from(level) < levels {
        return Ok(level);
    }
    Err(Refusal::new(RefusalCode::NoSuchLevel)
        .with("level", level)
        .with("levels", levels)
        .into())
}

/// Returns the table. The engine resolves its name, so an unknown number is no input of a person.
fn known_table(state: &LinkState, table: TableNo) -> Result<&Table, Stop> {
    let found = state.table(table);
    found.ok_or(Stop::Broken("a command about an unknown table"))
}

/// Returns the table, unless it left the link.
fn present_table(state: &LinkState, table: TableNo) -> Result<&Table, Stop> {
    let known = known_table(state, table)?;
    if known.left {
        let refusal = Refusal::new(RefusalCode::TableLeft);
        return Err(refusal.with("table", &known.name).into());
    }
    Ok(known)
}

/// Checks that a table may leave its link: no round is open there, and none of its hits is unpaid (RULES §4.1).
/// Returns true if it left before.
fn has_left(state: &LinkState, table: TableNo) -> Result<bool, Stop> {
    let known = known_table(state, table)?;
    if let Some(round) = &known.round {
        let refusal = Refusal::new(RefusalCode::RoundOpen);
        return Err(refusal.with("round", round.sequence).into());
    }
    let of_table = state
        .closed
        .iter()
        .filter(|closed| closed.id.table == table);
    let unpaid = of_table.filter(|closed| !closed.hit.is_paid());
    let names: Vec<String> = unpaid.map(|closed| named(state, closed.id)).collect();
    if !known.left && !names.is_empty() {
        let refusal = Refusal::new(RefusalCode::HitUnsettled);
        return Err(refusal.with("hits", names.join(" ")).into());
    }
    Ok(known.left)
}
