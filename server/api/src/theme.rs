//! Themes of the house: what they change of a shipped theme, and their artwork.

use meterhouse_domain::theme::SIGN_LEVELS_MAX;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::request::{List, objects};
use crate::values::{Colour, Currency, Locale, SignText, Theme, ThemeName};

/// A theme of the house, whole but for its artwork: what is left out is the base's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PutThemeRequest {
    /// Shipped theme that this one changes.
    pub base: Theme,
    /// Name on the signs of links that have none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SignText>,
    /// Language of the signs of links that have none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<Locale>,
    /// Way of writing the currency; `sign` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Colours in place of the base's.
    #[serde(default)]
    #[schema(required = false)]
    pub colours: ThemeColours,
    /// Levels by position, the first one first.
    #[serde(default)]
    #[schema(required = false, value_type = Vec<LevelLook>, max_items = 6)]
    pub levels: List<LevelLook>,
}

const _: () = assert!(SIGN_LEVELS_MAX == 6, "max_items above");

/// The colours that a theme may change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ThemeColours {
    /// Middle of the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<Colour>,
    /// Edge of the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Colour>,
    /// Ground of wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plate: Option<Colour>,
    /// Hands, tables and hints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Colour>,
    /// Name of the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Colour>,
    /// Frames and rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Colour>,
}

/// The look of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LevelLook {
    /// Name in place of the level's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SignText>,
    /// Colour of name and amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
}

objects! { PutThemeRequest ThemeColours LevelLook }

/// A file that is sent: PNG, JPEG or WebP, as its bytes.
#[derive(Copy, Clone, Debug)]
pub struct ArtworkFile;

impl PartialSchema for ArtworkFile {
    fn schema() -> RefOr<Schema> {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .description(Some("A picture: PNG, JPEG or WebP"));
        RefOr::T(Schema::Object(file.build()))
    }
}

impl ToSchema for ArtworkFile {}

/// A theme of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HouseTheme {
    /// Name.
    pub theme: ThemeName,
    /// Version: it changes with the theme and with its artwork.
    pub version: String,
    /// Shipped theme that this one changes.
    pub base: Theme,
    /// Name on the signs of links that have none of their own; null for the link's title.
    pub name: Option<SignText>,
    /// Language of the signs of links that have none of their own; null for the sign's own choice.
    pub locale: Option<Locale>,
    /// Way of writing the currency.
    pub currency: Currency,
    /// Colours in place of the base's.
    pub colours: ThemeColours,
    /// Levels by position.
    pub levels: Vec<LevelLook>,
    /// Pictures.
    pub artwork: ThemeArtwork,
}

/// The pictures of a theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ThemeArtwork {
    /// Logo in place of the link's name; null for none.
    pub logo: Option<Artwork>,
    /// Picture behind everything; null for the base's ground.
    pub background: Option<Artwork>,
}

/// A picture of a theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Artwork {
    /// SHA-256 of the bytes: `GET /v1/artwork/{digest}` has them.
    pub digest: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Greatest opacity of a background, in percent, at which every text stands out by 7:1. Left out for a logo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity_percent: Option<u8>,
}

/// All themes of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HouseThemes {
    /// Themes, by name.
    pub themes: Vec<HouseTheme>,
}

/// A theme that was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeletedTheme {
    /// Theme.
    pub theme: ThemeName,
}
