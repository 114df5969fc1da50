//! A display that doesn't read holds nobody up, costs a bounded memory, and begins again with a snapshot. The same
//! holds if it has shared a writer before.

use meterhouse_domain::command::{CoinIn, HitCommand, Holder, TableCommand, Wager, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_engine::Engine;
use meterhouse_engine::view::Sender;
use meterhouse_tests::client::BADGE;
use meterhouse_tests::{FIVE_CARD_C, Feed, House, TestServer};
use serde_json::Value;

/// Hits, each keyed and cancelled: more happenings than a display may be behind and its sockets hold.
const HITS: u64 = 900;
/// Hits before it is waited for the display that reads: displays are told every 50 ms.
const AT_ONCE: u64 = 300;

/// A table that goes straight to the engine, many commands at once: the wire is not what is tested here.
struct Fast {
    engine: Engine,
    table: TableName,
    sender: Sender,
    next: u64,
}

impl Fast {
    async fn of(house: &House, table: &str) -> Self {
        let token = house.token(table, "controller", Some(table), None).await;
        let caller = house.server.engine.authenticate(&token).await;
        let caller = caller.expect("answers").expect("a token");
        let actor = caller.person.actor;
        Self {
            engine: house.server.engine.clone(),
            table: table.parse().expect("a name"),
            sender: Sender {
                actor,
                by: BADGE.parse().ok(),
                device_time: None,
            },
            next: 1,
        }
    }

    /// Opens a round.
    async fn coin_in(&mut self) {
        let wager = Wager {
            seat: Seat(1),
            on: WageredHand::Own,
            amount: Money::DOLLAR,
            player: None,
        };
        let coin_in = CoinIn {
            wagers: vec![wager],
            dealt: vec![Seat(1)],
        };
        self.all(vec![TableCommand::CoinIn(coin_in)]).await;
    }

    /// Keys and cancels hits; the name of the last one.
    async fn press_the_button(&mut self, times: u64) -> String {
        let first = self.next;
        let hits = (0..times).map(|hit| Sequence(first + 2 * hit));
        let press = |hit| {
            let keyed = HitCommand {
                holder: Holder::Seat(Seat(1)),
                hand: Hand::Flush,
                cards: None,
            };
            [
                TableCommand::Hit(keyed),
                TableCommand::CancelHit { hit, number: 0 },
            ]
        };
        self.all(hits.flat_map(press).collect()).await;
        format!("{}.{}", self.table, self.next - 2)
    }

    async fn all(&mut self, commands: Vec<TableCommand>) {
        let numbers = self.next..;
        self.next += u64::try_from(commands.len()).expect("fits");
        let sent = numbers.zip(commands).map(|(number, command)| {
            let sender = self.sender.clone();
            self.engine
                .table_command(&self.table, sender, Sequence(number), command)
        });
        for answer in futures_util::future::join_all(sent).await {
            drop(answer.expect("it is counted"));
        }
    }
}

/// While one display reads nothing, another hears everything; when the first one reads again it begins anew, and
/// what it hears then is the newest.
#[tokio::test]
async fn it_holds_nobody_up() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let narrow = TestServer::start_narrow(&house.database).await;
    let mut slow = Feed::open_narrow(narrow.address, "main").await;
    let mut quick = Feed::open(narrow.address, "main", None).await;
    let mut fast = Fast::of(&house, "T1").await;
    fast.coin_in().await;
    for _ in 0..HITS / AT_ONCE {
        let last = fast.press_the_button(AT_ONCE).await;
        quick
            .hears("hit_changed", |it| it["hit"] == last.as_str())
            .await;
    }
    let heard = quick.of("hit_changed").len() as u64;
    assert_eq!(
        heard, HITS,
        "the quick one missed something, or began again"
    );
    assert_eq!(quick.of("snapshot").len(), 1);

    let newest = house.nobody().get("/v1/links/main/meters").await.is(200);
    let is_newest = |it: &Value| it["batch"] == newest["batch"];
    while !slow.heard.iter().any(is_newest) {
        if slow.next().await.is_none() {
            // On a busy machine all that took so long that it was cut off. It comes again.
            slow = Feed::open(narrow.address, "main", None).await;
        }
    }
    let first = slow.heard.first().expect("something");
    let began_again = is_newest(first) || slow.of("snapshot").len() >= 2;
    assert!(
        began_again,
        "{} messages were kept for it",
        slow.heard.len()
    );
    assert!(
        (slow.of("hit").len() as u64) < HITS,
        "every hit was kept for it"
    );
    narrow.stop().await;
    house.end().await;
}

/// A display that stops to read leaves the others of its group. What it hears later has no gap but where a snapshot
/// says so, and ends with the newest amounts.
#[tokio::test]
async fn it_holds_up_no_other_of_its_group() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let narrow = TestServer::start_narrow(&house.database).await;
    let mut slow = Feed::open_narrow(narrow.address, "main").await;
    let mut quick = Feed::open(narrow.address, "main", None).await;
    // Displays share a writer from their first heartbeat on.
    for display in [&mut slow, &mut quick] {
        let is_second = |heard: &[Value]| {
            let heartbeats = heard.iter().filter(|it| it["type"] == "heartbeat");
            heartbeats.count() >= 2
        };
        display.until("two heartbeats", is_second).await;
    }
    let mut fast = Fast::of(&house, "T1").await;
    fast.coin_in().await;
    for _ in 0..HITS / AT_ONCE {
        let last = fast.press_the_button(AT_ONCE).await;
        quick
            .hears("hit_changed", |it| it["hit"] == last.as_str())
            .await;
    }
    assert_eq!(quick.of("hit_changed").len() as u64, HITS);
    assert_eq!(quick.of("snapshot").len(), 1);

    let newest = house.nobody().get("/v1/links/main/meters").await.is(200);
    let is_newest = |it: &Value| it["batch"] == newest["batch"];
    while !slow.heard.iter().any(is_newest) {
        if slow.next().await.is_none() {
            // On a busy machine all that took so long that it was cut off.
            break;
        }
    }
    // Hits have every second number of their table.
    let mut due = 0_u64;
    for message in &slow.heard {
        match message["type"].as_str() {
            Some("snapshot") => due = 0,
            Some("hit") => {
                let name = message["hit"].as_str().expect("a name");
                let number: u64 = name.trim_start_matches("T1.").parse().expect("a number");
                assert!(due == 0 || number == due, "{number} instead of {due}");
                due = number + 2;
            }
            _ => {}
        }
    }
    let heard = slow.heard.iter().filter_map(|it| it["batch"].as_u64());
    let batches: Vec<u64> = heard.collect();
    assert!(batches.is_sorted(), "{batches:?}");
    narrow.stop().await;
    house.end().await;
}
