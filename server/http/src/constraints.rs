//! What the `OpenAPI` document says of requests beyond the types of their fields: words, forms, bounds, which fields go
//! together, and examples.
//!
//! # Shape
//! The document is made from the handlers; here its JSON is completed. What the server refuses with 400 the schemas
//! refuse as well.

use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::command::{Bonus, VoidReason, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Sequence;
use meterhouse_domain::link::ReservePolicy;
use meterhouse_edge::problem::{MEDIA_TYPE, example};
use meterhouse_edge::wire_error::rows;
use meterhouse_journal::hit::HitState;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi as Document;

const CARD: &str = "^([2-9TJQKAtjqka]|10)[CDHScdhs]$";
const HIT: &str = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]{0,17}(\.[1-9][0-9]?)?$";
const MONEY: &str = r"^[0-9]{1,12}(\.[0-9]{1,6})?$";
const NAME: &str = "^[A-Za-z0-9-]{1,32}$";
const SIGNED: &str = r"^-?[0-9]{1,12}(\.[0-9]{1,6})?$";
const TEXT: &str = r"^[^\u0000-\u001f\u007f-\u009f]+$";

/// The schemas of requests.
const REQUESTS: [&str; 23] = [
    "Adjust",
    "Bonus",
    "CancelHit",
    "CoinIn",
    "Correct",
    "Count",
    "Decision",
    "Envy",
    "Evaluate",
    "Fold",
    "Hit",
    "JoinTable",
    "LateHit",
    "LevelValue",
    "OpenLink",
    "Payment",
    "Propose",
    "Reason",
    "SeatCards",
    "Settle",
    "Validation",
    "Void",
    "Wager",
];

/// Schemas of which exactly one member stands in a request, beside these.
const ONE_OF: [(&str, &[&str]); 2] = [("Command", &["at", "by"]), ("Propose", &["reason"])];

/// Returns the document with everything that the types of its fields don't say.
pub(crate) fn completed(document: &Document) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    if let Some(schemas) = document.pointer_mut("/components/schemas") {
        for name in REQUESTS {
            let properties = schemas.pointer_mut(&format!("/{name}/properties"));
            for (field, schema) in properties
                .and_then(Value::as_object_mut)
                .into_iter()
                .flatten()
            {
                constrain(name, field, schema);
            }
        }
        for (name, beside) in ONE_OF {
            let members = members_of(schemas, name);
            let members = members.iter().filter(|it| !beside.contains(&it.as_str()));
            let ways = members.map(|member| one_way(&[(member, json!({"type": "object"}))], &[]));
            set(
                schemas,
                &format!("/{name}"),
                "oneOf",
                Value::Array(ways.collect()),
            );
        }
        for name in ["Hit", "Bonus", "LateHit"] {
            let dealer = one_way(&[("dealer", json!({"enum": [true]}))], &["seat"]);
            let mut seat = one_way(&[("seat", json!({"type": "integer"}))], &[]);
            seat["properties"]["dealer"] = json!({"enum": [false, null]});
            set(schemas, &format!("/{name}"), "oneOf", json!([seat, dealer]));
        }
        let mut approve = one_way(&[("decision", json!({"enum": ["approve"]}))], &[]);
        approve["properties"]["resettle"] = json!({"enum": [false, null]});
        let reject = one_way(&[("decision", json!({"enum": ["reject"]}))], &["cards"]);
        set(schemas, "/Validation", "oneOf", json!([approve, reject]));
        let approve = one_way(&[("decision", json!({"enum": ["approve"]}))], &["note"]);
        let why = ("note", json!({"type": "string"}));
        let decline = one_way(&[("decision", json!({"enum": ["decline"]})), why], &[]);
        set(schemas, "/Decision", "oneOf", json!([approve, decline]));
        let codes: Vec<&str> = rows().iter().map(|row| row.code).collect();
        set(schemas, "/Problem/properties/code", "enum", json!(codes));
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            complete(path, operation);
        }
    }
    document
}

/// Returns a way to write a request: with these members, and without those.
fn one_way(with: &[(&str, Value)], without: &[&str]) -> Value {
    let required: Vec<&str> = with.iter().map(|(name, _)| *name).collect();
    let absent = without
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "null"})));
    let with = with
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()));
    let properties: Map<String, Value> = with.chain(absent).collect();
    json!({"required": required, "properties": properties})
}

fn members_of(schemas: &Value, name: &str) -> Vec<String> {
    let properties = schemas.pointer(&format!("/{name}/properties"));
    let properties = properties.and_then(Value::as_object);
    properties
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect()
}

fn set(value: &mut Value, pointer: &str, member: &str, to: Value) {
    if let Some(Value::Object(found)) = value.pointer_mut(pointer) {
        found.insert(member.to_owned(), to);
    }
}

/// Adds what a field of a request takes.
fn constrain(schema: &str, field: &str, into: &mut Value) {
    let list = into.get("items").is_some();
    let (member, value) = match (schema, field) {
        (_, "hand") => ("enum", json!(Hand::ALL.map(Hand::name))),
        (_, "on") => ("enum", words(WageredHand::ALL, WageredHand::name)),
        ("Bonus", "kind") => ("enum", words(Bonus::ALL, Bonus::name)),
        ("Adjust", "account") => ("enum", words(AdjustedAccount::ALL, AdjustedAccount::name)),
        ("Adjust", "amount") => ("pattern", json!(SIGNED)),
        ("OpenLink", "reserve_policy") => ("enum", words(ReservePolicy::ALL, ReservePolicy::name)),
        ("Void", "reason") => ("enum", words(VoidReason::ALL, VoidReason::name)),
        ("Validation", "decision") => ("enum", json!(["approve", "reject"])),
        ("Decision", "decision") => ("enum", json!(["approve", "decline"])),
        (_, "reason" | "note" | "document") => {
            set(into, "", "minLength", json!(1));
            ("pattern", json!(TEXT))
        }
        (_, "cards" | "community") | ("Settle", "dealer") => {
            return set(into, "/items", "pattern", json!(CARD));
        }
        ("CoinIn" | "Fold", "dealt" | "seats") => {
            set(into, "/items", "minimum", json!(1));
            return set(into, "/items", "maximum", json!(u8::MAX));
        }
        (_, "amount" | "wager" | "displayed") => ("pattern", json!(MONEY)),
        ("OpenLink", "ceilings") => {
            set(into, "/propertyNames", "pattern", json!(NAME));
            return set(into, "/additionalProperties", "pattern", json!(MONEY));
        }
        (_, "hit") => ("pattern", json!(HIT)),
        (_, "table" | "level" | "link" | "paytable" | "game") => ("pattern", json!(NAME)),
        (_, "seat") => ("maximum", json!(u8::MAX)),
        (_, "round") => ("maximum", json!(Sequence::MAX)),
        (
            _,
            "chips"
            | "rounds_a_minute_max"
            | "silence_seconds_max"
            | "magic_card_one_in"
            | "lucky_bonus_one_in",
        ) => ("maximum", json!(u32::MAX)),
        _ => return,
    };
    let is_nullable = into["type"]
        .as_array()
        .is_some_and(|types| types.contains(&json!("null")));
    let value = match value {
        Value::Array(words) if is_nullable => {
            Value::Array(words.into_iter().chain([Value::Null]).collect())
        }
        value => value,
    };
    set(into, if list { "/items" } else { "" }, member, value);
}

fn words<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Value {
    all.iter().map(|word| name(*word)).collect()
}

/// Adds examples and what parameters take.
fn complete(path: &str, operation: &mut Value) {
    let id = operation["operationId"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let parameters = operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let (member, value) = match (id.as_str(), name) {
            (_, "state") => ("enum", words(HitState::ALL, HitState::name)),
            (_, "after") if path.ends_with("/hits") => {
                ("pattern", json!("^[0-9]{1,9}\\.[0-9]{1,18}$"))
            }
            ("list_proposals", "after") => ("format", json!("uuid")),
            (_, "with") | ("list_paytables", "after") => ("pattern", json!(NAME)),
            (_, "wager") => ("pattern", json!(MONEY)),
            _ => continue,
        };
        set(parameter, "/schema", member, value);
    }
    if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json") {
        // An empty body is none, not null.
        if let Some(Value::Array(either)) = body["schema"].get_mut("oneOf") {
            body["schema"] = either.swap_remove(0);
        }
        body["example"] = request(&id);
    }
    let responses = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        if let Some(content) = response["content"].get_mut(MEDIA_TYPE)
            && let Some(example) = example(status)
        {
            content["example"] = json!(example);
        }
    }
}

/// An example of the body of a request.
fn request(operation: &str) -> Value {
    match operation {
        "open_link" => json!({"paytable": "pa-657a-five-card-c", "wager": "1.00", "decks": 1,
            "ceilings": {"mega": "25000.00"}, "rounds_a_minute_max": 10}),
        "join_table" => json!({"link": "main", "game": "crazy-4-poker", "seats": 6,
            "paytable": "pa-657a-five-card-c", "wager": "1.00", "decks": 1}),
        "send_command" => json!({"coin_in": {"wagers": [{"seat": 1, "amount": "1.00"},
            {"seat": 3, "amount": "1.00", "player": "p-77"}], "dealt": [1, 2, 3]}, "by": "d-12"}),
        "accept_values" => json!({"values": [{"level": "mega", "amount": "10000.00"},
            {"level": "major", "amount": "1000.00"}, {"level": "minor", "amount": "250.00"}]}),
        "suspend_link" | "disable_level" | "disable_table" | "leave_link" => {
            json!({"reason": "shift change"})
        }
        "propose_change" => json!({"reason": "variance",
            "adjust": {"level": "mega", "account": "meter", "amount": "-1.50"}}),
        "decide_change" => json!({"decision": "decline", "note": "the camera shows a flush"}),
        "validate_hit" => json!({"decision": "approve", "cards": ["As", "Ks", "Qs", "Js", "Ts"],
            "note": "seen by both"}),
        "pay_payout" => json!({"document": "JP-000001"}),
        "evaluate" => json!({"paytable": "pa-657a-five-card-c", "wager": "1.00",
            "cards": ["As", "Ks", "Qs", "Js", "Ts"], "displayed": "12345.67"}),
        _ => json!({}),
    }
}
