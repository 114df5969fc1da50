//! Refused attempts leave a trace beside the journal: contradictory repeats, and changes of what is in play.

use meterhouse_tests::client::{coin_in, felt};
use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, House, eventually};
use serde_json::{Value, json};

/// Waits until the trace has so many entries.
async fn traced(caller: &Caller, query: &str, count: usize) -> Answer {
    eventually("the attempts are written", async || {
        let page = caller.get(&format!("/v1/attempts{query}")).await.is(200);
        let attempts = page["attempts"].as_array()?;
        (attempts.len() >= count).then_some(page)
    })
    .await
}

/// CONFORMANCE 5: another command under a used number is refused, books nothing, uses no number up, and leaves a trace of
/// who sent what under which number; the journal has no event of it.
#[tokio::test]
async fn a_contradictory_repeat() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    assert_eq!(traced(&aud, "", 0).await["attempts"], json!([]));
    drop(dealer.coin_in(&[1, 2]).await.created());
    let (before, journal) = (house.balances().await, journal(&house).await);
    let other = dealer.send_as(1, &coin_in(&[1, 3])).await;
    drop(other.problem(409, "sequence_reused"));
    let page = traced(&aud, "", 1).await;
    let attempt = &page["attempts"][0];
    assert_eq!(
        (
            &attempt["kind"],
            &attempt["actor"],
            &attempt["link"],
            &attempt["table"]
        ),
        (
            &json!("sequence_reused"),
            &json!("T1"),
            &json!("main"),
            &json!("T1")
        )
    );
    assert_eq!(
        (&attempt["sequence"], &attempt["suppressed"]),
        (&json!(1), &json!(0))
    );
    assert!(
        attempt["node"]
            .as_str()
            .is_some_and(|node| !node.is_empty()),
        "{}",
        page.text
    );
    assert_eq!(
        (&page["more"], &page["next"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(
        (house.balances().await, self::journal(&house).await),
        (before, journal)
    );
    assert_eq!(dealer.resume().await["next_sequence"], 2);
    is_an_act(&aud).await;
    house.end().await;
}

/// Waits until the attempt is in the record of acts too, which is chained.
async fn is_an_act(auditor: &Caller) {
    let act = eventually("the attempt is recorded", async || {
        let page = auditor.get("/v1/acts?act=contradicted").await.is(200);
        page["acts"].get(0).cloned()
    })
    .await;
    assert_eq!((&act["name"], &act["known"]), (&json!("T1"), &json!(true)));
    let details = json!([{"name": "kind", "value": "sequence_reused"}, {"name": "table", "value": "1"},
        {"name": "sequence", "value": "1"}]);
    assert_eq!(act["details"], details);
}

/// A number from long ago is looked up in the journal; a contradiction there leaves its trace as well. A restart keeps it.
#[tokio::test]
async fn an_old_number_after_a_restart() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    dealers[0].rounds(1, &[1]).await;
    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    let other = dealer.send_as(1, &coin_in(&[2])).await;
    drop(other.problem(409, "sequence_reused"));
    // What was noted is written before the server has stopped.
    let house = house.restart().await;
    let aud = house.person("aud", "auditor").await;
    let page = aud.get("/v1/attempts?link=main").await.is(200);
    assert_eq!(page["attempts"][0]["sequence"], 1, "{}", page.text);
    house.end().await;
}

/// CONFORMANCE 35: changes of what is in play are refused and leave a trace with what should have changed; nothing changes.
#[tokio::test]
async fn a_refused_change() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    house.link("second", FIVE_CARD_C).await;
    let manager = house.manager().await.caller;
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "5.00", "decks": 1});
    let changed = manager.put("/v1/links/main", &terms).await;
    drop(changed.problem(409, "request_reused"));
    let moved = manager
        .put("/v1/tables/T1", &felt("second", FIVE_CARD_C))
        .await;
    drop(moved.problem(409, "request_reused"));
    let aud = house.person("aud", "auditor").await;
    let page = traced(&aud, "?link=main", 2).await;
    let kinds: Vec<_> = page["attempts"]
        .as_array()
        .expect("attempts")
        .iter()
        .collect();
    let mut kinds: Vec<_> = kinds
        .iter()
        .map(|it| it["kind"].as_str().expect("a kind"))
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["table_moved", "terms_changed"]);
    assert!(
        page.text.contains("wager: link 1.00, asked 5.00"),
        "{}",
        page.text
    );
    assert!(page.text.contains("\"actor\":\"ana\""), "{}", page.text);
    let second = aud.get("/v1/attempts?link=second").await.is(200);
    assert_eq!(second["attempts"], json!([]), "each link has its own");
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["wager"], "1.00");
    house.end().await;
}

/// A controller that repeats itself wrongly without end has ten entries a minute, and the rest is counted; pages go from
/// the newest to the oldest.
#[tokio::test]
async fn a_bounded_rate_and_pages() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    for _ in 0..25 {
        let other = dealer.send_as(1, &coin_in(&[2])).await;
        drop(other.problem(409, "sequence_reused"));
    }
    let house = house.restart().await;
    let aud = house.person("aud", "auditor").await;
    let all = aud.get("/v1/attempts").await.is(200);
    let attempts = all["attempts"].as_array().expect("attempts");
    let suppressed: u64 = attempts
        .iter()
        .filter_map(|it| it["suppressed"].as_u64())
        .sum();
    assert_eq!(
        (attempts.len(), suppressed),
        (11, 14),
        "twenty-five in all: {}",
        all.text
    );
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = aud
            .get(&format!("/v1/attempts?limit=4{after}"))
            .await
            .is(200);
        seen.extend(page["attempts"].as_array().expect("attempts").clone());
        let Some(next) = page["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(&seen, attempts);
    drop(
        aud.get("/v1/attempts?after=x")
            .await
            .problem(400, "invalid_parameter"),
    );
    drop(
        aud.get("/v1/attempts?limit=501")
            .await
            .problem(400, "invalid_parameter"),
    );
    drop(
        aud.get("/v1/attempts?link=none")
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        house
            .nobody()
            .get("/v1/attempts")
            .await
            .problem(401, "unauthenticated"),
    );
    let dealer = house.dealer("T1").await.caller;
    drop(dealer.get("/v1/attempts").await.problem(403, "forbidden"));
    let change = "UPDATE attempt SET suppressed = 0";
    assert!(house.database.run_as_application(change).await.is_err());
    house.end().await;
}

/// The number of the journal's last batch.
async fn journal(house: &House) -> Value {
    let link = house.nobody().get("/v1/links/main").await.is(200);
    link["batch"].clone()
}
