//! The operations of managers and of two people.

use serde_json::{Value, json};

use super::{Mock, MockResponse};
use crate::amount;

impl Mock {
    pub(super) fn open(&mut self, link: &str, body: &Value) -> MockResponse {
        let known = self.links.contains_key(link);
        let entry = self.links.entry(link.to_owned()).or_default();
        if known && entry.body != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        entry.body = body.clone();
        (if known { 200 } else { 201 }, known, body.clone())
    }

    pub(super) fn join(&mut self, table: &str, body: &Value) -> MockResponse {
        assert!(
            body.get("silence_seconds_max").is_none(),
            "a table has no settings"
        );
        let known = self.tables.contains_key(table);
        let entry = self.tables.entry(table.to_owned()).or_default();
        if known && entry.body != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        entry.body = body.clone();
        entry.link = body["link"].as_str().expect("a link").to_owned();
        (if known { 200 } else { 201 }, known, body.clone())
    }

    pub(super) fn link(&self, link: &str) -> Value {
        let entry = &self.links[link];
        let state = if entry.suspended { "suspended" } else { "open" };
        let levels = ["mega", "major", "minor"];
        let levels = levels.map(|level| {
            let disabled = entry.disabled.contains(level);
            json!({"level": level, "amount": "250.00", "disabled": disabled})
        });
        json!({"link": link, "state": state, "values_accepted": entry.accepted, "paytable": entry.body["paytable"],
               "wager": entry.body["wager"], "decks": entry.body["decks"], "levels": levels})
    }

    pub(super) fn accept(&mut self, link: &str, body: &Value) -> MockResponse {
        let value = |level| json!({"level": level, "amount": "250.00"});
        let values = ["mega", "major", "minor"].map(value);
        assert_eq!(*body, json!({"values": values}));
        let entry = self.links.get_mut(link).expect("a link");
        assert!(!entry.accepted, "accepted once");
        entry.accepted = true;
        (201, false, body.clone())
    }

    pub(super) fn set_suspended(&mut self, link: &str, suspended: bool) -> MockResponse {
        self.observed.insert("suspension");
        let entry = self.links.get_mut(link).expect("a link");
        let is_replay = entry.suspended == suspended;
        entry.suspended = suspended;
        (if is_replay { 200 } else { 201 }, is_replay, json!({}))
    }

    pub(super) fn set_disabled(&mut self, link: &str, level: &str, disabled: bool) -> MockResponse {
        self.observed.insert("level");
        let entry = self.links.get_mut(link).expect("a link");
        let changed = if disabled {
            entry.disabled.insert(level.to_owned())
        } else {
            entry.disabled.remove(level)
        };
        (if changed { 201 } else { 200 }, !changed, json!({}))
    }

    pub(super) fn propose(&mut self, id: &str, token: &str, body: &Value) -> MockResponse {
        assert!(body["reason"].is_string());
        let known = self.proposals.contains_key(id);
        let proposed = (body.clone(), token.to_owned(), false);
        let entry = self.proposals.entry(id.to_owned()).or_insert(proposed);
        if entry.0 != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        (if known { 200 } else { 201 }, known, json!({}))
    }

    pub(super) fn approve(
        &mut self,
        link: &str,
        id: &str,
        token: &str,
        body: &Value,
    ) -> MockResponse {
        assert_eq!(body["decision"], "approve");
        let (change, by, approved) = self.proposals[id].clone();
        assert_ne!(by, token, "a second person");
        self.proposals.get_mut(id).expect("a proposal").2 = true;
        let effect = match change["change"].as_str() {
            Some("adjust") => self.adjust(link, &change, approved),
            Some("correct") => self.correct(&change),
            Some("late_hit") => self.late_hit(link, &change, approved),
            other => panic!("unknown change {other:?}"),
        };
        let status = if approved { 200 } else { 201 };
        (status, approved, json!({"effect": effect}))
    }

    /// Leaves incidents open, as a killed run does: a suspended link, a disabled level, and an unpaid late hit.
    pub(in crate::tests) fn leave_incidents_open(&mut self, table: &str) {
        self.set_suspended("main", true);
        self.set_disabled("main", "minor", true);
        let late = json!({"table": table, "round": 1, "seat": 3, "hand": "four-of-a-kind"});
        self.late_hit("main", &late, false);
    }

    fn adjust(&mut self, link: &str, change: &Value, approved: bool) -> Value {
        self.observed.insert("adjustment");
        if !approved {
            let amount = change["amount"].as_str().and_then(amount::parse);
            self.links.get_mut(link).expect("a link").adjusted += amount.expect("an amount");
        }
        json!({"kind": "adjusted", "level": change["level"], "before": "1.00", "after": "2.00"})
    }

    fn correct(&mut self, change: &Value) -> Value {
        self.observed.insert("correction");
        let hit = change["hit"].as_str().expect("a hit");
        self.hits.get_mut(hit).expect("a hit")["state"] = json!("withdrawn");
        json!({"kind": "corrected", "hit": hit, "resettled": []})
    }

    fn late_hit(&mut self, link: &str, change: &Value, approved: bool) -> Value {
        self.observed.insert("late hit");
        let table = change["table"].as_str().expect("a table");
        let (round, seat) = (&change["round"], &change["seat"]);
        assert!(
            self.tables[table].round.is_none(),
            "a late hit follows GAME OVER"
        );
        let name = format!("{table}.{round}.{seat}");
        if !approved {
            let payout = json!({"payout": 1, "amount": "1000.00", "handed_over": "slip",
                                "payment": {"paid": false}});
            let hit = json!({"hit": name, "link": link, "table": table, "state": "validated",
                "order": self.hits.len(), "due": "1000.00", "keyed_by": "m-ana",
                "cards": change["cards"], "hand": change["hand"], "payouts": [payout]});
            self.hits.insert(name.clone(), hit);
        }
        json!({"kind": "late_hit_recorded", "hit": {"hit": name, "due": "1000.00"}, "from_meter": true})
    }
}
