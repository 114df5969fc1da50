//! The incidents of a run, as tables and staff play them.
//!
//! # Limits
//! An incident takes one round of one physical table. A resettled pair takes a round of two. Every wait has the limit
//! [`WAIT_MAX`](crate::limits::WAIT_MAX). A wait beyond the limit ends the run.
//!
//! # Order
//! An incident whose hit would change another hit's amount holds
//! [`RunContext::level_lock`](crate::context::RunContext) from the hit until its payment.

mod partition;
mod resettled_pair;
mod round;
mod suspension;
mod two_person;

use crate::error::SimulatorError;
use crate::incident_schedule::Incident;
use crate::simulated_table::SimulatedTable;

pub(crate) use resettled_pair::{TableLoan, receive_loan, resettled_pair};
pub(crate) use round::IncidentRound;

/// Plays the round of an incident at its table.
pub(crate) async fn play(
    incident: Incident,
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    match incident {
        Incident::NetworkPartition => partition::play(table, round).await,
        Incident::Miscount => miscount(table, round).await,
        Incident::Suspension => suspension::play(table, round).await,
        Incident::LateHit => two_person::late_hit(table, round).await,
        Incident::Adjustment => two_person::adjustment(table, round).await,
        Incident::Correction => two_person::correction(table, round).await,
        // Without its second table, the pair is a usual round.
        Incident::MistakenHit | Incident::ResettledHit => {
            table.play(round.round, round.script).await
        }
    }
}

/// Plays a round in which one chip too few is counted. The round is void.
async fn miscount(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let script = round.script.miscounted();
    table.play(round.round, &script).await?;
    let name = table.controller.name();
    let (counted, accepted) = (script.count.unwrap_or_default(), script.wagers.len());
    let what = format!("{name} counted {counted} chips for {accepted} wagers: void");
    table.context().report_incident(round.number, &what);
    Ok(())
}
