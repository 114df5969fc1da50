//! What a level held at one moment, on a path that it might have taken.

use crate::event::{Reset, Taken};
use crate::link::{Account, Book, Move};
use crate::meter_path::MeterPath;
use crate::money::{Money, OutOfRange};
use crate::state::LinkState;

use super::decision::Stop;

/// The balances of one level that a hit finds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Its meter, exact.
    pub(super) meter: Money,
    reserve: Money,
    overflow: Money,
}

impl Held {
    /// What a hit found.
    pub(super) const fn found(taken: &Taken) -> Self {
        Self {
            meter: taken.before,
            reserve: taken.reserve_before,
            overflow: taken.overflow_before,
        }
    }

    /// What the level holds now.
    pub(super) fn now(state: &LinkState, book: Book) -> Self {
        Self {
            meter: state.balance(book, Account::Meter),
            reserve: state.balance(book, Account::Reserve),
            overflow: state.balance(book, Account::Overflow),
        }
    }

    /// Makes it what the level of a draft holds.
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

    /// What a hit takes that finds this.
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

    /// What these entries leave.
    pub(super) fn after(mut self, moves: &[Move], book: Book) -> Result<Self, OutOfRange> {
        for it in moves.iter().filter(|it| it.book == book) {
            if let Some(from) = self.of(it.from) {
                *from = from.minus(it.amount)?;
            }
            if let Some(to) = self.of(it.to) {
                *to = to.plus(it.amount)?;
            }
        }
        Ok(self)
    }

    /// One of its balances; nothing of any other account.
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

    /// Returns where the steps lead from here that led from the first balances to the second. Adds the entries by which
    /// both differ on the way: what a ceiling keeps out of the meter on one of them alone, and what the house covers.
    ///
    /// The path tells how meter and overflow split. What went out of an overflow that is empty here was given back by a
    /// void round with a hit since its coin-in: then the house gives it (figure L).
    pub(super) fn carried(
        self,
        (book, path): (Book, Option<&MeterPath>),
        (first, second): (Self, Self),
        moves: &mut Vec<Move>,
    ) -> Result<Self, Stop> {
        // From the same balances the same steps lead to the same.
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
