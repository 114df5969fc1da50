//! Errors of bodies name the field, the place and the remedy.

use axum::body::Body;
use meterhouse_api::command::{CommandRequest, Count};
use serde::{Deserialize, Deserializer};

use super::*;

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    one: u8,
    two: Option<Box<Pair>>,
}

impl Request for Pair {
    fn read<'de, D: Deserializer<'de>>(_: &str, from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

fn error(text: &str) -> EdgeError {
    parse::<Pair>(THE_BODY, text.as_bytes()).expect_err("no pair")
}

#[test]
fn an_unknown_field_is_named_with_the_known_ones() {
    let error = error(r#"{"one":1,"tow":2}"#);
    assert_eq!(error.code, EdgeCode::UnknownField);
    assert_eq!(error.fields[0], ("field".to_owned(), "tow".to_owned()));
    assert_eq!(
        error.detail,
        "unknown field `tow`, expected `one` or `two`, at line 1 column 14"
    );
}

#[test]
fn an_object_is_read_once_for_each_field() {
    let inner = Some(Box::new(Pair { one: 2, two: None }));
    let pair = parse(THE_BODY, br#" {"two":{"one":2},"one":1} "#);
    assert_eq!(pair, Ok(Pair { one: 1, two: inner }));
}

#[test]
fn a_long_unknown_field_is_cut() {
    let error = error(&format!(r#"{{"{}":1}}"#, "x".repeat(10_000)));
    assert_eq!(error.code, EdgeCode::UnknownField);
    assert!(
        error.detail.len() < 600 && error.fields[0].1.len() == 64,
        "{error:?}"
    );
}

#[test]
fn every_other_body_is_malformed() {
    let deep = format!("{}1{}", r#"{"one":1,"two":"#.repeat(200), "}".repeat(200));
    let bodies = [
        "",
        " ",
        "x",
        "[]",
        "null",
        "1",
        "\"one\"",
        "{}",
        r#"{"one":1"#,
        r#"{"one":1}{}"#,
        r#"{"one":1}x"#,
        r#"{"one":1,"one":1}"#,
        r"{'one':1}",
        "{\"one\":1,}",
        "\u{feff}{\"one\":1}",
        &deep,
    ];
    for body in bodies {
        assert_eq!(error(body).code, EdgeCode::MalformedBody, "{body}");
    }
    let bytes = parse::<Pair>(THE_BODY, b"{\"one\":1,\"two\":\"\xff\"}").expect_err("not UTF-8");
    assert_eq!(bytes.code, EdgeCode::MalformedBody);
}

#[test]
fn json_is_json_however_it_is_announced() {
    for media_type in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/problem+json",
    ] {
        assert!(is_json(media_type), "{media_type}");
    }
    for media_type in [
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/x-www-form-urlencoded",
    ] {
        assert!(!is_json(media_type), "{media_type}");
    }
}

#[tokio::test]
async fn a_body_is_read_up_to_the_limit_and_no_further() {
    let receive = |bytes: usize| {
        let body = Body::from(vec![b' '; bytes]);
        receive_all(body, BODY_BYTES_MAX, EdgeCode::BodyTooLarge)
    };
    let full = receive(BODY_BYTES_MAX).await.map(|bytes| bytes.len());
    assert_eq!(full, Ok(BODY_BYTES_MAX));
    let over = receive(BODY_BYTES_MAX + 1).await;
    assert_eq!(
        over.map_err(|error| error.code),
        Err(EdgeCode::BodyTooLarge)
    );
}

#[test]
fn a_wrong_number_names_its_field_and_its_range() {
    for (body, sent) in [
        (r#"{"one":256}"#, "256"),
        (r#"{"one":-1}"#, "-1"),
        (r#"{"one":1.0}"#, "1.0"),
        (r#"{"one":"1"}"#, "1"),
        (r#"{"one":null}"#, "null"),
    ] {
        let error = error(body);
        assert_eq!(error.code, EdgeCode::InvalidValue, "{body}: {error}");
        assert_eq!(error.fields, [("one".to_owned(), sent.to_owned())]);
    }
    let inner = error(r#"{"one":1,"two":{"one":"x"}}"#);
    assert_eq!(
        inner.detail,
        "two.one: \"x\" is not valid: write a whole number of at most 255, in digits alone"
    );
}

/// Each advice stands once. A word of a list names all, also for a value that is no text.
#[test]
fn a_wrong_value_says_once_what_to_do() {
    let detail = |body: &str| {
        let error = parse::<CommandRequest>(THE_BODY, body.as_bytes()).expect_err("a wrong value");
        error.detail
    };
    assert_eq!(
        detail(r#"{"command":"close","by":"a b"}"#),
        "by: \"a b\" is not valid: a name is 1 to 32 letters, digits or hyphens"
    );
    assert_eq!(
        detail(r#"{"command":"close","at":"noon"}"#),
        "at: \"noon\" is not valid: write an RFC 3339 time, such as \"2026-11-21T12:00:00.000000Z\""
    );
    assert_eq!(
        detail(r#"{"command":"close","by":7}"#),
        "by: 7 is not valid: write a text in quotes, such as \"d-12\""
    );
    for body in [
        r#"{"command":"void","reason":"rain"}"#,
        r#"{"command":"void","reason":7}"#,
    ] {
        let detail = detail(body);
        assert!(detail.contains("one of misdeal, "), "{detail}");
    }
}

/// What can't be read is named with its remedy: its encoding, its place, or the type of its value.
#[test]
fn what_is_no_request_says_what_it_is() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let object = "write an object with its fields, { … }";
    for (bytes, detail) in [
        (Vec::new(), format!("the body is empty: {object}")),
        (b" \r\n".to_vec(), format!("the body is empty: {object}")),
        (
            "\u{feff}{\"one\":1}".into(),
            "the body begins with a byte order mark: save it as UTF-8 without one".into(),
        ),
        (
            utf16("\u{feff}{}"),
            "the body is UTF-16: save it as UTF-8".into(),
        ),
        (utf16("{}"), "the body is UTF-16: save it as UTF-8".into()),
        (
            b"{\"one\":1,\"\xe9\":2}".to_vec(),
            "the body is not UTF-8, at line 1 column 11: save it as UTF-8".into(),
        ),
        (
            b"{\"one\":1".to_vec(),
            "the body ends too early, at line 1 column 8: write the rest of it".into(),
        ),
        (
            b"{\"one\":1,}".to_vec(),
            "the body is not one JSON value: trailing comma, at line 1 column 10: correct it there"
                .into(),
        ),
        (
            b"{}".to_vec(),
            "one is missing: write \"one\" and its value, at line 1 column 2".into(),
        ),
        (
            b"{\"one\":1,\"two\":{}}".to_vec(),
            "two.one is missing: write \"one\" and its value, at line 1 column 17".into(),
        ),
        (
            b"{\"one\":1,\"one\":1}".to_vec(),
            "one comes twice: write it once, at line 1 column 14".into(),
        ),
        (
            b"{\"one\":\"1\"}".to_vec(),
            "one: \"1\" is not valid: write 1 without quotes".into(),
        ),
        (
            b"{\"one\":256}".to_vec(),
            "one: 256 is not valid: write a whole number of at most 255, in digits alone".into(),
        ),
    ] {
        let error = parse::<Pair>(THE_BODY, &bytes).expect_err("no pair");
        assert_eq!(error.detail, detail, "{}", bytes.escape_ascii());
    }
}

/// A wrong type in a command is named with what to write.
#[test]
fn a_wrong_type_in_a_command_says_what_to_write() {
    let error = command_error(r#"{"command":1}"#);
    assert_eq!(
        (error.code, error.detail.as_str()),
        (
            EdgeCode::MalformedBody,
            "command: 1 is not valid: write a text in quotes, at line 1 column 12"
        )
    );
    let error = command_error("[]");
    assert_eq!(
        error.detail,
        "the body: a list is not valid: write an object with its fields, { … }, at line 1 column 0"
    );
    let error = command_error(r#"{"command":"coin_in","wagers":{},"dealt":[1]}"#);
    assert!(
        error
            .detail
            .starts_with("wagers: an object is not valid: write a list, [ … ], at "),
        "{error}"
    );
}

fn command_error(text: &str) -> EdgeError {
    parse::<CommandRequest>(THE_BODY, text.as_bytes()).expect_err("no command")
}

#[test]
fn a_command_is_named_before_or_after_its_fields() {
    let count = Count { chips: 3 };
    for body in [
        r#"{"command":"count","chips":3}"#,
        r#"{"chips":3,"command":"count"}"#,
    ] {
        let read: CommandRequest = parse(THE_BODY, body.as_bytes()).expect(body);
        assert_eq!(
            read.command,
            meterhouse_api::command::Command::Count(count.clone())
        );
    }
}

#[test]
fn a_body_without_a_known_command_says_how_to_name_one() {
    let unknown = command_error(r#"{"command":"raise"}"#);
    assert_eq!(unknown.code, EdgeCode::InvalidValue);
    assert!(
        unknown
            .detail
            .starts_with(r#"command: "raise" is not valid: write one of coin_in, count"#)
    );
    let missing = command_error(r#"{"chips":3}"#);
    assert_eq!(missing.code, EdgeCode::MalformedBody);
    assert!(
        missing
            .detail
            .starts_with("command is missing: write one of coin_in")
    );
    let keyed = command_error(r#"{"count":{"chips":3}}"#);
    assert_eq!(keyed.code, EdgeCode::UnknownField);
    assert_eq!(keyed.fields, [("field".to_owned(), "count".to_owned())]);
    for body in [
        r#"{"command":1}"#,
        r#"{"command":"close","command":"close"}"#,
        "[]",
        r#"["close"]"#,
    ] {
        assert_eq!(command_error(body).code, EdgeCode::MalformedBody, "{body}");
    }
}
