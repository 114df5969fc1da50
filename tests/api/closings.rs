//! Closings: the report of a day, what keeps it from being signed, and the list of signed days.

use meterhouse_api::time;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_engine::clock::now;
use meterhouse_engine::view::Day;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::chain::chain_hash;
use meterhouse_tests::{Answer, Caller, Dealer, FIVE_CARD_A, House};
use serde_json::{Value, json};

mod signed;

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;

/// The date of so many days ago, in UTC.
fn days_ago(days: i32) -> String {
    let day = Day(Day::of(now()).0 - days);
    time::text(day.begin())[..10].to_owned()
}

/// Takes everything that was played so many days back: the database is the one of a link that played then.
#[must_use]
async fn back(house: House, days: i64) -> House {
    let link = LinkId(1);
    let (mut number, mut previous) = (1, ChainHash::GENESIS);
    let mut changes = String::new();
    while let Some(stored) = house
        .server
        .store
        .batch(link, number)
        .await
        .expect("it is read")
    {
        let mut batch = stored.batch;
        batch.at = Timestamp(batch.at.0 - days * DAY);
        previous = chain_hash(previous, &batch);
        let change = format!(
            "UPDATE batch SET at = {}, chain_hash = '\\x{previous}' WHERE batch = {number};",
            batch.at.0
        );
        changes.push_str(&change);
        number += 1;
    }
    let micros = days * DAY;
    let others = format!(
        "UPDATE hit SET keyed_at = keyed_at - {micros}, decided_at = decided_at - {micros};
         UPDATE payout SET paid_at = paid_at - {micros};
         UPDATE link_head SET chain_hash = '\\x{previous}'"
    );
    changes.push_str(&others);
    assert!(house.database.tamper(&changes).await > number);
    house.restart().await
}

async fn closing(caller: &Caller, date: &str) -> Answer {
    caller.get(&format!("/v1/links/main/closings/{date}")).await
}

async fn sign(caller: &Caller, date: &str, body: &Value) -> Answer {
    let path = format!("/v1/links/main/closings/{date}/sign-off");
    caller.post(&path, body).await
}

/// The dealer counts three chips for two wagers.
async fn miscounts(dealer: &Dealer) {
    drop(dealer.coin_in(&[1, 2]).await.created());
    let count = json!({"command": "count", "chips": 3});
    drop(dealer.send(&count).await.created());
    drop(dealer.close().await.created());
}

/// Clears every open exception.
async fn clear_all(caller: &Caller) {
    let path = "/v1/links/main/exceptions";
    let open = caller.get(&format!("{path}?cleared=false")).await.is(200);
    for exception in open["exceptions"].as_array().expect("exceptions") {
        let position = exception["position"].as_str().expect("a position");
        let path = format!("{path}/{}/clearance", position.replace('.', "/"));
        let cleared = caller.post(&path, &json!({"reason": "seen"})).await;
        drop(cleared.created());
    }
}

/// A day with a count that differs, a royal that was paid with its envy, a straight flush that waits, and an adjustment.
async fn played() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    miscounts(dealer).await;
    drop(dealer.coin_in(&[1, 2]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    sam.settles("T1.5", 1).await;
    drop(dealer.close().await.created());
    house.set_meter("20000.00").await;
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "-1.50").await);
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    house
}

/// CONFORMANCE 59 and 61: the report of a day agrees with the books and the decreases of the same period.
#[tokio::test]
async fn the_report_of_a_day() {
    let house = back(played().await, 1).await;
    let aud = house.person("aud", "auditor").await;
    let date = days_ago(1);
    let day = closing(&aud, &date).await.is(200);
    assert_eq!(
        (&day["covered_by"], &day["sign_off"]),
        (&Value::Null, &Value::Null)
    );
    let report = &day["report"];
    assert_eq!(report["date"], date);
    for (member, value) in [
        ("complete", json!(true)),
        ("balanced", json!(true)),
        ("unmatched", json!("0.00")),
        ("open_exceptions", json!(1)),
        ("from_batch", json!(0)),
    ] {
        assert_eq!(report[member], value, "{member}: {}", day.text);
    }
    let books = aud.get("/v1/links/main/reconciliation").await.is(200);
    assert_eq!(report["to_batch"], books["to_batch"]);
    let levels = report["levels"].as_array().expect("levels");
    let of_books = books["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), of_books.len());
    for (level, book) in levels.iter().zip(of_books) {
        for member in [
            "level",
            "contributions",
            "house",
            "paid",
            "adjustments",
            "difference",
        ] {
            assert_eq!(level[member], book[member], "{member}");
        }
        assert_eq!(level["closing"]["pending"], book["pending"]);
        assert_eq!(level["opening"]["meter"], "0.00");
    }
    let meters = aud.get("/v1/links/main/meters").await.is(200);
    let shown = levels[0]["closing"]["meter"].as_str().expect("an amount");
    assert!(shown.starts_with(&meters.levels()[0]), "{shown}");
    let path = format!("/v1/links/main/displayed?day={date}");
    let displayed = aud.get(&path).await.is(200);
    assert_eq!(report["decreases"], displayed["decreases"]);
    let causes: Vec<&Value> = report["decreases"]
        .as_array()
        .expect("decreases")
        .iter()
        .collect();
    let causes: Vec<&Value> = causes.iter().map(|decrease| &decrease["cause"]).collect();
    assert_eq!(causes, ["hit", "adjustment", "hit"], "{}", day.text);
    house.server.stop().await;
}

/// Hits, payments and exceptions of a day are there as they were recorded.
#[tokio::test]
async fn what_was_recorded_on_a_day() {
    let house = back(played().await, 1).await;
    let aud = house.person("aud", "auditor").await;
    let day = closing(&aud, &days_ago(1)).await.is(200);
    let report = &day["report"];
    let hits: Vec<&Value> = report["hits"].as_array().expect("hits").iter().collect();
    let told: Vec<[&Value; 2]> = hits
        .iter()
        .map(|hit| [&hit["hit"], &hit["order"]])
        .collect();
    assert_eq!(
        told,
        [[&json!("T1.5"), &json!(1)], [&json!("T1.8"), &json!(2)]]
    );
    assert_eq!(report["exceptions"][0]["kind"], "count_differs");
    let payments = report["payments"].as_array().expect("payments");
    let told: Vec<[&Value; 3]> = payments
        .iter()
        .map(|paid| [&paid["hits"], &paid["document"], &paid["amount"]])
        .collect();
    let royal = json!(["T1.5"]);
    let due = json!("10000.84");
    let expected = [
        [&royal, &json!("JP-T1.5-1"), &due],
        [&royal, &Value::Null, &json!("1000.00")],
    ];
    assert_eq!(told, expected, "{}", day.text);
    house.server.stop().await;
}

/// A decrease that nothing explains keeps a day from being signed.
#[tokio::test]
async fn an_unmatched_decrease_is_not_signed() {
    let house = back(played().await, 1).await;
    let sam = house.supervisor("sam").await.caller;
    let date = days_ago(1);
    clear_all(&sam).await;
    let day = closing(&sam, &date).await.is(200);
    let last = day["report"]["to_batch"].as_u64().expect("a batch");
    let lower = format!("UPDATE batch SET after[3] = after[3] - 7000000 WHERE batch = {last}");
    assert_eq!(house.database.tamper(&lower).await, 1);
    let day = closing(&sam, &date).await.is(200);
    assert_eq!(day["report"]["unmatched"], "7.00", "{}", day.text);
    assert_eq!(day["report"]["balanced"], false);
    let refused = sign(&sam, &date, &json!({})).await;
    let refused = refused.problem(409, "day_unbalanced");
    assert_eq!(refused["fields"]["unmatched"], "7.00");
    house.server.stop().await;
}

/// Who has no right to it, what is no day, and what is no request.
#[tokio::test]
async fn what_is_refused() {
    let house = back(played().await, 1).await;
    let sam = house.supervisor("sam").await.caller;
    let aud = house.person("aud", "auditor").await;
    let cash = house.with_rights("cash", "supervisor", "pay").await;
    let date = days_ago(1);
    let empty = json!({});
    drop(sign(&aud, &date, &empty).await.problem(403, "forbidden"));
    let refused = sign(&cash, &date, &empty).await.problem(403, "forbidden");
    assert_eq!(refused["fields"]["right"], "close");
    let nobody = house.nobody();
    drop(
        sign(&nobody, &date, &empty)
            .await
            .problem(401, "unauthenticated"),
    );
    drop(
        closing(&nobody, &date)
            .await
            .problem(401, "unauthenticated"),
    );
    let early = closing(&aud, &days_ago(2)).await;
    let early = early.problem(404, "not_open_yet");
    assert!(
        early["fields"]["opened"]
            .as_str()
            .is_some_and(|at| at.starts_with(&date))
    );
    drop(
        sign(&sam, &days_ago(2), &empty)
            .await
            .problem(404, "not_open_yet"),
    );
    drop(
        closing(&aud, &days_ago(-1))
            .await
            .problem(400, "time_in_future"),
    );
    drop(
        sign(&sam, &days_ago(-1), &empty)
            .await
            .problem(409, "day_not_over"),
    );
    let today = closing(&aud, &days_ago(0)).await.is(200);
    assert_eq!(today["report"]["complete"], false);
    assert_eq!(today["report"]["hits"], json!([]));
    for text in [
        "yesterday",
        "2026-1-1",
        "2026-02-30",
        "2026-01-01T00:00:00Z",
    ] {
        drop(closing(&aud, text).await.problem(400, "invalid_time"));
        drop(sign(&sam, text, &empty).await.problem(400, "invalid_time"));
    }
    for (body, code) in [
        (json!({"note": ""}), "invalid_value"),
        (json!({"note": 1}), "invalid_value"),
        (json!({"note": "a\u{0}b"}), "invalid_value"),
        (json!({"note": "x".repeat(257)}), "invalid_value"),
        (json!({"reason": "x"}), "unknown_field"),
        (json!([]), "malformed_body"),
    ] {
        drop(sign(&sam, &date, &body).await.problem(400, code));
    }
    let missing = aud.get(&format!("/v1/links/none/closings/{date}")).await;
    drop(missing.problem(404, "unknown_link"));
    house.server.stop().await;
}

/// Signed days are listed newest first, by the time at which they begin, each once over all pages.
#[tokio::test]
async fn a_list_of_signed_days() {
    let house = back(played().await, 3).await;
    let sam = house.supervisor("sam").await.caller;
    clear_all(&sam).await;
    let path = "/v1/links/main/closings";
    let none = sam.get(path).await.is(200);
    assert_eq!(
        (&none["closings"], &none["next"]),
        (&json!([]), &Value::Null)
    );
    for days in [2, 3, 1] {
        drop(sign(&sam, &days_ago(days), &json!({})).await.created());
    }
    let dates = |page: &Answer| -> Vec<String> {
        let closings = page["closings"].as_array().expect("closings").iter();
        let dates = closings.filter_map(|closing| closing["date"].as_str());
        dates.map(str::to_owned).collect()
    };
    let all: Vec<String> = (1..=3).map(days_ago).collect();
    assert_eq!(dates(&sam.get(path).await.is(200)), all);
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = sam.get(&format!("{path}?limit=1{after}")).await.is(200);
        seen.extend(dates(&page));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(seen, all);
    let [one, two, _] = &all[..] else {
        panic!("three days")
    };
    for (query, expected) in [
        (format!("?from={two}T00:00:00Z"), &all[..2]),
        (format!("?from={two}T00:00:01Z"), &all[..1]),
        (format!("?to={two}T00:00:00Z"), &all[2..]),
        (format!("?to={two}T00:00:01Z"), &all[1..]),
        (
            format!("?from={two}T00:00:00Z&to={one}T00:00:00Z"),
            &all[1..2],
        ),
    ] {
        let page = sam.get(&format!("{path}{query}")).await.is(200);
        assert_eq!(dates(&page), expected, "{query}");
    }
    for (query, code) in [
        (
            format!("?from={one}T00:00:00Z&to={two}T00:00:00Z"),
            "invalid_parameter",
        ),
        ("?limit=201".to_owned(), "invalid_parameter"),
        ("?after=x".to_owned(), "invalid_time"),
        ("?date=2026-01-01".to_owned(), "invalid_parameter"),
    ] {
        let page = sam.get(&format!("{path}{query}")).await;
        drop(page.problem(400, code));
    }
    // Each day begins with what the one before ended with.
    let first = closing(&sam, two).await.is(200);
    let before = closing(&sam, &days_ago(3)).await.is(200);
    let (first, before) = (&first["report"], &before["report"]);
    assert_eq!(first["from_batch"], before["to_batch"]);
    assert_eq!(
        first["levels"][0]["opening"],
        before["levels"][0]["closing"]
    );
    house.server.stop().await;
}
