//! Contrast of a theme: each colour of text on the brightest ground that it stands on.
//!
//! # Shape
//! A ground is a colour of the theme, and the same colour below each texture of the base. Two textures that meet are
//! fainter where they do. The colour of stale amounts is the base's, so that a ground can't become bright.

use core::fmt;

use super::base::{self, Base, LINE_TEXTURE};
use super::colour::{Colour, Contrast};
use super::look::{OwnTheme, ThemeColour};
use crate::presentation::Theme;

/// Greatest opacity of a picture behind everything, in percent.
const BACKGROUND_PERCENT_MAX: u8 = 70;

/// Two colours that don't stand out from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowContrast {
    /// Field of the request to change.
    pub field: String,
    /// What the text is.
    pub text: String,
    /// Name of the ground.
    pub ground: ThemeColour,
    /// Contrast on the ground's brightest part.
    pub contrast: Contrast,
}

impl fmt::Display for LowContrast {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            ground,
            contrast,
            ..
        } = self;
        let least = Contrast::LEAST;
        write!(
            out,
            "{text} on {ground} has a contrast of {contrast}, and needs {least}"
        )
    }
}

/// A ground with all colours that it has somewhere.
struct Ground {
    name: ThemeColour,
    colours: Vec<Colour>,
}

/// A colour of text: its name, its field if the theme changes it, and whether wins show it.
struct Foreground {
    text: String,
    field: Option<String>,
    colour: Colour,
    wins: bool,
}

/// Returns the colours of text that stand out too little, each once, with the least contrast that it has.
pub fn low_contrasts(theme: &OwnTheme) -> Vec<LowContrast> {
    let base = base::of(theme.base);
    let grounds = grounds(theme, base);
    let mut low = Vec::new();
    for text in foregrounds(theme, base) {
        let on = grounds
            .iter()
            .filter(|ground| text.wins || ground.name != ThemeColour::Plate);
        let measured = on.map(|ground| (contrast_on(text.colour, &ground.colours), ground.name));
        let Some((contrast, ground)) = measured.min() else {
            continue;
        };
        if contrast < Contrast::LEAST {
            let field = text
                .field
                .unwrap_or_else(|| field_of(changed(theme, ground)));
            let text = text.text;
            low.push(LowContrast {
                field,
                text,
                ground,
                contrast,
            });
        }
    }
    low
}

/// Returns the greatest opacity, in percent, that a picture behind everything may have. `brightest` has the greatest
/// value of each channel in the picture.
pub fn background_strength(theme: &OwnTheme, brightest: Colour) -> u8 {
    let base = base::of(theme.base);
    let of = |name, from_base| theme.colour(name).unwrap_or(from_base);
    let grounds = [
        of(ThemeColour::Ground, base.ground),
        of(ThemeColour::Edge, base.edge),
    ];
    let texts = foregrounds(theme, base);
    let is_legible = |percent: &u8| {
        let under = grounds.map(|ground| ground.under(brightest, u32::from(*percent) * 10));
        let mut contrasts = texts.iter().map(|text| contrast_on(text.colour, &under));
        contrasts.all(|contrast| contrast >= Contrast::LEAST)
    };
    (0..=BACKGROUND_PERCENT_MAX)
        .rev()
        .find(is_legible)
        .unwrap_or(0)
}

/// Returns the colour that made a ground brighter: its own, or that of the lines of its texture.
fn changed(theme: &OwnTheme, ground: ThemeColour) -> ThemeColour {
    if theme.colour(ground).is_some() {
        ground
    } else {
        ThemeColour::Line
    }
}

fn field_of(colour: ThemeColour) -> String {
    format!("colours.{colour}")
}

fn contrast_on(text: Colour, grounds: &[Colour]) -> Contrast {
    let contrasts = grounds
        .iter()
        .map(|ground| Contrast::between(text, *ground));
    contrasts.min().unwrap_or(Contrast::LEAST)
}

fn grounds(theme: &OwnTheme, base: &Base) -> [Ground; 3] {
    let of = |name, from_base| theme.colour(name).unwrap_or(from_base);
    let line = of(ThemeColour::Line, base.line);
    let of_line = (theme.base == Theme::Heritage).then_some((line, LINE_TEXTURE));
    let textures: Vec<(Colour, u32)> = base.textures.iter().copied().chain(of_line).collect();
    let ground = |name, colour: Colour, textures: &[(Colour, u32)]| {
        let under = textures
            .iter()
            .map(|(over, opacity)| colour.under(*over, *opacity));
        Ground {
            name,
            colours: core::iter::once(colour).chain(under).collect(),
        }
    };
    [
        ground(
            ThemeColour::Ground,
            of(ThemeColour::Ground, base.ground),
            &textures,
        ),
        ground(
            ThemeColour::Edge,
            of(ThemeColour::Edge, base.edge),
            &textures,
        ),
        ground(
            ThemeColour::Plate,
            of(ThemeColour::Plate, base.plate),
            &[base.rays],
        ),
    ]
}

fn foregrounds(theme: &OwnTheme, base: &Base) -> Vec<Foreground> {
    let named = |name: ThemeColour, from_base, wins| {
        let own = theme.colour(name);
        Foreground {
            text: name.to_string(),
            field: own.map(|_| field_of(name)),
            colour: own.unwrap_or(from_base),
            wins,
        }
    };
    let mut all = vec![
        named(ThemeColour::Text, base.text, true),
        named(ThemeColour::Link, base.link, false),
        Foreground {
            text: "the grey of stale amounts".to_owned(),
            field: None,
            colour: base.stale,
            wins: false,
        },
    ];
    for (index, from_base) in base.levels.iter().enumerate() {
        let own = theme.levels.get(index).and_then(|level| level.colour);
        all.push(Foreground {
            text: format!("level {}", index + 1),
            field: own.map(|_| format!("levels[{index}].colour")),
            colour: own.unwrap_or(*from_base),
            wins: true,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::colour::{Colour, NotAColour};
    use super::super::look::{Currency, LevelLook, OwnTheme, ThemeColour};
    use super::{background_strength, low_contrasts};
    use crate::presentation::Theme;

    fn plain(base: Theme) -> OwnTheme {
        OwnTheme {
            base,
            name: None,
            locale: None,
            currency: Currency::Sign,
            colours: Vec::new(),
            levels: Vec::new(),
        }
    }

    fn with(base: Theme, colours: &[(ThemeColour, &str)]) -> Result<OwnTheme, NotAColour> {
        let mut theme = plain(base);
        for (name, colour) in colours {
            theme.colours.push((*name, colour.parse()?));
        }
        Ok(theme)
    }

    fn fields(theme: &OwnTheme) -> Vec<String> {
        low_contrasts(theme)
            .into_iter()
            .map(|low| low.field)
            .collect()
    }

    #[test]
    fn the_shipped_themes_are_legible() {
        for base in Theme::ALL {
            assert_eq!(low_contrasts(&plain(*base)), Vec::new(), "{base}");
        }
    }

    #[test]
    fn a_colour_that_the_theme_chose_is_named() -> Result<(), NotAColour> {
        let theme = with(Theme::Gold, &[(ThemeColour::Text, "#888888")])?;
        assert_eq!(fields(&theme), ["colours.text"]);
        let mut theme = plain(Theme::Neon);
        theme.levels = vec![
            LevelLook::default(),
            LevelLook {
                name: None,
                colour: Some("#803040".parse()?),
            },
        ];
        assert_eq!(fields(&theme), ["levels[1].colour"]);
        let told = low_contrasts(&theme)
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            told.starts_with("level 2 on ground has a contrast of 1."),
            "{told}"
        );
        assert!(told.ends_with("needs 7.00:1"), "{told}");
        Ok(())
    }

    #[test]
    fn a_ground_below_colours_of_the_base_is_named() -> Result<(), NotAColour> {
        let theme = with(Theme::Heritage, &[(ThemeColour::Plate, "#6a5a4a")])?;
        assert!(fields(&theme).iter().all(|field| field == "colours.plate"));
        assert_eq!(fields(&theme).len(), 7);
        // Dark text on a bright ground would be legible, and stale amounts would not.
        let bright = with(
            Theme::Gold,
            &[
                (ThemeColour::Ground, "#ffffff"),
                (ThemeColour::Edge, "#ffffff"),
                (ThemeColour::Text, "#000000"),
            ],
        )?;
        assert!(fields(&bright).contains(&"colours.ground".to_owned()));
        Ok(())
    }

    /// The texture counts: the same ground is refused below the smoke of Neon alone.
    #[test]
    fn the_brightest_part_of_a_ground_counts() -> Result<(), NotAColour> {
        let chosen = [(ThemeColour::Link, "#a0a8a8")];
        assert_eq!(fields(&with(Theme::Neon, &chosen)?), ["colours.link"]);
        let chosen = [
            (ThemeColour::Ground, "#0a0612"),
            (ThemeColour::Edge, "#0a0612"),
            chosen[0],
        ];
        assert_eq!(fields(&with(Theme::Heritage, &chosen)?), [""; 0]);
        Ok(())
    }

    #[test]
    fn a_bright_picture_is_fainter() {
        let strength = |rgb: [u8; 3]| {
            let [red, green, blue] = rgb;
            Theme::ALL
                .iter()
                .map(|base| background_strength(&plain(*base), Colour::new(red, green, blue)))
                .collect()
        };
        let (black, white): (Vec<u8>, Vec<u8>) = (strength([0; 3]), strength([255; 3]));
        assert_eq!(black, [70; 3]);
        assert!(
            white.iter().all(|percent| (1..20).contains(percent)),
            "{white:?}"
        );
    }
}
