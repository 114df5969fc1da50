//! Seats (boxes) of a layout and sets of them.

use core::fmt;

/// Seats of the widest layout: a set of seats is a 16-bit number, its top bit unused.
pub const SEATS_MAX: u8 = 15;

/// A betting position, numbered clockwise from the dealer's left. The rules check if it is on the layout.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

/// A set of seats 1 to [`SEATS_MAX`]: bit n - 1 is set for seat n.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct SeatSet {
    bits: u16,
}

impl SeatSet {
    /// The empty set.
    pub const EMPTY: Self = Self { bits: 0 };

    /// Returns the set with these bits; `None` if the unused top bit is set.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits >> SEATS_MAX == 0 {
            Some(Self { bits })
        } else {
            None
        }
    }

    /// Returns the set as bits, bit n - 1 for seat n.
    pub const fn bits(self) -> u16 {
        self.bits
    }

    /// Checks if the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        seat.0 >= 1 && seat.0 <= SEATS_MAX && self.bits & (1 << (seat.0 - 1)) != 0
    }

    /// Adds a seat; `false` if it was there already or can be on no layout.
    pub fn insert(&mut self, seat: Seat) -> bool {
        if seat.0 == 0 || seat.0 > SEATS_MAX || self.contains(seat) {
            return false;
        }
        self.bits |= 1 << (seat.0 - 1);
        true
    }

    /// Returns all seats of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
        }
    }

    /// Checks if no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns the number of seats in the set.
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Returns the seats, ascending.
    pub fn ascending(self) -> impl Iterator<Item = Seat> {
        (1..=SEATS_MAX)
            .map(Seat)
            .filter(move |seat| self.contains(*seat))
    }

    /// Returns the seats in turn order: from the player farthest to the dealer's right, counterclockwise, which is by
    /// descending number (§ 657a.11(c)).
    pub fn in_turn_order(self) -> impl Iterator<Item = Seat> {
        (1..=SEATS_MAX)
            .rev()
            .map(Seat)
            .filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set()
            .entries(self.ascending().map(|seat| seat.0))
            .finish()
    }
}

/// The holder of a hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// The player on a seat.
    Seat(Seat),
    /// The dealer.
    Dealer,
}
