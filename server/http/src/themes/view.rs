//! A theme as a response.

use meterhouse_api::text::Text;
use meterhouse_api::theme::{Artwork, HouseTheme, LevelLook, ThemeArtwork, ThemeColours};
use meterhouse_domain::theme::{self, OwnTheme, ThemeColour, background_strength};

/// Returns a theme as a response.
pub(super) fn house_theme(theme: &theme::HouseTheme) -> HouseTheme {
    let look = &theme.look;
    let levels = look.levels.iter().map(|level| LevelLook {
        name: level.name.clone().map(Text),
        colour: level.colour.map(Text),
    });
    HouseTheme {
        theme: Text(theme.name.clone()),
        version: theme.version.as_ref().to_owned(),
        base: Text(look.base),
        name: look.name.clone().map(Text),
        locale: look.locale.clone().map(Text),
        currency: Text(look.currency),
        colours: colours(look),
        levels: levels.collect(),
        artwork: ThemeArtwork {
            logo: theme.logo.as_ref().map(|logo| artwork(logo, None)),
            background: theme.background.as_ref().map(|background| {
                let percent = background_strength(look, background.brightest);
                artwork(background, Some(percent))
            }),
        },
    }
}

fn colours(look: &OwnTheme) -> ThemeColours {
    let of = |name| look.colour(name).map(Text);
    ThemeColours {
        ground: of(ThemeColour::Ground),
        edge: of(ThemeColour::Edge),
        plate: of(ThemeColour::Plate),
        text: of(ThemeColour::Text),
        link: of(ThemeColour::Link),
        line: of(ThemeColour::Line),
    }
}

fn artwork(artwork: &theme::Artwork, opacity_percent: Option<u8>) -> Artwork {
    Artwork {
        digest: hex::encode(artwork.digest),
        width: artwork.width,
        height: artwork.height,
        opacity_percent,
    }
}
