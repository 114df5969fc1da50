//! The wagers of a round that are paid at fixed odds, by name.
//!
//! # Shape
//! A [`FixedWager`] is one betting area of the layout. Most have the name of the wager in the tables that pay them. The
//! three Raise Wagers of Cajun Stud have one name there, `raise`, and the three of Let It Ride `let-it-ride`. The wagers of
//! a throw of dice share the table `sic-bo`: in a round each has the name of its line, as a [`RoundWager`].

use core::fmt;

use crate::fixed::dice::DiceWager;
use crate::paytable::words;

words! {
    /// A wager at fixed odds, by its name in the chapters. One word is one wager in every game.
    FixedWager {
        /// The Ante Wager (§§ 657a.7(d)(1), 683a.7(d)(1), 684a.7(d)(1)).
        Ante = 1 "ante",
        /// The Play Wager (§ 657a.11(b)).
        Play = 2 "play",
        /// The Super Bonus Wager (§ 657a.7(d)(1)).
        SuperBonus = 3 "super-bonus",
        /// The Queens Up Wager (§ 657a.7(d)(2)).
        QueensUp = 4 "queens-up",
        /// The Six Card Bonus Wager (§ 657a.7(d)(6)).
        SixCardBonus = 5 "six-card-bonus",
        /// The Cover All Bonus Wager (Massachusetts, Crazy 4 Poker, 12).
        CoverAll = 6 "cover-all",
        /// The Raise Wager of Four Card Frenzy (§ 684a.11(b)).
        Raise = 7 "raise",
        /// Cajun Stud's Raise Wager after two cards (§ 683a.11(b)).
        FirstRaise = 8 "raise-1",
        /// Cajun Stud's Raise Wager after the first community card (§ 683a.11(d)).
        SecondRaise = 9 "raise-2",
        /// Cajun Stud's Raise Wager after the second community card (§ 683a.11(f)).
        ThirdRaise = 10 "raise-3",
        /// The Pocket Bonus Wager (§ 683a.7(d)(2)).
        PocketBonus = 11 "pocket-bonus",
        /// The Board Bonus Wager (§ 683a.7(d)(3)).
        BoardBonus = 12 "board-bonus",
        /// The Lo Ball Wager (§ 683a.7(d)(4)).
        LoBall = 13 "lo-ball",
        /// The All-Six Bonus Wager (§§ 683a.7(d)(5), 684a.7(d)(4)).
        AllSix = 14 "all-six",
        /// The Odds Wager (§ 684a.7(d)(1)).
        Odds = 15 "odds",
        /// The Prime Wager (§ 684a.7(d)(2)).
        Prime = 16 "prime",
        /// The Four Card Bonus Wager (§ 684a.7(d)(3)).
        FourCardBonus = 17 "four-card-bonus",
        /// The Blind Wager (§ 653a.7(d)(1)).
        Blind = 18 "blind",
        /// The Trips Wager (§ 653a.11(i)).
        Trips = 19 "trips",
        /// The Bad Beat Bonus Wager (§§ 641a.11(c)(6), 653a.7(d)(6)).
        BadBeatBonus = 20 "bad-beat",
        /// The Flop Wager (§ 647a.11(b)).
        Flop = 21 "flop",
        /// The Turn Wager (§ 647a.12(c)).
        Turn = 22 "turn",
        /// The River Wager (§ 647a.12(c)).
        River = 23 "river",
        /// The Texas Hold 'Em Bonus Wager (§ 647a.11(b)(2)).
        TexasHoldEmBonus = 24 "texas-hold-em-bonus",
        /// The first of the three Let It Ride Poker Wagers (§ 643a.7(d)).
        FirstLetItRide = 25 "let-it-ride-1",
        /// The second of the three Let It Ride Poker Wagers (§ 643a.7(d)).
        SecondLetItRide = 26 "let-it-ride-2",
        /// The third of the three Let It Ride Poker Wagers (§ 643a.7(d)).
        ThirdLetItRide = 27 "let-it-ride-3",
        /// The Five Card Bonus Wager (§ 643a.11(g)(1)).
        FiveCardBonus = 28 "five-card-bonus",
        /// The Three Card Bonus Wager (§§ 643a.11(g)(2), 655a.11(i)(2)).
        ThreeCardBonus = 29 "three-card-bonus",
        /// The 3rd Street Wager (§ 655a.11(b)).
        ThirdStreet = 30 "third-street",
        /// The 4th Street Wager (§ 655a.11(d)).
        FourthStreet = 31 "fourth-street",
        /// The 5th Street Wager (§ 655a.11(f)).
        FifthStreet = 32 "fifth-street",
        /// The Aces Up Wager (§ 641a.11(b)(1)).
        AcesUp = 33 "aces-up",
        /// The Pair Bonus Wager (§ 679a.11(d)(2)).
        PairBonus = 34 "pair-bonus",
        /// The Trips Plus Wager (§ 677a.12(f)).
        TripsPlus = 35 "trips-plus",
        /// A wager on three dice, other than One of a Kind (§ 625a.6(a)).
        SicBo = 36 "sic-bo",
        /// The One of a Kind Wager on three dice (§ 625a.6(b)).
        OneOfAKind = 37 "one-of-a-kind",
        /// The Touchdown Roulette Wager (§ 617a.3(f)).
        Touchdown = 38 "touchdown",
    }
}

/// A wager as a round names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RoundWager {
    /// A wager that a table has by its own name: all but those on dice.
    Fixed(FixedWager),
    /// A wager on dice, by the name of its line.
    Dice(DiceWager),
}

impl RoundWager {
    /// Returns all wagers.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = FixedWager::ALL
            .iter()
            .copied()
            .filter(|wager| !is_on_dice(*wager));
        own.map(Self::Fixed).chain(DiceWager::all().map(Self::Dice))
    }

    /// Returns the wager with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let own = FixedWager::from_name(name).filter(|wager| !is_on_dice(*wager));
        own.map(Self::Fixed)
            .or_else(|| name.parse().ok().map(Self::Dice))
    }

    /// Returns the wager that tables name for this one.
    pub const fn fixed(self) -> FixedWager {
        match self {
            Self::Fixed(wager) => wager,
            Self::Dice(DiceWager::OneOfAKind) => FixedWager::OneOfAKind,
            Self::Dice(_) => FixedWager::SicBo,
        }
    }
}

/// Checks if the lines of a table for this wager are wagers of their own.
const fn is_on_dice(wager: FixedWager) -> bool {
    matches!(wager, FixedWager::SicBo | FixedWager::OneOfAKind)
}

impl fmt::Display for RoundWager {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(wager) => wager.fmt(out),
            Self::Dice(wager) => wager.fmt(out),
        }
    }
}
