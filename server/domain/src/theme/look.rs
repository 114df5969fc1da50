//! The look of a theme of the house, without its artwork.
//!
//! # Bounds
//! A text of a sign is at most [`SIGN_TEXT_LENGTH_MAX`] bytes, a theme names at most [`SIGN_LEVELS_MAX`] levels.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use super::colour::Colour;
use crate::ids::texts;
use crate::paytable::{LEVELS_MAX, words};
use crate::presentation::{Locale, Theme};

/// Bytes in the longest text of a theme.
pub const SIGN_TEXT_LENGTH_MAX: usize = 48;
/// Levels that a theme may name: as many as each shipped theme has colours for.
pub const SIGN_LEVELS_MAX: usize = 6;

const _: () = assert!(LEVELS_MAX <= SIGN_LEVELS_MAX);

/// A text that signs don't show.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a text on signs has 1 to 48 bytes, no < or > and no control characters, and neither begins nor ends with a space: \
     signs show it letter by letter, and HTML means nothing there"
)]
pub struct NotASignText;

fn is_sign_text(text: &str) -> bool {
    (1..=SIGN_TEXT_LENGTH_MAX).contains(&text.len())
        && text.trim() == text
        && !text
            .chars()
            .any(|one| one.is_control() || matches!(one, '<' | '>'))
}

texts! { NotASignText, is_sign_text,
    /// A text that signs show: the name of the house or of a level.
    SignText
}

words! {
    /// A colour that a theme may change.
    ThemeColour {
        /// The middle of the ground.
        Ground = 1 "ground",
        /// The edge of the ground.
        Edge = 2 "edge",
        /// The ground of wins.
        Plate = 3 "plate",
        /// Hands, tables and hints.
        Text = 4 "text",
        /// The name of the link.
        Link = 5 "link",
        /// Frames and rules.
        Line = 6 "line",
    }

    /// The way in which signs write the currency.
    Currency {
        /// The currency's sign, where the locale has it.
        Sign = 1 "sign",
        /// The amount alone.
        None = 2 "none",
    }

    /// A picture of a theme.
    ArtworkKind {
        /// A logo in place of the link's name.
        Logo = 1 "logo",
        /// A picture behind everything.
        Background = 2 "background",
    }
}

/// The look of a level, by its position on the link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelLook {
    /// Name in place of the level's own.
    pub name: Option<SignText>,
    /// Colour of name and amount; the base's if there is none.
    pub colour: Option<Colour>,
}

/// A theme of the house, without its artwork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTheme {
    /// Theme that this one changes.
    pub base: Theme,
    /// Name on the signs of links without a name of their own.
    pub name: Option<SignText>,
    /// Language of the signs of links without a locale of their own.
    pub locale: Option<Locale>,
    /// Way of writing the currency.
    pub currency: Currency,
    /// Colours that differ from the base, each at most once.
    pub colours: Vec<(ThemeColour, Colour)>,
    /// Levels by position: at most [`SIGN_LEVELS_MAX`].
    pub levels: Vec<LevelLook>,
}

impl OwnTheme {
    /// Returns a colour, if the theme changes it.
    pub fn colour(&self, wanted: ThemeColour) -> Option<Colour> {
        let mut own = self.colours.iter();
        own.find(|(name, _)| *name == wanted)
            .map(|(_, colour)| *colour)
    }
}

#[cfg(test)]
mod tests {
    use super::SignText;

    #[test]
    fn a_text_of_a_sign_has_no_markup() {
        for good in [
            "Grand",
            "Bar & Grill",
            "Corona del Norte – 2",
            "\"A\"",
            &"n".repeat(48),
        ] {
            assert!(good.parse::<SignText>().is_ok(), "{good}");
        }
        for bad in [
            "",
            " Grand",
            "<b>Grand</b>",
            "a > b",
            "a\nb",
            "<script>",
            &"n".repeat(49),
        ] {
            assert!(bad.parse::<SignText>().is_err(), "{bad:?}");
        }
    }
}
