//! Texts that a person gives in a request.

use core::fmt;

use utoipa::openapi::schema::Object;

use crate::text::{InvalidValue, Text, TextForm};

/// A text that a person gives in a request: not blank.
///
/// Its schema is the text's own, because a narrower one would break older clients. Blank texts that were stored before are
/// still shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given<T>(pub T);

impl<T> Text<Given<T>> {
    /// Returns the text.
    pub fn given(self) -> T {
        self.0.0
    }
}

impl<T: TextForm> TextForm for Given<T> {
    const NAME: &'static str = T::NAME;
    const CODE: &'static str = T::CODE;

    fn read(text: &str) -> Result<Self, InvalidValue> {
        let given = T::read(text)?;
        if text.chars().all(is_blank) {
            let advice = "a text of spaces alone says nothing: write what people should read";
            return Err(InvalidValue::new(Self::CODE, advice));
        }
        Ok(Self(given))
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(out)
    }

    fn schema() -> Object {
        T::schema()
    }
}

/// Returns `true` for a character that leaves no mark on paper: white space, and the invisible characters of Unicode.
const fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
        )
}
