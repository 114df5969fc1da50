//! Screens: the pairing of a new display, and what it says that it shows.

use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, Feed, House};
use reqwest::Method;
use serde_json::{Value, json};

const KEY: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
const OTHER_KEY: &str = "1a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
const NORTH: &str = "pit-1-north";

/// Asks for the state of a screen's pairing.
async fn ask(nobody: &Caller, key: &str) -> Answer {
    let json = [("content-type", "application/json")];
    let body = json!({"key": key}).to_string().into_bytes();
    nobody.send(Method::POST, "/v1/pairings", &json, body).await
}

async fn code(nobody: &Caller, key: &str) -> String {
    ask(nobody, key).await.is(200).text("code").to_owned()
}

async fn pair(manager: &Caller, screen: &str, body: &Value) -> Answer {
    manager.put(&format!("/v1/screens/{screen}"), body).await
}

/// Pairs a screen with some links, and returns it with its token.
async fn paired(house: &House, screen: &str, key: &str, links: &[&str]) -> Caller {
    let nobody = house.nobody();
    let code = code(&nobody, key).await;
    let manager = house.manager().await.caller;
    let body = json!({"code": code, "links": links, "replaces": true});
    drop(pair(&manager, screen, &body).await.is(200));
    nobody.with_token(key)
}

fn shown(link: &str, meters: &Value) -> Value {
    json!({"link": link, "batch": meters["batch"], "levels": meters["levels"]})
}

async fn tell(screen: &Caller, shown: &[&Value]) -> Answer {
    screen.put("/v1/shown", &json!({"shown": shown})).await
}

async fn meters(house: &House, link: &str) -> Value {
    let path = format!("/v1/links/{link}/meters");
    house.nobody().get(&path).await.is(200).body
}

/// Returns the difference and the staleness of each row of what a screen showed, newest first.
async fn rows(manager: &Caller, query: &str) -> Vec<(bool, bool)> {
    let path = format!("/v1/screens/{NORTH}/shown{query}");
    let listed = manager.get(&path).await.is(200);
    let rows = listed["shown"].as_array().expect("rows").clone();
    let word = |row: &Value, name: &str| row[name].as_bool().expect(name);
    let rows = rows.iter();
    rows.map(|row| (word(row, "difference"), word(row, "stale")))
        .collect()
}

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
    second.stop().await;
    house.end().await;
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
