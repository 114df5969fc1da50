//! The operations of supervisors: lists, decisions, documents, and the reconciliation.

use serde_json::{Value, json};

use super::{Misbehavior, Mock, MockResponse, NOON};
use crate::amount;

impl Mock {
    pub(super) fn list(&self, query: &str) -> MockResponse {
        let state = query
            .split('&')
            .find_map(|parameter| parameter.strip_prefix("state="))
            .expect("a state");
        let hits: Vec<&Value> = self
            .hits
            .values()
            .filter(|hit| hit["state"] == state)
            .collect();
        (
            200,
            false,
            json!({"hits": hits, "more": false, "next": null}),
        )
    }

    pub(super) fn validate(&mut self, hit: &str, token: &str, body: &Value) -> MockResponse {
        let rejects = body["decision"] == "reject";
        let state = if rejects { "rejected" } else { "validated" };
        assert!(rejects || self.hits[hit]["keyed_by"] != token.trim_start_matches("s-"));
        if self.hits[hit]["state"] == state {
            return (200, true, json!({"resettled": []}));
        }
        let mut resettled = Vec::new();
        if rejects && self.hits[hit]["state"] == "pending" {
            match self.resettle(hit) {
                Ok(later) => resettled = later,
                Err(code) => return (422, false, json!({"code": code})),
            }
        }
        match self.decide(hit, state) {
            Ok(()) => (201, false, json!({"resettled": resettled})),
            Err(code) => (422, false, json!({"code": code})),
        }
    }

    /// Resettles the later royal flushes of the link: each gets twice as much.
    fn resettle(&mut self, hit: &str) -> Result<Vec<Value>, &'static str> {
        let first = self.hits[hit].clone();
        let is_later = |hit: &Value| {
            hit["link"] == first["link"]
                && hit["hand"] == first["hand"]
                && hit["order"].as_u64() > first["order"].as_u64()
        };
        let is_royal = first["hand"] == "royal-flush";
        let later: Vec<String> = self
            .hits
            .iter()
            .filter(|(_, hit)| is_royal && is_later(hit))
            .map(|(name, _)| name.clone())
            .collect();
        if later.iter().any(|name| self.hits[name]["state"] == "paid") {
            return Err("hit_paid");
        }
        let mut resettled = Vec::new();
        for name in later {
            let hit = self.hits.get_mut(&name).expect("a hit");
            if hit["state"] != "pending" || self.misbehavior == Misbehavior::NoResettlement {
                continue;
            }
            self.observed.insert("resettled");
            hit["due"] = json!("20000.00");
            hit["payouts"][0]["amount"] = json!("20000.00");
            resettled.push(json!({"hit": name, "due": "20000.00"}));
        }
        Ok(resettled)
    }

    pub(super) fn pay(&mut self, hit: &str, payout: &str, body: &Value) -> MockResponse {
        assert_eq!(payout, "1");
        let entry = self.hits.get_mut(hit).expect("a hit");
        let amount = entry["payouts"][0]["amount"].clone();
        let payment = &mut entry["payouts"][0]["payment"];
        let is_replay = payment["document"] == body["document"];
        if !is_replay && payment["paid"] == true {
            return (422, false, json!({"code": "hit_paid"}));
        }
        *payment = json!({"paid": true, "at": NOON, "document": body["document"]});
        if !is_replay {
            entry["state"] = json!("paid");
            let link = entry["link"].as_str().expect("a link");
            let link = self.links.get_mut(link).expect("a link");
            link.paid += amount.as_str().and_then(amount::parse).expect("money");
        }
        let status = if is_replay { 200 } else { 201 };
        (status, is_replay, json!({"hit": hit, "amount": amount}))
    }

    pub(super) fn reconcile(&self, link: &str) -> MockResponse {
        let entry = &self.links[link];
        let difference = if self.misbehavior == Misbehavior::MissingCent {
            "0.01"
        } else {
            "0.00"
        };
        let levels: &[(&str, i64)] = match link {
            "main" => &[("mega", 90_000), ("major", 70_000), ("minor", 30_000)],
            "example" => &[("mega", 110_000), ("major", 90_000), ("minor", 40_000)],
            _ => &[("meter", 210_000)],
        };
        let sums = |name: &str, contributions: i64, paid: i64, adjusted: i64| {
            json!({"level": name, "opening": "0.00", "contributions": amount::show(contributions),
                   "house": "0.00", "paid": amount::show(paid), "adjustments": amount::show(adjusted),
                   "closing": "0.00", "pending": "0.00", "difference": difference})
        };
        let levels = levels
            .iter()
            .map(|(name, micros)| sums(name, micros * entry.wagers, 0, 0));
        let fixed = sums("fixed", 0, entry.paid, entry.adjusted);
        let lines: Vec<Value> = levels.chain([fixed]).collect();
        (200, false, json!({"link": link, "levels": lines}))
    }
}
