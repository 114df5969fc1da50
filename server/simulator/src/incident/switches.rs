//! A level that is off and on, a link that stands still and goes on, between two rounds.

use std::sync::Arc;

use super::scene::Scene;
use crate::error::SimulatorError;
use crate::office;
use crate::table_seat::TableSeat;

/// The manager switches the last level off and on, suspends and resumes the link; meanwhile bets are refused.
pub(super) async fn switch(table: &mut TableSeat, scene: &Scene<'_>) -> Result<(), SimulatorError> {
    let Some(plan) = table.link_plan() else {
        return Ok(());
    };
    let link = plan.link.clone();
    let level = plan.levels.last().map(|it| it.name.clone());
    let level = level.unwrap_or_default();
    let world = Arc::clone(table.controller.world());
    office::disable(&world, &link, &level, "sign of the level dark").await?;
    let off = table.refused_coin_in(scene.round, scene.script).await?;
    office::enable(&world, &link, &level).await?;
    office::suspend(&world, &link, "shift change").await?;
    let still = table.refused_coin_in(scene.round, scene.script).await?;
    office::resume(&world, &link).await?;
    table.play(scene.round, scene.script).await?;
    let name = table.controller.name();
    let what = format!(
        "{level} disabled and enabled, {link} suspended and resumed; {name} was told {off} and {still}"
    );
    world.note(scene.number, &what);
    Ok(())
}
