//! Slips of payouts: numbers without a gap, prints again, and what `verify` says of changed rows.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use meterhouse_engine::verify::verify_house;
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_A, House, Supervisor};
use reqwest::Method;
use serde_json::{Value, json};

/// Tables with a validated royal or straight flush each, and the hits.
pub(crate) async fn with_hits(tables: &[&str]) -> (House, Vec<Dealer>, Supervisor, Vec<String>) {
    let (house, dealers) = House::playing(FIVE_CARD_A, tables).await;
    let sam = house.supervisor("sam").await;
    let mut hits = Vec::new();
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(2, "straight-flush").await.created());
        let hit = dealer.named(dealer.next() - 1);
        drop(sam.approve(&hit).await.created());
        hits.push(hit);
    }
    (house, dealers, sam, hits)
}

/// The number of a slip.
pub(crate) fn number(slip: &Answer) -> u64 {
    slip["slip"].as_u64().expect("a number")
}

/// What `verify` finds in the house's chain and its rows.
async fn findings(house: &House) -> Vec<String> {
    let report = verify_house(&house.server.store).await;
    report.expect("the chain can be read").findings
}

#[tokio::test]
async fn a_slip_says_what_was_decided() {
    let (house, dealers, sam, hits) = with_hits(&["T1"]).await;
    let hit = &hits[0];
    let made = sam.make_slip(hit, 1).await.created();
    let shown = sam.hit(hit).await.is(200);
    for (member, expected) in [
        ("slip", json!(1)),
        ("made_by", json!("sam")),
        ("link", json!("main")),
        ("table", json!("T1")),
        ("hit", json!(hit)),
        ("hand", json!("straight-flush")),
        ("seat", json!(2)),
        ("percent", json!(10)),
        ("amount", shown["payouts"][0]["amount"].clone()),
        ("keyed_by", json!("d-12")),
        ("validated_by", json!("sam")),
        ("replaces", Value::Null),
        ("reprints", json!([])),
    ] {
        assert_eq!(made[member], expected, "{member}");
    }
    // Asking again gives the same slip, also to another person, and after it was paid.
    let again = sam.make_slip(hit, 1).await.is(200);
    assert!(again.replayed());
    assert_eq!(again.body, made.body);
    drop(sam.pay(hit, 1, "JP-1").await.created());
    drop(dealers[0].close().await.created());
    let kim = house.supervisor("kim").await;
    assert_eq!(kim.make_slip(hit, 1).await.is(200).body, made.body);
    assert_eq!(sam.caller.get("/v1/slips/1").await.is(200).body, made.body);
    assert_eq!(findings(&house).await, [""; 0]);
    house.end().await;
}

#[tokio::test]
async fn what_has_no_slip() {
    let (house, dealers, sam, hits) = with_hits(&["T1", "T2"]).await;
    let t2 = &dealers[1];
    let pending = t2.named(t2.next());
    drop(t2.hit_unseen(1, "four-of-a-kind").await.created());
    for (hit, payout, status, code) in [
        ("T1.99", 1, 404, "unknown_hit"),
        ("T9.1", 1, 404, "unknown_hit"),
        (hits[0].as_str(), 9, 422, "no_such_payout"),
        (pending.as_str(), 1, 422, "not_paid_by_slip"),
    ] {
        drop(sam.make_slip(hit, payout).await.problem(status, code));
    }
    drop(t2.cancel(t2.next() - 1).await.created());
    drop(dealers[0].close().await.problem(422, "hit_unsettled"));
    // What was paid without a slip gets none: a second paper could be cashed.
    drop(sam.pay("T1.2", 1, "FORM-9").await.created());
    let told = sam.make_slip("T1.2", 1).await.problem(422, "hit_paid");
    assert_eq!(told["fields"]["payout"], "1");
    let told = sam
        .caller
        .put_text("/v1/hits/T1.2/payouts/0/slip", "")
        .await;
    drop(told.problem(400, "invalid_sequence"));
    for path in ["/v1/slips/1", "/v1/slips/9223372036854775807"] {
        drop(sam.caller.get(path).await.problem(404, "unknown_slip"));
    }
    for path in [
        "/v1/slips/0",
        "/v1/slips/x",
        "/v1/slips?limit=201",
        "/v1/slips?from=2026-11-25T00:00:00Z&to=2026-11-24T00:00:00Z",
    ] {
        drop(sam.caller.get(path).await.problem(400, "invalid_parameter"));
    }
    let told = sam.caller.get("/v1/slips?from=now").await;
    drop(told.problem(400, "invalid_time"));
    drop(sam.reprint(1, 1, "jam").await.problem(404, "unknown_slip"));
    house.end().await;
}

/// Two nodes, and every slip asked for at both: each payout gets one slip, and the numbers have no gap.
#[tokio::test]
async fn two_nodes_make_numbers_without_a_gap() {
    let tables = ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8"];
    let (house, _dealers, sam, hits) = with_hits(&tables).await;
    let another = house.another_server().await;
    let there = Supervisor {
        caller: sam.caller.at(another.base()),
    };
    let asked = hits.iter().flat_map(|hit| [(&sam, hit), (&there, hit)]);
    let told = join_all(asked.map(|(sam, hit)| sam.make_slip(hit, 1))).await;
    let made: Vec<&Answer> = told.iter().filter(|told| told.status == 201).collect();
    assert_eq!(made.len(), hits.len());
    let numbers: BTreeSet<u64> = made.iter().map(|slip| number(slip)).collect();
    assert_eq!(numbers, (1..=8).collect());
    for both in told.chunks(2) {
        assert_eq!(both[0].body, both[1].body);
    }
    // Reprints at both nodes: each number once.
    let asked = [
        (&sam, "one"),
        (&there, "two"),
        (&sam, "three"),
        (&there, "four"),
    ];
    let told = join_all(asked.map(|(sam, why)| sam.reprint(1, 1, why))).await;
    let made = told.iter().filter(|told| told.status == 201).count();
    let reused = told.iter().filter(|told| told.code() == "request_reused");
    assert_eq!((made, reused.count()), (1, 3));
    assert_eq!(findings(&house).await, [""; 0]);
    another.stop().await;
    house.end().await;
}

/// A transaction that fails behind the counter gives the number back.
#[tokio::test]
async fn a_failure_uses_no_number() {
    let (house, _dealers, sam, hits) = with_hits(&["T1", "T2"]).await;
    assert_eq!(number(&sam.make_slip(&hits[0], 1).await.created()), 1);
    let change = |what: &str| {
        let sql = format!(
            "{what} house_chain {} meterhouse_app",
            if what.starts_with('R') { "FROM" } else { "TO" }
        );
        let database = &house.database;
        async move { database.run_as_superuser(&sql).await.expect("it is done") }
    };
    let _: u64 = change("REVOKE INSERT ON").await;
    let told = sam.make_slip(&hits[1], 1).await;
    assert!(told.status >= 500, "{}", told.text);
    let told = sam.reprint(1, 1, "jam").await;
    assert!(told.status >= 500, "{}", told.text);
    let _: u64 = change("GRANT INSERT ON").await;
    let listed = sam.caller.get("/v1/slips").await.is(200);
    assert_eq!(listed["slips"].as_array().expect("slips").len(), 1);
    assert_eq!(listed["slips"][0]["reprints"], json!([]));
    assert_eq!(number(&sam.make_slip(&hits[1], 1).await.created()), 2);
    drop(sam.reprint(1, 1, "jam").await.created());
    assert_eq!(findings(&house).await, [""; 0]);
    house.end().await;
}

/// A further print is marked: its number, who, when and why.
#[tokio::test]
async fn a_second_print_is_a_reprint() {
    let (house, _dealers, sam, hits) = with_hits(&["T1"]).await;
    drop(sam.make_slip(&hits[0], 1).await.created());
    let told = sam
        .reprint(1, 1, "the printer jammed \u{2014} twice")
        .await
        .created();
    let reprint = &told["reprints"][0];
    assert_eq!(reprint["number"], 1);
    assert_eq!(reprint["by"], "sam");
    assert_eq!(reprint["reason"], "the printer jammed \u{2014} twice");
    let again = sam
        .reprint(1, 1, "the printer jammed \u{2014} twice")
        .await
        .is(200);
    assert!(again.replayed());
    let told = sam.reprint(1, 1, "another").await;
    drop(told.problem(409, "request_reused"));
    let told = sam
        .reprint(1, 3, "ahead")
        .await
        .problem(422, "out_of_range");
    assert_eq!(told["fields"]["next"], "2");
    drop(sam.reprint(1, 2, "lost").await.created());
    for reason in ["", "a\nb", &"x".repeat(257)] {
        let told = sam.reprint(1, 3, reason).await;
        assert_eq!(told.status, 400, "{}", told.text);
    }
    assert_eq!(findings(&house).await, [""; 0]);
    house.end().await;
}

#[tokio::test]
async fn slips_are_listed_by_time() {
    let (house, _dealers, sam, hits) = with_hits(&["T1", "T2", "T3"]).await;
    let mut times = Vec::new();
    for hit in &hits {
        times.push(sam.make_slip(hit, 1).await.created().text("at").to_owned());
    }
    let numbers = async |query: &str| {
        let told = sam.caller.get(&format!("/v1/slips{query}")).await.is(200);
        let slips = told["slips"].as_array().expect("slips").iter();
        let numbers: Vec<u64> = slips.filter_map(|slip| slip["slip"].as_u64()).collect();
        (numbers, told["next"].clone())
    };
    assert_eq!(numbers("").await, (vec![1, 2, 3], Value::Null));
    assert_eq!(numbers("?limit=2").await, (vec![1, 2], json!(2)));
    assert_eq!(numbers("?limit=2&after=2").await, (vec![3], Value::Null));
    let (from, to) = (&times[1], &times[2]);
    assert_eq!(numbers(&format!("?from={from}&to={to}")).await.0, [2]);
    assert_eq!(numbers(&format!("?to={from}")).await.0, [1]);
    house.end().await;
}

/// A changed, added or removed row is found, and so is a counter that was set back.
#[tokio::test]
async fn changed_slips_are_named() {
    let (house, _dealers, sam, hits) = with_hits(&["T1", "T2", "T3"]).await;
    for hit in &hits {
        drop(sam.make_slip(hit, 1).await.created());
    }
    drop(sam.reprint(2, 1, "jam").await.created());
    for (place, change, back) in [
        (
            "slip: 2 differs",
            "UPDATE slip SET amount = amount + 10000 WHERE number = 2",
            "UPDATE slip SET amount = amount - 10000 WHERE number = 2",
        ),
        (
            "slip: 1 differs",
            "UPDATE slip SET decided_by = 'kim' WHERE number = 1",
            "UPDATE slip SET decided_by = 'sam' WHERE number = 1",
        ),
        (
            "slip_reprint: 1 of slip 2 differs",
            "UPDATE slip_reprint SET reason = 'lost' WHERE number = 2",
            "UPDATE slip_reprint SET reason = 'jam' WHERE number = 2",
        ),
        (
            "slip: the newest is 2, and 3 were counted",
            "CREATE TABLE kept AS TABLE slip; DELETE FROM slip WHERE number = 3",
            "INSERT INTO slip SELECT * FROM kept WHERE number = 3; DROP TABLE kept",
        ),
        (
            "slip: number 1 is missing",
            "CREATE TABLE kept AS TABLE slip; DELETE FROM slip WHERE number = 1",
            "INSERT INTO slip SELECT * FROM kept WHERE number = 1; DROP TABLE kept",
        ),
    ] {
        assert!(house.database.tamper(change).await > 0, "{change}");
        let found = findings(&house).await;
        let is_found = found.iter().any(|what| what.contains(place));
        assert!(is_found, "{place}: {found:?}");
        let _: u64 = house.database.tamper(back).await;
        assert_eq!(findings(&house).await, [""; 0], "after {back}");
    }
    for sql in [
        "UPDATE slip SET amount = 1",
        "DELETE FROM slip",
        "TRUNCATE slip CASCADE",
        "UPDATE slip_counter SET last = 0",
        "UPDATE slip_counter SET last = last + 2",
        "DELETE FROM slip_counter",
        "UPDATE slip_reprint SET reason = 'x'",
    ] {
        assert!(
            house.database.run_as_application(sql).await.is_err(),
            "{sql}"
        );
        assert!(house.database.run_as_superuser(sql).await.is_err(), "{sql}");
    }
    house.end().await;
}

/// Returns a printed page of a request, by its status.
async fn page(sam: &Supervisor, method: Method, path: &str, body: &Value, status: u16) -> Answer {
    let headers = [
        ("accept", "application/pdf"),
        ("content-type", "application/json"),
    ];
    let body = if body.is_null() {
        Vec::new()
    } else {
        body.to_string().into_bytes()
    };
    let told = sam
        .caller
        .send(method, path, &headers, body)
        .await
        .is(status);
    assert_eq!(told.headers["content-type"], "application/pdf");
    assert_eq!(told.headers["vary"], "Accept");
    assert!(told.text.starts_with("%PDF-"), "{}", told.text);
    told
}

/// The payoff report of a hit is a page as well.
async fn payoff_is_printed(sam: &Supervisor, hit: &str) {
    let path = format!("/v1/hits/{hit}/payoff");
    let payoff = page(sam, Method::GET, &path, &Value::Null, 200).await;
    for part in [
        &format!("(PAYOFF OF HIT {hit}) Tj"),
        "from 2 wagers",
        "$ 1000.04",
    ] {
        assert!(payoff.text.contains(part), "{part}: {}", payoff.text);
    }
}

/// The first page is the slip. Every other one says that it is a reprint or a copy.
#[tokio::test]
async fn a_slip_is_printed_once() {
    let (house, _dealers, sam, hits) = with_hits(&["T1"]).await;
    let slip = format!("/v1/hits/{}/payouts/1/slip", hits[0]);
    let (put, get, none) = (Method::PUT, Method::GET, Value::Null);
    let first = page(&sam, put.clone(), &slip, &none, 201).await;
    let disposition = first.headers["content-disposition"]
        .to_str()
        .expect("a text");
    assert_eq!(disposition, "inline; filename=\"slip-1.pdf\"");
    for part in [
        "(JACKPOT SLIP 1) Tj",
        "$ 1000.04",
        "straight-flush, 10% of meter",
        "by d-12",
        "page 1 of 1",
    ] {
        assert!(first.text.contains(part), "{part}: {}", first.text);
    }
    for mark in ["COPY", "REPRINT", "VOID"] {
        assert!(!first.text.contains(mark), "{mark}: {}", first.text);
    }
    let again = page(&sam, put.clone(), &slip, &none, 200).await;
    let read = page(&sam, get, "/v1/slips/1", &none, 200).await;
    let reprint = "/v1/slips/1/reprints/1";
    let reason = json!({"reason": "toner \u{4e8c}"});
    let printed = page(&sam, put.clone(), reprint, &reason, 201).await;
    let reprinted = page(&sam, put, reprint, &reason, 200).await;
    for copy in [&again, &read, &reprinted] {
        let mark = "(COPY OF SLIP 1: NO PAYMENT) Tj";
        assert!(copy.text.contains(mark), "{}", copy.text);
    }
    for part in [
        "(REPRINT 1 OF SLIP 1) Tj",
        " by sam) Tj",
        "toner \\\\u{4e8c}) Tj",
    ] {
        assert!(printed.text.contains(part), "{part}: {}", printed.text);
    }
    assert!(!printed.text.contains("PAID SINCE"), "{}", printed.text);
    drop(sam.pay(&hits[0], 1, "JP-7").await.created());
    let late = page(&sam, Method::PUT, "/v1/slips/1/reprints/2", &reason, 201).await;
    for part in [
        "(REPRINT 2 OF SLIP 1) Tj",
        "(PAID SINCE: NO PAYMENT) Tj",
        " by sam, document JP-7) Tj",
    ] {
        assert!(late.text.contains(part), "{part}: {}", late.text);
    }
    let copy = page(&sam, Method::GET, "/v1/slips/1", &none, 200).await;
    assert!(copy.text.contains("PAID SINCE"), "{}", copy.text);
    payoff_is_printed(&sam, &hits[0]).await;
    // JSON wins a tie, and a problem is JSON.
    let headers = [("accept", "application/pdf, application/json")];
    let told = sam
        .caller
        .send(Method::GET, "/v1/slips/1", &headers, Vec::new())
        .await;
    assert_eq!(told.is(200)["slip"], 1);
    let headers = [("accept", "application/pdf")];
    let told = sam
        .caller
        .send(Method::GET, "/v1/slips/2", &headers, Vec::new())
        .await;
    drop(told.problem(404, "unknown_slip"));
    house.end().await;
}
