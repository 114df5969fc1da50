//! Lists by time: hits by their entry, the journal by its batches; a period has its start and not its end.

use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, House};
use serde_json::{Value, json};

/// A house with three hits of two levels, the second of which is cancelled.
async fn three_hits() -> (House, Vec<Dealer>) {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
    drop(dealer.cancel(2).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    drop(dealer.cancel(4).await.created());
    drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
    (house, dealers)
}

/// The orders of a page's hits, and its `next`.
async fn page(caller: &Caller, path: &str) -> (Vec<u64>, Value) {
    let page = caller.get(path).await.is(200);
    let hits = page["hits"].as_array().expect("hits").iter();
    let orders = hits.filter_map(|hit| hit["order"].as_u64()).collect();
    (orders, page["next"].clone())
}

/// Both lists of hits take a period, together with their other filters and in pages.
#[tokio::test]
async fn hits_of_a_period() {
    let (house, _) = three_hits().await;
    let aud = house.person("aud", "auditor").await;
    let all = aud.get("/v1/hits").await.is(200);
    let at = |index: usize| all["hits"][index]["keyed_at"].as_str().expect("a time");
    let (first, second, third) = (at(0), at(1), at(2));
    for (query, oldest_first) in [
        (format!("from={second}"), vec![2, 3]),
        (format!("to={second}"), vec![1]),
        (format!("from={first}&to={third}"), vec![1, 2]),
        (format!("from={second}&to={second}"), vec![]),
        ("from=2200-01-01T00:00:00Z".to_owned(), vec![]),
    ] {
        let (found, _) = page(&aud, &format!("/v1/hits?{query}")).await;
        assert_eq!(found, oldest_first, "{query}");
        let path = format!("/v1/hits?link=main&{query}");
        assert_eq!(page(&aud, &path).await.0, oldest_first, "{query}");
        let (mut newest, _) = page(&aud, &format!("/v1/links/main/hits?{query}")).await;
        newest.reverse();
        assert_eq!(newest, oldest_first, "{query}");
    }
    for (path, expected) in [
        (format!("/v1/hits?state=cancelled&from={second}"), vec![2]),
        (format!("/v1/hits?state=pending&to={third}"), vec![]),
        (
            format!("/v1/links/main/hits?level=minor&from={second}"),
            vec![3],
        ),
        (
            format!("/v1/links/main/hits?level=minor&to={third}"),
            vec![1],
        ),
    ] {
        assert_eq!(page(&aud, &path).await.0, expected, "{path}");
    }
    let path = format!("/v1/links/main/hits?limit=1&from={second}");
    let (newest, next) = page(&aud, &path).await;
    assert_eq!(newest, [3]);
    let next = next.as_str().expect("a cursor").to_owned();
    let (older, next) = page(&aud, &format!("{path}&after={next}")).await;
    assert_eq!(older, [2]);
    let next = next.as_str().expect("a cursor").to_owned();
    let (none, next) = page(&aud, &format!("{path}&after={next}")).await;
    assert_eq!((none, next), (vec![], Value::Null));
    house.end().await;
}

/// The journal begins with the first batch at `from` and ends before the first one at `to`, in pages of any length.
#[tokio::test]
async fn the_journal_of_a_period() {
    let (house, _) = three_hits().await;
    let aud = house.person("aud", "auditor").await;
    let all = aud.get("/v1/links/main/journal").await.is(200);
    let all = all["entries"].as_array().expect("entries").clone();
    let (from, to) = (all.len() - 4, all.len() - 1);
    let at = |index: usize| all[index]["at"].as_str().expect("a time").to_owned();
    let path = format!("/v1/links/main/journal?from={}&to={}", at(from), at(to));
    let period = aud.get(&path).await.is(200);
    assert_eq!(period["entries"], json!(all[from..to]), "{}", period.text);
    assert_eq!(
        (&period["more"], &period["next"]),
        (&json!(false), &Value::Null)
    );
    let mut read = Vec::new();
    let mut after = String::new();
    loop {
        let page = aud.get(&format!("{path}&limit=2{after}")).await.is(200);
        read.extend(page["entries"].as_array().expect("entries").clone());
        if page["more"] == false {
            break;
        }
        after = format!("&after={}", page.text("next"));
    }
    assert_eq!(read, all[from..to]);
    // A position before the period begins with the period, one inside goes on.
    let early = aud.get(&format!("{path}&after=0")).await.is(200);
    assert_eq!(early["entries"], json!(all[from..to]));
    let inside = all[from]["position"].as_str().expect("a position");
    let rest = aud.get(&format!("{path}&after={inside}")).await.is(200);
    assert_eq!(rest["entries"], json!(all[from + 1..to]));
    let whole = "/v1/links/main/journal?from=2000-01-01T00:00:00Z&to=2200-01-01T00:00:00Z";
    assert_eq!(aud.get(whole).await.is(200)["entries"], json!(all));
    house.end().await;
}

/// What is no period is refused by every list.
#[tokio::test]
async fn what_is_no_period() {
    let house = House::open().await;
    house.link("main", FIVE_CARD_C).await;
    let aud = house.person("aud", "auditor").await;
    for list in ["hits", "links/main/hits", "links/main/journal"] {
        let backwards = format!("/v1/{list}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z");
        drop(aud.get(&backwards).await.problem(400, "invalid_parameter"));
        let wrong = format!("/v1/{list}?from=today");
        drop(aud.get(&wrong).await.problem(400, "invalid_time"));
    }
    house.end().await;
}
