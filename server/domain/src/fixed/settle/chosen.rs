//! The tables that the certificate holder chose, as a round finds them.

use crate::fixed::odds::Settled;
use crate::fixed::settle::finding::Mistake;
use crate::fixed::table::FixedTable;
use crate::money::Money;

/// The tables chosen for a round.
pub(super) struct ChosenTables<'a> {
    /// Tables, also of other games.
    pub(super) tables: &'a [&'a FixedTable],
    /// Game of the round.
    pub(super) game: &'a str,
    /// Jurisdiction of the round.
    pub(super) jurisdiction: &'a str,
    /// Players in the round.
    pub(super) players: usize,
}

impl<'a> ChosenTables<'a> {
    /// Returns the chosen table that pays a wager of this name.
    pub(super) fn table(&self, wager: &'static str) -> Result<&'a FixedTable, Mistake> {
        let mut fitting = self.tables.iter().filter(|table| {
            table.wagers.iter().any(|paid| paid.as_str() == wager)
                && table.is_for(self.game, self.jurisdiction, self.players)
        });
        let missing = Mistake::TableMissing { table: wager };
        let first = fitting.next().ok_or(missing)?;
        match fitting.next() {
            None => Ok(first),
            Some(_) => Err(Mistake::TableTwice { table: wager }),
        }
    }

    /// Returns the highest pay of the chosen table for one wager of this amount.
    pub(super) fn highest_pay(&self, wager: &'static str, amount: Money) -> Option<Money> {
        let table = self.table(wager).ok()?;
        let lines = table.lines.iter();
        let pays = lines.map(|line| line.pays.settle(table.basis, amount));
        let pays: Result<Vec<Settled>, _> = pays.collect();
        pays.ok()?.into_iter().map(|settled| settled.pay).max()
    }
}
