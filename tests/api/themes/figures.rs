//! Figures that the rules and the pages share.

use std::path::Path;

use meterhouse_domain::theme::{Colour, Contrast};
use serde_json::Value;

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

/// What the rules measure contrast with is what signs draw.
#[test]
fn the_shipped_themes_are_those_of_the_signs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let base = read("domain/src/theme/base.rs").replace('_', "");
    for name in ["gold", "neon", "heritage"] {
        let theme: Value =
            serde_json::from_str(&read(&format!("web/client/src/themes/{name}.json")))
                .expect("JSON");
        let own = base
            .split("const ")
            .find(|part| part.starts_with(&name.to_uppercase()))
            .expect("a base");
        let has =
            |colour: &str| own.contains(&format!("hex(0x00{})", colour.trim_start_matches('#')));
        let variables = &theme["variables"];
        for variable in [
            "ground-centre",
            "ground-edge",
            "plate",
            "text",
            "link",
            "line",
            "stale",
        ]
        .into_iter()
        .map(str::to_owned)
        .chain((0..6).map(|level| format!("level-{level}")))
        {
            let colour = variables[format!("--{variable}")]
                .as_str()
                .expect("a colour");
            assert!(has(colour), "{name}: {variable} {colour}");
        }
        for texture in theme["textures"]
            .as_array()
            .expect("textures")
            .iter()
            .chain([&theme["winRays"]])
        {
            let (colour, opacity) = (texture[0].as_str().expect("a colour"), &texture[1]);
            let pair = format!("(hex(0x00{}), {opacity})", colour.trim_start_matches('#'));
            assert!(own.contains(&pair), "{name}: {pair}");
        }
    }
}
