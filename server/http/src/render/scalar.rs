//! Money and times in an answer, and how the document describes them.

use std::borrow::Cow;

use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_edge::timestamp;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

/// Dollars as a decimal string: two decimals, or as many as an exact balance needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Amount(pub(crate) Money);

impl Amount {
    /// An exact amount from the micro-dollars of a row.
    pub(crate) const fn from_micros(micros: i64) -> Self {
        Self(Money::from_micros(micros))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^-?[0-9]+\.[0-9]{2,6}$"))
            .description(Some("Dollars; what is shown or paid has two decimals"))
            .examples(["10000.27"]);
        RefOr::T(Schema::Object(object.build()))
    }
}

impl ToSchema for Amount {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Amount")
    }
}

/// A moment, RFC 3339, UTC, microseconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct At(pub(crate) Timestamp);

impl At {
    /// A moment from the microseconds of a row.
    pub(crate) const fn from_micros(micros: i64) -> Self {
        Self(Timestamp(micros))
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&timestamp::text(self.0))
    }
}

impl PartialSchema for At {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("RFC 3339, UTC, microseconds"))
            .examples(["2026-11-21T12:00:00.000000Z"]);
        RefOr::T(Schema::Object(object.build()))
    }
}

impl ToSchema for At {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Moment")
    }
}
