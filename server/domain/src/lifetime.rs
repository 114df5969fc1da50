//! Lifetime meters of a link: counts since it opened.

use std::sync::Arc;

use crate::link::Added;
use crate::money::Money;

/// Lifetime meters (§ 605a.7(a)(2) to (4), CONFORMANCE 10). They grow, except that undone hits count no longer. Void
/// rounds and adjustments have counters of their own. For a level's book two sums are equal, to the micro-dollar. The
/// first is contributions less voided ones, house-funded, and adjustments up less those down. The second is meter,
/// reserve, overflow, pending and attendant-paid.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Lifetime {
    /// Rounds that were locked, void ones included.
    pub rounds: u64,
    /// Wagers accepted, voided ones included.
    pub wagers: u64,
    /// Wagers given back by void rounds.
    pub wagers_voided: u64,
    /// Amounts that wagers added, share by share, in the order of the link's shares.
    pub contributions: Added,
    /// Amounts that void rounds took back, in the same order.
    pub contributions_voided: Added,
    /// Other counts, book by book.
    pub books: Vec<BookCounts>,
    /// Standing hits of each line of the paytable, then of Magic Card and Lucky Bonus.
    pub lines: Arc<Vec<LineCounts>>,
}

/// The counts of one book.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct BookCounts {
    /// Amount paid with the help of a person: all of it, on a live table. The machine itself pays nothing.
    pub attendant_paid: Money,
    /// Amount given by the house, less the amount that it got back: seeds, reseeds, fixed pays, and cover.
    pub house_funded: Money,
    /// Amount that ceilings kept out of the meter, returned at a reset or not.
    pub overflow: Money,
    /// Two-person adjustments upwards.
    pub adjusted_up: Money,
    /// Two-person adjustments downwards.
    pub adjusted_down: Money,
    /// Number of times that the level was won.
    pub resets: u64,
}

/// The counts of one line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Hits that were not undone.
    pub hits: u64,
    /// Sum owed for these hits.
    pub due: Money,
}
