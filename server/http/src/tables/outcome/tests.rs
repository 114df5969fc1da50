//! What `settle` answers is what the single commands answer in turn order, but for the hits' numbers.

use std::sync::Arc;

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    CoinIn, Command, HitCommand, Holder, Settle, TableCommand, Wager, WageredHand,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, TableNo, Timestamp};
use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::LinkState;
use meterhouse_engine::answer::{Displayed, Outcome};
use serde_json::Value;

use super::*;
use crate::testing::{carry_out, link};

const FIVE: [(u8, &str); 2] = [(1, "As Ks Qs Js Ts"), (3, "9h 8h 7h 6h 5h")];

fn cards(text: &str) -> Vec<Card> {
    let cards = text.split(' ').map(|text| text.parse().expect("a card"));
    cards.collect()
}

/// A link with one table whose commands are carried out and answered.
struct Table {
    state: LinkState,
    next: u64,
}

impl Table {
    fn new() -> Self {
        let (state, _) = link(LinkSettings::default());
        let mut table = Self { state, next: 1 };
        let wager = |seat| Wager {
            seat: Seat(seat),
            on: WageredHand::Own,
            amount: Money::DOLLAR,
            player: None,
        };
        drop(table.answer(TableCommand::CoinIn(CoinIn {
            wagers: vec![wager(1), wager(3)],
            dealt: vec![Seat(1), Seat(3)],
        })));
        table
    }

    fn answer(&mut self, command: TableCommand) -> Value {
        let (table, sequence) = (TableNo(1), Sequence(self.next));
        self.next += 1;
        let asked = Command::Table {
            table,
            sequence,
            command,
        };
        let origin = Origin::Table { table, sequence };
        let recorded = carry_out(&mut self.state, asked, origin);
        let answer = Answer {
            as_of: 1,
            outcome: Outcome {
                recorded: Arc::new(recorded),
                displayed: Displayed::of(&self.state),
                batch: sequence.0,
                position: 0,
                at: Timestamp(0),
            },
            replayed: false,
            link: Arc::new(self.state.clone()),
        };
        let body = written(&answer).expect("an answer").body;
        serde_json::to_value(body).expect("plain data")
    }
}

#[test]
fn settle_answers_what_the_single_hits_answer() {
    let (mut whole, mut single) = (Table::new(), Table::new());
    let seats = FIVE.map(|(seat, text)| (Seat(seat), cards(text)));
    let settled = whole.answer(TableCommand::Settle(Box::new(Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: seats.to_vec(),
    })));
    assert_eq!(settled["command"], "settle");
    // Turn order is descending.
    let one_by_one = [(3, Hand::StraightFlush), (1, Hand::RoyalFlush)].map(|(seat, hand)| {
        let found = seats.iter().find(|(held, _)| *held == Seat(seat));
        single.answer(TableCommand::Hit(HitCommand {
            holder: Holder::Seat(Seat(seat)),
            hand,
            cards: found.map(|(_, cards)| cards.clone()),
        }))
    });
    let hits = settled["hits"].as_array().expect("a list");
    assert_eq!(hits.len(), 2);
    for (number, (mut hit, alone)) in (1..).zip(hits.clone().into_iter().zip(one_by_one)) {
        assert_eq!(hit["hit"], format!("C4P-07.2.{number}"));
        assert_eq!(alone["hit"]["hit"], format!("C4P-07.{}", number + 1));
        assert_eq!(alone["command"], "hit");
        if number == 2 {
            assert_eq!(settled["levels"], alone["levels"]);
        }
        hit["hit"] = alone["hit"]["hit"].clone();
        assert_eq!(hit, alone["hit"]);
    }
}

#[test]
fn a_coin_in_without_draws_says_so() {
    let mut table = Table::new();
    drop(table.answer(TableCommand::Close));
    let again = table.answer(TableCommand::CoinIn(CoinIn {
        wagers: vec![Wager {
            seat: Seat(1),
            on: WageredHand::Own,
            amount: Money::DOLLAR,
            player: None,
        }],
        dealt: vec![Seat(1)],
    }));
    assert_eq!(
        (&again["magic_card"], &again["lucky_position"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(again["levels"][0]["contribution"], "0.09");
    assert!(again["levels"][0].get("over_ceiling").is_none());
}
