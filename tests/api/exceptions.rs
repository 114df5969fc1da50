//! Exceptions of a link: each is found in the journal, stays open until another person clears it, and is then in the
//! house's chain.

use meterhouse_engine::verify::verify_house;
use meterhouse_tests::{
    Answer, CHARGED_TO_METER, Caller, Dealer, FIVE_CARD_C, HAND_BONUS, House, Watch, eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

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

/// Posts a body to a path.
async fn post(caller: &Caller, path: &str, body: &Value) -> Answer {
    let json = [("content-type", "application/json")];
    let sent = body.to_string().into_bytes();
    caller.send(Method::POST, path, &json, sent).await
}

/// Clears an exception.
async fn clear(caller: &Caller, exception: &Value, reason: &str) -> Answer {
    let position = exception["position"].as_str().expect("a position");
    let path = format!("{LIST}/{}/clearance", position.replace('.', "/"));
    post(caller, &path, &json!({"reason": reason})).await
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

/// Another person clears an exception with a reason, once: the same again is a repeat, and other content is refused.
#[tokio::test]
async fn an_exception_is_cleared_once() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    let ana = house.manager().await.caller;
    let all = entries(&exceptions(&ana, "").await.is(200));
    let counted = &all[3];
    let cleared = clear(&sam, counted, "counted again: two").await.created();
    assert_eq!(cleared["position"], counted["position"]);
    assert_eq!((cleared.text("by"), cleared.text("link")), ("sam", "main"));
    let again = clear(&sam, counted, "counted again: two").await.is(200);
    assert!(again.replayed());
    assert_eq!(again.text, cleared.text);
    let other = clear(&sam, counted, "something else").await;
    let other = other.problem(409, "request_reused");
    assert_eq!(
        other["fields"]["reason"],
        "cleared counted again: two, asked something else"
    );
    let other = clear(&ana, counted, "counted again: two").await;
    assert_eq!(
        other.problem(409, "request_reused")["fields"]["by"],
        "cleared sam, asked ana"
    );
    let open = entries(&exceptions(&ana, "?cleared=false").await.is(200));
    assert_eq!(open, all[..3]);
    let page = exceptions(&ana, "?cleared=true").await.is(200);
    let expected = json!({"by": "sam", "at": cleared["at"], "reason": "counted again: two"});
    assert_eq!(entries(&page).len(), 1);
    assert_eq!(entries(&page)[0]["clearance"], expected, "{}", page.text);
    // A restart and another node know it.
    let house = house.restart().await;
    let sam = house.supervisor("sam").await.caller;
    assert!(
        clear(&sam, counted, "counted again: two")
            .await
            .is(200)
            .replayed()
    );
    house.server.stop().await;
}

/// Nobody clears what he caused: as the dealer of the count, or as one of two people.
#[tokio::test]
async fn nobody_clears_his_own_exception() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    let all = entries(&exceptions(&sam, "").await.is(200));
    let both = house.two_people().await;
    for (who, name, exception) in [
        (&sam, "sam", &all[2]),
        (&both.one, "pat", &all[1]),
        (&both.other, "gil", &all[1]),
    ] {
        let refused = clear(who, exception, "all is well").await;
        let refused = refused.problem(422, "caused_by_caller");
        assert_eq!(refused["fields"]["by"], name);
    }
    let open = entries(&exceptions(&sam, "?cleared=false").await.is(200));
    assert_eq!(open, all);
    drop(
        clear(&both.one, &all[2], "the dealer was counted twice")
            .await
            .created(),
    );
    drop(clear(&sam, &all[1], "seen in the proposal").await.created());
    drop(
        clear(&sam, &all[0], "the database was mended")
            .await
            .created(),
    );
    house.server.stop().await;
}

/// Who has no right to it, what is no exception, and what is no request.
#[tokio::test]
async fn what_is_refused() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    let all = entries(&exceptions(&sam, "").await.is(200));
    let aud = house.person("aud", "auditor").await;
    let cash = house.with_rights("cash", "supervisor", "pay").await;
    let nobody = house.nobody();
    drop(clear(&aud, &all[3], "seen").await.problem(403, "forbidden"));
    let refused = clear(&cash, &all[3], "seen")
        .await
        .problem(403, "forbidden");
    assert_eq!(refused["fields"]["right"], "close");
    let refused = clear(&nobody, &all[3], "seen").await;
    drop(refused.problem(401, "unauthenticated"));
    drop(
        exceptions(&nobody, "")
            .await
            .problem(401, "unauthenticated"),
    );
    let reason = json!({"reason": "seen"});
    for (place, status, code) in [
        ("1/0", 404, "unknown_exception"),
        ("1/1", 404, "unknown_exception"),
        ("999999/0", 404, "unknown_exception"),
        ("0/0", 400, "invalid_parameter"),
        ("x/0", 400, "invalid_parameter"),
        ("1/-1", 400, "invalid_parameter"),
        ("9223372036854775808/0", 400, "invalid_parameter"),
        ("1/2147483648", 400, "invalid_parameter"),
    ] {
        let path = format!("{LIST}/{place}/clearance");
        drop(post(&sam, &path, &reason).await.problem(status, code));
    }
    let place = all[3]["position"].as_str().expect("a position");
    let path = format!("{LIST}/{}/clearance", place.replace('.', "/"));
    for (body, code) in [
        (json!({}), "malformed_body"),
        (json!({"reason": ""}), "invalid_value"),
        (json!({"reason": "a\u{0}b"}), "invalid_value"),
        (json!({"reason": "x".repeat(257)}), "invalid_value"),
        (json!({"reason": 1}), "invalid_value"),
        (json!({"reason": "seen", "by": "pat"}), "unknown_field"),
    ] {
        drop(post(&sam, &path, &body).await.problem(400, code));
    }
    for query in [
        "?cleared=maybe",
        "?limit=201",
        "?limit=0",
        "?after=x",
        "?day=1",
    ] {
        let refused = exceptions(&sam, query).await;
        drop(refused.problem(400, "invalid_parameter"));
    }
    let missing = sam.get("/v1/links/none/exceptions").await;
    drop(missing.problem(404, "unknown_link"));
    house.server.stop().await;
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

/// CONFORMANCE 57: a clearance stays as it was given. The application can't change it, and `verify` names what a superuser
/// changed, added or took away.
#[tokio::test]
async fn a_changed_clearance_is_named() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    let all = entries(&exceptions(&sam, "").await.is(200));
    drop(clear(&sam, &all[3], "counted again: two").await.created());
    for change in [
        "UPDATE exception_clearance SET reason = 'x'",
        "DELETE FROM exception_clearance",
        "TRUNCATE exception_clearance",
    ] {
        let refused = house.database.run_as_application(change).await;
        drop(refused.expect_err("it has no right"));
        let refused = house.database.run_as_superuser(change).await;
        let refused = refused.expect_err("the triggers refuse").to_string();
        assert!(refused.contains("append-only"), "{change}: {refused}");
    }
    let findings = async || {
        let report = verify_house(&house.server.store).await.expect("it is read");
        (report.findings, report.clearances)
    };
    assert_eq!(findings().await, (Vec::new(), 1));
    let position = all[3]["position"].as_str().expect("a position");
    for (change, back, place) in [
        (
            "UPDATE exception_clearance SET reason = 'x'",
            "UPDATE exception_clearance SET reason = 'counted again: two'",
            format!("exception_clearance: {position}"),
        ),
        (
            "UPDATE exception_clearance SET actor_id = actor_id - 1",
            "UPDATE exception_clearance SET actor_id = actor_id + 1",
            format!("exception_clearance: {position}"),
        ),
        (
            "INSERT INTO exception_clearance VALUES (1, 1, 0, 1, 1, 'x')",
            "DELETE FROM exception_clearance WHERE batch = 1",
            "exception_clearance: 1.0".to_owned(),
        ),
        (
            "CREATE TABLE kept AS SELECT * FROM exception_clearance; DELETE FROM exception_clearance",
            "INSERT INTO exception_clearance SELECT * FROM kept",
            "has no such row".to_owned(),
        ),
    ] {
        assert!(house.database.tamper(change).await > 0, "{change}");
        let (found, _) = findings().await;
        assert!(
            found.iter().any(|what| what.contains(&place)),
            "{change}: {found:?}"
        );
        house.database.tamper(back).await;
        assert_eq!(findings().await, (Vec::new(), 1), "after {back}");
    }
    house.server.stop().await;
}

/// Two nodes and several people at once: one clearance stays, and everybody is told whose.
#[tokio::test]
async fn one_of_several_clearances_stays() {
    let house = played().await;
    let other = house.another_server().await;
    let mut people = Vec::new();
    for name in ["sam-1", "sam-2", "sam-3", "sam-4"] {
        let here = house.supervisor(name).await.caller;
        let token = here.token().to_owned();
        people.push(Caller::nobody(other.base()).with_token(token));
        people.push(here);
    }
    let all = entries(&exceptions(&people[0], "").await.is(200));
    let asked = people.iter().map(|person| clear(person, &all[3], "seen"));
    let answers = futures_util::future::join_all(asked).await;
    let first: Vec<&Answer> = answers
        .iter()
        .filter(|answer| answer.status == 201)
        .collect();
    let [first] = &first[..] else {
        panic!("{answers:?}")
    };
    let by = first.text("by");
    for answer in &answers {
        match answer.status {
            200 | 201 => assert_eq!(answer.text("by"), by),
            _ => assert_eq!(answer.code(), "request_reused", "{}", answer.text),
        }
    }
    let report = verify_house(&house.server.store).await.expect("it is read");
    assert_eq!((report.findings, report.clearances), (Vec::new(), 1));
    other.stop().await;
    house.server.stop().await;
}
