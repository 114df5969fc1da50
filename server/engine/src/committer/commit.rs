//! The batch writer: commits a draft by one statement, or confirms the head if there is nothing to write.
//!
//! # Limits
//! [`RECOVER_MAX`] to resolve a commit of unknown outcome. After that, its callers get `outcome_unknown`.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::Batch;
use meterhouse_journal::chain::chain_hash;
use meterhouse_store::{
    Commit, Journal, NewBatch, NoWrites, OpenBatch, RolledBack, StoredSnapshot,
};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::clock::{ClockStep, LastBatch};
use super::decided::{DecidedBatch, DecidedRequest};
use super::decider::Decider;
use super::draft::Draft;
use super::growing::Growing;
use super::intake::Intake;
use super::published_state::PublishedState;
use super::recovery::{ResolveError, UnresolvedCommit};
use super::replica::{Replica, ReplicaError, flat_balances};
use super::request::BATCH_COMMANDS_MAX;
use crate::answer::{NotExecuted, Outcome};
use crate::clock::period_of;
use crate::error_chain::ErrorChain;
use crate::metrics::instruments;
use crate::trace::BatchSpan;

/// Maximum time to resolve a commit of unknown outcome before its callers get `outcome_unknown`. An attempt under way
/// by then ends by the store's own limits.
const RECOVER_MAX: Duration = Duration::from_secs(5);
/// Pause between two attempts to reach the database.
const RECOVER_PAUSE: Duration = Duration::from_millis(50);
/// `link_head.status` of a link in play.
pub(crate) const STATUS_OPEN: i16 = 1;
/// `link_head.status` of a faulted link.
pub(crate) const STATUS_FAULTED: i16 = 2;

/// The result of an attempt to commit that did not fail.
pub(crate) enum CommitStep {
    /// The batch is durable, or there was nothing to write and the head was confirmed. Contains the outcomes that the
    /// verdicts refer to by index.
    Done(Vec<Outcome>),
    /// Another node moved the head, and the replica has caught up: decide again.
    Retry,
    /// The unresolved commit is resolved: it was not made. Decide again. If the retry fails, report `OutcomeUnknown`:
    /// some of the commands may already be committed.
    RetryResolved,
}

/// A failed attempt to commit.
pub(crate) enum CommitError {
    /// The callers are denied.
    NotExecuted(NotExecuted),
    /// The database refused the content, because of this constraint if it named one.
    RolledBack(Option<String>),
}

/// The writer of one link's batches.
pub(crate) struct BatchWriter<J> {
    link: LinkId,
    node: Arc<str>,
    journal: J,
    published: Arc<PublishedState>,
    /// The time of the last batch, to detect a step of the clock.
    last_batch: LastBatch,
    /// Set while this writer holds the lock on the head.
    is_locked: bool,
    /// A commit of unknown outcome. Nothing else is written until it is resolved.
    unresolved: Option<Box<UnresolvedCommit>>,
}

impl<J: Journal> BatchWriter<J> {
    pub(crate) fn new(
        link: LinkId,
        node: Arc<str>,
        journal: J,
        published: Arc<PublishedState>,
    ) -> Self {
        Self {
            link,
            node,
            journal,
            published,
            last_batch: LastBatch::default(),
            is_locked: false,
            unresolved: None,
        }
    }

    /// Returns the maximum number of commands of the next batch.
    pub(crate) fn commands_max(&self) -> usize {
        let events = self.journal.events_max();
        events.map_or(BATCH_COMMANDS_MAX, |events| events.min(BATCH_COMMANDS_MAX))
    }

    /// Records the time of the newest batch of a loaded journal.
    pub(crate) fn set_last_batch(&mut self, at: Timestamp) {
        self.last_batch = LastBatch::loaded(at);
    }

    /// Commits a draft. Requests that arrive while it waits to be sent are added to it and to `requests`, and later ones are
    /// decided on it (pipelining).
    ///
    /// # Errors
    /// [`CommitError`] if nothing was committed, or the outcome is unknown.
    pub(crate) async fn commit(
        &mut self,
        draft: Draft,
        requests: &mut Vec<DecidedRequest>,
        replica: &mut Replica,
        (intake, decider): (&mut Intake, &Decider),
        span: &mut BatchSpan,
    ) -> Result<CommitStep, CommitError> {
        self.log_clock_step(&draft, replica.head().batch + 1);
        let started = Instant::now();
        let mut batch = DecidedBatch {
            draft,
            requests: std::mem::take(requests),
        };
        let (link, node) = (self.link, Arc::clone(&self.node));
        let content =
            move |draft: &mut Draft, replica: &Replica| new_batch(link, &node, draft, replica);
        let open = Arc::new(OpenBatch::new(content(&mut batch.draft, replica)));
        let growing = Growing {
            open: &open,
            batch: &mut batch,
            content: &content,
            span,
        };
        let committing = self.journal.commit(&open);
        let retired = replica.take_retired();
        let committed = intake.decide_during(committing, growing, decider, replica, retired);
        let committed = committed.await;
        span.record_statement(started.elapsed());
        instruments().record_commit(started.elapsed());
        *requests = batch.requests;
        let (draft, new) = (batch.draft, open.seal());
        match committed {
            Commit::Committed => {
                self.is_locked = false;
                Ok(CommitStep::Done(replica.merge(draft, &new)))
            }
            Commit::Moved => self.catch_up_locked(replica).await,
            Commit::RolledBack(RolledBack { constraint, source }) => {
                self.unlock().await;
                tracing::error!(error = %ErrorChain(&source), link.id = %self.link, "a batch was rolled back");
                Err(if source.refuses_content() {
                    CommitError::RolledBack(constraint)
                } else {
                    CommitError::NotExecuted(NotExecuted::by_store(&source))
                })
            }
            Commit::ReadOnly => {
                self.unlock().await;
                tracing::error!(link.id = %self.link, "the database takes no writes");
                let denied = NotExecuted::DatabaseNotWritable(NoWrites::ReadOnly);
                Err(CommitError::NotExecuted(denied))
            }
            Commit::Unknown(error) => {
                self.is_locked = false;
                instruments().record_unknown();
                tracing::warn!(error = %ErrorChain(&error), link.id = %self.link, "a commit's outcome is unknown");
                self.published.set_unresolved(true);
                self.unresolved = Some(Box::new(UnresolvedCommit::new(draft, new)));
                self.recover(replica).await
            }
        }
    }

    /// Confirms that the head has not moved since the requests arrived, if a reply depends on it.
    ///
    /// # Errors
    /// [`CommitError::NotExecuted`] if the head can't be read.
    pub(crate) async fn confirm(
        &mut self,
        replica: &mut Replica,
        requests: &[DecidedRequest],
    ) -> Result<CommitStep, CommitError> {
        let done = Ok(CommitStep::Done(Vec::new()));
        if self.is_locked {
            // The lock confirmed the head.
            self.unlock().await;
            return done;
        }
        if !requests.iter().any(DecidedRequest::needs_confirmation) {
            return done;
        }
        let confirmed = match self.journal.read_head().await {
            Ok(head) if head.batch == replica.head().batch => replica.adopt(&head).map(|()| true),
            Ok(_) => replica.catch_up(&mut self.journal).await.map(|()| false),
            Err(error) => Err(error.into()),
        };
        match confirmed {
            Ok(true) => done,
            Ok(false) => Ok(CommitStep::Retry),
            Err(error) => Err(CommitError::NotExecuted(self.deny(error))),
        }
    }

    /// Locks the head that another node moved, and applies the missed batches. The next attempt writes under the lock.
    async fn catch_up_locked(&mut self, replica: &mut Replica) -> Result<CommitStep, CommitError> {
        loop {
            let missed = match self.journal.lock_and_read_after(replica.head()).await {
                Ok(missed) => missed,
                Err(error) => return Err(CommitError::NotExecuted(self.deny(error.into()))),
            };
            self.is_locked = !missed.more;
            let followed = missed
                .batches
                .iter()
                .try_for_each(|batch| replica.follow(batch));
            let adopted = followed.and_then(|()| replica.adopt(&missed.head));
            if let Err(error) = adopted {
                self.unlock().await;
                return Err(CommitError::NotExecuted(self.deny(error)));
            }
            if !missed.more {
                return Ok(CommitStep::Retry);
            }
        }
    }

    /// Releases the lock of the head, if it is held.
    pub(crate) async fn unlock(&mut self) {
        if std::mem::take(&mut self.is_locked) {
            self.journal.unlock().await;
        }
    }

    /// Resolves the commit of unknown outcome, with retries for [`RECOVER_MAX`].
    async fn recover(&mut self, replica: &mut Replica) -> Result<CommitStep, CommitError> {
        let deadline = Instant::now() + RECOVER_MAX;
        loop {
            match self.resolve(replica).await {
                Ok(Some(outcomes)) => return Ok(CommitStep::Done(outcomes)),
                Ok(None) => return Ok(CommitStep::RetryResolved),
                Err(_) if Instant::now() < deadline && self.published.damaged().is_none() => {
                    sleep(RECOVER_PAUSE).await;
                }
                Err(_) => return Err(CommitError::NotExecuted(NotExecuted::OutcomeUnknown)),
            }
        }
    }

    /// Resolves the commit of unknown outcome, if there is one. Returns its outcomes if it was made.
    ///
    /// # Errors
    /// The denial of new requests while the commit can't be resolved.
    pub(crate) async fn resolve(
        &mut self,
        replica: &mut Replica,
    ) -> Result<Option<Vec<Outcome>>, NotExecuted> {
        if let Some(reason) = self.published.damaged() {
            let reason = reason.to_owned();
            return Err(NotExecuted::LinkFaulted { reason });
        }
        let Some(unresolved) = self.unresolved.take() else {
            return Ok(None);
        };
        match unresolved.resolve(&mut self.journal, replica).await {
            Ok(outcomes) => {
                self.published.set_unresolved(false);
                Ok(outcomes)
            }
            Err(ResolveError::Unreachable(unresolved, error)) => {
                tracing::debug!(error = %ErrorChain(&error), "the commit can't be resolved yet");
                self.unresolved = Some(unresolved);
                Err(NotExecuted::by_store(&error))
            }
            Err(ResolveError::Damaged(error)) => Err(self.deny(error)),
        }
    }

    /// Returns `true` if a command of this origin may be in the unresolved commit.
    pub(crate) fn is_unresolved(&self, origin: Origin) -> bool {
        let unresolved = self.unresolved.as_ref();
        unresolved.is_some_and(|commit| commit.contains(origin))
    }

    /// Writes a snapshot concurrently with play. A snapshot is a cache, so a failure is only logged.
    pub(crate) fn save_snapshot(&self, replica: &mut Replica) -> JoinHandle<()> {
        let snapshot = replica.take_snapshot();
        let mut journal = self.journal.another_handle();
        tokio::spawn(async move {
            let stored = StoredSnapshot {
                batch: snapshot.batch,
                format: snapshot.format,
                chain_hash: snapshot.chain_hash,
                state: snapshot.encode(),
            };
            if let Err(error) = journal.save_snapshot(&stored).await {
                tracing::warn!(%error, "a snapshot was not written");
            }
        })
    }

    /// Logs a step of the clock since the last batch: one warning a step.
    fn log_clock_step(&mut self, draft: &Draft, batch: u64) {
        let Some(step) = self.last_batch.next(draft.at, Instant::now()) else {
            return;
        };
        let (by, what) = match step {
            ClockStep::Back(by) => (by, "the clock went back between two batches"),
            ClockStep::Ahead(by) => (by, "the clock leapt ahead between two batches"),
        };
        tracing::warn!(link.id = %self.link, batch, clock.step = ?by, "{what}: their numbers order them, not their times");
    }

    /// Returns the denial for an error of the replica. A link with a damaged journal is not served again.
    fn deny(&self, error: ReplicaError) -> NotExecuted {
        tracing::error!(error = %ErrorChain(&error), link.id = %self.link, "the link can't be served");
        match error {
            ReplicaError::Store(error) => NotExecuted::by_store(&error),
            ReplicaError::Damaged(reason) => {
                self.published.damage(reason.clone());
                NotExecuted::LinkFaulted { reason }
            }
        }
    }
}

/// Returns the content of the statement. The draft's rows are moved into it.
fn new_batch(link: LinkId, node: &str, draft: &mut Draft, replica: &Replica) -> NewBatch {
    let head = replica.head();
    let before = flat_balances(replica.state());
    let after = flat_balances(&draft.state);
    let at = draft.at;
    let batch = Batch {
        link,
        number: head.batch + 1,
        at,
        node: node.to_owned(),
        epoch: head.epoch,
        rule_version: RULE_VERSION,
        period: head.period.max(period_of(at)),
        events: std::mem::take(&mut draft.rows),
        deltas: after
            .iter()
            .zip(&before)
            .map(|(after, before)| after - before)
            .collect(),
        after,
    };
    let status = if draft.state.fault.is_some() {
        STATUS_FAULTED
    } else {
        STATUS_OPEN
    };
    NewBatch {
        previous_hash: head.chain_hash,
        chain_hash: chain_hash(head.chain_hash, &batch),
        batch,
        status,
        marks: std::mem::take(&mut draft.marks),
        hits: draft.hits.values().cloned().collect(),
        tables: std::mem::take(&mut draft.tables),
    }
}
