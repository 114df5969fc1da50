//! The intake: the queue of requests, and the batch that is decided while the one before it is being committed.
//!
//! # Shape
//! Requests that arrive while a batch waits to be sent are added to it ([`Growing`]). Pipelining: those that arrive
//! afterwards, during the commit, are decided on the state that the commit leaves. Once it is durable, the next batch is
//! ready to be sent. If it fails, the pipelined draft is dropped and its requests are decided again.
//!
//! # Limits
//! One pipelined batch of [`BATCH_COMMANDS_MAX`] requests, or fewer by the intake's limit. Later requests wait in the queue.
//!
//! # Order
//! A pipelined batch is answered only after its own commit, so no answer depends on a batch that was not committed.

use std::future::ready;
use std::pin::{Pin, pin};
use std::time::Duration;

use meterhouse_journal::batch::ChainHash;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::decided::{DecidedBatch, undecided};
use super::decider::Decider;
use super::growing::Growing;
use super::replica::{Replica, Retired};
use super::request::{BATCH_COMMANDS_MAX, Request};
use crate::answer::NotExecuted;
use crate::metrics::instruments;

/// Time without a request after which a link is unloaded.
const IDLE_MAX: Duration = Duration::from_mins(10);

/// A batch that was decided while the previous one was being committed.
struct PipelinedBatch {
    /// The hash of the previous batch. The decision holds only on that head.
    on: ChainHash,
    batch: DecidedBatch,
}

/// Requests for the next batch.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The pipelined batch, if the head is the one on which it was decided.
    pub(crate) decided: Option<DecidedBatch>,
    /// Requests that are not decided yet.
    pub(crate) requests: Vec<Request>,
}

impl Gathered {
    /// Returns one request that is not decided.
    pub(crate) fn one(request: Request) -> Self {
        Self {
            decided: None,
            requests: vec![request],
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.decided.is_none() && self.requests.is_empty()
    }

    /// Returns all requests, without verdicts.
    pub(crate) fn into_requests(self) -> Vec<Request> {
        let decided = self.decided.map(|batch| undecided(batch.requests));
        let mut requests = decided.unwrap_or_default();
        requests.extend(self.requests);
        requests
    }
}

/// The intake of one link.
pub(crate) struct Intake {
    queue: mpsc::Receiver<Request>,
    pipelined: Option<PipelinedBatch>,
    /// A buffer for the requests just received, kept for its capacity.
    arrived: Vec<Request>,
    /// Maximum number of requests of a batch.
    commands_max: usize,
    /// Set while a refused batch is committed in parts. Later requests wait for the last part.
    is_held: bool,
}

impl Intake {
    pub(crate) fn new(queue: mpsc::Receiver<Request>) -> Self {
        Self {
            queue,
            pipelined: None,
            arrived: Vec::new(),
            commands_max: BATCH_COMMANDS_MAX,
            is_held: false,
        }
    }

    /// Sets the maximum number of requests of a batch.
    pub(crate) const fn limit(&mut self, commands: usize) {
        self.commands_max = commands;
    }

    /// Takes no requests during a commit, or takes them again. Returns what it did before.
    pub(crate) const fn hold(&mut self, is_held: bool) -> bool {
        std::mem::replace(&mut self.is_held, is_held)
    }

    /// Returns the number of requests in the queue.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Waits for the requests of the next batch. Returns nothing once the queue is closed and empty. After [`IDLE_MAX`]
    /// without a request the queue is closed, unless `keep_open`.
    pub(crate) async fn gather(&mut self, head: ChainHash, keep_open: bool) -> Option<Gathered> {
        let mut gathered = self.take_pipelined(head);
        if gathered.is_empty() {
            let requests = &mut gathered.requests;
            let waiting = self.queue.recv_many(requests, self.commands_max);
            match timeout(IDLE_MAX, waiting).await {
                Ok(0) => return None,
                // The queue is closed before it is drained, so a request sent in between is still served.
                Err(_) if !keep_open => self.queue.close(),
                Ok(_) | Err(_) => {}
            }
        } else {
            let decided = gathered.decided.as_ref();
            let mut count = decided.map_or(0, |batch| batch.requests.len());
            count += gathered.requests.len();
            while count < self.commands_max
                && let Ok(request) = self.queue.try_recv()
            {
                gathered.requests.push(request);
                count += 1;
            }
        }
        record_wait(&gathered.requests);
        if gathered.decided.is_none() {
            gathered.requests = deny_overdue(gathered.requests);
        }
        Some(gathered)
    }

    /// Returns the pipelined batch, without its verdicts if it was decided on another head.
    fn take_pipelined(&mut self, head: ChainHash) -> Gathered {
        match self.pipelined.take() {
            Some(PipelinedBatch { on, batch }) if on == head => Gathered {
                decided: Some(batch),
                requests: Vec::new(),
            },
            Some(PipelinedBatch { batch, .. }) => Gathered {
                decided: None,
                requests: undecided(batch.requests),
            },
            None => Gathered::default(),
        }
    }

    /// Waits for a commit and meanwhile decides the requests that arrive, as part of the batch or on the draft that is
    /// being committed. Frees what the previous batch retired once the statement is sent. Takes no requests while it is held,
    /// or while a pipelined batch exists: that one was decided during an attempt that failed, and comes first.
    pub(crate) async fn decide_during<T>(
        &mut self,
        commit: impl Future<Output = T>,
        mut growing: Growing<'_>,
        decider: &Decider,
        replica: &Replica,
        retired: Retired,
    ) -> T {
        let mut commit = pin!(commit);
        tokio::select! {
            biased;
            committed = &mut commit => return committed,
            () = ready(()) => {}
        }
        drop(retired);
        if self.is_held || self.pipelined.is_some() {
            return commit.await;
        }
        loop {
            tokio::select! {
                biased;
                committed = &mut commit => return committed,
                taken = self.queue.recv_many(&mut self.arrived, self.commands_max) => if taken == 0 {
                    return commit.await;
                }
            }
            record_wait(&self.arrived);
            if !growing.add(decider, replica, &mut self.arrived) {
                break;
            }
        }
        let (committed, batch) = self.pipeline(commit, &growing, decider, replica).await;
        let on = growing.open.seal().chain_hash;
        self.pipelined = Some(PipelinedBatch { on, batch });
        committed
    }

    /// Waits for a commit, and decides the requests that have arrived and those that arrive meanwhile as the next batch.
    async fn pipeline<T>(
        &mut self,
        mut commit: Pin<&mut impl Future<Output = T>>,
        growing: &Growing<'_>,
        decider: &Decider,
        replica: &Replica,
    ) -> (T, DecidedBatch) {
        let draft = &growing.batch.draft;
        let base = decider.base_after(replica, draft, replica.head().batch + 1);
        let mut next = DecidedBatch::new(&base, draft.outcomes.len());
        let mut is_open = true;
        loop {
            for request in self.arrived.drain(..) {
                let request = decider.decide_one(&mut next.draft, &base, request);
                next.requests.push(request);
            }
            let room = self.commands_max.saturating_sub(next.requests.len());
            tokio::select! {
                biased;
                committed = &mut commit => return (committed, next),
                taken = self.queue.recv_many(&mut self.arrived, room), if is_open && room > 0 => {
                    is_open = taken > 0;
                }
            }
        }
    }
}

/// Records how long the oldest of the requests that were taken from the queue has waited.
fn record_wait(requests: &[Request]) {
    if let Some(oldest) = requests.first() {
        instruments().record_queue_wait(oldest.received().elapsed());
    }
}

/// Denies the requests that waited too long, and returns the others.
fn deny_overdue(requests: Vec<Request>) -> Vec<Request> {
    let now = Instant::now();
    if !requests.iter().any(|request| request.is_overdue(now)) {
        return requests;
    }
    let (overdue, requests): (Vec<Request>, Vec<Request>) = requests
        .into_iter()
        .partition(|request| request.is_overdue(now));
    deny_all(overdue, &NotExecuted::Busy);
    requests
}

/// Denies all requests for the same reason.
pub(crate) fn deny_all(requests: Vec<Request>, denied: &NotExecuted) {
    for request in requests {
        request.deny(denied.clone());
    }
}
