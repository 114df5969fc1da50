//! Old repeats of a link: commands whose outcomes left memory are looked up in the journal, beside the committer.
//!
//! # Shape
//! A queue and a task at its other end, which looks one after the other up. With a
//! command the journal's next batches are read, and their outcomes are kept: repeats come in the order of their
//! commands, those of a link's tables together.
//!
//! # What bounds it
//! [`WAITING_MAX`] wait; one of too many, or one that waited for [`QUEUE_WAIT_MAX`], hears "busy". One is looked up at a
//! time: the connections that read belong to all links. [`WINDOWS_MAX`] stretches of the journal are kept, of
//! [`FOUND_EVENTS_MAX`](meterhouse_store::FOUND_EVENTS_MAX) events each, until no repeat came for [`KEPT_FOR`].
//!
//! # Order
//! None: what a repeat hears was decided before, and is durable.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use meterhouse_domain::command::Command;
use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{FoundCommand, Journal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::answer::{Answer, Denied, Outcome};
use crate::committer::published_state::StateAt;
use crate::committer::replay::outcomes_of;
use crate::committer::request::{CommandRequest, CommandResult, QUEUE_WAIT_MAX};
use crate::error_chain::ErrorChain;

/// Old repeats of a link that may wait.
const WAITING_MAX: usize = 1_024;

/// Stretches of the journal whose outcomes are kept: some megabytes.
const WINDOWS_MAX: usize = 8;
/// Time without a repeat after which the outcomes are freed.
const KEPT_FOR: Duration = Duration::from_secs(10);

/// The outcomes of a stretch of the journal.
type Window = HashMap<(TableNo, Sequence), Outcome>;

/// A command whose number was used up long ago.
pub(crate) struct OldRepeat {
    pub(crate) table: TableNo,
    pub(crate) sequence: Sequence,
    pub(crate) request: CommandRequest,
    /// The link's state as of the batch that found the repeat.
    pub(crate) state: StateAt,
}

/// The queue of old repeats of a link.
#[derive(Clone)]
pub(crate) struct OldRepeatQueue(mpsc::Sender<OldRepeat>);

impl OldRepeatQueue {
    /// Has a repeat looked up, or denies it if too many wait.
    pub(crate) fn look_up(&self, repeat: OldRepeat) {
        if let Err(refused) = self.0.try_send(repeat) {
            let request = refused.into_inner().request;
            drop(request.reply.send(Err(Denied::Busy)));
        }
    }
}

/// The task that looks old repeats up, and its queue.
pub(crate) struct OldRepeats {
    queue: OldRepeatQueue,
    task: JoinHandle<()>,
}

impl OldRepeats {
    /// Starts the task.
    pub(crate) fn start<J: Journal>(journal: J) -> Self {
        let (queue, repeats) = mpsc::channel(WAITING_MAX);
        Self {
            queue: OldRepeatQueue(queue),
            task: tokio::spawn(serve(journal, repeats)),
        }
    }

    pub(crate) fn queue(&self) -> OldRepeatQueue {
        self.queue.clone()
    }

    /// Waits until all repeats in the queue are answered.
    pub(crate) async fn finish(self) {
        drop(self.queue);
        drop(self.task.await);
    }
}

async fn serve<J: Journal>(mut journal: J, mut repeats: mpsc::Receiver<OldRepeat>) {
    let mut windows = VecDeque::with_capacity(WINDOWS_MAX);
    loop {
        let repeat = match timeout(KEPT_FOR, repeats.recv()).await {
            Ok(Some(repeat)) => repeat,
            Ok(None) => return,
            Err(_) => {
                windows.clear();
                continue;
            }
        };
        let OldRepeat {
            table,
            sequence,
            request,
            state,
        } = repeat;
        let CommandRequest {
            envelope,
            received,
            reply,
        } = request;
        if reply.is_closed() {
            continue;
        }
        let found = if Instant::now().duration_since(received) > QUEUE_WAIT_MAX {
            Err(Denied::Busy)
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
        // A caller that hung up gets no reply.
        drop(reply.send(result));
    }
}

/// Its outcome, made again from the journal.
async fn find<J: Journal>(
    journal: &mut J,
    windows: &mut VecDeque<Window>,
    state: &LinkState,
    place: (TableNo, Sequence),
    command: &Command,
) -> Result<Outcome, Denied> {
    let kept = windows.iter().find_map(|window| window.get(&place));
    let outcome = match kept {
        Some(outcome) => outcome.clone(),
        None => read(journal, windows, state, place).await?,
    };
    let same = match command {
        Command::Table { command, .. } => is_repeat(&state.terms, &outcome.recorded.event, command),
        Command::Person(_) => false,
    };
    if same {
        Ok(outcome)
    } else {
        Err(Denied::SequenceReused)
    }
}

/// Reads a command's stretch of the journal, and keeps it.
async fn read<J: Journal>(
    journal: &mut J,
    windows: &mut VecDeque<Window>,
    state: &LinkState,
    place: (TableNo, Sequence),
) -> Result<Outcome, Denied> {
    let (table, sequence) = place;
    let found = journal.find(table.0, sequence.0).await.map_err(|error| {
        tracing::warn!(error = %ErrorChain(&error), "an old command can't be looked up");
        Denied::by_store(&error)
    })?;
    let missing = || {
        let sequence = sequence.0;
        let reason = format!("command {sequence} of table {table} is not in the journal");
        tracing::error!(reason, "the journal is damaged");
        Denied::LinkFaulted { reason }
    };
    let found = found.ok_or_else(missing)?;
    let window = window_of(state, &found).map_err(|reason| Denied::LinkFaulted { reason })?;
    let outcome = window.get(&place).cloned().ok_or_else(missing)?;
    windows.truncate(WINDOWS_MAX - 1);
    windows.push_front(window);
    Ok(outcome)
}

/// The outcomes of tables' commands in these batches. The first batch has to be readable, the others only help.
fn window_of(state: &LinkState, found: &FoundCommand) -> Result<Window, String> {
    let mut window = Window::new();
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
