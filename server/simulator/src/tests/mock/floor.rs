//! What people ask of the server: lists, decisions, documents, books.

use serde_json::{Value, json};

use super::{Answer, Manners, Mock};
use crate::amount;

impl Mock {
    pub(super) fn list(&self, query: &str) -> Answer {
        let state = query
            .split('&')
            .find_map(|it| it.strip_prefix("state="))
            .expect("a state");
        let hits: Vec<&Value> = self
            .hits
            .values()
            .filter(|it| it["state"] == state)
            .collect();
        (
            200,
            false,
            json!({"hits": hits, "more": false, "next": null}),
        )
    }

    pub(super) fn validate(&mut self, hit: &str, token: &str, body: &Value) -> Answer {
        assert_ne!(
            self.hits[hit]["keyed_by"],
            token.trim_start_matches("Bearer s-")
        );
        let state = if body["decision"] == "approve" {
            "validated"
        } else {
            "rejected"
        };
        if self.hits[hit]["state"] == state {
            return (200, true, json!({}));
        }
        match self.decide(hit, state) {
            Ok(()) => (201, false, json!({})),
            Err(code) => (422, false, json!({"code": code})),
        }
    }

    pub(super) fn pay(&mut self, hit: &str, payout: &str, body: &Value) -> Answer {
        assert_eq!(payout, "1");
        let paid = &mut self.hits.get_mut(hit).expect("a hit")["payouts"][0]["paid"];
        let again = paid["document"] == body["document"];
        if !again && !paid["at"].is_null() {
            return (422, false, json!({"code": "hit_paid"}));
        }
        *paid = json!({"at": "2026-11-21T12:00:00.000000Z", "document": body["document"]});
        (if again { 200 } else { 201 }, again, json!({}))
    }

    pub(super) fn reconcile(&self, link: &str) -> Answer {
        let it = &self.links[link];
        let leak = if self.manners == Manners::Leaky {
            "0.01"
        } else {
            "0.00"
        };
        let levels: &[(&str, i64)] = match link {
            "main" => &[("mega", 90_000), ("major", 70_000), ("minor", 30_000)],
            _ => &[("meter", 210_000)],
        };
        let written = |name: &str, contributions: i64, paid: i64| {
            json!({"level": name, "opening": "0.00", "contributions": amount::show(contributions),
                   "house": "0.00", "paid": amount::show(paid), "adjustments": "0.00",
                   "closing": "0.00", "pending": "0.00", "difference": leak})
        };
        let levels = levels
            .iter()
            .map(|(name, micros)| written(name, micros * it.wagers, 0));
        let lines: Vec<Value> = levels.chain([written("fixed", 0, it.paid)]).collect();
        (200, false, json!({"link": link, "levels": lines}))
    }
}
