//! The path of a meter under a ceiling since the last hit of its level: the end of the same steps from another
//! beginning.
//!
//! # Shape
//! Without void rounds two amounts describe a path. Each step adds an amount and stops at the ceiling, m → min(m + a,
//! C); consecutive steps combine to the same form, m → min(m + A, B). A void round takes back its coin-in's amount,
//! and the excess over the ceiling then depends on the beginning. The path therefore keeps the stretches of
//! beginnings whose money is in the overflow. While the round of a stretch is open, the stretch goes back if that
//! round is voided. B is the beginning of the last stretch.
//!
//! # Bounds
//! [`STRETCHES_MAX`]: one for each open round, and one for each gap that a void round left. Beyond this number the
//! smallest gaps count as kept out.

use crate::ids::{Sequence, TableNo};
use crate::link::{Account, Book, Move};
use crate::money::{Money, OutOfRange};

/// Number of stretches that are kept separate.
pub const STRETCHES_MAX: usize = 1_024;

/// The round that a stretch goes back with: its table and its coin-in.
pub type Owner = (TableNo, Sequence);

/// A range of beginnings whose difference is kept out of the meter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Lower end of the range.
    pub from: Money,
    /// Upper end of the range; `None` if it has none.
    pub to: Option<Money>,
    /// Open round whose coin-in kept the range out.
    pub owner: Option<Owner>,
}

/// The steps of a meter since the last hit of its level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeterPath {
    /// Balance of the meter at the beginning.
    pub begun: Money,
    /// Sum of the steps.
    pub added: Money,
    /// Stretches kept out, in ascending order and without overlaps.
    pub kept_out: Vec<Stretch>,
}

impl Stretch {
    /// Returns the part of the stretch below an amount.
    fn below(&self, amount: Money) -> Result<Money, OutOfRange> {
        let end = self.to.map_or(amount, |to| to.min(amount));
        Ok(end.minus(self.from)?.max(Money::ZERO))
    }
}

impl MeterPath {
    /// Returns a path without steps.
    pub(crate) const fn beginning(begun: Money) -> Self {
        Self {
            begun,
            added: Money::ZERO,
            kept_out: Vec::new(),
        }
    }

    /// Returns the end of the steps from this meter.
    pub(crate) fn lead(&self, meter: Money) -> Result<Money, OutOfRange> {
        let mut led = meter.plus(self.added)?;
        for stretch in &self.kept_out {
            led = led.minus(stretch.below(meter)?)?;
        }
        Ok(led)
    }

    /// Adds a step that stops at the ceiling. The amount that the ceiling keeps out goes back with its owner.
    pub(crate) fn step(
        &mut self,
        amount: Money,
        ceiling: Money,
        owner: Option<Owner>,
    ) -> Result<(), OutOfRange> {
        self.added = self.added.plus(amount)?;
        self.stop_at(ceiling, owner)
    }

    /// Keeps out what leads above the ceiling.
    fn stop_at(&mut self, ceiling: Money, owner: Option<Owner>) -> Result<(), OutOfRange> {
        // The beginning from which the steps lead to the ceiling.
        let mut highest = ceiling.minus(self.added)?;
        let mut kept = Vec::with_capacity(self.kept_out.len() + 1);
        let mut rest = self.kept_out.iter().copied().peekable();
        while let Some(stretch) = rest.next_if(|stretch| stretch.from <= highest) {
            kept.push(stretch);
            let Some(to) = stretch.to else {
                return Ok(());
            };
            highest = highest.plus(to.minus(stretch.from)?)?;
        }
        let mut from = Some(highest);
        for stretch in rest {
            push(&mut kept, from, Some(stretch.from), owner);
            push(&mut kept, Some(stretch.from), stretch.to, stretch.owner);
            from = stretch.to;
        }
        push(&mut kept, from, None, owner);
        self.kept_out = kept;
        self.limit()
    }

    /// Takes back a void round's coin-in; `left` is the amount that leaves the meter now, and the house covers the
    /// rest.
    pub(crate) fn give_back(
        &mut self,
        owner: Owner,
        left: Money,
        covered: Money,
        ceiling: Money,
    ) -> Result<(), OutOfRange> {
        let taken = left.plus(self.kept_out_by(owner)?)?;
        self.added = self.added.minus(taken)?;
        self.kept_out.retain(|stretch| stretch.owner != Some(owner));
        self.covered(covered, ceiling)
    }

    /// Makes the path stop at the ceiling again after the house covered an amount. From a higher beginning the meter
    /// would have had that amount itself.
    fn covered(&mut self, amount: Money, ceiling: Money) -> Result<(), OutOfRange> {
        if amount > Money::ZERO {
            self.stop_at(ceiling, None)
        } else {
            Ok(())
        }
    }

    /// Returns the amount that a round kept out on the way that the meter took.
    pub(crate) fn kept_out_by(&self, owner: Owner) -> Result<Money, OutOfRange> {
        let mut sum = Money::ZERO;
        for stretch in &self.kept_out {
            if stretch.owner == Some(owner) {
                sum = sum.plus(stretch.below(self.begun)?)?;
            }
        }
        Ok(sum)
    }

    /// Makes the stretches of finished rounds permanent.
    pub(crate) fn close(&mut self, is_over: impl Fn(Owner) -> bool) {
        if !self
            .kept_out
            .iter()
            .any(|stretch| stretch.owner.is_some_and(&is_over))
        {
            return;
        }
        let stretches = std::mem::take(&mut self.kept_out);
        for stretch in stretches {
            let owner = stretch.owner.filter(|owner| !is_over(*owner));
            push(&mut self.kept_out, Some(stretch.from), stretch.to, owner);
        }
    }

    /// Appends another path to this one.
    pub(crate) fn append(&mut self, next: &Self) -> Result<(), OutOfRange> {
        let mut kept = Vec::new();
        // If the money below a stretch's beginning is in the meter, the next path may keep it out.
        let mut from = None;
        let mut shift = self.added;
        for stretch in &self.kept_out {
            next.seen_from((from, Some(stretch.from)), shift, &mut kept)?;
            push(&mut kept, Some(stretch.from), stretch.to, stretch.owner);
            from = stretch.to;
            if let Some(to) = stretch.to {
                shift = shift.minus(to.minus(stretch.from)?)?;
            }
        }
        if self.kept_out.last().is_none_or(|last| last.to.is_some()) {
            next.seen_from((from, None), shift, &mut kept)?;
        }
        self.added = self.added.plus(next.added)?;
        self.kept_out = kept;
        self.limit()
    }

    /// Adds the stretches that this path keeps out of the beginnings between two amounts; another path leads these
    /// `shift` further.
    fn seen_from(
        &self,
        (low, high): (Option<Money>, Option<Money>),
        shift: Money,
        kept: &mut Vec<Stretch>,
    ) -> Result<(), OutOfRange> {
        for stretch in &self.kept_out {
            let from = stretch.from.minus(shift)?;
            let to = stretch.to.map(|to| to.minus(shift)).transpose()?;
            let from = low.map_or(from, |low| low.max(from));
            let to = match (to, high) {
                (Some(to), Some(high)) => Some(to.min(high)),
                (to, high) => to.or(high),
            };
            if to.is_none_or(|to| from < to) {
                push(kept, Some(from), to, stretch.owner);
            }
        }
        Ok(())
    }

    /// Makes the path lead from its beginning to this meter: the house covered an amount on the way.
    pub(crate) fn arrive(
        &mut self,
        begun: Money,
        meter: Money,
        ceiling: Money,
    ) -> Result<(), OutOfRange> {
        self.begun = begun;
        let missing = meter.minus(self.lead(begun)?)?;
        self.added = self.added.plus(missing)?;
        self.covered(missing, ceiling)
    }

    /// Counts the smallest gaps as kept out if there are too many stretches.
    fn limit(&mut self) -> Result<(), OutOfRange> {
        if self.kept_out.len() <= STRETCHES_MAX {
            return Ok(());
        }
        let met = self.lead(self.begun)?;
        while self.kept_out.len() > STRETCHES_MAX {
            let mut smallest: Option<(Money, usize)> = None;
            for (index, pair) in self.kept_out.windows(2).enumerate() {
                let [one, next] = pair else { continue };
                let gap = next.from.minus(one.to.unwrap_or(next.from))?;
                if smallest.is_none_or(|(least, _)| gap < least) {
                    smallest = Some((gap, index));
                }
            }
            let Some((_, index)) = smallest else { break };
            let next = self.kept_out.remove(index + 1);
            if let Some(stretch) = self.kept_out.get_mut(index) {
                (stretch.to, stretch.owner) = (next.to, None);
            }
        }
        let missing = met.minus(self.lead(self.begun)?)?;
        self.added = self.added.plus(missing)?;
        Ok(())
    }
}

/// Adds a stretch, joined to the last one if both have one owner and touch; an empty one is left out.
fn push(kept: &mut Vec<Stretch>, from: Option<Money>, to: Option<Money>, owner: Option<Owner>) {
    let Some(from) = from.filter(|from| Some(*from) != to) else {
        return;
    };
    match kept.last_mut() {
        Some(last) if last.to == Some(from) && last.owner == owner => last.to = to,
        _ => kept.push(Stretch { from, to, owner }),
    }
}

/// Returns the amount that moves add to the meter of a book, without the amount that a ceiling keeps out.
pub(crate) fn step_of(moves: &[Move], book: Book) -> Result<Money, OutOfRange> {
    let kept_in = |entry: &&Move| (entry.from, entry.to) != (Account::Meter, Account::Overflow);
    net_of(moves.iter().filter(kept_in), book)
}

/// Returns the change of the meter of a book by the moves.
pub(crate) fn net_of<'a>(
    moves: impl IntoIterator<Item = &'a Move>,
    book: Book,
) -> Result<Money, OutOfRange> {
    let mut sum = Money::ZERO;
    for entry in moves.into_iter().filter(|entry| entry.book == book) {
        match (entry.from, entry.to) {
            (Account::Meter, _) => sum = sum.minus(entry.amount)?,
            (_, Account::Meter) => sum = sum.plus(entry.amount)?,
            _ => {}
        }
    }
    Ok(sum)
}
