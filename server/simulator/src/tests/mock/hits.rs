//! The operations of supervisors: lists, decisions, documents, and the reconciliation.

use meterhouse_api::decision::{PaidPayout, PaymentRequest, Validation, ValidationRequest};
use meterhouse_api::hit::{Payment, ResettledHit};
use meterhouse_api::hit_detail::{HitDetail, HitPage};
use meterhouse_api::report::{Reconciliation, ReconciliationLine};
use meterhouse_api::text::Text;
use meterhouse_api::words::HitDecision;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;

use super::{Misbehavior, Mock, MockResponse, NOON, written};

/// The amount of a royal flush that was resettled.
const RESETTLED: Money = Money::from_micros(20_000_000_000);

impl Mock {
    pub(super) fn list(&self, query: &str) -> HitPage {
        let state = query
            .split('&')
            .find_map(|parameter| parameter.strip_prefix("state="))
            .expect("a state");
        let hits = self.hits.values();
        let hits = hits.filter(|hit| hit.hit.summary.state.name() == state);
        HitPage {
            hits: hits.cloned().collect(),
            more: false,
            next: None,
        }
    }

    pub(super) fn validate(
        &mut self,
        name: &str,
        token: &str,
        request: &ValidationRequest,
    ) -> MockResponse {
        let rejects = request.decision == HitDecision::Reject;
        let state = if rejects {
            HitState::Rejected
        } else {
            HitState::Validated
        };
        let hit = &self.hits[name];
        assert!(rejects || hit.keyed_by.as_deref() != Some(token.trim_start_matches("s-")));
        let mut validation = Validation {
            hit: hit.hit.summary.hit.clone(),
            decision: request.decision,
            by: None,
            at: Some(NOON),
            cards: None,
            note: None,
            resettled: Vec::new(),
        };
        let before = *hit.hit.summary.state;
        if before == state {
            return written(true, &validation);
        }
        if rejects && before == HitState::Pending {
            match self.resettle(name) {
                Ok(later) => validation.resettled = later,
                Err(code) => return (422, false, Err(code)),
            }
        }
        match self.decide(name, state) {
            Ok(()) => written(false, &validation),
            Err(code) => (422, false, Err(code)),
        }
    }

    /// Resettles the later royal flushes of the link: each gets twice as much.
    fn resettle(&mut self, name: &str) -> Result<Vec<ResettledHit>, &'static str> {
        let first = self.hits[name].clone();
        let royal = Some(Text(Hand::RoyalFlush));
        let is_later = |hit: &&mut HitDetail| {
            first.hit.summary.hand == royal
                && hit.hit.summary.hand == royal
                && hit.link == first.link
                && hit.hit.summary.order > first.hit.summary.order
        };
        let mut later: Vec<&mut HitDetail> = self.hits.values_mut().filter(is_later).collect();
        let state = |hit: &HitDetail| *hit.hit.summary.state;
        if later.iter().any(|hit| state(hit) == HitState::Paid) {
            return Err("hit_paid");
        }
        later.retain(|hit| state(hit) == HitState::Pending);
        if self.misbehavior == Misbehavior::NoResettlement {
            later.clear();
        }
        let resettled = later.into_iter().map(|hit| {
            self.observed.insert("resettled");
            hit.hit.summary.due = Text(RESETTLED);
            hit.hit.payouts[0].amount = Text(RESETTLED);
            ResettledHit {
                hit: hit.hit.summary.hit.clone(),
                before: Text(RESETTLED),
                after: Text(Money::ZERO),
                due: Text(RESETTLED),
                back_to_pending: false,
                payouts: hit.hit.payouts.clone(),
            }
        });
        Ok(resettled.collect())
    }

    pub(super) fn pay(&mut self, name: &str, request: &PaymentRequest) -> MockResponse {
        let hit = self.hits.get_mut(name).expect("a hit");
        let payout = &mut hit.hit.payouts[0];
        let payment = payout.payment.as_ref().expect("a payment");
        let document = Text(request.document.clone().given());
        let is_replay = payment.document.as_ref() == Some(&document);
        if !is_replay && payment.paid {
            return (422, false, Err("hit_paid"));
        }
        payout.payment = Some(Payment {
            paid: true,
            at: Some(NOON),
            by: None,
            document: Some(document.clone()),
        });
        let paid = PaidPayout {
            hit: hit.hit.summary.hit.clone(),
            payout: payout.payout,
            amount: payout.amount,
            document: Some(document.clone()),
            paid_by: None,
            at: Some(NOON),
        };
        if !is_replay {
            hit.hit.summary.state = Text(HitState::Paid);
            let link = self.links.get_mut(hit.link.as_str()).expect("a link");
            link.paid += paid.amount.micros();
        }
        written(is_replay, &paid)
    }

    pub(super) fn reconcile(&self, link: &str) -> Reconciliation {
        let entry = &self.links[link];
        let missing = match self.misbehavior {
            Misbehavior::MissingCent => 10_000,
            _ => 0,
        };
        let levels: &[(&str, i64)] = match link {
            "main" => &[("mega", 90_000), ("major", 70_000), ("minor", 30_000)],
            "example" => &[("mega", 110_000), ("major", 90_000), ("minor", 40_000)],
            _ => &[("meter", 210_000)],
        };
        let amount = |micros| Text(Money::from_micros(micros));
        let sums = |level: &str, contributions, paid, adjusted| ReconciliationLine {
            level: level.parse().expect("a name"),
            opening: amount(0),
            contributions: amount(contributions),
            house: amount(0),
            paid: amount(paid),
            adjustments: amount(adjusted),
            closing: amount(0),
            pending: amount(0),
            difference: amount(missing),
        };
        let levels = levels
            .iter()
            .map(|(name, micros)| sums(name, micros * entry.wagers, 0, 0));
        let fixed = sums("fixed", 0, entry.paid, entry.adjusted);
        Reconciliation {
            link: link.parse().expect("a name"),
            from: None,
            to: None,
            from_batch: 0,
            to_batch: self.requests,
            balanced: missing == 0,
            levels: levels.chain([fixed]).collect(),
        }
    }
}
