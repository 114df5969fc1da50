//! The presentation of links and tables: names for people, and settings of signs. No rule of money depends on it.
//!
//! # Bounds
//! A display name is at most [`DISPLAY_NAME_LENGTH_MAX`] bytes, a locale [`LOCALE_LENGTH_MAX`].

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use crate::ids::{NAME_LENGTH_MAX, texts};
use crate::paytable::words;

/// Bytes in the longest name that a sign or a list shows.
pub const DISPLAY_NAME_LENGTH_MAX: usize = 64;

/// Bytes in the longest locale.
pub const LOCALE_LENGTH_MAX: usize = 35;

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

/// A text that is no name of a theme.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a theme of the house has 1 to 32 small letters, digits or hyphens, begins with a letter, and is none of gold, neon \
     and heritage"
)]
pub struct NotAThemeName;

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
    parts.next().is_some_and(is_language) && text.len() <= LOCALE_LENGTH_MAX && parts.all(is_subtag)
}

fn is_theme_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text.bytes().all(is_part)
        && text
            .bytes()
            .next()
            .is_some_and(|first| first.is_ascii_lowercase())
        && Theme::from_name(text).is_none()
}

texts! { NotAThemeName, is_theme_name,
    /// The name of a theme of the house, as in an address.
    ThemeName
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

/// The theme that a link chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChosenTheme {
    /// One of the program's.
    Shipped(Theme),
    /// One of the house's.
    Own(ThemeName),
}

impl ChosenTheme {
    /// Returns the name of a theme of the house.
    pub const fn own(&self) -> Option<&ThemeName> {
        match self {
            Self::Shipped(_) => None,
            Self::Own(name) => Some(name),
        }
    }
}

impl FromStr for ChosenTheme {
    type Err = NotAThemeName;

    fn from_str(text: &str) -> Result<Self, NotAThemeName> {
        Theme::from_name(text).map_or_else(
            || text.parse().map(Self::Own),
            |theme| Ok(Self::Shipped(theme)),
        )
    }
}

impl fmt::Display for ChosenTheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped(theme) => theme.fmt(out),
            Self::Own(name) => name.fmt(out),
        }
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
    pub theme: Option<ChosenTheme>,
    /// Version of a theme of the house: it changes with its content and artwork. The store knows it.
    pub theme_version: Option<Arc<str>>,
    /// Language of the signs; the sign's own choice if there is none.
    pub locale: Option<Locale>,
}

impl LinkPresentation {
    /// Returns true if both choose the same. The version of a theme is no choice.
    pub fn chooses_as(&self, other: &Self) -> bool {
        let theme_version = other.theme_version.clone();
        Self {
            theme_version,
            ..self.clone()
        } == *other
    }
}

impl Default for LinkPresentation {
    /// Returns the presentation of a link that has none of its own.
    fn default() -> Self {
        Self {
            name: None,
            celebration: Celebration::Validation,
            theme: None,
            theme_version: None,
            locale: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChosenTheme, DisplayName, Locale, Theme, ThemeName};

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
    fn a_name_is_part_of_an_address() {
        for good in ["crown-room", "a", "x2", &"n".repeat(32)] {
            assert!(good.parse::<ThemeName>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "Crown",
            "2x",
            "-x",
            "crown room",
            "gold",
            "neon",
            "heritage",
            "a/b",
            "é",
            &"n".repeat(33),
        ] {
            assert!(bad.parse::<ThemeName>().is_err(), "{bad:?}");
        }
        assert_eq!("gold".parse(), Ok(ChosenTheme::Shipped(Theme::Gold)));
        let own = "crown-room".parse::<ChosenTheme>();
        assert!(
            own.is_ok_and(|chosen| chosen.own().is_some() && chosen.to_string() == "crown-room")
        );
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
