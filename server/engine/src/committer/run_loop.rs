//! The committer's run loop: one batch after another.
//!
//! # Shape
//! The loop takes the waiting requests ([`Intake`]), decides them on a draft ([`Decider`]), commits the draft
//! ([`BatchWriter`]), and replies ([`Replies`]). The commit is one statement that moves the link's head from n to n + 1
//! if it still is n. If another node has moved the head, the writer locks it and catches up, and the loop decides
//! again.
//!
//! # Limits
//! [`ATTEMPTS_MAX`] attempts a batch. The intake and the writer have limits of their own.
//!
//! # Order
//! As if the commands had run one at a time in the order of their arrival. Before replying from the replica, the
//! committer confirms that the head has not moved since the request arrived. Replays are exempt: a table's sequence
//! numbers only increase, so a replay stays a replay.
//!
//! # Failures
//! A lost connection during a commit: see [`recovery`](super::recovery).

use std::sync::Arc;

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_store::Journal;
use tokio::sync::mpsc;

use super::commit::{BatchWriter, CommitError, CommitStep};
use super::decided::{DecidedBatch, DecidedRequest, undecided};
use super::decider::{Decider, Sources};
use super::draft::{Draft, origin_of};
use super::intake::{Gathered, Intake, deny_all};
use super::old_replays::OldReplays;
use super::published_state::PublishedState;
use super::replica::{Replica, ReplicaError};
use super::replies::Replies;
use super::request::Request;
use crate::answer::NotExecuted;
use crate::fault_reason::BATCH_REFUSED;
use crate::metrics::{batch_count, instruments};
use crate::trace::BatchSpan;

/// Attempts to commit a batch while other nodes move the head.
const ATTEMPTS_MAX: u32 = 16;
/// Number of waiting commands up to which a batch is small whatever its limit is.
const FEW_COMMANDS: usize = 64;
/// Events after which a snapshot is written.
const SNAPSHOT_EVENTS: u64 = 100_000;
/// The constraint that makes a table's name unique among all links.
const TABLE_NAME_CONSTRAINT: &str = "game_table_name_key";

/// The committer of one link.
pub(crate) struct Committer<J> {
    link: LinkId,
    replica: Replica,
    published: Arc<PublishedState>,
    intake: Intake,
    decider: Decider,
    writer: BatchWriter<J>,
    replies: Replies,
}

impl<J: Journal> Committer<J> {
    /// Loads the link.
    ///
    /// # Errors
    /// [`ReplicaError`] if the journal can't be read or is damaged.
    pub(crate) async fn load(
        link: LinkId,
        node: Arc<str>,
        mut journal: J,
        queue: mpsc::Receiver<Request>,
        sources: Sources,
    ) -> Result<Self, ReplicaError> {
        let replica = Replica::load(&mut journal).await?;
        let published = Arc::new(PublishedState::default());
        published.show(replica.state_at());
        let old_replays = OldReplays::start(journal.another_handle());
        Ok(Self {
            link,
            intake: Intake::new(queue),
            decider: Decider::new(sources, Arc::clone(&published)),
            writer: BatchWriter::new(link, node, journal, Arc::clone(&published)),
            replies: Replies::new(Arc::clone(&published), old_replays),
            replica,
            published,
        })
    }

    /// Returns the state that readers outside the committer see.
    pub(crate) fn published(&self) -> Arc<PublishedState> {
        Arc::clone(&self.published)
    }

    /// Returns the number of the replica's newest batch.
    pub(crate) const fn batch(&self) -> u64 {
        self.replica.head().batch
    }

    /// Records the time of the newest batch, to detect a step of the clock.
    pub(crate) fn set_last_batch(&mut self, at: Timestamp) {
        self.writer.set_last_batch(at);
    }

    /// Serves requests until the queue is closed or stays idle, then writes a snapshot.
    pub(crate) async fn run(mut self) {
        loop {
            let keep_open = self.replica.has_proposals();
            let head = self.replica.head().chain_hash;
            if self.intake.waiting() > FEW_COMMANDS {
                self.intake.limit(self.writer.commands_max());
            }
            let Some(gathered) = self.intake.gather(head, keep_open).await else {
                break;
            };
            self.serve(gathered).await;
            if self.replica.events_since_snapshot() >= SNAPSHOT_EVENTS {
                self.writer.save_snapshot(&mut self.replica);
            }
        }
        self.replies.finish().await;
        self.published.hide();
        if self.replica.events_since_snapshot() > 0
            && self.published.damaged().is_none()
            && let Err(error) = self.writer.save_snapshot(&mut self.replica).await
        {
            tracing::warn!(%error, "the snapshot at the end was not written");
        }
    }

    /// Serves the requests of one batch, by the pipelined decision if there is one.
    async fn serve(&mut self, gathered: Gathered) {
        if gathered.is_empty() {
            return;
        }
        if let Err(denied) = self.writer.resolve(&mut self.replica).await {
            return self.deny_unresolved(gathered.into_requests(), &denied);
        }
        let Gathered { decided, requests } = gathered;
        let batch = match decided {
            Some(mut batch) => {
                self.decider.extend(&self.replica, &mut batch, requests);
                batch
            }
            None => self.decider.decide(&self.replica, requests),
        };
        self.commit(batch).await;
    }

    /// Commits a batch and replies. Decides it again while other nodes move the head.
    async fn commit(&mut self, mut batch: DecidedBatch) {
        let mut was_unresolved = false;
        let callers = batch.requests.iter().filter_map(DecidedRequest::caller);
        let mut span = BatchSpan::begin(self.link, callers);
        for _ in 0..ATTEMPTS_MAX {
            let DecidedBatch {
                draft,
                mut requests,
            } = batch;
            let step = if draft.rows.is_empty() {
                self.writer.confirm(&mut self.replica, &requests).await
            } else {
                self.write(draft, &mut requests, &mut span).await
            };
            match step {
                Ok(CommitStep::Done(outcomes)) => {
                    batch_count::record(&requests, &outcomes);
                    span.committed(self.replica.head().batch, requests.len());
                    let (replica, intake) = (&self.replica, &self.intake);
                    return self.replies.send(requests, outcomes, replica, intake).await;
                }
                Ok(CommitStep::Retry) => instruments().record_retry(),
                Ok(CommitStep::RetryResolved) => was_unresolved = true,
                Err(CommitError::NotExecuted(_)) if was_unresolved => {
                    self.writer.unlock().await;
                    return deny_all(undecided(requests), &NotExecuted::OutcomeUnknown);
                }
                Err(error) => return self.fail(requests, error).await,
            }
            batch = self.decider.decide(&self.replica, undecided(requests));
        }
        self.writer.unlock().await;
        let denied = if was_unresolved {
            NotExecuted::OutcomeUnknown
        } else {
            NotExecuted::Busy
        };
        deny_all(undecided(batch.requests), &denied);
    }

    async fn write(
        &mut self,
        draft: Draft,
        requests: &mut Vec<DecidedRequest>,
        span: &mut BatchSpan,
    ) -> Result<CommitStep, CommitError> {
        let (replica, intake) = (&mut self.replica, (&mut self.intake, &self.decider));
        self.writer
            .commit(draft, requests, replica, intake, span)
            .await
    }

    /// Replies to the requests of a batch that was not committed. If the database refused the content, each request is
    /// served alone, so that the others are committed.
    async fn fail(&mut self, requests: Vec<DecidedRequest>, error: CommitError) {
        let requests = undecided(requests);
        match error {
            CommitError::NotExecuted(denied) => deny_all(requests, &denied),
            CommitError::RolledBack(constraint) => {
                // What arrives meanwhile comes after all of these.
                let was_held = self.intake.hold(true);
                if requests.len() == 1 {
                    let denied = self.refuse(constraint).await;
                    deny_all(requests, &denied);
                } else {
                    for request in requests {
                        Box::pin(self.serve(Gathered::one(request))).await;
                    }
                }
                self.intake.hold(was_held);
            }
        }
    }

    /// Denies all requests. A request whose command may be in the unresolved commit gets `outcome_unknown`.
    fn deny_unresolved(&self, requests: Vec<Request>, denied: &NotExecuted) {
        for request in requests {
            let is_unresolved = match &request {
                Request::Command(command) => {
                    let origin = origin_of(&command.envelope.command);
                    self.writer.is_unresolved(origin)
                }
                Request::State(_) => false,
            };
            request.deny(if is_unresolved {
                NotExecuted::OutcomeUnknown
            } else {
                denied.clone()
            });
        }
    }

    /// Returns the denial of a single command that the database refused. The name of a table may be taken. A violation
    /// of any other constraint shows that the rules would have broken the books, so the link is faulted.
    async fn refuse(&mut self, constraint: Option<String>) -> NotExecuted {
        match constraint.as_deref() {
            Some(TABLE_NAME_CONSTRAINT) => NotExecuted::RequestReused(vec![(
                "table".to_owned(),
                "a table of this name is on another link".to_owned(),
            )]),
            Some(constraint) => {
                tracing::error!(link.id = %self.link, constraint, "the database refused a batch: the link is faulted");
                let reason = BATCH_REFUSED.to_owned();
                if !self.fault(&reason).await {
                    self.writer.unlock().await;
                    self.published.damage(reason.clone());
                }
                NotExecuted::LinkFaulted { reason }
            }
            None => NotExecuted::DatabaseUnavailable,
        }
    }

    /// Journals a fault, with retries while other nodes move the head. Returns `true` once the link is faulted.
    async fn fault(&mut self, reason: &str) -> bool {
        for _ in 0..ATTEMPTS_MAX {
            if self.replica.state().fault.is_some() {
                self.writer.unlock().await;
                return true;
            }
            let base = self.decider.base(&self.replica);
            let mut draft = Draft::new(&base, 1);
            draft.fault_link(&base, reason.to_owned());
            let (mut requests, mut span) = (Vec::new(), BatchSpan::none(self.link));
            match self.write(draft, &mut requests, &mut span).await {
                Ok(CommitStep::Done(_)) => return true,
                Ok(CommitStep::Retry | CommitStep::RetryResolved) => {}
                Err(_) => return false,
            }
        }
        false
    }
}
