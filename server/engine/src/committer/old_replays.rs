//! Replays of old commands, whose outcomes have left memory: looked up in the journal, concurrently with the committer.
//!
//! # Shape
//! A queue and a task that looks up one replay after another. With a command, the batches that follow it in the journal
//! are read, and their outcomes are kept. Replays come in the order of the commands, and those of a link's tables come
//! together.
//!
//! # Limits
//! At most [`WAITING_MAX`] replays wait. A replay above the limit, or after a wait of [`QUEUE_WAIT_MAX`], is denied as
//! busy. One replay is looked up at a time, because all links share the reading connections. [`WINDOWS_MAX`] windows of
//! the journal are kept, of [`FOUND_EVENTS_MAX`](meterhouse_store::FOUND_EVENTS_MAX) events each, until no replay came
//! for [`KEPT_FOR`].
//!
//! # Order
//! None: the outcome of a replay is already decided and durable.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use meterhouse_domain::command::Command;
use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{FoundCommand, Journal, StoreError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::answer::{Answer, NotExecuted, Outcome};
use crate::committer::published_state::StateAt;
use crate::committer::replay::outcomes_of;
use crate::committer::request::{CommandRequest, CommandResult, QUEUE_WAIT_MAX};
use crate::error_chain::ErrorChain;

/// Maximum number of old replays of a link that wait.
const WAITING_MAX: usize = 1_024;

/// Windows of the journal whose outcomes are kept: some megabytes.
const WINDOWS_MAX: usize = 8;
/// Time without a replay after which the outcomes are freed.
const KEPT_FOR: Duration = Duration::from_secs(10);

/// The outcomes of a window of the journal, by command.
type OutcomeWindow = HashMap<(TableNo, Sequence), Outcome>;

/// A command whose sequence number was used up long ago.
pub(crate) struct OldReplay {
    pub(crate) table: TableNo,
    pub(crate) sequence: Sequence,
    pub(crate) request: CommandRequest,
    /// The link's state as of the batch in which the replay was recognised.
    pub(crate) state: StateAt,
}

/// The queue of old replays of a link.
#[derive(Clone)]
pub(crate) struct OldReplayQueue(mpsc::Sender<OldReplay>);

impl OldReplayQueue {
    /// Queues a replay, or denies it if too many wait.
    pub(crate) fn look_up(&self, replay: OldReplay) {
        if let Err(refused) = self.0.try_send(replay) {
            let request = refused.into_inner().request;
            drop(request.reply.send(Err(NotExecuted::Busy)));
        }
    }
}

/// The task that looks up old replays, and its queue.
pub(crate) struct OldReplays {
    queue: OldReplayQueue,
    task: JoinHandle<()>,
}

impl OldReplays {
    pub(crate) fn start<J: Journal>(journal: J) -> Self {
        let (queue, replays) = mpsc::channel(WAITING_MAX);
        Self {
            queue: OldReplayQueue(queue),
            task: tokio::spawn(serve(journal, replays)),
        }
    }

    pub(crate) fn queue(&self) -> OldReplayQueue {
        self.queue.clone()
    }

    /// Waits until all queued replays are answered.
    pub(crate) async fn finish(self) {
        drop(self.queue);
        drop(self.task.await);
    }
}

async fn serve<J: Journal>(mut journal: J, mut replays: mpsc::Receiver<OldReplay>) {
    let mut windows = VecDeque::with_capacity(WINDOWS_MAX);
    loop {
        let replay = match timeout(KEPT_FOR, replays.recv()).await {
            Ok(Some(replay)) => replay,
            Ok(None) => return,
            Err(_) => {
                windows.clear();
                continue;
            }
        };
        let OldReplay {
            table,
            sequence,
            request,
            state,
        } = replay;
        let CommandRequest {
            envelope,
            received,
            reply,
            ..
        } = request;
        if reply.is_closed() {
            continue;
        }
        let found = if Instant::now().duration_since(received) > QUEUE_WAIT_MAX {
            Err(NotExecuted::Busy)
        } else {
            let key = (table, sequence);
            let command = &envelope.command;
            find(&mut journal, &mut windows, &state.state, key, command).await
        };
        let result = found.map(|outcome| {
            CommandResult::Answer(Answer {
                outcome,
                replayed: true,
                link: state.state,
                as_of: state.batch,
            })
        });
        // A caller that disconnected gets no reply.
        drop(reply.send(result));
    }
}

/// Returns the outcome of a command, from memory or from the journal.
async fn find<J: Journal>(
    journal: &mut J,
    windows: &mut VecDeque<OutcomeWindow>,
    state: &LinkState,
    key: (TableNo, Sequence),
    command: &Command,
) -> Result<Outcome, NotExecuted> {
    let kept = windows.iter().find_map(|window| window.get(&key));
    let outcome = match kept {
        Some(outcome) => outcome.clone(),
        None => read(journal, windows, state, key).await?,
    };
    let same = match command {
        Command::Table { command, .. } => is_repeat(&state.terms, &outcome.recorded.event, command),
        Command::Person(_) => false,
    };
    if same {
        Ok(outcome)
    } else {
        Err(NotExecuted::SequenceReused)
    }
}

/// Reads the window of the journal that begins with a command, and keeps it.
async fn read<J: Journal>(
    journal: &mut J,
    windows: &mut VecDeque<OutcomeWindow>,
    state: &LinkState,
    key: (TableNo, Sequence),
) -> Result<Outcome, NotExecuted> {
    let (table, sequence) = key;
    let found = journal.find(table.0, sequence.0).await.map_err(|error| {
        if let StoreError::Archived(end) = &error {
            let month = end.month.to_string();
            return NotExecuted::SequenceArchived { month };
        }
        tracing::warn!(error = %ErrorChain(&error), "an old command can't be looked up");
        NotExecuted::by_store(&error)
    })?;
    let missing = || {
        let sequence = sequence.0;
        let reason = format!("command {sequence} of table {table} is not in the journal");
        tracing::error!(reason, "the journal is damaged");
        NotExecuted::LinkFaulted { reason }
    };
    let found = found.ok_or_else(missing)?;
    let window = window_of(state, &found).map_err(|reason| NotExecuted::LinkFaulted { reason })?;
    let outcome = window.get(&key).cloned().ok_or_else(missing)?;
    windows.truncate(WINDOWS_MAX - 1);
    windows.push_front(window);
    Ok(outcome)
}

/// Returns the outcomes of tables' commands in these batches. Only the first batch has to be readable.
fn window_of(state: &LinkState, found: &FoundCommand) -> Result<OutcomeWindow, String> {
    let mut window = OutcomeWindow::new();
    for stored in &found.batches {
        let outcomes = match outcomes_of(state, stored) {
            Ok(outcomes) => outcomes,
            Err(reason) if window.is_empty() => return Err(reason),
            Err(_) => break,
        };
        for outcome in outcomes {
            if let Origin::Table { table, sequence } = outcome.recorded.origin {
                window.insert((table, sequence), outcome);
            }
        }
    }
    Ok(window)
}
