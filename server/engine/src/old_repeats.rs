//! Old repeats of a link: commands whose outcomes left memory are looked up in the journal, beside the committer.
//!
//! # Shape
//! A queue and a task at its other end, which looks one after the other up. It begins with the first of them.
//!
//! # What bounds it
//! [`WAITING_MAX`] wait; one of too many, or one that waited for [`QUEUE_WAIT_MAX`], hears "busy". One is looked up at a
//! time: the connections that read belong to all links.
//!
//! # Order
//! None: what a repeat hears was decided before, and is durable.

use meterhouse_domain::command::Command;
use meterhouse_domain::name::{Sequence, TableNo};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_store::Journal;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::answer::{Answer, Denied, Outcome};
use crate::chain::Chain;
use crate::committer::{Ask, QUEUE_WAIT_MAX, Reached, Work};
use crate::present::Known;
use crate::replay::outcome_of;

/// Old repeats of a link that may wait.
const WAITING_MAX: usize = 1_024;

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
    while let Some(repeat) = repeats.recv().await {
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
            find(
                &mut journal,
                &known.state,
                table,
                sequence,
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
    state: &LinkState,
    table: TableNo,
    sequence: Sequence,
    command: &Command,
) -> Result<Outcome, Denied> {
    let found = journal.find(table.0, sequence.0).await.map_err(|error| {
        tracing::warn!(error = %Chain(&error), "an old command can't be looked up");
        Denied::by_store(&error)
    })?;
    let found = found.ok_or_else(|| {
        let reason = format!(
            "command {} of table {table} is not in the journal",
            sequence.0
        );
        tracing::error!(reason, "the journal is damaged");
        Denied::LinkFaulted { reason }
    })?;
    let outcome = outcome_of(state, &found).map_err(|reason| Denied::LinkFaulted { reason })?;
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
