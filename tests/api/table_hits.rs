//! A table over HTTP learns what became of its hits: by its state, and by waiting for a change.

use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, House, Supervisor};
use serde_json::json;

/// Asks for a change behind a position.
fn behind(table: &str, position: &str) -> String {
    format!("/v1/tables/{table}?after={position}")
}

/// A request that waits is answered when another server decides; a decision of another table's hit is none of its own.
#[tokio::test]
async fn a_table_waits_for_a_decision() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let second = house.another_server().await;
    let sam = house.supervisor("sam").await;
    let there = Supervisor {
        caller: sam.caller.at(second.base()),
    };
    for dealer in &dealers {
        drop(dealer.coin_in(&[1]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
    }
    let now = dealers[0].caller.get("/v1/tables/T1").await.is(200);
    let hit = &now["round"]["hits"][0];
    assert_eq!(
        (&hit["state"], &hit["round"]),
        (&json!("pending"), &json!("T1.1"))
    );
    assert_eq!(hit["payouts"][0]["payment"]["paid"], false);
    let path = behind("T1", now.text("position"));
    let (changed, ()) = tokio::join!(dealers[0].caller.get(&path), async {
        drop(there.approve("T2.2").await.created());
        drop(there.approve("T1.2").await.created());
    });
    let changed = changed.is(200);
    assert_eq!(
        changed["round"]["hits"][0]["state"], "validated",
        "{}",
        changed.text
    );

    // What came meanwhile is answered without a wait, as often as it is asked for.
    for _ in 0..2 {
        let again = dealers[0].caller.get(&path).await.is(200);
        assert_eq!(again["round"]["hits"][0]["state"], "validated");
    }
    let position = changed.text("position");
    let path = behind("T1", position);
    let (paid, answer) = tokio::join!(dealers[0].caller.get(&path), sam.pay("T1.2", 1, "JP-1"));
    drop(answer.created());
    let payout = &paid.is(200)["round"]["hits"][0]["payouts"][0];
    assert_eq!(
        (&payout["payment"]["paid"], &payout["payment"]["document"]),
        (&json!(true), &json!("JP-1"))
    );
    second.stop().await;
    house.end().await;
}

/// Hits of a closed round stay at hand, and a withdrawal by two people is one of the changes.
#[tokio::test]
async fn closed_hits_can_still_change() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = &dealers[0];
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    house.supervisor("sam").await.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    let now = dealer.caller.get("/v1/tables/T1").await.is(200);
    assert!(now["round"].is_null());
    assert_eq!(now["closed_hits"][0]["state"], "paid", "{}", now.text);
    let path = behind("T1", now.text("position"));
    let both = house.two_people().await;
    let (changed, _) = tokio::join!(dealer.caller.get(&path), both.correct("main", "T1.2"));
    assert_eq!(changed.is(200)["closed_hits"][0]["state"], "withdrawn");
    house.end().await;
}

/// A position that is none is a problem, and who may wait is who may read.
#[tokio::test]
async fn who_waits_behind_what() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let path = behind("T1", "x");
    drop(
        dealers[0]
            .caller
            .get(&path)
            .await
            .problem(400, "invalid_parameter"),
    );
    let path = behind("T1", "1.0");
    drop(dealers[1].caller.get(&path).await.problem(403, "forbidden"));
    drop(
        house
            .nobody()
            .get(&path)
            .await
            .problem(401, "unauthenticated"),
    );
    house.end().await;
}
