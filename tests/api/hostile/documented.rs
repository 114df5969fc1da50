//! The operations of the document, with the smallest bodies that fit their schemas.

use meterhouse_tests::FIVE_CARD_C;
use reqwest::Method;
use serde_json::{Map, Value, json};

/// An operation of the document.
pub(super) struct Operation {
    pub(super) method: Method,
    /// Path with the names of its parameters in braces.
    pub(super) path: String,
    pub(super) is_public: bool,
    /// Names of the parameters of the query.
    pub(super) query: Vec<String>,
    /// Schemas of the body: one, or one a variant of a union.
    pub(super) bodies: Vec<Value>,
}

/// A text within a body.
pub(super) struct TextField {
    /// Steps to it: names of fields, and `None` for the first item of a list.
    pub(super) steps: Vec<Option<String>>,
    /// True if the document allows names, amounts or chosen words only.
    pub(super) is_bounded: bool,
}

/// Returns every operation.
pub(super) fn operations(document: &Value) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let parameters = operation["parameters"].as_array();
            let query = parameters.into_iter().flatten();
            let query = query.filter(|parameter| parameter["in"] == "query");
            let names = query.filter_map(|parameter| parameter["name"].as_str());
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            let ways = operation["security"].as_array().expect("ways to call it");
            operations.push(Operation {
                method: method.to_uppercase().parse().expect("a method"),
                path: path.clone(),
                is_public: ways.contains(&json!({})),
                query: names.map(str::to_owned).collect(),
                bodies: variants(document, body),
            });
        }
    }
    operations
}

impl Operation {
    /// Returns the path with something in the place of each parameter, and a chosen text in the place of one.
    pub(super) fn filled(&self, chosen: Option<(&str, &str)>) -> String {
        self.parameters()
            .into_iter()
            .fold(self.path.clone(), |path, name| {
                let value = match chosen {
                    Some((other, text)) if other == name => text,
                    Some(_) | None => existing(&name),
                };
                path.replace(&format!("{{{name}}}"), value)
            })
    }

    /// Returns the names of the parameters of the path.
    pub(super) fn parameters(&self) -> Vec<String> {
        let parts = self.path.split('/');
        let names = parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        names.map(str::to_owned).collect()
    }
}

/// Returns a value of a parameter that there is.
fn existing(name: &str) -> &'static str {
    match name {
        "table" => "T1",
        "link" => "main",
        "hit" => "T1.1",
        "paytable" => FIVE_CARD_C,
        "game" => "crazy-4-poker",
        "level" => "mega",
        "proposal" => "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "person" => "ann",
        "date" => "2026-11-24",
        "theme" => "crown-room",
        "artwork" => "logo",
        _ => "1",
    }
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let pointer = reference.strip_prefix('#').expect("within the document");
            resolved(document, document.pointer(pointer).expect("a schema"))
        }
        None => schema,
    }
}

fn variants(document: &Value, schema: &Value) -> Vec<Value> {
    let schema = resolved(document, schema);
    match schema["oneOf"].as_array() {
        Some(variants) => variants
            .iter()
            .flat_map(|variant| self::variants(document, variant))
            .collect(),
        None if schema.is_object() => vec![schema.clone()],
        None => Vec::new(),
    }
}

/// Returns true if a schema is of this type, or may be null as well.
fn is_of(schema: &Value, kind: &str) -> bool {
    let kinds = &schema["type"];
    kinds == kind
        || kinds
            .as_array()
            .is_some_and(|kinds| kinds.contains(&json!(kind)))
}

/// Returns the schema that a value has if it is not null.
fn present<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolved(document, schema);
    let either = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let first = either.and_then(|either| either.iter().find(|schema| schema["type"] != "null"));
    first.map_or(schema, |first| present(document, first))
}

/// Returns the smallest value of a schema.
pub(super) fn smallest(document: &Value, schema: &Value) -> Value {
    let schema = present(document, schema);
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    if let Some(first) = schema["enum"].get(0).or(schema["examples"].get(0)) {
        return first.clone();
    }
    if is_of(schema, "object") {
        let required = schema["required"].as_array().into_iter().flatten();
        let names = required.filter_map(Value::as_str);
        let fields = names.map(|name| {
            (
                name.to_owned(),
                smallest(document, &schema["properties"][name]),
            )
        });
        return Value::Object(fields.collect::<Map<_, _>>());
    }
    if is_of(schema, "array") {
        return json!([smallest(document, &schema["items"])]);
    }
    if is_of(schema, "integer") {
        return json!(schema["minimum"].as_u64().unwrap_or_default().max(1));
    }
    if is_of(schema, "boolean") {
        return json!(true);
    }
    json!("x")
}

/// Finds every text of a schema, also in fields that may be left out.
pub(super) fn texts(
    document: &Value,
    schema: &Value,
    steps: &[Option<String>],
    into: &mut Vec<TextField>,
) {
    let schema = present(document, schema);
    let further = |step: Option<String>| [steps, &[step]].concat();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        texts(document, field, &further(Some(name.clone())), into);
    }
    if schema["additionalProperties"].is_object() {
        let of_any = &schema["additionalProperties"];
        texts(document, of_any, &further(Some("mega".to_owned())), into);
    }
    if schema["items"].is_object() {
        texts(document, &schema["items"], &further(None), into);
    }
    if is_of(schema, "string") {
        let bounds = ["enum", "const", "format"];
        let pattern = schema["pattern"].as_str();
        // A pattern that only excludes some characters is of a text that people write.
        let is_bounded = bounds.iter().any(|bound| !schema[*bound].is_null())
            || pattern.is_some_and(|pattern| !pattern.contains("[^"));
        into.push(TextField {
            steps: steps.to_vec(),
            is_bounded,
        });
    }
}

/// Puts a text into a body, in the place that the steps lead to.
pub(super) fn put(body: &mut Value, steps: &[Option<String>], text: &str) {
    match steps.split_first() {
        None => *body = json!(text),
        Some((Some(name), rest)) => {
            if !body.is_object() {
                *body = json!({});
            }
            put(&mut body[name.as_str()], rest, text);
        }
        Some((None, rest)) => {
            if !body.is_array() {
                *body = json!([null]);
            }
            put(&mut body[0], rest, text);
        }
    }
}
