//! The errors of JSON that is no request: the place and path of the first thing that can't be read, and the remedy.

use meterhouse_api::text::{InvalidValue, found};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, shown};
use meterhouse_edge::wire_error::EdgeError;
use serde_json::de::SliceRead;
use serde_json::error::Category;
use serde_json::{Error, Value};
use serde_path_to_error::{Path, Segment, Track};

/// Maximum number of characters of a parser's message that an error repeats: enough for the longest list of known fields.
const MESSAGE_MAX: usize = 512;
/// Integer types in serde's messages, with their maximum.
const INTEGERS: [(&str, u64); 3] = [
    ("u8", u8::MAX as u64),
    ("u32", u32::MAX as u64),
    ("u64", u64::MAX),
];

/// Remedy for a text without an object.
const AN_OBJECT: &str = "an object with its fields, { … }";

/// A deserializer that tracks the path of what it reads.
pub(super) type Tracked<'a, 'b> =
    serde_path_to_error::Deserializer<'a, 'b, &'a mut serde_json::Deserializer<SliceRead<'b>>>;

/// Returns the error of a text with the path of its field, which is found by reading the text again.
pub(super) fn explained(
    source: &str,
    bytes: &[u8],
    error: &Error,
    again: impl FnOnce(Tracked<'_, '_>) -> Option<Error>,
) -> EdgeError {
    let mut track = Track::new();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let failed = again(tracked);
    let error = failed.as_ref().unwrap_or(error);
    let place = format!("line {} column {}", error.line(), error.column());
    let detail = match error.classify() {
        Category::Data => {
            let body = serde_json::from_slice(bytes).unwrap_or_default();
            return refused(source, error, &track.path(), &body);
        }
        _ if bytes.iter().all(u8::is_ascii_whitespace) => {
            format!("{source} is empty: write {AN_OBJECT}")
        }
        _ if bytes.starts_with(b"\xef\xbb\xbf") => {
            format!("{source} begins with a byte order mark: save it as UTF-8 without one")
        }
        _ if is_utf16(bytes) => format!("{source} is UTF-16: save it as UTF-8"),
        _ if std::str::from_utf8(bytes).is_err() => {
            format!("{source} is not UTF-8, at {place}: save it as UTF-8")
        }
        Category::Eof => format!("{source} ends too early, at {place}: write the rest of it"),
        Category::Io | Category::Syntax => {
            let message = without_place(error, &place);
            format!("{source} is not one JSON value: {message}, at {place}: correct it there")
        }
    };
    EdgeError::because(EdgeCode::MalformedBody, detail).with("place", place)
}

/// Returns true for a text that begins as UTF-16 does: with its mark, or with a zero byte in the first character.
fn is_utf16(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, ..] | [_, 0, ..]
    )
}

/// Returns a parser's message without its end, which is the place.
fn without_place(error: &Error, place: &str) -> String {
    let whole = error.to_string();
    let message = whole.strip_suffix(&format!(" at {place}"));
    message.unwrap_or(&whole).to_owned()
}

/// Returns the error for JSON that is no request, at a path.
fn refused(source: &str, error: &Error, path: &Path, body: &Value) -> EdgeError {
    let place = format!("line {} column {}", error.line(), error.column());
    let message = without_place(error, &place);
    if let Some(error) = wrong_value(&message, path, body) {
        return error;
    }
    let message: String = message.chars().take(MESSAGE_MAX).collect();
    if let Some(field) = unknown_field(&message) {
        let detail = format_args!("{message}, at {place}");
        let error = EdgeError::because(EdgeCode::UnknownField, detail);
        return error.with("field", shown(field)).with("place", place);
    }
    let field = field_of(path);
    let detail = match (malformed(&message), named(&message), &field) {
        (Some(detail), _, _) => format!("{}: {detail}", field.as_deref().unwrap_or(source)),
        (None, Some((name, what)), Some(field)) => format!("{field}.{name} {what}"),
        (None, Some((name, what)), None) => format!("{name} {what}"),
        (None, None, Some(field)) => format!("{field}: {message}"),
        (None, None, None) => message,
    };
    let detail = format!("{detail}, at {place}");
    EdgeError::because(EdgeCode::MalformedBody, detail).with("place", place)
}

/// Returns the error of a value that is not one of its field, if the message is about a value.
fn wrong_value(message: &str, path: &Path, body: &Value) -> Option<EdgeError> {
    let field = field_of(path)?;
    let sent = sent_value(path, body);
    let text = match sent {
        Some(Value::String(text)) => shown(text),
        Some(value) => shown(&value.to_string()),
        None => String::new(),
    };
    if let Some(invalid) = InvalidValue::from_message(message) {
        EdgeCode::from_code(&invalid.code)?;
        return Some(value::refused(&field, &text, &invalid));
    }
    let is_wrong = message.starts_with("invalid type: ") || message.starts_with("invalid value: ");
    let (_, expected) = message.rsplit_once(", expected ").filter(|_| is_wrong)?;
    let (_, most) = INTEGERS.iter().find(|(name, _)| *name == expected)?;
    let number: Option<u64> = sent
        .and_then(Value::as_str)
        .and_then(|text| text.parse().ok());
    let instead = match number {
        Some(number) if number <= *most => format!("write {number} without quotes"),
        _ => format!("write a whole number of at most {most}, in digits alone"),
    };
    let written = sent
        .map(|sent| shown(&sent.to_string()))
        .unwrap_or_default();
    let detail = format!("{field}: {written} is not valid: {instead}");
    Some(EdgeError::because(EdgeCode::InvalidValue, detail).with(&field, text))
}

/// Returns the detail for a value of a JSON type that its field doesn't have.
fn malformed(message: &str) -> Option<String> {
    let (words, expected) = message
        .strip_prefix("invalid type: ")?
        .rsplit_once(", expected ")?;
    let instead = match expected {
        "an object" | "a map" => AN_OBJECT,
        "a list" => "a list, [ … ]",
        "a boolean" => "true or false, without quotes",
        "a string" => "a text in quotes",
        _ => return None,
    };
    Some(format!("{} is not valid: write {instead}", found(words)))
}

/// Returns the name of a field that is missing or comes twice, and its remedy.
fn named(message: &str) -> Option<(&str, String)> {
    let name = message.split('`').nth(1)?;
    if message.starts_with("missing field ") {
        return Some((name, format!("is missing: write \"{name}\" and its value")));
    }
    let comes_twice = message.starts_with("duplicate field ");
    comes_twice.then(|| (name, "comes twice: write it once".to_owned()))
}

/// Returns the path as a field: `wagers[0].amount`; `None` for the whole body.
fn field_of(path: &Path) -> Option<String> {
    let field = path.to_string();
    (field != ".").then_some(field)
}

/// Returns the value at a path.
fn sent_value<'a>(path: &Path, body: &'a Value) -> Option<&'a Value> {
    path.iter().try_fold(body, |value, segment| match segment {
        Segment::Seq { index } => value.get(index),
        Segment::Map { key } => value.get(key),
        Segment::Enum { .. } | Segment::Unknown => None,
    })
}

/// Returns the field in serde's message about an unknown one.
fn unknown_field(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("unknown field `")?;
    Some(rest.split_once("`, ").map_or(rest, |(field, _)| field))
}
