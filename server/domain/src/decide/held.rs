//! The balances of a level at one moment, on a path that it might have taken.

use crate::event::{Reset, Taken};
use crate::link::{Account, Book, Move};
use crate::meter_path::MeterPath;
use crate::money::{Money, OutOfRange};
use crate::state::LinkState;

use super::decision::Stop;

/// The balances of one level that a hit finds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Exact balance of the meter.
    pub(super) meter: Money,
    reserve: Money,
    overflow: Money,
}

impl Held {
    /// Returns the balances that a hit found.
    pub(super) const fn found(taken: &Taken) -> Self {
        Self {
            meter: taken.before,
            reserve: taken.reserve_before,
            overflow: taken.overflow_before,
        }
    }

    /// Returns the level's present balances.
    pub(super) fn now(state: &LinkState, book: Book) -> Self {
        Self {
            meter: state.balance(book, Account::Meter),
            reserve: state.balance(book, Account::Reserve),
            overflow: state.balance(book, Account::Overflow),
        }
    }

    /// Writes the balances into the level of a draft.
    pub(super) fn put(self, draft: &mut LinkState, book: Book) {
        if let Some(balances) = draft.balances.get_mut(book.index()) {
            for (account, amount) in [
                (Account::Meter, self.meter),
                (Account::Reserve, self.reserve),
                (Account::Overflow, self.overflow),
            ] {
                if let Some(balance) = balances.0.get_mut(account.index()) {
                    *balance = amount;
                }
            }
        }
    }

    /// Returns the amount that a hit takes that finds these balances.
    pub(super) const fn taken(
        self,
        book: Book,
        percent: Option<u8>,
        reset: Option<Reset>,
    ) -> Taken {
        Taken {
            level: book.0,
            percent,
            before: self.meter,
            after: self.meter,
            reserve_before: self.reserve,
            overflow_before: self.overflow,
            reset,
        }
    }

    /// Returns the balances after these entries.
    pub(super) fn after(mut self, moves: &[Move], book: Book) -> Result<Self, OutOfRange> {
        for entry in moves.iter().filter(|entry| entry.book == book) {
            if let Some(from) = self.of(entry.from) {
                *from = from.minus(entry.amount)?;
            }
            if let Some(to) = self.of(entry.to) {
                *to = to.plus(entry.amount)?;
            }
        }
        Ok(self)
    }

    /// Returns one of the balances; zero for any other account.
    pub(super) fn balance(mut self, account: Account) -> Money {
        self.of(account).map_or(Money::ZERO, |balance| *balance)
    }

    const fn of(&mut self, account: Account) -> Option<&mut Money> {
        match account {
            Account::Meter => Some(&mut self.meter),
            Account::Reserve => Some(&mut self.reserve),
            Account::Overflow => Some(&mut self.overflow),
            Account::Players
            | Account::House
            | Account::Pending
            | Account::Paid
            | Account::InTransit => None,
        }
    }

    /// Follows from here the steps that led from the first balances to the second. Adds the entries by which both
    /// paths differ on the way: the amount that a ceiling keeps out on one of them alone, and the amount that the
    /// house covers.
    ///
    /// The path determines the split between meter and overflow. Money that left an overflow that is empty here was
    /// given back by a void round with a hit since its coin-in: the house then gives it (figure L).
    pub(super) fn carried(
        self,
        (book, path): (Book, Option<&MeterPath>),
        (first, second): (Self, Self),
        moves: &mut Vec<Move>,
    ) -> Result<Self, Stop> {
        // From the same balances the same steps lead to the same end.
        if self == first {
            return Ok(second);
        }
        let over = second.overflow.minus(first.overflow)?;
        let steps = second.meter.minus(first.meter)?;
        let meter = match path {
            Some(path) => {
                let led = path.lead(self.meter)?.minus(path.lead(first.meter)?)?;
                second.meter.plus(led)?
            }
            None => self.meter.plus(steps)?,
        };
        let both = self.meter.plus(self.overflow)?.plus(steps)?.plus(over)?;
        let overflow = both.minus(meter)?;
        let reserve = self.reserve.plus(second.reserve.minus(first.reserve)?)?;
        let kept_out = overflow.minus(self.overflow.plus(over)?)?;
        let negative = |amount: Money| Money::ZERO.minus(amount);
        let (out, back) = (kept_out, negative(kept_out)?);
        for (from, to, amount) in [
            (Account::Meter, Account::Overflow, out),
            (Account::Overflow, Account::Meter, back),
            (Account::House, Account::Meter, negative(meter)?),
            (Account::House, Account::Reserve, negative(reserve)?),
            (Account::House, Account::Overflow, negative(overflow)?),
        ] {
            if amount > Money::ZERO {
                moves.push(Move {
                    book,
                    from,
                    to,
                    amount,
                });
            }
        }
        Ok(Self {
            meter: meter.max(Money::ZERO),
            reserve: reserve.max(Money::ZERO),
            overflow: overflow.max(Money::ZERO),
        })
    }
}
