//! Heartbeats: every table says about once a second that it is there, whatever its dealer is waiting for.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::client::Request;
use crate::error::SimulatorError;
use crate::stop::stopped;
use crate::wire::Table;
use crate::world::World;

/// How often a table says that it is there.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);

/// Beats for one table until the house closes; not while its cable is cut.
pub(crate) async fn beat(
    world: Arc<World>,
    table: String,
    mut closed: watch::Receiver<bool>,
) -> Result<(), SimulatorError> {
    let mut ticks = interval(HEARTBEAT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stopped(&mut closed) => return Ok(()),
        }
        if !world.is_cut(&table) {
            heartbeat(&world, &table).await?;
        }
    }
}

/// Says that a table is there; answers how it stands.
pub(crate) async fn heartbeat(world: &World, table: &str) -> Result<Table, SimulatorError> {
    let Some(token) = world.tokens.controllers.get(table) else {
        return Err(SimulatorError::NoToken {
            whom: format!("table {table:?}"),
        });
    };
    let request = Request::put(format!("/v1/tables/{table}/heartbeat"), "{}".to_owned());
    let reply = world.client.ask(token, &request).await?;
    request.read(&reply, &[200])
}
