//! Links that are suspended, closed, or miss a level: what stops, what goes on, who says so and who is told.

use futures_util::future::join_all;
use meterhouse_tests::client::{coin_in, felt};
use meterhouse_tests::{Caller, FIVE_CARD_C, House};
use serde_json::{Value, json};

async fn link(house: &House) -> Value {
    house.nobody().get("/v1/links/main").await.is(200).body
}

/// A suspended link takes no coin-in; open rounds end as any other; then it is closed, and resumes as it was.
#[tokio::test]
async fn suspended_closed_and_resumed() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let (manager, sam) = (house.manager().await, house.supervisor("sam").await);
    let mut display = house.display("main").await;
    drop(t1.coin_in(&[1, 3]).await.created());
    let suspended = manager.suspend("main").await.created();
    assert_eq!(
        (&suspended["suspended"], suspended.text("reason")),
        (&json!(true), "end of the day")
    );
    assert!(manager.suspend("main").await.is(200).replayed());
    let told = display
        .hears("link_state", |it| it["state"] == "suspended")
        .await;
    assert_eq!(told["reason"], "end of the day");
    let refused = t2.coin_in(&[1]).await.problem(422, "link_suspended");
    assert_eq!(refused["fields"]["reason"], "end of the day");
    assert_eq!(link(&house).await["state"], "suspended");

    drop(
        t1.send(&json!({"command": "count", "chips": 2}))
            .await
            .created(),
    );
    drop(t1.fold(&[1]).await.created());
    drop(t1.hit_unseen(3, "royal-flush").await.created());
    sam.settles("T1.4", 1).await;
    drop(t1.close().await.created());
    let closed = link(&house).await;
    assert_eq!(
        (&closed["state"], &closed["reason"]),
        (&json!("closed"), &json!("end of the day"))
    );
    display
        .hears("link_state", |it| it["state"] == "closed")
        .await;
    drop(t1.coin_in(&[1]).await.problem(422, "link_closed"));
    let before = house.balances().await;

    let resumed = manager.resume("main").await.created();
    assert_eq!(resumed["suspended"], false);
    assert!(manager.resume("main").await.is(200).replayed());
    assert_eq!(house.balances().await, before);
    assert_eq!(link(&house).await["state"], "open");
    let heard = display.heard.len();
    display
        .until("open again", |all| {
            all[heard..]
                .iter()
                .any(|it| it["type"] == "link_state" && it["state"] == "open")
        })
        .await;
    drop(t2.coin_in(&[1]).await.created());
    house.end().await;
}

/// Who suspends a link is answered with the own reason, though others resume it and suspend it again in the same moment.
#[tokio::test]
async fn each_hears_the_own_reason() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = &house.manager().await.caller;
    let path = "/v1/links/main/suspension";
    let one = async |reason: String| {
        let suspending = manager.put(path, &json!({"reason": reason})).await;
        let is_own = suspending.status != 201 || suspending["reason"] == reason.as_str();
        assert!(is_own, "{reason}: {}", suspending.text);
        suspending.status == 201
    };
    for _ in 0..5 {
        let suspending = join_all((0..20).map(|it| one(format!("reason {it}"))));
        let resuming = join_all((0..20).map(|_| manager.delete(path)));
        let (suspended, _) = tokio::join!(suspending, resuming);
        drop(manager.delete(path).await);
        assert!(suspended.contains(&true), "nobody suspended it");
    }
    house.end().await;
}

/// CONFORMANCE 50: while a level that lines need is off nobody locks a bet, a round that was locked before still wins it,
/// and it resumes with what it had.
#[tokio::test]
async fn a_level_that_is_off() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let manager = house.manager().await;
    let mut display = house.display("main").await;
    drop(t1.coin_in(&[1, 3]).await.created());
    let disabled = manager.disable("main", "minor").await.created();
    assert_eq!(
        disabled.body,
        json!({"link": "main", "level": "minor", "disabled": true})
    );
    assert!(manager.disable("main", "minor").await.is(200).replayed());
    let refused = t2.coin_in(&[1]).await.problem(422, "level_disabled");
    assert_eq!(refused["fields"]["level"], "minor");
    let shown = link(&house).await;
    let off: Vec<&Value> = shown["levels"]
        .as_array()
        .expect("levels")
        .iter()
        .map(|it| &it["disabled"])
        .collect();
    assert_eq!(off, [&json!(false), &json!(false), &json!(true)]);
    assert_eq!(t2.resume().await["disabled"], json!(["minor"]));
    display
        .hears("link_state", |it| it["disabled"] == json!(["minor"]))
        .await;
    let late = house
        .display("main")
        .await
        .next()
        .await
        .expect("a snapshot");
    assert_eq!(late["disabled"], json!(["minor"]));

    let four = t1
        .hit_unseen(3, "four-of-a-kind")
        .await
        .created()
        .recorded_hit();
    assert_eq!((four.text("level"), four.text("due")), ("minor", "250.06"));
    drop(t1.cancel(2).await.created());
    let before = house.balances().await;
    drop(manager.enable("main", "minor").await.created());
    assert!(manager.enable("main", "minor").await.is(200).replayed());
    assert_eq!(house.balances().await, before);
    assert_eq!(
        t2.coin_in(&[1]).await.created().levels(),
        ["10000.27", "1000.21", "250.09"]
    );
    drop(
        manager
            .disable("main", "meter")
            .await
            .problem(422, "no_such_level"),
    );
    drop(
        manager
            .enable("main", "meter")
            .await
            .problem(422, "no_such_level"),
    );
    house.end().await;
}

/// Suspending and disabling is a manager's, with a reason, on a link that there is.
#[tokio::test]
async fn who_may() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let reason = json!({"reason": "x"});
    let paths = [
        "/v1/links/main/suspension",
        "/v1/links/main/levels/minor/disabled",
    ];
    let sam = house.supervisor("sam").await.caller;
    let aud = house.person("aud", "auditor").await;
    let others: [&Caller; 3] = [&sam, &aud, &dealers[0].caller];
    for path in paths {
        for caller in others {
            drop(caller.put(path, &reason).await.problem(403, "forbidden"));
            drop(caller.delete(path).await.problem(403, "forbidden"));
        }
        drop(
            house
                .nobody()
                .put(path, &reason)
                .await
                .problem(401, "unauthenticated"),
        );
        let manager = house.manager().await.caller;
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
        let elsewhere = path.replace("main", "second");
        drop(
            manager
                .put(&elsewhere, &reason)
                .await
                .problem(404, "unknown_link"),
        );
    }
    drop(dealers[0].coin_in(&[1]).await.created());
    house.end().await;
}

/// It is so after a restart and at every server.
#[tokio::test]
async fn after_a_restart() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    drop(house.manager().await.suspend("main").await.created());
    let there = dealers[0].caller.at(second.base());
    drop(
        there
            .put(&dealers[0].path(1), &coin_in(&[1]))
            .await
            .problem(422, "link_closed"),
    );
    second.stop().await;
    let house = house.restart().await;
    drop(
        house
            .manager()
            .await
            .disable("main", "mega")
            .await
            .created(),
    );
    let house = house.restart().await;
    let now = link(&house).await;
    assert_eq!(
        (&now["state"], &now["levels"][0]["disabled"]),
        (&json!("closed"), &json!(true))
    );
    let dealer = house.dealer("T1").await;
    drop(dealer.resume().await);
    drop(dealer.coin_in(&[1]).await.problem(422, "link_closed"));
    drop(house.manager().await.resume("main").await.created());
    drop(dealer.coin_in(&[1]).await.problem(422, "level_disabled"));
    house.end().await;
}

/// CONFORMANCE 35 and 41: terms don't change while the link plays, and only the catalogue's values open one.
#[tokio::test]
async fn terms_stay() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    let manager = house.manager().await.caller;
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
    for (name, value) in [
        ("wager", json!("5.00")),
        ("decks", json!(2)),
        ("paytable", json!("pa-657a-five-card-d")),
        ("ceilings", json!({"mega": "30000.00"})),
        ("rounds_a_minute_max", json!(9)),
        ("silence_seconds_max", json!(9)),
    ] {
        let mut other = terms.clone();
        other[name] = value;
        let refused = manager.put("/v1/links/main", &other).await;
        drop(refused.problem(409, "request_reused"));
    }
    for (name, value, status, code) in [
        ("seed", json!("1.00"), 400, "unknown_field"),
        ("rate", json!("50%"), 400, "unknown_field"),
        ("paytable", json!("my-own"), 404, "unknown_paytable"),
    ] {
        let mut other = terms.clone();
        other[name] = value;
        drop(
            manager
                .put("/v1/links/second", &other)
                .await
                .problem(status, code),
        );
    }
    let mut other = felt("main", FIVE_CARD_C);
    other["decks"] = json!(2);
    drop(
        manager
            .put("/v1/tables/T2", &other)
            .await
            .problem(422, "table_differs"),
    );
    assert!(
        manager
            .put("/v1/links/main", &terms)
            .await
            .is(200)
            .replayed()
    );
    house.end().await;
}

/// CONFORMANCE 6: more rounds a minute than the link allows are refused whole, and nothing is counted.
#[tokio::test]
async fn too_many_rounds_a_minute() {
    let settings = json!({"rounds_a_minute_max": 3});
    let (house, dealers) = House::playing_with(FIVE_CARD_C, &settings, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    t1.rounds(3, &[1, 2]).await;
    let before = house.balances().await;
    let refused = t1.coin_in(&[1, 2]).await.problem(422, "unreasonable_rate");
    assert_eq!(refused["fields"]["rounds_a_minute_max"], "3");
    assert_eq!(house.balances().await, before);
    t2.rounds(1, &[1]).await;
    house.end().await;
}
