//! Old repeats of a link: commands whose outcomes left memory are looked up in the journal, beside the committer.
//!
//! # Shape
//! A queue and a task at its other end, which looks one after the other up. It begins with the first of them. With a
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
use meterhouse_domain::name::{Sequence, TableNo};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{FoundCommand, Journal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::answer::{Answer, Denied, Outcome};
use crate::committer::published_state::Known;
use crate::committer::replay::outcomes_of;
use crate::committer::run_loop::{Ask, QUEUE_WAIT_MAX, Reached, Work};
use crate::error_chain::Chain;

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
    /// Its table.
    pub(crate) table: TableNo,
    /// Its number.
    pub(crate) sequence: Sequence,
    /// Who asks.
    pub(crate) work: Work,
    /// The link as its committer knew it.
    pub(crate) known: Known,
}

/// Those that wait, and the task that serves them.
#[derive(Default)]
pub(crate) struct OldRepeats {
    serving: Option<(mpsc::Sender<OldRepeat>, JoinHandle<()>)>,
}

impl OldRepeats {
    /// Has one looked up.
    pub(crate) fn look_up<J: Journal>(&mut self, journal: &J, repeat: OldRepeat) {
        let (waiting, _) = self.serving.get_or_insert_with(|| {
            let (waiting, repeats) = mpsc::channel(WAITING_MAX);
            (waiting, tokio::spawn(serve(journal.beside(), repeats)))
        });
        if let Err(refused) = waiting.try_send(repeat) {
            refused.into_inner().work.deny(Denied::Busy);
        }
    }

    /// Waits until all of them are served.
    pub(crate) async fn finish(&mut self) {
        if let Some((waiting, task)) = self.serving.take() {
            drop(waiting);
            drop(task.await);
        }
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
            work,
            known,
        } = repeat;
        let Work { ask, received } = work;
        let Ask::Command { envelope, reply } = ask else {
            continue;
        };
        if reply.is_closed() {
            continue;
        }
        let found = if Instant::now().duration_since(received) > QUEUE_WAIT_MAX {
            Err(Denied::Busy)
        } else {
            let place = (table, sequence);
            find(
                &mut journal,
                &mut windows,
                &known.state,
                place,
                &envelope.command,
            )
            .await
        };
        // Whoever hung up is not told.
        drop(reply.send(found.map(|outcome| {
            Reached::Outcome(Answer {
                outcome,
                replayed: true,
                link: known.state,
                as_of: known.batch,
            })
        })));
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
        tracing::warn!(error = %Chain(&error), "an old command can't be looked up");
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
