//! Fields of requests that go together, as conditions that generators ignore and validators check.

use serde_json::{Value, json};

/// Requests with a seat's hand or the dealer's.
const HELD: [&str; 4] = [
    "HitRequest",
    "BonusRequest",
    "LateHitProposal",
    "LateHitChange",
];

/// Adds the conditions.
pub(super) fn add(schemas: &mut Value) {
    for name in HELD {
        let no_seat = json!({"properties": {"seat": {"type": "null"}}});
        let a_seat = json!({"required": ["seat"], "properties": {"seat": {"type": "integer"}}});
        when(schemas, name, "dealer", &json!(true), no_seat, a_seat);
    }
    let approved = json!({"properties": {"resettle": {"enum": [false, null]}}});
    let rejected = json!({"properties": {"cards": {"type": "null"}}});
    let approve = json!("approve");
    when(
        schemas,
        "ValidationRequest",
        "decision",
        &approve,
        approved,
        rejected,
    );
    let approved = json!({"properties": {"note": {"type": "null"}}});
    let declined = json!({"required": ["note"], "properties": {"note": {"type": "string"}}});
    when(
        schemas,
        "ProposalDecisionRequest",
        "decision",
        &approve,
        approved,
        declined,
    );
}

/// Adds a condition on the value of a field.
fn when(schemas: &mut Value, name: &str, field: &str, is: &Value, then: Value, otherwise: Value) {
    let pointer = format!("/{name}");
    let condition = json!({"required": [field], "properties": {(field): {"const": is}}});
    set(schemas, &pointer, "if", condition);
    set(schemas, &pointer, "then", then);
    set(schemas, &pointer, "else", otherwise);
}

/// Sets a member of the object at a pointer, if there is one.
pub(super) fn set(value: &mut Value, pointer: &str, member: &str, to: Value) {
    if let Some(Value::Object(found)) = value.pointer_mut(pointer) {
        found.insert(member.to_owned(), to);
    }
}
