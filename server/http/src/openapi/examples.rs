//! Examples of the bodies of requests.

use serde_json::{Value, json};

/// First head of the link `main` of another house, as the house signed it.
const WITNESSED_BYTES: &str = "4d48484541440d0a016d1c6f0e9b7e4d5c8f3a2b1c0d9e8f7000000001000000046d61696e0000000000000001000000\
    000000000000000000000000000000000000000000000000000000000000000000000000079414886b1ebf025db067a4\
    cbd13a0903fbd9733a5372bba1b58bd72c1699b7984813494d137e1631bba301d5acab6e7bb7aa74ce1185d456565ef5\
    1d737677b2000660c819a17000";
const WITNESSED_KEY: &str = "6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1";
const WITNESSED_SIGNATURE: &str = "c39196761f1e70794df34b276b610c8f6bedf3ec423b5e8bae4f7a2d96fe0e78ffa6fd319c268c739b60621609685ed1\
    e27bc4e75b226484670bc2ea8b1d2506";

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
        "present_link" => json!({"name": "Northern Crown", "celebration": "hit", "theme": "neon",
            "locale": "es-MX"}),
        "put_theme" => json!({"base": "gold", "name": "Crown Room", "locale": "en-US",
            "colours": {"ground": "#2a1030", "edge": "#0c0510", "line": "#d9a94a"},
            "levels": [{"name": "Grand", "colour": "#ffd98a"}, {"colour": "#e6d6ff"}]}),
        "present_table" => json!({"pit": "Pit 3"}),
        "suspend_link" | "disable_level" | "disable_table" | "leave_link" => {
            json!({"reason": "shift change"})
        }
        "clear_exception" => json!({"reason": "counted again with the dealer"}),
        "sign_off_closing" => json!({"note": "slips in the safe"}),
        "propose_change" => json!({"change": "adjust", "level": "mega", "account": "meter",
            "amount": "-1.50", "reason": "variance"}),
        "decide_change" => json!({"decision": "decline", "note": "the camera shows a flush"}),
        "validate_hit" => json!({"decision": "approve", "cards": ["As", "Ks", "Qs", "Js", "Ts"],
            "note": "seen by both"}),
        "pay_payout" => json!({"document": "JP-000001"}),
        "deposit_head" => json!({"bytes": WITNESSED_BYTES, "public_key": WITNESSED_KEY,
            "signature": WITNESSED_SIGNATURE}),
        "reprint_slip" => json!({"reason": "the printer jammed"}),
        "evaluate" => json!({"paytable": "pa-657a-five-card-c", "wager": "1.00",
            "cards": ["As", "Ks", "Qs", "Js", "Ts"], "displayed": "12345.67"}),
        "settle_round" => settled_round(),
        "log_in" => json!({"name": "ana", "password": "correct horse battery"}),
        "set_password" => json!({"name": "ana", "code": "3f1c", "new": "correct horse battery"}),
        "set_second_factor" => {
            json!({"secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "code": "287082"})
        }
        "set_pin" => json!({"pin": "4711", "password": "correct horse battery"}),
        "subscribe_push" => json!({"endpoint": "https://push.example/wpush/v2/abc",
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg"}),
        "sign" => json!({"name": "lee", "pin": "4711"}),
        "admit_person" => json!({"name": "lee", "role": "supervisor", "department": "floor",
            "rights": "validate"}),
        "end_access" => json!({"reason": "left the house"}),
        "open_pairing" => json!({"key": "5e".repeat(32)}),
        "pair_screen" => json!({"code": "4HK7QD", "links": ["main"]}),
        "acknowledge_shown" => {
            json!({"shown": [{"link": "main", "batch": 1, "levels": [{"level": "mega",
            "amount": "10000.00"}]}]})
        }
        "create_token" => json!({"name": "C4P-07", "role": "controller", "table": "C4P-07"}),
        _ => json!({}),
    }
}

/// Returns a round of Crazy 4 Poker: the dealer has a pair of kings, one player three aces, and one folded.
fn settled_round() -> Value {
    json!({
        "game": "crazy-4-poker", "jurisdiction": "PA",
        "terms": {"minimum": "5.00", "step": "0.50"},
        "tables": ["pa-657a-ante-play", "pa-657a-super-bonus", "pa-657a-queens-up-a", "pa-657a-six-card-bonus-a"],
        "dealer": ["Kh", "Ks", "9d", "5c", "2h"],
        "bonus": ["7h"],
        "seats": [
            {"seat": 1, "player": "p-77", "cards": ["As", "Ad", "Ah", "7d", "3c"], "wagers": [
                {"wager": "ante", "amount": "10.00"}, {"wager": "super-bonus", "amount": "10.00"},
                {"wager": "play", "amount": "30.00"}, {"wager": "queens-up", "amount": "5.00"},
                {"wager": "six-card-bonus", "amount": "5.00"}]},
            {"seat": 4, "cards": ["Kc", "9s", "7s", "5h", "3d"], "end": "folded", "wagers": [
                {"wager": "ante", "amount": "10.00"}, {"wager": "super-bonus", "amount": "10.00"}]},
        ],
    })
}
