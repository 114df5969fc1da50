//! The waits for outcomes: a receipt for one stored command, and the unclaimed outcomes.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::error::OutcomeError;
use crate::in_flight::{InFlight, OutcomeSender};
use crate::outcome::Outcome;
use crate::values::Sequence;

/// An outcome that a receipt waits for. If it is dropped before the outcome was taken, the outcome goes to
/// [`Outcomes`], even one that has arrived. Therefore it is created before the command is passed to the outbox.
#[derive(Debug)]
pub(crate) struct PendingOutcome {
    receiver: oneshot::Receiver<Outcome>,
    in_flight: Arc<InFlight>,
}

impl PendingOutcome {
    /// Creates the sender and the receiver of an outcome.
    pub(crate) fn pair(in_flight: Arc<InFlight>) -> (OutcomeSender, Self) {
        let (waiter, receiver) = oneshot::channel();
        (
            waiter,
            Self {
                receiver,
                in_flight,
            },
        )
    }
}

impl Drop for PendingOutcome {
    fn drop(&mut self) {
        self.receiver.close();
        // The outcome arrived and was not taken.
        if let Ok(outcome) = self.receiver.try_recv() {
            self.in_flight.return_outcome(outcome);
        }
    }
}

/// A receipt for a command that is durable in the outbox. Light the lamp by its outcome: the server may refuse the
/// command.
///
/// If the receipt is dropped before the outcome arrives, the outcome goes to [`Outcomes`].
#[derive(Debug)]
#[must_use = "the outcome may be a refusal: wait for it, or let `Outcomes` return it"]
pub struct Receipt {
    sequence: Sequence,
    pending: PendingOutcome,
}

impl Receipt {
    pub(crate) const fn new(sequence: Sequence, pending: PendingOutcome) -> Self {
        Self { sequence, pending }
    }

    /// Returns the command's number.
    pub const fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// Waits for the command's outcome, through any number of outages.
    ///
    /// # Errors
    /// The controller has stopped or was closed. The command stays in the outbox.
    pub async fn outcome(mut self) -> Result<Outcome, OutcomeError> {
        let PendingOutcome {
            receiver,
            in_flight,
        } = &mut self.pending;
        if let Ok(outcome) = receiver.await {
            in_flight.mark_taken(self.sequence);
            return Ok(outcome);
        }
        in_flight.check_outcomes()?;
        Err(OutcomeError::Closed)
    }
}

/// The unclaimed outcomes: those of commands that were stored before the program started, and those whose [`Receipt`]
/// was dropped.
///
/// An outcome that is not taken keeps its command in the outbox, so the holder of this value has to take all outcomes.
/// If this value is dropped, unclaimed outcomes are discarded.
#[derive(Debug)]
#[must_use = "outcomes that are not taken fill the outbox: take them, or drop this"]
pub struct Outcomes {
    in_flight: Arc<InFlight>,
}

impl Outcomes {
    pub(crate) const fn new(in_flight: Arc<InFlight>) -> Self {
        Self { in_flight }
    }

    /// Waits for the next unclaimed outcome, in the order of the numbers. A wait that is cancelled has taken nothing.
    ///
    /// # Errors
    /// The controller has stopped or was closed. All outcomes that arrived before are returned first.
    pub async fn take(&mut self) -> Result<Outcome, OutcomeError> {
        self.in_flight.next_unclaimed().await
    }
}

impl Drop for Outcomes {
    fn drop(&mut self) {
        self.in_flight.discard_unclaimed();
    }
}
