//! What is kept and not yet taken, as the stream, the callers and the outbox's thread share it.
//!
//! # Shape
//! Every kept command has an entry until its outcome was taken: by whoever waits for it (`Kept`), or by `Outcomes`
//! where nobody does. A taken command is forgotten by the outbox with its next transaction. Killed before that, the
//! controller sends the command again, and the server tells the same outcome: told twice, counted once.
//!
//! # What bounds it
//! Entries are at most [`KEPT_MAX`]; as many may have been taken and wait to be forgotten.
//!
//! # Locks
//! One, held for moments, never while anything is waited for.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_proto::table as wire;
use prost::Message as _;
use tokio::sync::{Notify, oneshot, watch};

use crate::error::{OutcomeError, SendError, Stopped};
use crate::limits::KEPT_MAX;
use crate::outbox::Contents;
use crate::outcome::Outcome;
use crate::values::Sequence;

/// Who waits for one outcome.
pub(crate) type Waiter = oneshot::Sender<Outcome>;

/// Why nothing goes on.
#[derive(Clone, Debug, Default)]
pub(crate) enum Life {
    /// It does.
    #[default]
    Playing,
    /// A person has to look.
    Stopped(Box<Stopped>),
    /// The controller was closed.
    Closed,
}

/// What is kept and not yet taken.
#[derive(Debug)]
pub(crate) struct Board {
    inner: Mutex<Inner>,
    /// Something can be sent.
    kept: Notify,
    /// An outcome that nobody waits for is there, or nothing goes on.
    told: Notify,
    life: watch::Sender<Life>,
}

#[derive(Debug)]
struct Inner {
    next: Option<Sequence>,
    entries: BTreeMap<Sequence, Entry>,
    taken: Vec<Sequence>,
    /// Whether outcomes that nobody waits for are not wanted.
    is_ignored: bool,
}

#[derive(Debug)]
struct Entry {
    command: Arc<wire::Command>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Without an outcome; who waits for it, if anybody does.
    Kept(Option<Waiter>),
    /// Its outcome is on the way to who waits for it.
    HandedOver,
    /// Nobody waits for its outcome.
    Told(Box<Outcome>),
}

impl Board {
    /// What the outbox kept. Nobody in this process waits for it.
    pub(crate) fn new(contents: Contents) -> Self {
        let entry = |command| Entry {
            command: Arc::new(command),
            state: State::Kept(None),
        };
        let entries = contents.commands.into_iter();
        let entries = entries.map(|(sequence, command)| (sequence, entry(command)));
        Self {
            inner: Mutex::new(Inner {
                next: contents.next,
                entries: entries.collect(),
                taken: Vec::new(),
                is_ignored: false,
            }),
            kept: Notify::new(),
            told: Notify::new(),
            life: watch::Sender::new(Life::Playing),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics while it holds the lock; what it guards is whole in any case.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number that the next command gets.
    pub(crate) fn next(&self) -> Option<Sequence> {
        self.inner().next
    }

    /// The oldest command without an outcome.
    pub(crate) fn oldest(&self) -> Option<Sequence> {
        self.inner().unanswered_after(None).next().map(|it| it.0)
    }

    /// The server said which number comes first.
    pub(crate) fn begin(&self, next: Sequence) {
        self.inner().next = Some(next);
    }

    /// Whether one more command may be kept, beside as many that are about to be.
    pub(crate) fn accepts(&self, beside: usize) -> Result<(), SendError> {
        self.playing()?;
        let inner = self.inner();
        if inner.next.is_none() {
            return Err(SendError::NotNumbered);
        }
        if inner.entries.len() + beside >= KEPT_MAX {
            return Err(SendError::Full);
        }
        Ok(())
    }

    /// A command is durable.
    pub(crate) fn keep(&self, sequence: Sequence, command: wire::Command, waiter: Waiter) {
        let mut inner = self.inner();
        inner.next = sequence.next();
        let entry = Entry {
            command: Arc::new(command),
            state: State::Kept(Some(waiter)),
        };
        inner.entries.insert(sequence, entry);
        drop(inner);
        self.kept.notify_one();
    }

    /// Commands without an outcome after this one and before that one, the oldest first, at most so many, and no
    /// more bytes than these unless it is one.
    pub(crate) fn to_send(
        &self,
        after: Option<Sequence>,
        before: Option<Sequence>,
        most: usize,
        bytes_most: usize,
    ) -> Vec<Arc<wire::Command>> {
        let inner = self.inner();
        let open = inner.unanswered_after(after);
        let open = open.take_while(|it| before.is_none_or(|before| it.0 < before));
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

    /// Waits until something new may be sent.
    pub(crate) async fn kept(&self) {
        self.kept.notified().await;
    }

    /// The server told an outcome.
    pub(crate) fn tell(&self, outcome: Outcome) {
        let sequence = outcome.sequence;
        let mut inner = self.inner();
        let Some(entry) = inner.entries.get_mut(&sequence) else {
            return;
        };
        let State::Kept(waiter) = &mut entry.state else {
            return;
        };
        let waiter = waiter.take();
        entry.state = State::HandedOver;
        let refused = match waiter {
            Some(waiter) => waiter.send(outcome).err(),
            None => Some(outcome),
        };
        if let Some(outcome) = refused {
            inner.give_back(outcome);
            drop(inner);
            self.told.notify_one();
        }
    }

    /// Who waited for an outcome does so no more: it is for whoever takes the others.
    pub(crate) fn give_back(&self, outcome: Outcome) {
        self.inner().give_back(outcome);
        self.told.notify_one();
    }

    /// An outcome was taken: its command can be forgotten.
    pub(crate) fn take(&self, sequence: Sequence) {
        self.inner().forget(sequence);
    }

    /// What was taken since this was last asked.
    pub(crate) fn taken(&self) -> Vec<Sequence> {
        std::mem::take(&mut self.inner().taken)
    }

    /// Whether something was taken that the outbox still keeps.
    pub(crate) fn is_untidy(&self) -> bool {
        !self.inner().taken.is_empty()
    }

    /// Waits for the oldest outcome that nobody waits for, and takes it.
    pub(crate) async fn next_told(&self) -> Result<Outcome, OutcomeError> {
        loop {
            let told = self.told.notified();
            if let Some(outcome) = self.inner().take_told() {
                return Ok(outcome);
            }
            self.waiting()?;
            told.await;
        }
    }

    /// From now on nobody takes outcomes that nobody waits for.
    pub(crate) fn ignore(&self) {
        let mut inner = self.inner();
        inner.is_ignored = true;
        while inner.take_told().is_some() {}
    }

    /// A person has to look: whoever waits hears why.
    pub(crate) fn stop(&self, why: Stopped) {
        self.end(Life::Stopped(Box::new(why)));
    }

    /// The controller was closed.
    pub(crate) fn close(&self) {
        self.end(Life::Closed);
    }

    fn end(&self, life: Life) {
        let is_first = self.life.send_if_modified(|now| {
            let is_playing = matches!(now, Life::Playing);
            if is_playing {
                *now = life;
            }
            is_playing
        });
        if !is_first {
            return;
        }
        let mut inner = self.inner();
        for entry in inner.entries.values_mut() {
            if let State::Kept(waiter) = &mut entry.state {
                // Dropped, it lets its receiver ask why.
                drop(waiter.take());
            }
        }
        drop(inner);
        self.told.notify_one();
    }

    /// Whether it goes on, and why not.
    pub(crate) fn life(&self) -> watch::Receiver<Life> {
        self.life.subscribe()
    }

    /// Whether commands are kept.
    pub(crate) fn playing(&self) -> Result<(), SendError> {
        match &*self.life.borrow() {
            Life::Playing => Ok(()),
            Life::Stopped(why) => Err(SendError::Stopped((**why).clone())),
            Life::Closed => Err(SendError::Closed),
        }
    }

    /// Whether outcomes come.
    pub(crate) fn waiting(&self) -> Result<(), OutcomeError> {
        match &*self.life.borrow() {
            Life::Playing => Ok(()),
            Life::Stopped(why) => Err(OutcomeError::Stopped((**why).clone())),
            Life::Closed => Err(OutcomeError::Closed),
        }
    }
}

/// Stops the board if its thread or task panics while this is held: nobody is left waiting for it.
pub(crate) struct Guard(pub(crate) Arc<Board>);

impl Drop for Guard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(Stopped::Fault);
        }
    }
}

impl Inner {
    fn unanswered_after(
        &self,
        after: Option<Sequence>,
    ) -> impl Iterator<Item = (Sequence, &Arc<wire::Command>)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let open = self.entries.range((from, Bound::Unbounded));
        let open = open.filter(|it| matches!(it.1.state, State::Kept(_)));
        open.map(|(sequence, entry)| (*sequence, &entry.command))
    }

    fn give_back(&mut self, outcome: Outcome) {
        if self.is_ignored {
            tracing::info!(sequence = %outcome.sequence, "nobody wants this outcome");
            self.forget(outcome.sequence);
        } else if let Some(entry) = self.entries.get_mut(&outcome.sequence) {
            entry.state = State::Told(Box::new(outcome));
        }
    }

    fn take_told(&mut self) -> Option<Outcome> {
        let told = self
            .entries
            .iter()
            .find_map(|(sequence, entry)| match &entry.state {
                State::Told(_) => Some(*sequence),
                State::Kept(_) | State::HandedOver => None,
            })?;
        match self.forget(told)?.state {
            State::Told(outcome) => Some(*outcome),
            State::Kept(_) | State::HandedOver => None,
        }
    }

    fn forget(&mut self, sequence: Sequence) -> Option<Entry> {
        let entry = self.entries.remove(&sequence)?;
        self.taken.push(sequence);
        Some(entry)
    }
}

#[cfg(test)]
mod tests;
