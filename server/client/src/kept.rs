//! Waiting for outcomes: of one kept command, and of all those that nobody waits for.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::board::Board;
use crate::error::OutcomeError;
use crate::outcome::Outcome;
use crate::values::Sequence;

/// A command that is durable in the outbox: the lamp may be lit.
///
/// Dropped before its outcome came, it leaves that to [`Outcomes`].
#[derive(Debug)]
#[must_use = "the outcome may be a refusal: wait for it, or let `Outcomes` tell it"]
pub struct Kept {
    sequence: Sequence,
    coming: Option<oneshot::Receiver<Outcome>>,
    board: Arc<Board>,
}

impl Kept {
    pub(crate) const fn new(
        sequence: Sequence,
        coming: oneshot::Receiver<Outcome>,
        board: Arc<Board>,
    ) -> Self {
        Self {
            sequence,
            coming: Some(coming),
            board,
        }
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
        if let Some(coming) = &mut self.coming
            && let Ok(outcome) = coming.await
        {
            self.coming = None;
            self.board.take(self.sequence);
            return Ok(outcome);
        }
        self.board.waiting()?;
        Err(OutcomeError::Closed)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(mut coming) = self.coming.take() {
            coming.close();
            // It came, and nobody took it.
            if let Ok(outcome) = coming.try_recv() {
                self.board.give_back(outcome);
            }
        }
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
