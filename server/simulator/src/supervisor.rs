//! The supervisors: validate or reject pending hits, and pay the payouts that need a document.
//!
//! # Shape
//! Each supervisor is one task. The hit's name decides which supervisor reviews a hit, so no two review the same hit.
//! The name also decides if the hit is rejected, so that runs with the same seed make the same decisions.
//!
//! # Limits
//! A poll reads one page of hits. A supervisor polls when a dealer calls, and at the latest after [`IDLE_POLLS`] times
//! [`RunContext::poll_interval`]. A hit without cards waits [`CARDS_WAIT_MAX`] for its dealer to cancel.
//!
//! # Order
//! A rejection resettles the later hits of the level: they get the amounts that they have without the rejected hit. If
//! a later hit is paid (`hit_paid`), the supervisor approves instead, because a correction takes two people.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_api::decision::{PaidPayout, PaymentRequest, Validation, ValidationRequest};
use meterhouse_api::hit_detail::{HitDetail, HitPage};
use meterhouse_api::words::HitDecision;
use meterhouse_http_client::Reply;
use meterhouse_journal::hit::HitState;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::context::{ReviewRule, RunContext};
use crate::counters::add;
use crate::error::SimulatorError;
use crate::probabilities::{REJECTED, stable_hash};

/// Maximum wait for the cards of a hit. A hit without cards was probably keyed by mistake, and its dealer will cancel.
const CARDS_WAIT_MAX: Duration = Duration::from_secs(3);
/// Maximum number of hits without cards that a supervisor remembers.
const CARDLESS_MAX: usize = 1_000;
/// Polls between two searches for validated hits without a document. Such hits remain after a server was killed between
/// validation and payment, or from an earlier run.
const POLLS_PER_SEARCH: u64 = 10;
/// Poll intervals that a supervisor waits for a call before the next poll.
const IDLE_POLLS: u32 = 8;
/// Maximum number of hits in a page.
const PAGE_LIMIT: u32 = 200;
/// Refusals if another person was faster: the dealer cancelled, or a user of the demo's page decided.
const ALREADY_DECIDED: [&str; 3] = ["hit_not_pending", HIT_PAID, "round_closed"];
/// The refusal if the hit is paid, or a later hit whose amount depends on it.
const HIT_PAID: &str = "hit_paid";

/// A supervisor.
pub(crate) struct Supervisor {
    context: Arc<RunContext>,
    index: usize,
    name: String,
    token: String,
    /// The time at which each hit without cards was first seen.
    cardless_since: BTreeMap<String, Instant>,
}

/// A supervisor's decision about a hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Decision {
    Approve,
    Reject(&'static str),
}

impl Supervisor {
    /// Returns all supervisors of the tokens.
    pub(crate) fn all(context: &Arc<RunContext>) -> Result<Vec<Self>, SimulatorError> {
        if context.tokens.supervisors.is_empty() {
            return Err(SimulatorError::NoToken {
                actor: "a supervisor".to_owned(),
            });
        }
        let supervisors = context.tokens.supervisors.iter().enumerate();
        Ok(supervisors
            .map(|(index, (name, token))| Self {
                context: Arc::clone(context),
                index,
                name: name.clone(),
                token: token.clone(),
                cardless_since: BTreeMap::new(),
            })
            .collect())
    }

    /// Reviews and pays hits until the tables are closed.
    pub(crate) async fn run(
        mut self,
        mut closed: watch::Receiver<bool>,
    ) -> Result<(), SimulatorError> {
        let mut calls = self.context.supervisor_calls.subscribe();
        let mut polls = 0_u64;
        while !*closed.borrow_and_update() {
            if polls.is_multiple_of(POLLS_PER_SEARCH) {
                for hit in self.hits(HitState::Validated).await? {
                    pay_slips(&self.context, &self.token, &hit).await?;
                }
            }
            for hit in self.hits(HitState::Pending).await? {
                self.review(&hit).await?;
            }
            polls += 1;
            // The next poll follows a call or the timeout. After `closed` there is no other.
            let called = timeout(self.context.poll_interval * IDLE_POLLS, async {
                tokio::select! {
                    changed = calls.changed() => changed.is_ok(),
                    changed = closed.changed() => changed.is_ok(),
                }
            });
            if called.await.is_err() {
                tracing::trace!(supervisor.name = self.name, "no call, polling for hits");
            }
        }
        Ok(())
    }

    /// Returns the hits in this state that are assigned to this supervisor.
    async fn hits(&self, state: HitState) -> Result<Vec<HitDetail>, SimulatorError> {
        let mut hits = hits_by_state(&self.context, &self.token, state).await?;
        hits.retain(|hit| self.is_assigned(hit));
        Ok(hits)
    }

    /// Returns `true` if this supervisor reviews the hit. Excluded are tables outside the plan, hits that an incident
    /// holds back, and hits that this supervisor keyed.
    fn is_assigned(&self, hit: &HitDetail) -> bool {
        let name = hit.hit.summary.hit.to_string();
        if self.context.review_rule(&name) == Some(ReviewRule::Skip) {
            return false;
        }
        let names = &self.context.tokens.supervisors;
        let count = names.len().max(1);
        let share = stable_hash(self.context.plan.seed, &name) % count as u64;
        let first = usize::try_from(share).unwrap_or_default();
        let may = |index: &usize| {
            names
                .get(*index)
                .is_some_and(|(name, _)| hit.keyed_by.as_ref() != Some(name))
        };
        let assigned = (first..first + count).map(|index| index % count).find(may);
        let controllers = &self.context.tokens.controllers;
        assigned == Some(self.index) && controllers.contains_key(hit.hit.summary.table.as_str())
    }

    /// Decides about a pending hit, and pays an approved hit.
    async fn review(&mut self, hit: &HitDetail) -> Result<(), SimulatorError> {
        let name = hit.hit.summary.hit.to_string();
        let Some(decision) = self.decision(hit, &name) else {
            return Ok(());
        };
        self.cardless_since.remove(&name);
        match decision {
            Decision::Reject(note) => {
                if !self.reject(&name, note).await? {
                    self.approve(hit).await?;
                }
            }
            Decision::Approve => self.approve(hit).await?,
        }
        Ok(())
    }

    /// Returns the decision about a hit, or `None` while a hit without cards may still be cancelled.
    fn decision(&mut self, hit: &HitDetail, name: &str) -> Option<Decision> {
        if hit.hit.cards.as_ref().is_none_or(Vec::is_empty) {
            if self.cardless_since.len() >= CARDLESS_MAX {
                self.cardless_since.clear();
            }
            let since = *self
                .cardless_since
                .entry(name.to_owned())
                .or_insert_with(Instant::now);
            return (since.elapsed() > CARDS_WAIT_MAX)
                .then_some(Decision::Reject("no cards shown"));
        }
        let drawn = stable_hash(self.context.plan.seed.wrapping_add(1), name);
        if drawn.is_multiple_of(REJECTED) && self.context.review_rule(name).is_none() {
            return Some(Decision::Reject("cards fouled"));
        }
        Some(Decision::Approve)
    }

    /// Rejects a hit. Returns `false` if a later hit of its level is paid.
    async fn reject(&self, hit: &str, note: &str) -> Result<bool, SimulatorError> {
        match reject(&self.context, &self.token, hit, note).await? {
            RejectResult::NotRejected(code) if HIT_PAID == code => Ok(false),
            RejectResult::Rejected | RejectResult::NotRejected(_) => Ok(true),
        }
    }

    /// Validates a hit with the cards that the dealer sent, and pays its slips.
    async fn approve(&self, hit: &HitDetail) -> Result<(), SimulatorError> {
        let body = ValidationRequest {
            decision: HitDecision::Approve,
            cards: hit.hit.cards.clone().map(Into::into),
            note: None,
            resettle: None,
        };
        let name = hit.hit.summary.hit.to_string();
        let reply = validate(&self.context, &self.token, &name, &body).await?;
        if reply.is_done() {
            return pay_slips(&self.context, &self.token, hit).await;
        }
        match (reply.status, reply.code().as_deref()) {
            (422, Some(code)) if ALREADY_DECIDED.contains(&code) => Ok(()),
            _ => Err(reply.unexpected("the hit validated").into()),
        }
    }
}

/// The result of a rejection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RejectResult {
    /// The hit is rejected, and later hits are resettled.
    Rejected,
    /// The rejection was refused with this code: another person was faster, or a later hit is paid.
    NotRejected(String),
}

/// Rejects a hit, and resettles the later hits of its level.
pub(crate) async fn reject(
    context: &RunContext,
    token: &str,
    hit: &str,
    note: &str,
) -> Result<RejectResult, SimulatorError> {
    let body = ValidationRequest {
        decision: HitDecision::Reject,
        cards: None,
        note: Some(note.parse()?),
        resettle: Some(true),
    };
    let reply = validate(context, token, hit, &body).await?;
    if reply.is_done() {
        let rejected: Validation = reply.read()?;
        add(&context.counters.rejected, 1);
        add(&context.counters.resettled, rejected.resettled.len() as u64);
        tracing::debug!(hit.id = hit, note, "hit rejected");
        return Ok(RejectResult::Rejected);
    }
    match (reply.status, reply.code()) {
        (422, Some(code)) if ALREADY_DECIDED.contains(&code.as_str()) => {
            Ok(RejectResult::NotRejected(code))
        }
        _ => Err(reply.unexpected("the hit rejected, or hit_paid").into()),
    }
}

/// Returns the current state of a hit.
pub(crate) async fn fetch_hit(
    context: &RunContext,
    hit: &str,
) -> Result<HitDetail, SimulatorError> {
    let path = format!("/v1/hits/{hit}");
    Ok(context.client.get(&context.tokens.manager, path).await?)
}

/// Returns a page of the hits in this state.
pub(crate) async fn hits_by_state(
    context: &RunContext,
    token: &str,
    state: HitState,
) -> Result<Vec<HitDetail>, SimulatorError> {
    let path = format!("/v1/hits?state={}&limit={PAGE_LIMIT}", state.name());
    let page: HitPage = context.client.get(token, path).await?;
    Ok(page.hits)
}

/// Pays the payouts that need a document. The document's number contains the hit's name, so that no number is used twice.
pub(crate) async fn pay_slips(
    context: &RunContext,
    token: &str,
    hit: &HitDetail,
) -> Result<(), SimulatorError> {
    let name = hit.hit.summary.hit.to_string();
    let mut links = context.plan.links.iter();
    let link = links.position(|link| link.link == hit.link.as_str());
    let payouts = hit.hit.payouts.iter();
    for payout in payouts.filter(|payout| payout.waits_for_document()) {
        let number = payout.payout;
        let path = format!("/v1/hits/{name}/payouts/{number}/payment");
        let document = document_number(&name, number).parse()?;
        let body = PaymentRequest { document };
        let reply = context.client.put(token, path, &body).await?;
        let amount = match (reply.status, reply.code().as_deref()) {
            (200 | 201, _) => reply.read::<PaidPayout>()?.amount,
            // A user of the demo's page recorded another document.
            (422, Some(HIT_PAID)) => payout.amount,
            (422, Some(code)) if ALREADY_DECIDED.contains(&code) => continue,
            _ => return Err(reply.unexpected("the payout paid").into()),
        };
        if let Some(link) = link {
            let counters = &context.counters;
            counters.add_documented(link, &name, number, amount.micros());
        }
    }
    Ok(())
}

async fn validate(
    context: &RunContext,
    token: &str,
    hit: &str,
    body: &ValidationRequest,
) -> Result<Reply, SimulatorError> {
    let path = format!("/v1/hits/{hit}/validation");
    Ok(context.client.put(token, path, body).await?)
}

/// Returns the number of a payout's document, such as `JP-000017-C4P-01-1`.
fn document_number(hit: &str, payout: u32) -> String {
    let (table, sequence) = hit.split_once('.').unwrap_or((hit, ""));
    format!("JP-{:0>6}-{table}-{payout}", sequence.replace('.', "-"))
}
