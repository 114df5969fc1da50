//! What a screen says that it shows.

use meterhouse_tests::{FIVE_CARD_C, House};
use reqwest::Method;
use serde_json::json;

use super::{KEY, NORTH, meters, paired, rows, shown, tell};

/// A screen says what it shows. The same amounts extend a row, and each change is a row, with the comparison.
#[tokio::test]
async fn a_screen_says_what_it_shows() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = dealers.first().expect("a table");
    let screen = paired(&house, NORTH, KEY, &["main"]).await;
    let manager = house.manager().await.caller;
    let listed = manager.get("/v1/screens").await.is(200);
    let first = &listed["screens"][0];
    assert_eq!(
        (&first["screen"], &first["silent"]),
        (&json!(NORTH), &json!(true))
    );
    assert_eq!(
        (&first["links"], &first["shown"]),
        (&json!(["main"]), &json!([]))
    );
    let old = meters(&house, "main").await;
    for _ in 0..3 {
        let told = tell(&screen, &[&shown("main", &old)]).await.is(200);
        let compared = json!({"link": "main", "difference": false, "stale": false});
        assert_eq!(told.body, json!({"screen": NORTH, "shown": [compared]}));
    }
    assert_eq!(rows(&manager, "").await, [(false, false)]);
    // The link never had this amount, nor these amounts after a batch that is yet to come.
    let mut wrong = shown("main", &old);
    wrong["levels"][0]["amount"] = json!("99999.99");
    let told = tell(&screen, &[&wrong]).await.is(200);
    assert_eq!(told["shown"][0]["difference"], true);
    let mut early = shown("main", &old);
    early["batch"] = json!(1_000);
    let told = tell(&screen, &[&early]).await.is(200);
    assert_eq!(told["shown"][0]["difference"], true);
    // Old amounts were right, and are stale after a while.
    drop(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    let later = "UPDATE batch SET at = at - 60000000";
    assert!(house.database.tamper(later).await > 0);
    let told = tell(&screen, &[&shown("main", &old)]).await.is(200);
    let compared = json!({"link": "main", "difference": false, "stale": true});
    assert_eq!(told["shown"][0], compared);
    let listed = manager.get("/v1/screens").await.is(200);
    let now = &listed["screens"][0];
    assert_eq!(
        (&now["silent"], &now["shown"][0]["stale"]),
        (&json!(false), &json!(true))
    );
    let expected = [(false, true), (true, false), (true, false), (false, false)];
    assert_eq!(rows(&manager, "").await, expected);
    let since = now["shown"][0]["since"].as_str().expect("a time");
    assert_eq!(
        rows(&manager, &format!("?from={since}")).await,
        expected[..1]
    );
    assert_eq!(
        rows(&manager, &format!("?to={since}&limit=2")).await,
        expected[1..3]
    );
    // The record of the past can't be changed, only extended.
    let changed =
        "UPDATE shown SET amounts = ARRAY[1::bigint], levels = ARRAY['mega'] WHERE is_different";
    let refused = house.database.run_as_superuser(changed).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("only extended")));
    house.server.stop().await;
}

/// A screen that was silent begins a new row, though it shows the same, and what is older than the retention goes.
#[tokio::test]
async fn silence_ends_a_row() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let screen = paired(&house, NORTH, KEY, &["main"]).await;
    let manager = house.manager().await.caller;
    let now = shown("main", &meters(&house, "main").await);
    drop(tell(&screen, &[&now]).await.is(200));
    let back = |micros: u64| {
        format!("UPDATE shown SET since = since - {micros}, until = until - {micros}")
    };
    let moved = |micros: u64| {
        format!(
            "ALTER TABLE shown DISABLE TRIGGER extended_only; {}",
            back(micros)
        )
    };
    house
        .database
        .run_as_superuser(&moved(31_000_000))
        .await
        .expect("a silence");
    let listed = manager.get("/v1/screens").await.is(200);
    assert_eq!(listed["screens"][0]["silent"], true);
    drop(tell(&screen, &[&now]).await.is(200));
    assert_eq!(rows(&manager, "").await.len(), 2);
    let month = 31 * 24 * 60 * 60 * 1_000_000;
    house
        .database
        .run_as_superuser(&moved(month))
        .await
        .expect("a month");
    drop(tell(&screen, &[&now]).await.is(200));
    assert_eq!(rows(&manager, "").await.len(), 1);
    house.end().await;
}

/// A screen has the links that the manager chose, with its token no other ones, and says nothing about others.
#[tokio::test]
async fn a_screen_has_its_own_links() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    house.link("second", FIVE_CARD_C).await;
    house.link("third", FIVE_CARD_C).await;
    let screen = paired(&house, NORTH, KEY, &["main", "second"]).await;
    let [main, second, third] = [
        shown("main", &meters(&house, "main").await),
        shown("second", &meters(&house, "second").await),
        shown("third", &meters(&house, "third").await),
    ];
    let told = tell(&screen, &[&main, &second]).await.is(200);
    assert_eq!(told["shown"][1]["link"], "second");
    drop(
        tell(&screen, &[&main, &third])
            .await
            .problem(403, "forbidden"),
    );
    let manager = house.manager().await.caller;
    drop(tell(&manager, &[&main]).await.problem(403, "forbidden"));
    let listed = manager.get("/v1/screens").await.is(200);
    let both = listed["screens"][0]["shown"].as_array().expect("both");
    assert_eq!(
        (&both[0]["link"], &both[1]["link"]),
        (&json!("main"), &json!("second"))
    );
    let protocol = format!("meterhouse.v1.json, meterhouse.token.{KEY}");
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-protocol", protocol.as_str()),
    ];
    let nobody = house.nobody();
    let path = "/v1/links/third/feed";
    let refused = nobody.send(Method::GET, path, &upgrade, Vec::new()).await;
    drop(refused.problem(403, "forbidden"));
    house.end().await;
}
