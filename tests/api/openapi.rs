//! The document that the server gives: every path and method in it is there, and what is there is in it.

use meterhouse_tests::{FIVE_CARD_C, House};
use reqwest::Method;
use serde_json::Value;

/// A path of the document with something in the place of each parameter.
fn filled(path: &str) -> String {
    let values = [
        ("{table}", "T1"),
        ("{link}", "main"),
        ("{sequence}", "1"),
        ("{hit}", "T1.1"),
        ("{payout}", "1"),
        ("{paytable}", FIVE_CARD_C),
        ("{game}", "crazy-4-poker"),
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
                let is_public = operation["security"] == serde_json::json!([{}]);
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
    assert_eq!(operations, 38, "an operation came or went");
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
