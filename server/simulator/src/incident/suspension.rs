//! The incident of a disabled level and a suspended link, between two rounds.

use std::sync::Arc;

use super::round::IncidentRound;
use crate::error::SimulatorError;
use crate::manager;
use crate::simulated_table::SimulatedTable;

/// Disables and enables the last level, then suspends and resumes the link. A coin-in in between is refused.
pub(super) async fn play(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let Some(plan) = table.link_plan() else {
        return Ok(());
    };
    let link = plan.link.clone();
    let level = plan.levels.last().map(|level| level.name.clone());
    let level = level.unwrap_or_default();
    let context = Arc::clone(table.controller.context());
    manager::disable_level(&context, &link, &level, "sign of the level dark").await?;
    let disabled_code = table.refused_coin_in(round.round, round.script).await?;
    manager::enable_level(&context, &link, &level).await?;
    manager::suspend(&context, &link, "shift change").await?;
    let suspended_code = table.refused_coin_in(round.round, round.script).await?;
    manager::resume(&context, &link).await?;
    table.play(round.round, round.script).await?;
    let name = table.controller.name();
    let what = format!(
        "{level} disabled and enabled, {link} suspended and resumed; {name} was refused with {disabled_code} and \
         {suspended_code}"
    );
    context.report_incident(round.number, &what);
    Ok(())
}
