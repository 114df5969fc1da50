//! Commands that are sent again after a cut: up to a window of them, which have their outcomes already.
//!
//! # What bounds it
//! [`REPEATS_MAX`] of a stream are looked up at a time. Of one link only so many may wait, and for so long, to be looked
//! up; one of too many is looked up again after a pause that doubles from [`REPEAT_PAUSE`] to [`REPEAT_PAUSE_MAX`], until
//! [`OUTCOME_WAIT_MAX`].

use std::sync::Arc;

use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, Denied};
use meterhouse_engine::operations::pipelined::AttachedTable;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::task::AbortOnDropHandle;

use super::limits::{OUTCOME_WAIT_MAX, REPEAT_PAUSE, REPEAT_PAUSE_MAX, REPEATS_MAX};
use super::tables::Read;

/// Looks up what was sent again.
#[derive(Clone)]
pub(super) struct Repeats {
    engine: Engine,
    room: Arc<Semaphore>,
}

impl Repeats {
    /// Of a stream that begins.
    pub(super) fn new(engine: Engine) -> Self {
        let room = Arc::new(Semaphore::new(REPEATS_MAX));
        Self { engine, room }
    }

    /// Looks a command's outcome up as soon as there is room.
    pub(super) async fn look_up(
        &self,
        table: AttachedTable,
        read: Read,
    ) -> AbortOnDropHandle<Result<Answer, Denied>> {
        let room = Arc::clone(&self.room).acquire_owned().await;
        let engine = self.engine.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            let _one_of_few = room;
            look_up(&engine, &table, &read).await
        }))
    }
}

async fn look_up(engine: &Engine, table: &AttachedTable, read: &Read) -> Result<Answer, Denied> {
    let until = Instant::now() + OUTCOME_WAIT_MAX;
    let mut pause = REPEAT_PAUSE;
    loop {
        let (sender, command) = (read.sender.clone(), read.command.clone());
        let waiting = engine.hand_over(table, sender, read.sequence, command);
        match waiting.await?.await {
            Err(Denied::Busy) if Instant::now() < until => sleep(pause).await,
            answer => return answer,
        }
        pause = REPEAT_PAUSE_MAX.min(pause * 2);
    }
}
