//! `docs/API.md` says what the code does: its tables are compared with the code, its headings with the document.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of which clippy allows neither"
)]

mod commands;
mod committed;
mod compatible;
mod link;
mod openapi;

use std::collections::BTreeSet;

use meterhouse_edge::settlement::FINDING_CODES;
use meterhouse_edge::wire_error::rows;

const PAGE: &str = include_str!("../../../../docs/API.md");

/// The cells of the rows of a table under this heading.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, after) = PAGE
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    let section = after.split("\n## ").next().expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = |row: &'static str| row.trim_matches('|').split('|').map(str::trim).collect();
    rows.map(cells).collect()
}

#[test]
fn every_code_of_the_wire_table_is_in_the_page_and_no_other() {
    let expected: Vec<String> = rows()
        .iter()
        .map(|row| {
            let journaled = row.journaled.name();
            format!(
                "| `{}` | {} | {journaled} | {} |",
                row.code, row.status, row.advice
            )
        })
        .collect();
    let written: Vec<String> = table("Every code")
        .iter()
        .map(|cells| format!("| {} |", cells.join(" | ")))
        .collect();
    assert_eq!(
        written,
        expected,
        "write the table as:\n{}",
        expected.join("\n")
    );
}

/// The table of a settled round's mistakes has every code, in the order of the code.
#[test]
fn every_mistake_in_a_round_is_in_the_page() {
    let (_, after) = PAGE
        .split_once("| code of a mistake | meaning |\n|---|---|\n")
        .expect("the table");
    let rows = after.lines().take_while(|line| line.starts_with("| `"));
    let written: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(written, FINDING_CODES);
}

#[test]
fn every_operation_of_the_document_has_its_place_in_the_page() {
    let document = meterhouse_http::document();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let id = operation["operationId"].as_str().expect("an id");
            assert!(ids.insert(id.to_owned()), "{id} twice");
            let method = method.to_uppercase();
            assert!(
                operation["summary"].is_string() && operation["tags"].is_array(),
                "{method} {path}"
            );
            let named = format!("`{method} {path}");
            assert!(PAGE.contains(&named), "docs/API.md doesn't have {named}`");
        }
    }
    assert_eq!(ids.len(), 108, "{ids:?}");
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    let document = meterhouse_http::document();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => {
            if let Some(serde_json::Value::String(reference)) = members.get("$ref") {
                found.push(reference.clone());
            }
            members.values().for_each(|it| collect(it, found));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|it| collect(it, found)),
        _ => {}
    }
}

/// The field `floor` of `LinkMeters` refers to balances, and is left out without a token that may read the link:
/// `tests/api/moments.rs::the_floor_sees_the_reserve`.
#[test]
fn no_public_answer_can_carry_a_reserve() {
    let document = meterhouse_http::document();
    for name in [
        "Link",
        "LinkLevel",
        "LinkSettings",
        "LinkedTable",
        "LinkPage",
        "LinkMeters",
        "LevelAmount",
        "FeedMessage",
        "SnapshotMessage",
        "MetersMessage",
        "HitMessage",
        "HitChangedMessage",
        "PaidMessage",
        "LinkStateMessage",
        "TableStateMessage",
        "ContributedLevel",
    ] {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "{name}");
        assert!(!schema.to_string().contains("reserve"), "{name}");
    }
}
