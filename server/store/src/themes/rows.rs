//! Themes as rows: words as texts, colours as `name=#rrggbb`.

use meterhouse_domain::presentation::Theme;
use meterhouse_domain::theme::{
    Artwork, Currency, DIGEST_BYTES, HouseTheme, LevelLook, OwnTheme, SignText, ThemeColour,
};
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::theme::THEMES;

/// Returns the colours of a theme as texts.
pub(super) fn colours(look: &OwnTheme) -> Vec<String> {
    let colours = look.colours.iter();
    colours
        .map(|(name, colour)| format!("{name}={colour}"))
        .collect()
}

/// Returns the names and the colours of the levels.
pub(super) fn levels(look: &OwnTheme) -> (Vec<Option<String>>, Vec<Option<String>>) {
    let texts = |level: &LevelLook| {
        let name = level.name.as_ref().map(ToString::to_string);
        (name, level.colour.map(|colour| colour.to_string()))
    };
    look.levels.iter().map(texts).unzip()
}

/// Returns the theme of a row. A word of a newer release counts as not chosen.
pub(super) fn theme(row: &PgRow) -> Result<HouseTheme, StoreError> {
    let row = RowReader::new(THEMES, "theme", row);
    let name: String = row.get("name")?;
    let version: String = row.get("version")?;
    Ok(HouseTheme {
        name: name.parse().map_err(|_| row.inconsistent("name"))?,
        version: version.into(),
        look: look(row)?,
        logo: artwork(row, ["logo", "logo_width", "logo_height", "logo_brightest"])?,
        background: artwork(
            row,
            [
                "background",
                "background_width",
                "background_height",
                "background_brightest",
            ],
        )?,
    })
}

fn look(row: RowReader<'_>) -> Result<OwnTheme, StoreError> {
    let base: String = row.get("base")?;
    let title: Option<String> = row.get("title")?;
    let locale: Option<String> = row.get("locale")?;
    let currency: Option<String> = row.get("currency")?;
    let colours: Vec<String> = row.get("colours")?;
    let names: Vec<Option<String>> = row.get("level_names")?;
    let level_colours: Vec<Option<String>> = row.get("level_colours")?;
    let colour = |text: &String| {
        let (name, colour) = text.split_once('=')?;
        Some((ThemeColour::from_name(name)?, colour.parse().ok()?))
    };
    let level = |(name, colour): (Option<String>, Option<String>)| LevelLook {
        name: name.and_then(|name| name.parse::<SignText>().ok()),
        colour: colour.and_then(|colour| colour.parse().ok()),
    };
    Ok(OwnTheme {
        base: Theme::from_name(&base).unwrap_or(Theme::Gold),
        name: title.and_then(|title| title.parse().ok()),
        locale: locale.and_then(|locale| locale.parse().ok()),
        currency: currency
            .as_deref()
            .and_then(Currency::from_name)
            .unwrap_or(Currency::Sign),
        colours: colours.iter().filter_map(colour).collect(),
        levels: names.into_iter().zip(level_colours).map(level).collect(),
    })
}

fn artwork(
    row: RowReader<'_>,
    [digest, width, height, brightest]: [&'static str; 4],
) -> Result<Option<Artwork>, StoreError> {
    let Some(bytes) = row.get::<Option<Vec<u8>>, _>(digest)? else {
        return Ok(None);
    };
    let found: [u8; DIGEST_BYTES] = bytes.try_into().map_err(|_| row.inconsistent(digest))?;
    let bright: String = row.get(brightest)?;
    Ok(Some(Artwork {
        digest: found,
        width: row.number::<u32, i32>(width)?,
        height: row.number::<u32, i32>(height)?,
        brightest: bright.parse().map_err(|_| row.inconsistent(brightest))?,
    }))
}
