//! The wagers on three dice, 58 Pa. Code § 625a.6.

use core::fmt;
use core::str::FromStr;

/// The lowest total that can be wagered on, § 625a.6(a).
const TOTAL_LOWEST: u8 = 4;
/// The highest total that can be wagered on, § 625a.6(a).
const TOTAL_HIGHEST: u8 = 17;
/// The highest total that wins Small; one more is the lowest that wins Big.
const SMALL_HIGHEST: u16 = 10;

/// A wager on three dice.
///
/// The Bulletin prints the pays of these wagers, but only defines One of a Kind. The others are read as Sic Bo is
/// commonly played; each file says so as a gap, and the operator confirms it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DiceWager {
    /// All dice show the chosen number.
    ThreeOfAKind,
    /// Two or three dice show the chosen number.
    TwoOfAKind,
    /// All dice show one number, whatever it is.
    AnyThreeOfAKind,
    /// The dice add up to this number, from 4 to 17.
    Total(u8),
    /// Both chosen numbers are shown.
    TwoDice,
    /// The dice add up to 4 to 10, and are no three of a kind.
    Small,
    /// The dice add up to 11 to 17, and are no three of a kind.
    Big,
    /// At least one die shows the chosen number: the pay depends on how many do, § 625a.6(b).
    OneOfAKind,
}

impl DiceWager {
    /// Words of all wagers, for people.
    pub const WORDS: &'static str = "three-of-a-kind, two-of-a-kind, any-three-of-a-kind, two-dice, small, big, one-of-a-kind, or \
         total-4 to total-17";

    /// Returns all wagers.
    pub fn all() -> impl Iterator<Item = Self> {
        let totals = (TOTAL_LOWEST..=TOTAL_HIGHEST).map(Self::Total);
        let others = [
            Self::ThreeOfAKind,
            Self::TwoOfAKind,
            Self::AnyThreeOfAKind,
            Self::TwoDice,
            Self::Small,
            Self::Big,
            Self::OneOfAKind,
        ];
        others.into_iter().chain(totals)
    }

    /// Returns the count of different numbers that a player chooses with the wager.
    pub const fn chosen(self) -> usize {
        match self {
            Self::TwoDice => 2,
            Self::ThreeOfAKind | Self::TwoOfAKind | Self::OneOfAKind => 1,
            Self::AnyThreeOfAKind | Self::Total(_) | Self::Small | Self::Big => 0,
        }
    }

    /// Checks if `numbers` can be chosen with the wager: as many as [`DiceWager::chosen`], from 1 to 6, all different.
    pub fn takes(self, numbers: &[u8]) -> bool {
        let different = |(index, number): (usize, &u8)| {
            (1..=6).contains(number) && !numbers.iter().take(index).any(|other| other == number)
        };
        numbers.len() == self.chosen() && numbers.iter().enumerate().all(different)
    }

    /// Checks if the dice win the wager on `numbers`.
    pub fn wins(self, numbers: &[u8], dice: [u8; 3]) -> bool {
        let [first, ..] = dice;
        let total: u16 = dice.iter().map(|die| u16::from(*die)).sum();
        let is_triple = dice.iter().all(|die| *die == first);
        let least = |count| numbers.iter().all(|number| showing(*number, dice) >= count);
        self.takes(numbers)
            && match self {
                Self::ThreeOfAKind => least(3),
                Self::TwoOfAKind => least(2),
                Self::TwoDice | Self::OneOfAKind => least(1),
                Self::AnyThreeOfAKind => is_triple,
                Self::Total(wagered) => total == wagered.into(),
                Self::Small => total <= SMALL_HIGHEST && !is_triple,
                Self::Big => total > SMALL_HIGHEST && !is_triple,
            }
    }
}

/// Returns the count of dice that show a number.
pub fn showing(number: u8, dice: [u8; 3]) -> u8 {
    dice.iter().map(|die| u8::from(*die == number)).sum()
}

impl fmt::Display for DiceWager {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::ThreeOfAKind => "three-of-a-kind",
            Self::TwoOfAKind => "two-of-a-kind",
            Self::AnyThreeOfAKind => "any-three-of-a-kind",
            Self::TwoDice => "two-dice",
            Self::Small => "small",
            Self::Big => "big",
            Self::OneOfAKind => "one-of-a-kind",
            Self::Total(total) => return write!(out, "total-{total}"),
        };
        out.write_str(word)
    }
}

/// A text that names no wager on dice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a wager on dice: write {}", DiceWager::WORDS)]
pub struct NotADiceWager;

impl FromStr for DiceWager {
    type Err = NotADiceWager;

    /// Reads exactly the text that the wager displays.
    fn from_str(text: &str) -> Result<Self, NotADiceWager> {
        let mut all = Self::all();
        all.find(|wager| wager.to_string() == text)
            .ok_or(NotADiceWager)
    }
}
