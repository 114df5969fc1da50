//! What a level held at one moment, on a path that it might have taken.

use crate::event::{Reset, Taken};
use crate::link::{Account, Book, Move};
use crate::money::{Money, OutOfRange};
use crate::state::LinkState;

use super::Stop;

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

    /// Where this path arrives by the steps that led the other one from its first balances to its second. Adds the
    /// entries by which both differ on the way: what a ceiling keeps out of the meter on one of them alone, and what
    /// the house covers.
    ///
    /// Only the sums of the steps are known. What came over the ceiling in sum stays below it here as long as there
    /// is room. What went out of an overflow that is empty here was given back by a void round with a hit since its
    /// coin-in: then the house gives it (figure L).
    pub(super) fn carried(
        self,
        state: &LinkState,
        book: Book,
        (first, second): (Self, Self),
        moves: &mut Vec<Move>,
    ) -> Result<Self, Stop> {
        // From the same balances the same steps lead to the same, whatever the ceiling did on the way.
        if self == first {
            return Ok(second);
        }
        let over = second.overflow.minus(first.overflow)?;
        let steps = second.meter.minus(first.meter)?;
        let mut meter = self.meter.plus(steps)?.plus(over.max(Money::ZERO))?;
        let mut overflow = self.overflow.plus(over.min(Money::ZERO))?;
        if let Some(highest) = state.terms.settings.ceiling(book) {
            let excess = meter.minus(highest)?.max(Money::ZERO);
            meter = meter.minus(excess)?;
            overflow = overflow.plus(excess)?;
        }
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
