//! The number of a table's command.

use core::fmt;
use core::str::FromStr;
use std::borrow::Cow;

use meterhouse_domain::ids::Sequence;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::text::InvalidValue;

/// Stable code of the error for a number that no table can use.
const CODE: &str = "invalid_sequence";
/// Advice for the sender of such a number.
const ADVICE: &str =
    "number the commands of a table from 1 to 9223372036854775807, without leading zeros";

/// The number of a table's command, from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SequenceNumber(pub Sequence);

impl SequenceNumber {
    fn new(number: u64) -> Result<Self, InvalidValue> {
        if (1..=Sequence::MAX).contains(&number) {
            Ok(Self(Sequence(number)))
        } else {
            Err(InvalidValue::new(CODE, ADVICE))
        }
    }
}

impl FromStr for SequenceNumber {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let number: Option<u64> = text.parse().ok();
        let number = number.filter(|number| number.to_string() == text);
        Self::new(number.unwrap_or_default())
    }
}

impl Serialize for SequenceNumber {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.0.0)
    }
}

impl<'de> Deserialize<'de> for SequenceNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_u64(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = SequenceNumber;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{CODE}: {ADVICE}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<SequenceNumber, E> {
        SequenceNumber::new(number).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<SequenceNumber, E> {
        SequenceNumber::new(u64::try_from(number).unwrap_or_default()).map_err(E::custom)
    }
}

impl PartialSchema for SequenceNumber {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(1))
            .maximum(Some(Sequence::MAX))
            .description(Some("Number of a table's command"));
        RefOr::T(Schema::Object(object.build()))
    }
}

impl ToSchema for SequenceNumber {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Sequence")
    }
}
