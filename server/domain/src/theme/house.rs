//! A theme of the house as it is kept, with its artwork.

use std::sync::Arc;

use super::colour::Colour;
use super::look::{ArtworkKind, OwnTheme};
use crate::presentation::ThemeName;

/// Bytes of a picture's SHA-256, by which it is found.
pub const DIGEST_BYTES: usize = 32;

/// A picture of a theme, without its bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Artwork {
    /// SHA-256 of the bytes.
    pub digest: [u8; DIGEST_BYTES],
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Greatest value of each channel in any part of the picture.
    pub brightest: Colour,
}

/// A theme of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseTheme {
    /// Name.
    pub name: ThemeName,
    /// Version: it changes with the look and with the artwork.
    pub version: Arc<str>,
    /// Look.
    pub look: OwnTheme,
    /// Logo.
    pub logo: Option<Artwork>,
    /// Picture behind everything.
    pub background: Option<Artwork>,
}

impl HouseTheme {
    /// Returns a picture of the theme.
    pub const fn artwork(&self, kind: ArtworkKind) -> Option<Artwork> {
        match kind {
            ArtworkKind::Logo => self.logo,
            ArtworkKind::Background => self.background,
        }
    }
}
