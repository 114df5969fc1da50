//! The decisions about the table's hits, as the server reports them.
//!
//! # Shape
//! The session records every standing of the table ([`HitRecorder`]). [`Decisions`] waits for the hit that a caller
//! names.
//!
//! # Limits
//! The hits of the newest standing, and the [`EARLIER_HITS_MAX`] newest that are no longer part of it.
//!
//! # Order
//! A standing that is older than the newest one changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use crate::error::DecisionError;
use crate::in_flight::{InFlight, Lifecycle};
use crate::outcome::HitState;
use crate::round::RoundHit;
use crate::status::Standing;
use crate::values::HitName;

/// Maximum number of remembered hits that the server no longer reports with the table.
const EARLIER_HITS_MAX: usize = 64;

/// The hits of the table, as reported by the server.
#[derive(Debug, Default)]
struct KnownHits {
    /// The batch of the newest standing. `None` before the first.
    batch: Option<u64>,
    hits: BTreeMap<HitName, RoundHit>,
}

/// The session's side, which records standings.
#[derive(Debug)]
pub(crate) struct HitRecorder {
    hits: watch::Sender<KnownHits>,
}

impl HitRecorder {
    /// Creates both sides.
    pub(crate) fn pair(in_flight: Arc<InFlight>) -> (Self, Decisions) {
        let (hits, receiver) = watch::channel(KnownHits::default());
        let decisions = Decisions {
            hits: receiver,
            in_flight,
        };
        (Self { hits }, decisions)
    }

    /// Records the table's standing, and the hits whose round became void.
    pub(crate) fn record(&self, standing: &Standing, void_hits: &[HitName]) {
        self.hits
            .send_if_modified(|hits| hits.record(standing, void_hits));
    }
}

impl KnownHits {
    fn record(&mut self, standing: &Standing, void_hits: &[HitName]) -> bool {
        if self.batch.is_some_and(|batch| standing.batch < batch) {
            return false;
        }
        self.batch = Some(standing.batch);
        let of_round = standing.round.iter().flat_map(|round| &round.hits);
        let reported: Vec<&RoundHit> = of_round.chain(&standing.closed_hits).collect();
        let is_reported = |name: &HitName| reported.iter().any(|hit| hit.hit == *name);
        for (name, hit) in &mut self.hits {
            // A pending hit vanishes only with a void round.
            let waits = matches!(hit.state, HitState::Pending | HitState::ValidatedByRule);
            if void_hits.contains(name) || (waits && !is_reported(name)) {
                hit.state = HitState::Void;
            }
        }
        let earlier = self.hits.values().filter(|hit| !is_reported(&hit.hit));
        let mut earlier: Vec<_> = earlier.map(|hit| (hit.order, hit.hit.clone())).collect();
        earlier.sort_unstable();
        let over = earlier.len().saturating_sub(EARLIER_HITS_MAX);
        for (_, name) in earlier.drain(..over) {
            self.hits.remove(&name);
        }
        for hit in reported {
            self.hits.insert(hit.hit.clone(), hit.clone());
        }
        true
    }
}

/// A handle that waits for decisions about the table's hits.
#[derive(Clone, Debug)]
pub struct Decisions {
    hits: watch::Receiver<KnownHits>,
    in_flight: Arc<InFlight>,
}

impl Decisions {
    /// Waits until a hit is no longer pending, through any number of outages. Returns the hit as validated, paid,
    /// rejected, taken back or void. A hit that needs no decision is returned immediately.
    ///
    /// A decision can change later. When an earlier hit is withdrawn, a validated hit can get another amount and become
    /// pending again. Two people can withdraw the hit. The [`Standing`] in the status shows such changes.
    ///
    /// # Errors
    /// The controller has stopped or was closed, or the server keeps no such hit for this table.
    pub async fn wait_for(&self, hit: &HitName) -> Result<RoundHit, DecisionError> {
        let (mut hits, mut lifecycle) = (self.hits.clone(), self.in_flight.lifecycle());
        let decided = hits.wait_for(|hits| match hits.hits.get(hit) {
            Some(hit) => hit.state != HitState::Pending,
            None => hits.batch.is_some(),
        });
        let ended = lifecycle.wait_for(|lifecycle| !matches!(lifecycle, Lifecycle::Running));
        tokio::select! {
            biased;
            decided = decided => match decided {
                Ok(hits) => hits.hits.get(hit).cloned().ok_or_else(|| DecisionError::NotKept { hit: hit.clone() }),
                Err(_) => Err(DecisionError::Closed),
            },
            ended = ended => Err(match ended.as_deref() {
                Ok(Lifecycle::Stopped(why)) => DecisionError::Stopped((**why).clone()),
                Ok(Lifecycle::Running | Lifecycle::Closed) | Err(_) => DecisionError::Closed,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
