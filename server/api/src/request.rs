//! Strict reading of requests: objects only, no unknown field, every field once.
//!
//! # Shape
//! A request implements [`Request`]. Plain objects do so by `objects!`. A union reads its tag first, and then the fields
//! of that variant with [`flat`]. That keeps the field paths, which serde loses in a tagged enum.
//!
//! # Limits
//! A [`List`] has at most [`LIST_MAX`] entries, or fewer if its type says so.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use std::borrow::Cow;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::{Serialize, Serializer};

use crate::text::InvalidValue;

/// Maximum number of entries in a list of a request: four times the seats of the largest layout.
pub const LIST_MAX: usize = 64;

/// The body of a request.
pub trait Request: Sized {
    /// Name of the field that names the variant, if the request is a union.
    const TAG: Option<&'static str> = None;
    /// Names of the variants.
    const VARIANTS: &'static [&'static str] = &[];

    /// Reads the request; of a union, the variant of this name.
    ///
    /// # Errors
    /// Those of the deserializer, with [`InvalidValue`] as its custom error.
    fn read<'de, D: Deserializer<'de>>(variant: &str, from: D) -> Result<Self, D::Error>;
}

/// Implements strict reading for structs that are marked `#[serde(remote = "Self", deny_unknown_fields)]`.
///
/// `serde` alone would read such a struct from a list as well.
macro_rules! objects {
    ($($name:ident)+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct ObjectVisitor;

                impl<'de> serde::de::Visitor<'de> for ObjectVisitor {
                    type Value = $name;

                    fn expecting(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        out.write_str("an object")
                    }

                    fn visit_map<A>(self, map: A) -> Result<$name, A::Error>
                    where
                        A: serde::de::MapAccess<'de>,
                    {
                        $name::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }

                from.deserialize_map(ObjectVisitor)
            }
        }

        impl $crate::request::Request for $name {
            fn read<'de, D: serde::Deserializer<'de>>(_: &str, from: D) -> Result<Self, D::Error> {
                <Self as serde::Deserialize>::deserialize(from)
            }
        }
    )+};
}
pub(crate) use objects;

/// Fields that all variants of a union share.
pub trait SharedFields: Default {
    /// Reads the value of this field, if the field is a shared one. Returns false if not.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn take<'de, A: MapAccess<'de>>(&mut self, field: &str, map: &mut A) -> Result<bool, A::Error>;
}

/// Reads an object whose fields are the tag, the shared fields `S` and those of the variant `T`, in any order.
///
/// # Errors
/// Those of the deserializer.
pub fn flat<'de, D, S, T>(tag: &'static str, from: D) -> Result<(S, T), D::Error>
where
    D: Deserializer<'de>,
    S: SharedFields,
    T: Deserialize<'de>,
{
    from.deserialize_map(FlatVisitor(tag, PhantomData))
}

struct FlatVisitor<S, T>(&'static str, PhantomData<(S, T)>);

impl<'de, S: SharedFields, T: Deserialize<'de>> Visitor<'de> for FlatVisitor<S, T> {
    type Value = (S, T);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(S, T), A::Error> {
        let mut shared = S::default();
        let own = OwnFields {
            map,
            tag: self.0,
            shared: &mut shared,
        };
        let own = T::deserialize(MapAccessDeserializer::new(own))?;
        Ok((shared, own))
    }
}

/// The fields of a variant, without the tag and the shared fields.
struct OwnFields<'a, A, S> {
    map: A,
    tag: &'static str,
    shared: &'a mut S,
}

impl<'de, A: MapAccess<'de>, S: SharedFields> MapAccess<'de> for OwnFields<'_, A, S> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(field) = self.map.next_key::<Cow<'de, str>>()? {
            if field == self.tag {
                self.map.next_value::<IgnoredAny>()?;
            } else if !self.shared.take(&field, &mut self.map)? {
                return seed.deserialize(field.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Reads a shared field into its place.
///
/// # Errors
/// `duplicate field` if the field was there before.
pub(crate) fn take_once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    place: &mut Option<T>,
    field: &'static str,
    map: &mut A,
) -> Result<bool, A::Error> {
    if place.is_some() {
        return Err(A::Error::duplicate_field(field));
    }
    *place = map.next_value()?;
    Ok(true)
}

/// Returns the error for a variant that a union doesn't have.
pub(crate) fn unknown_variant<T: Request>() -> InvalidValue {
    InvalidValue::new(
        "invalid_value",
        format_args!("write one of {}", T::VARIANTS.join(", ")),
    )
}

/// A list of a request, with at most `MOST` entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List<T, const MOST: usize = LIST_MAX>(pub Vec<T>);

impl<T, const MOST: usize> From<Vec<T>> for List<T, MOST> {
    fn from(entries: Vec<T>) -> Self {
        Self(entries)
    }
}

impl<T, const MOST: usize> Deref for List<T, MOST> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Serialize, const MOST: usize> Serialize for List<T, MOST> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for ListVisitor<T, MOST> {
    type Value = List<T, MOST>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            if list.len() == MOST {
                let detail = format_args!("a list has at most {MOST} entries").to_string();
                return Err(A::Error::custom(InvalidValue::new("invalid_value", detail)));
            }
            list.push(entry);
        }
        Ok(List(list))
    }
}

#[cfg(test)]
mod tests;
