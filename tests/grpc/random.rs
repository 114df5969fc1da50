//! Random scripts over both ways: a floor of tables where dealers press what they may and what they may not.
//!
//! # How
//! The script is drawn as it is played, from a seed and what was heard so far. Played in two fresh houses with one
//! seed, one over HTTP, one over gRPC, the same has to be heard all along. In one house, each command is sent over
//! one way and again over the other: the second has to hear the same with the word that it is a repeat.

use std::hash::{BuildHasher as _, RandomState};

use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House, Supervisor};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::form::Said;
use crate::ways::{OverGrpc, OverHttp, Way};

/// The seed to play again, where one is given.
const SEED: &str = "METERHOUSE_SEED";
/// The tables of a floor.
const TABLES: [&str; 3] = ["T1", "T2", "T3"];
/// Commands of one script: few enough that no table has more refusals than it may have written.
const COMMANDS: usize = 220;
/// Hands as the buttons say.
const HANDS: [&str; 6] = [
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
];
/// Cards that make some of them.
const CARDS: [&str; 5] = [
    "As Ks Qs Js Ts",
    "9h 8h 7h 6h 5h",
    "Kd Kc Kh Ks 2d",
    "Ah 9h 7h 5h 3h",
    "2c 5d 7h 9s Jc",
];

/// What is known of a table.
#[derive(Default)]
struct Felt {
    next: u64,
    is_open: bool,
    last: Value,
    /// The hits of the round that wait for somebody, with the numbers of their slips.
    hits: Vec<(String, Vec<u64>)>,
}

/// A script that is drawn as it is played.
struct Script {
    rng: StdRng,
    felts: Vec<Felt>,
}

impl Script {
    fn new(seed: u64) -> Self {
        let felt = |_| Felt {
            next: 1,
            ..Felt::default()
        };
        Self {
            rng: StdRng::seed_from_u64(seed),
            felts: TABLES.iter().map(felt).collect(),
        }
    }

    /// The next command: its table, number and body.
    fn draw(&mut self) -> (usize, u64, Value) {
        let table = self.rng.random_range(0..TABLES.len());
        let felt = &self.felts[table];
        let (next, last) = (felt.next, felt.last.clone());
        match self.rng.random_range(0..20) {
            0 if next > 1 => (table, next - 1, last),
            1 if next > 1 => (table, next - 1, json!({"command": "count", "chips": 99})),
            2 => (
                table,
                next + self.rng.random_range(1..4),
                json!({"command": "close"}),
            ),
            _ => (table, next, self.command(table)),
        }
    }

    fn command(&mut self, table: usize) -> Value {
        let is_open = self.felts[table].is_open;
        match self.rng.random_range(0..100) {
            0..80 if !is_open => self.coin_in(),
            0..30 => json!({"command": "close"}),
            30..50 => self.hit(),
            50..58 => json!({"command": "fold", "seats": self.seats()}),
            58..64 => json!({"command": "count", "chips": self.rng.random_range(0..7)}),
            64..72 => self.keyed("envy"),
            72..78 => json!({"command": "void", "reason": "misdeal"}),
            78..86 => self.cancel_hit(table),
            86..92 => self.settle(),
            92..95 => self.bonus(),
            95..97 => json!({"command": "hit", "hand": "flush"}),
            97..98 => json!({"command": "hit", "seat": 1, "hand": "five-of-a-kind"}),
            98..99 => json!({"command": "hit", "seat": 1, "hand": "flush", "cards": ["1s"]}),
            _ => self.coin_in(),
        }
    }

    fn coin_in(&mut self) -> Value {
        let seats = self.seats();
        let mut wagers: Vec<Value> = seats
            .iter()
            .map(|it| json!({"seat": it, "amount": "1.00"}))
            .collect();
        for wager in &mut wagers {
            match self.rng.random_range(0..30) {
                0..6 => wager["player"] = json!("p-7"),
                6..12 => wager["on"] = json!("dealer"),
                12 => wager["amount"] = json!("0.50"),
                _ => {}
            }
        }
        json!({"command": "coin_in", "wagers": wagers, "dealt": seats, "by": "d-1"})
    }

    /// Some seats; the seventh is on no layout.
    fn seats(&mut self) -> Vec<u8> {
        let most = if self.rng.random_bool(0.03) { 7 } else { 6 };
        (1..=most).filter(|_| self.rng.random_bool(0.6)).collect()
    }

    fn hit(&mut self) -> Value {
        if self.rng.random_bool(0.15) {
            return json!({"command": "hit", "dealer": true, "hand": self.any(&HANDS)});
        }
        self.keyed("hit")
    }

    fn keyed(&mut self, command: &str) -> Value {
        let mut keyed = json!({"seat": self.rng.random_range(1..7), "hand": self.any(&HANDS)});
        if self.rng.random_bool(0.4) {
            keyed["cards"] = cards(self.any(&CARDS));
        }
        keyed["command"] = json!(command);
        keyed
    }

    fn cancel_hit(&mut self, table: usize) -> Value {
        let felt = &self.felts[table];
        let made_up = format!("{}.{}", TABLES[table], felt.next);
        let hit = felt.hits.last().map_or(made_up, |(hit, _)| hit.clone());
        json!({"command": "cancel_hit", "hit": hit})
    }

    fn settle(&mut self) -> Value {
        let seats = self.seats();
        let seats: Vec<Value> = seats
            .into_iter()
            .map(|seat| json!({"seat": seat, "cards": cards(self.any(&CARDS))}))
            .collect();
        json!({"command": "settle", "dealer": cards("3c 6d 8h Ts Qc"), "seats": seats})
    }

    fn bonus(&mut self) -> Value {
        let kind = self.any(&["magic_card", "lucky_bonus"]);
        json!({"command": "bonus", "kind": kind, "seat": self.rng.random_range(1..7)})
    }

    fn any(&mut self, all: &[&'static str]) -> &'static str {
        all.choose(&mut self.rng).expect("some")
    }

    /// Remembers what was said to a table's next command.
    fn hear(&mut self, table: usize, sequence: u64, command: &Value, said: &Said) {
        let felt = &mut self.felts[table];
        if sequence != felt.next || !said.uses_up() {
            return;
        }
        felt.next += 1;
        felt.last = command.clone();
        let Said::Done(_, body) = said else { return };
        match body["command"].as_str() {
            Some("coin_in") => felt.is_open = true,
            Some("close" | "void") => {
                felt.is_open = false;
                felt.hits.clear();
            }
            Some("hit" | "envy" | "bonus") => felt.hits.push(waiting(&body["hit"])),
            Some("settle") => felt
                .hits
                .extend(body["hits"].as_array().expect("hits").iter().map(waiting)),
            Some("cancel_hit") => felt.hits.retain(|(hit, _)| body["hit"] != **hit),
            _ => {}
        }
    }

    /// Before GAME OVER a supervisor most often settles what waits.
    async fn settle_hits(&mut self, table: usize, command: &Value, sam: &Supervisor) {
        if command["command"] != "close" || self.rng.random_bool(0.2) {
            return;
        }
        for (hit, slips) in std::mem::take(&mut self.felts[table].hits) {
            // Some need nobody, and some are settled already: both houses say the same.
            drop(sam.approve(&hit).await);
            for slip in slips {
                let slip = u32::try_from(slip).expect("a small number");
                drop(sam.pay(&hit, slip, &format!("JP-{hit}")).await);
            }
        }
    }
}

/// A hit and the numbers of its payouts by slip.
fn waiting(hit: &Value) -> (String, Vec<u64>) {
    let payouts = hit["payouts"].as_array().expect("payouts").iter();
    let slips = payouts.filter(|it| it["handed_over"] == "slip");
    let slips = slips.filter_map(|it| it["payout"].as_u64()).collect();
    (hit["hit"].as_str().expect("a hit").to_owned(), slips)
}

fn cards(text: &str) -> Value {
    text.split(' ').collect()
}

/// A seed of its own for each run, told to whoever reads a failed test's output.
fn seed(test: &str) -> u64 {
    let given = std::env::var_os(SEED).and_then(|it| it.to_str()?.parse().ok());
    let seed = given.unwrap_or_else(|| RandomState::new().hash_one(test));
    println!("{test}: {SEED}={seed}");
    seed
}

/// Plays the script of a seed; everything that was heard.
async fn play(house: &House, way: &mut impl Way, seed: u64) -> Vec<Said> {
    let sam = house.supervisor("sam").await;
    let mut script = Script::new(seed);
    let mut heard = Vec::new();
    for _ in 0..COMMANDS {
        let (table, sequence, command) = script.draw();
        script.settle_hits(table, &command, &sam).await;
        let said = way.say(table, sequence, &command).await;
        script.hear(table, sequence, &command, &said);
        heard.push(said.without_place());
    }
    heard
}

async fn assert_same_in_two_houses(paytable: &str, seed: u64) {
    let (http_house, dealers) = House::playing(paytable, &TABLES).await;
    let over_http = play(&http_house, &mut OverHttp { dealers: &dealers }, seed).await;
    let (grpc_house, dealers) = House::playing(paytable, &TABLES).await;
    let mut way = OverGrpc::open(&grpc_house, &dealers).await;
    let over_grpc = play(&grpc_house, &mut way, seed).await;
    drop(way);
    for (index, (http, grpc)) in over_http.iter().zip(&over_grpc).enumerate() {
        assert_eq!(http, grpc, "answer {index} of seed {seed}");
    }
    let done = over_grpc
        .iter()
        .filter(|it| matches!(it, Said::Done(..)))
        .count();
    assert!(
        done > COMMANDS / 4,
        "only {done} were done with seed {seed}"
    );
    assert_eq!(http_house.balances().await, grpc_house.balances().await);
    http_house.end().await;
    grpc_house.end().await;
}

/// The same script in two houses: the same is heard, and the books are the same.
#[tokio::test]
async fn in_two_houses() {
    let seed = seed("in_two_houses");
    for paytable in [FIVE_CARD_C, HAND_BONUS, FIVE_CARD_A] {
        Box::pin(assert_same_in_two_houses(paytable, seed)).await;
    }
}

/// Each command over one way and again over the other: place, time and draw are the same too.
#[tokio::test]
async fn in_one_house() {
    let seed = seed("in_one_house");
    let draws = json!({"magic_card_one_in": 2, "lucky_bonus_one_in": 2});
    let (house, dealers) = House::playing_with(HAND_BONUS, &draws, &TABLES).await;
    let sam = house.supervisor("sam").await;
    let mut script = Script::new(seed);
    let mut http = OverHttp { dealers: &dealers };
    let mut grpc = OverGrpc::open(&house, &dealers).await;
    for index in 0..COMMANDS {
        let (table, sequence, command) = script.draw();
        script.settle_hits(table, &command, &sam).await;
        let one = http_first(index, &mut http, &mut grpc, table, sequence, &command).await;
        script.hear(table, sequence, &command, &one);
        play_bonus(&mut script, &mut http, &mut grpc, table, &one).await;
    }
    drop(grpc);
    house.end().await;
}

/// Says a command over both ways, each time another one first.
async fn http_first(
    index: usize,
    http: &mut OverHttp<'_>,
    grpc: &mut OverGrpc<'_>,
    table: usize,
    sequence: u64,
    command: &Value,
) -> Said {
    let (one, other) = if index.is_multiple_of(2) {
        let one = http.say(table, sequence, command).await;
        (one, grpc.say(table, sequence, command).await)
    } else {
        let one = grpc.say(table, sequence, command).await;
        (one, http.say(table, sequence, command).await)
    };
    match &other {
        Said::Done(replayed, _) | Said::Refused(replayed, _) => assert!(replayed, "{other:?}"),
        Said::NotExecuted(..) => {}
    }
    assert_eq!(one.clone().first(), other.first(), "command {index}");
    one
}

/// Keys the bonus that a coin-in drew: it is done over both ways.
async fn play_bonus(
    script: &mut Script,
    http: &mut OverHttp<'_>,
    grpc: &mut OverGrpc<'_>,
    table: usize,
    said: &Said,
) {
    let Said::Done(false, body) = said else {
        return;
    };
    let Some(position) = body["lucky_position"].as_object() else {
        return;
    };
    let mut command = json!({"command": "bonus", "kind": "lucky_bonus"});
    command
        .as_object_mut()
        .expect("an object")
        .extend(position.clone());
    let sequence = script.felts[table].next;
    let one = http_first(1, http, grpc, table, sequence, &command).await;
    script.hear(table, sequence, &command, &one);
}
