//! The document that the server gives: every path and method in it is there, and what is there is in it.

use meterhouse_tests::{FIVE_CARD_C, House};
use reqwest::Method;
use serde_json::Value;

/// Hash of an endpoint that no browser has.
const SUBSCRIPTION: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A path of the document with something in the place of each parameter.
fn filled(path: &str) -> String {
    let values = [
        ("{table}", "T1"),
        ("{link}", "main"),
        ("{level}", "mega"),
        ("{sequence}", "1"),
        ("{hit}", "T1.1"),
        ("{payout}", "1"),
        ("{slip}", "1"),
        ("{reprint}", "1"),
        ("{paytable}", FIVE_CARD_C),
        ("{game}", "crazy-4-poker"),
        ("{batch}", "1"),
        ("{position}", "0"),
        ("{screen}", "pit-1-north"),
        ("{date}", "2026-01-01"),
        ("{subscription}", SUBSCRIPTION),
    ];
    values.iter().fold(path.to_owned(), |path, (name, value)| {
        path.replace(name, value)
    })
}

/// Every documented path and method answers as what it is, not as what nobody knows.
#[tokio::test]
async fn what_is_documented_is_there() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    let document = nobody.get("/openapi.json").await.is(200);
    assert!(document.text("openapi").starts_with("3.1"));
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 15, "{} paths", paths.len());
    let mut operations = 0;
    for (path, item) in paths {
        let documented = item.as_object().expect("operations");
        for method in ["get", "put", "post", "delete", "patch"] {
            let asked = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            let answer = nobody.send(asked, &filled(path), &[], Vec::new()).await;
            if let Some(operation) = documented.get(method) {
                operations += 1;
                assert!(
                    !matches!(answer.code(), "not_found" | "method_not_allowed"),
                    "{}",
                    answer.asked
                );
                let responses = operation["responses"].as_object().expect("responses");
                let mut security = operation["security"].as_array().into_iter().flatten();
                let is_public = security.any(|way| way == &serde_json::json!({}));
                assert_eq!(
                    answer.status != 401,
                    is_public,
                    "{}: {}",
                    answer.asked,
                    answer.text
                );
                let status = answer.status.to_string();
                assert!(
                    responses.contains_key(&status),
                    "{}: {status} is not documented",
                    answer.asked
                );
            } else {
                drop(answer.problem(405, "method_not_allowed"));
            }
        }
    }
    assert_eq!(operations, 108, "an operation came or went");
    house.end().await;
}

/// The example of each request is one that the server reads.
#[tokio::test]
async fn every_example_is_read() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let document = house.nobody().get("/openapi.json").await.is(200);
    let manager = house.manager().await.caller;
    let both = house.two_people().await;
    let sam = house.supervisor("sam").await;
    let root = house.person("root", "administrator").await;
    let other_house = house.person("casino-b", "witnessed").await;
    let display = house.person("sign", "display").await;
    // The examples end this person's access, and nobody else's.
    drop(house.person("kim", "auditor").await);
    let mut examples = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let body = &operation["requestBody"]["content"]["application/json"];
            if body.is_null() {
                continue;
            }
            let caller = match path.as_str() {
                path if path.contains("/commands/") || path.contains("heartbeat") => {
                    &dealers[0].caller
                }
                path if path.contains("/proposals/") => &both.one,
                path if path.contains("/hits/") || path.contains("/slips/") => &sam.caller,
                path if path.starts_with("/v1/people") || path.starts_with("/v1/tokens") => &root,
                path if path.contains("/witness/") => &other_house,
                "/v1/shown" => &display,
                _ => &manager,
            };
            let asked = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            let json = [("content-type", "application/json")];
            let path = filled(path)
                .replace("{level}", "mega")
                .replace("{person}", "kim")
                .replace("{theme}", "crown-room")
                .replace("{artwork}", "logo")
                .replace("{digest}", &"0".repeat(64))
                .replace("{proposal}", "1b4e28ba-2fa1-41d2-883f-0016d3cca427");
            let sent = body["example"].to_string().into_bytes();
            let answer = caller.send(asked, &path, &json, sent).await;
            // Nobody has the example's password, or its PIN.
            let is_login = ["login_failed", "pin_wrong"].contains(&answer.code());
            assert!(
                is_login || !matches!(answer.status, 400 | 401 | 403 | 413 | 415 | 500..),
                "{}: {}",
                answer.asked,
                answer.text
            );
            examples += 1;
        }
    }
    assert_eq!(examples, 34);
    house.end().await;
}

/// What the rules refuse of a reader is documented where it happens.
#[tokio::test]
async fn what_is_refused_of_a_reader_is_documented() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = house.manager().await.caller;
    let document = manager.get("/openapi.json").await.is(200);
    let listed = manager.get("/v1/paytables?limit=200").await.is(200);
    let listed = listed["paytables"].as_array().expect("a list");
    let incomplete = listed.iter().find(|it| it["complete"] == false);
    let incomplete = incomplete
        .and_then(|it| it["paytable"].as_str())
        .expect("one");
    for (path, asked, code) in [
        (
            "/v1/links/{link}/hits",
            "/v1/links/main/hits?level=none".to_owned(),
            "no_such_level",
        ),
        (
            "/v1/paytables/{paytable}/returns",
            format!("/v1/paytables/{incomplete}/returns"),
            "incomplete_paytable",
        ),
        (
            "/v1/paytables/{paytable}/differences",
            format!("/v1/paytables/{incomplete}/differences?with={FIVE_CARD_C}"),
            "incomplete_paytable",
        ),
    ] {
        drop(manager.get(&asked).await.problem(422, code));
        let responses = &document["paths"][path]["get"]["responses"];
        assert!(responses["422"].is_object(), "{path}");
    }
    house.end().await;
}

/// Every reference within the document leads somewhere.
#[tokio::test]
async fn every_reference_leads_somewhere() {
    let house = House::open().await;
    let document = house.nobody().get("/openapi.json").await.is(200);
    let mut references = Vec::new();
    collect(&document.body, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("within the document");
        assert!(document.body.pointer(pointer).is_some(), "{reference}");
    }
    house.end().await;
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str() {
                    Some(reference) if name == "$ref" => into.push(reference.to_owned()),
                    Some(_) | None => collect(member, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
