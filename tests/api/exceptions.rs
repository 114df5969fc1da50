//! Exceptions of a link: each is found in the journal, and is listed with its place and what differed.

use meterhouse_tests::{
    Answer, CHARGED_TO_METER, Caller, Dealer, FIVE_CARD_C, HAND_BONUS, House, Watch, eventually,
};
use serde_json::{Value, json};

mod clearing;

const LIST: &str = "/v1/links/main/exceptions";

async fn exceptions(caller: &Caller, query: &str) -> Answer {
    caller.get(&format!("{LIST}{query}")).await
}

fn entries(page: &Answer) -> Vec<Value> {
    page["exceptions"].as_array().expect("exceptions").clone()
}

/// The fields of an exception that are not null, without position and times.
fn said(entry: &Value) -> Value {
    let mut entry = entry.clone();
    let fields = entry.as_object_mut().expect("an exception");
    for field in ["position", "at", "heard_at", "proposal"] {
        fields.remove(field);
    }
    fields.retain(|_, value| !value.is_null());
    entry
}

/// Clears an exception.
async fn clear(caller: &Caller, exception: &Value, reason: &str) -> Answer {
    let position = exception["position"].as_str().expect("a position");
    let path = format!("{LIST}/{}/clearance", position.replace('.', "/"));
    caller.post(&path, &json!({"reason": reason})).await
}

/// The dealer counts this number of chips in a round of two wagers.
async fn counts(dealer: &Dealer, chips: u32, by: Option<&str>) {
    drop(dealer.coin_in(&[1, 2]).await.created());
    let mut count = json!({"command": "count", "chips": chips});
    if let Some(by) = by {
        count["by"] = json!(by);
    }
    drop(dealer.send(&count).await.created());
    drop(dealer.close().await.created());
}

/// A house with four exceptions, oldest first: two counts that differ, a meter lowered below its restart, and a fault.
async fn played() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    counts(dealer, 2, None).await;
    counts(dealer, 3, None).await;
    counts(dealer, 0, Some("Sam")).await;
    let both = house.two_people().await;
    drop(both.adjust("main", "mega", "meter", "1.00").await);
    drop(both.adjust("main", "mega", "meter", "-0.50").await);
    drop(both.adjust("main", "mega", "meter", "-1.50").await);
    drop(both.adjust("main", "mega", "reserve", "1.00").await);
    house.fault("main", dealer).await;
    house
}

/// CONFORMANCE 8: each exception is listed with its place and what differed, newest first. What is in order is not listed.
#[tokio::test]
async fn each_exception_is_listed() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let page = exceptions(&aud, "").await.is(200);
    let found = entries(&page);
    let told: Vec<Value> = found.iter().map(said).collect();
    let expected = [
        json!({"kind": "link_faulted", "reason": told[0]["reason"]}),
        json!({"kind": "meter_short", "by": "gil", "level": "mega", "short": "0.46"}),
        json!({"kind": "count_differs", "by": "Sam", "table": "T1", "counted": 0, "accepted": 2}),
        json!({"kind": "count_differs", "table": "T1", "counted": 3, "accepted": 2}),
    ];
    assert_eq!(told, expected, "{}", page.text);
    assert!(told[0]["reason"].is_string(), "{}", page.text);
    assert!(found[1]["proposal"].is_string());
    assert_eq!(
        (&page["more"], &page["next"]),
        (&json!(false), &Value::Null)
    );
    // The place is that of the journal's entry.
    let position = found[3]["position"].as_str().expect("a position");
    let (batch, _) = position.split_once('.').expect("two numbers");
    let before: u64 = batch.parse().expect("a number");
    let query = format!("?after={}&limit=1", before - 1);
    let journal = house.manager().await.journal("main", &query).await.is(200);
    let entry = &journal["entries"][0];
    assert_eq!(entry["position"], found[3]["position"], "{}", journal.text);
    assert_eq!(entry["at"], found[3]["at"]);
    house.server.stop().await;
}

/// The house pays what a meter lacks: that is a short meter, of a hit of play and of its cancellation no more.
#[tokio::test]
async fn a_meter_that_is_too_small() {
    let (house, dealers) = House::playing(CHARGED_TO_METER, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
    drop(dealer.cancel(2).await.created());
    let aud = house.person("aud", "auditor").await;
    let none = exceptions(&aud, "").await.is(200);
    assert_eq!(entries(&none), Vec::<Value>::new(), "the meter has enough");
    house.set_meter("3200.40").await;
    drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
    drop(dealer.cancel(4).await.created());
    let told: Vec<Value> = entries(&exceptions(&aud, "").await.is(200));
    let told: Vec<Value> = told.iter().map(said).collect();
    let expected = [
        json!({"kind": "meter_short", "by": "d-12", "table": "T1", "level": "meter", "hit": "T1.4", "short": "1799.60"}),
        json!({"kind": "meter_short", "by": "gil", "level": "meter", "short": "6799.60"}),
    ];
    assert_eq!(told, expected);
    house.end().await;
}

/// RULES figures E and C: a percentage may leave a meter below its restart, and a level that restarts at nothing can't be
/// lowered below it.
#[tokio::test]
async fn a_meter_that_percentages_took_from() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    house.set_meter("100.00").await;
    house.set_meter("50.00").await;
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let aud = house.person("aud", "auditor").await;
    assert_eq!(
        entries(&exceptions(&aud, "").await.is(200)),
        Vec::<Value>::new()
    );
    house.end().await;
}

/// CONFORMANCE 46: a lost table is an exception, its return is none.
#[tokio::test]
async fn a_lost_table() {
    let house = House::watching(Watch::Close).await;
    let settings = json!({"silence_seconds_max": 2});
    let dealers = house.link_with(FIVE_CARD_C, &settings, &["T1"]).await;
    drop(dealers[0].heartbeat().await.is(200));
    let aud = house.person("aud", "auditor").await;
    let page = eventually("the table is lost", async || {
        let page = exceptions(&aud, "").await.is(200);
        (!entries(&page).is_empty()).then_some(page)
    })
    .await;
    drop(dealers[0].heartbeat().await.is(200));
    let found = &entries(&page)[0];
    assert_eq!(said(found), json!({"kind": "table_lost", "table": "T1"}));
    assert!(found["heard_at"].as_str() < found["at"].as_str());
    let ana = house.manager().await.caller;
    drop(
        clear(&ana, found, "the table was shut for the night")
            .await
            .created(),
    );
    house.end().await;
}

/// A period has its start and not its end, and pages have every exception once.
#[tokio::test]
async fn periods_and_pages() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let all = entries(&exceptions(&aud, "").await.is(200));
    let at = |index: usize| all[index]["at"].as_str().expect("a time").to_owned();
    for (query, expected) in [
        (format!("?from={}", at(1)), &all[..2]),
        (format!("?to={}", at(1)), &all[2..]),
        (format!("?from={}&to={}", at(2), at(1)), &all[2..3]),
        (format!("?from={}&to={}", at(1), at(1)), &all[..0]),
        ("?to=2020-01-01T00:00:00Z".to_owned(), &all[..0]),
    ] {
        let page = exceptions(&aud, &query).await.is(200);
        assert_eq!(entries(&page), expected, "{query}");
    }
    let backwards = format!("?from={}&to={}", at(0), at(3));
    drop(
        exceptions(&aud, &backwards)
            .await
            .problem(400, "invalid_parameter"),
    );
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let query = format!("?limit=1{after}");
        let page = exceptions(&aud, &query).await.is(200);
        seen.extend(entries(&page));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(seen, all);
    house.server.stop().await;
}
