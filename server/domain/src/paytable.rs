//! Paytables as values: the pays of a link, their sources, and their validation.
//!
//! # Shape
//! [`Content`] has to be equal at two tables that share meters. [`GameRules`] differ between games. The other fields
//! cite the source. Paytables are made by the catalogue from files. The event that opens a link carries its paytable
//! whole, so that the journal never depends on a file.
//!
//! # Bounds
//! [`LEVELS_MAX`] levels and [`LINES_MAX`] lines, each hand once.

use core::cmp::Reverse;

use crate::hand::{Hand, Ranking};
use crate::ids::{GameName, LevelName, PaytableId};
use crate::money::Money;
use crate::rate::Rate;
use crate::seat::SEATS_MAX;

/// Levels of the widest paytable: the balances of a link stay a short row.
pub const LEVELS_MAX: usize = 4;
/// Lines of the longest paytable.
pub const LINES_MAX: usize = 16;

/// A paytable with its citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paytable {
    /// Id, which is also the file's name.
    pub id: PaytableId,
    /// Title for people.
    pub title: String,
    /// Code of the jurisdiction: `PA`, `MA`.
    pub jurisdiction: String,
    /// Clause that prints the paytable: `58 Pa. Code § 657a.12(e)`.
    pub citation: String,
    /// First day in force, as `2019-08-31`.
    pub effective: String,
    /// Kind of wager that the paytable pays.
    pub wager_kind: WagerKind,
    /// Games that offer the wager, with the most seats of their layouts.
    pub games: Vec<Game>,
    /// Rules by which its games form and forfeit hands.
    pub rules: GameRules,
    /// True if several games or tables may share its meters.
    pub linkable: bool,
    /// Content that has to be equal at all tables of a link.
    pub content: Content,
}

/// A game that offers a paytable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name of the game, such as `crazy-4-poker`.
    pub name: GameName,
    /// Most betting positions of its layout (§ 657a.2(a): six).
    pub seats_max: u8,
}

/// The content that the link's meters depend on: tables with equal content may share them (RULES §4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Ranking of the hands.
    pub ranking: Ranking,
    /// True if the dealer's hand can be wagered on in addition to the own one (§ 657a.7(d)(5)).
    pub bet_on_dealer: bool,
    /// Hits that a person has to validate.
    pub validation: Validation,
    /// Levels, highest first.
    pub levels: Vec<Level>,
    /// Lines, highest hand first; only the highest pays.
    pub lines: Vec<Line>,
    /// Pay of a Magic Card, for 1, if it is offered (§ 657a.12(f)(3)).
    pub magic_card: Option<u32>,
    /// Pay of a Lucky Bonus, for 1, if it is offered.
    pub lucky_bonus: Option<u32>,
    /// Payer of each pay, and the way of payment.
    pub settlement: Settlement,
    /// Wagers for which the source prints an envy schedule, in whole dollars; empty if there is no envy.
    pub envy_printed_for: Vec<u32>,
}

/// The rules that differ between the games of one paytable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// Rule by which the progressive hand is formed.
    pub hand_rule: HandRule,
    /// Effect of a fold.
    pub fold: FoldRule,
}

/// The jurisdiction's limits at the tables of a link, in addition to pays; `None` for no limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct TableLimits {
    /// Decks in play in one round; two that alternate count as one (§ 657a.3).
    pub decks_max: Option<u8>,
    /// Adjacent boxes on which one player may wager in one round (§ 657a.7(e)).
    pub boxes_max: Option<u8>,
}

/// One level of a paytable. Seeds are "for 1": multiplied by the link's wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// `meter`, or `mega`, `major`, `minor`.
    pub name: LevelName,
    /// Opening amount, for 1.
    pub seed: u32,
    /// Amount after a pay of 100%, for 1.
    pub reseed: u32,
    /// Share of each wager that the displayed balance takes.
    pub primary: Rate,
    /// Share of each wager that the hidden balance takes.
    pub reserve: Rate,
}

/// A line: a hand and its pay.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Hand that wins the line.
    pub hand: Hand,
    /// Pay of the line.
    pub pays: Pays,
    /// Pay to each other player of the table that made the wager, for 1.
    pub envy: Option<u32>,
}

/// The pay of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pays {
    /// A percentage of the displayed amount of a level.
    Percent {
        /// 1 to 100; 100 wins the level.
        percent: u8,
        /// Level, as an index into [`Content::levels`].
        level: usize,
    },
    /// Fixed odds: n × the wager, which is gone.
    ForOne(u32),
    /// Fixed odds that come off a level: up to its displayed amount, the rest from the house (RULES §2.4).
    ForOneOf {
        /// n × the wager.
        odds: u32,
        /// Level, as an index into [`Content::levels`].
        level: usize,
    },
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal $word:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every variant.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns its word in files and on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Returns the variant with this word.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.name() == word)
            }

            /// Returns its number in the journal; never reused.
            pub const fn code(self) -> u8 {
                match self { $(Self::$variant => $code),+ }
            }

            /// Returns the variant with this number.
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.code() == code)
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                out.write_str(self.name())
            }
        }
    )+};
}
pub(crate) use words;

words! {
    /// The progressive wager that a paytable pays.
    WagerKind {
        /// The Four-Card Progressive Payout Wager (§ 657a.7(d)(3)).
        FourCardProgressive = 1 "four-card-progressive",
        /// The Five-Card Progressive Payout Wager (§ 657a.7(d)(4)).
        FiveCardProgressive = 2 "five-card-progressive",
        /// The Five Card Hand Bonus Wager (§ 657a.7(d)(5)).
        FiveCardHandBonus = 3 "five-card-hand-bonus",
        /// The Three-Card Progressive Payout Wager (§ 643a.7(g)).
        ThreeCardProgressive = 4 "three-card-progressive",
    }

    /// The rule by which a game forms the progressive hand.
    HandRule {
        /// The best four of the player's own five cards (§ 657a.11(c)).
        BestFourOfFive = 1 "best-four-of-five",
        /// The player's own five cards (§ 657a.11(e)).
        OwnFive = 2 "own-five",
        /// The player's own three cards (§ 643a.11(g)(3)).
        OwnThree = 3 "own-three",
        /// Two own cards and the three of the Flop (§ 653a.11(k)).
        TwoAndFlop = 4 "two-and-flop",
        /// Two own cards and the three community cards (§ 655a.12(c)(2)).
        TwoAndCommunity = 5 "two-and-community",
        /// Three own cards and the two community cards (§ 643a.11(g)(4)).
        ThreeAndCommunity = 6 "three-and-community",
        /// The player's own five cards; the dealer's hand is of the first five of the dealer's six (§ 641a.11(c)(7)).
        OwnFiveDealerFirstFive = 7 "own-five-dealer-first-five",
    }

    /// The effect of a fold on the folded seat's own award.
    FoldAward {
        /// It is lost (§ 657a.11(b)(2)).
        Forfeited = 1 "forfeited",
        /// It stays (Five Card Hand Bonus).
        Kept = 2 "kept",
    }

    /// The payer of a pay.
    ChargedTo {
        /// The level it is a percentage of.
        Meter = 1 "meter",
        /// The operator's own money.
        House = 2 "house",
    }

    /// The way in which a pay reaches the player.
    HandedOver {
        /// With the documentation of a jackpot payout, never from the rack (§ 657a.11(e)(4)).
        Slip = 1 "slip",
        /// From the table inventory container.
        Rack = 2 "rack",
        /// Credited to the player's game account (§ 657a.11(f)(3)).
        GameAccount = 3 "game_account",
    }
}

/// The effect of a fold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FoldRule {
    /// Effect on the folded seat's own award.
    pub award: FoldAward,
    /// True if the folded hand still gives envy to the others; false if its cards are collected (§ 657a.11(c)). The
    /// folding player never loses the eligibility to receive envy.
    pub hand_gives_envy: bool,
}

/// The hits that a floorperson or above has to validate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Validation {
    /// Every one (§ 657a.11(e)(3)).
    EveryHit,
    /// Percentages of a meter, and fixed pays from these odds on (§ 657a.11(f)(2)).
    PercentAndForOneAtLeast(u32),
}

/// The payer of each pay, and the way of payment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Charge of a percentage of a meter.
    pub percent: Charge,
    /// Charge of fixed odds.
    pub for_one: Charge,
    /// Charge of an envy bonus.
    pub envy: Charge,
}

/// The payer of a pay and the way of payment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Payer: a level's meter or the house.
    pub charged_to: ChargedTo,
    /// Way in which the pay reaches the player.
    pub handed_over: HandedOver,
}

impl Paytable {
    /// Returns the seats of the largest layout that one of its games may have.
    pub fn full_table(&self) -> u8 {
        let seats = self.games.iter().map(|game| game.seats_max);
        seats.max().unwrap_or(1).min(SEATS_MAX)
    }
}

impl Content {
    /// Returns the line that pays this hand.
    pub fn line(&self, hand: Hand) -> Option<&Line> {
        self.lines.iter().find(|line| line.hand == hand)
    }

    /// Returns the hands that take a percentage of this level, each with its percentage: the greatest percentage first,
    /// and of equal ones the highest hand. Fixed odds that come off the level are none of it.
    pub fn level_hands(&self, level: usize) -> Vec<(Hand, u8)> {
        let share = |line: &Line| match line.pays {
            Pays::Percent {
                percent,
                level: taken,
            } if taken == level => Some((line.hand, percent)),
            Pays::Percent { .. } | Pays::ForOne(_) | Pays::ForOneOf { .. } => None,
        };
        let mut hands: Vec<(Hand, u8)> = self.lines.iter().filter_map(share).collect();
        hands.sort_by_key(|(_, percent)| Reverse(*percent));
        hands
    }
}

/// Checks if a source that prints envy schedules for wagers of so many dollars prints one for this wager.
pub fn envy_is_printed(printed_for: &[u32], wager: Money) -> bool {
    let mut printed = printed_for.iter();
    printed.any(|dollars| Money::DOLLAR.for_one(*dollars) == Ok(wager))
}

impl Settlement {
    /// Returns the charge of a line's pay: fixed odds that come off a level are the meter's (RULES §2.4).
    pub const fn charge(&self, pays: Pays) -> Charge {
        match pays {
            Pays::Percent { .. } => self.percent,
            Pays::ForOne(_) => self.for_one,
            Pays::ForOneOf { .. } => Charge {
                charged_to: ChargedTo::Meter,
                handed_over: self.for_one.handed_over,
            },
        }
    }
}

impl Line {
    /// Checks if a person has to validate a hit of this line.
    pub const fn needs_validation(&self, validation: Validation) -> bool {
        match (validation, self.pays) {
            (Validation::EveryHit, _)
            | (Validation::PercentAndForOneAtLeast(_), Pays::Percent { .. }) => true,
            (
                Validation::PercentAndForOneAtLeast(least),
                Pays::ForOne(odds) | Pays::ForOneOf { odds, .. },
            ) => odds >= least,
        }
    }
}
