//! What became of the table's hits, as the server says it.
//!
//! # Shape
//! The session notes every standing of the table here ([`Noted`]); [`Decisions`] waits for the hit that a caller names.
//!
//! # What bounds it
//! The hits of the newest standing, and the [`EARLIER_HITS_MAX`] newest that are in it no longer.
//!
//! # Order
//! A standing that is older than the last one changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use crate::board::{Board, Life};
use crate::error::DecisionError;
use crate::outcome::HitState;
use crate::round::RoundHit;
use crate::status::Standing;
use crate::values::HitName;

/// Hits that are remembered after the server has stopped to keep them with the table.
const EARLIER_HITS_MAX: usize = 64;

/// The hits of the table, as far as the server has told them.
#[derive(Debug, Default)]
struct Hits {
    /// The batch of the newest standing; none before the first.
    batch: Option<u64>,
    hits: BTreeMap<HitName, RoundHit>,
}

/// The session's side.
#[derive(Debug)]
pub(crate) struct Noted {
    hits: watch::Sender<Hits>,
}

impl Noted {
    /// Returns both sides.
    pub(crate) fn pair(board: Arc<Board>) -> (Self, Decisions) {
        let (hits, receiver) = watch::channel(Hits::default());
        let decisions = Decisions {
            hits: receiver,
            board,
        };
        (Self { hits }, decisions)
    }

    /// Notes how the table stands, and the hits whose round became void.
    pub(crate) fn note(&self, standing: &Standing, void_hits: &[HitName]) {
        self.hits
            .send_if_modified(|hits| hits.note(standing, void_hits));
    }
}

impl Hits {
    fn note(&mut self, standing: &Standing, void_hits: &[HitName]) -> bool {
        if self.batch.is_some_and(|batch| standing.batch < batch) {
            return false;
        }
        self.batch = Some(standing.batch);
        let of_round = standing.round.iter().flat_map(|round| &round.hits);
        let told: Vec<&RoundHit> = of_round.chain(&standing.closed_hits).collect();
        let is_told = |name: &HitName| told.iter().any(|hit| hit.hit == *name);
        for (name, hit) in &mut self.hits {
            // Only a void round takes a hit away that still waits.
            let waits = matches!(hit.state, HitState::Pending | HitState::ValidatedByRule);
            if void_hits.contains(name) || (waits && !is_told(name)) {
                hit.state = HitState::Void;
            }
        }
        let earlier = self.hits.values().filter(|hit| !is_told(&hit.hit));
        let mut earlier: Vec<_> = earlier.map(|hit| (hit.order, hit.hit.clone())).collect();
        earlier.sort_unstable();
        let over = earlier.len().saturating_sub(EARLIER_HITS_MAX);
        for (_, name) in earlier.drain(..over) {
            self.hits.remove(&name);
        }
        for hit in told {
            self.hits.insert(hit.hit.clone(), hit.clone());
        }
        true
    }
}

/// Waits for what people decide about the table's hits.
#[derive(Clone, Debug)]
pub struct Decisions {
    hits: watch::Receiver<Hits>,
    board: Arc<Board>,
}

impl Decisions {
    /// Waits until a hit is no longer pending, through as many outages as there are, and returns it as it stands then:
    /// validated, paid, rejected, taken back or void. A hit that needs no decision is returned immediately.
    ///
    /// A decision can change afterwards: when an earlier hit is withdrawn, a validated hit can get another amount and
    /// wait again, and two people can withdraw it. The [`Standing`] in the status says so.
    ///
    /// # Errors
    /// When the controller has stopped or was closed, or the server keeps no such hit for this table.
    pub async fn wait_for(&self, hit: &HitName) -> Result<RoundHit, DecisionError> {
        let (mut hits, mut life) = (self.hits.clone(), self.board.life());
        let decided = hits.wait_for(|hits| match hits.hits.get(hit) {
            Some(hit) => hit.state != HitState::Pending,
            None => hits.batch.is_some(),
        });
        let ended = life.wait_for(|life| !matches!(life, Life::Playing));
        tokio::select! {
            biased;
            decided = decided => match decided {
                Ok(hits) => hits.hits.get(hit).cloned().ok_or_else(|| DecisionError::NotKept { hit: hit.clone() }),
                Err(_) => Err(DecisionError::Closed),
            },
            ended = ended => Err(match ended.as_deref() {
                Ok(Life::Stopped(why)) => DecisionError::Stopped((**why).clone()),
                Ok(Life::Playing | Life::Closed) | Err(_) => DecisionError::Closed,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
