//! Commands that a client repeats after a lost connection: up to a window of them, which already
//! have outcomes.
//!
//! # Limits
//! At most [`REPEATS_MAX`] commands of a stream are looked up concurrently. The engine limits the
//! waiting lookups of one link. A lookup over that limit is retried after a pause that doubles from
//! [`REPEAT_PAUSE`] to [`REPEAT_PAUSE_MAX`], until [`OUTCOME_WAIT_MAX`].

use std::sync::Arc;

use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::operations::pipelined::AttachedTable;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::task::AbortOnDropHandle;

use super::limits::{OUTCOME_WAIT_MAX, REPEAT_PAUSE, REPEAT_PAUSE_MAX, REPEATS_MAX};
use super::tables::Read;

/// The lookups of repeated commands.
#[derive(Clone)]
pub(super) struct Repeats {
    engine: Engine,
    lookups: Arc<Semaphore>,
}

impl Repeats {
    /// Creates the lookups of a new stream.
    pub(super) fn new(engine: Engine) -> Self {
        let lookups = Arc::new(Semaphore::new(REPEATS_MAX));
        Self { engine, lookups }
    }

    /// Looks up a command's outcome when fewer than [`REPEATS_MAX`] lookups run.
    pub(super) async fn look_up(
        &self,
        table: AttachedTable,
        read: Read,
    ) -> AbortOnDropHandle<Result<Answer, NotExecuted>> {
        let permit = Arc::clone(&self.lookups).acquire_owned().await;
        let engine = self.engine.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            let _one_of_few = permit;
            look_up(&engine, &table, &read).await
        }))
    }
}

async fn look_up(
    engine: &Engine,
    table: &AttachedTable,
    read: &Read,
) -> Result<Answer, NotExecuted> {
    let until = Instant::now() + OUTCOME_WAIT_MAX;
    let mut pause = REPEAT_PAUSE;
    loop {
        let (sender, command) = (read.sender.clone(), read.command.clone());
        let mut arrival = engine.arrival();
        let waiting = arrival.hand_over(table, sender, read.sequence, command);
        match waiting.await?.arrived(engine).await {
            Err(NotExecuted::Busy) if Instant::now() < until => sleep(pause).await,
            answer => return answer,
        }
        pause = REPEAT_PAUSE_MAX.min(pause * 2);
    }
}
