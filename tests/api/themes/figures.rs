//! Figures that the rules and the pages share.

use std::path::Path;

use meterhouse_domain::presentation::Theme;
use meterhouse_domain::theme::{
    Colour, Contrast, Currency, LevelLook, OwnTheme, ThemeColour, low_contrasts,
};
use serde_json::{Value, json};

/// The contrast is that which the editor shows, whose test reads the same figures.
#[test]
fn the_contrast_of_the_editor() {
    let figures: Vec<(String, String, u64)> =
        serde_json::from_str(include_str!("contrasts.json")).expect("figures");
    for (one, other, expected) in figures {
        let colour = |text: &str| text.parse::<Colour>().expect("a colour");
        assert_eq!(
            Contrast::between(colour(&one), colour(&other)).0,
            expected,
            "{one} {other}"
        );
    }
}

/// The same colours are too faint as in the editor, whose test reads the same themes.
#[test]
fn what_the_editor_marks() {
    let themes: Vec<Value> = serde_json::from_str(include_str!("low.json")).expect("themes");
    for theme in themes {
        let colour = |value: &Value| Some(value.as_str()?.parse::<Colour>().expect("a colour"));
        let colours = theme["colours"].as_object().expect("colours");
        let named = |(name, value): (&String, &Value)| {
            Some((ThemeColour::from_name(name)?, colour(value)?))
        };
        let level = |level: &Value| LevelLook {
            name: None,
            colour: colour(&level["colour"]),
        };
        let look = OwnTheme {
            base: Theme::from_name(theme["base"].as_str().expect("a name")).expect("a base"),
            name: None,
            locale: None,
            currency: Currency::Sign,
            colours: colours.iter().filter_map(named).collect(),
            levels: theme["levels"]
                .as_array()
                .expect("levels")
                .iter()
                .map(level)
                .collect(),
        };
        let mut low: Vec<String> = low_contrasts(&look)
            .into_iter()
            .map(|low| low.field)
            .collect();
        low.dedup();
        assert_eq!(json!(low), theme["low"], "{theme}");
    }
}

/// What the rules measure contrast with is what signs draw: each value of the rules, in its place.
#[test]
fn the_shipped_themes_are_those_of_the_signs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let rules: String = read("domain/src/theme/base.rs")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<String>()
        .replace(['_', ' '], "")
        .replace(",]", "]")
        .replace(",}", "}");
    for name in ["gold", "neon", "heritage"] {
        let theme: Value =
            serde_json::from_str(&read(&format!("web/client/src/themes/{name}.json")))
                .expect("JSON");
        let hex = |colour: &Value| {
            let colour = colour.as_str().expect("a colour");
            format!("hex(0x00{})", colour.trim_start_matches('#'))
        };
        let texture = |texture: &Value| format!("({},{})", hex(&texture[0]), texture[1]);
        let of = |variable: &str| hex(&theme["variables"][format!("--{variable}")]);
        let levels: Vec<String> = (0..6).map(|level| of(&format!("level-{level}"))).collect();
        let textures = theme["textures"].as_array().expect("textures");
        let textures: Vec<String> = textures.iter().map(texture).collect();
        let expected = format!(
            "const{}:Base=Base{{ground:{},edge:{},plate:{},text:{},link:{},line:{},stale:{},levels:[{}],\
             textures:&[{}],rays:{}}};",
            name.to_uppercase(),
            of("ground-centre"),
            of("ground-edge"),
            of("plate"),
            of("text"),
            of("link"),
            of("line"),
            of("stale"),
            levels.join(","),
            textures.join(","),
            texture(&theme["winRays"]),
        );
        assert!(rules.contains(&expected), "{name}: {expected}");
    }
}
