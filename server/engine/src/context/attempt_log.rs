//! The trace of attempts that were refused before the rules saw them (CONFORMANCE 5 and 35).
//!
//! # Shape
//! Noting is an entry in memory; a task writes what was noted once a second, off every command's way. A killed node
//! loses at most the attempts of that second.
//!
//! # Limits
//! [`ATTEMPTS_A_MINUTE`] attempts of one kind at one table or link in a minute get a row of their own. The last one of
//! the others gets a row once the minute is over, with the count of those before it. [`PENDING_MAX`] attempts wait to be
//! written; one more is counted with the suppressed ones.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo};
use meterhouse_store::{Attempt, AttemptKind, Store};
use tokio::time::Instant;

use crate::answer::Denied;
use crate::clock::now;
use crate::error_chain::ErrorChain;
use crate::view::Person;

/// Attempts of one kind at one table or link in a minute that get a row of their own.
const ATTEMPTS_A_MINUTE: u32 = 10;
/// The window of [`ATTEMPTS_A_MINUTE`].
const WINDOW: Duration = Duration::from_mins(1);
/// Attempts that wait to be written.
const PENDING_MAX: usize = 10_000;
/// Characters of the differences that are kept.
const DETAIL_MAX: usize = 1_000;

/// What attempts are counted by.
type Subject = (LinkId, Option<TableNo>, AttemptKind);

/// A table's numbered command, to be noted if its number was used for another one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Numbered {
    pub(crate) link: LinkId,
    pub(crate) table: TableNo,
    pub(crate) sequence: Sequence,
    pub(crate) actor: ActorId,
}

/// The attempts of one subject since its window began.
#[derive(Debug)]
struct Window {
    since: Instant,
    written: u32,
    /// The newest attempt without a row, with the count of those before it.
    held: Option<Attempt>,
}

/// The attempts that this node refused lately.
#[derive(Debug, Default)]
pub(crate) struct AttemptLog {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    windows: HashMap<Subject, Window>,
    pending: Vec<Attempt>,
}

impl AttemptLog {
    /// Nothing is awaited while this is held, and no code under it can panic half way.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a table's command if it was refused because its number was used for another one.
    pub(crate) fn note_command<T>(&self, command: Numbered, answer: &Result<T, Denied>) {
        if !matches!(answer, Err(Denied::SequenceReused)) {
            return;
        }
        let attempt = Attempt {
            at: now(),
            kind: AttemptKind::SequenceReused,
            actor: command.actor,
            link: command.link,
            table: Some(command.table),
            sequence: Some(command.sequence),
            detail: String::new(),
            suppressed: 0,
        };
        self.note(attempt, Instant::now());
    }

    /// Notes a person's request if it was refused because something else has its name.
    pub(crate) fn note_request<T>(
        &self,
        (link, table): (LinkId, Option<TableNo>),
        kind: AttemptKind,
        person: &Person,
        answer: &Result<T, Denied>,
    ) {
        let Err(Denied::RequestReused(differences)) = answer else {
            return;
        };
        let differences = differences.iter();
        let differences = differences.map(|(field, value)| format!("{field}: {value}"));
        let detail = differences.collect::<Vec<_>>().join("; ");
        let attempt = Attempt {
            at: now(),
            kind,
            actor: person.actor,
            link,
            table,
            sequence: None,
            detail: detail.chars().take(DETAIL_MAX).collect(),
            suppressed: 0,
        };
        self.note(attempt, Instant::now());
    }

    fn note(&self, attempt: Attempt, at: Instant) {
        let mut inner = self.lock();
        let Inner { windows, pending } = &mut *inner;
        let subject = (attempt.link, attempt.table, attempt.kind);
        let window = windows.entry(subject).or_insert(Window {
            since: at,
            written: 0,
            held: None,
        });
        if window.is_over(at) {
            pending.extend(window.begin_anew(at));
        }
        if window.written < ATTEMPTS_A_MINUTE && pending.len() < PENDING_MAX {
            window.written += 1;
            pending.push(attempt);
        } else {
            let before = window.held.take();
            let before = before.map_or(0, |held| held.suppressed.saturating_add(1));
            window.held = Some(Attempt {
                suppressed: before,
                ..attempt
            });
        }
    }

    /// Takes what has to be written: at the end that of windows that are not over, too.
    fn take(&self, at: Instant, at_the_end: bool) -> Vec<Attempt> {
        let mut inner = self.lock();
        let Inner { windows, pending } = &mut *inner;
        windows.retain(|_, window| {
            let is_over = at_the_end || window.is_over(at);
            if is_over {
                pending.extend(window.held.take());
            }
            !is_over
        });
        std::mem::take(pending)
    }

    /// Puts back what could not be written, before what came since.
    fn put_back(&self, mut attempts: Vec<Attempt>) {
        let mut inner = self.lock();
        attempts.append(&mut inner.pending);
        inner.pending = attempts;
    }

    /// Writes what was noted.
    pub(crate) async fn write(&self, store: &Store, node: &str, at_the_end: bool) {
        let attempts = self.take(Instant::now(), at_the_end);
        if attempts.is_empty() {
            return;
        }
        if let Err(error) = store.note_attempts(node, &attempts).await {
            tracing::debug!(error = %ErrorChain(&error), "refused attempts can't be written");
            self.put_back(attempts);
        }
    }
}

impl Window {
    fn is_over(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.since) >= WINDOW
    }

    /// Begins a new window and returns what the old one held back.
    fn begin_anew(&mut self, at: Instant) -> Option<Attempt> {
        let held = self.held.take();
        *self = Self {
            since: at,
            written: 0,
            held: None,
        };
        held
    }
}

#[cfg(test)]
mod tests;
