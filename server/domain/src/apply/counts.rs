//! The lifetime meters.
//!
//! Sums saturate: a meter at its end is no reason to lose a command.

use std::sync::Arc;

use crate::event::{CoinInAccepted, HitKind, PayoutKind};
use crate::ids::TableNo;
use crate::lifetime::{BookCounts, Lifetime, LineCounts};
use crate::link::{Account, LinkTerms, Move};
use crate::money::Money;
use crate::state::{Hit, LinkState};

/// Returns meters at zero.
pub(super) fn lifetime(terms: &LinkTerms) -> Lifetime {
    let content = terms.content();
    Lifetime {
        books: vec![BookCounts::default(); content.levels.len() + 1],
        lines: Arc::new(vec![LineCounts::default(); content.lines.len() + 2]),
        ..Lifetime::default()
    }
}

fn plus(amount: Money, more: Money) -> Money {
    amount.plus(more).unwrap_or(amount)
}

fn minus(amount: Money, less: Money) -> Money {
    amount.minus(less).unwrap_or(amount)
}

impl LinkState {
    pub(super) fn count_coin_in(&mut self, coin_in: &CoinInAccepted) {
        let lifetime = &mut self.lifetime;
        lifetime.rounds += 1;
        lifetime.wagers += u64::from(coin_in.own.len() + coin_in.dealer.len());
        lifetime.contributions = lifetime.contributions.plus(&coin_in.added);
    }

    pub(super) fn count_void(&mut self, table: TableNo) {
        let Some(round) = self.table(table).and_then(|found| found.round.as_ref()) else {
            return;
        };
        let (added, wagers) = (round.added, u64::from(round.own.len() + round.dealer.len()));
        let lifetime = &mut self.lifetime;
        lifetime.wagers_voided += wagers;
        lifetime.contributions_voided = lifetime.contributions_voided.plus(&added);
    }

    pub(super) fn count_move(&mut self, entry: Move) {
        let Some(counts) = self.lifetime.books.get_mut(entry.book.index()) else {
            return;
        };
        let amount = entry.amount;
        match (entry.from, entry.to) {
            (Account::House, _) => counts.house_funded = plus(counts.house_funded, amount),
            (_, Account::House) => counts.house_funded = minus(counts.house_funded, amount),
            (Account::Pending, Account::Paid) => {
                counts.attendant_paid = plus(counts.attendant_paid, amount);
            }
            _ => {}
        }
        // Includes the amounts that the house covered because an overflow was already gone.
        match (entry.from, entry.to) {
            (_, Account::Overflow) => counts.overflow = plus(counts.overflow, amount),
            (Account::Overflow, _) => counts.overflow = minus(counts.overflow, amount),
            _ => {}
        }
    }

    /// Counts an adjustment. It has its own counter and is not house-funded.
    pub(super) fn count_adjustment(&mut self, level: u8, moves: &[Move]) {
        let Some(counts) = self.lifetime.books.get_mut(usize::from(level)) else {
            return;
        };
        for entry in moves {
            if entry.from == Account::House {
                counts.adjusted_up = plus(counts.adjusted_up, entry.amount);
                counts.house_funded = minus(counts.house_funded, entry.amount);
            } else if entry.to == Account::House {
                counts.adjusted_down = plus(counts.adjusted_down, entry.amount);
                counts.house_funded = plus(counts.house_funded, entry.amount);
            }
        }
    }

    /// Adds a hit to the counts, or removes it.
    pub(super) fn count_hit(&mut self, hit: &Hit, stands: bool) {
        let lines = &self.terms.content().lines;
        let index = match hit.kind {
            HitKind::Line => lines.iter().position(|line| Some(line.hand) == hit.hand),
            HitKind::MagicCard => Some(lines.len()),
            HitKind::LuckyBonus => Some(lines.len() + 1),
            HitKind::Envy => None,
        };
        let payouts = hit.payouts.iter().map(|state| &state.payout);
        let own = payouts.filter(|payout| payout.kind != PayoutKind::Envy);
        let due = own.fold(Money::ZERO, |due, payout| plus(due, payout.amount));
        self.count_reset(hit, stands);
        let counts = index.and_then(|index| Arc::make_mut(&mut self.lifetime.lines).get_mut(index));
        let Some(counts) = counts else { return };
        if stands {
            counts.hits += 1;
            counts.due = plus(counts.due, due);
        } else {
            counts.hits = counts.hits.saturating_sub(1);
            counts.due = minus(counts.due, due);
        }
    }
    /// Counts a standing reset. Money that a reset brought back from the overflow had gone over a ceiling, so it
    /// stays counted.
    fn count_reset(&mut self, hit: &Hit, stands: bool) {
        let Some(taken) = hit.taken else { return };
        let counts = self.lifetime.books.get_mut(usize::from(taken.level));
        let (Some(counts), Some(reset)) = (counts, taken.reset) else {
            return;
        };
        if stands {
            counts.resets += 1;
            counts.overflow = plus(counts.overflow, reset.from_overflow);
        } else {
            counts.resets = counts.resets.saturating_sub(1);
            counts.overflow = minus(counts.overflow, reset.from_overflow);
        }
    }
}
