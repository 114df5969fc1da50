//! Pipelining of a table's commands, for streams: commands are sent without waiting for each outcome.
//!
//! # Shape
//! [`Engine::attach`] finds the table once. [`Engine::hand_over`] puts a command into its link's queue and returns a
//! [`PendingOutcome`], which receives the outcome once it is durable.
//!
//! # Limits
//! The link's queue. If the queue is full, `hand_over` waits for space, at most [`ROOM_WAIT_MAX`] (backpressure).
//!
//! # Order
//! The commands that one caller hands over for one table are decided in that order.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use meterhouse_domain::command::{Command, Envelope, TableCommand};
use meterhouse_domain::ids::{LinkId, Sequence, TableName};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::answer::{Answer, NotExecuted};
use crate::clock;
use crate::committer::request::CommandResult;
use crate::context::{AttemptLog, Engine, NumberedCommand};
use crate::registry::link_registry::TableRef;
use crate::view::Sender;

/// A table that was found. A table never changes its link.
#[derive(Clone, Debug)]
pub struct AttachedTable {
    pub(crate) table_ref: TableRef,
}

impl AttachedTable {
    /// Returns the link of the table.
    pub const fn link(&self) -> LinkId {
        self.table_ref.link
    }
}

/// A command under way. Dropping the value cancels only the wait, not the command.
#[derive(Debug)]
pub struct PendingOutcome {
    reached: oneshot::Receiver<Result<CommandResult, NotExecuted>>,
    numbered: NumberedCommand,
    attempts: Arc<AttemptLog>,
}

impl Engine {
    /// Finds a table for pipelined commands.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such table or the database can't be queried.
    pub async fn attach(&self, table: &TableName) -> Result<AttachedTable, NotExecuted> {
        let table_ref = self.context.registry.find_table(table).await?;
        Ok(AttachedTable { table_ref })
    }

    /// Puts a table's numbered command into its link's queue. A refusal by the rules is an outcome too.
    ///
    /// # Errors
    /// [`NotExecuted`] if the queue stayed full or the link can't be loaded. Nothing was counted.
    pub async fn hand_over(
        &self,
        table: &AttachedTable,
        sender: Sender,
        sequence: Sequence,
        command: TableCommand,
    ) -> Result<PendingOutcome, NotExecuted> {
        let received = Instant::now();
        let table_ref = &table.table_ref;
        table_ref.last_seen.record(received, clock::now());
        let numbered = NumberedCommand {
            link: table_ref.link,
            table: table_ref.number,
            sequence,
            actor: sender.actor,
        };
        let envelope = envelope(table_ref, sender, sequence, command);
        let registry = &self.context.registry;
        let reached = registry
            .hand_over(table_ref.link, envelope, received)
            .await?;
        Ok(PendingOutcome {
            reached,
            numbered,
            attempts: Arc::clone(&self.context.attempts),
        })
    }
}

impl PendingOutcome {
    /// Returns the outcome, if it has arrived.
    pub fn now(&mut self) -> Option<Result<Answer, NotExecuted>> {
        match self.reached.try_recv() {
            Ok(reached) => Some(self.noted(answer(reached))),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(Err(NotExecuted::OutcomeUnknown)),
        }
    }
}

impl PendingOutcome {
    /// Logs a command whose number was used for another one.
    fn noted(&self, answer: Result<Answer, NotExecuted>) -> Result<Answer, NotExecuted> {
        self.attempts.note_command(self.numbered, &answer);
        answer
    }
}

impl Future for PendingOutcome {
    type Output = Result<Answer, NotExecuted>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let reached = Pin::new(&mut self.reached).poll(context);
        reached.map(|result| self.noted(answer(result.unwrap_or(Err(NotExecuted::OutcomeUnknown)))))
    }
}

/// Returns a table's command with its sender.
pub(crate) fn envelope(
    table_ref: &TableRef,
    sender: Sender,
    sequence: Sequence,
    command: TableCommand,
) -> Envelope {
    Envelope {
        actor: sender.actor,
        by: sender.by,
        device_time: sender.device_time,
        command: Command::Table {
            table: table_ref.number,
            sequence,
            command,
        },
    }
}

/// Returns the answer to a table's command.
pub(crate) fn answer(reached: Result<CommandResult, NotExecuted>) -> Result<Answer, NotExecuted> {
    match reached? {
        CommandResult::Answer(answer) => Ok(answer),
        // Only people's decisions can be done before without being replays.
        CommandResult::DoneBefore => Err(NotExecuted::SequenceReused),
    }
}
