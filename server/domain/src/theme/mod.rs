//! Themes of the house's own: a base of the shipped themes, and what is changed of it.
//!
//! # Shape
//! A theme is values, never text of a style sheet: colours of a closed list, names, and words. [`low_contrasts`] compares
//! each colour of text with the brightest ground that it stands on.

mod base;
mod colour;
mod contrast;
mod house;
mod look;

pub use colour::{Colour, Contrast, NotAColour};
pub use contrast::{LowContrast, background_strength, low_contrasts};
pub use house::{Artwork, DIGEST_BYTES, HouseTheme};
pub use look::{
    ArtworkKind, Currency, LevelLook, NotASignText, OwnTheme, SIGN_LEVELS_MAX,
    SIGN_TEXT_LENGTH_MAX, SignText, ThemeColour,
};
