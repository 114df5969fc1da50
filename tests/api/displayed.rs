//! Displayed amounts by the day: what the signs showed, and every decrease with its cause (CONFORMANCE 59).

use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, House};
use serde_json::{Value, json};

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;

async fn report(caller: &Caller, query: &str) -> Answer {
    caller
        .get(&format!("/v1/links/main/displayed{query}"))
        .await
}

/// Position, cause, hit and amount of each decrease.
fn told(report: &Value) -> Vec<[Value; 3]> {
    let decreases = report["decreases"].as_array().expect("decreases");
    let one = |it: &Value| [it["cause"].clone(), it["hit"].clone(), it["amount"].clone()];
    decreases.iter().map(one).collect()
}

/// The date of the journal's newest time, as UTC says it.
async fn today(house: &House) -> String {
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    meters.text("at")[..10].to_owned()
}

/// A part pay, a win that restarts above what it took, its cancelling, an adjustment and a void after somebody else's
/// win: each decrease is there once, with its cause, and none is flagged.
#[tokio::test]
async fn each_decrease_has_its_cause() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let aud = house.person("aud", "auditor").await;
    let sam = house.supervisor("sam").await;
    drop(t1.coin_in(&[1, 2]).await.created());
    let before = report(&aud, "").await.is(200);
    assert_eq!(
        before["levels"][0]["closing"],
        house.meters("main").await[0]
    );
    assert_eq!(
        (&before["decreases"], &before["flagged"]),
        (&json!([]), &json!(0))
    );

    drop(t1.hit_unseen(1, "straight-flush").await.created());
    sam.settles("T1.2", 1).await;
    drop(t1.close().await.created());
    drop(t2.coin_in(&[1]).await.created());
    // The restart is more than the meter: cancelled, it falls again.
    drop(t2.hit_unseen(1, "royal-flush").await.created());
    drop(t2.cancel(2).await.created());
    drop(t2.void("misdeal").await.created());
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "100.00").await);
    let lowered = both.adjust("main", "meter", "meter", "-100.00").await;
    drop(lowered.created());

    let now = report(&aud, "").await.is(200);
    let expected = [
        [json!("hit"), json!("T1.2"), json!("1000.04")],
        [json!("hit_cancelled"), json!("T2.2"), json!("999.41")],
        [json!("void"), Value::Null, json!("0.21")],
        [json!("adjustment"), Value::Null, json!("100.00")],
    ];
    assert_eq!(told(&now.body), expected, "{}", now.text);
    assert_eq!(
        (&now["flagged"], &now["complete"]),
        (&json!(0), &json!(false))
    );
    assert!(now["decreases"][3]["proposal"].is_string(), "{}", now.text);
    assert_eq!(now["levels"][0]["opening"], "0.00", "it was not open yet");
    assert_eq!(now["levels"][0]["closing"], house.meters("main").await[0]);
    house.end().await;
}

/// A day in UTC, any stretch in its place, and what is neither; another day begins with what the last one ended with.
#[tokio::test]
async fn days_and_stretches() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    let aud = house.person("aud", "auditor").await;
    let day = today(&house).await;
    let of_day = report(&aud, &format!("?day={day}")).await.is(200);
    assert_eq!(of_day.text("from"), format!("{day}T00:00:00.000000Z"));
    assert_eq!(of_day["complete"], false, "{}", of_day.text);
    let later = report(
        &aud,
        "?from=2200-01-01T06:00:00-05:00&to=2200-01-02T06:00:00-05:00",
    )
    .await;
    let later = later.is(200);
    assert_eq!(later.text("from"), "2200-01-01T11:00:00.000000Z");
    assert_eq!(
        later["levels"][0]["opening"],
        of_day["levels"][0]["closing"]
    );
    assert_eq!(
        later["levels"][0]["closing"],
        of_day["levels"][0]["closing"]
    );
    let earlier = report(&aud, "?day=2020-02-29").await.is(200);
    assert_eq!(earlier["complete"], true);
    assert_eq!(
        (&earlier["to_batch"], &earlier["levels"][0]["closing"]),
        (&json!(0), &json!("0.00"))
    );
    for (query, code) in [
        ("?day=yesterday", "invalid_time"),
        ("?day=2021-02-29", "invalid_time"),
        ("?from=2026-01-01", "invalid_time"),
        (
            "?day=2026-01-01&from=2026-01-01T00:00:00Z",
            "invalid_parameter",
        ),
        (
            "?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
            "invalid_parameter",
        ),
        ("?week=3", "invalid_parameter"),
    ] {
        drop(report(&aud, query).await.problem(400, code));
    }
    drop(
        aud.get("/v1/links/other/displayed")
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        report(&house.nobody(), "")
            .await
            .problem(401, "unauthenticated"),
    );
    drop(
        report(&dealers[0].caller, "")
            .await
            .problem(403, "forbidden"),
    );
    house.end().await;
}

/// A stored meter that was lowered behind the server's back is a decrease that nothing explains: it is flagged, with the
/// amount that is missing, in the day in which it is and in no other.
#[tokio::test]
async fn a_decrease_that_nothing_explains() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    let sam = house.supervisor("sam").await;
    dealer.rounds(2, &[1]).await;
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    sam.settles("T1.6", 1).await;
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    let whole = report(&aud, "").await.is(200);
    let fallen = whole["decreases"][0]["position"].as_str().expect("a place");
    let fallen: i64 = fallen
        .split('.')
        .next()
        .expect("a batch")
        .parse()
        .expect("a number");
    // Twenty-five dollars more than the hit took; five from a batch in which nothing but wagers came.
    for (batch, micros) in [(fallen, 25_000_000), (6, 5_000_000)] {
        let lower =
            format!("UPDATE batch SET after[3] = after[3] - {micros} WHERE batch = {batch}");
        assert_eq!(house.database.tamper(&lower).await, 1);
    }
    let now = report(&aud, "").await.is(200);
    let flagged: Vec<&Value> = now["decreases"]
        .as_array()
        .expect("decreases")
        .iter()
        .collect();
    let flagged: Vec<_> = flagged
        .into_iter()
        .filter(|it| it["flagged"] == true)
        .collect();
    assert_eq!(
        (&now["flagged"], flagged.len()),
        (&json!(2), 2),
        "{}",
        now.text
    );
    assert_eq!(
        (&flagged[0]["cause"], &flagged[0]["position"]),
        (&Value::Null, &json!("6.0"))
    );
    let amounts = flagged
        .iter()
        .map(|it| it["amount"].as_str().expect("an amount"));
    // What the wager of that batch added hides as much of it.
    assert_eq!(
        amounts.collect::<Vec<_>>(),
        ["4.79", "25.00"],
        "{}",
        now.text
    );
    let at = meters.text("at");
    let before = report(&aud, &format!("?from={at}&to={at}")).await.is(200);
    assert_eq!(before["flagged"], 0);
    for (batch, micros) in [(fallen, 25_000_000), (6, 5_000_000)] {
        let back = format!("UPDATE batch SET after[3] = after[3] + {micros} WHERE batch = {batch}");
        assert_eq!(house.database.tamper(&back).await, 1);
    }
    house.end().await;
}

/// Yesterday's report of a link that has played for days is that of its last batches, a win around midnight in its own day.
#[tokio::test]
async fn around_midnight() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    let sam = house.supervisor("sam").await;
    drop(dealer.coin_in(&[1]).await.created());
    let yesterday = house.meters("main").await;
    // All of it was a day ago.
    let back = format!("UPDATE batch SET at = at - {DAY}");
    assert!(house.database.tamper(&back).await > 0);
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    sam.settles("T1.2", 1).await;
    let now = report(&aud, "").await.is(200);
    assert_eq!(now["levels"][0]["opening"], yesterday[0]);
    assert_eq!(told(&now.body).len(), 1, "{}", now.text);
    let midnight = now.text("from");
    let day_before = format!("?from=2020-01-01T00:00:00Z&to={midnight}");
    let day_before = report(&aud, &day_before).await.is(200);
    assert_eq!(day_before["levels"][0]["closing"], yesterday[0]);
    assert_eq!(day_before["decreases"], json!([]));
    assert_eq!(day_before["to_batch"], now["from_batch"]);
    let forth = format!(
        "UPDATE batch SET at = at + {DAY} WHERE batch <= {}",
        now["from_batch"]
    );
    assert!(house.database.tamper(&forth).await > 0);
    house.end().await;
}
