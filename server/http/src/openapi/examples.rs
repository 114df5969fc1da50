//! Examples of the bodies of requests.

use serde_json::{Value, json};

/// Returns an example of the body of an operation's request.
pub(super) fn body(operation: &str) -> Value {
    match operation {
        "open_link" => json!({"paytable": "pa-657a-five-card-c", "wager": "1.00", "decks": 1,
            "ceilings": {"mega": "25000.00"}, "rounds_a_minute_max": 10}),
        "join_table" => json!({"link": "main", "game": "crazy-4-poker", "seats": 6,
            "paytable": "pa-657a-five-card-c", "wager": "1.00", "decks": 1}),
        "send_command" => json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"},
            {"seat": 3, "amount": "1.00", "player": "p-77"}], "dealt": [1, 2, 3], "by": "d-12"}),
        "accept_values" => json!({"values": [{"level": "mega", "amount": "10000.00"},
            {"level": "major", "amount": "1000.00"}, {"level": "minor", "amount": "250.00"}]}),
        "suspend_link" | "disable_level" | "disable_table" | "leave_link" => {
            json!({"reason": "shift change"})
        }
        "propose_change" => json!({"change": "adjust", "level": "mega", "account": "meter",
            "amount": "-1.50", "reason": "variance"}),
        "decide_change" => json!({"decision": "decline", "note": "the camera shows a flush"}),
        "validate_hit" => json!({"decision": "approve", "cards": ["As", "Ks", "Qs", "Js", "Ts"],
            "note": "seen by both"}),
        "pay_payout" => json!({"document": "JP-000001"}),
        "reprint_slip" => json!({"reason": "the printer jammed"}),
        "evaluate" => json!({"paytable": "pa-657a-five-card-c", "wager": "1.00",
            "cards": ["As", "Ks", "Qs", "Js", "Ts"], "displayed": "12345.67"}),
        _ => json!({}),
    }
}
