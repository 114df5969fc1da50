//! One level's meter, reserve and overflow in the auditor's own arithmetic: what a prize takes, what a level restarts
//! with, what a ceiling keeps out and the house covers.

use super::Auditor;
use meterhouse_domain::link::Balances;

use super::books::{Account, Entry};
use super::hit::{Taken, Took};
use super::life::Fact;
use super::sheet::{CENT, Prize};
use crate::setup::Restart;

/// What a level holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pot {
    /// Displayed.
    pub(super) meter: i128,
    /// Hidden.
    pub(super) reserve: i128,
    /// Kept out by the ceiling.
    pub(super) overflow: i128,
}

/// Cut to the cent.
pub(super) const fn cut(micros: i128) -> i128 {
    micros - micros % CENT
}

impl Pot {
    /// What the rules hold.
    pub(super) fn held(balances: &Balances) -> Self {
        let micros = |account: Account| i128::from(balances.0[account as usize].micros());
        Self {
            meter: micros(Account::Meter),
            reserve: micros(Account::Reserve),
            overflow: micros(Account::Overflow),
        }
    }

    fn account(&mut self, account: Account) -> Option<&mut i128> {
        match account {
            Account::Meter => Some(&mut self.meter),
            Account::Reserve => Some(&mut self.reserve),
            Account::Overflow => Some(&mut self.overflow),
            Account::Players | Account::House | Account::Pending | Account::Paid => None,
        }
    }

    pub(super) fn write(&mut self, level: usize, entries: &[Entry]) {
        for entry in entries.iter().filter(|entry| entry.book == level) {
            if let Some(from) = self.account(entry.from) {
                *from -= entry.micros;
            }
            if let Some(to) = self.account(entry.to) {
                *to += entry.micros;
            }
        }
    }

    /// What the house has to give so that nothing is below zero.
    pub(super) fn cover(&self, level: usize) -> Vec<Entry> {
        let accounts = [
            (Account::Meter, self.meter),
            (Account::Reserve, self.reserve),
            (Account::Overflow, self.overflow),
        ];
        let missing = accounts.into_iter().filter(|(_, micros)| *micros < 0);
        let entry = missing.map(|(to, micros)| Entry {
            book: level,
            from: Account::House,
            to,
            micros: -micros,
        });
        entry.collect()
    }

    /// What is over a ceiling.
    pub(super) fn excess(&self, level: usize, ceiling: Option<i128>) -> Vec<Entry> {
        let over = self.meter - ceiling.unwrap_or(self.meter).min(self.meter);
        let entry = (over > 0).then_some(Entry {
            book: level,
            from: Account::Meter,
            to: Account::Overflow,
            micros: over,
        });
        entry.into_iter().collect()
    }
}

impl Auditor {
    /// What a level holds by the books.
    pub(super) fn pot(&self, level: usize) -> Pot {
        Pot {
            meter: self.books.of(level, Account::Meter),
            reserve: self.books.of(level, Account::Reserve),
            overflow: self.books.of(level, Account::Overflow),
        }
    }

    /// A prize won off a level that holds this: what each share is, and everything it takes.
    pub(super) fn win(
        &self,
        pot: Pot,
        level: usize,
        prize: Prize,
        shares: i128,
        late: Option<i128>,
    ) -> (i128, Took) {
        let (percent, worth) = match prize {
            Prize::Share(percent, _) => (
                Some(percent),
                cut(cut(pot.meter) * percent / 100 / shares.max(1)),
            ),
            Prize::Fixed(odds) | Prize::Metered(odds, _) => (None, odds * self.wager),
        };
        let each = late.unwrap_or(worth);
        let from_meter = (each * shares).min(cut(pot.meter));
        let from_house = each * shares - from_meter;
        let mut entries = Vec::new();
        let mut enter = |from, to, micros| {
            entries.push(Entry {
                book: level,
                from,
                to,
                micros,
            });
        };
        enter(Account::Meter, Account::Pending, from_meter);
        enter(Account::House, Account::Pending, from_house);
        let reset = (percent == Some(100)).then(|| self.restart(pot, level));
        if let Some((house, reserve, overflow)) = reset {
            enter(Account::House, Account::Meter, house);
            enter(Account::Reserve, Account::Meter, reserve);
            enter(Account::Overflow, Account::Meter, overflow);
        }
        let mut after = pot;
        after.write(level, &entries);
        let excess = after.excess(level, self.ceilings[level]);
        after.write(level, &excess);
        entries.extend(excess);
        let taken = Taken {
            level,
            percent,
            before: pot.meter,
            after: after.meter,
            behind: (pot.reserve, pot.overflow),
            reset,
        };
        let took = Took {
            prize,
            late,
            shares,
            taken,
            from_house,
            entries,
        };
        (each, took)
    }

    /// What house, reserve and overflow give to a level that was won.
    fn restart(&self, pot: Pot, level: usize) -> (i128, i128, i128) {
        let reseed = self.sheet.levels[level].reseed * self.wager;
        let (house, reserve) = match self.restart {
            Restart::Add => (reseed, pot.reserve),
            Restart::GreaterOf if pot.reserve >= reseed => (0, pot.reserve),
            Restart::FundKeep if pot.reserve >= reseed => (0, reseed),
            Restart::GreaterOf | Restart::FundKeep => (reseed - pot.reserve, pot.reserve),
        };
        (house, reserve, pot.overflow)
    }

    /// After entries other than a hit's or a coin-in's: the house covers what is missing, the overflow takes
    /// what is too much. What it covers is a fact of its own.
    pub(super) fn put_in_bounds(&mut self) {
        for level in 0..self.sheet.levels.len() {
            let cover = self.pot(level).cover(level);
            self.books.write(&cover);
            if !cover.is_empty() {
                self.seen.covered += 1;
                self.facts.push(Fact::Entries(cover));
            }
            let excess = self.pot(level).excess(level, self.ceilings[level]);
            self.books.write(&excess);
        }
    }

    /// The level holds this, what is unpaid of its hits is pending, and the house made up the difference.
    pub(super) fn set_level(&mut self, level: usize, pot: Pot) {
        let standing = self
            .hits
            .iter()
            .filter(|hit| hit.stands() && hit.level() == Some(level));
        let due = standing.flat_map(|hit| &hit.due);
        let unpaid = due.filter(|due| due.metered && due.paid.is_none());
        let pending = unpaid.map(|due| due.micros).sum::<i128>();
        for (account, holds) in [
            (Account::Meter, pot.meter),
            (Account::Reserve, pot.reserve),
            (Account::Overflow, pot.overflow),
            (Account::Pending, pending),
        ] {
            let micros = holds - self.books.of(level, account);
            self.books.write(&[Entry {
                book: level,
                from: Account::House,
                to: account,
                micros,
            }]);
        }
    }
}
