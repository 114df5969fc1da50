//! `docs/openapi.json` is the document of the code, so that a review shows every change of the API.

use serde_json::{Value, json};

const COMMITTED: &str = include_str!("../../../../docs/openapi.json");
/// Differences that a failure lists.
const LISTED_MAX: usize = 40;

/// Adds a line for each place where two documents differ: `-` for removed, `+` for added, `~` for changed.
fn differences(old: &Value, new: &Value, pointer: &str, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in before {
                let place = format!("{pointer}/{}", escaped(name));
                match after.get(name) {
                    Some(now) => differences(value, now, &place, found),
                    None => found.push(format!("- {place}")),
                }
            }
            let added = after.keys().filter(|name| !before.contains_key(*name));
            found.extend(added.map(|name| format!("+ {pointer}/{}", escaped(name))));
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (was, now)) in before.iter().zip(after).enumerate() {
                differences(was, now, &format!("{pointer}/{index}"), found);
            }
        }
        _ if old == new => {}
        _ => found.push(format!("~ {pointer}")),
    }
}

/// A name as a part of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[test]
fn the_committed_document_is_current() {
    let document = meterhouse_http::document();
    let written = serde_json::to_string_pretty(&document).expect("text") + "\n";
    if written == COMMITTED {
        return;
    }
    let committed: Value = serde_json::from_str(COMMITTED).unwrap_or_default();
    let mut found = Vec::new();
    differences(&committed, &document, "", &mut found);
    let count = found.len();
    found.truncate(LISTED_MAX);
    panic!(
        "docs/openapi.json differs from the code in {count} places: \
         run `cargo run -- openapi > docs/openapi.json` and review its diff\n{}",
        found.join("\n")
    );
}

/// A removed, an added and a changed place are found; equal documents have none.
#[test]
fn planted_differences_are_found() {
    let old = json!({"a": {"b/c": 1, "d": [1, 2]}, "e": 1});
    let new = json!({"a": {"d": [1, 3], "f": 1}, "e": 1});
    let mut found = Vec::new();
    differences(&old, &old, "", &mut found);
    assert!(found.is_empty(), "{found:?}");
    differences(&old, &new, "", &mut found);
    assert_eq!(found, ["- /a/b~1c", "~ /a/d/1", "+ /a/f"]);
}
