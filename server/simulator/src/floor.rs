//! The floor: supervisors who look at pending hits, validate or reject them, and pay what needs a document.
//!
//! # Shape
//! One task a supervisor. Which hit is whose follows from its name, so that two never decide the same one, and
//! so does whether it is rejected: a run with the same seed decides the same.
//!
//! # What bounds it
//! A page of hits a look; a look when a dealer calls, at the latest after [`LOOKS_SKIPPED`] times
//! [`World::look`]; a hit without cards waits [`CARDS_MAX`] for its dealer to cancel.
//!
//! # What order holds
//! A reject that comes too late because the level was hit again since (`later_hits`) becomes an approval: taking
//! back two hits deep needs more than one person.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::books::add;
use crate::chances::{REJECTED, mark};
use crate::client::{Reply, Request};
use crate::error::SimulatorError;
use crate::wire::{Hit, Hits};
use crate::world::World;

/// How long a hit without cards waits: pressed by mistake, it will be cancelled.
const CARDS_MAX: Duration = Duration::from_secs(3);
/// Hits without cards that a supervisor remembers.
const CARDLESS_MAX: usize = 1_000;
/// Looks between two searches for validated hits without a document: left over when a server was killed between
/// validation and payment, or by the run before this one.
const LOOKS_PER_SEARCH: u64 = 10;
/// How many times longer than everybody else a supervisor waits whom nobody calls.
const LOOKS_SKIPPED: u32 = 8;
/// Pending hits a look asks for.
const PAGE: u32 = 200;
/// Somebody else was faster: the dealer cancelled, or a person at the demo's page decided.
const DECIDED: [&str; 3] = ["hit_not_pending", "hit_paid", "round_closed"];

/// One supervisor.
pub(crate) struct Supervisor {
    world: Arc<World>,
    place: usize,
    name: String,
    token: String,
    without_cards: BTreeMap<String, Instant>,
}

/// What a supervisor says about a hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Decision {
    Approve,
    Reject(&'static str),
}

impl Supervisor {
    /// The floor as the tokens have it.
    pub(crate) fn all(world: &Arc<World>) -> Result<Vec<Self>, SimulatorError> {
        if world.tokens.supervisors.is_empty() {
            return Err(SimulatorError::NoToken {
                whom: "a supervisor".to_owned(),
            });
        }
        let supervisors = world.tokens.supervisors.iter().enumerate();
        Ok(supervisors
            .map(|(place, (name, token))| Self {
                world: Arc::clone(world),
                place,
                name: name.clone(),
                token: token.clone(),
                without_cards: BTreeMap::new(),
            })
            .collect())
    }

    /// Works until the house closes.
    pub(crate) async fn work(
        mut self,
        mut closed: watch::Receiver<bool>,
    ) -> Result<(), SimulatorError> {
        let mut call = self.world.call.subscribe();
        let mut looks = 0_u64;
        while !*closed.borrow_and_update() {
            if looks.is_multiple_of(LOOKS_PER_SEARCH) {
                for hit in self.hits("validated").await? {
                    self.pay(&hit).await?;
                }
            }
            for hit in self.hits("pending").await? {
                self.look_at(&hit).await?;
            }
            looks += 1;
            // Called or not, the next look comes; when the house closes, this was the last one.
            let called = timeout(self.world.look * LOOKS_SKIPPED, async {
                tokio::select! {
                    changed = call.changed() => changed.is_ok(),
                    changed = closed.changed() => changed.is_ok(),
                }
            });
            if called.await.is_err() {
                tracing::trace!(
                    supervisor.name = self.name,
                    "nobody called, looking all the same"
                );
            }
        }
        Ok(())
    }

    /// The hits in this state that this supervisor is to look at.
    async fn hits(&self, state: &str) -> Result<Vec<Hit>, SimulatorError> {
        let request = Request::get(format!("/v1/hits?state={state}&limit={PAGE}"));
        let reply = self.world.client.ask(&self.token, &request).await?;
        let page: Hits = request.read(&reply, &[200])?;
        Ok(page
            .hits
            .into_iter()
            .filter(|hit| self.is_mine(hit))
            .collect())
    }

    /// Only tables of the plan, and never a hit that this supervisor keyed.
    fn is_mine(&self, hit: &Hit) -> bool {
        let names = &self.world.tokens.supervisors;
        let count = names.len().max(1);
        let share = mark(self.world.plan.seed, &hit.name) % count as u64;
        let first = usize::try_from(share).unwrap_or_default();
        let may = |place: &usize| {
            names
                .get(*place)
                .is_some_and(|(name, _)| hit.keyed_by.as_ref() != Some(name))
        };
        let whose = (first..first + count).map(|place| place % count).find(may);
        whose == Some(self.place) && self.world.tokens.controllers.contains_key(&hit.table)
    }

    /// Decides about a pending hit, and pays it.
    async fn look_at(&mut self, hit: &Hit) -> Result<(), SimulatorError> {
        let Some(decision) = self.decision(hit) else {
            return Ok(());
        };
        self.without_cards.remove(&hit.name);
        match decision {
            Decision::Reject(note) => {
                if !self.reject(hit, note).await? {
                    self.approve(hit).await?;
                }
            }
            Decision::Approve => self.approve(hit).await?,
        }
        Ok(())
    }

    /// What to say about a hit; nothing yet while its cards may still come to nothing.
    fn decision(&mut self, hit: &Hit) -> Option<Decision> {
        if hit.cards.as_ref().is_none_or(Vec::is_empty) {
            if self.without_cards.len() >= CARDLESS_MAX {
                self.without_cards.clear();
            }
            let since = *self
                .without_cards
                .entry(hit.name.clone())
                .or_insert_with(Instant::now);
            return (since.elapsed() > CARDS_MAX).then_some(Decision::Reject("no cards shown"));
        }
        let drawn = mark(self.world.plan.seed.wrapping_add(1), &hit.name);
        if drawn.is_multiple_of(REJECTED) && !self.world.is_spared(&hit.name) {
            return Some(Decision::Reject("cards fouled"));
        }
        Some(Decision::Approve)
    }

    /// Rejects a hit; not if the level was hit again since.
    async fn reject(&self, hit: &Hit, note: &str) -> Result<bool, SimulatorError> {
        let (request, reply) = self
            .validate(hit, &json!({"decision": "reject", "note": note}))
            .await?;
        match (reply.status, reply.code().as_deref()) {
            (200 | 201, _) => {
                add(&self.world.books.rejected, 1);
                tracing::debug!(hit.id = hit.name, note, "hit rejected");
                Ok(true)
            }
            (422, Some("later_hits")) => Ok(false),
            (422, Some(code)) if DECIDED.contains(&code) => Ok(true),
            _ => Err(request.unexpected(&reply, "the hit rejected, or later_hits")),
        }
    }

    /// Validates a hit with the cards that lie there, and pays it.
    async fn approve(&self, hit: &Hit) -> Result<(), SimulatorError> {
        let mut body = json!({"decision": "approve"});
        if let Some(cards) = &hit.cards {
            body["cards"] = json!(cards);
        }
        let (request, reply) = self.validate(hit, &body).await?;
        match (reply.status, reply.code().as_deref()) {
            (200 | 201, _) => self.pay(hit).await,
            (422, Some(code)) if DECIDED.contains(&code) => Ok(()),
            _ => Err(request.unexpected(&reply, "the hit validated")),
        }
    }

    async fn validate(
        &self,
        hit: &Hit,
        body: &serde_json::Value,
    ) -> Result<(Request, Reply), SimulatorError> {
        let path = format!("/v1/hits/{}/validation", hit.name);
        let request = Request::put(path, body.to_string());
        let reply = self.world.client.ask(&self.token, &request).await?;
        Ok((request, reply))
    }

    /// Pays what needs a document; its number follows from the hit's, so that it is never used twice.
    async fn pay(&self, hit: &Hit) -> Result<(), SimulatorError> {
        for payout in hit.undocumented() {
            let path = format!("/v1/hits/{}/payouts/{}/payment", hit.name, payout.number);
            let body = json!({"document": document(hit, payout.number)});
            let request = Request::put(path, body.to_string());
            let reply = self.world.client.ask(&self.token, &request).await?;
            match (reply.status, reply.code().as_deref()) {
                (200 | 201, _) => {}
                (422, Some(code)) if DECIDED.contains(&code) => {}
                _ => return Err(request.unexpected(&reply, "the payout paid")),
            }
        }
        Ok(())
    }
}

/// The number of a payout's document: `JP-000017-C4P-01-1`.
fn document(hit: &Hit, payout: u32) -> String {
    let (table, sequence) = hit.name.split_once('.').unwrap_or((&hit.name, ""));
    format!("JP-{sequence:0>6}-{table}-{payout}")
}
