//! Paytables as values: what a link pays, from where, and who must validate.
//!
//! # Shape
//! [`Content`] is what two tables must agree on to share meters; [`GameRules`] is what each game does its own
//! way; the rest says where it was taken from. Made by the catalogue from files, carried whole by the event
//! that opens a link, so that the journal never depends on a file.
//!
//! # What bounds it
//! [`LEVELS_MAX`] levels and [`LINES_MAX`] lines, each hand once.

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
    /// The id, which is also the file's name.
    pub id: PaytableId,
    /// What people call it.
    pub title: String,
    /// Whose law it is: `PA`, `MA`.
    pub jurisdiction: String,
    /// Where it stands: `58 Pa. Code § 657a.12(e)`.
    pub citation: String,
    /// Since when, as `2019-08-31`.
    pub effective: String,
    /// The wager that it pays.
    pub wager_kind: WagerKind,
    /// Games that offer it, and how many seats their layout has at most.
    pub games: Vec<Game>,
    /// How each game forms and forfeits.
    pub rules: GameRules,
    /// Whether several games or tables may share its meters.
    pub linkable: bool,
    /// What has to be equal at all tables of a link.
    pub content: Content,
}

/// A game that offers a paytable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its name.
    pub name: GameName,
    /// The most betting positions its layout may have (§ 657a.2(a): six).
    pub seats_max: u8,
}

/// What the link's meters depend on: tables with equal content may share them (RULES §4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// How hands are ranked.
    pub ranking: Ranking,
    /// Whether the dealer's hand can be wagered on beside the own one (§ 657a.7(d)(5)).
    pub bet_on_dealer: bool,
    /// Who has to validate which hits.
    pub validation: Validation,
    /// The levels, highest first.
    pub levels: Vec<Level>,
    /// The lines, highest hand first; only the highest pays.
    pub lines: Vec<Line>,
    /// What a Magic Card pays, for 1, where it is offered (§ 657a.12(f)(3)).
    pub magic_card: Option<u32>,
    /// What a Lucky Bonus pays, for 1, where it is offered.
    pub lucky_bonus: Option<u32>,
    /// Where pays come from and how they are handed over.
    pub settlement: Settlement,
    /// Wagers for which the source prints an envy schedule, in whole dollars; empty where there is no envy.
    pub envy_printed_for: Vec<u32>,
}

/// What a game does its own way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// How the progressive hand is formed.
    pub hand_rule: HandRule,
    /// What a fold does.
    pub fold: FoldRule,
}

/// What a jurisdiction limits at the tables of a link, beside what is paid; nothing where it is not limited.
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
    /// What it opens with, for 1.
    pub seed: u32,
    /// What it restarts with after it paid 100%, for 1.
    pub reseed: u32,
    /// The share of each wager that the displayed balance takes.
    pub primary: Rate,
    /// The share of each wager that the hidden balance takes.
    pub reserve: Rate,
}

/// One line: a hand and what it pays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The hand.
    pub hand: Hand,
    /// What it pays.
    pub pays: Pays,
    /// What it pays to each other player of the table that made the wager, for 1.
    pub envy: Option<u32>,
}

/// What a line pays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pays {
    /// A percentage of the displayed amount of a level.
    Percent {
        /// 1 to 100; 100 wins the level.
        percent: u8,
        /// The level, as an index into [`Content::levels`].
        level: usize,
    },
    /// Fixed odds: n × the wager, which is gone.
    ForOne(u32),
    /// Fixed odds that come off a level: up to what it displays, the rest from the house (RULES §2.4).
    ForOneOf {
        /// n × the wager.
        odds: u32,
        /// The level, as an index into [`Content::levels`].
        level: usize,
    },
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal $word:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it in files and on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The one with this word.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == word)
            }

            /// Its number in the journal; never reused.
            pub const fn code(self) -> u8 {
                match self { $(Self::$variant => $code),+ }
            }

            /// The one with this number.
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.code() == code)
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

    /// How a game forms the progressive hand.
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

    /// What a fold does to the folded seat's own award.
    FoldAward {
        /// It is lost (§ 657a.11(b)(2)).
        Forfeited = 1 "forfeited",
        /// It stays (Five Card Hand Bonus).
        Kept = 2 "kept",
    }

    /// Who owes a pay.
    ChargedTo {
        /// The level it is a percentage of.
        Meter = 1 "meter",
        /// The operator's own money.
        House = 2 "house",
    }

    /// How a pay reaches the player.
    HandedOver {
        /// With the documentation of a jackpot payout, never from the rack (§ 657a.11(e)(4)).
        Slip = 1 "slip",
        /// From the table inventory container.
        Rack = 2 "rack",
        /// Credited to the player's game account (§ 657a.11(f)(3)).
        GameAccount = 3 "game_account",
    }
}

/// What a fold does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FoldRule {
    /// To the folded seat's own award.
    pub award: FoldAward,
    /// Whether the folded hand still gives envy to the others; false where its cards are collected
    /// (§ 657a.11(c)). The folder's own eligibility to receive envy is never lost.
    pub hand_gives_envy: bool,
}

/// Which hits a floorperson or above has to validate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Validation {
    /// Every one (§ 657a.11(e)(3)).
    EveryHit,
    /// Percentages of a meter, and fixed pays from these odds on (§ 657a.11(f)(2)).
    PercentAndForOneAtLeast(u32),
}

/// Where pays come from and how they are handed over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// A percentage of a meter.
    pub percent: Charge,
    /// Fixed odds.
    pub for_one: Charge,
    /// An envy bonus.
    pub envy: Charge,
}

/// Who owes a pay and how it is handed over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Who owes it.
    pub charged_to: ChargedTo,
    /// How it is handed over.
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
    /// The line that pays this hand.
    pub fn line(&self, hand: Hand) -> Option<&Line> {
        self.lines.iter().find(|line| line.hand == hand)
    }
}

/// Whether a source that prints envy schedules for wagers of so many dollars prints one for this wager.
pub fn envy_is_printed(printed_for: &[u32], wager: Money) -> bool {
    let mut printed = printed_for.iter();
    printed.any(|dollars| Money::DOLLAR.for_one(*dollars) == Ok(wager))
}

impl Settlement {
    /// Who owes what a line pays, and how it is handed over: fixed odds that come off a level are the meter's
    /// (RULES §2.4).
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
    /// Whether a person has to validate a hit of this line.
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
