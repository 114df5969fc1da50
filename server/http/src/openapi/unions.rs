//! Unions as generators of clients read them: `oneOf` of named flat objects, each with the tag, and a discriminator.
//!
//! # Shape
//! utoipa writes a tagged enum as `oneOf` of inline `allOf`, and a struct around it as `allOf` of a union. Generators
//! refuse both. Every variant becomes a component of its own: the tag, the variant's fields, and the shared fields.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Prefix of a reference to a component.
const SCHEMAS: &str = "#/components/schemas/";

/// A union of the document.
struct Union {
    /// Name of its component.
    name: &'static str,
    /// Component with the variants.
    variants: &'static str,
    /// Field that names the variant.
    tag: &'static str,
    /// End of the names of the variants' components.
    suffix: &'static str,
}

const fn union(
    name: &'static str,
    variants: &'static str,
    tag: &'static str,
    suffix: &'static str,
) -> Union {
    Union {
        name,
        variants,
        tag,
        suffix,
    }
}

/// All unions. One whose variants another needs comes after it.
const UNIONS: [Union; 10] = [
    union("Proposal", "Change", "change", "ProposalView"),
    union("ProposalMade", "Change", "change", "ProposalMade"),
    union("ProposalRequest", "Change", "change", "Proposal"),
    union("Change", "Change", "change", "Change"),
    union("CommandRequest", "Command", "command", "Request"),
    union("CommandResponse", "Outcome", "command", "Response"),
    union("Effect", "Effect", "kind", "Effect"),
    union("FeedMessage", "FeedMessage", "type", "Message"),
    union("JournalEvent", "JournalEvent", "kind", "Event"),
    union("RefusedCommand", "RefusedCommand", "command", "Refused"),
];

/// Gives every union of the document its flat form, and removes components that nothing refers to any more.
pub(super) fn flatten(document: &mut Value) {
    let Some(schemas) = document.pointer("/components/schemas") else {
        return;
    };
    let original = schemas.clone();
    let mut flat = schemas.clone();
    for union in &UNIONS {
        let shared = if union.name == union.variants {
            json!({})
        } else {
            shared_fields(&original, &original[union.name], union.variants)
        };
        let variants = original[union.variants]["oneOf"].as_array();
        let mut references = Vec::new();
        let mut mapping = Map::new();
        for variant in variants.into_iter().flatten() {
            let mut member = merged(&original, variant);
            let value = member["properties"][union.tag]["enum"][0].clone();
            let value = value.as_str().unwrap_or_default().to_owned();
            add_fields(&mut member, &shared);
            let name = format!("{}{}", pascal(&value), union.suffix);
            let reference = format!("{SCHEMAS}{name}");
            references.push(json!({"$ref": reference}));
            mapping.insert(value, json!(reference));
            flat[name] = member;
        }
        let description = original[union.name]["description"].clone();
        flat[union.name] = json!({
            "description": description,
            "oneOf": references,
            "discriminator": {"propertyName": union.tag, "mapping": mapping},
        });
    }
    document["components"]["schemas"] = flat;
    remove_unused(document);
}

/// Returns the fields of a struct around a union, without the union.
fn shared_fields(schemas: &Value, schema: &Value, variants: &str) -> Value {
    let variants = format!("{SCHEMAS}{variants}");
    let mut shared = json!({});
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let reference = part["$ref"].as_str();
        if reference == Some(variants.as_str()) {
            continue;
        }
        let inner = reference.and_then(|reference| schemas.get(reference.strip_prefix(SCHEMAS)?));
        match inner {
            Some(inner) if inner.get("allOf").is_some() => {
                let inner = shared_fields(schemas, inner, variants.trim_start_matches(SCHEMAS));
                add_fields(&mut shared, &inner);
            }
            Some(_) | None => add_fields(&mut shared, &merged(schemas, part)),
        }
    }
    shared
}

/// Returns a schema as one object: references resolved, `allOf` merged.
fn merged(schemas: &Value, schema: &Value) -> Value {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix(SCHEMAS))
    {
        return merged(schemas, &schemas[name]);
    }
    let Some(parts) = schema["allOf"].as_array() else {
        return schema.clone();
    };
    let mut object = json!({"type": "object"});
    for part in parts {
        add_fields(&mut object, &merged(schemas, part));
    }
    if let Some(description) = schema.get("description") {
        object["description"] = description.clone();
    }
    object
}

/// Adds the fields of an object to another.
fn add_fields(object: &mut Value, other: &Value) {
    let fields = other["properties"].as_object();
    for (name, field) in fields.into_iter().flatten() {
        object["properties"][name] = field.clone();
    }
    let mut required = object["required"].as_array().cloned().unwrap_or_default();
    let others = other["required"].as_array();
    for name in others.into_iter().flatten() {
        if !required.contains(name) {
            required.push(name.clone());
        }
    }
    object["required"] = Value::Array(required);
    for member in ["description", "additionalProperties"] {
        if let Some(value) = other.get(member)
            && object.get(member).is_none()
        {
            object[member] = value.clone();
        }
    }
}

/// Returns a word such as `coin_in` as `CoinIn`.
fn pascal(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    parts.collect()
}

/// Removes the components that no operation and no other component refers to.
fn remove_unused(document: &mut Value) {
    let mut used = BTreeSet::new();
    references(&document["paths"], &mut used);
    let mut added: Vec<String> = used.iter().cloned().collect();
    while let Some(name) = added.pop() {
        let mut inner = BTreeSet::new();
        references(&document["components"]["schemas"][&name], &mut inner);
        added.extend(inner.difference(&used).cloned());
        used.extend(inner);
    }
    let schemas = document.pointer_mut("/components/schemas");
    if let Some(schemas) = schemas.and_then(Value::as_object_mut) {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// Collects the names of the components that a value refers to.
fn references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                match value.as_str().and_then(|text| text.strip_prefix(SCHEMAS)) {
                    Some(name) if member == "$ref" => drop(names.insert(name.to_owned())),
                    Some(_) | None => references(value, names),
                }
            }
        }
        Value::Array(entries) => {
            for entry in entries {
                references(entry, names);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
