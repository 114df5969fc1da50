//! Today's document beside that of release 0.1.0: a client of that release goes on with this server.
//!
//! # Rules
//! - An operation, a parameter, a status and a schema of a response stay.
//! - A request that was valid stays valid: no new required field, no narrower bound, no word less.
//! - A response keeps its fields, its types and what is required of it. New fields, words and variants
//!   may be added: a client ignores fields that it does not know and keeps words as text.
//! - A new field of a response is not required: a client of today goes on with a server of that release.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

mod planted;

const BASELINE: &str = include_str!("../../../../tests/baseline/0.1.0/openapi.json");
/// Differences that two people agreed on, as the test prints them. None so far.
const AGREED: [&str; 0] = [];

/// The way of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Request,
    Response,
}

/// The comparison of two documents.
struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Pairs of named schemas that were compared, because schemas may contain themselves.
    seen: BTreeSet<(Way, String, String)>,
    found: Vec<String>,
}

fn object<'a>(value: &'a Value, key: &str) -> Vec<(&'a String, &'a Value)> {
    value[key]
        .as_object()
        .map_or(Vec::new(), |map| map.iter().collect())
}

fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(words) => words.iter().map(Value::to_string).collect(),
        Value::Null => Vec::new(),
        word => vec![word.to_string()],
    }
}

/// Returns the name of a reference to a schema.
fn named(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    named(schema).map_or(schema, |name| &document["components"]["schemas"][name])
}

impl<'a> Comparison<'a> {
    /// Returns a line for each place where a client of the old document fails on the new one.
    fn of(old: &'a Value, new: &'a Value) -> Vec<String> {
        let mut comparison = Self {
            old,
            new,
            seen: BTreeSet::new(),
            found: Vec::new(),
        };
        for (path, item) in object(old, "paths") {
            for (method, before) in item.as_object().into_iter().flatten() {
                let place = format!("{method} {path}");
                match &new["paths"][path][method] {
                    Value::Null => comparison.find(&place, "is gone"),
                    after => comparison.operation(&place, before, after),
                }
            }
        }
        comparison.found
    }

    fn find(&mut self, place: &str, what: impl std::fmt::Display) {
        self.found.push(format!("{place}: {what}"));
    }

    fn operation(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        self.parameters(place, &old["parameters"], &new["parameters"]);
        let (before, after) = (&old["requestBody"], &new["requestBody"]);
        if before.is_null() && after["required"] == true {
            self.find(place, "a body is required");
        }
        self.contents(Way::Request, &format!("{place} body"), before, after);
        for (status, before) in object(old, "responses") {
            let place = format!("{place} {status}");
            match &new["responses"][status] {
                Value::Null => self.find(&place, "is gone"),
                after => self.contents(Way::Response, &place, before, after),
            }
        }
    }

    fn parameters(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        let of = |list: &'a Value| list.as_array().map_or(&[] as &[Value], Vec::as_slice);
        let (old, new) = (of(old), of(new));
        let is =
            |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for before in old {
            let place = format!("{place} parameter {}", before["name"]);
            match new.iter().find(|after| is(before, after)) {
                None => self.find(&place, "is gone"),
                Some(after) => {
                    if after["required"] == true && before["required"] != true {
                        self.find(&place, "is required");
                    }
                    self.schema(Way::Request, &place, &before["schema"], &after["schema"]);
                }
            }
        }
        for after in new {
            if after["required"] == true && !old.iter().any(|before| is(before, after)) {
                self.find(place, format!("parameter {} is required", after["name"]));
            }
        }
    }

    fn contents(&mut self, way: Way, place: &str, old: &'a Value, new: &'a Value) {
        for (kind, before) in object(old, "content") {
            match &new["content"][kind] {
                Value::Null => self.find(place, format!("{kind} is gone")),
                after => self.schema(way, place, &before["schema"], &after["schema"]),
            }
        }
    }

    fn schema(&mut self, way: Way, place: &str, old: &'a Value, new: &'a Value) {
        if let (Some(before), Some(after)) = (named(old), named(new)) {
            let pair = (way, before.to_owned(), after.to_owned());
            if !self.seen.insert(pair) {
                return;
            }
        }
        let place = named(old).map_or_else(|| place.to_owned(), |name| format!("{place} {name}"));
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        self.scalars(way, &place, old, new);
        self.fields(way, &place, old, new);
        if old["items"].is_object() {
            self.schema(way, &format!("{place}[]"), &old["items"], &new["items"]);
        }
        self.variants(way, &place, old, new);
        let conditions = |schema: &Value| {
            let parts = ["if", "then", "else", "allOf"].map(|key| schema[key].clone());
            without_texts(&json!(parts))
        };
        if way == Way::Request && conditions(new) != conditions(old) {
            self.find(&place, "its conditions between fields changed");
        }
    }

    /// Compares types, words and bounds.
    fn scalars(&mut self, way: Way, place: &str, old: &Value, new: &Value) {
        let (before, after) = (words(&old["type"]), words(&new["type"]));
        let (narrow, wide) = match way {
            Way::Request => (&before, &after),
            Way::Response => (&after, &before),
        };
        if narrow.iter().any(|one| !wide.contains(one)) || before.is_empty() != after.is_empty() {
            self.find(
                place,
                format!("its type changed from {before:?} to {after:?}"),
            );
        }
        let (before, after) = (words(&old["enum"]), words(&new["enum"]));
        for word in before.iter().filter(|word| !after.contains(word)) {
            self.find(place, format!("the word {word} is gone"));
        }
        if before.is_empty() && !after.is_empty() {
            self.find(place, "is limited to words");
        }
        for key in ["pattern", "format", "const"] {
            if old[key] != new[key] {
                self.find(
                    place,
                    format!("{key} changed from {} to {}", old[key], new[key]),
                );
            }
        }
        for (key, is_least) in [
            ("minimum", true),
            ("minLength", true),
            ("minItems", true),
            ("maximum", false),
            ("maxLength", false),
            ("maxItems", false),
        ] {
            let unbounded = if is_least { i128::MIN } else { i128::MAX };
            let number = |schema: &Value| schema[key].to_string().parse::<i128>().ok();
            let bound = |schema: &Value| number(schema).unwrap_or(unbounded);
            let is_narrower = match way {
                Way::Request => (bound(new) > bound(old)) == is_least,
                Way::Response => (bound(new) < bound(old)) == is_least,
            };
            if bound(old) != bound(new) && is_narrower {
                self.find(
                    place,
                    format!("{key} changed from {} to {}", old[key], new[key]),
                );
            }
        }
    }

    /// Compares the fields of an object.
    fn fields(&mut self, way: Way, place: &str, old: &'a Value, new: &'a Value) {
        let (before, after) = (words(&old["required"]), words(&new["required"]));
        let (kept, extended, what) = match way {
            Way::Request => (&after, &before, "is required now"),
            Way::Response => (&before, &after, "is not always there now"),
        };
        for name in kept.iter().filter(|name| !extended.contains(name)) {
            self.find(place, format!("{name} {what}"));
        }
        for name in after
            .iter()
            .filter(|name| way == Way::Response && !before.contains(name))
        {
            if old["properties"][name.trim_matches('"')].is_null() {
                self.find(place, format!("{name} is new and required"));
            }
        }
        for (name, before) in object(old, "properties") {
            let place = format!("{place}.{name}");
            match &new["properties"][name] {
                Value::Null => self.find(&place, "is gone"),
                after => self.schema(way, &place, before, after),
            }
        }
    }

    /// Compares the variants of a union: by their tag, else each with the one that fits.
    fn variants(&mut self, way: Way, place: &str, old: &'a Value, new: &'a Value) {
        let of = |schema: &'a Value| {
            schema["oneOf"]
                .as_array()
                .map_or(&[] as &[Value], Vec::as_slice)
        };
        let (before, after) = (of(old), of(new));
        let (old, new) = (&old["discriminator"], &new["discriminator"]);
        if before.is_empty() != after.is_empty() || old["propertyName"] != new["propertyName"] {
            return self.find(place, "became another kind of union");
        }
        let by_tag = |tags: &'a Value| tags["mapping"].as_object();
        if let (Some(before), Some(after)) = (by_tag(old), by_tag(new)) {
            return self.tags(way, place, before, after);
        }
        let fits = |old: &'a Value, new: &'a Value| {
            let (known, mut inner) = (self.seen.clone(), Vec::new());
            let mut trial = Comparison {
                old: self.old,
                new: self.new,
                seen: known,
                found: Vec::new(),
            };
            trial.schema(way, place, old, new);
            inner.append(&mut trial.found);
            inner.is_empty()
        };
        let lost = before
            .iter()
            .filter(|old| !after.iter().any(|new| fits(old, new)));
        let mut found: Vec<String> = lost
            .map(|old| format!("the variant {old} is gone"))
            .collect();
        if way == Way::Response {
            let added = after
                .iter()
                .filter(|new| !before.iter().any(|old| fits(old, new)));
            found.extend(added.map(|new| format!("the variant {new} without a tag is new")));
        }
        for what in found {
            self.find(place, what);
        }
    }

    fn tags(&mut self, way: Way, place: &str, old: &Map<String, Value>, new: &Map<String, Value>) {
        for (tag, before) in old {
            let name = |path: &Value| {
                let name = path.as_str().and_then(|path| path.rsplit('/').next());
                name.unwrap_or_default().to_owned()
            };
            match new.get(tag) {
                None => self.find(place, format!("the variant {tag} is gone")),
                Some(after) => {
                    let (before, after) = (name(before), name(after));
                    if self.seen.insert((way, before.clone(), after.clone())) {
                        let old = &self.old["components"]["schemas"][before];
                        let new = &self.new["components"]["schemas"][after];
                        self.schema(way, &format!("{place} {tag}"), old, new);
                    }
                }
            }
        }
    }
}

/// Returns a schema without what only people read.
fn without_texts(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let kept = map
                .iter()
                .filter(|(key, _)| !["description", "title", "examples"].contains(&key.as_str()));
            Value::Object(
                kept.map(|(key, value)| (key.clone(), without_texts(value)))
                    .collect(),
            )
        }
        Value::Array(list) => Value::Array(list.iter().map(without_texts).collect()),
        other => other.clone(),
    }
}

/// A client of release 0.1.0 goes on with this server.
#[test]
fn a_client_of_the_baseline_goes_on() {
    let baseline: Value = serde_json::from_str(BASELINE).expect("JSON");
    let found = Comparison::of(&baseline, &meterhouse_http::document());
    assert_eq!(
        found, AGREED,
        "clients of 0.1.0 fail: see docs/RELEASING.md"
    );
}
