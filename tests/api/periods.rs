//! Lists by time: hits by their entry, proposals by theirs, attempts, the journal by its batches; a period has its start and not its end.

use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Answer, Caller, Dealer, FIVE_CARD_C, House, TwoPeople, eventually};
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

/// The values of a field in a list, and `next`.
fn fields(page: &Answer, list: &str, field: &str) -> (Vec<Value>, Value) {
    let entries = page[list].as_array().expect("a list").iter();
    let values = entries.map(|entry| entry[field].clone()).collect();
    (values, page["next"].clone())
}

/// Asks for four periods between the times of three entries, which are given newest first, and for them in pages.
async fn asks_for_periods(caller: &Caller, path: &str, list: &str, field: &str, time: &str) {
    let all = caller.get(path).await.is(200);
    let (all_of, _) = fields(&all, list, field);
    let at = |index: usize| all[list][index][time].as_str().expect("a time").to_owned();
    let (newest, middle, oldest) = (at(0), at(1), at(2));
    for (query, expected) in [
        (format!("from={middle}"), &all_of[..2]),
        (format!("to={middle}"), &all_of[2..]),
        (format!("from={oldest}&to={newest}"), &all_of[1..]),
        (format!("from={middle}&to={newest}"), &all_of[1..2]),
        (format!("from={middle}&to={middle}"), &all_of[..0]),
        ("from=2200-01-01T00:00:00Z".to_owned(), &all_of[..0]),
        ("to=2020-01-01T00:00:00Z".to_owned(), &all_of[..0]),
    ] {
        let page = caller.get(&format!("{path}?{query}")).await.is(200);
        assert_eq!(fields(&page, list, field).0, expected, "{query}");
    }
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let query = format!("{path}?limit=1&from={oldest}&to={newest}{after}");
        let (found, next) = fields(&caller.get(&query).await.is(200), list, field);
        seen.extend(found);
        let Some(next) = next.as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(seen, all_of[1..], "in pages");
    let backwards = format!("{path}?from={newest}&to={oldest}");
    let refused = caller.get(&backwards).await;
    drop(refused.problem(400, "invalid_parameter"));
    let refused = caller.get(&format!("{path}?from=yesterday")).await;
    drop(refused.problem(400, "invalid_time"));
}

/// A proposal belongs to the time when it was made, also if it was decided after the period.
#[tokio::test]
async fn proposals_of_a_period() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let change =
        json!({"change": "adjust", "level": "mega", "account": "reserve", "amount": "1.00"});
    let ids = [
        TwoPeople::new_id(),
        TwoPeople::new_id(),
        TwoPeople::new_id(),
    ];
    for id in &ids {
        drop(both.propose("main", id, &change).await.created());
    }
    for id in &ids[..2] {
        drop(both.approve("main", id).await.created());
    }
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/links/main/proposals";
    asks_for_periods(&aud, path, "proposals", "proposal", "proposed_at").await;
    let all = aud.get(path).await.is(200);
    let second = all["proposals"][1]["proposed_at"].as_str().expect("a time");
    let page = aud.get(&format!("{path}?to={second}")).await.is(200);
    assert_eq!(page["proposals"][0]["state"], "approved", "{}", page.text);
    house.end().await;
}

/// An attempt belongs to the time at which it was refused.
#[tokio::test]
async fn attempts_of_a_period() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    for seat in [2, 3, 4] {
        let other = dealers[0].send_as(1, &coin_in(&[seat])).await;
        drop(other.problem(409, "sequence_reused"));
    }
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/attempts";
    eventually("the attempts are written", async || {
        let page = aud.get(path).await.is(200);
        (fields(&page, "attempts", "attempt").0.len() == 3).then_some(())
    })
    .await;
    asks_for_periods(&aud, path, "attempts", "attempt", "at").await;
    house.end().await;
}
