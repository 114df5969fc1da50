//! The settle command: a second, simple implementation.

use meterhouse_domain::card::Card;
use serde_json::{Value, json};

use super::{Misbehavior, Mock};
use crate::deal::hand_of;
use crate::defaults::default_links;

impl Mock {
    pub(super) fn settle(
        &mut self,
        table: &str,
        sequence: usize,
        fields: &Value,
        by: &Value,
    ) -> Result<Value, &'static str> {
        self.observed.insert("settle");
        let round = self.open_round(table);
        if !round.hits.is_empty() {
            return Err("already_hit");
        }
        let on_dealer = |wager: &&Value| wager["on"] == "dealer";
        let dealer_turn = round.wagers.iter().filter(on_dealer);
        let dealer_turn = dealer_turn.filter_map(|wager| wager["seat"].as_u64()).max();
        let seats = fields["seats"].as_array().expect("seats").iter();
        let mut hands: Vec<(u64, Option<u64>, &Value)> = seats
            .map(|shown| {
                let seat = shown["seat"].as_u64().expect("a seat");
                (2 * seat, Some(seat), &shown["cards"])
            })
            .collect();
        if let Some(turn) = dealer_turn {
            hands.push((2 * turn - 1, None, &fields["dealer"]));
        }
        hands.sort_by_key(|(turn, ..)| std::cmp::Reverse(*turn));
        let mut hits = Vec::new();
        for (_, seat, cards) in hands {
            let mut five = cards.as_array().expect("cards").clone();
            five.extend(
                fields["community"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .cloned(),
            );
            for bonus_or_line in self.wins(table, seat, &json!(five)) {
                let name = format!("{table}.{sequence}.{}", hits.len() + 1);
                hits.push(self.record_hit(table, name, &bonus_or_line, by));
            }
        }
        if self.misbehavior == Misbehavior::SettleWithoutHits {
            hits.clear();
        }
        Ok(json!(hits))
    }

    /// Returns the lines and bonuses that a hand wins.
    fn wins(&mut self, table: &str, seat: Option<u64>, cards: &Value) -> Vec<Value> {
        let name = self.tables[table].link.clone();
        let link = default_links().into_iter().find(|link| link.link == name);
        let link = link.expect("a link of the demo");
        let round = self.open_round(table);
        let is_folded = seat.is_some_and(|seat| round.folded.contains(&json!(seat)));
        let has_wager = round.wagers.iter().any(|wager| match seat {
            Some(seat) => wager["seat"] == seat && wager["on"].is_null(),
            None => wager["on"] == "dealer",
        });
        let tables = link.tables.iter();
        let game = tables
            .filter(|listed| listed.table == table)
            .map(|listed| listed.game)
            .next();
        if !has_wager || (is_folded && game.expect("a table of the demo").forfeited_by_fold) {
            return Vec::new();
        }
        let mut wins = Vec::new();
        let five: Vec<Card> = cards
            .as_array()
            .expect("cards")
            .iter()
            .map(parse_card)
            .collect();
        let five: [Card; 5] = five.as_slice().try_into().expect("five cards");
        let hand = hand_of(link.ranking, five);
        if link.line(hand).is_some() {
            wins.push(json!({"kind": "line", "seat": seat, "hand": hand.name(), "cards": cards}));
        }
        if cards
            .as_array()
            .expect("cards")
            .contains(&round.draw["magic_card"])
        {
            wins.push(json!({"kind": "magic_card", "seat": seat, "cards": cards}));
        }
        let position = &round.draw["lucky_position"];
        let is_lucky = match seat {
            Some(seat) => position["seat"] == seat,
            None => position["dealer"] == true,
        };
        if is_lucky {
            wins.push(json!({"kind": "lucky_bonus", "seat": seat, "cards": cards}));
        }
        wins
    }
}

fn parse_card(text: &Value) -> Card {
    text.as_str().expect("a card").parse().expect("a card")
}
