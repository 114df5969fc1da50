//! Incidents of a shift, as the tables and people of the house play them.
//!
//! # What bounds it
//! An incident takes one round of one felt, the resettled pair one of two. Every wait for others has the limit of
//! [`WAIT_MAX`](crate::limits::WAIT_MAX); what doesn't come by then ends the run.
//!
//! # What order holds
//! Those whose hit would change another one's amount hold [`World::level_alone`](crate::world::World) from the hit
//! until it is paid.

mod cable;
mod change;
mod pair;
mod scene;
mod switches;

use crate::error::SimulatorError;
use crate::shift::Incident;
use crate::table_seat::TableSeat;

pub(crate) use pair::{Loan, borrowed, resettled_pair};
pub(crate) use scene::Scene;

/// Plays the round of an incident at the table that it happens to.
pub(crate) async fn play(
    incident: Incident,
    table: &mut TableSeat,
    scene: &Scene<'_>,
) -> Result<(), SimulatorError> {
    match incident {
        Incident::CutCable => cable::cut(table, scene).await,
        Incident::Miscount => miscount(table, scene).await,
        Incident::Switches => switches::switch(table, scene).await,
        Incident::LateHit => change::late_hit(table, scene).await,
        Incident::Adjustment => change::adjustment(table, scene).await,
        Incident::Correction => change::correction(table, scene).await,
        // Without its other table it is a round like any other.
        Incident::Mistake | Incident::Resettled => table.play(scene.round, scene.script).await,
    }
}

/// The chips are one fewer than the wagers: the round is void.
async fn miscount(table: &mut TableSeat, scene: &Scene<'_>) -> Result<(), SimulatorError> {
    let script = scene.script.miscounted();
    table.play(scene.round, &script).await?;
    let name = table.controller.name();
    let (counted, accepted) = (script.count.unwrap_or_default(), script.wagers.len());
    let what = format!("{name} counted {counted} chips for {accepted} wagers: void");
    table.world().note(scene.number, &what);
    Ok(())
}
