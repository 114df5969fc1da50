//! The clearing of exceptions: by another person than the one who caused it, once, and in the house's chain.

use meterhouse_engine::verify::verify_house;
use meterhouse_tests::{Answer, Caller, TwoPeople};
use serde_json::json;

use super::{LIST, clear, entries, exceptions, played};

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

/// A reason of spaces alone is none, for an exception as for everything that asks people why.
#[tokio::test]
async fn a_blank_reason_is_refused() {
    let house = played().await;
    let sam = house.supervisor("sam").await.caller;
    let ana = house.manager().await.caller;
    let all = entries(&exceptions(&ana, "").await.is(200));
    for blank in [" ", "   ", "\u{a0}\u{3000}", "\u{200b}"] {
        let refused = clear(&sam, &all[3], blank).await;
        let refused = refused.problem(400, "invalid_value");
        let detail = refused.text("detail");
        let says =
            " is not valid: a text of spaces alone says nothing: write what people should read";
        assert!(
            detail.starts_with("reason: ") && detail.ends_with(says),
            "{detail}"
        );
    }
    let both = house.two_people().await;
    let proposal = TwoPeople::new_id();
    let proposal = format!("/v1/links/main/proposals/{proposal}");
    let change = json!({"change": "adjust", "level": "meter", "account": "meter", "amount": "1.00", "reason": " "});
    for (caller, path, body, field) in [
        (
            &ana,
            "/v1/links/main/suspension",
            json!({"reason": " "}),
            "reason",
        ),
        (
            &ana,
            "/v1/tables/T1/disabled",
            json!({"reason": " "}),
            "reason",
        ),
        (
            &ana,
            "/v1/links/main/levels/meter/disabled",
            json!({"reason": " "}),
            "reason",
        ),
        (&both.one, proposal.as_str(), change, "reason"),
        (
            &sam,
            "/v1/hits/T1.2/validation",
            json!({"decision": "approve", "note": " "}),
            "note",
        ),
        (
            &sam,
            "/v1/hits/T1.2/payouts/1/payment",
            json!({"document": " "}),
            "document",
        ),
        (
            &sam,
            "/v1/slips/1/reprints/1",
            json!({"reason": " "}),
            "reason",
        ),
    ] {
        let refused = caller.put(path, &body).await.problem(400, "invalid_value");
        assert_eq!(refused["fields"], json!({field: " "}), "{path}");
    }
    let signed = "/v1/links/main/closings/2026-11-01/sign-off";
    let refused = sam.post(signed, &json!({"note": " "})).await;
    drop(refused.problem(400, "invalid_value"));
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
        drop(sam.post(&path, &reason).await.problem(status, code));
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
        drop(sam.post(&path, &body).await.problem(400, code));
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
