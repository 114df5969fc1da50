//! The log of attempts that were refused before the rules saw them (CONFORMANCE 5 and 35).
//!
//! # Shape
//! An attempt is first noted in memory. A task writes the notes once a second, off every command's path. A killed node
//! loses at most the attempts of its last second.
//!
//! # Limits
//! [`ATTEMPTS_A_MINUTE`] attempts of one kind at one table or link in a minute get a row each. Of the others, the last
//! one gets a row after the minute, with the count of those before it. [`PENDING_MAX`] attempts wait to be written;
//! further ones are only counted.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo};
use meterhouse_store::{Attempt, AttemptKind, NewAct, Store, StoreError};
use tokio::time::Instant;

use crate::answer::NotExecuted;
use crate::clock::now;
use crate::error_chain::ErrorChain;
use crate::own_thread::{to_the_end, unless_ended};
use crate::view::Person;

/// Maximum number of attempts of one kind, at one table or link in a minute, that get a row each.
const ATTEMPTS_A_MINUTE: u32 = 10;
/// The window of [`ATTEMPTS_A_MINUTE`].
const WINDOW: Duration = Duration::from_mins(1);
/// Maximum number of attempts that wait to be written.
const PENDING_MAX: usize = 10_000;
/// Maximum length of the differences that are kept, in characters.
const DETAIL_MAX: usize = 1_000;
/// Word of the act of an attempt.
const CONTRADICTED: &str = "contradicted";

/// The key by which attempts are counted.
type Subject = (LinkId, Option<TableNo>, AttemptKind);

/// A table's numbered command, noted if its number was used for another one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct NumberedCommand {
    pub(crate) link: LinkId,
    pub(crate) table: TableNo,
    pub(crate) sequence: Sequence,
    pub(crate) actor: ActorId,
}

/// The attempts of one subject since its window began.
#[derive(Debug)]
struct MinuteWindow {
    since: Instant,
    written: u32,
    /// The newest attempt without a row, with the count of those before it.
    held: Option<Attempt>,
}

/// The attempts that this node refused recently.
#[derive(Debug, Default)]
pub(crate) struct AttemptLog {
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    windows: HashMap<Subject, MinuteWindow>,
    pending: Vec<Attempt>,
}

impl AttemptLog {
    /// Locks the notes. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn lock(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a table's command that was refused because its number was used for another one.
    pub(crate) fn note_command<T>(
        &self,
        command: NumberedCommand,
        answer: &Result<T, NotExecuted>,
    ) {
        if !matches!(answer, Err(NotExecuted::SequenceReused)) {
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

    /// Notes a person's request that was refused because its name exists with other content.
    pub(crate) fn note_request<T>(
        &self,
        (link, table): (LinkId, Option<TableNo>),
        kind: AttemptKind,
        person: &Person,
        answer: &Result<T, NotExecuted>,
    ) {
        let Err(NotExecuted::RequestReused(differences)) = answer else {
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
        let mut notes = self.lock();
        let Notes { windows, pending } = &mut *notes;
        let subject = (attempt.link, attempt.table, attempt.kind);
        let window = windows.entry(subject).or_insert(MinuteWindow {
            since: at,
            written: 0,
            held: None,
        });
        if window.is_over(at) {
            pending.extend(window.restart(at));
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

    /// Takes the attempts to be written. With `at_the_end`, the windows that are not over are closed too.
    fn take(&self, at: Instant, at_the_end: bool) -> Vec<Attempt> {
        let mut notes = self.lock();
        let Notes { windows, pending } = &mut *notes;
        windows.retain(|_, window| {
            let is_over = at_the_end || window.is_over(at);
            if is_over {
                pending.extend(window.held.take());
            }
            !is_over
        });
        std::mem::take(pending)
    }

    /// Puts back the attempts that could not be written, before the newer ones.
    fn put_back(&self, mut attempts: Vec<Attempt>) {
        let mut notes = self.lock();
        attempts.append(&mut notes.pending);
        notes.pending = attempts;
    }

    /// Writes the noted attempts.
    pub(crate) async fn write(&self, store: &Store, node: &str, at_the_end: bool) {
        let attempts = self.take(Instant::now(), at_the_end);
        if attempts.is_empty() {
            return;
        }
        if let Err(error) = write_all(store, node, &attempts).await {
            tracing::debug!(error = %ErrorChain(&error), "refused attempts can't be written");
            self.put_back(attempts);
        }
    }
}

/// Writes attempts and their acts in one transaction, so that neither is lost if the process ends between them.
async fn write_all(store: &Store, node: &str, attempts: &[Attempt]) -> Result<(), StoreError> {
    let acts = acts(store, attempts).await?;
    let (store, node, attempts) = (store.clone(), node.to_owned(), attempts.to_vec());
    let writing = to_the_end(async move || {
        let writing = store.note_attempts(&node, &attempts, (now(), &acts));
        writing.await
    });
    unless_ended(writing.await)
}

/// Returns attempts as acts.
async fn acts(store: &Store, attempts: &[Attempt]) -> Result<Vec<NewAct>, StoreError> {
    let mut actors: Vec<ActorId> = attempts.iter().map(|attempt| attempt.actor).collect();
    actors.sort_unstable_by_key(|actor| actor.0);
    actors.dedup();
    let names = store.actor_names(&actors).await?;
    let names: HashMap<ActorId, String> = names.into_iter().collect();
    let acts = attempts.iter().map(|attempt| NewAct {
        act: CONTRADICTED,
        actor: Some(attempt.actor),
        name: names.get(&attempt.actor).cloned(),
        proof: "token",
        address: None,
        subject: Some(format!("link {}", attempt.link)),
        details: details(attempt),
    });
    Ok(acts.collect())
}

fn details(attempt: &Attempt) -> Vec<(String, String)> {
    let facts = [
        ("kind", Some(attempt.kind.name().to_owned())),
        ("table", attempt.table.map(|table| table.to_string())),
        (
            "sequence",
            attempt.sequence.map(|sequence| sequence.0.to_string()),
        ),
        (
            "detail",
            Some(attempt.detail.clone()).filter(|detail| !detail.is_empty()),
        ),
        (
            "suppressed",
            Some(attempt.suppressed.to_string()).filter(|_| attempt.suppressed > 0),
        ),
    ];
    let named = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
    facts.into_iter().filter_map(named).collect()
}

impl MinuteWindow {
    fn is_over(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.since) >= WINDOW
    }

    /// Begins a new window and returns the attempt that the old one held back.
    fn restart(&mut self, at: Instant) -> Option<Attempt> {
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
