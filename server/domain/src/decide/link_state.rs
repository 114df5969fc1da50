//! States of a link and its levels and tables: suspended, disabled, lost, faulted (`rules` §1, §4).
//!
//! What is so already is done already, whoever asks and for whatever reason: the first reason stays.

use crate::command::PersonCommand;
use crate::event::Event;
use crate::name::TableNo;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Table};

use super::{Decision, Stop};

/// Suspending, resuming, disabling, enabling, losing and finding tables, faulting.
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
            (known_table(state, *table)?.lost.is_some(), event)
        }
        PersonCommand::ResumeTable { table } => {
            let found = known_table(state, *table)?.lost.is_none();
            (found, Event::TableBack { table: *table })
        }
        PersonCommand::FaultLink { reason } => {
            let reason = reason.clone();
            (state.fault.is_some(), Event::LinkFaulted { reason })
        }
        PersonCommand::JoinTable(_)
        | PersonCommand::ValidateHit { .. }
        | PersonCommand::RejectHit { .. }
        | PersonCommand::PayPayout { .. }
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

/// The level, if the paytable has it.
fn known_level(state: &LinkState, level: u8) -> Result<u8, Stop> {
    let levels = state.terms.content().levels.len();
    if usize::from(level) < levels {
        return Ok(level);
    }
    Err(Refusal::new(RefusalCode::NoSuchLevel)
        .with("level", level)
        .with("levels", levels)
        .into())
}

/// The table. Only the server itself names one, and it knows its tables.
fn known_table(state: &LinkState, table: TableNo) -> Result<&Table, Stop> {
    let found = state.table(table);
    found.ok_or(Stop::Broken("an unknown table was lost or found"))
}
