//! Signed days: one signature a day, the report as it was signed, and what `verify` says of it later.

use meterhouse_api::closing::ClosingReport;
use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_engine::clock::now;
use meterhouse_engine::verify::{verify, verify_closings, verify_house};
use meterhouse_engine::view::Day;
use meterhouse_http::closing_bytes;
use meterhouse_store::NewClosing;
use meterhouse_tests::{Answer, Caller, House};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Row as _;

use super::{back, clear_all, closing, days_ago, played, sign};

/// The differences that `verify` finds at signed days.
async fn findings(house: &House) -> Vec<String> {
    let store = &house.server.store;
    let reports = verify(store, None, true).await.expect("it is read");
    let mut found = Vec::new();
    for mut report in reports {
        report.findings.clear();
        let verified = verify_closings(store, &mut report, closing_bytes).await;
        verified.expect("it is read");
        found.extend(report.findings);
    }
    found.extend(verify_house(store).await.expect("it is read").findings);
    found
}

/// A day is signed once, after its end, when no exception is open. The signature is a repeat for the same person and note.
#[tokio::test]
async fn a_day_is_signed_off() {
    let house = played().await;
    let ana = house.manager().await.caller;
    let note = json!({"note": "slips in the safe"});
    let today = sign(&ana, &days_ago(0), &note).await;
    drop(today.problem(409, "day_not_over"));
    let house = back(house, 1).await;
    let sam = house.supervisor("sam").await.caller;
    let ana = house.manager().await.caller;
    let date = days_ago(1);
    let open = sign(&ana, &date, &note)
        .await
        .problem(409, "exceptions_open");
    assert_eq!(open["fields"]["open"], "1");
    assert_eq!(closing(&ana, &date).await.is(200)["sign_off"], Value::Null);
    clear_all(&sam).await;
    let signed = sign(&ana, &date, &note).await.created();
    let again = sign(&ana, &date, &note).await.is(200);
    assert!(again.replayed());
    assert_eq!(again.text, signed.text);
    assert_eq!(closing(&sam, &date).await.is(200).text, signed.text);
    let of = &signed["sign_off"];
    assert_eq!(
        (&of["by"], &of["note"], &of["matches"], &of["recomputed"]),
        (
            &json!("ana"),
            &json!("slips in the safe"),
            &json!(true),
            &Value::Null
        )
    );
    assert_eq!(signed["report"]["exceptions"][0]["clearance"]["by"], "sam");
    let other = sign(&ana, &date, &json!({}))
        .await
        .problem(409, "request_reused");
    let expected = "signed with slips in the safe, asked with nothing";
    assert_eq!(other["fields"], json!({"note": expected}));
    let other = sign(&sam, &date, &note)
        .await
        .problem(409, "request_reused");
    assert_eq!(
        other["fields"],
        json!({"by": "signed by ana, asked by sam"})
    );
    // The digest is that of the bytes in the database, which are the report of the response.
    let rows = house
        .database
        .rows("SELECT report, encode(sha256(report), 'hex') FROM closing")
        .await;
    let (bytes, digest): (Vec<u8>, String) = (rows[0].get(0), rows[0].get(1));
    assert_eq!(of["sha256"], digest);
    let read: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(read, signed["report"]);
    let bytes = String::from_utf8(bytes).expect("a text");
    assert!(signed.text.contains(&bytes), "the response has these bytes");
    let csv = [("accept", "text/csv")];
    let path = format!("/v1/links/main/closings/{date}");
    let csv = ana.send(Method::GET, &path, &csv, Vec::new()).await.is(200);
    let (first, rows) = csv.text.split_once("\r\n").expect("lines");
    assert!(first.starts_with("link,date,from,to,complete,"), "{first}");
    assert_eq!(rows.matches("slips in the safe").count(), 10, "{rows}");
    for part in ["level", "decrease", "hit", "payment", "exception"] {
        assert!(rows.contains(&format!(",{part},")), "{part}: {rows}");
    }
    let house = house.restart().await;
    let ana = house.manager().await.caller;
    assert!(sign(&ana, &date, &note).await.is(200).replayed());
    house.server.stop().await;
}

/// The report stays as it was signed. What the journal gives later is beside it if it is another one, and `verify` names it.
#[tokio::test]
async fn a_signed_report_stays() {
    let house = back(played().await, 1).await;
    let sam = house.supervisor("sam").await.caller;
    let date = days_ago(1);
    clear_all(&sam).await;
    let signed = sign(&sam, &date, &json!({})).await.created();
    assert_eq!(findings(&house).await, Vec::<String>::new());
    // A superuser raises the meter that the last batch of the day left.
    let last = signed["report"]["to_batch"].as_u64().expect("a batch");
    let raise = |micros: i64| {
        format!("UPDATE batch SET after[3] = after[3] + {micros} WHERE batch = {last}")
    };
    assert_eq!(house.database.tamper(&raise(5_000_000)).await, 1);
    let now = closing(&sam, &date).await.is(200);
    assert_eq!(now["report"], signed["report"]);
    assert_eq!(now["sign_off"]["matches"], false);
    let made = &now["sign_off"]["recomputed"];
    assert_eq!(made["balanced"], false, "{}", now.text);
    assert_eq!(made["levels"][0]["difference"], "5.00");
    let found = findings(&house).await;
    assert!(
        found
            .iter()
            .any(|what| what.contains("differs from the journal")),
        "{found:?}"
    );
    assert_eq!(house.database.tamper(&raise(-5_000_000)).await, 1);
    assert_eq!(findings(&house).await, Vec::<String>::new());
    assert_eq!(closing(&sam, &date).await.is(200).text, signed.text);
    house.server.stop().await;
}

/// A machine whose clock is behind the signature's finds no difference. Here today was signed by a clock that is ahead.
#[tokio::test]
async fn a_clock_that_is_behind_changes_no_day() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    clear_all(&sam).await;
    let made = closing(&sam, &days_ago(0)).await.is(200);
    assert_eq!(made["report"]["complete"], false);
    let mut report: ClosingReport =
        serde_json::from_value(made["report"].clone()).expect("a report");
    report.complete = true;
    let tomorrow = Timestamp(now().0 + 86_400_000_000);
    let signed = NewClosing {
        link: LinkId(1),
        day: Day::of(now()).0,
        actor: ActorId(1),
        at: tomorrow,
        note: None,
        report: serde_json::to_vec(&report).expect("plain"),
    };
    let store = &house.server.store;
    assert!(store.sign_closing(&signed).await.expect("it is signed"));
    assert_eq!(findings(&house).await, Vec::<String>::new());
    let shown = closing(&sam, &days_ago(0)).await.is(200);
    assert_eq!(shown["sign_off"]["matches"], true, "{}", shown.text);

    // A changed one is named by its date.
    let changed = "UPDATE closing SET report = convert_to('{}', 'UTF8')";
    assert_eq!(house.database.tamper(changed).await, 1);
    let found = findings(&house).await.join("\n");
    let date = days_ago(0);
    let of_report = format!("closing: the day {date} differs from the journal");
    assert!(found.contains(&of_report), "{found}");
    assert!(
        found.contains(&format!("closing: day {date} of link 1")),
        "{found}"
    );
    house.server.stop().await;
}

/// CONFORMANCE 57: a signed day can't be changed, and `verify` names the one that a superuser changed.
#[tokio::test]
async fn a_changed_signature_is_named() {
    let house = back(played().await, 1).await;
    let sam = house.supervisor("sam").await.caller;
    clear_all(&sam).await;
    drop(sign(&sam, &days_ago(1), &json!({})).await.created());
    for change in [
        "UPDATE closing SET note = 'x'",
        "DELETE FROM closing",
        "TRUNCATE closing",
    ] {
        let refused = house.database.run_as_application(change).await;
        drop(refused.expect_err("it has no right"));
        let refused = house.database.run_as_superuser(change).await;
        let refused = refused.expect_err("the triggers refuse").to_string();
        assert!(refused.contains("append-only"), "{change}: {refused}");
    }
    let bit = "UPDATE closing SET report = set_byte(report, 9, get_byte(report, 9) # 1)";
    for (change, undone, place) in [
        (bit, bit, "closing: day"),
        (bit, bit, "differs from the journal"),
        (
            "UPDATE closing SET note = 'x'",
            "UPDATE closing SET note = NULL",
            "closing: day",
        ),
        (
            "CREATE TABLE kept AS SELECT * FROM closing; DELETE FROM closing",
            "INSERT INTO closing SELECT * FROM kept",
            "has no such row",
        ),
    ] {
        assert!(house.database.tamper(change).await > 0, "{change}");
        let found = findings(&house).await;
        assert!(
            found.iter().any(|what| what.contains(place)),
            "{change}: {found:?}"
        );
        house.database.tamper(undone).await;
        assert_eq!(
            findings(&house).await,
            Vec::<String>::new(),
            "after {undone}"
        );
    }
    house.server.stop().await;
}

/// Two nodes and several people at once: one signature stays.
#[tokio::test]
async fn one_of_several_signatures_stays() {
    let house = back(played().await, 1).await;
    let other = house.another_server().await;
    let sam = house.supervisor("sam").await.caller;
    clear_all(&sam).await;
    let mut people = Vec::new();
    for name in ["sam-1", "sam-2", "sam-3"] {
        let here = house.supervisor(name).await.caller;
        let token = here.token().to_owned();
        people.push(Caller::nobody(other.base()).with_token(token));
        people.push(here);
    }
    let (date, empty) = (days_ago(1), json!({}));
    let asked = people.iter().map(|person| sign(person, &date, &empty));
    let answers = futures_util::future::join_all(asked).await;
    let first: Vec<&Answer> = answers
        .iter()
        .filter(|answer| answer.status == 201)
        .collect();
    let [first] = &first[..] else {
        panic!("{answers:?}")
    };
    for answer in &answers {
        match answer.status {
            200 | 201 => assert_eq!(answer["sign_off"]["by"], first["sign_off"]["by"]),
            _ => assert_eq!(answer.code(), "request_reused", "{}", answer.text),
        }
    }
    assert_eq!(findings(&house).await, Vec::<String>::new());
    other.stop().await;
    house.server.stop().await;
}
