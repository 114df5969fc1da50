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
//! A reject gives later hits of the level the amounts that they have without it. Where one of those is paid
//! (`hit_paid`) it becomes an approval: that takes more than one person.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::amount;
use crate::books::add;
use crate::chances::{REJECTED, mark};
use crate::client::{Reply, Request};
use crate::error::SimulatorError;
use crate::wire::{Hit, Hits, Paid, Rejected};
use crate::world::{Treatment, World};

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
const DECIDED: [&str; 3] = ["hit_not_pending", HIT_PAID, "round_closed"];
/// The hit is paid, or a later one whose amount depends on it.
const HIT_PAID: &str = "hit_paid";

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
                    pay(&self.world, &self.token, &hit).await?;
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
        let mut hits = hits_in(&self.world, &self.token, state).await?;
        hits.retain(|hit| self.is_mine(hit));
        Ok(hits)
    }

    /// Only tables of the plan, and never a hit that this supervisor keyed or that an incident holds.
    fn is_mine(&self, hit: &Hit) -> bool {
        if self.world.treatment(&hit.name) == Some(Treatment::Held) {
            return false;
        }
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
        if drawn.is_multiple_of(REJECTED) && self.world.treatment(&hit.name).is_none() {
            return Some(Decision::Reject("cards fouled"));
        }
        Some(Decision::Approve)
    }

    /// Rejects a hit; not if a later one of its level is paid.
    async fn reject(&self, hit: &Hit, note: &str) -> Result<bool, SimulatorError> {
        match reject(&self.world, &self.token, &hit.name, note).await? {
            Verdict::Refused(code) if HIT_PAID == code => Ok(false),
            Verdict::Rejected | Verdict::Refused(_) => Ok(true),
        }
    }

    /// Validates a hit with the cards that lie there, and pays it.
    async fn approve(&self, hit: &Hit) -> Result<(), SimulatorError> {
        let mut body = json!({"decision": "approve"});
        if let Some(cards) = &hit.cards {
            body["cards"] = json!(cards);
        }
        let (request, reply) = validate(&self.world, &self.token, &hit.name, &body).await?;
        match (reply.status, reply.code().as_deref()) {
            (200 | 201, _) => pay(&self.world, &self.token, hit).await,
            (422, Some(code)) if DECIDED.contains(&code) => Ok(()),
            _ => Err(request.unexpected(&reply, "the hit validated")),
        }
    }
}

/// What became of a reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The hit is rejected, and later ones have new amounts.
    Rejected,
    /// Somebody else was faster, or a later hit is paid.
    Refused(String),
}

/// Rejects a hit; later ones of its level get the amounts that they have without it.
pub(crate) async fn reject(
    world: &World,
    token: &str,
    hit: &str,
    note: &str,
) -> Result<Verdict, SimulatorError> {
    let body = json!({"decision": "reject", "note": note, "resettle": true});
    let (request, reply) = validate(world, token, hit, &body).await?;
    match (reply.status, reply.code()) {
        (200 | 201, _) => {
            let rejected: Rejected = request.read(&reply, &[200, 201])?;
            add(&world.books.rejected, 1);
            add(&world.books.resettled, rejected.resettled.len() as u64);
            tracing::debug!(hit.id = hit, note, "hit rejected");
            Ok(Verdict::Rejected)
        }
        (422, Some(code)) if DECIDED.contains(&code.as_str()) => Ok(Verdict::Refused(code)),
        _ => Err(request.unexpected(&reply, "the hit rejected, or hit_paid")),
    }
}

/// One hit as it stands.
pub(crate) async fn look_up(world: &World, hit: &str) -> Result<Hit, SimulatorError> {
    let request = Request::get(format!("/v1/hits/{hit}"));
    let reply = world.client.ask(&world.tokens.manager, &request).await?;
    request.read(&reply, &[200])
}

/// A page of the hits in this state.
pub(crate) async fn hits_in(
    world: &World,
    token: &str,
    state: &str,
) -> Result<Vec<Hit>, SimulatorError> {
    let request = Request::get(format!("/v1/hits?state={state}&limit={PAGE}"));
    let reply = world.client.ask(token, &request).await?;
    let page: Hits = request.read(&reply, &[200])?;
    Ok(page.hits)
}

/// Pays what needs a document; its number follows from the hit's, so that it is never used twice.
pub(crate) async fn pay(world: &World, token: &str, hit: &Hit) -> Result<(), SimulatorError> {
    let mut links = world.plan.links.iter();
    let link = links.position(|it| it.link == hit.link);
    for payout in hit.undocumented() {
        let number = payout.number;
        let path = format!("/v1/hits/{}/payouts/{number}/payment", hit.name);
        let body = json!({"document": document(hit, number)});
        let request = Request::put(path, body.to_string());
        let reply = world.client.ask(token, &request).await?;
        let amount = match (reply.status, reply.code().as_deref()) {
            (200 | 201, _) => request.read::<Paid>(&reply, &[200, 201])?.amount,
            // Somebody at the demo's page recorded another document.
            (422, Some(HIT_PAID)) => payout.amount.clone(),
            (422, Some(code)) if DECIDED.contains(&code) => continue,
            _ => return Err(request.unexpected(&reply, "the payout paid")),
        };
        if let (Some(link), Some(micros)) = (link, amount::parse(&amount)) {
            world.books.documented(link, &hit.name, number, micros);
        }
    }
    Ok(())
}

async fn validate(
    world: &World,
    token: &str,
    hit: &str,
    body: &Value,
) -> Result<(Request, Reply), SimulatorError> {
    let request = Request::put(format!("/v1/hits/{hit}/validation"), body.to_string());
    let reply = world.client.ask(token, &request).await?;
    Ok((request, reply))
}

/// The number of a payout's document: `JP-000017-C4P-01-1`.
fn document(hit: &Hit, payout: u32) -> String {
    let (table, sequence) = hit.name.split_once('.').unwrap_or((&hit.name, ""));
    format!("JP-{:0>6}-{table}-{payout}", sequence.replace('.', "-"))
}
