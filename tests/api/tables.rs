//! Tables that a manager disables and enables, and tables that leave their link for good.

use meterhouse_tests::client::felt;
use meterhouse_tests::{FIVE_CARD_C, House, eventually};
use serde_json::{Value, json};

/// CONFORMANCE 7: a disabled table takes no coin-in and is shown so, its open round goes on, the other table plays on;
/// enabled again, after a restart too, it plays with nothing changed.
#[tokio::test]
async fn disabled_and_enabled() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let manager = house.manager().await.caller;
    let mut display = house.display("main").await;
    drop(t1.coin_in(&[1]).await.created());
    let path = "/v1/tables/T1/disabled";
    let reason = json!({"reason": "the lamps are dark"});
    let disabled = manager.put(path, &reason).await.created();
    let expected = json!({"table": "T1", "link": "main", "state": "disabled",
        "disabled_reason": "the lamps are dark"});
    assert_eq!(disabled.body, expected);
    let again = manager.put(path, &json!({"reason": "another"})).await;
    assert_eq!(again.is(200).body, expected, "the first reason stays");
    let told = display.hears("table_state", |it| it["table"] == "T1").await;
    assert_eq!(told["state"], "unavailable");
    drop(t1.close().await.created());
    let refused = t1.coin_in(&[1]).await.problem(422, "table_disabled");
    assert_eq!(refused["fields"]["reason"], "the lamps are dark");
    drop(t2.coin_in(&[1]).await.created());
    let now = t1.resume().await;
    assert_eq!(
        (
            now.text("state"),
            now.text("disabled_reason"),
            &now["link_state"]
        ),
        ("disabled", "the lamps are dark", &json!("open"))
    );

    let house = house.restart().await;
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["tables"][0]["state"], "unavailable", "{}", link.text);
    let t1 = house.dealer("T1").await;
    drop(t1.resume().await);
    drop(t1.coin_in(&[1]).await.problem(422, "table_disabled"));
    let manager = house.manager().await.caller;
    let enabled = manager.delete(path).await.created();
    assert_eq!(enabled["state"], "in_service");
    assert!(manager.delete(path).await.is(200).replayed());
    drop(t1.coin_in(&[1]).await.created());
    house.end().await;
}

/// A table leaves without an open round and an unpaid hit; then signs don't show it, its coin-in is refused, and its id
/// joins no link again, while its past stays.
#[tokio::test]
async fn leaving_for_good() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let (manager, sam) = (house.manager().await.caller, house.supervisor("sam").await);
    house.link("second", FIVE_CARD_C).await;
    let path = "/v1/tables/T1/departure";
    let reason = json!({"reason": "the felt was sold"});
    drop(t1.coin_in(&[3]).await.created());
    let refused = manager.put(path, &reason).await.problem(422, "round_open");
    assert_eq!(refused["fields"]["round"], "1");
    drop(t1.hit_unseen(3, "royal-flush").await.created());
    sam.settles("T1.2", 1).await;
    drop(t1.close().await.created());
    let mut display = house.display("main").await;
    drop(t2.coin_in(&[1]).await.created());
    let before = house.balances().await;
    let left = manager.put(path, &reason).await.created();
    assert_eq!((left.text("state"), left.text("link")), ("left", "main"));
    assert!(manager.put(path, &reason).await.is(200).replayed());
    let told = display.hears("table_state", |it| it["table"] == "T1").await;
    assert_eq!(told["state"], "left");
    assert_eq!(house.balances().await, before, "no balance moves");

    drop(t1.coin_in(&[1]).await.problem(422, "table_left"));
    assert_eq!(t1.heartbeat().await.is(200).text("state"), "left");
    drop(t2.close().await.created());
    drop(t2.coin_in(&[1]).await.created());
    for (link, status, code) in [
        ("main", 422, "table_left"),
        ("second", 409, "request_reused"),
    ] {
        let join = manager.put("/v1/tables/T1", &felt(link, FIVE_CARD_C)).await;
        drop(join.problem(status, code));
    }
    for (method, path) in [
        ("put", "/v1/tables/T1/disabled"),
        ("delete", "/v1/tables/T1/disabled"),
    ] {
        let answer = match method {
            "put" => manager.put(path, &reason).await,
            _ => manager.delete(path).await,
        };
        drop(answer.problem(422, "table_left"));
    }

    let house = house.restart().await;
    let link = house.nobody().get("/v1/links/main").await.is(200);
    let tables = |link: &Value| {
        let tables = link["tables"].as_array().expect("tables");
        tables
            .iter()
            .map(|table| table["table"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(tables(&link.body), [json!("T2")]);
    let late = house.display("main").await.next().await;
    assert_eq!(tables(&late.expect("a snapshot")), [json!("T2")]);
    let aud = house.person("aud", "auditor").await;
    let all = aud.get("/v1/tables").await.is(200);
    assert_eq!(all["tables"][0]["state"], "left", "{}", all.text);
    let hit = aud.get("/v1/hits/T1.2").await.is(200);
    assert_eq!(hit.text("state"), "paid", "its past stays");
    let journal = house.manager().await.journal("main", "?limit=500").await;
    assert!(journal.is(200).text.contains("table_left"));
    house.end().await;
}

/// A second server refuses the coin-in of a table that was disabled at the first one.
#[tokio::test]
async fn at_another_server() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let there = dealers[0].caller.at(second.base());
    let coin_in = meterhouse_tests::client::coin_in(&[1]);
    drop(there.put(&dealers[0].path(1), &coin_in).await.created());
    drop(dealers[0].resume().await);
    drop(dealers[0].close().await.created());
    let manager = house.manager().await.caller;
    let reason = json!({"reason": "the lamps are dark"});
    drop(
        manager
            .put("/v1/tables/T1/disabled", &reason)
            .await
            .created(),
    );
    let refused = there.put(&dealers[0].path(3), &coin_in).await;
    drop(refused.problem(422, "table_disabled"));
    eventually("the second server shows it", async || {
        let link = house
            .nobody()
            .at(second.base())
            .get("/v1/links/main")
            .await
            .is(200);
        (link["tables"][0]["state"] == "unavailable").then_some(())
    })
    .await;
    second.stop().await;
    house.end().await;
}

/// Disabling a table and letting it leave is a manager's, with a reason, at a table that there is.
#[tokio::test]
async fn who_may() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let reason = json!({"reason": "x"});
    let manager = house.manager().await.caller;
    let sam = house.supervisor("sam").await.caller;
    let aud = house.person("aud", "auditor").await;
    for path in ["/v1/tables/T1/disabled", "/v1/tables/T1/departure"] {
        for caller in [&sam, &aud, &dealers[0].caller] {
            drop(caller.put(path, &reason).await.problem(403, "forbidden"));
        }
        drop(
            house
                .nobody()
                .put(path, &reason)
                .await
                .problem(401, "unauthenticated"),
        );
        drop(
            manager
                .put(path, &json!({}))
                .await
                .problem(400, "malformed_body"),
        );
        drop(
            manager
                .put(path, &json!({"reason": ""}))
                .await
                .problem(400, "invalid_value"),
        );
        let elsewhere = path.replace("T1", "T9");
        drop(
            manager
                .put(&elsewhere, &reason)
                .await
                .problem(404, "unknown_table"),
        );
    }
    drop(
        sam.delete("/v1/tables/T1/disabled")
            .await
            .problem(403, "forbidden"),
    );
    drop(dealers[0].coin_in(&[1]).await.created());
    house.end().await;
}

/// A controller reads with its own token what its keypad needs; a heartbeat leaves it out.
#[tokio::test]
async fn what_a_keypad_needs() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let read = dealer.resume().await;
    let play = &read["play"];
    let hands = play["hands"].as_array().expect("hands");
    let named: Vec<&Value> = hands.iter().map(|hand| &hand["hand"]).collect();
    assert_eq!(
        named[..2],
        [&json!("royal-flush"), &json!("straight-flush")]
    );
    assert_eq!(
        hands[0],
        json!({"hand": "royal-flush", "percent": 100, "level": "mega", "for_one": null, "envy": 1000,
            "needs_validation": true})
    );
    let flush = hands
        .iter()
        .find(|hand| hand["hand"] == "flush")
        .expect("a flush");
    assert_eq!(
        (&flush["for_one"], &flush["percent"], &flush["level"]),
        (&json!(40), &Value::Null, &Value::Null)
    );
    assert_eq!(
        play["cards"],
        json!({"own": 5, "community": 0, "dealer_min": 5, "dealer_max": 5, "community_max": 0})
    );
    assert_eq!(
        (&play["magic_card"], &play["lucky_bonus"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&play["bet_on_dealer"], &play["badge_required"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&play["fold_award"], &play["folded_hand_gives_envy"]),
        (&json!("forfeited"), &json!(false))
    );
    let beat = dealer.heartbeat().await.is(200);
    assert_eq!(beat.body.get("play"), None);
    house.end().await;
}
