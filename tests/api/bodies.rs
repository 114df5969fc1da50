//! What never reaches the rules: each with its own code, nothing counted, no number used up, never a 500.

use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House};
use reqwest::Method;
use serde_json::{Value, json};

use crate::counted::Counter;

/// The largest body that is read.
const BODY_BYTES_MAX: usize = meterhouse_http::BODY_BYTES_MAX;
pub(crate) const GOOD: &str =
    r#"{"command":"coin_in","wagers":[{"seat":1,"amount":"1.00"}],"dealt":[1]}"#;

pub(crate) async fn one_table() -> (House, Dealer, Counter) {
    let (house, mut dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let counter = Counter::of(&house, "T1").await;
    (house, dealers.remove(0), counter)
}

/// Sends commands that can't be read: nothing of them counts.
async fn assert_bad(bad: &[(Value, &str)]) {
    let (house, dealer, counter) = one_table().await;
    let before = counter.now().await;
    for (command, code) in bad {
        let answer = dealer.send(command).await;
        assert_eq!(
            (answer.status, answer.code()),
            (400, *code),
            "{command}: {}",
            answer.text
        );
        drop(answer.problem(400, code));
    }
    assert_eq!(counter.now().await, before);
    drop(dealer.coin_in(&[1]).await.created());
    house.end().await;
}

/// Wagers whose seat or amount is none.
#[tokio::test]
async fn wagers_that_are_none() {
    let wager = |seat: Value, amount: Value| json!({"command": "coin_in", "wagers": [{"seat": seat, "amount": amount}], "dealt": [1]});
    assert_bad(&[
        (wager(json!(1), json!(1)), "invalid_amount"),
        (wager(json!(1), json!(1.00)), "invalid_amount"),
        (wager(json!(1), json!("1,00")), "invalid_amount"),
        (wager(json!(1), json!("-1.00")), "invalid_amount"),
        (wager(json!(1), json!("1e0")), "invalid_amount"),
        (wager(json!(1), json!("")), "invalid_amount"),
        (wager(json!(1), json!("1.0000001")), "invalid_amount"),
        (
            wager(json!(1), json!("99999999999999999999")),
            "invalid_amount",
        ),
        (wager(json!(1), Value::Null), "invalid_amount"),
        (wager(json!("1"), json!("1.00")), "invalid_value"),
        (wager(json!(-1), json!("1.00")), "invalid_value"),
        (wager(json!(256), json!("1.00")), "invalid_value"),
        (wager(json!(1.5), json!("1.00")), "invalid_value"),
    ])
    .await;
}

/// Hits without a holder, a hand or cards that anybody knows.
#[tokio::test]
async fn hits_that_are_none() {
    let hit = |field: &str, value: Value| {
        let mut hit = json!({"command": "hit", "seat": 1, "hand": "flush"});
        hit[field] = value;
        hit
    };
    assert_bad(&[
        (hit("hand", json!("royal")), "unknown_hand"),
        (hit("hand", json!(7)), "unknown_hand"),
        (hit("cards", json!(["As", "1s"])), "invalid_card"),
        (hit("cards", json!(["As "])), "invalid_card"),
        (hit("cards", json!([7])), "invalid_card"),
        (hit("cards", json!("As Ks")), "malformed_body"),
        (hit("cards", json!(vec!["As"; 65])), "invalid_value"),
        (hit("dealer", json!(true)), "malformed_body"),
        (hit("suit", json!("s")), "unknown_field"),
        (json!({"command": "hit", "hand": "flush"}), "malformed_body"),
        (json!({"command": "hit", "seat": 1}), "malformed_body"),
        (
            json!({"command": "cancel_hit", "hit": "T1"}),
            "invalid_name",
        ),
        (
            json!({"command": "cancel_hit", "hit": "T1.0"}),
            "invalid_name",
        ),
        (json!({"command": "cancel_hit", "hit": 1}), "invalid_name"),
    ])
    .await;
}

/// The other commands, none, two at once, and what stands beside them.
#[tokio::test]
async fn commands_that_are_none() {
    assert_bad(&[
        (json!({"command": "count", "chips": -1}), "invalid_value"),
        (
            json!({"command": "count", "chips": 4_294_967_296_u64}),
            "invalid_value",
        ),
        (json!({"count": {"chips": 3}}), "unknown_field"),
        (json!({"command": "raise"}), "invalid_value"),
        (json!({"command": 1}), "malformed_body"),
        (
            json!({"command": "void", "reason": "because"}),
            "invalid_value",
        ),
        (json!({"command": "void"}), "malformed_body"),
        (json!({"close": {}, "by": "d-1"}), "unknown_field"),
        (json!({"command": "close", "now": true}), "unknown_field"),
        (json!({"chips": 3}), "malformed_body"),
        (json!({}), "malformed_body"),
        (json!({"command": "close", "by": "a b"}), "invalid_name"),
        (
            json!({"command": "close", "by": "x".repeat(33)}),
            "invalid_name",
        ),
        (
            json!({"command": "close", "at": "yesterday"}),
            "invalid_time",
        ),
        (
            json!({"command": "close", "at": 1_795_219_200}),
            "invalid_time",
        ),
    ])
    .await;
}

/// Bodies that are no such JSON, each way.
#[tokio::test]
async fn bodies_that_are_none() {
    let (house, dealer, counter) = one_table().await;
    let before = counter.now().await;
    let path = dealer.path(1);
    let deep = format!(
        "{{\"command\":\"coin_in\",\"dealt\":[],\"wagers\":{}1{}}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let deeper = "[".repeat(BODY_BYTES_MAX);
    let twice = r#"{"command":"close","command":"close"}"#;
    let not_utf8 = [
        GOOD.as_bytes().split_at(12).0,
        b"\xff\xfe",
        GOOD.as_bytes().split_at(12).1,
    ]
    .concat();
    let in_a_text = b"{\"command\":\"close\",\"by\":\"d-\xff\"}".to_vec();
    let bodies: [Vec<u8>; 14] = [
        Vec::new(),
        b" ".to_vec(),
        b"x".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"\"close\"".to_vec(),
        GOOD.as_bytes()[..GOOD.len() - 1].to_vec(),
        format!("{GOOD}{GOOD}").into_bytes(),
        twice.as_bytes().to_vec(),
        deep.into_bytes(),
        deeper.into_bytes(),
        not_utf8,
        in_a_text,
        b"\xef\xbb\xbf{\"command\":\"close\"}".to_vec(),
    ];
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let answer = dealer.caller.put_text(&path, body).await;
        assert_eq!(
            (answer.status, answer.code()),
            (400, "malformed_body"),
            "{shown}"
        );
        drop(answer.problem(400, "malformed_body"));
    }
    assert_eq!(counter.now().await, before);
    house.end().await;
}

/// Too large, announced or not, and no JSON by its own words.
#[tokio::test]
async fn sizes_and_kinds() {
    let (house, dealer, counter) = one_table().await;
    let before = counter.now().await;
    let path = dealer.path(1);
    let padded = |bytes: usize| format!("{GOOD}{}", " ".repeat(bytes - GOOD.len()));
    for bytes in [BODY_BYTES_MAX + 1, 4 * BODY_BYTES_MAX, 32 * BODY_BYTES_MAX] {
        let answer = dealer.caller.put_text(&path, padded(bytes)).await;
        drop(answer.problem(413, "body_too_large"));
    }
    let kinds: [&[(&str, &str)]; 4] = [
        &[],
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded")],
        &[("content-type", "")],
    ];
    for headers in kinds {
        let sent = dealer
            .caller
            .send(Method::PUT, &path, headers, GOOD.into())
            .await;
        drop(sent.problem(415, "unsupported_media_type"));
    }
    assert_eq!(counter.now().await, before);
    drop(
        dealer
            .caller
            .put_text(&path, padded(BODY_BYTES_MAX))
            .await
            .created(),
    );
    house.end().await;
}

/// A number that no table can use, in the path.
#[tokio::test]
async fn sequences_that_are_none() {
    let (house, dealer, counter) = one_table().await;
    let before = counter.now().await;
    for sequence in [
        "0",
        "-1",
        "+1",
        "01",
        "1.0",
        "1e3",
        "one",
        "%20",
        "9223372036854775808",
    ] {
        let answer = dealer
            .caller
            .put(&dealer.path(sequence), &coin_in(&[1]))
            .await;
        drop(answer.problem(400, "invalid_sequence"));
    }
    for sequence in ["18446744073709551616", "99999999999999999999999999"] {
        let answer = dealer
            .caller
            .put(&dealer.path(sequence), &coin_in(&[1]))
            .await;
        drop(answer.problem(400, "invalid_sequence"));
    }
    assert_eq!(counter.now().await, before);
    house.end().await;
}

/// What a supervisor sends that can't be read or leads nowhere.
#[tokio::test]
async fn decisions_that_are_none() {
    let (house, dealer, counter) = one_table().await;
    drop(dealer.coin_in(&[3]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    let before = counter.now().await;
    let sam = house.supervisor("sam").await;
    for (decision, code) in [
        (json!({"decision": "maybe"}), "invalid_value"),
        (json!({"decision": true}), "invalid_value"),
        (json!({}), "malformed_body"),
        (
            json!({"decision": "approve", "resettle": true}),
            "invalid_value",
        ),
        (
            json!({"decision": "approve", "cards": ["1s"]}),
            "invalid_card",
        ),
        (
            json!({"decision": "approve", "note": "x".repeat(257)}),
            "invalid_value",
        ),
        (
            json!({"decision": "approve", "note": "a\u{0}b"}),
            "invalid_value",
        ),
        (json!({"decision": "reject", "cards": []}), "invalid_value"),
    ] {
        drop(sam.decide("T1.2", &decision).await.problem(400, code));
    }
    for hit in ["T1.1", "T1.3", "T9.1", "T1.2.1"] {
        drop(sam.approve(hit).await.problem(404, "unknown_hit"));
        drop(sam.reject(hit).await.problem(404, "unknown_hit"));
        drop(sam.pay(hit, 1, "JP-1").await.problem(404, "unknown_hit"));
    }
    for hit in [
        "T1",
        "T1.0",
        "T1.x",
        "T1.-2",
        ".2",
        "T1.2.0",
        "T1.2.1.1",
        "T1.2.256",
        "T1.9223372036854775808",
    ] {
        drop(sam.approve(hit).await.problem(400, "invalid_name"));
    }
    drop(
        sam.pay("T1.2", 0, "JP-1")
            .await
            .problem(400, "invalid_sequence"),
    );
    drop(sam.pay("T1.2", 1, "").await.problem(400, "invalid_value"));
    // A hit of another table is not this table's to cancel.
    let cancel = json!({"command": "cancel_hit", "hit": "T9.2"});
    drop(dealer.send(&cancel).await.problem(404, "unknown_hit"));
    assert_eq!(counter.now().await, before);
    house.end().await;
}
