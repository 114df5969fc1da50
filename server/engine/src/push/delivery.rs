//! The deliveries of messages to push services.
//!
//! # Limits
//! [`DELIVERIES_MAX`] deliveries wait or run, and further ones are dropped. [`PUSHES_AT_ONCE_MAX`] attempts run at once, each
//! for [`PUSH_WAIT_MAX`]. A delivery has [`PUSH_ATTEMPTS_MAX`] attempts within [`PUSH_TTL`], with pauses as long as the push
//! service asks for, else from [`PAUSE_FIRST`] twice as long each time.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_store::{PushRow, Store};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::{Push, PushOutcome, PushSender, PushSubscription, WaitingHit};
use crate::clock::now;
use crate::error_chain::ErrorChain;
use crate::metrics::instruments;

/// Time for which a message lives: a hit is told no later, and the push service keeps the message no longer.
pub(super) const PUSH_TTL: Duration = Duration::from_mins(10);
/// Maximum number of deliveries that wait or run.
const DELIVERIES_MAX: usize = 256;
/// Maximum number of attempts that run at once.
const PUSHES_AT_ONCE_MAX: usize = 8;
/// Maximum time of an attempt.
const PUSH_WAIT_MAX: Duration = Duration::from_secs(10);
/// Maximum number of attempts of a delivery.
const PUSH_ATTEMPTS_MAX: u32 = 6;
/// First pause between attempts.
const PAUSE_FIRST: Duration = Duration::from_secs(1);
/// Maximum pause, even if the push service asks for more.
const PAUSE_MAX: Duration = Duration::from_mins(2);

/// The deliveries of this node.
pub(super) struct Deliveries {
    store: Store,
    sender: Arc<dyn PushSender>,
    turns: Arc<Semaphore>,
    running: JoinSet<()>,
}

impl Deliveries {
    pub(super) fn new(store: Store, sender: Arc<dyn PushSender>) -> Self {
        Self {
            store,
            sender,
            turns: Arc::new(Semaphore::new(PUSHES_AT_ONCE_MAX)),
            running: JoinSet::new(),
        }
    }

    /// Forgets the deliveries that have ended.
    pub(super) fn forget_ended(&mut self) {
        while self.running.try_join_next().is_some() {}
    }

    /// Starts a delivery, unless too many wait.
    pub(super) fn start(&mut self, row: PushRow, to: PushSubscription, hit: WaitingHit) {
        self.forget_ended();
        if self.running.len() >= DELIVERIES_MAX {
            instruments().record_push("dropped");
            tracing::warn!(hit = %hit.hit, "a notice was dropped: too many others wait for push services");
            return;
        }
        let (store, sender) = (self.store.clone(), Arc::clone(&self.sender));
        let turns = Arc::clone(&self.turns);
        self.running.spawn(async move {
            let outcome = delivered(&*sender, &turns, to, hit).await;
            end(&store, &row, outcome).await;
        });
    }
}

/// The end of a delivery.
enum Ended {
    Sent,
    Gone,
    Failed(String),
}

async fn delivered(
    sender: &dyn PushSender,
    turns: &Semaphore,
    to: PushSubscription,
    hit: WaitingHit,
) -> Ended {
    let started = Instant::now();
    let mut push = Push {
        to,
        hit,
        at: now(),
        ttl: PUSH_TTL,
    };
    let mut attempt = 1;
    loop {
        // The semaphore is never closed.
        let turn = turns.acquire().await;
        // A message may have waited for its turn for some time.
        (push.at, push.ttl) = (now(), PUSH_TTL.saturating_sub(started.elapsed()));
        if push.ttl.is_zero() {
            return Ended::Failed("it waited too long for its turn".to_owned());
        }
        let outcome = attempted(sender, &push).await;
        drop(turn);
        let (after, why) = match outcome {
            PushOutcome::Sent => return Ended::Sent,
            PushOutcome::Gone => return Ended::Gone,
            PushOutcome::Refused(why) => return Ended::Failed(why),
            PushOutcome::Later { after, why } => (after, why),
        };
        let pause = pause(attempt, after);
        let is_late = started.elapsed() + pause >= PUSH_TTL;
        if attempt >= PUSH_ATTEMPTS_MAX || is_late {
            return Ended::Failed(why);
        }
        attempt += 1;
        sleep(pause).await;
    }
}

async fn attempted(sender: &dyn PushSender, push: &Push) -> PushOutcome {
    let attempt = timeout(PUSH_WAIT_MAX, sender.push(push)).await;
    attempt.unwrap_or_else(|_| PushOutcome::Later {
        after: None,
        why: "the push service did not answer in time".to_owned(),
    })
}

/// Returns the pause after an attempt.
fn pause(attempt: u32, asked: Option<Duration>) -> Duration {
    let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1));
    let own = PAUSE_FIRST.saturating_mul(doubled);
    asked.unwrap_or(own).clamp(PAUSE_FIRST, PAUSE_MAX)
}

/// Records the end of a delivery. A subscription that is gone is removed.
async fn end(store: &Store, row: &PushRow, ended: Ended) {
    match ended {
        Ended::Sent => instruments().record_push("sent"),
        Ended::Gone => {
            instruments().record_push("gone");
            tracing::info!("a push service no longer knows a subscription, which is removed");
            if let Err(error) = store.remove_gone_push(row).await {
                // The next message finds it gone again.
                tracing::debug!(error = %ErrorChain(&error), "a subscription can't be removed");
            }
        }
        Ended::Failed(why) => {
            instruments().record_push("failed");
            tracing::warn!(why, "a notice of a waiting hit was not delivered");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_unless_the_push_service_asks_for_one() {
        let seconds = |attempt| pause(attempt, None).as_secs();
        assert_eq!([1, 2, 3, 4, 5].map(seconds), [1, 2, 4, 8, 16]);
        assert_eq!(pause(40, None), PAUSE_MAX);
        let asked = |seconds| pause(1, Some(Duration::from_secs(seconds)));
        assert_eq!(asked(30).as_secs(), 30);
        assert_eq!((asked(0), asked(9_999)), (PAUSE_FIRST, PAUSE_MAX));
    }
}
