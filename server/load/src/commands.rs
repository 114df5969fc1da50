//! The commands that a generator sends: how many wagers, which hands, under which badge.

/// Fewest wagers of a round.
pub(crate) const SEATS_MIN: u8 = 3;
/// Most wagers of a round: the seats of the layout.
pub(crate) const SEATS_MAX: u8 = 6;

/// A winning hand: its button and cards that make it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Hand {
    pub(crate) name: &'static str,
    pub(crate) cards: [&'static str; 5],
}

/// The badge under which hits are keyed.
pub(crate) const BADGE: &str = "dealer";
/// The hands that win, all of them on seat 1: percentages of each level, and fixed odds.
pub(crate) const HANDS: [Hand; 5] = [
    Hand {
        name: "royal-flush",
        cards: ["As", "Ks", "Qs", "Js", "Ts"],
    },
    Hand {
        name: "straight-flush",
        cards: ["9h", "8h", "7h", "6h", "5h"],
    },
    Hand {
        name: "four-of-a-kind",
        cards: ["8c", "8d", "8h", "8s", "2c"],
    },
    Hand {
        name: "full-house",
        cards: ["4c", "4d", "4h", "9s", "9c"],
    },
    Hand {
        name: "flush",
        cards: ["Kd", "9d", "7d", "4d", "2d"],
    },
];

/// What a command asks for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The bets of so many seats are locked.
    CoinIn { seats: u8 },
    /// This of [`HANDS`] won.
    Hit { hand: u8 },
    /// GAME OVER.
    Close,
}
