//! The commands of tables: a round from coin-in to GAME OVER.

use serde_json::{Value, json};

use super::{Mock, NOON, Round};
use crate::amount;

/// Hands that are paid by slip.
const SLIP_HANDS: [&str; 3] = ["royal-flush", "straight-flush", "four-of-a-kind"];
/// Cards and positions, drawn in this order.
const DRAWS: [(&str, &str); 4] = [
    ("As", r#"{"seat": 2}"#),
    ("Td", r#"{"dealer": true}"#),
    ("7c", r#"{"seat": 4}"#),
    ("2h", r#"{"seat": 6}"#),
];

impl Mock {
    pub(super) fn command(
        &mut self,
        table: &str,
        sequence: usize,
        body: &Value,
    ) -> Result<Value, &'static str> {
        let (kind, fields) = (body["command"].as_str().expect("a command"), body);
        let is_open = self.tables[table].round.is_some();
        let mut response = json!({"command": kind, "table": table, "sequence": sequence, "at": NOON,
            "levels": [{"level": "meter", "contribution": "0.21", "amount": "10000.21"}]});
        match (kind, is_open) {
            ("coin_in", true) => return Err("round_open"),
            ("coin_in", false) if !self.links[&self.tables[table].link].accepted => {
                return Err("values_not_accepted");
            }
            ("coin_in", false) => {
                let draw = self.coin_in(table, sequence, fields)?;
                response["magic_card"] = draw["magic_card"].clone();
                response["lucky_position"] = draw["lucky_position"].clone();
            }
            (_, false) => return Err("no_round"),
            ("fold", true) => {
                self.open_round(table).folded = fields["seats"].as_array().expect("seats").clone();
            }
            ("hit" | "envy", true) => {
                let name = format!("{table}.{sequence}");
                response["hits"] = json!([self.record_hit(table, name, fields, &body["by"])]);
            }
            ("bonus", true) => {
                response["hits"] = json!([self.bonus(table, sequence, fields, &body["by"])?]);
            }
            ("settle", true) => {
                response["hits"] = self.settle(table, sequence, fields, &body["by"])?;
            }
            ("cancel_hit", true) => {
                let hit = fields["hit"].as_str().expect("a name");
                self.decide(hit, "cancelled")?;
            }
            ("void", true) => self.void(table)?,
            ("close", true) => self.close(table)?,
            (_, true) => {}
        }
        Ok(response)
    }

    pub(super) fn open_round(&mut self, table: &str) -> &mut Round {
        let table = self.tables.get_mut(table).expect("a table");
        table.round.as_mut().expect("a round")
    }

    fn coin_in(
        &mut self,
        table: &str,
        sequence: usize,
        fields: &Value,
    ) -> Result<Value, &'static str> {
        let is_lost = self.is_lost(table);
        let table = self.tables.get_mut(table).expect("a table");
        let link = self.links.get_mut(&table.link).expect("a link");
        if link.suspended {
            return Err("link_suspended");
        }
        if !link.disabled.is_empty() {
            return Err("level_disabled");
        }
        if is_lost {
            return Err("table_lost");
        }
        let wagers = fields["wagers"].as_array().expect("wagers").clone();
        link.wagers += i64::try_from(wagers.len()).expect("few");
        let mut draw = json!({"magic_card": null, "lucky_position": null});
        if link.body.get("magic_card_one_in").is_some() {
            link.draws += 1;
            let (card, position) = DRAWS[link.draws / 2 % DRAWS.len()];
            if link.draws.is_multiple_of(2) {
                draw["magic_card"] = json!(card);
            } else {
                draw["lucky_position"] = serde_json::from_str(position).expect("a position");
            }
        }
        table.round = Some(Round {
            sequence,
            wagers,
            draw: draw.clone(),
            ..Round::default()
        });
        Ok(draw)
    }

    /// Records a hit with its only payout.
    pub(super) fn record_hit(
        &mut self,
        table: &str,
        name: String,
        fields: &Value,
        by: &Value,
    ) -> Value {
        let hand = fields["hand"].as_str();
        let (amount, handed_over) = match hand {
            Some("royal-flush") => ("10000.00", "slip"),
            Some(hand) if SLIP_HANDS.contains(&hand) => ("1000.00", "slip"),
            Some(_) => ("50.00", "rack"),
            None => ("20.00", "game_account"),
        };
        let state = match hand {
            Some(_) => "pending",
            None => "validated_by_rule",
        };
        let kind = fields.get("kind").cloned().unwrap_or_else(|| json!("line"));
        let link = &self.tables[table].link;
        let payout = json!({"payout": 1, "amount": amount, "handed_over": handed_over,
                            "payment": {"paid": false}});
        let hit = json!({"hit": name, "link": link, "table": table, "state": state, "kind": kind,
            "order": self.hits.len(), "due": amount, "keyed_by": by, "cards": fields.get("cards"),
            "seat": fields.get("seat"), "hand": hand, "payouts": [payout]});
        self.hits.insert(name.clone(), hit.clone());
        self.open_round(table).hits.push(name);
        hit
    }

    fn bonus(
        &mut self,
        table: &str,
        sequence: usize,
        fields: &Value,
        by: &Value,
    ) -> Result<Value, &'static str> {
        let draw = &self.open_round(table).draw;
        let has_card = |cards: &Value| {
            let cards = cards.as_array().expect("cards");
            cards.contains(&draw["magic_card"])
        };
        let is_drawn = match fields["kind"].as_str() {
            Some("magic_card") => has_card(&fields["cards"]),
            _ => draw["lucky_position"]["seat"] == fields["seat"],
        };
        if !is_drawn {
            return Err("not_drawn");
        }
        self.observed.insert("bonus");
        Ok(self.record_hit(table, format!("{table}.{sequence}"), fields, by))
    }

    pub(super) fn decide(&mut self, hit: &str, state: &str) -> Result<(), &'static str> {
        let hit = self.hits.get_mut(hit).expect("a hit");
        if hit["state"] != "pending" {
            return Err("hit_not_pending");
        }
        hit["state"] = json!(state);
        Ok(())
    }

    fn void(&mut self, table: &str) -> Result<(), &'static str> {
        let round = self.tables.get_mut(table).expect("a table").round.take();
        let round = round.expect("a round");
        let is_validated = |hit: &String| self.hits[hit]["state"] == "validated";
        if round.hits.iter().any(is_validated) {
            self.tables.get_mut(table).expect("a table").round = Some(round);
            return Err("hit_not_pending");
        }
        for hit in &round.hits {
            let entry = self.hits.get_mut(hit).expect("a hit");
            if ["pending", "validated_by_rule"].contains(&entry["state"].as_str().expect("a state"))
            {
                entry["state"] = json!("void");
            }
        }
        let wagers = i64::try_from(round.wagers.len()).expect("few");
        let link = &self.tables[table].link;
        self.links.get_mut(link).expect("a link").wagers -= wagers;
        assert!(round.sequence > 0);
        Ok(())
    }

    fn close(&mut self, table: &str) -> Result<(), &'static str> {
        let hits = self.open_round(table).hits.clone();
        for hit in &hits {
            let hit = &self.hits[hit];
            let payout = &hit["payouts"][0];
            let is_unpaid = payout["handed_over"] == "slip" && payout["payment"]["paid"] == false;
            if hit["state"] == "pending" || (hit["state"] == "validated" && is_unpaid) {
                return Err("hit_unsettled");
            }
        }
        let entry = self.tables.get_mut(table).expect("a table");
        entry.round = None;
        let link = self.links.get_mut(&entry.link).expect("a link");
        for hit in hits {
            let hit = self.hits.get_mut(&hit).expect("a hit");
            if hit["state"] == "validated" || hit["state"] == "validated_by_rule" {
                hit["state"] = json!("paid");
                let amount = hit["payouts"][0]["amount"].as_str().expect("money");
                link.paid += amount::parse(amount).expect("money");
            }
        }
        Ok(())
    }
}
