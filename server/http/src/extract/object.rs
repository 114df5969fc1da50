//! A JSON object and nothing else: `serde` alone would read a struct from a list as well, and a map from an object
//! that names a field twice.
//!
//! # What bounds it
//! [`Members`] has at most [`LIST_MAX`] of them.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::LIST_MAX;

/// A value that was sent as an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ObjectOf(PhantomData))
    }
}

struct ObjectOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectOf<T> {
    type Value = Object<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// An object whose fields are not known beforehand, each named once, in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Members<T>(pub(crate) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(MembersOf(PhantomData))
    }
}

struct MembersOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MembersOf<T> {
    type Value = Members<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<T>, A::Error> {
        let mut members: Vec<(String, T)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, T>()? {
            if members.iter().any(|(known, _)| *known == name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            if members.len() >= LIST_MAX {
                return Err(A::Error::custom(format_args!(
                    "more than {LIST_MAX} fields"
                )));
            }
            members.push((name, value));
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(String, u8)>> {
        serde_json::from_str::<Members<u8>>(text)
            .ok()
            .map(|it| it.0)
    }

    #[test]
    fn fields_that_nobody_knows_beforehand_are_each_named_once() {
        let two = [("b".to_owned(), 1), ("a".to_owned(), 2)];
        assert_eq!(read(r#"{"b":1,"a":2}"#), Some(two.to_vec()));
        assert_eq!(read("{}"), Some(Vec::new()));
        for text in [
            r#"{"a":1,"a":1}"#,
            "[]",
            r#"[["a",1]]"#,
            "null",
            r#"{"a":"1"}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let long = |count: usize| {
            let members: Vec<String> = (0..count).map(|it| format!("\"{it}\":1")).collect();
            format!("{{{}}}", members.join(","))
        };
        assert_eq!(read(&long(LIST_MAX)).map(|it| it.len()), Some(LIST_MAX));
        assert_eq!(read(&long(LIST_MAX + 1)), None);
    }
}
