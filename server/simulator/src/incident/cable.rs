//! A cut cable, and a royal in the round that was locked before.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::scene::Scene;
use crate::books::{add, read};
use crate::client::Request;
use crate::error::SimulatorError;
use crate::floor::look_up;
use crate::limits::WAIT_MAX;
use crate::table_seat::TableSeat;
use crate::wire::Tables;
use crate::world::World;

/// The pause between two looks whether the server misses the table.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// The table locks a round and falls silent until the server takes it for lost; then it goes on where it left off,
/// and the royal that lay there is keyed with the time at which it was seen.
pub(super) async fn cut(table: &mut TableSeat, scene: &Scene<'_>) -> Result<(), SimulatorError> {
    let Some(locked) = table.lock(scene.round, scene.script).await? else {
        return Ok(());
    };
    let name = table.controller.name().to_owned();
    let rounds = read(&table.world().books.rounds);
    let silent = Instant::now();
    table.world().cut(&name, true);
    until_lost(table.world(), &name).await?;
    table.world().cut(&name, false);
    table.controller.go_on().await?;
    let waited = silent.elapsed();
    let elsewhere = read(&table.world().books.rounds) - rounds;
    add(&table.world().books.tables_lost, 1);
    let world = Arc::clone(table.controller.world());
    let alone = world.level_alone.lock().await;
    table.controller.tell_time(Some(locked.at.clone()));
    let hits = table.show(scene.round, scene.script, &locked).await?;
    table.controller.tell_time(None);
    drop(alone);
    let Some((seat, hit)) = scene.staged_of(&hits) else {
        return Ok(());
    };
    let due = look_up(&world, hit).await?.due;
    let what = format!(
        "{name} lost for {}.{} s with a royal locked on seat {seat}; {elsewhere} rounds elsewhere meanwhile; \
         keyed late as {hit}, {due} paid",
        waited.as_secs(),
        waited.subsec_millis() / 100,
    );
    world.note(scene.number, &what);
    Ok(())
}

/// Waits until the server has missed a table.
async fn until_lost(world: &World, table: &str) -> Result<(), SimulatorError> {
    let started = Instant::now();
    let request = Request::get("/v1/tables?limit=200");
    loop {
        let reply = world.client.ask(&world.tokens.manager, &request).await?;
        let all: Tables = request.read(&reply, &[200])?;
        if all
            .tables
            .iter()
            .any(|it| it.table == table && it.is_lost())
        {
            return Ok(());
        }
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("nobody missed {table}");
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(LOOK_PAUSE).await;
    }
}
