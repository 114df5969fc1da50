//! Pipelining of a table's commands, for streams: commands are sent without waiting for each outcome.
//!
//! # Shape
//! [`Engine::attach`] finds the table once. An [`Arrival`] puts the commands of one message into their link's queue and
//! returns a [`PendingOutcome`] of each, which receives the outcome once it is durable.
//!
//! # Limits
//! The link's queue. If the queue is full, [`Arrival::hand_over`] waits for space, at most [`ROOM_WAIT_MAX`]
//! (backpressure).
//!
//! # Order
//! The commands that one caller hands over for one table are decided in that order.

use meterhouse_domain::command::{Command, Envelope, TableCommand};
use meterhouse_domain::ids::{GameName, LinkId, Sequence, TableName, Timestamp};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::answer::{Answer, NotExecuted};
use crate::clock;
use crate::committer::request::{CommandResult, Request};
use crate::context::{Engine, NumberedCommand};
use crate::registry::link_registry::{LinkQueue, TableRef};
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

    /// Returns the game of the table.
    pub const fn game(&self) -> &GameName {
        &self.table_ref.game
    }
}

/// The arrival of commands that came in one message: the time is read once for all of them, and their link's queue is
/// found once.
pub struct Arrival {
    engine: Engine,
    received: Instant,
    /// The same moment by the wall clock.
    at: Timestamp,
    /// The queue of the last command's link.
    queue: Option<LinkQueue>,
}

/// A command under way. Dropping the value cancels only the wait, not the command.
#[derive(Debug)]
pub struct PendingOutcome {
    reached: oneshot::Receiver<Result<CommandResult, NotExecuted>>,
    numbered: NumberedCommand,
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

    /// Returns the arrival of commands that came now.
    pub fn arrival(&self) -> Arrival {
        Arrival {
            engine: self.clone(),
            received: Instant::now(),
            at: clock::now(),
            queue: None,
        }
    }
}

impl Arrival {
    /// Sets the arrival to the present, after a wait.
    pub fn renew(&mut self) {
        self.received = Instant::now();
        self.at = clock::now();
        self.queue = None;
    }

    /// Puts a table's numbered command into its link's queue. A refusal by the rules is an outcome too.
    ///
    /// # Errors
    /// [`NotExecuted`] if the queue stayed full or the link can't be loaded. Nothing was counted.
    pub async fn hand_over(
        &mut self,
        table: &AttachedTable,
        sender: Sender,
        sequence: Sequence,
        command: TableCommand,
    ) -> Result<PendingOutcome, NotExecuted> {
        let table_ref = &table.table_ref;
        table_ref.last_seen.record(self.received, self.at);
        let numbered = NumberedCommand {
            link: table_ref.link,
            table: table_ref.number,
            sequence,
            actor: sender.actor,
        };
        let (request, reached) = Request::of_command(
            envelope(table_ref, sender, sequence, command),
            self.received,
        );
        let registry = &self.engine.context.registry;
        let sending = registry.send_or_wait(table_ref.link, request, &mut self.queue);
        if sending.await? {
            self.renew();
        }
        Ok(PendingOutcome { reached, numbered })
    }
}

impl PendingOutcome {
    /// Returns the link of the command.
    pub const fn link(&self) -> LinkId {
        self.numbered.link
    }

    /// Returns the outcome, if it has arrived.
    pub fn now(&mut self, engine: &Engine) -> Option<Result<Answer, NotExecuted>> {
        match self.reached.try_recv() {
            Ok(reached) => Some(self.noted(engine, answer(reached))),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(Err(NotExecuted::OutcomeUnknown)),
        }
    }

    /// Waits for the outcome. The future may be dropped and created again.
    ///
    /// # Errors
    /// [`NotExecuted`] if the command has no outcome, or its outcome is unknown.
    pub async fn arrived(&mut self, engine: &Engine) -> Result<Answer, NotExecuted> {
        let reached = (&mut self.reached).await;
        self.noted(
            engine,
            answer(reached.unwrap_or(Err(NotExecuted::OutcomeUnknown))),
        )
    }

    /// Logs a command whose number was used for another one.
    fn noted(
        &self,
        engine: &Engine,
        answer: Result<Answer, NotExecuted>,
    ) -> Result<Answer, NotExecuted> {
        engine.context.attempts.note_command(self.numbered, &answer);
        answer
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
