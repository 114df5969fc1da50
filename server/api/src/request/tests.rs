//! Requests are read strictly: unions, objects and lists.

use serde_json::json;

use super::*;
use crate::command::{Command, CommandRequest, Count, Wager};

fn command(variant: &str, body: &str) -> Result<CommandRequest, String> {
    let mut json = serde_json::Deserializer::from_str(body);
    CommandRequest::read(variant, &mut json).map_err(|error| error.to_string())
}

#[test]
fn a_union_is_read_with_its_fields_in_any_order() {
    let expected = CommandRequest {
        by: Some("d-12".parse().expect("a badge")),
        ..Command::Count(Count { chips: 3 }).into()
    };
    for body in [
        r#"{"command":"count","chips":3,"by":"d-12"}"#,
        r#"{"chips":3,"by":"d-12","command":"count"}"#,
        r#"{"by":"d-12","at":null,"chips":3,"command":"count"}"#,
    ] {
        assert_eq!(command("count", body), Ok(expected.clone()), "{body}");
        assert_eq!(
            serde_json::from_str::<CommandRequest>(body).ok(),
            Some(expected.clone())
        );
    }
    let written = serde_json::to_value(&expected).expect("plain data");
    assert_eq!(
        written,
        json!({"command": "count", "chips": 3, "by": "d-12"})
    );
}

#[test]
fn unknown_and_repeated_fields_of_a_union_are_refused() {
    for (body, message) in [
        (
            r#"{"command":"count","chips":3,"color":1}"#,
            "unknown field `color`",
        ),
        (
            r#"{"command":"count","chips":3,"chips":4}"#,
            "duplicate field `chips`",
        ),
        (
            r#"{"command":"count","chips":3,"by":"a","by":"b"}"#,
            "duplicate field `by`",
        ),
        (r#"{"command":"count"}"#, "missing field `chips`"),
        (r#"["count",3]"#, "expected an object"),
    ] {
        let error = command("count", body).expect_err(body);
        assert!(error.contains(message), "{body}: {error}");
    }
    assert!(
        command("raise", "{}")
            .expect_err("no variant")
            .starts_with("invalid_value: write one of coin_in")
    );
}

#[test]
fn a_list_is_no_object() {
    assert!(serde_json::from_str::<Wager>(r#"{"seat":1,"amount":"1.00"}"#).is_ok());
    assert!(serde_json::from_str::<Wager>(r#"[1,"1.00",null,null]"#).is_err());
}

#[test]
fn a_list_is_bounded() {
    let list = |count: usize| serde_json::from_value::<List<u8>>(json!(vec![1; count]));
    assert_eq!(list(LIST_MAX).map(|list| list.len()).ok(), Some(LIST_MAX));
    let error = list(LIST_MAX + 1).expect_err("too long").to_string();
    assert_eq!(error, "invalid_value: a list has at most 64 entries");
}
