//! How amounts arose: the payoff report of a hit, also after everything that can be taken back was taken back.

use meterhouse_tests::{Answer, Dealer, FIVE_CARD_A, House};
use serde_json::{Value, json};

/// CONFORMANCE 57: how an amount arose since the last win: opening, contributions by table, what else moved the meter;
/// and the difference is nothing.
#[tokio::test]
async fn how_an_amount_arose() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1, 2, 3]).await.created());
    drop(t1.hit_unseen(3, "royal-flush").await.created());
    t2.rounds(2, &[1, 2, 3, 4, 5]).await;
    drop(t2.coin_in(&[6]).await.created());
    drop(t2.hit_unseen(6, "straight-flush").await.created());
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "3.21").await);
    let second = t1
        .hit_unseen(2, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(second.text("due"), "9005.29");

    let opening = payoff(&house, "T1.2").await;
    let of_t1 = json!([{"table": "T1", "wagers": 3, "amount": "0.63"}]);
    assert_eq!(opening["contributions"], of_t1);
    for (member, expected) in [
        ("since_hit", Value::Null),
        ("opening", json!("10000.00")),
        ("entries", json!([])),
        ("before", json!("10000.63")),
        ("due", json!("10000.63")),
        ("difference", json!("0.00")),
    ] {
        assert_eq!(opening[member], expected, "{member}");
    }
    let since = payoff(&house, "T1.3").await;
    let of_t2 = json!([{"table": "T2", "wagers": 11, "amount": "2.31"}]);
    assert_eq!(since["contributions"], of_t2);
    assert_eq!(
        since["entries"]
            .as_array()
            .expect("entries")
            .iter()
            .map(what_and_amount)
            .collect::<Vec<_>>(),
        ["hit -1000.23", "adjustment 3.21"]
    );
    for (member, expected) in [
        ("since_hit", "T1.2"),
        ("opening", "10000.00"),
        ("before", "9005.29"),
        ("displayed", "9005.29"),
        ("due", "9005.29"),
        ("difference", "0.00"),
    ] {
        assert_eq!(since.text(member), expected, "{member}");
    }
    let aud = house.person("aud", "auditor").await;
    let none = aud.get("/v1/hits/T2.99/payoff").await;
    drop(none.problem(404, "unknown_hit"));
    house.end().await;
}

async fn payoff(house: &House, hit: &str) -> Answer {
    let aud = house.person("aud", "auditor").await;
    aud.get(&format!("/v1/hits/{hit}/payoff")).await.is(200)
}

fn what_and_amount(entry: &Value) -> String {
    let text = |member: &str| entry[member].as_str().unwrap_or_default();
    format!("{} {}", text("kind"), text("amount"))
}

/// Three tables at a ceiling, with cancelled and rejected hits, void rounds before and after somebody's pay, and an
/// adjustment behind them.
async fn eventful() -> (House, Vec<Dealer>) {
    let settings = json!({"ceilings": {"meter": "10004.00"}});
    let names = ["T1", "T2", "T3"];
    let (house, dealers) = House::playing_with(FIVE_CARD_A, &settings, &names).await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    }
    drop(t1.hit_unseen(6, "straight-flush").await.created());
    drop(t1.cancel(2).await.created());
    drop(t1.hit_unseen(6, "straight-flush").await.created());
    drop(t2.hit_unseen(6, "straight-flush").await.created());
    drop(t3.void("misdeal").await.created());
    drop(sam.reject_and_resettle("T1.4").await.created());
    drop(t3.coin_in(&[1, 2]).await.created());
    drop(t3.void("misdeal").await.created());
    drop(both.adjust("main", "meter", "meter", "1003.30").await);
    t3.rounds(3, &[1, 2, 3, 4, 5, 6]).await;
    (house, dealers)
}

/// CONFORMANCE 57: the difference is nothing, whatever was taken back, went over a ceiling or was corrected before.
#[tokio::test]
async fn after_an_eventful_day() {
    let (house, dealers) = eventful().await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    let mut named = Vec::new();
    for (dealer, seat, hand) in [
        (t1, 5, "straight-flush"),
        (t1, 4, "royal-flush"),
        (t2, 5, "straight-flush"),
        (t2, 4, "royal-flush"),
    ] {
        let hit = dealer.hit_unseen(seat, hand).await.created().recorded_hit();
        named.push(hit.text("hit").to_owned());
        t3.rounds(1, &[1, 2, 3]).await;
    }
    for hit in &named {
        let report = payoff(&house, hit).await;
        assert_eq!(report.text("difference"), "0.00", "{hit}: {}", report.text);
    }
    // The first of them is corrected once the others are validated and paid.
    for hit in &named[1..] {
        drop(sam.approve(hit).await.created());
        let document = format!("JP-{hit}");
        drop(sam.pay(hit, 1, &document).await.created());
    }
    drop(both.correct("main", &named[0]).await);
    for hit in &named[1..] {
        let report = payoff(&house, hit).await;
        assert_eq!(report.text("difference"), "0.00", "{hit}: {}", report.text);
    }
    let late = json!({"change": "late_hit", "table": "T3", "round": t3.next() - 2, "seat": 1,
        "hand": "straight-flush"});
    let late = both.change("main", &late).await;
    let late = &late["effect"]["hit"]["hit"];
    let last = t1
        .hit_unseen(3, "royal-flush")
        .await
        .created()
        .recorded_hit();
    for hit in [late.as_str().expect("a name"), last.text("hit")] {
        let report = payoff(&house, hit).await;
        assert_eq!(report.text("difference"), "0.00", "{hit}: {}", report.text);
    }
    house.end().await;
}
