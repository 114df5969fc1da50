//! Two servers on one database: whatever they are asked alternately, nothing is lost and nothing doubled.

use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, TwoPeople};
use serde_json::json;

/// One table's commands alternate between two servers; each repeat goes to the other one.
#[tokio::test]
async fn commands_alternate() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let [here] = &dealers[..] else {
        panic!("one table")
    };
    let there = Dealer::new(here.caller.at(second.base()), "T1");
    for round in 0..20 {
        let (one, other) = if round % 2 == 0 {
            (here, &there)
        } else {
            (&there, here)
        };
        let sequence = 2 * round + 1;
        let locked = one.send_as(sequence, &coin_in(&[1, 3, 5])).await.created();
        let again = other.send_as(sequence, &coin_in(&[1, 3, 5])).await.is(200);
        assert_eq!(again.text, locked.text);
        assert_eq!(one.resume().await["next_sequence"], sequence + 1);
        assert_eq!(other.resume().await["next_sequence"], sequence + 1);
        drop(
            other
                .send_as(sequence + 2, &json!({"command": "close"}))
                .await
                .problem(409, "sequence_gap"),
        );
        drop(
            other
                .send_as(sequence + 1, &json!({"command": "close"}))
                .await
                .created(),
        );
        drop(
            one.send_as(sequence, &coin_in(&[1]))
                .await
                .problem(409, "sequence_reused"),
        );
    }
    assert_eq!(
        house.meters("main").await,
        ["10005.40", "1004.20", "251.80"]
    );
    second.stop().await;
    house.end().await;
}

/// CONFORMANCE 25: ten tables, five at each server, all at once on one link: every wager is counted once.
#[tokio::test]
async fn both_busy() {
    const TABLES: u64 = 10;
    const ROUNDS: u64 = 10;
    let names: Vec<String> = (1..=TABLES).map(|it| format!("T{it}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (house, dealers) = House::playing(FIVE_CARD_C, &names).await;
    let second = house.another_server().await;
    let playing = dealers.iter().enumerate().map(async |(index, dealer)| {
        let base = if index % 2 == 0 {
            house.server.base()
        } else {
            second.base()
        };
        let dealer = Dealer::new(dealer.caller.at(base), &dealer.table);
        for round in 0..ROUNDS {
            let sequence = 2 * round + 1;
            // A controller that hears "busy" sends the same again.
            send_until_counted(&dealer, sequence, &coin_in(&[1, 2])).await;
            send_until_counted(&dealer, sequence + 1, &json!({"command": "close"})).await;
        }
    });
    futures_util::future::join_all(playing).await;
    // 200 wagers.
    assert_eq!(
        house.meters("main").await,
        ["10018.00", "1014.00", "256.00"]
    );
    for dealer in &dealers {
        assert_eq!(dealer.resume().await["last_sequence"], 2 * ROUNDS);
    }
    second.stop().await;
    house.end().await;
}

async fn send_until_counted(dealer: &Dealer, sequence: u64, command: &serde_json::Value) {
    let answer = meterhouse_tests::eventually("the command is counted", async || {
        let answer = dealer.send_as(sequence, command).await;
        (answer.status != 503).then_some(answer)
    });
    let answer = answer.await;
    assert!(
        matches!(answer.status, 200 | 201),
        "{}: {}",
        answer.asked,
        answer.text
    );
}

/// A hit keyed at one server is validated and paid at the other, and closed at the first.
#[tokio::test]
async fn a_hit_goes_from_one_to_the_other() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let second = house.another_server().await;
    let sam = house.supervisor("sam").await;
    let there = meterhouse_tests::Supervisor {
        caller: sam.caller.at(second.base()),
    };
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    drop(there.approve("T1.2").await.created());
    assert!(sam.approve("T1.2").await.is(200).replayed());
    drop(there.pay("T1.2", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    assert_eq!(there.hit("T1.2").await.is(200).text("state"), "paid");
    second.stop().await;
    house.end().await;
}

/// A link opened and a table joined at one server are known at the other at once, its token too.
#[tokio::test]
async fn what_is_new_at_one_is_known_at_the_other() {
    let house = House::open().await;
    let second = house.another_server().await;
    house.link("main", FIVE_CARD_C).await;
    let dealer = house.table("T1", "main", FIVE_CARD_C).await;
    let there = Dealer::new(dealer.caller.at(second.base()), "T1");
    drop(there.coin_in(&[1]).await.created());
    assert_eq!(
        house.meters("main").await,
        ["10000.09", "1000.07", "250.03"]
    );
    second.stop().await;
    house.end().await;
}

/// What is proposed at one server is approved at the other, and both say so.
#[tokio::test]
async fn two_people_at_two_servers() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let both = house.two_people().await;
    let there = both.other.at(second.base());
    let id = TwoPeople::new_id();
    let change =
        json!({"change": "adjust", "level": "minor", "account": "meter", "amount": "0.50"});
    drop(both.propose("main", &id, &change).await.created());
    let path = format!("{}/approval", TwoPeople::path("main", &id));
    let approved = there.put(&path, &json!({"decision": "approve"})).await;
    let approved = approved.created();
    let again = both.approve("main", &id).await.is(200);
    assert_eq!((again.replayed(), &again.text), (true, &approved.text));
    for caller in [&both.one, &there] {
        let seen = caller.get(&TwoPeople::path("main", &id)).await.is(200);
        assert_eq!(seen.text("state"), "approved");
    }
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.00", "250.50"]
    );
    second.stop().await;
    house.end().await;
}
