//! The combiner: routine batches of several links in one commit statement.
//!
//! # Shape
//! Most of a small statement's cost does not depend on what is in it. Batches wait in a list for the turn. The committer
//! that gets the turn sends what waits, for all of them, and each gets its own outcome.
//!
//! # Limits
//! [`TURN_EVENTS_MAX`] events in a turn, [`SHARED_EVENTS_MAX`] events of a batch in it, [`TURN_MAX`] for the turn of one
//! batch, [`COMMIT_WAIT_MAX`] for one of several, [`WAIT_MAX`] for a turn to come.
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

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{MutexGuard, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use crate::commit_many;
use crate::connections::{COMMIT_WAIT_MAX, CommitConnections, return_if_usable};
use crate::error::StoreError;
use crate::head_page::HeadPage;
use crate::journal::NewBatch;
use crate::primary::Primary;
use crate::session::with_timeout;

/// Maximum number of events of one turn. A batch that is larger by itself is never in one.
const TURN_EVENTS_MAX: usize = 1_024;
/// Maximum number of events of a batch that shares a turn. A larger one gains little, and would hold the others up.
const SHARED_EVENTS_MAX: usize = 256;
/// Longest turn of a batch that is alone. It may wait for its head, and the other links do not wait with it.
const TURN_MAX: Duration = Duration::from_millis(20);
/// Longest wait for a turn. Nothing of the batch was sent then, and its callers learn that before their own wait ends.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The batches of a process that wait for one commit statement.
pub(crate) struct Combiner {
    turn: tokio::sync::Mutex<()>,
    waiting: Mutex<Vec<Waiting>>,
    /// One connection that no stuck link can take.
    connections: CommitConnections,
}

struct Waiting {
    batch: Arc<NewBatch>,
    /// Page of the head's row.
    head: HeadPage,
    reply: oneshot::Sender<Sent>,
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
            turn: tokio::sync::Mutex::default(),
            waiting: Mutex::default(),
            connections: CommitConnections::new(primary, 1),
        }
    }

    /// Drops the idle connection.
    pub(crate) fn drop_idle(&self) {
        self.connections.drop_idle();
    }

    /// Commits a batch in its turn, alone by `send_alone` or together with others. Returns the page of the head's new row, or
    /// `None` if the head had moved. A batch of a contested link has no turn.
    pub(crate) async fn commit<F>(
        &self,
        batch: &Arc<NewBatch>,
        head: HeadPage,
        is_contested: bool,
        send_alone: impl Fn() -> F,
    ) -> Result<Option<HeadPage>, StoreError>
    where
        F: Future<Output = Result<Option<HeadPage>, StoreError>>,
    {
        if is_contested || !batch.is_routine() || batch.batch.events.len() > SHARED_EVENTS_MAX {
            return send_alone().await;
        }
        let mut answer = self.enqueue(batch, head);
        let latest = Instant::now() + WAIT_MAX;
        loop {
            let turn = tokio::select! {
                biased;
                sent = &mut answer => return settled(sent, send_alone).await,
                turn = timeout_at(latest, self.turn.lock()) => turn,
            };
            let Ok(turn) = turn else {
                if self.withdraw(batch) {
                    return Err(StoreError::Busy { limit: WAIT_MAX });
                }
                // It is in a turn, which ends by its own limits.
                return settled(answer.await, send_alone).await;
            };
            let taken = self.take_waiting();
            match taken.as_slice() {
                // The turn before had this batch.
                [] => {}
                [only] if Arc::ptr_eq(&only.batch, batch) => {
                    return in_a_turn(turn, send_alone()).await;
                }
                _ => self.send(turn, taken).await,
            }
        }
    }

    fn enqueue(&self, batch: &Arc<NewBatch>, head: HeadPage) -> oneshot::Receiver<Sent> {
        let (reply, answer) = oneshot::channel();
        self.lock().push(Waiting {
            batch: Arc::clone(batch),
            head,
            reply,
        });
        answer
    }

    /// Takes a batch out of the list. Returns `false` if it is in a turn.
    fn withdraw(&self, batch: &Arc<NewBatch>) -> bool {
        let mut waiting = self.lock();
        let before = waiting.len();
        waiting.retain(|one| !Arc::ptr_eq(&one.batch, batch));
        waiting.len() < before
    }

    /// Takes the oldest batches that fit a turn, and drops those whose committer has ended.
    fn take_waiting(&self) -> Vec<Waiting> {
        let mut waiting = self.lock();
        waiting.retain(|one| !one.reply.is_closed());
        let mut events = 0;
        let fitting = waiting.iter().take_while(|one| {
            events += one.batch.batch.events.len();
            events <= TURN_EVENTS_MAX
        });
        let count = fitting.count();
        waiting.drain(..count).collect()
    }

    /// Sends batches in one statement, and replies to each. The turn ends before the replies, so that the next statement
    /// is on its way while the committers continue.
    async fn send(&self, turn: MutexGuard<'_, ()>, taken: Vec<Waiting>) {
        let sent = self.send_many(&taken).await.map_err(Arc::new);
        if sent.as_ref().is_err_and(|error| error.is_silence()) {
            self.deny_waiting();
        }
        drop(turn);
        for (index, one) in taken.into_iter().enumerate() {
            let sent = match &sent {
                Ok(moved) => match moved.get(index) {
                    Some(Some(head)) => Sent::Committed(*head),
                    _ => Sent::GoAlone,
                },
                Err(error) if error.refuses_content() => Sent::GoAlone,
                Err(error) => Sent::Failed(Arc::clone(error)),
            };
            // A committer that has ended asks for nothing.
            drop(one.reply.send(sent));
        }
    }

    /// Denies the batches that wait for a turn. Nothing of them was sent.
    fn deny_waiting(&self) {
        for one in std::mem::take(&mut *self.lock()) {
            let denied = StoreError::Busy {
                limit: COMMIT_WAIT_MAX,
            };
            drop(one.reply.send(Sent::Failed(Arc::new(denied))));
        }
    }

    async fn send_many(&self, taken: &[Waiting]) -> Result<Vec<Option<HeadPage>>, StoreError> {
        let batches: Vec<_> = taken.iter().map(|one| Arc::clone(&one.batch)).collect();
        let heads: Vec<_> = taken.iter().map(|one| one.head).collect();
        let mut lease = self.connections.take().await?;
        let sent = with_timeout(
            "the commit of several links",
            COMMIT_WAIT_MAX,
            commit_many::send(&mut lease.connection, &batches, &heads),
        );
        return_if_usable(sent.await, lease)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the outcome of a batch that is alone, in the turn for at most [`TURN_MAX`].
async fn in_a_turn<T>(turn: MutexGuard<'_, ()>, sent: impl Future<Output = T>) -> T {
    let mut sent = std::pin::pin!(sent);
    if let Ok(sent) = timeout(TURN_MAX, &mut sent).await {
        return sent;
    }
    drop(turn);
    sent.await
}

/// Returns the outcome of a turn, after sending the batch alone if it has to be.
async fn settled<F>(
    sent: Result<Sent, oneshot::error::RecvError>,
    send_alone: impl Fn() -> F,
) -> Result<Option<HeadPage>, StoreError>
where
    F: Future<Output = Result<Option<HeadPage>, StoreError>>,
{
    match sent {
        Ok(Sent::Committed(head)) => Ok(Some(head)),
        Ok(Sent::GoAlone) => send_alone().await,
        Ok(Sent::Failed(error)) => Err(StoreError::Combined(error)),
        // The committer that had the turn has ended, perhaps after it sent the statement.
        Err(_) => Err(StoreError::TurnLost),
    }
}
