//! Tables that fall silent: their progressive can't be played, everybody sees it, and the others play on.

use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Watch, eventually};
use serde_json::{Value, json};

/// A house that watches closely, with tables that are lost after two seconds of silence.
async fn watched(tables: &[&str]) -> (House, Vec<Dealer>) {
    let house = House::watching(Watch::Close).await;
    let settings = json!({"silence_seconds_max": 2});
    let dealers = house.link_with(FIVE_CARD_C, &settings, tables).await;
    (house, dealers)
}

/// The state of a table in the list.
async fn listed(house: &House, table: &str) -> String {
    let sam = house.supervisor("sam").await.caller;
    let list = sam.get("/v1/tables").await.is(200);
    let tables = list["tables"].as_array().expect("tables");
    let found = tables
        .iter()
        .find(|it| it["table"] == table)
        .expect("the table");
    found["state"].as_str().expect("a state").to_owned()
}

/// Waits until a table is lost, while the others say that they are there.
async fn is_lost(house: &House, silent: &str, others: &[&Dealer]) {
    let aud = house.person("aud", "auditor").await;
    eventually("the table is lost", async || {
        for other in others {
            drop(other.heartbeat().await.is(200));
        }
        let list = aud.get("/v1/tables").await.is(200);
        let tables = list["tables"].as_array()?;
        let found = tables.iter().find(|it| it["table"] == silent)?;
        (found["state"] == "lost").then_some(())
    })
    .await;
}

/// CONFORMANCE 46: who stops sending heartbeats is lost, for the list, the signs and the link; no coin-in until it sends
/// one again, which answers where to go on; the other tables play on.
#[tokio::test]
async fn silent_and_back() {
    let (house, dealers) = watched(&["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let mut display = house.display("main").await;
    drop(t1.heartbeat().await.is(200));
    is_lost(&house, "T1", &[t2]).await;
    let told = display.hears("table_state", |it| it["table"] == "T1").await;
    assert_eq!(told["state"], "unavailable", "players are not told why");
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["tables"][0]["state"], "unavailable", "{}", link.text);
    assert_eq!(link["state"], "open");

    eventually("the other table plays on", async || {
        drop(t2.heartbeat().await.is(200));
        let locked = t2.coin_in(&[1]).await;
        (locked.status == 201).then_some(())
    })
    .await;
    drop(t1.coin_in(&[1]).await.problem(422, "table_lost"));
    let mut resumed = Value::Null;
    let locked = eventually("the table is back and plays", async || {
        resumed = t1.heartbeat().await.is(200).body;
        let locked = t1.coin_in(&[1]).await;
        (locked.status == 201).then_some(locked)
    })
    .await;
    assert_eq!(
        (&resumed["state"], &resumed["must_resume"]),
        (&json!("in_service"), &json!(false))
    );
    let next = resumed["next_sequence"].as_u64();
    assert_eq!(next, locked["sequence"].as_u64(), "it says where to go on");
    display
        .hears("table_state", |it| {
            it["table"] == "T1" && it["state"] == "in_service"
        })
        .await;
    let journal = house
        .manager()
        .await
        .journal("main", "?limit=500")
        .await
        .is(200);
    for kind in ["table_lost", "table_back"] {
        assert!(journal.text.contains(kind), "{}", journal.text);
    }
    house.end().await;
}

/// CONFORMANCE 48: a hit made while the table was lost, in a round that was locked before, is accepted when it comes, in
/// the order of its coming, with the table's own time as evidence.
#[tokio::test]
async fn a_hit_during_an_outage() {
    let (house, dealers) = watched(&["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1, 3]).await.created());
    drop(t2.coin_in(&[1]).await.created());
    drop(t1.heartbeat().await.is(200));
    is_lost(&house, "T1", &[t2]).await;
    let second = t2
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(second["order"], 1);
    // It was keyed long before the other one, says the table.
    let keyed =
        json!({"command": "hit", "seat": 3, "hand": "royal-flush", "at": "2020-01-01T00:00:00Z"});
    let hit = t1.send(&keyed).await.created().recorded_hit();
    assert_eq!((&hit["order"], hit.text("due")), (&json!(2), "10000.00"));
    assert_eq!(
        listed(&house, "T1").await,
        "lost",
        "a heartbeat brings it back, nothing else"
    );
    let sam = house.supervisor("sam").await;
    sam.settles("T1.2", 1).await;
    drop(t1.close().await.created());
    let journal = house
        .manager()
        .await
        .journal("main", "?limit=500")
        .await
        .is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let entry = entries
        .iter()
        .find(|it| it["table"] == "T1" && it["sequence"] == 2)
        .expect("the hit");
    assert_eq!(entry["device_at"], "2020-01-01T00:00:00.000000Z");
    house.end().await;
}

/// A table whose controller never sent a heartbeat is given up too when it is silent, but not shown so; its next command
/// brings it back. One that was never heard is not lost.
#[tokio::test]
async fn without_heartbeats() {
    let (house, dealers) = watched(&["T1", "T2"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[0].close().await.created());
    let manager = house.manager().await;
    eventually("its silence is in the journal", async || {
        let journal = manager.journal("main", "?limit=500").await.is(200);
        journal.text.contains("table_lost").then_some(())
    })
    .await;
    for table in ["T1", "T2"] {
        assert_eq!(listed(&house, table).await, "in_service");
    }
    let measures = house.server.engine.measures();
    assert_eq!(measures.silent_tables, 1, "T2 was never heard");
    assert_eq!(measures.tables.get("in_service"), Some(&2));
    drop(dealers[0].coin_in(&[1]).await.created());
    let mut display = house.display("main").await;
    drop(display.next().await.expect("a snapshot"));
    drop(dealers[0].close().await.created());
    house.end().await;
}

/// A heartbeat at one server is one for all.
#[tokio::test]
async fn heard_at_another_server() {
    let (house, dealers) = watched(&["T1", "T2"]).await;
    let second = house.another_server().await;
    let there = Dealer::new(dealers[0].caller.at(second.base()), "T1");
    drop(dealers[1].heartbeat().await.is(200));
    // T2 is silent for longer than the limit while T1 is heard at the other server only.
    is_lost(&house, "T2", &[&there]).await;
    assert_eq!(listed(&house, "T1").await, "in_service");
    second.stop().await;
    house.end().await;
}

/// CONFORMANCE 7: only the table's own controller says that it is there, and only of a table that there is.
#[tokio::test]
async fn who_sends_heartbeats() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let path = "/v1/tables/T1/heartbeat";
    let sam = house.supervisor("sam").await.caller;
    for caller in [&dealers[1].caller, &sam] {
        drop(caller.put(path, &json!({})).await.problem(403, "forbidden"));
    }
    drop(
        house
            .nobody()
            .put(path, &json!({}))
            .await
            .problem(401, "unauthenticated"),
    );
    let answer = dealers[0].caller.put(path, &json!({})).await.is(200);
    assert_eq!(
        (answer.text("state"), &answer["next_sequence"]),
        ("in_service", &json!(1))
    );
    assert!(answer["heard_at"].is_string(), "{}", answer.text);
    drop(
        dealers[0]
            .caller
            .put(path, &json!({"table": "T1"}))
            .await
            .problem(400, "unknown_field"),
    );
    let gone = house.dealer("T9").await;
    drop(gone.heartbeat().await.problem(404, "unknown_table"));
    drop(
        gone.caller
            .put(&gone.path(1), &coin_in(&[1]))
            .await
            .problem(404, "unknown_table"),
    );
    house.end().await;
}
