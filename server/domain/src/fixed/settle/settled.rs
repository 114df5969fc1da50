//! A settled round: the result of every wager, and the chips afterwards.

use std::borrow::Cow;

use crate::fixed::wager::FixedWager;
use crate::ids::PaytableId;
use crate::money::{Money, OutOfRange};
use crate::paytable::words;
use crate::seat::Seat;

/// A settled round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledRound {
    /// Seats in turn order: from the dealer's right, counterclockwise.
    pub seats: Vec<SettledSeat>,
    /// Payout limit in force, with its clause, if any.
    pub limit: Option<(Money, Cow<'static, str>)>,
}

/// The settled wagers of one betting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledSeat {
    /// Betting position.
    pub seat: Seat,
    /// Wagers in the order in which the chapter settles them.
    pub wagers: Vec<SettledWager>,
}

/// A settled wager. The player ends with `returned` and `paid`; the dealer collects `collected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledWager {
    /// Wager.
    pub wager: FixedWager,
    /// Amount placed.
    pub amount: Money,
    /// Result.
    pub result: WagerResult,
    /// Clause that decides the result.
    pub clause: Cow<'static, str>,
    /// Line that pays, if a table decides.
    pub line: Option<LinePaid>,
    /// Pay at the printed odds, without the wager itself.
    pub payout: Money,
    /// Part of the payout that the house pays: less than all of it only where the payout limit cut it.
    pub paid: Money,
    /// Part of the wager that goes back to the player: all of it or nothing.
    pub returned: Money,
    /// Part of the wager that the dealer collects: the rest.
    pub collected: Money,
}

/// A line of a table that decided a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePaid {
    /// Table.
    pub table: PaytableId,
    /// Clause that prints the table.
    pub citation: String,
    /// Index of the line.
    pub index: usize,
    /// Words of the line as printed.
    pub prints: String,
    /// Pay of the line: odds such as `3 to 2`, `push` or `loses`.
    pub pays: String,
}

words! {
    /// The result of a wager.
    WagerResult {
        /// The wager won: the house pays it.
        Win = 1 "win",
        /// The wager lost, or was forfeited: the dealer collects it.
        Loss = 2 "loss",
        /// The wager neither won nor lost: it goes back to the player.
        Push = 3 "push",
        /// The round is void: the wager goes back to the player.
        Returned = 4 "returned",
    }
}

/// The sums of all wagers of a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct RoundTotals {
    /// Amounts placed: what is collected and what is returned together.
    pub wagered: Money,
    /// Wagers that the dealer collects.
    pub collected: Money,
    /// Wagers that go back to the players.
    pub returned: Money,
    /// Winnings that the house pays.
    pub paid: Money,
}

impl SettledWager {
    /// Checks if the payout limit cut the pay.
    pub fn is_cut(&self) -> bool {
        self.paid < self.payout
    }

    /// Returns the chips that the player has of this wager afterwards: the wager, if it goes back, and the winnings.
    ///
    /// # Errors
    /// [`OutOfRange`] if the sum leaves the range.
    pub fn chips(&self) -> Result<Money, OutOfRange> {
        self.returned.plus(self.paid)
    }
}

impl SettledRound {
    /// Returns the sums of all wagers.
    ///
    /// # Errors
    /// [`OutOfRange`] if a sum leaves the range.
    pub fn totals(&self) -> Result<RoundTotals, OutOfRange> {
        let mut wagers = self.seats.iter().flat_map(|seat| &seat.wagers);
        wagers.try_fold(RoundTotals::default(), |sums, wager| {
            Ok(RoundTotals {
                wagered: sums.wagered.plus(wager.amount)?,
                collected: sums.collected.plus(wager.collected)?,
                returned: sums.returned.plus(wager.returned)?,
                paid: sums.paid.plus(wager.paid)?,
            })
        })
    }
}
