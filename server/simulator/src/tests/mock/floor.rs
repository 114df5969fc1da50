//! What the floor asks for: lists, decisions, documents, books.

use serde_json::{Value, json};

use super::{Answer, Manners, Mock, NOON};
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

    /// Royals that were hit after this one get twice as much, for the other one's share.
    fn resettle(&mut self, hit: &str) -> Result<Vec<Value>, &'static str> {
        let first = self.hits[hit].clone();
        let is_later = |it: &Value| {
            it["link"] == first["link"]
                && it["hand"] == first["hand"]
                && it["order"].as_u64() > first["order"].as_u64()
        };
        let of_royals = first["hand"] == "royal-flush";
        let later: Vec<String> = self
            .hits
            .iter()
            .filter(|(_, it)| of_royals && is_later(it))
            .map(|(name, _)| name.clone())
            .collect();
        if later.iter().any(|it| self.hits[it]["state"] == "paid") {
            return Err("hit_paid");
        }
        let mut resettled = Vec::new();
        for name in later {
            let it = self.hits.get_mut(&name).expect("a hit");
            if it["state"] != "pending" || self.manners == Manners::Stingy {
                continue;
            }
            self.seen.insert("resettled");
            it["due"] = json!("20000.00");
            it["payouts"][0]["amount"] = json!("20000.00");
            resettled.push(json!({"hit": name, "due": "20000.00"}));
        }
        Ok(resettled)
    }

    pub(super) fn pay(&mut self, hit: &str, payout: &str, body: &Value) -> Answer {
        assert_eq!(payout, "1");
        let it = self.hits.get_mut(hit).expect("a hit");
        let amount = it["payouts"][0]["amount"].clone();
        let paid = &mut it["payouts"][0]["paid"];
        let again = paid["document"] == body["document"];
        if !again && !paid["at"].is_null() {
            return (422, false, json!({"code": "hit_paid"}));
        }
        *paid = json!({"at": NOON, "document": body["document"]});
        if !again {
            it["state"] = json!("paid");
            let link = it["link"].as_str().expect("a link");
            let link = self.links.get_mut(link).expect("a link");
            link.paid += amount.as_str().and_then(amount::parse).expect("money");
        }
        let status = if again { 200 } else { 201 };
        (status, again, json!({"hit": hit, "amount": amount}))
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
            "example" => &[("mega", 110_000), ("major", 90_000), ("minor", 40_000)],
            _ => &[("meter", 210_000)],
        };
        let written = |name: &str, contributions: i64, paid: i64, adjusted: i64| {
            json!({"level": name, "opening": "0.00", "contributions": amount::show(contributions),
                   "house": "0.00", "paid": amount::show(paid), "adjustments": amount::show(adjusted),
                   "closing": "0.00", "pending": "0.00", "difference": leak})
        };
        let levels = levels
            .iter()
            .map(|(name, micros)| written(name, micros * it.wagers, 0, 0));
        let fixed = written("fixed", 0, it.paid, it.adjusted);
        let lines: Vec<Value> = levels.chain([fixed]).collect();
        (200, false, json!({"link": link, "levels": lines}))
    }
}
