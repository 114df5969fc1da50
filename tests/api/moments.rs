//! Displayed amounts of a past moment: what counts, who sees the reserve, and the moments that have none.

use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// The times of the link's batches, in their order.
async fn batch_times(house: &House) -> Vec<i64> {
    use sqlx::Row as _;
    let rows = house
        .database
        .rows("SELECT at FROM batch ORDER BY batch")
        .await;
    rows.iter().map(|row| row.get(0)).collect()
}

/// A time of the journal as the API writes it.
fn text(micros: i64) -> String {
    let at = meterhouse_domain::ids::Timestamp(micros);
    meterhouse_api::text::Text(at).to_string()
}

async fn meters_at(caller: &Caller, micros: i64) -> Answer {
    let at = text(micros);
    caller.get(&format!("/v1/links/main/meters?at={at}")).await
}

/// Every past amount can be read again, to the microsecond: each batch counts from its own time on.
#[tokio::test]
async fn each_past_amount_is_found() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let mut shown = Vec::new();
    for _ in 0..3 {
        dealer.rounds(1, &[1, 2]).await;
        let now = house.nobody().get("/v1/links/main/meters").await.is(200);
        shown.push((now["batch"].as_u64().expect("a batch"), now.levels()));
    }
    let times = batch_times(&house).await;
    let nobody = house.nobody();
    for (batch, levels) in shown {
        let index = usize::try_from(batch).expect("small") - 1;
        let at = times[index];
        let then = meters_at(&nobody, at).await.is(200);
        assert_eq!((&then["batch"], then.levels()), (&json!(batch), levels));
        assert_eq!(
            (then.text("at"), then.text("batch_at")),
            (text(at).as_str(), text(at).as_str())
        );
        assert_eq!(then["complete"], false, "it is not a minute ago");
        let before = meters_at(&nobody, at - 1).await.is(200);
        assert_eq!(before["batch"], json!(batch - 1), "{}", before.text);
        assert_eq!(before.text("at"), text(at - 1));
        assert_eq!(before.text("batch_at"), text(times[index - 1]));
    }
    // An hour's offset is another text of the same moment.
    let first = text(times[0]);
    let there = first.replace('Z', "%2B00:00");
    let same = nobody
        .get(&format!("/v1/links/main/meters?at={there}"))
        .await
        .is(200);
    assert_eq!(same["batch"], 1, "{}", same.text);
    house.end().await;
}

/// A clock that was set back: the greatest time up to the moment counts, and of equal times the newest batch.
#[tokio::test]
async fn a_clock_that_was_set_back() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    dealers[0].rounds(3, &[1]).await;
    let newest = batch_times(&house).await.len();
    let set = async |batch: usize, at: i64| {
        let change = format!("UPDATE batch SET at = {at} WHERE batch = {batch}");
        assert_eq!(house.database.tamper(&change).await, 1);
    };
    let times = batch_times(&house).await;
    let base = times[newest - 4];
    // …, +300, then the clock goes back: +100, +200, +200.
    for (batch, at) in [
        (newest - 3, 300),
        (newest - 2, 100),
        (newest - 1, 200),
        (newest, 200),
    ] {
        set(batch, base + at).await;
    }
    let nobody = house.nobody();
    for (at, batch) in [
        (99, newest - 4),
        (100, newest - 2),
        (199, newest - 2),
        (200, newest),
        (299, newest),
        (300, newest - 3),
        (1_000, newest - 3),
    ] {
        let then = meters_at(&nobody, base + at).await.is(200);
        assert_eq!(then["batch"], json!(batch), "{at}: {}", then.text);
    }
    for (index, at) in times.iter().enumerate() {
        set(index + 1, *at).await;
    }
    house.end().await;
}

/// Reserves are shown to a token that may read the link, and to nobody else (CONFORMANCE 55).
#[tokio::test]
async fn the_floor_sees_the_reserve() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    house.set_reserve("77.25").await;
    drop(dealer.coin_in(&[1]).await.created());
    let at = *batch_times(&house).await.last().expect("a batch");
    let bound = house.token("bound", "auditor", None, Some("main")).await;
    let other = house.token("other", "auditor", None, Some("another")).await;
    let display = house.token("sign", "display", None, None).await;
    let nobody = house.nobody();
    for reader in [
        house.person("aud", "auditor").await,
        house.supervisor("sam").await.caller,
        nobody.with_token(bound),
    ] {
        let then = meters_at(&reader, at).await.is(200);
        let level = json!({"level": "meter", "meter": "10000.13", "reserve": "77.33", "overflow": "0.00",
            "pending": "0.00"});
        assert_eq!(then["floor"][0], level, "{}", then.text);
        assert_eq!(then["floor"][1]["level"], "fixed");
        // Now they are the liability report's.
        let now = reader.get("/v1/links/main/meters").await.is(200);
        assert!(now["floor"].is_null(), "{}", now.text);
    }
    for public in [
        nobody.clone(),
        nobody.with_token(other),
        nobody.with_token(display),
        dealer.caller.clone(),
    ] {
        let then = meters_at(&public, at).await.is(200);
        assert!(!then.text.contains("reserve"), "{}", then.text);
        assert_eq!(then.levels(), ["10000.13"]);
    }
    let unknown = nobody.with_token("unknown");
    let refused = meters_at(&unknown, at).await;
    drop(refused.problem(401, "unauthenticated"));
    // Without a moment no token is looked at, as before.
    drop(unknown.get("/v1/links/main/meters").await.is(200));
    house.end().await;
}

/// The future and the time before the opening are refused with codes of their own, which say what can be asked for.
#[tokio::test]
async fn moments_without_amounts() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    let opened = batch_times(&house).await[0];
    let early = meters_at(&nobody, opened - 1).await;
    let early = early.problem(404, "not_open_yet");
    assert_eq!(early["fields"], json!({"opened": text(opened)}));
    drop(meters_at(&nobody, opened).await.is(200));
    let ask = async |at: &str| nobody.get(&format!("/v1/links/main/meters?at={at}")).await;
    let late = ask("2200-01-01T00:00:00Z").await;
    let late = late.problem(400, "time_in_future");
    assert!(late["fields"]["now"].is_string(), "{}", late.text);
    for wrong in ["yesterday", "2026-11-21", ""] {
        drop(ask(wrong).await.problem(400, "invalid_time"));
    }
    let nowhere = nobody.get("/v1/links/none/meters?at=2026-01-01T00:00:00Z");
    drop(nowhere.await.problem(404, "unknown_link"));
    let of_1970 = ask("1970-01-01T00:00:00Z").await;
    drop(of_1970.problem(404, "not_open_yet"));
    house.end().await;
}

/// A faulted link still shows what it showed.
#[tokio::test]
async fn a_faulted_link_shows_its_past() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    let at = *batch_times(&house).await.last().expect("a batch");
    let before: Vec<String> = house.meters("main").await;
    house.fault("main", dealer).await;
    let then = meters_at(&house.nobody(), at).await.is(200);
    assert_eq!(
        (then.levels(), &then["state"]),
        (before, &Value::from("faulted"))
    );
    house.server.stop().await;
}
