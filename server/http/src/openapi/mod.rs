//! The `OpenAPI` document: completes what the types of requests and responses can't say.
//!
//! # Shape
//! utoipa makes the document from the handlers. [`completed`] makes unions readable for generators ([`unions`]), adds
//! which fields go together ([`conditions`]), examples, and the list of codes.

mod conditions;
mod examples;
mod unions;

use meterhouse_api::problem::MEDIA_TYPE;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::wire_error::{Row, rows};
use serde_json::{Value, json};
use utoipa::openapi::OpenApi as Document;

/// Returns the complete document.
pub(crate) fn completed(document: &Document) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let rows = rows();
    unions::flatten(&mut document);
    if let Some(schemas) = document.pointer_mut("/components/schemas") {
        conditions::add(schemas);
        let codes: Vec<&str> = rows.iter().map(|row| row.code).collect();
        conditions::set(schemas, "/Problem/properties/code", "enum", json!(codes));
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (_, item) in paths.into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            complete(operation, &rows);
        }
    }
    document
}

/// Adds examples to an operation, and the session as another way to call it.
fn complete(operation: &mut Value, rows: &[Row]) {
    if let Some(ways) = operation.get_mut("security").and_then(Value::as_array_mut)
        && ways.contains(&json!({"token": []}))
    {
        ways.push(json!({"session": []}));
    }
    let id = operation["operationId"].as_str().unwrap_or_default();
    let example_body = examples::body(id);
    if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json") {
        // A body that may be left out is an object, never null.
        if let Some(object) = body["schema"]["oneOf"]
            .as_array()
            .and_then(|either| either.iter().find(|schema| schema["$ref"].is_string()))
        {
            body["schema"] = object.clone();
        }
        body["example"] = example_body;
    }
    let responses = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        let content = response
            .get_mut("content")
            .and_then(|content| content.get_mut(MEDIA_TYPE));
        if let Some(content) = content
            && let Some(row) = rows.iter().find(|row| row.status.to_string() == *status)
        {
            content["example"] = json!(Problem::example(row).body());
        }
    }
}
