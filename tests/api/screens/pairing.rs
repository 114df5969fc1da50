//! The pairing of a screen, its limits and its end.

use meterhouse_tests::{FIVE_CARD_C, Feed, House};
use serde_json::{Value, json};

use super::{KEY, NORTH, ask, code, meters, pair, paired, rows, shown, tell};

const OTHER_KEY: &str = "1a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";

/// A new display shows a code, a manager names it, and its own key is its token from then on, on each node.
#[tokio::test]
async fn a_new_display_becomes_a_screen() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let nobody = house.nobody();
    let there = nobody.at(second.base());
    let waiting = ask(&nobody, KEY).await.is(200);
    let code = waiting.text("code").to_owned();
    assert_eq!(code.len(), 6);
    let (screen, links) = (&waiting["screen"], &waiting["links"]);
    assert_eq!((screen, links), (&Value::Null, &json!([])));
    let again = ask(&there, KEY).await.is(200);
    assert_eq!(again.body, waiting.body, "the same key has the same code");
    let screen = nobody.with_token(KEY);
    drop(
        screen
            .get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    let body = json!({"code": code, "links": ["main"]});
    let sam = house.supervisor("sam").await.caller;
    drop(pair(&sam, NORTH, &body).await.problem(403, "forbidden"));
    let manager = house.manager().await.caller;
    let unknown = json!({"code": code, "links": ["no-link"]});
    drop(
        pair(&manager, NORTH, &unknown)
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        pair(&manager, "sam", &body)
            .await
            .problem(409, "request_reused"),
    );
    let small = json!({"code": code.to_lowercase(), "links": ["main"]});
    let paired = pair(&manager, NORTH, &small).await.is(200);
    assert_eq!(paired["address"], "127.0.0.1");
    // A manager whose answer was lost sends it again; nobody else can use the code.
    drop(pair(&manager, NORTH, &body).await.is(200));
    house.link("other", FIVE_CARD_C).await;
    let others = json!({"code": code, "links": ["main", "other"]});
    drop(
        pair(&manager, NORTH, &others)
            .await
            .problem(404, "unknown_pairing"),
    );
    drop(
        pair(&manager, "pit-1-south", &body)
            .await
            .problem(404, "unknown_pairing"),
    );
    // The screen may ask as often as it likes.
    for server in [&nobody, &there, &there] {
        let paired = ask(server, KEY).await.is(200);
        let expected =
            json!({"code": null, "expires_at": null, "screen": NORTH, "links": ["main"]});
        assert_eq!(paired.body, expected);
    }
    for screen in [&screen, &screen.at(second.base())] {
        let holder = screen.get("/v1/session").await.is(200);
        assert_eq!(
            (holder.text("role"), holder.text("name")),
            ("display", NORTH)
        );
    }
    is_in_the_record(&house).await;
    second.stop().await;
    house.end().await;
}

/// The record has the pairing once: who, which screen, from where.
async fn is_in_the_record(house: &House) {
    let auditor = house.person("aud", "auditor").await;
    let acts = auditor.get("/v1/acts?act=screen_paired").await.is(200);
    assert_eq!(acts["acts"].as_array().map(Vec::len), Some(1));
    let act = &acts["acts"][0];
    assert_eq!(
        (&act["subject"], &act["address"]),
        (&json!(NORTH), &json!("127.0.0.1"))
    );
    assert!(act["name"].is_string(), "{act}");
    let details = act["details"].to_string();
    assert!(
        details.contains("main") && details.contains("127.0.0.1"),
        "{details}"
    );
}

/// What is no code, no name and no list of links is refused, and stored nowhere.
#[tokio::test]
async fn what_a_pairing_does_not_take() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    for key in ["", "0a", &"g".repeat(64), &KEY.to_uppercase()] {
        drop(ask(&nobody, key).await.problem(400, "invalid_value"));
    }
    // A token of another kind is no key of a screen.
    let display = house.token("sign", "display", None, None).await;
    drop(ask(&nobody, &display).await.problem(401, "unauthenticated"));
    let code = code(&nobody, KEY).await;
    let manager = house.manager().await.caller;
    let thirteen: Vec<String> = (0..13).map(|number| format!("link-{number}")).collect();
    for (code, links) in [
        (code.as_str(), json!([])),
        (&code, json!(["main", "main"])),
        (&code, json!(thirteen)),
        ("0OI1", json!(["main"])),
        ("'; DROP TABLE screen; --", json!(["main"])),
    ] {
        let body = json!({"code": code, "links": links});
        drop(
            pair(&manager, NORTH, &body)
                .await
                .problem(400, "invalid_value"),
        );
    }
    let body = json!({"code": code, "links": ["main"]});
    for name in ["%3Cb%3Ex%3C%2Fb%3E", "x'%20OR%20'1'='1", "a%00b"] {
        drop(
            pair(&manager, name, &body)
                .await
                .problem(400, "invalid_name"),
        );
    }
    let listed = manager.get("/v1/screens").await.is(200);
    assert_eq!(listed["screens"], json!([]));
    let sign = house.nobody().with_token(display);
    drop(tell(&sign, &[]).await.problem(404, "unknown_screen"));
    house.end().await;
}

/// A code ends after ten minutes. Sixteen of one address are open at most, and a person may be wrong ten times.
#[tokio::test]
async fn codes_are_few_and_end() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    let mut codes = Vec::new();
    for number in 0..16 {
        codes.push(code(&nobody, &format!("{number:064x}")).await);
    }
    let refused = ask(&nobody, KEY).await.problem(429, "too_many_codes");
    assert_eq!(refused.headers["retry-after"], "30");
    // A screen that asks all the time is refused, and no other one with it.
    let eager = format!("{:064x}", 1);
    for _ in 1..120 {
        drop(ask(&nobody, &eager).await.is(200));
    }
    drop(ask(&nobody, &eager).await.problem(429, "too_many_codes"));
    assert_eq!(code(&nobody, &format!("{:064x}", 0)).await, codes[0]);
    let late = "UPDATE pairing SET expires_at = expires_at - 600000000";
    assert_eq!(house.database.tamper(late).await, 16);
    let manager = house.manager().await.caller;
    let body = |code: &str| json!({"code": code, "links": ["main"]});
    for code in &codes[..10] {
        let wrong = pair(&manager, NORTH, &body(code)).await;
        drop(wrong.problem(404, "unknown_pairing"));
    }
    let open = code(&nobody, KEY).await;
    let delayed = pair(&manager, NORTH, &body(&open)).await;
    let delayed = delayed.problem(429, "too_many_codes");
    assert_eq!(delayed.headers["retry-after"], "30");
    // The old codes are gone, and the screen that shows one gets another.
    assert_ne!(code(&nobody, &format!("{:064x}", 0)).await, codes[0]);
    house.end().await;
}

/// A name that a screen has is taken over knowingly. Unpaired, a screen has no token on any node, its feed ends, and its
/// key is good for nothing.
#[tokio::test]
async fn a_screen_is_replaced_and_unpaired() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    let first = paired(&house, NORTH, KEY, &["main"]).await;
    let manager = house.manager().await.caller;
    let new = code(&nobody, OTHER_KEY).await;
    let body = json!({"code": new, "links": ["main"]});
    drop(
        pair(&manager, NORTH, &body)
            .await
            .problem(409, "screen_exists"),
    );
    drop(first.get("/v1/session").await.is(200));
    let knowing = json!({"code": new, "links": ["main"], "replaces": true});
    drop(pair(&manager, NORTH, &knowing).await.is(200));
    // Another node has nothing in memory.
    let node = house.another_server().await;
    let old = first.at(node.base());
    drop(old.get("/v1/session").await.problem(401, "unauthenticated"));
    drop(ask(&nobody, KEY).await.problem(401, "unauthenticated"));
    let address = house.server.address;
    let mut feed = Feed::open_as(address, "main", None, Some(OTHER_KEY)).await;
    drop(feed.next().await.expect("a snapshot"));
    let now = shown("main", &meters(&house, "main").await);
    let second = nobody.with_token(OTHER_KEY);
    drop(tell(&second, &[&now]).await.is(200));
    let path = format!("/v1/screens/{NORTH}");
    let unpaired = manager.delete(&path).await.is(200);
    assert_eq!(unpaired.body, json!({"screen": NORTH}));
    while feed.next().await.is_some() {}
    let there = second.at(node.base());
    drop(
        there
            .get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    drop(
        ask(&nobody, OTHER_KEY)
            .await
            .problem(401, "unauthenticated"),
    );
    drop(manager.delete(&path).await.problem(404, "unknown_screen"));
    drop(house.supervisor("sam").await);
    drop(
        manager
            .delete("/v1/screens/sam")
            .await
            .problem(404, "unknown_screen"),
    );
    let listed = manager.get("/v1/screens").await.is(200);
    assert_eq!(listed["screens"], json!([]));
    assert_eq!(
        rows(&manager, "").await,
        [(false, false)],
        "it stays provable"
    );
    let auditor = house.person("aud", "auditor").await;
    let acts = auditor.get("/v1/acts?act=screen_unpaired").await.is(200);
    assert_eq!(acts["acts"][0]["subject"], NORTH);
    // The name is free for a new key.
    drop(paired(&house, NORTH, &"c".repeat(64), &["main"]).await);
    node.stop().await;
    house.end().await;
}
