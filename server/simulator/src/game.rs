//! The games that the simulation can play, with the facts that a dealer needs.

use meterhouse_domain::paytable::HandRule;

/// A game at a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GamePlan {
    /// The game's id.
    pub game: &'static str,
    /// The paytable of the table. Its content equals the link's paytable.
    pub paytable: &'static str,
    /// The cards that are dealt, and those that form a hand.
    pub hand_rule: HandRule,
    /// If `true`, a fold forfeits this wager.
    pub forfeited_by_fold: bool,
}

impl GamePlan {
    /// Crazy 4 Poker, five-card Paytable C.
    pub const CRAZY_4: Self = Self {
        game: "crazy-4-poker",
        paytable: "pa-657a-five-card-c",
        hand_rule: HandRule::OwnFive,
        forfeited_by_fold: true,
    };
    /// Crazy 4 Poker, Five Card Hand Bonus.
    pub const CRAZY_4_HAND_BONUS: Self = Self {
        paytable: "pa-657a-five-card-hand-bonus",
        forfeited_by_fold: false,
        ..Self::CRAZY_4
    };
    /// Crazy 4 Poker, with the demo's own example of three levels with reserves.
    pub const CRAZY_4_EXAMPLE: Self = Self {
        paytable: "example-three-reserves",
        ..Self::CRAZY_4
    };
    /// Ultimate Texas Hold 'Em, Paytable C.
    pub const ULTIMATE: Self = Self {
        game: "ultimate-texas-hold-em",
        paytable: "pa-653a-c",
        hand_rule: HandRule::TwoAndFlop,
        forfeited_by_fold: false,
    };
    /// Ultimate Texas Hold 'Em, Five Card Hand Bonus.
    pub const ULTIMATE_HAND_BONUS: Self = Self {
        paytable: "pa-653a-five-card-hand-bonus",
        ..Self::ULTIMATE
    };
    /// Mississippi Stud, Paytable C: nothing is forfeited.
    pub const MISSISSIPPI: Self = Self {
        game: "mississippi-stud",
        paytable: "pa-655a-c",
        hand_rule: HandRule::TwoAndCommunity,
        forfeited_by_fold: false,
    };
}
