//! Colours, and the contrast between two of them by WCAG 2.2, in whole numbers.

use core::fmt;
use core::str::FromStr;

/// Linear light of each value of a channel of sRGB, in millionths.
const LINEAR: [u32; 256] = [
    0, 304, 607, 911, 1_214, 1_518, 1_821, 2_125, 2_428, 2_732, 3_035, 3_347, 3_677, 4_025, 4_391,
    4_777, 5_182, 5_605, 6_049, 6_512, 6_995, 7_499, 8_023, 8_568, 9_134, 9_721, 10_330, 10_960,
    11_612, 12_286, 12_983, 13_702, 14_444, 15_209, 15_996, 16_807, 17_642, 18_500, 19_382, 20_289,
    21_219, 22_174, 23_153, 24_158, 25_187, 26_241, 27_321, 28_426, 29_557, 30_713, 31_896, 33_105,
    34_340, 35_601, 36_889, 38_204, 39_546, 40_915, 42_311, 43_735, 45_186, 46_665, 48_172, 49_707,
    51_269, 52_861, 54_480, 56_128, 57_805, 59_511, 61_246, 63_010, 64_803, 66_626, 68_478, 70_360,
    72_272, 74_214, 76_185, 78_187, 80_220, 82_283, 84_376, 86_500, 88_656, 90_842, 93_059, 95_307,
    97_587, 99_899, 102_242, 104_616, 107_023, 109_462, 111_932, 114_435, 116_971, 119_538,
    122_139, 124_772, 127_438, 130_136, 132_868, 135_633, 138_432, 141_263, 144_128, 147_027,
    149_960, 152_926, 155_926, 158_961, 162_029, 165_132, 168_269, 171_441, 174_647, 177_888,
    181_164, 184_475, 187_821, 191_202, 194_618, 198_069, 201_556, 205_079, 208_637, 212_231,
    215_861, 219_526, 223_228, 226_966, 230_740, 234_551, 238_398, 242_281, 246_201, 250_158,
    254_152, 258_183, 262_251, 266_356, 270_498, 274_677, 278_894, 283_149, 287_441, 291_771,
    296_138, 300_544, 304_987, 309_469, 313_989, 318_547, 323_143, 327_778, 332_452, 337_164,
    341_914, 346_704, 351_533, 356_400, 361_307, 366_253, 371_238, 376_262, 381_326, 386_429,
    391_572, 396_755, 401_978, 407_240, 412_543, 417_885, 423_268, 428_690, 434_154, 439_657,
    445_201, 450_786, 456_411, 462_077, 467_784, 473_531, 479_320, 485_150, 491_021, 496_933,
    502_886, 508_881, 514_918, 520_996, 527_115, 533_276, 539_479, 545_724, 552_011, 558_340,
    564_712, 571_125, 577_580, 584_078, 590_619, 597_202, 603_827, 610_496, 617_207, 623_960,
    630_757, 637_597, 644_480, 651_406, 658_375, 665_387, 672_443, 679_542, 686_685, 693_872,
    701_102, 708_376, 715_694, 723_055, 730_461, 737_910, 745_404, 752_942, 760_525, 768_151,
    775_822, 783_538, 791_298, 799_103, 806_952, 814_847, 822_786, 830_770, 838_799, 846_873,
    854_993, 863_157, 871_367, 879_622, 887_923, 896_269, 904_661, 913_099, 921_582, 930_111,
    938_686, 947_307, 955_973, 964_686, 973_445, 982_251, 991_102, 1_000_000,
];
/// Parts of red, green and blue in the luminance, in ten-thousandths.
const PARTS: [u64; 3] = [2_126, 7_152, 722];
/// Light of the surroundings that WCAG adds to both luminances: 0.05.
const FLARE: u64 = 500_000_000;
/// Parts of a mixture.
const MILLE: u32 = 1_000;

/// A text that is no colour.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a colour is # and six hexadecimal digits, such as #f6cf6b")]
pub struct NotAColour;

/// A colour of sRGB.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// Returns the colour of these channels: red, green, blue.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// Returns red, green and blue.
    pub const fn channels(self) -> [u8; 3] {
        self.0
    }

    /// Returns this colour with another one over it, of an opacity in thousandths.
    #[must_use]
    pub fn under(self, other: Self, opacity: u32) -> Self {
        let opacity = opacity.min(MILLE);
        let mut mixed = self.0;
        for (channel, over) in mixed.iter_mut().zip(other.0) {
            let sum = u32::from(*channel) * (MILLE - opacity) + u32::from(over) * opacity;
            *channel = u8::try_from((sum + MILLE / 2) / MILLE).unwrap_or(u8::MAX);
        }
        Self(mixed)
    }

    /// Returns the luminance, with 10,000,000,000 for white.
    fn luminance(self) -> u64 {
        let light = |value: u8| u64::from(LINEAR.get(usize::from(value)).copied().unwrap_or(0));
        self.0
            .iter()
            .zip(PARTS)
            .map(|(value, part)| light(*value) * part)
            .sum()
    }
}

impl FromStr for Colour {
    type Err = NotAColour;

    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let digits = text.strip_prefix('#').ok_or(NotAColour)?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotAColour);
        }
        let whole = u32::from_str_radix(digits, 16).map_err(|_| NotAColour)?;
        let [_, red, green, blue] = whole.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(out, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The contrast of two colours, in hundredths, cut off.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contrast(pub u64);

impl Contrast {
    /// Least contrast of AAA: 7:1.
    pub const LEAST: Self = Self(700);

    /// Returns the contrast between two colours.
    pub fn between(one: Colour, other: Colour) -> Self {
        let (one, other) = (one.luminance() + FLARE, other.luminance() + FLARE);
        Self(one.max(other) * 100 / one.min(other))
    }
}

impl fmt::Display for Contrast {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:02}:1", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Contrast, NotAColour};

    fn colour(text: &str) -> Result<Colour, NotAColour> {
        text.parse()
    }

    #[test]
    fn a_colour_is_six_digits() -> Result<(), NotAColour> {
        assert_eq!(colour("#F6cf6B")?.to_string(), "#f6cf6b");
        for bad in [
            "", "#", "f6cf6b", "#fff", "#f6cf6", "#f6cf6b0", "#+6cf6b", "red", "#f6cf6g", "url(x)",
            "#é12345",
        ] {
            assert_eq!(colour(bad), Err(NotAColour), "{bad}");
        }
        Ok(())
    }

    /// Figures of WCAG's own formula, and of well-known pairs.
    #[test]
    fn the_contrast_is_that_of_wcag() -> Result<(), NotAColour> {
        for (one, other, contrast) in [
            ("#000000", "#ffffff", "21.00:1"),
            ("#777777", "#ffffff", "4.47:1"),
            ("#ffffff", "#ffffff", "1.00:1"),
            ("#f6cf6b", "#121b40", "11.18:1"),
        ] {
            let measured = Contrast::between(colour(one)?, colour(other)?);
            assert_eq!(measured.to_string(), contrast, "{one} {other}");
            assert_eq!(measured, Contrast::between(colour(other)?, colour(one)?));
        }
        Ok(())
    }

    #[test]
    fn a_mixture_lies_between() -> Result<(), NotAColour> {
        let (black, white) = (colour("#000000")?, colour("#ffffff")?);
        assert_eq!(black.under(white, 0), black);
        assert_eq!(black.under(white, 1_000), white);
        assert_eq!(black.under(white, 500).to_string(), "#808080");
        Ok(())
    }
}
