//! The presentation of links and tables: names for people, and settings of signs. No rule of money depends on it.
//!
//! # Bounds
//! A display name is at most [`DISPLAY_NAME_LENGTH_MAX`] bytes.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use crate::ids::texts;
use crate::paytable::words;

/// Bytes in the longest name that a sign or a list shows.
pub const DISPLAY_NAME_LENGTH_MAX: usize = 64;

/// A text that is no name for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a name for people is 1 to 64 bytes without control characters, and neither begins nor ends with a space"
)]
pub struct NotADisplayName;

/// A text that is no locale.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a locale is a language and perhaps a region, such as es or en-US")]
pub struct NotALocale;

fn is_display_name(text: &str) -> bool {
    (1..=DISPLAY_NAME_LENGTH_MAX).contains(&text.len())
        && text.trim() == text
        && !text.chars().any(char::is_control)
}

fn is_locale(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_alphabetic = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_language = |part: &str| (2..=3).contains(&part.len()) && is_alphabetic(part);
    let is_subtag = |part: &str| {
        (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    parts.next().is_some_and(is_language) && text.len() <= 35 && parts.all(is_subtag)
}

texts! { NotADisplayName, is_display_name,
    /// A name that people read: of a link on its sign, or of a pit.
    DisplayName
}

texts! { NotALocale, is_locale,
    /// A language and perhaps a region, such as `es-MX`.
    Locale
}

words! {
    /// The time of the full celebration of a win on a sign.
    Celebration {
        /// Once a person has validated the hit, or at once if no person has to.
        Validation = 1 "validation",
        /// As soon as the hit was entered, before its validation.
        Hit = 2 "hit",
    }

    /// The look of a sign.
    Theme {
        /// Gold on black.
        Gold = 1 "gold",
        /// Neon tubes.
        Neon = 2 "neon",
        /// Engraved frames.
        Heritage = 3 "heritage",
    }
}

/// The presentation of a link on its signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPresentation {
    /// Name that a sign shows in place of the paytable's title.
    pub name: Option<DisplayName>,
    /// Time of the full celebration.
    pub celebration: Celebration,
    /// Look of the signs; the sign's own choice if there is none.
    pub theme: Option<Theme>,
    /// Language of the signs; the sign's own choice if there is none.
    pub locale: Option<Locale>,
}

impl Default for LinkPresentation {
    /// Returns the presentation of a link before anybody chose one.
    fn default() -> Self {
        Self {
            name: None,
            celebration: Celebration::Validation,
            theme: None,
            locale: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DisplayName, Locale};

    #[test]
    fn a_display_name_can_be_read() {
        for good in ["Northern Crown", "Corona del Norte – 2", &"n".repeat(64)] {
            assert!(good.parse::<DisplayName>().is_ok(), "{good}");
        }
        for bad in ["", " ", " Crown", "Crown ", "a\nb", &"n".repeat(65)] {
            assert!(bad.parse::<DisplayName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_locale_is_a_language_and_subtags() {
        for good in ["en", "en-US", "es-419", "zh-Hant-TW", "fil"] {
            assert!(good.parse::<Locale>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "e",
            "en_US",
            "en-",
            "-US",
            "1n",
            "en-abcdefghi",
            "english",
            "en US",
        ] {
            assert!(bad.parse::<Locale>().is_err(), "{bad:?}");
        }
    }
}
