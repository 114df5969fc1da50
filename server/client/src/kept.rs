//! Waiting for outcomes: of one kept command, and of all those that nobody waits for.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::board::{Board, Waiter};
use crate::error::OutcomeError;
use crate::outcome::Outcome;
use crate::values::Sequence;

/// An outcome on its way to whoever waits for it. Dropped before it was taken, it leaves the outcome to [`Outcomes`],
/// even one that has come: so this is there before the command is on its way to the outbox.
#[derive(Debug)]
pub(crate) struct Coming {
    receiver: oneshot::Receiver<Outcome>,
    board: Arc<Board>,
}

impl Coming {
    /// Who is told an outcome of this board, and where it comes.
    pub(crate) fn pair(board: Arc<Board>) -> (Waiter, Self) {
        let (waiter, receiver) = oneshot::channel();
        (waiter, Self { receiver, board })
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        self.receiver.close();
        // It came, and nobody took it.
        if let Ok(outcome) = self.receiver.try_recv() {
            self.board.give_back(outcome);
        }
    }
}

/// A command that is durable in the outbox. The lamp is lit by its outcome: the server may refuse it.
///
/// Dropped before its outcome came, it leaves that to [`Outcomes`].
#[derive(Debug)]
#[must_use = "the outcome may be a refusal: wait for it, or let `Outcomes` tell it"]
pub struct Kept {
    sequence: Sequence,
    coming: Coming,
}

impl Kept {
    pub(crate) const fn new(sequence: Sequence, coming: Coming) -> Self {
        Self { sequence, coming }
    }

    /// The command's number.
    pub const fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// Waits for what became of it, through as many outages as there are.
    ///
    /// # Errors
    /// When the controller has stopped or was closed. The command stays in the outbox.
    pub async fn outcome(mut self) -> Result<Outcome, OutcomeError> {
        let Coming { receiver, board } = &mut self.coming;
        if let Ok(outcome) = receiver.await {
            board.take(self.sequence);
            return Ok(outcome);
        }
        board.waiting()?;
        Err(OutcomeError::Closed)
    }
}

/// The outcomes of commands that nobody waits for: those that were kept before the program started, and those whose
/// [`Kept`] was dropped.
///
/// An outcome that was not taken keeps its command in the outbox, so whoever holds this reads it. Dropped, it says
/// that these outcomes are not wanted.
#[derive(Debug)]
#[must_use = "outcomes that nobody takes fill the outbox: read them, or drop this"]
pub struct Outcomes {
    board: Arc<Board>,
}

impl Outcomes {
    pub(crate) const fn new(board: Arc<Board>) -> Self {
        Self { board }
    }

    /// Waits for the next of them, in the order of their numbers. Given up before it ends, it has taken nothing.
    ///
    /// # Errors
    /// When the controller has stopped or was closed, after all that had come before.
    pub async fn take(&mut self) -> Result<Outcome, OutcomeError> {
        self.board.next_told().await
    }
}

impl Drop for Outcomes {
    fn drop(&mut self) {
        self.board.ignore();
    }
}
