//! A table's controller with its numbering.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Answer, Caller};

/// A table's controller, which counts its commands.
#[derive(Debug)]
pub struct Dealer {
    /// With the table's token.
    pub caller: Caller,
    /// The table.
    pub table: String,
    next: AtomicU64,
}

impl Dealer {
    /// A controller that has sent nothing yet.
    pub fn new(caller: Caller, table: &str) -> Self {
        Self {
            caller,
            table: table.to_owned(),
            next: AtomicU64::new(1),
        }
    }

    /// The next number.
    pub fn next(&self) -> u64 {
        self.next.load(Ordering::SeqCst)
    }

    /// Goes on with this number.
    pub fn goes_on_at(&self, next: u64) {
        self.next.store(next, Ordering::SeqCst);
    }

    /// What `GET /v1/tables/{table}` says, and the numbering after it.
    pub async fn resume(&self) -> Answer {
        let table = self
            .caller
            .get(&format!("/v1/tables/{}", self.table))
            .await
            .is(200);
        self.goes_on_at(table["next_sequence"].as_u64().expect("a number"));
        table
    }

    /// The path of a command.
    pub fn path(&self, sequence: impl std::fmt::Display) -> String {
        format!("/v1/tables/{}/commands/{sequence}", self.table)
    }

    /// The name of what a command began.
    pub fn named(&self, sequence: u64) -> String {
        format!("{}.{sequence}", self.table)
    }

    /// Sends a command with the next number; it is used up by whatever the rules say.
    pub async fn send(&self, command: &Value) -> Answer {
        let sequence = self.next();
        let answer = self.send_as(sequence, command).await;
        if matches!(answer.status, 200 | 201 | 422) {
            self.goes_on_at(sequence + 1);
        }
        answer
    }

    /// Sends a command with any number, what keys hits with a [badge](keyed).
    pub async fn send_as(&self, sequence: u64, command: &Value) -> Answer {
        let path = self.path(sequence);
        self.caller.put(&path, &keyed(command)).await
    }

    /// "No more bets": one dollar on the own hand of each of these seats, nobody else dealt in.
    pub async fn coin_in(&self, seats: &[u8]) -> Answer {
        self.send(&coin_in(seats)).await
    }

    /// The hand button.
    pub async fn hit(&self, seat: u8, hand: &str, cards: &str) -> Answer {
        self.send(&hit(seat, hand, cards)).await
    }

    /// The hand button, at a table that doesn't know the cards.
    pub async fn hit_unseen(&self, seat: u8, hand: &str) -> Answer {
        self.send(&json!({"command": "hit", "seat": seat, "hand": hand}))
            .await
    }

    /// The hand button for the dealer's own hand.
    pub async fn dealer_hit(&self, hand: &str) -> Answer {
        self.send(&json!({"command": "hit", "dealer": true, "hand": hand}))
            .await
    }

    /// Wagers on the dealer's hand, one dollar of each of these seats.
    pub async fn coin_in_on_dealer(&self, seats: &[u8]) -> Answer {
        let wagers: Vec<Value> = seats.iter().map(|seat| on_dealer(*seat)).collect();
        self.send(&json!({"command": "coin_in", "wagers": wagers, "dealt": seats}))
            .await
    }

    /// The table says that it is there.
    pub async fn heartbeat(&self) -> Answer {
        let path = format!("/v1/tables/{}/heartbeat", self.table);
        self.caller.send(Method::PUT, &path, &[], Vec::new()).await
    }

    /// The same button again.
    pub async fn cancel(&self, hit: u64) -> Answer {
        self.send(&json!({"command": "cancel_hit", "hit": self.named(hit)}))
            .await
    }

    /// Hands given up.
    pub async fn fold(&self, seats: &[u8]) -> Answer {
        self.send(&json!({"command": "fold", "seats": seats})).await
    }

    /// GAME OVER.
    pub async fn close(&self) -> Answer {
        self.send(&json!({"command": "close"})).await
    }

    /// All wagers go back.
    pub async fn void(&self, reason: &str) -> Answer {
        self.send(&json!({"command": "void", "reason": reason}))
            .await
    }

    /// Plays whole rounds in which nobody wins.
    pub async fn rounds(&self, count: usize, seats: &[u8]) {
        for _ in 0..count {
            drop(self.coin_in(seats).await.created());
            drop(self.close().await.created());
        }
    }
}

/// The badge of the dealer who keys hits.
pub const BADGE: &str = "d-12";

/// Returns a command as a dealer sends it: one that keys hits has his badge, unless it says `by`, if only `null`.
pub fn keyed(command: &Value) -> Value {
    let mut command = command.clone();
    if let Some(fields) = command.as_object_mut()
        && ["hit", "envy", "settle"].iter().any(|name| {
            fields
                .get("command")
                .is_some_and(|command| command == *name)
        })
    {
        fields.entry("by").or_insert_with(|| json!(BADGE));
    }
    command
}

/// One dollar on the own hand of each of these seats, nobody else dealt in.
pub fn coin_in(seats: &[u8]) -> Value {
    let wagers: Vec<Value> = seats
        .iter()
        .map(|seat| json!({"seat": seat, "amount": "1.00"}))
        .collect();
    json!({"command": "coin_in", "wagers": wagers, "dealt": seats})
}

/// A hit with its cards, as in `As Ks Qs Js Ts`.
pub fn hit(seat: u8, hand: &str, cards: &str) -> Value {
    let cards: Vec<&str> = cards.split_whitespace().collect();
    json!({"command": "hit", "seat": seat, "hand": hand, "cards": cards})
}

/// One dollar of a seat on the dealer's hand.
pub fn on_dealer(seat: u8) -> Value {
    json!({"seat": seat, "amount": "1.00", "on": "dealer"})
}

/// The whole round from its cards, each hand as in `As Ks Qs Js Ts`; the dealer's is left out where it is empty.
pub fn settle(dealer: &str, seats: &[(u8, &str)]) -> Value {
    let cards = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let seats: Vec<Value> = seats
        .iter()
        .map(|(seat, text)| json!({"seat": seat, "cards": cards(text)}))
        .collect();
    json!({"command": "settle", "dealer": cards(dealer), "seats": seats})
}
