//! The colours of the shipped themes that contrast is measured on: the same as in
//! `server/web/client/src/themes/*.json`, which a test compares.

use super::colour::Colour;
use super::look::SIGN_LEVELS_MAX;
use crate::presentation::Theme;

/// A texture over a ground: its colour, and its opacity in thousandths.
pub(super) type Texture = (Colour, u32);

/// The colours of a shipped theme.
pub(super) struct Base {
    pub(super) ground: Colour,
    pub(super) edge: Colour,
    pub(super) plate: Colour,
    pub(super) text: Colour,
    pub(super) link: Colour,
    pub(super) line: Colour,
    /// Amounts that are not confirmed.
    pub(super) stale: Colour,
    pub(super) levels: [Colour; SIGN_LEVELS_MAX],
    /// Textures of the ground. That of [`LINE_TEXTURE`] is drawn in the colour of lines.
    pub(super) textures: &'static [Texture],
    /// Rays on the plate of a win.
    pub(super) rays: Texture,
}

/// Opacity of the texture of Heritage, which is drawn in the colour of lines.
pub(super) const LINE_TEXTURE: u32 = 60;

const fn hex(rgb: u32) -> Colour {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Colour::new(red, green, blue)
}

const GOLD: Base = Base {
    ground: hex(0x0012_1b40),
    edge: hex(0x0006_0914),
    plate: hex(0x002a_1e0a),
    text: hex(0x00f7_ecd2),
    link: hex(0x00f7_dfa0),
    line: hex(0x00d9_a94a),
    stale: hex(0x00b4_bac6),
    levels: [
        hex(0x00f6_cf6b),
        hex(0x00df_e8f5),
        hex(0x00f3_b08a),
        hex(0x00b9_e6a5),
        hex(0x00c9_b8f5),
        hex(0x008f_d8e8),
    ],
    textures: &[(hex(0x001b_2657), 360)],
    rays: (hex(0x00c7_9a4f), 109),
};

const NEON: Base = Base {
    ground: hex(0x001d_081c),
    edge: hex(0x000a_0612),
    plate: hex(0x001d_0820),
    text: hex(0x00ff_f4fb),
    link: hex(0x00ec_e6ff),
    line: hex(0x007d_6bff),
    stale: hex(0x00b4_bac6),
    levels: [
        hex(0x00ff_9fdd),
        hex(0x00a5_f3ff),
        hex(0x00ff_dd9e),
        hex(0x00a8_ffb0),
        hex(0x00d3_bbff),
        hex(0x00ff_9d8a),
    ],
    // The smoke of `ground.css`, in both orientations.
    textures: &[
        (hex(0x0010_4a66), 400),
        (hex(0x0064_3a0e), 400),
        (hex(0x006e_1460), 140),
        (hex(0x0040_2478), 300),
        (hex(0x0050_145a), 300),
        (hex(0x0016_5470), 400),
        (hex(0x0070_4212), 420),
        (hex(0x007a_1868), 340),
    ],
    rays: (hex(0x00ff_7ad0), 42),
};

const HERITAGE: Base = Base {
    ground: hex(0x000f_3b2b),
    edge: hex(0x0006_1610),
    plate: hex(0x000c_2c20),
    text: hex(0x00f6_ecd3),
    link: hex(0x00f0_cf86),
    line: hex(0x00ca_a24f),
    stale: hex(0x00cd_d2da),
    levels: [
        hex(0x00f0_cf86),
        hex(0x00bf_e6cf),
        hex(0x00f6_c3ab),
        hex(0x00d9_c7f2),
        hex(0x00a8_dbe8),
        hex(0x00f2_e3a0),
    ],
    textures: &[],
    rays: (hex(0x00f0_cf86), 49),
};

/// Returns the colours of a shipped theme.
pub(super) const fn of(theme: Theme) -> &'static Base {
    match theme {
        Theme::Gold => &GOLD,
        Theme::Neon => &NEON,
        Theme::Heritage => &HERITAGE,
    }
}
