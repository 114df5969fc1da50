//! The commands that the generator sends: number of wagers, hands and badge.

/// Minimum number of wagers in a round.
pub(crate) const SEATS_MIN: u8 = 3;
/// Maximum number of wagers in a round: the seats of the layout.
pub(crate) const SEATS_MAX: u8 = 6;

/// A winning hand: the name of its button, and cards that form it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Hand {
    pub(crate) name: &'static str,
    pub(crate) cards: [&'static str; 5],
}

/// The badge that keys the hits.
pub(crate) const BADGE: &str = "dealer";
/// The hands that win, all of them on seat 1. They pay percentages of each level, and fixed odds.
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

/// The kind of a command.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A coin-in with so many seats.
    CoinIn { seats: u8 },
    /// A hit with this hand of [`HANDS`].
    Hit { hand: u8 },
    /// GAME OVER.
    Close,
}
