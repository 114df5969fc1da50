//! Lifetime meters of a link: what was counted since it opened.

use std::sync::Arc;

use crate::link::Added;
use crate::money::Money;

/// Lifetime meters (§ 605a.7(a)(2) to (4), CONFORMANCE 10). They grow, except that what is undone counts no longer; void
/// rounds and adjustments are counted beside. Of a level's book: contributions less voided ones, house-funded, and
/// adjustments up less those down are together what is in meter, reserve and overflow, what is pending, and what is
/// attendant-paid, to the micro-dollar.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Lifetime {
    /// Rounds locked.
    pub rounds: u64,
    /// Wagers accepted.
    pub wagers: u64,
    /// Wagers given back by void rounds.
    pub wagers_voided: u64,
    /// What wagers added, share by share, in the order of the link's shares.
    pub contributions: Added,
    /// What void rounds took back, likewise.
    pub contributions_voided: Added,
    /// Book by book: what else is counted.
    pub books: Vec<BookCounts>,
    /// Line by line of the paytable, then Magic Card and Lucky Bonus: standing hits.
    pub lines: Arc<Vec<LineCounts>>,
}

/// What is counted of one book.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct BookCounts {
    /// Paid with the help of a person: all of it, on a live table. The machine itself pays nothing.
    pub attendant_paid: Money,
    /// What the house gave, less what it got back: seeds, reseeds, fixed pays, and what it covered.
    pub house_funded: Money,
    /// What ceilings kept out of the meter, whether it came back at a reset or not.
    pub overflow: Money,
    /// Two-person adjustments upwards.
    pub adjusted_up: Money,
    /// Two-person adjustments downwards.
    pub adjusted_down: Money,
    /// How often it was won.
    pub resets: u64,
}

/// What is counted of one line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Hits that were not undone.
    pub hits: u64,
    /// What they are owed.
    pub due: Money,
}
