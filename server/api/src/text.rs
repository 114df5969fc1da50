//! Values as JSON strings: one generic type that reads, writes and describes them.
//!
//! # Shape
//! [`Text<T>`](Text) holds a value of the rules. [`TextForm`] says how the value is written. A wrong text is an
//! [`InvalidValue`] with the stable code of its kind.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::str::FromStr;
use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Maximum number of characters of a wrong value that an error repeats.
pub const SHOWN_MAX: usize = 64;
/// Words of serde before the form that a value of another JSON type should have had.
const EXPECTED: &str = ", expected ";

/// Returns a value as an error repeats it.
pub fn shown(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

/// Returns a value of another JSON type as an error repeats it, from serde's words for it.
pub fn found(words: &str) -> String {
    match words {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        words => {
            let text = words.strip_prefix("string ").or(words.split('`').nth(1));
            shown(text.unwrap_or(words))
        }
    }
}

/// A JSON value that is not a value of its field's kind.
///
/// Its text is `code: detail`. Parsers keep only the text of an error, so [`InvalidValue::from_message`] reads the code
/// from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidValue {
    /// Stable code of the error, such as `invalid_amount`.
    pub code: Cow<'static, str>,
    /// Wrong value and advice for the sender.
    pub detail: String,
}

impl InvalidValue {
    /// Returns an error with this code and advice.
    pub fn new(code: &'static str, detail: impl fmt::Display) -> Self {
        Self {
            code: Cow::Borrowed(code),
            detail: detail.to_string(),
        }
    }

    /// Returns the error with the value that was found in front of its advice.
    fn of(mut self, found: impl fmt::Display) -> Self {
        self.detail = format!("{found} is not valid: {}", self.detail);
        self
    }

    /// Returns the error in a parser's message, if the value of a [`Text`] caused the message.
    pub fn from_message(message: &str) -> Option<Self> {
        let other_type = message
            .strip_prefix("invalid type: ")
            .and_then(|rest| rest.rsplit_once(EXPECTED));
        let text = other_type.map_or(message, |(_, text)| text);
        let (code, detail) = text.split_once(": ")?;
        let is_code = code
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if !is_code || !code.contains('_') {
            return None;
        }
        let error = Self {
            code: Cow::Owned(code.to_owned()),
            detail: detail.to_owned(),
        };
        Some(match other_type {
            Some((words, _)) => error.of(found(words)),
            None => error,
        })
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for InvalidValue {}

/// The text form of a kind of value.
pub trait TextForm: Sized {
    /// Name of the schema in the `OpenAPI` document.
    const NAME: &'static str;
    /// Stable code of the error for a wrong text.
    const CODE: &'static str;

    /// Reads a text.
    ///
    /// # Errors
    /// [`InvalidValue`] if the text is not a value of this kind.
    fn read(text: &str) -> Result<Self, InvalidValue>;

    /// Writes the value.
    ///
    /// # Errors
    /// Only those of the formatter.
    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Returns the schema.
    fn schema() -> Object;
}

/// A value of the rules as a JSON string.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<T>(pub T);

impl<T> From<T> for Text<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Text<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: TextForm> fmt::Display for Text<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(out)
    }
}

impl<T: TextForm> FromStr for Text<T> {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let read = T::read(text).map(Self);
        read.map_err(|error| error.of(format_args!("{:?}", shown(text))))
    }
}

impl<T: TextForm> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de, T: TextForm> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(TextVisitor(PhantomData))
    }
}

impl<T: TextForm> PartialSchema for Text<T> {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(T::schema()))
    }
}

impl<T: TextForm> ToSchema for Text<T> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(T::NAME)
    }
}

/// Reads a JSON string.
struct TextVisitor<T>(PhantomData<T>);

impl<T: TextForm> Visitor<'_> for TextVisitor<T> {
    type Value = Text<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: write a text in quotes", T::CODE)?;
        let schema = T::schema();
        let words = schema.enum_values.unwrap_or_default();
        let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
        if !words.is_empty() {
            return write!(out, ", one of {}", words.join(", "));
        }
        match schema.examples.first() {
            Some(example) => write!(out, ", such as {example}"),
            None => Ok(()),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<T>, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::command::VoidReason;
    use meterhouse_domain::ids::TableName;
    use meterhouse_domain::money::Money;

    use super::*;

    fn refused<T: TextForm + fmt::Debug>(json: &str) -> InvalidValue {
        let error = serde_json::from_str::<Text<T>>(json).expect_err(json);
        InvalidValue::from_message(&error.to_string()).expect(json)
    }

    #[test]
    fn a_text_is_read_as_it_is_written() {
        let amount: Text<Money> = serde_json::from_str("\"-1.50\"").expect("an amount");
        assert_eq!(amount, Text(Money::from_micros(-1_500_000)));
        assert_eq!(serde_json::to_string(&amount).expect("plain"), "\"-1.50\"");
    }

    #[test]
    fn a_wrong_text_has_the_code_of_its_kind() {
        assert_eq!(refused::<Money>("\"$1\"").code, "invalid_amount");
        assert_eq!(refused::<TableName>("\"a b\"").code, "invalid_name");
    }

    #[test]
    fn a_value_of_another_json_type_has_the_code_of_its_kind() {
        for json in ["1", "1.0", "-1", "true", "null", "[]", "{}"] {
            assert_eq!(refused::<Money>(json).code, "invalid_amount", "{json}");
            assert_eq!(refused::<TableName>(json).code, "invalid_name", "{json}");
        }
    }

    #[test]
    fn a_value_of_another_json_type_names_the_words() {
        let detail = refused::<VoidReason>("1").detail;
        assert!(
            detail.starts_with("1 is not valid: write a text in quotes, one of misdeal, "),
            "{detail}"
        );
        for (json, found) in [
            ("1", "1"),
            ("1.5", "1.5"),
            ("true", "true"),
            ("null", "null"),
            ("[]", "a list"),
            ("{}", "an object"),
        ] {
            let detail = refused::<Money>(json).detail;
            let says =
                format!("{found} is not valid: write a text in quotes, such as \"10000.27\" at");
            assert!(detail.starts_with(&says), "{detail}");
        }
    }

    #[test]
    fn other_messages_have_no_code() {
        for message in [
            "missing field `one`",
            "invalid type: integer `1`, expected a boolean",
            "unknown field `one`, expected `two`",
            "EOF while parsing",
            "duplicate field `one`",
        ] {
            assert_eq!(InvalidValue::from_message(message), None, "{message}");
        }
    }
}
