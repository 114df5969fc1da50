//! A round that is settled from all its cards, the plain way.

use meterhouse_domain::card::Card;
use serde_json::{Value, json};

use super::{Manners, Mock};
use crate::deal::hand_of;
use crate::defaults::default_links;

impl Mock {
    pub(super) fn settle(
        &mut self,
        table: &str,
        sequence: usize,
        it: &Value,
        by: &Value,
    ) -> Result<Value, &'static str> {
        self.seen.insert("settle");
        let round = self.open_round(table);
        if !round.hits.is_empty() {
            return Err("already_hit");
        }
        let on_dealer = |wager: &&Value| wager["on"] == "dealer";
        let dealer_turn = round.wagers.iter().filter(on_dealer);
        let dealer_turn = dealer_turn.filter_map(|it| it["seat"].as_u64()).max();
        let seats = it["seats"].as_array().expect("seats").iter();
        let mut hands: Vec<(u64, Option<u64>, &Value)> = seats
            .map(|it| {
                let seat = it["seat"].as_u64().expect("a seat");
                (2 * seat, Some(seat), &it["cards"])
            })
            .collect();
        if let Some(turn) = dealer_turn {
            hands.push((2 * turn - 1, None, &it["dealer"]));
        }
        hands.sort_by_key(|(turn, ..)| std::cmp::Reverse(*turn));
        let mut hits = Vec::new();
        for (_, seat, cards) in hands {
            let mut formed = cards.as_array().expect("cards").clone();
            formed.extend(it["community"].as_array().into_iter().flatten().cloned());
            for won in self.won(table, seat, &json!(formed)) {
                let name = format!("{table}.{sequence}.{}", hits.len() + 1);
                hits.push(self.record(table, name, &won, by));
            }
        }
        if self.manners == Manners::Blind {
            hits.clear();
        }
        Ok(json!(hits))
    }

    /// What a hand wins.
    fn won(&mut self, table: &str, seat: Option<u64>, cards: &Value) -> Vec<Value> {
        let of_link = self.tables[table].link.clone();
        let link = default_links().into_iter().find(|it| it.link == of_link);
        let link = link.expect("a link of the demo");
        let round = self.open_round(table);
        let folded = seat.is_some_and(|seat| round.folded.contains(&json!(seat)));
        let wagered = round.wagers.iter().any(|it| match seat {
            Some(seat) => it["seat"] == seat && it["on"].is_null(),
            None => it["on"] == "dealer",
        });
        let tables = link.tables.iter();
        let game = tables
            .filter(|it| it.table == table)
            .map(|it| it.game)
            .next();
        if !wagered || (folded && game.expect("a table of the demo").forfeited_by_fold) {
            return Vec::new();
        }
        let mut won = Vec::new();
        let five: Vec<Card> = cards.as_array().expect("cards").iter().map(card).collect();
        let five: [Card; 5] = five.as_slice().try_into().expect("five cards");
        let hand = hand_of(link.ranking, five);
        if link.line(hand).is_some() {
            won.push(json!({"kind": "line", "seat": seat, "hand": hand.name(), "cards": cards}));
        }
        if cards
            .as_array()
            .expect("cards")
            .contains(&round.drawn["magic_card"])
        {
            won.push(json!({"kind": "magic_card", "seat": seat, "cards": cards}));
        }
        let position = &round.drawn["lucky_position"];
        let is_lucky = match seat {
            Some(seat) => position["seat"] == seat,
            None => position["dealer"] == true,
        };
        if is_lucky {
            won.push(json!({"kind": "lucky_bonus", "seat": seat, "cards": cards}));
        }
        won
    }
}

fn card(text: &Value) -> Card {
    text.as_str().expect("a card").parse().expect("a card")
}
