//! What is read: the floor's list, the journal, the books; and that no reserve ever leaves in public.

use std::collections::BTreeSet;

use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// All pages of a list, each of at most `limit` entries.
pub(crate) async fn pages(caller: &Caller, path: &str, key: &str, limit: usize) -> Vec<Value> {
    let join = if path.contains('?') { '&' } else { '?' };
    let mut items = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let from = after.map(|it| format!("&after={it}")).unwrap_or_default();
        let page: Answer = caller
            .get(&format!("{path}{join}limit={limit}{from}"))
            .await
            .is(200);
        let found = page[key].as_array().expect("a list").clone();
        assert!(found.len() <= limit, "{}", page.text);
        items.extend(found);
        let next = page["next"].as_str().map(str::to_owned);
        assert_eq!(page["more"], next.is_some(), "{}", page.asked);
        match next {
            Some(next) => after = Some(next),
            None => return items,
        }
    }
}

/// Every hit is listed once, by link and order, in pages of any size and by its state.
#[tokio::test]
async fn hits_in_pages() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    house.link("second", FIVE_CARD_A).await;
    let third = house.table("T3", "second", FIVE_CARD_A).await;
    let sam = house.supervisor("sam").await;
    for dealer in dealers.iter().chain([&third]) {
        drop(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
        for seat in [6, 5, 4, 3] {
            drop(dealer.hit_unseen(seat, "flush").await.created());
        }
        drop(sam.approve(&dealer.named(2)).await.created());
        drop(sam.reject(&dealer.named(3)).await.created());
        drop(dealer.cancel(4).await.created());
    }
    for limit in [1, 2, 5, 12, 100] {
        let found = pages(&sam.caller, "/v1/hits", "hits", limit).await;
        let names: Vec<&str> = found.iter().filter_map(|it| it["hit"].as_str()).collect();
        let expected = ["T1", "T2", "T3"]
            .iter()
            .flat_map(|table| (2..=5).map(move |number| format!("{table}.{number}")));
        assert_eq!(names, expected.collect::<Vec<_>>());
    }
    for (state, number) in [
        ("validated", 2),
        ("rejected", 3),
        ("cancelled", 4),
        ("pending", 5),
    ] {
        let path = format!("/v1/hits?state={state}");
        let found = pages(&sam.caller, &path, "hits", 2).await;
        let names: Vec<String> = found
            .iter()
            .filter_map(|it| it["hit"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(
            names,
            ["T1", "T2", "T3"].map(|table| format!("{table}.{number}"))
        );
    }
    let of_a_link = pages(
        &sam.caller,
        "/v1/hits?link=second&state=pending",
        "hits",
        100,
    )
    .await;
    assert_eq!(of_a_link.len(), 1);
    for empty in [
        "/v1/hits?state=paid",
        "/v1/hits?state=void",
        "/v1/hits?after=2147483647.9",
    ] {
        assert_eq!(sam.caller.get(empty).await.is(200)["hits"], json!([]));
    }
    house.end().await;
}

/// A hit says who keyed it, who decided, and what the server makes of the cards.
#[tokio::test]
async fn one_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 3]).await.created());
    let keyed = json!({"command": "hit", "seat": 3, "hand": "full-house", "cards": ["2s", "2d", "2h", "3s", "3d"],
        "by": "d-12"});
    drop(dealer.send(&keyed).await.created());
    let sam = house.supervisor("sam").await;
    let seen = json!({"decision": "approve", "cards": ["2s", "2d", "2c", "3s", "3d"], "note": "2c, not 2h"});
    drop(sam.decide("T1.2", &seen).await.created());
    let hit = sam.hit("T1.2").await.is(200);
    let words = |member: &str| hit.text(member).to_owned();
    assert_eq!(
        (words("keyed_by"), words("decided_by")),
        ("d-12".to_owned(), "sam".to_owned())
    );
    assert_eq!(
        (words("state"), words("note")),
        ("validated".to_owned(), "2c, not 2h".to_owned())
    );
    assert_eq!(
        (words("round"), words("due")),
        ("T1.1".to_owned(), "50.00".to_owned())
    );
    assert_eq!(hit["cards"], json!(["2s", "2d", "2h", "3s", "3d"]));
    assert_eq!(
        hit["validated_cards"],
        json!(["2s", "2d", "2c", "3s", "3d"])
    );
    assert_eq!(hit["evaluation"]["agrees"], true);
    assert_eq!(hit["payouts"][0]["handed_over"], "rack");
    house.end().await;
}

/// The journal's pages hold every event once and in order, each balanced, and say what each table sent.
#[tokio::test]
async fn the_journal_in_pages() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    for round in 0..12 {
        // Both at once, so that batches have several events.
        let sending = dealers.iter().map(async |dealer| {
            drop(dealer.coin_in(&[1, 3, 5]).await.created());
            drop(dealer.hit_unseen(5, "flush").await.created());
            drop(dealer.cancel(dealer.next() - 1).await.created());
            if round % 3 == 0 {
                drop(dealer.void("shoe_jam").await.created());
            } else {
                drop(dealer.close().await.created());
            }
        });
        futures_util::future::join_all(sending).await;
    }
    let aud = house.person("aud", "auditor").await;
    let whole = pages(&aud, "/v1/links/main/journal", "entries", 500).await;
    assert_eq!(whole.len(), 4 + 2 * 12 * 4);
    for limit in [1, 7, 50] {
        assert_eq!(
            pages(&aud, "/v1/links/main/journal", "entries", limit).await,
            whole,
            "pages of {limit}"
        );
    }
    let places: Vec<(u64, u64)> = whole.iter().map(position).collect();
    assert!(
        places.is_sorted() && places.windows(2).all(|pair| pair[0] != pair[1]),
        "{places:?}"
    );
    for table in ["T1", "T2"] {
        let numbers = whole
            .iter()
            .filter(|it| it["table"] == table && it["sequence"].is_u64());
        let numbers: Vec<u64> = numbers.filter_map(|it| it["sequence"].as_u64()).collect();
        assert_eq!(numbers, (1..=48).collect::<Vec<_>>());
    }
    let last = whole.last().map(position).expect("entries");
    let behind = aud
        .get(&format!("/v1/links/main/journal?after={}", last.0))
        .await
        .is(200);
    assert_eq!(
        (&behind["entries"], &behind["more"]),
        (&json!([]), &json!(false))
    );
    house.end().await;
}

fn position(entry: &Value) -> (u64, u64) {
    let text = entry["position"].as_str().expect("a position");
    let (batch, index) = text.split_once('.').expect("batch and index");
    (
        batch.parse().expect("a batch"),
        index.parse().expect("an index"),
    )
}

/// CONFORMANCE 57 and 61: the books of any stretch of time balance, and stretches that follow each other agree.
#[tokio::test]
async fn the_books_of_a_stretch() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let manager = house.manager().await;
    let sam = house.supervisor("sam").await;
    dealer.rounds(3, &[1, 2, 3, 4, 5, 6]).await;
    let journal = manager.journal("main", "?limit=500").await.is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let middle = entries
        .last()
        .and_then(|it| it["at"].as_str())
        .expect("a time")
        .to_owned();
    drop(dealer.coin_in(&[1, 2]).await.created());
    drop(dealer.hit_unseen(2, "royal-flush").await.created());
    drop(dealer.hit_unseen(1, "full-house").await.created());
    drop(sam.approve("T1.8").await.created());
    drop(sam.pay("T1.8", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    let path = |query: &str| format!("/v1/links/main/reconciliation{query}");
    let aud = house.person("aud", "auditor").await;
    let first = aud.get(&path(&format!("?to={middle}"))).await.is(200);
    let second = aud.get(&path(&format!("?from={middle}"))).await.is(200);
    let whole = aud.get(&path("")).await.is(200);
    for books in [&first, &second, &whole] {
        assert_eq!(books["balanced"], true, "{}", books.text);
    }
    assert_eq!(first["to_batch"], second["from_batch"]);
    assert_eq!(
        first["levels"][0]["closing"],
        second["levels"][0]["opening"]
    );
    // Meter and reserve together: 20 wagers at 21%, and the royal took the meter.
    let level = &whole["levels"][0];
    assert_eq!(
        (&level["contributions"], &level["house"]),
        (&json!("4.20"), &json!("10000.00"))
    );
    assert_eq!(
        (&level["paid"], &level["closing"]),
        (&json!("10002.60"), &json!("1.60"))
    );
    let fixed = &whole["levels"][1];
    assert_eq!(
        (&fixed["level"], &fixed["paid"]),
        (&json!("fixed"), &json!("100.00"))
    );
    house.end().await;
}

/// CONFORMANCE 2 and 55: neither the word nor the amount of a reserve is in anything that needs no token, or in a
/// table's answers.
#[tokio::test]
async fn no_reserve_in_public() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let mut display = house.display("main").await;
    let mut bodies = Vec::new();
    for _ in 0..13 {
        bodies.push(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created().text);
        bodies.push(dealer.close().await.created().text);
    }
    bodies.push(dealer.coin_in(&[2]).await.created().text);
    // 79 wagers at 8%: no other amount has these digits.
    let meters = house.database.rows("SELECT reserve::text FROM meter").await;
    let reserve: String = sqlx::Row::get(&meters[0], 0);
    assert!(reserve.starts_with("6.32"), "{reserve}");
    bodies.push(dealer.hit_unseen(2, "straight-flush").await.created().text);
    let nobody = house.nobody();
    for path in [
        "/v1/links",
        "/v1/links/main",
        "/v1/links/main/meters",
        "/readyz",
        "/healthz",
    ] {
        bodies.push(nobody.get(path).await.is(200).text);
    }
    bodies.push(dealer.resume().await.text);
    display.hears("hit", |_| true).await;
    display.hears("heartbeat", |_| true).await;
    let again = house
        .display("main")
        .await
        .next()
        .await
        .expect("a snapshot");
    bodies.push(again.to_string());
    bodies.extend(display.heard.iter().map(Value::to_string));
    for body in &bodies {
        assert!(
            !body.contains("reserve") && !body.contains("\"6.32"),
            "{body}"
        );
    }
    let known: BTreeSet<&str> = display
        .heard
        .iter()
        .filter_map(|it| it["type"].as_str())
        .collect();
    assert!(
        known.is_superset(&BTreeSet::from(["snapshot", "meters", "hit", "heartbeat"])),
        "{known:?}"
    );
    house.end().await;
}
