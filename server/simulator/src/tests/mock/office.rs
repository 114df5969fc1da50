//! What managers ask for, and what takes two people.

use serde_json::{Value, json};

use super::{Answer, Mock};
use crate::amount;

impl Mock {
    pub(super) fn open(&mut self, link: &str, body: &Value) -> Answer {
        let known = self.links.contains_key(link);
        let entry = self.links.entry(link.to_owned()).or_default();
        if known && entry.body != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        entry.body = body.clone();
        (if known { 200 } else { 201 }, known, body.clone())
    }

    pub(super) fn join(&mut self, table: &str, body: &Value) -> Answer {
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
        let it = &self.links[link];
        let state = if it.suspended { "suspended" } else { "open" };
        let levels = ["mega", "major", "minor"];
        let levels = levels.map(|level| {
            let disabled = it.disabled.contains(level);
            json!({"level": level, "amount": "250.00", "disabled": disabled})
        });
        json!({"link": link, "state": state, "values_accepted": it.accepted, "paytable": it.body["paytable"],
               "wager": it.body["wager"], "decks": it.body["decks"], "levels": levels})
    }

    pub(super) fn accept(&mut self, link: &str, body: &Value) -> Answer {
        let value = |level| json!({"level": level, "amount": "250.00"});
        let values = ["mega", "major", "minor"].map(value);
        assert_eq!(*body, json!({"values": values}));
        let it = self.links.get_mut(link).expect("a link");
        assert!(!it.accepted, "accepted once");
        it.accepted = true;
        (201, false, body.clone())
    }

    pub(super) fn suspend(&mut self, link: &str, suspended: bool) -> Answer {
        self.seen.insert("suspension");
        let it = self.links.get_mut(link).expect("a link");
        let again = it.suspended == suspended;
        it.suspended = suspended;
        (if again { 200 } else { 201 }, again, json!({}))
    }

    pub(super) fn switch(&mut self, link: &str, level: &str, disabled: bool) -> Answer {
        self.seen.insert("level");
        let it = self.links.get_mut(link).expect("a link");
        let changed = if disabled {
            it.disabled.insert(level.to_owned())
        } else {
            it.disabled.remove(level)
        };
        (if changed { 201 } else { 200 }, !changed, json!({}))
    }

    pub(super) fn propose(&mut self, id: &str, token: &str, body: &Value) -> Answer {
        assert!(body["reason"].is_string());
        let known = self.proposals.contains_key(id);
        let proposed = (body.clone(), token.to_owned(), false);
        let entry = self.proposals.entry(id.to_owned()).or_insert(proposed);
        if entry.0 != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        (if known { 200 } else { 201 }, known, json!({}))
    }

    pub(super) fn approve(&mut self, link: &str, id: &str, token: &str, body: &Value) -> Answer {
        assert_eq!(body["decision"], "approve");
        let (change, by, approved) = self.proposals[id].clone();
        assert_ne!(by, token, "two people");
        self.proposals.get_mut(id).expect("a proposal").2 = true;
        let effect = if change.get("adjust").is_some() {
            self.adjust(link, &change["adjust"], approved)
        } else if change.get("correct").is_some() {
            self.correct(&change["correct"])
        } else {
            self.late_hit(link, &change["late_hit"], approved)
        };
        let status = if approved { 200 } else { 201 };
        (status, approved, json!({"effect": effect}))
    }

    /// What a manager has done who is killed in the middle of a shift.
    pub(in crate::tests) fn leave_behind(&mut self, table: &str) {
        self.suspend("main", true);
        self.switch("main", "minor", true);
        let late = json!({"table": table, "round": 1, "seat": 3, "hand": "four-of-a-kind"});
        self.late_hit("main", &late, false);
    }

    fn adjust(&mut self, link: &str, change: &Value, approved: bool) -> Value {
        self.seen.insert("adjustment");
        if !approved {
            let amount = change["amount"].as_str().and_then(amount::parse);
            self.links.get_mut(link).expect("a link").adjusted += amount.expect("an amount");
        }
        json!({"adjusted": {"level": change["level"], "before": "1.00", "after": "2.00"}})
    }

    fn correct(&mut self, change: &Value) -> Value {
        self.seen.insert("correction");
        let hit = change["hit"].as_str().expect("a hit");
        self.hits.get_mut(hit).expect("a hit")["state"] = json!("withdrawn");
        json!({"corrected": {"hit": hit, "resettled": []}})
    }

    fn late_hit(&mut self, link: &str, change: &Value, approved: bool) -> Value {
        self.seen.insert("late hit");
        let table = change["table"].as_str().expect("a table");
        let (round, seat) = (&change["round"], &change["seat"]);
        assert!(self.tables[table].round.is_none(), "GAME OVER comes before");
        let name = format!("{table}.{round}.{seat}");
        if !approved {
            let payout = json!({"payout": 1, "amount": "1000.00", "handed_over": "slip",
                                "paid": {"at": null, "document": null}});
            let hit = json!({"hit": name, "link": link, "table": table, "state": "validated",
                "order": self.hits.len(), "due": "1000.00", "keyed_by": "m-ana",
                "cards": change["cards"], "hand": change["hand"], "payouts": [payout]});
            self.hits.insert(name.clone(), hit);
        }
        json!({"late_hit_recorded": {"recorded": {"hit": name, "due": "1000.00"}, "from_meter": true}})
    }
}
