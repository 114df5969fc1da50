//! The committer: every command of one link in this process goes through here, one batch after another.
//!
//! # Shape
//! Take what waits, decide it in memory into a [`Draft`], send one statement that moves the link's head from n to
//! n + 1 if it still is n (what comes meanwhile is decided on that draft: `ahead.rs`), merge the draft, answer. No
//! row back means that another node committed: then lock the head, apply what was missed, decide again.
//!
//! # What bounds it
//! [`BATCH_COMMANDS_MAX`] a batch, one batch ahead of it, [`QUEUE_COMMANDS_MAX`] waiting, [`QUEUE_WAIT_MAX`] in the queue,
//! [`RECOVER_MAX`] for a lost database before callers hear that the outcome is unknown.
//!
//! # Order
//! As if the commands had run one at a time in the order of their arrival. Nothing that was derived from memory
//! alone leaves before the head was confirmed after the request came, by the batch's own statement or by reading it.
//!
//! # What can stop it
//! Losing the database in the middle. Then the head is locked on a new connection (which waits for the lost
//! statement) and its epoch raised (which keeps a late one out for good); what it says decides.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::name::LinkId;
use meterhouse_store::{Journal, NewBatch, StoredSnapshot};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::answer::{Answer, Denied, Outcome};
use crate::clock::{Clock, LastBatch, now};
use crate::committer::draft::{Base, Draft, Verdict, origin_of};
use crate::committer::entropy::{self, Chance};
use crate::committer::intake::Ahead;
use crate::committer::old_repeats::OldRepeats;
use crate::committer::published_state::{Known, Present};
use crate::committer::refusal_limit::RefusalLimit;
use crate::committer::replica::{Memory, MemoryError};
use crate::committer::replies::{Returning, Spent};

/// Commands in one batch: past a few hundred a larger one buys little and costs everybody latency.
pub(crate) const BATCH_COMMANDS_MAX: usize = 1_024;
/// Commands that may wait for one link. Past it a caller hears "busy" at once.
pub(crate) const QUEUE_COMMANDS_MAX: usize = 4 * BATCH_COMMANDS_MAX;
/// How long a command may wait in the queue.
pub(crate) const QUEUE_WAIT_MAX: Duration = Duration::from_secs(2);
/// How long the outcome of a lost statement is sought anew before its callers hear that it is unknown; an attempt that
/// is under way by then ends by the store's own limits.
pub(crate) const RECOVER_MAX: Duration = Duration::from_secs(5);
/// Pause between two attempts to reach a lost database.
pub(crate) const RECOVER_PAUSE: Duration = Duration::from_millis(50);
/// How often a batch is decided again because other nodes moved the head.
pub(crate) const ATTEMPTS_MAX: u32 = 16;
/// Events after which a snapshot is written.
const SNAPSHOT_EVENTS: u64 = 100_000;
/// A link that nobody asked for so long leaves memory.
pub(crate) const IDLE_MAX: Duration = Duration::from_mins(10);

const _: () = assert!(BATCH_COMMANDS_MAX <= QUEUE_COMMANDS_MAX);

/// What waits for a committer.
pub(crate) struct Work {
    /// What is asked for.
    pub(crate) ask: Ask,
    /// Since when.
    pub(crate) received: Instant,
}

/// What is asked of a committer.
pub(crate) enum Ask {
    /// A command.
    Command {
        /// The command with its sender.
        envelope: Envelope,
        /// Where the answer goes.
        reply: oneshot::Sender<Result<Reached, Denied>>,
    },
    /// The link's state, confirmed after the question came.
    Look {
        /// Where it goes.
        reply: oneshot::Sender<Result<Known, Denied>>,
    },
}

/// What became of a command.
#[derive(Debug)]
pub(crate) enum Reached {
    /// This.
    Outcome(Answer),
    /// The same person had done it before.
    DoneBefore,
}

/// A batch whose commit was lost with the database.
pub(crate) struct Lost {
    pub(crate) draft: Draft,
    pub(crate) new: NewBatch,
    /// Whether it was found in the journal, before batches of others.
    pub(crate) was_made: bool,
}

/// How an attempt to commit ended.
pub(crate) enum Attempt {
    /// It is durable, or nothing had to be written and the head was confirmed.
    Done,
    /// Memory has caught up: decide again.
    Again,
    /// A lost commit is settled: decide again. What fails now may fail for some whose command was counted before.
    Settled,
    /// Nobody gets an answer.
    Failed(Denied),
    /// The database refused what is in it, for this constraint if it named one.
    RolledBack(Option<String>),
}

/// A batch as decided, and what each of its askers will hear; questions have no verdict.
pub(crate) type Decided = (Draft, Vec<Option<Verdict>>);

/// What each asker hears, and the outcomes that the verdicts name.
type Ended = (Vec<Option<Verdict>>, Vec<Outcome>);

/// The committer of one link.
pub(crate) struct Committer<J> {
    pub(crate) link: LinkId,
    pub(crate) node: Arc<str>,
    pub(crate) journal: J,
    pub(crate) memory: Memory,
    pub(crate) limit: RefusalLimit,
    /// What waits.
    pub(crate) queue: mpsc::Receiver<Work>,
    /// What was taken from it while the last batch was on its way.
    pub(crate) ahead: Ahead,
    /// What tells the time.
    pub(crate) clock: Clock,
    /// What it is compared with.
    pub(crate) last_batch: LastBatch,
    /// What draws.
    pub(crate) chance: Chance,
    /// A commit whose outcome is not known yet; nothing else happens before it is.
    pub(crate) lost: Option<Box<Lost>>,
    /// What readers beside it see; also why the link can't be served at all, where its journal is damaged.
    pub(crate) present: Arc<Present>,
    pub(crate) locked: bool,
    /// The answers to the last batch, on their way beside the next one.
    pub(crate) answering: Option<tokio::task::JoinHandle<()>>,
    /// Whether its askers come back at once.
    pub(crate) returning: Returning,
    /// Repeats that are looked up beside it.
    pub(crate) old_repeats: OldRepeats,
    /// What the last batch replaced.
    pub(crate) spent: Spent,
}

impl<J: Journal> Committer<J> {
    /// Loads the link.
    pub(crate) async fn load(
        link: LinkId,
        node: Arc<str>,
        mut journal: J,
        queue: mpsc::Receiver<Work>,
    ) -> Result<Self, MemoryError> {
        let memory = Memory::load(&mut journal).await?;
        let limit = RefusalLimit::new();
        let present = Arc::new(Present::default());
        present.show(memory.head.batch, &memory.state);
        Ok(Self {
            link,
            node,
            journal,
            memory,
            limit,
            queue,
            ahead: Ahead::default(),
            clock: Arc::new(now),
            last_batch: LastBatch::default(),
            chance: Arc::new(entropy::system),
            lost: None,
            present,
            locked: false,
            answering: None,
            returning: Returning::default(),
            old_repeats: OldRepeats::default(),
            spent: Spent::default(),
        })
    }

    /// Serves what waits until the queue is closed or nobody has asked for [`IDLE_MAX`]; then writes a snapshot.
    pub(crate) async fn run(mut self) {
        loop {
            let Some((works, decided)) = self.gather().await else {
                break;
            };
            self.serve(works, decided).await;
            if self.memory.events_since_snapshot >= SNAPSHOT_EVENTS {
                self.save_snapshot();
            }
        }
        self.answered().await;
        self.old_repeats.finish().await;
        self.present.hide();
        if self.memory.events_since_snapshot > 0
            && self.present.damaged().is_none()
            && let Err(error) = self.save_snapshot().await
        {
            tracing::warn!(%error, "the snapshot at the end was not written");
        }
    }

    /// Writes a snapshot beside the work; it is a cache, so a failure is only logged.
    fn save_snapshot(&mut self) -> tokio::task::JoinHandle<()> {
        self.memory.events_since_snapshot = 0;
        let snapshot = self.memory.snapshot();
        let mut journal = self.journal.beside();
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

    /// Serves one batch of what waits, as it was decided ahead if it was.
    async fn serve(&mut self, works: Vec<Work>, decided: Option<Decided>) {
        if works.is_empty() {
            return;
        }
        if let Err(denied) = self.settle_lost().await {
            return self.deny_unsettled(works, &denied);
        }
        match self.attempt(&works, decided).await {
            Ok((verdicts, outcomes)) => self.answer(works, verdicts, outcomes).await,
            Err(Attempt::RolledBack(constraint)) if works.len() == 1 => {
                let denied = self.rolled_back(constraint).await;
                deny_all(works, &denied);
            }
            // One of them can't be written: each by itself, so that the others are.
            Err(Attempt::RolledBack(_)) => {
                for work in works {
                    Box::pin(self.serve(vec![work], None)).await;
                }
            }
            Err(Attempt::Failed(denied)) => deny_all(works, &denied),
            Err(Attempt::Done | Attempt::Again | Attempt::Settled) => {
                deny_all(works, &Denied::Busy);
            }
        }
    }

    /// Decides and commits, again while others move the head.
    async fn attempt(
        &mut self,
        works: &[Work],
        mut decided: Option<Decided>,
    ) -> Result<Ended, Attempt> {
        let mut was_lost = false;
        for _ in 0..ATTEMPTS_MAX {
            let (draft, verdicts) = decided.take().unwrap_or_else(|| self.decide(works));
            let ended = if draft.rows.is_empty() {
                self.confirm(&verdicts).await
            } else {
                self.commit(draft).await
            };
            match ended {
                (Attempt::Done, outcomes) => return Ok((verdicts, outcomes)),
                (Attempt::Again, _) => {}
                (Attempt::Settled, _) => was_lost = true,
                (Attempt::Failed(_), _) if was_lost => break,
                (other, _) => return Err(other),
            }
        }
        self.unlock().await;
        Err(Attempt::Failed(if was_lost {
            Denied::OutcomeUnknown
        } else {
            Denied::Busy
        }))
    }

    /// Tells everybody that nothing was counted, except those whose command may be in the lost commit.
    fn deny_unsettled(&self, works: Vec<Work>, denied: &Denied) {
        for work in works {
            let denied = if self.is_unsettled(&work) {
                Denied::OutcomeUnknown
            } else {
                denied.clone()
            };
            work.deny(denied);
        }
    }

    /// Whether this command may be in the lost commit; people's commands have no numbers to tell them apart.
    fn is_unsettled(&self, work: &Work) -> bool {
        let (Ask::Command { envelope, .. }, Some(lost)) = (&work.ask, &self.lost) else {
            return false;
        };
        let origin = origin_of(&envelope.command);
        lost.draft
            .outcomes
            .iter()
            .any(|it| it.recorded.origin == origin)
    }

    /// What the next batch is decided on.
    pub(crate) fn base(&self) -> Base<'_> {
        Base {
            state: &self.memory.state,
            before: None,
            recent: &self.memory.recent,
            hits: &self.memory.hits,
            chance: &self.chance,
            batch: self.memory.head.batch + 1,
            at: (self.clock)(),
            books_passed: self.present.books_passed(),
        }
    }

    /// Decides all of it on a draft.
    fn decide(&self, works: &[Work]) -> Decided {
        let base = self.base();
        let mut draft = Draft::new(&base, works.len());
        let verdicts = works
            .iter()
            .map(|work| work.decide(&mut draft, &base, &self.limit))
            .collect();
        (draft, verdicts)
    }
}

/// Answers what has waited too long.
pub(crate) fn refuse_overdue(works: Vec<Work>) -> Vec<Work> {
    let now = Instant::now();
    let is_overdue = |work: &Work| now.duration_since(work.received) > QUEUE_WAIT_MAX;
    if !works.iter().any(is_overdue) {
        return works;
    }
    let (overdue, works): (Vec<Work>, Vec<Work>) = works.into_iter().partition(is_overdue);
    deny_all(overdue, &Denied::Busy);
    works
}

/// Tells everybody the same. Whoever hung up is not told.
fn deny_all(works: Vec<Work>, denied: &Denied) {
    for work in works {
        work.deny(denied.clone());
    }
}

impl Work {
    /// Tells the asker that there is no answer.
    pub(crate) fn deny(self, denied: Denied) {
        match self.ask {
            Ask::Command { reply, .. } => drop(reply.send(Err(denied))),
            Ask::Look { reply } => drop(reply.send(Err(denied))),
        }
    }
}
