//! The `OpenAPI` document says what a linter asks of it, and refuses what the server refuses.

use meterhouse_edge::wire_error::rows;
use serde_json::{Value, json};

/// The operations with their paths.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let items = paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().expect("operations");
        operations
            .iter()
            .map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    items.collect()
}

fn schema<'a>(document: &'a Value, name: &str) -> &'a Value {
    &document["components"]["schemas"][name]
}

#[test]
fn a_linter_finds_no_error() {
    let document = meterhouse_http::document();
    assert_eq!(document["servers"][0]["url"], "/");
    for (name, operation) in operations(&document) {
        let responses = operation["responses"].as_object().expect("responses");
        assert!(responses.keys().any(|it| it.starts_with('4')), "{name}");
        for (status, response) in responses {
            let problem = &response["content"]["application/problem+json"];
            if problem.is_object() {
                let example = &problem["example"];
                assert_eq!(example["status"].to_string(), *status, "{name}");
            }
        }
        let body = &operation["requestBody"]["content"]["application/json"];
        assert_eq!(body.is_object(), body["example"].is_object(), "{name}");
        assert!(
            !body["schema"].is_object() || body["schema"]["$ref"].is_string(),
            "{name}"
        );
    }
}

#[test]
fn the_codes_are_an_enumeration() {
    let document = meterhouse_http::document();
    let codes: Vec<&str> = rows().iter().map(|row| row.code).collect();
    let listed = &schema(&document, "Problem")["properties"]["code"]["enum"];
    assert_eq!(*listed, json!(codes));
}

#[test]
fn a_request_has_exactly_one_of_its_members() {
    let document = meterhouse_http::document();
    for (name, count) in [
        ("Command", 10),
        ("Propose", 5),
        ("Hit", 2),
        ("Bonus", 2),
        ("LateHit", 2),
    ] {
        let ways = schema(&document, name)["oneOf"].as_array().expect("ways");
        assert!(ways.len() >= count, "{name}: {} ways", ways.len());
        assert!(ways.iter().all(|way| way["required"].is_array()), "{name}");
    }
}

#[test]
fn words_are_enumerations() {
    let document = meterhouse_http::document();
    for (name, member, word) in [
        ("Hit", "hand", "royal-flush"),
        ("LateHit", "hand", "royal-flush"),
        ("Void", "reason", "misdeal"),
        ("Adjust", "account", "reserve"),
        ("Decision", "decision", "decline"),
        ("Validation", "decision", "reject"),
        ("Wager", "on", "dealer"),
        ("OpenLink", "reserve_policy", "fund_keep"),
    ] {
        let words = &schema(&document, name)["properties"][member]["enum"];
        let words = words.as_array().expect("words");
        assert!(words.contains(&json!(word)), "{name}.{member}");
    }
    let nullable = &schema(&document, "Wager")["properties"]["on"]["enum"];
    assert!(nullable.as_array().expect("words").contains(&Value::Null));
}

/// A body's schema is its own: the feed's heartbeat has a time, a table's has nothing.
#[test]
fn a_heartbeat_needs_no_member() {
    let document = meterhouse_http::document();
    let path = "/v1/tables/{table}/heartbeat";
    let body = &document["paths"][path]["put"]["requestBody"]["content"]["application/json"];
    let reference = body["schema"]["$ref"].as_str().expect("a reference");
    let sent = document.pointer(reference.trim_start_matches('#'));
    let sent = sent.expect("a schema");
    assert_eq!(
        (&sent["required"], &sent["additionalProperties"]),
        (&Value::Null, &json!(false))
    );
}
