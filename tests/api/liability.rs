//! Liability by account: what the house owes, now and at past moments.

use meterhouse_tests::{HAND_BONUS, House};
use serde_json::json;

/// Meter, reserve and what was won but not paid, with their sums, before a hit, while it waits, and once it is paid.
#[tokio::test]
async fn what_is_owed() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    let sam = house.supervisor("sam").await;
    house.set_reserve("77.25").await;
    let read = async |query: &str| {
        let path = format!("/v1/links/main/liability{query}");
        aud.get(&path).await.is(200)
    };
    drop(dealer.coin_in(&[1]).await.created());
    let before = read("").await;
    let level = json!({"level": "meter", "meter": "10000.13", "reserve": "77.33", "overflow": "0.00", "pending": "0.00",
        "total": "10077.46"});
    assert_eq!(before["levels"][0], level, "{}", before.text);
    assert_eq!(before["complete"], false);
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let waiting = read("").await;
    let balances = house.balances().await;
    let pending = balances[0].pending;
    assert_eq!(waiting["levels"][0]["pending"], pending.to_string());
    assert_eq!(
        waiting["levels"][0]["total"], "10077.46",
        "a win moves money, and none leaves: {}",
        waiting.text
    );
    assert_eq!(waiting["levels"][1]["level"], "fixed");
    assert_eq!(waiting["total"]["total"], "10077.46");
    sam.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    let paid = read("").await;
    assert_eq!(paid["total"]["pending"], "0.00", "{}", paid.text);
    let left = balances[0]
        .meter
        .plus(balances[0].reserve)
        .expect("in range");
    assert_eq!(paid["total"]["total"], left.to_string());
    // The past is what it was.
    let then = read(&format!("?at={}", before.text("batch_at"))).await;
    assert_eq!(
        (&then["batch"], &then["levels"], &then["total"]),
        (&before["batch"], &before["levels"], &before["total"])
    );
    for (at, status, code) in [
        ("1999-01-01T00:00:00Z", 404, "not_open_yet"),
        ("2200-01-01T00:00:00Z", 400, "time_in_future"),
    ] {
        let path = format!("/v1/links/main/liability?at={at}");
        drop(aud.get(&path).await.problem(status, code));
    }
    // A faulted link still owes.
    drop(dealer.coin_in(&[1]).await.created());
    let owed = read("").await;
    house.fault("main", dealer).await;
    let faulted = read("").await;
    assert_eq!(faulted["total"], owed["total"], "{}", faulted.text);
    house.server.stop().await;
}
