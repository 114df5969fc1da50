//! The commands in flight: stored, and their outcome not yet taken. The stream, the callers and the outbox's thread
//! share them.
//!
//! # Shape
//! Every stored command has an entry until its outcome is taken, by its `Receipt` or else by `Outcomes`. The outbox
//! deletes a taken command with its next transaction. If the process is killed before the transaction, the controller
//! sends the command again. The server then replays the same outcome, and counts the command once.
//!
//! # Limits
//! At most [`OUTBOX_COMMANDS_MAX`] entries. As many taken commands may wait for their deletion from the outbox.
//!
//! # Locks
//! One lock, held briefly and never across an await.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_proto::table as wire;
use prost::Message as _;
use tokio::sync::{Notify, oneshot, watch};

use crate::error::{OutcomeError, SendError, Stopped};
use crate::limits::OUTBOX_COMMANDS_MAX;
use crate::outbox::Contents;
use crate::outcome::Outcome;
use crate::values::Sequence;

/// The sender of one outcome to its receipt.
pub(crate) type OutcomeSender = oneshot::Sender<Outcome>;

/// The state of the controller.
#[derive(Clone, Debug, Default)]
pub(crate) enum Lifecycle {
    /// Commands are stored and sent.
    #[default]
    Running,
    /// A person has to intervene.
    Stopped(Box<Stopped>),
    Closed,
}

/// The commands in flight.
#[derive(Debug)]
pub(crate) struct InFlight {
    state: Mutex<InFlightState>,
    /// Notified when a command can be sent.
    added: Notify,
    /// Notified when an unclaimed outcome arrives, or the controller ends.
    unclaimed: Notify,
    lifecycle: watch::Sender<Lifecycle>,
}

#[derive(Debug)]
struct InFlightState {
    next: Option<Sequence>,
    entries: BTreeMap<Sequence, Entry>,
    taken: Vec<Sequence>,
    /// The newest seal that the server sent; empty if there is none.
    seal: String,
    /// `true` once unclaimed outcomes are discarded.
    discards_unclaimed: bool,
}

#[derive(Debug)]
struct Entry {
    command: Arc<wire::Command>,
    state: EntryState,
}

#[derive(Debug)]
enum EntryState {
    /// The command has no outcome. Contains the sender to the receipt, if there is one.
    AwaitsOutcome(Option<OutcomeSender>),
    /// The outcome was passed to the receipt.
    Delivered,
    /// The outcome has no receipt.
    Unclaimed(Box<Outcome>),
}

impl InFlight {
    /// Creates the entries of stored commands. None has a receipt in this process.
    pub(crate) fn new(contents: Contents) -> Self {
        let entry = |command| Entry {
            command: Arc::new(command),
            state: EntryState::AwaitsOutcome(None),
        };
        let entries = contents.commands.into_iter();
        let entries = entries.map(|(sequence, command)| (sequence, entry(command)));
        Self {
            state: Mutex::new(InFlightState {
                next: contents.next,
                entries: entries.collect(),
                taken: Vec::new(),
                seal: contents.seal,
                discards_unclaimed: false,
            }),
            added: Notify::new(),
            unclaimed: Notify::new(),
            lifecycle: watch::Sender::new(Lifecycle::Running),
        }
    }

    fn state(&self) -> MutexGuard<'_, InFlightState> {
        // No code panics while the lock is held, so a poisoned lock is ignored.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number that the next command gets.
    pub(crate) fn next(&self) -> Option<Sequence> {
        self.state().next
    }

    /// Returns the oldest command without an outcome.
    pub(crate) fn oldest(&self) -> Option<Sequence> {
        self.state()
            .unanswered_after(None)
            .next()
            .map(|(sequence, _)| sequence)
    }

    /// Returns the newest seal; empty if there is none.
    pub(crate) fn seal(&self) -> String {
        self.state().seal.clone()
    }

    /// Returns the number behind the last command that the server sealed.
    pub(crate) fn behind_seal(&self) -> Option<Sequence> {
        sealed_number(&self.state().seal).and_then(Sequence::next)
    }

    /// Records a seal of the server. Returns `true` if it seals a newer command than the last one.
    pub(crate) fn record_seal(&self, seal: &str) -> bool {
        let mut state = self.state();
        let is_newer = sealed_number(seal) > sealed_number(&state.seal);
        if is_newer {
            seal.clone_into(&mut state.seal);
        }
        is_newer
    }

    /// Sets the first number, as the server reported it.
    pub(crate) fn set_next(&self, next: Sequence) {
        self.state().next = Some(next);
    }

    /// Checks that one more command may be stored, in addition to `reserved` others.
    pub(crate) fn check_capacity(&self, reserved: usize) -> Result<(), SendError> {
        self.check_running()?;
        let state = self.state();
        if state.next.is_none() {
            return Err(SendError::NotNumbered);
        }
        if state.entries.len() + reserved >= OUTBOX_COMMANDS_MAX {
            return Err(SendError::Full);
        }
        Ok(())
    }

    /// Adds a durable command.
    pub(crate) fn insert(&self, sequence: Sequence, command: wire::Command, sender: OutcomeSender) {
        let mut state = self.state();
        state.next = sequence.next();
        let entry = Entry {
            command: Arc::new(command),
            state: EntryState::AwaitsOutcome(Some(sender)),
        };
        state.entries.insert(sequence, entry);
        drop(state);
        self.added.notify_one();
    }

    /// Returns the oldest commands without an outcome, after one number and before another. Returns at most `most`
    /// commands and `bytes_most` bytes, but at least one command.
    pub(crate) fn to_send(
        &self,
        after: Option<Sequence>,
        before: Option<Sequence>,
        most: usize,
        bytes_most: usize,
    ) -> Vec<Arc<wire::Command>> {
        let state = self.state();
        let open = state.unanswered_after(after);
        let open = open.take_while(|(sequence, _)| before.is_none_or(|before| *sequence < before));
        let mut bytes = 0;
        let mut found = Vec::new();
        for (_, command) in open.take(most) {
            bytes += command.encoded_len();
            if bytes > bytes_most && !found.is_empty() {
                break;
            }
            found.push(Arc::clone(command));
        }
        found
    }

    /// Waits until a new command may be sent.
    pub(crate) async fn wait_for_new(&self) {
        self.added.notified().await;
    }

    /// Records the outcome that the server sent.
    pub(crate) fn complete(&self, outcome: Outcome) {
        let sequence = outcome.sequence;
        let mut state = self.state();
        let Some(entry) = state.entries.get_mut(&sequence) else {
            return;
        };
        let EntryState::AwaitsOutcome(sender) = &mut entry.state else {
            return;
        };
        let sender = sender.take();
        entry.state = EntryState::Delivered;
        let unclaimed = match sender {
            Some(sender) => sender.send(outcome).err(),
            None => Some(outcome),
        };
        if let Some(outcome) = unclaimed {
            state.return_outcome(outcome);
            drop(state);
            self.unclaimed.notify_one();
        }
    }

    /// Records an outcome whose receipt was dropped, as unclaimed.
    pub(crate) fn return_outcome(&self, outcome: Outcome) {
        self.state().return_outcome(outcome);
        self.unclaimed.notify_one();
    }

    /// Records that an outcome was taken, so that its command can be deleted from the outbox.
    pub(crate) fn mark_taken(&self, sequence: Sequence) {
        self.state().remove(sequence);
    }

    /// Returns the commands that were taken since the last call.
    pub(crate) fn drain_taken(&self) -> Vec<Sequence> {
        std::mem::take(&mut self.state().taken)
    }

    /// Returns `true` if the outbox still stores a taken command.
    pub(crate) fn has_taken(&self) -> bool {
        !self.state().taken.is_empty()
    }

    /// Waits for the oldest unclaimed outcome, and takes it.
    pub(crate) async fn next_unclaimed(&self) -> Result<Outcome, OutcomeError> {
        loop {
            let arrived = self.unclaimed.notified();
            if let Some(outcome) = self.state().take_unclaimed() {
                return Ok(outcome);
            }
            self.check_outcomes()?;
            arrived.await;
        }
    }

    /// Discards unclaimed outcomes from now on.
    pub(crate) fn discard_unclaimed(&self) {
        let mut state = self.state();
        state.discards_unclaimed = true;
        while state.take_unclaimed().is_some() {}
    }

    /// Stops the controller for a person to intervene. All waits end with the reason.
    pub(crate) fn stop(&self, why: Stopped) {
        self.end(Lifecycle::Stopped(Box::new(why)));
    }

    /// Closes the controller.
    pub(crate) fn close(&self) {
        self.end(Lifecycle::Closed);
    }

    fn end(&self, lifecycle: Lifecycle) {
        let is_first = self.lifecycle.send_if_modified(|now| {
            let is_running = matches!(now, Lifecycle::Running);
            if is_running {
                *now = lifecycle;
            }
            is_running
        });
        if !is_first {
            return;
        }
        let mut state = self.state();
        for entry in state.entries.values_mut() {
            if let EntryState::AwaitsOutcome(sender) = &mut entry.state {
                // A dropped sender ends the receipt's wait, which then returns the reason.
                drop(sender.take());
            }
        }
        drop(state);
        self.unclaimed.notify_one();
    }

    /// Returns the state of the controller.
    pub(crate) fn lifecycle(&self) -> watch::Receiver<Lifecycle> {
        self.lifecycle.subscribe()
    }

    /// Checks that commands can be stored.
    pub(crate) fn check_running(&self) -> Result<(), SendError> {
        match &*self.lifecycle.borrow() {
            Lifecycle::Running => Ok(()),
            Lifecycle::Stopped(why) => Err(SendError::Stopped((**why).clone())),
            Lifecycle::Closed => Err(SendError::Closed),
        }
    }

    /// Checks that outcomes can arrive.
    pub(crate) fn check_outcomes(&self) -> Result<(), OutcomeError> {
        match &*self.lifecycle.borrow() {
            Lifecycle::Running => Ok(()),
            Lifecycle::Stopped(why) => Err(OutcomeError::Stopped((**why).clone())),
            Lifecycle::Closed => Err(OutcomeError::Closed),
        }
    }
}

/// A guard that stops the controller if the thread or task that holds it panics. No wait is left without an end.
pub(crate) struct PanicGuard(pub(crate) Arc<InFlight>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(Stopped::Fault);
        }
    }
}

impl InFlightState {
    fn unanswered_after(
        &self,
        after: Option<Sequence>,
    ) -> impl Iterator<Item = (Sequence, &Arc<wire::Command>)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let open = self.entries.range((from, Bound::Unbounded));
        let open = open.filter(|(_, entry)| matches!(entry.state, EntryState::AwaitsOutcome(_)));
        open.map(|(sequence, entry)| (*sequence, &entry.command))
    }

    fn return_outcome(&mut self, outcome: Outcome) {
        if self.discards_unclaimed {
            tracing::info!(sequence = %outcome.sequence, "an unclaimed outcome is discarded");
            self.remove(outcome.sequence);
        } else if let Some(entry) = self.entries.get_mut(&outcome.sequence) {
            entry.state = EntryState::Unclaimed(Box::new(outcome));
        }
    }

    fn take_unclaimed(&mut self) -> Option<Outcome> {
        let unclaimed = self
            .entries
            .iter()
            .find_map(|(sequence, entry)| match &entry.state {
                EntryState::Unclaimed(_) => Some(*sequence),
                EntryState::AwaitsOutcome(_) | EntryState::Delivered => None,
            })?;
        match self.remove(unclaimed)?.state {
            EntryState::Unclaimed(outcome) => Some(*outcome),
            EntryState::AwaitsOutcome(_) | EntryState::Delivered => None,
        }
    }

    fn remove(&mut self, sequence: Sequence) -> Option<Entry> {
        let entry = self.entries.remove(&sequence)?;
        self.taken.push(sequence);
        Some(entry)
    }
}

/// Returns the number with which a seal begins. A seal is otherwise opaque.
fn sealed_number(seal: &str) -> Option<Sequence> {
    let (number, _) = seal.split_once('.')?;
    Sequence::new(number.parse().ok()?)
}

#[cfg(test)]
mod tests;
