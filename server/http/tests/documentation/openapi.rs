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
        assert!(
            responses.keys().any(|status| status.starts_with('4')),
            "{name}"
        );
        for (status, response) in responses {
            let content = response.get("content");
            assert!(content.is_none_or(Value::is_object), "{name} {status}");
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

/// Every union is `oneOf` of named flat objects with the tag, and its discriminator maps every value.
#[test]
fn a_union_is_flat_and_has_a_discriminator() {
    let document = meterhouse_http::document();
    for (name, tag, count) in [
        ("CommandRequest", "command", 10),
        ("CommandResponse", "command", 10),
        ("ProposalRequest", "change", 6),
        ("ProposalMade", "change", 6),
        ("Proposal", "change", 6),
        ("Change", "change", 6),
        ("Effect", "kind", 6),
        ("FeedMessage", "type", 9),
        ("JournalEvent", "kind", 28),
        ("RefusedCommand", "command", 28),
    ] {
        let union = schema(&document, name);
        let members = union["oneOf"].as_array().expect("members");
        assert_eq!(members.len(), count, "{name}");
        assert_eq!(union["discriminator"]["propertyName"], tag, "{name}");
        let mapping = union["discriminator"]["mapping"].as_object();
        for (value, reference) in mapping.expect("a mapping") {
            let reference = reference.as_str().expect("a reference");
            let member = document.pointer(&reference[1..]).expect("a component");
            assert_eq!(member["properties"][tag]["enum"], json!([value]), "{name}");
            let required = member["required"].as_array().expect("required");
            assert!(required.contains(&json!(tag)), "{name}: {value}");
            assert!(member.get("allOf").is_none(), "{name}: {value}");
        }
        assert_eq!(mapping.map(serde_json::Map::len), Some(count), "{name}");
    }
}

#[test]
fn no_component_is_unused() {
    let document = meterhouse_http::document();
    let text = document.to_string();
    let schemas = document["components"]["schemas"].as_object();
    for name in schemas.expect("schemas").keys() {
        let reference = format!("\"#/components/schemas/{name}\"");
        assert!(text.contains(&reference), "{name}");
    }
}

/// A variant of a request has the fields that belong together as a condition.
#[test]
fn a_hand_is_a_seats_or_the_dealers() {
    let document = meterhouse_http::document();
    for name in [
        "HitRequest",
        "BonusRequest",
        "LateHitProposal",
        "ValidationRequest",
        "ProposalDecisionRequest",
    ] {
        let schema = schema(&document, name);
        for part in ["if", "then", "else"] {
            assert!(schema[part].is_object(), "{name}: {part}");
        }
        assert_eq!(schema["additionalProperties"], json!(false), "{name}");
    }
}

#[test]
fn words_are_enumerations() {
    let document = meterhouse_http::document();
    for (name, word) in [
        ("Hand", "royal-flush"),
        ("VoidReason", "misdeal"),
        ("AdjustedAccount", "reserve"),
        ("ProposalDecision", "decline"),
        ("HitDecision", "reject"),
        ("WageredHand", "dealer"),
        ("ReservePolicy", "fund_keep"),
        ("HitState", "validated_by_rule"),
        ("FeedHitState", "undone"),
        ("LinkState", "unavailable"),
    ] {
        let words = schema(&document, name)["enum"].as_array().expect("words");
        assert!(words.contains(&json!(word)), "{name}");
    }
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
