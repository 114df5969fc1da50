//! Large wins and last hits: what a player gets from one hit, against two thresholds, and the newest hits of each level.

use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, FIVE_CARD_C, House};
use serde_json::{Value, json};

async fn large_wins(caller: &Caller, query: &str) -> Answer {
    let path = format!("/v1/links/main/large-wins{query}");
    caller.get(&path).await
}

/// The names of the wins' hits.
fn hits(report: &Answer) -> Vec<&str> {
    let wins = report["wins"].as_array().expect("wins").iter();
    wins.map(|win| win["hit"]["hit"].as_str().expect("a name"))
        .collect()
}

/// A royal of 30,000.00 of a named player with an envy bonus for a seat, after a royal that was cancelled; then a straight
/// flush of 1,000.02 that waits.
async fn played() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    let wagers =
        json!([{"seat": 1, "amount": "1.00", "player": "p-77"}, {"seat": 2, "amount": "1.00"}]);
    let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2]});
    drop(dealer.send(&coin_in).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    drop(dealer.cancel(2).await.created());
    house.set_meter("30000.00").await;
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    sam.settles("T1.4", 1).await;
    drop(dealer.close().await.created());
    drop(dealer.coin_in(&[2]).await.created());
    drop(dealer.hit_unseen(2, "straight-flush").await.created());
    house
}

/// Who entered, validated and paid a large win is there, with the documents, and what each player gets from it.
#[tokio::test]
async fn a_large_win_and_its_people() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let report = large_wins(&aud, "").await.is(200);
    assert_eq!(
        (report.text("threshold"), report.text("tax_threshold")),
        ("1200.00", "2000.00")
    );
    assert_eq!(hits(&report), ["T1.4"], "{}", report.text);
    let win = &report["wins"][0];
    let players = json!([
        {"player": "p-77", "seats": [1], "amount": "30000.00", "paid": "30000.00", "large": true, "tax_form": true},
        {"player": null, "seats": [2], "amount": "1000.00", "paid": "1000.00", "large": false, "tax_form": false}]);
    assert_eq!(win["players"], players, "{}", report.text);
    let hit = &win["hit"];
    assert_eq!(
        (&hit["keyed_by"], &hit["decided_by"]),
        (&json!("d-12"), &json!("sam"))
    );
    let payment = &hit["payouts"][0]["payment"];
    assert_eq!(
        (&payment["by"], &payment["document"]),
        (&json!("sam"), &json!("JP-T1.4-1"))
    );
    house.end().await;
}

/// Both thresholds and the period select hits, each with its limit included, and the end of the period left out.
#[tokio::test]
async fn thresholds_and_periods() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let lower = large_wins(&aud, "?threshold=1000.02").await.is(200);
    assert_eq!(hits(&lower), ["T1.4", "T1.7"], "{}", lower.text);
    let second = &lower["wins"][1]["players"][0];
    assert_eq!(
        (&second["amount"], &second["paid"], &second["tax_form"]),
        (&json!("1000.02"), &json!("0.00"), &json!(false))
    );
    let above = large_wins(&aud, "?threshold=1000.03").await.is(200);
    assert_eq!(hits(&above), ["T1.4"]);
    // A win that needs a form is listed, even if it is not large.
    let query = "?threshold=50000.00&tax_threshold=30000.00";
    let form = large_wins(&aud, query).await.is(200);
    assert_eq!(hits(&form), ["T1.4"]);
    let player = &form["wins"][0]["players"][0];
    assert_eq!(
        (&player["large"], &player["tax_form"]),
        (&json!(false), &json!(true))
    );
    let keyed = form["wins"][0]["hit"]["keyed_at"].as_str().expect("a time");
    for (query, wins) in [
        (format!("?from={keyed}"), 1),
        (format!("?to={keyed}"), 0),
        (
            "?from=2020-01-01T00:00:00Z&to=2200-01-01T00:00:00Z".to_owned(),
            1,
        ),
    ] {
        let report = large_wins(&aud, &query).await.is(200);
        assert_eq!(hits(&report).len(), wins, "{query}");
    }
    for (query, code) in [
        ("?threshold=-1.00", "invalid_amount"),
        ("?tax_threshold=many", "invalid_amount"),
        (
            "?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
            "invalid_parameter",
        ),
    ] {
        drop(large_wins(&aud, query).await.problem(400, code));
    }
    house.end().await;
}

/// A row that was made smaller than the journal's is not shown smaller.
#[tokio::test]
async fn a_changed_win_is_shown_as_journaled() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    let set = async |amount: i64| {
        let payout = format!("UPDATE payout SET amount = {amount}");
        assert_eq!(house.database.tamper(&payout).await, 1);
    };
    set(10_000_210_000 - 5_000_000_000).await;
    let report = large_wins(&aud, "").await.is(200);
    assert_eq!(
        report["wins"][0]["players"][0]["amount"], "10000.21",
        "{}",
        report.text
    );
    set(10_000_210_000).await;
    house.end().await;
}

/// CONFORMANCE 62: the last 25 hits of every level in one answer, newest first, without those that were undone.
#[tokio::test]
async fn the_last_hits_of_every_level() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    for _ in 0..2 {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(2, "four-of-a-kind").await.created());
        drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
        let undone = dealer.next() - 1;
        drop(dealer.cancel(undone).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
        let sam = house.supervisor("sam").await;
        let pending = sam.hits("?state=pending").await.is(200);
        for hit in pending["hits"].as_array().expect("hits") {
            sam.settles(hit["hit"].as_str().expect("a name"), 1).await;
        }
        drop(dealer.close().await.created());
    }
    let path = "/v1/links/main/last-hits";
    let report = aud.get(path).await.is(200);
    let levels = report["levels"].as_array().expect("levels");
    let orders = |level: &Value| -> Vec<u64> {
        let hits = level["hits"].as_array().expect("hits").iter();
        hits.filter_map(|hit| hit["order"].as_u64()).collect()
    };
    let told: Vec<_> = levels
        .iter()
        .map(|level| (level["level"].as_str().expect("a name"), orders(level)))
        .collect();
    assert_eq!(
        told,
        [
            ("mega", vec![]),
            ("major", vec![6, 3]),
            ("minor", vec![4, 1])
        ],
        "{}",
        report.text
    );
    assert_eq!(levels[1]["archived"], false);
    let newest = aud.get(&format!("{path}?limit=1")).await.is(200);
    assert_eq!(orders(&newest["levels"][1]), [6]);
    for limit in ["0", "26"] {
        let asked = aud.get(&format!("{path}?limit={limit}")).await;
        drop(asked.problem(400, "invalid_parameter"));
    }
    house.end().await;
}
