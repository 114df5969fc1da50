//! A cut cable, and a royal in the round that was locked before.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join;
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

/// The table locks a round, and its cable is cut. The royal that lies there is keyed all the same: the controller keeps
/// it, with the time at which it was pressed. The server takes the table for lost; once the cable is mended, the
/// controller goes on where it left off.
pub(super) async fn cut(table: &mut TableSeat, scene: &Scene<'_>) -> Result<(), SimulatorError> {
    let Some(locked) = table.lock(scene.round, scene.script).await? else {
        return Ok(());
    };
    let name = table.controller.name().to_owned();
    let world = Arc::clone(table.controller.world());
    let faults = table.controller.faults().clone();
    let alone = world.level_alone.lock().await;
    let rounds = read(&world.books.rounds);
    let silent = Instant::now();
    faults.cut();
    let outage = async {
        until_lost(&world, &name).await?;
        faults.mend();
        let elsewhere = read(&world.books.rounds) - rounds;
        add(&world.books.tables_lost, 1);
        Ok((silent.elapsed(), elsewhere))
    };
    let showing = table.show(scene.round, scene.script, &locked);
    let ((waited, elsewhere), hits) = try_join(outage, showing).await?;
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
