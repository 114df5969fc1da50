//! The incident of a network partition, with a royal flush in the round that was locked before.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join;
use meterhouse_api::table::TablePage;
use meterhouse_api::words::TableState;
use tokio::time::{Instant, sleep};

use super::round::IncidentRound;
use crate::context::RunContext;
use crate::counters::{add, read};
use crate::error::SimulatorError;
use crate::limits::WAIT_MAX;
use crate::simulated_table::SimulatedTable;
use crate::supervisor::fetch_hit;

/// Pause between two polls of the table's state.
const POLL_PAUSE: Duration = Duration::from_millis(50);

/// Partitions the network of a table with a locked round, and keys a royal flush meanwhile.
///
/// The controller keeps the command, with the time at which its button was pressed. The server marks the table lost.
/// After the partition the controller sends the command.
pub(super) async fn play(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let Some(locked) = table.lock_bets(round.round, round.script).await? else {
        return Ok(());
    };
    let name = table.controller.name().to_owned();
    let context = Arc::clone(table.controller.context());
    let faults = table.controller.faults().clone();
    let level_lock = context.level_lock.lock().await;
    let rounds_before = read(&context.counters.rounds);
    let partitioned = Instant::now();
    faults.partition();
    let outage = async {
        wait_until_lost(&context, &name).await?;
        faults.heal();
        let other_rounds = read(&context.counters.rounds) - rounds_before;
        add(&context.counters.tables_lost, 1);
        Ok((partitioned.elapsed(), other_rounds))
    };
    let showing = table.show_hands(round.round, round.script, &locked);
    let ((waited, other_rounds), hits) = try_join(outage, showing).await?;
    drop(level_lock);
    let Some((seat, hit)) = round.staged_hit(&hits) else {
        return Ok(());
    };
    let due = fetch_hit(&context, hit).await?.hit.summary.due;
    let what = format!(
        "{name} lost for {}.{} s with a royal locked on seat {seat}; {other_rounds} rounds elsewhere meanwhile; \
         keyed late as {hit}, {due} paid",
        waited.as_secs(),
        waited.subsec_millis() / 100,
    );
    context.report_incident(round.number, &what);
    Ok(())
}

/// Waits until the server lists a table as lost.
async fn wait_until_lost(context: &RunContext, table: &str) -> Result<(), SimulatorError> {
    let started = Instant::now();
    let manager = &context.tokens.manager;
    loop {
        let page: TablePage = context.client.get(manager, "/v1/tables?limit=200").await?;
        let mut tables = page.tables.iter();
        let is_lost =
            tables.any(|listed| listed.table.as_str() == table && listed.state == TableState::Lost);
        if is_lost {
            return Ok(());
        }
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("{table} was not marked lost");
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(POLL_PAUSE).await;
    }
}
