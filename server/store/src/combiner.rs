//! The combiner: routine batches of several links in one commit statement.
//!
//! # Shape
//! Most of a small statement's cost does not depend on what is in it. Batches wait in a queue. The committer of the oldest one
//! gets the turn, sends what waits, for all of them, and each gets its own outcome.
//!
//! A batch that waits may still grow ([`OpenBatch`]). It is sealed when it is sent. One that grows at that moment stays for
//! the next turn.
//!
//! A turn that ends passes to the oldest batch that waits, at once. No committer of the statement before has to run in
//! between, so the connection does not wait for them.
//!
//! A link that has all to itself sends large batches, which have no turn. In company it sends small ones, so that no other link
//! waits for a large one, or shares a core with it ([`Company`]).
//!
//! # Limits
//! [`TURN_EVENTS_MAX`] events in a turn, [`TURN_MAX`] for the turn of one batch, [`COMMIT_WAIT_MAX`] for one of several,
//! [`WAIT_MAX`] for a turn to come.
//!
//! # Order and locking
//! No link waits for another one's rows:
//! - A statement for several links passes over the heads that others hold or have moved. Their batches go alone, on
//!   another connection.
//! - A batch that is alone in its turn may wait for its head. The turn then ends after [`TURN_MAX`], and the batch waits
//!   on without it.
//! - A link whose last batch lost its head, or waited too long for it, is contested. Its next batch goes without a turn.
//! - If the database refuses a statement for its content, all its batches go alone. The refused one is so found, and
//!   the others stand.
//!
//! A statement without an answer leaves every batch in it unknown. Each link resolves its own by the epoch of its head.
//! The batches that waited meanwhile are denied: nothing of them was sent, and a silent database would make each of them
//! wait as long again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use crate::commit_many;
use crate::company::Company;
use crate::connections::{COMMIT_WAIT_MAX, CommitConnections, return_if_usable};
use crate::error::StoreError;
use crate::head_page::HeadPage;
use crate::new_batch::NewBatch;
use crate::open_batch::{NotSealed, OpenBatch};
use crate::primary::Primary;
use crate::session::with_timeout;

/// Maximum number of events of one turn. A batch that is larger by itself is never in one.
const TURN_EVENTS_MAX: usize = 1_024;
/// Longest turn of a batch that is alone. It may wait for its head, and the other links do not wait with it.
const TURN_MAX: Duration = Duration::from_millis(20);
/// Longest wait for a turn. Nothing of the batch was sent then, and its callers learn that before their own wait ends.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The batches of a process that wait for one commit statement.
pub(crate) struct Combiner {
    queue: Arc<Queue>,
    /// One connection that no stuck link can take.
    connections: CommitConnections,
}

/// The batches that wait, oldest first, whether a committer has the turn, and who has committed last. While none has the
/// turn, nothing waits.
#[derive(Default)]
struct Queue(Mutex<Line>);

#[derive(Default)]
struct Line {
    is_turn_taken: bool,
    company: Company,
    waiting: VecDeque<Waiting>,
}

/// A batch that waits, an [`OpenBatch`], or one that was taken for a statement.
struct Waiting<B = Arc<OpenBatch>> {
    batch: B,
    /// Page of the head's row.
    head: HeadPage,
    reply: oneshot::Sender<Reply>,
}

/// A batch that was taken for a statement.
type Taken = Waiting<Arc<NewBatch>>;

/// The right to send what waits. It passes to the oldest batch that waits when it is dropped.
struct Turn(Arc<Queue>);

/// What a batch's committer hears after it has waited.
enum Reply {
    /// The turn is its own. The batch waits no more.
    Turn(Turn),
    /// Another committer sent the batch.
    Sent(Sent),
}

/// The outcome of a batch's turn.
enum Sent {
    /// The batch is durable, and the head's row is on this page now.
    Committed(HeadPage),
    /// Nothing of the batch was written: it is to be sent alone.
    GoAlone,
    /// The statement failed for all of its batches.
    Failed(Arc<StoreError>),
}

impl Combiner {
    pub(crate) fn new(primary: Arc<Primary>) -> Self {
        Self {
            queue: Arc::default(),
            connections: CommitConnections::new(primary, 1),
        }
    }

    /// Drops the idle connection.
    pub(crate) fn drop_idle(&self) {
        self.connections.drop_idle();
    }

    /// Returns `true` if another link than this one has committed within the last moments.
    pub(crate) fn is_shared(&self, link: LinkId) -> bool {
        self.queue.lock().company.has_other(link, Instant::now())
    }

    /// Commits a batch in its turn, alone by `send_alone` or together with others. Returns the page of the head's new row, or
    /// `None` if the head had moved. A batch of a contested link has no turn.
    pub(crate) async fn commit<F>(
        &self,
        (link, batch): (LinkId, &Arc<OpenBatch>),
        head: HeadPage,
        is_contested: bool,
        send_alone: impl Fn() -> F,
    ) -> Result<Option<HeadPage>, StoreError>
    where
        F: Future<Output = Result<Option<HeadPage>, StoreError>>,
    {
        self.queue.lock().company.note(link, Instant::now());
        if is_contested || !batch.may_share() {
            return send_alone().await;
        }
        let mut answer = self.queue.add(batch, head);
        let received = match timeout(WAIT_MAX, &mut answer).await {
            Ok(reply) => reply,
            Err(_) if self.queue.withdraw(batch) => {
                return Err(StoreError::Busy { limit: WAIT_MAX });
            }
            // It is in a turn, which ends by its own limits.
            Err(_) => answer.await,
        };
        let sent = match received {
            Ok(Reply::Sent(sent)) => sent,
            Ok(Reply::Turn(turn)) => {
                let batch = batch.seal();
                if !batch.is_routine() {
                    drop(turn);
                    return send_alone().await;
                }
                let others = turn.take_beside(&batch);
                if others.is_empty() {
                    return in_a_turn(turn, send_alone()).await;
                }
                self.send(turn, &batch, head, others).await
            }
            // The committer that had the turn has ended, perhaps after it sent the statement.
            Err(_) => return Err(StoreError::TurnLost),
        };
        match sent {
            Sent::Committed(head) => Ok(Some(head)),
            Sent::GoAlone => send_alone().await,
            Sent::Failed(error) => Err(StoreError::Combined(error)),
        }
    }

    /// Sends a batch and others in one statement, replies to the others, and returns the outcome of the one. The turn ends
    /// before the replies, so that the next statement is on its way while the committers continue.
    async fn send(
        &self,
        turn: Turn,
        batch: &Arc<NewBatch>,
        head: HeadPage,
        others: Vec<Taken>,
    ) -> Sent {
        let sent = self.send_many(batch, head, &others).await.map_err(Arc::new);
        if sent.as_ref().is_err_and(|error| error.is_silence()) {
            turn.deny_waiting();
        }
        drop(turn);
        for (index, one) in (1..).zip(others) {
            // A committer that has ended asks for nothing.
            drop(one.reply.send(Reply::Sent(Sent::of(&sent, index))));
        }
        Sent::of(&sent, 0)
    }

    async fn send_many(
        &self,
        batch: &Arc<NewBatch>,
        head: HeadPage,
        others: &[Taken],
    ) -> Result<Vec<Option<HeadPage>>, StoreError> {
        let mut batches = vec![Arc::clone(batch)];
        batches.extend(others.iter().map(|one| Arc::clone(&one.batch)));
        let mut heads = vec![head];
        heads.extend(others.iter().map(|one| one.head));
        let mut lease = self.connections.take().await?;
        let sent = with_timeout(
            "the commit of several links",
            COMMIT_WAIT_MAX,
            commit_many::send(&mut lease.connection, &batches, &heads),
        );
        return_if_usable(sent.await, lease)
    }
}

impl Queue {
    /// Adds a batch. If no committer has the turn, this one has it at once.
    fn add(self: &Arc<Self>, batch: &Arc<OpenBatch>, head: HeadPage) -> oneshot::Receiver<Reply> {
        let (reply, answer) = oneshot::channel();
        let mut line = self.lock();
        if line.is_turn_taken {
            line.waiting.push_back(Waiting {
                batch: Arc::clone(batch),
                head,
                reply,
            });
            return answer;
        }
        line.is_turn_taken = true;
        drop(line);
        drop(reply.send(Reply::Turn(Turn(Arc::clone(self)))));
        answer
    }

    /// Takes a batch out of the queue. Returns `false` if it waits no more: it is in a turn, or has its own.
    fn withdraw(&self, batch: &Arc<OpenBatch>) -> bool {
        let waiting = &mut self.lock().waiting;
        let before = waiting.len();
        waiting.retain(|one| !Arc::ptr_eq(&one.batch, batch));
        waiting.len() < before
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Seals and takes the oldest batches that fit the turn beside one, and drops those whose committer has ended. A batch
    /// that has grown by what can't share a statement goes alone.
    fn take_beside(&self, batch: &NewBatch) -> Vec<Taken> {
        let mut room = TURN_EVENTS_MAX.saturating_sub(batch.batch.events.len());
        let mut taken = Vec::new();
        let mut line = self.0.lock();
        let mut left = VecDeque::with_capacity(line.waiting.len());
        for one in line.waiting.drain(..) {
            if one.reply.is_closed() {
                continue;
            }
            match one.batch.seal_within(room) {
                Ok(batch) if batch.is_routine() => {
                    room -= batch.batch.events.len();
                    let Waiting { head, reply, .. } = one;
                    taken.push(Waiting { batch, head, reply });
                }
                Ok(_) => drop(one.reply.send(Reply::Sent(Sent::GoAlone))),
                Err(not_sealed) => {
                    // No batch overtakes one that has no room.
                    if matches!(not_sealed, NotSealed::NoRoom) {
                        room = 0;
                    }
                    left.push_back(one);
                }
            }
        }
        line.waiting = left;
        taken
    }

    /// Denies the batches that wait for a turn. Nothing of them was sent.
    fn deny_waiting(&self) {
        let waiting = std::mem::take(&mut self.0.lock().waiting);
        for one in waiting {
            let denied = StoreError::Busy {
                limit: COMMIT_WAIT_MAX,
            };
            drop(one.reply.send(Reply::Sent(Sent::Failed(Arc::new(denied)))));
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut line = self.0.lock();
        line.waiting.retain(|one| !one.reply.is_closed());
        let Some(next) = line.waiting.pop_front() else {
            line.is_turn_taken = false;
            return;
        };
        drop(line);
        // The reply to a committer that has just ended comes back, and is dropped: the turn passes again.
        drop(next.reply.send(Reply::Turn(Turn(Arc::clone(&self.0)))));
    }
}

impl Sent {
    /// Returns the outcome of the batch at a position of a statement for several.
    fn of(statement: &Result<Vec<Option<HeadPage>>, Arc<StoreError>>, position: usize) -> Self {
        match statement {
            Ok(moved) => match moved.get(position) {
                Some(Some(head)) => Self::Committed(*head),
                _ => Self::GoAlone,
            },
            Err(error) if error.refuses_content() => Self::GoAlone,
            Err(error) => Self::Failed(Arc::clone(error)),
        }
    }
}

/// Waits for the outcome of a batch that is alone, in the turn for at most [`TURN_MAX`].
async fn in_a_turn<T>(turn: Turn, sent: impl Future<Output = T>) -> T {
    let mut sent = std::pin::pin!(sent);
    if let Ok(sent) = timeout(TURN_MAX, &mut sent).await {
        return sent;
    }
    drop(turn);
    sent.await
}
