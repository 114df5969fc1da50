//! The comparison finds what breaks a client, and no addition.

use serde_json::{Map, Value, json};

use super::Comparison;

/// Returns a document with one operation, whose request and response have this schema.
fn document(schema: &Value) -> Value {
    let content =
        json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}});
    json!({
        "paths": {"/a": {"put": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "requestBody": content,
            "responses": {"200": content},
        }}},
        "components": {"schemas": {"A": schema}},
    })
}

/// Returns a place, what it becomes, and the line that names the break.
fn breaks() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("/paths/~1a/put", json!(null), "put /a: is gone"),
        (
            "/paths/~1a/put/responses/200",
            json!(null),
            "put /a 200: is gone",
        ),
        (
            "/paths/~1a/put/parameters/0/name",
            json!("no"),
            "put /a parameter \"id\": is gone",
        ),
        (
            "/paths/~1a/put/parameters/0/schema/type",
            json!("integer"),
            "put /a parameter \"id\": its type changed",
        ),
        (
            "/components/schemas/A/required",
            json!(["a", "b"]),
            "put /a body A: \"b\" is required now",
        ),
        (
            "/components/schemas/A/required",
            json!([]),
            "put /a 200 A: \"a\" is not always there now",
        ),
        (
            "/components/schemas/A/required",
            json!(["a", "c"]),
            "put /a 200 A: \"c\" is new and required",
        ),
        (
            "/components/schemas/A/properties/b",
            json!(null),
            "put /a 200 A.b: is gone",
        ),
        (
            "/components/schemas/A/properties/a/enum",
            json!(["x"]),
            "put /a body A.a: the word \"y\" is gone",
        ),
        (
            "/components/schemas/A/properties/b/maximum",
            json!(8),
            "put /a body A.b: maximum changed",
        ),
        (
            "/components/schemas/A/properties/b/maximum",
            json!(10),
            "put /a 200 A.b: maximum changed",
        ),
        (
            "/components/schemas/A/properties/b/type",
            json!(["integer", "null"]),
            "put /a 200 A.b: its type changed",
        ),
        (
            "/components/schemas/A/properties/b/type",
            json!("string"),
            "put /a body A.b: its type changed",
        ),
    ]
}

/// Every kind of break is found. An addition is none.
#[test]
fn planted_breaks_are_found() {
    let base = json!({
        "type": "object", "required": ["a"],
        "properties": {"a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "integer", "maximum": 9}},
    });
    let old = document(&base);
    let mut added = base.clone();
    added["properties"]["c"] = json!({"type": "string"});
    added["properties"]["a"]["enum"] = json!(["x", "y", "z"]);
    assert_eq!(Comparison::of(&old, &document(&added)), [""; 0]);
    for (pointer, value, line) in breaks() {
        let mut new = old.clone();
        *new.pointer_mut(pointer).expect("a place") = value;
        let found = Comparison::of(&old, &new);
        assert!(
            found.iter().any(|found| found.starts_with(line)),
            "{line}: {found:?}"
        );
    }
}

/// A variant may be added under a tag. A removed one is found, as is a changed condition of a request.
#[test]
fn planted_variants_are_found() {
    let union = |tags: &[&str]| {
        let mapping: Map<String, Value> = tags
            .iter()
            .map(|tag| ((*tag).to_owned(), json!("#/components/schemas/A")))
            .collect();
        json!({"oneOf": [{"type": "object"}], "discriminator": {"propertyName": "kind", "mapping": mapping}})
    };
    let (one, both) = (document(&union(&["a"])), document(&union(&["a", "b"])));
    assert_eq!(Comparison::of(&one, &both), [""; 0]);
    let gone = Comparison::of(&both, &one);
    assert_eq!(gone[0], "put /a body A: the variant b is gone");
    let nullable = |variants: Value| document(&json!({"oneOf": variants}));
    let (text, or_null) = (
        json!([{"type": "string"}]),
        json!([{"type": "string"}, {"type": "null"}]),
    );
    let found = Comparison::of(&nullable(text), &nullable(or_null));
    assert_eq!(
        found,
        ["put /a 200 A: the variant {\"type\":\"null\"} without a tag is new"]
    );
    let found = Comparison::of(
        &document(&json!({})),
        &document(&json!({"if": {"required": ["a"]}})),
    );
    assert_eq!(
        found,
        ["put /a body A: its conditions between fields changed"]
    );
}
