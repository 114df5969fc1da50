//! How a round ends in the auditor's books: GAME OVER, and void.

use super::books::{Account, Entry};
use super::round::{Due, Hit, Status, Way};
use super::{Auditor, Verdict};

impl Auditor {
    /// GAME OVER pays what was not paid by slip, and names the hits of which it paid something.
    pub(super) fn close(&mut self, table: usize) -> Result<Vec<u64>, String> {
        let round = self.felts[table].round.take().ok_or("no round")?;
        let mut paid = Vec::new();
        for hit in round.standing() {
            let rest: Vec<Entry> = hit
                .due
                .iter()
                .filter(|due| due.document.is_none())
                .map(|due| self.payment(hit, due))
                .collect();
            if !rest.is_empty() {
                paid.push(hit.number);
            }
            self.books.write(&rest);
        }
        Ok(paid)
    }

    /// From pending to paid, in the book where it is pending.
    pub(super) fn payment(&self, hit: &Hit, due: &Due) -> Entry {
        let book = match (due.way, hit.took) {
            (Way::Slip, Some((level, _))) => level,
            _ => self.sheet.levels.len(),
        };
        Entry {
            book,
            from: Account::Pending,
            to: Account::Paid,
            micros: due.micros,
        }
    }

    /// All wagers go back: first the round's own hits, newest first, then what the wagers added, from where
    /// it went or, where a standing hit took from there since, from the house. Names the hits.
    pub(super) fn void(&mut self, table: usize) -> Result<Vec<u64>, String> {
        let round = self.felts[table].round.as_ref().ok_or("no round")?;
        let own: Vec<u64> = round.standing().map(|hit| hit.number).collect();
        let own: Vec<u64> = own.into_iter().rev().collect();
        for number in &own {
            self.withdraw(table, *number, Status::Cancelled)?;
        }
        let round = self.felts[table].round.take().ok_or("no round")?;
        for entry in round.added {
            let took = self.takes.iter().any(|take| {
                let since = take.stands && take.level == entry.book && take.at > round.locked_at;
                since && (entry.to == Account::Meter || take.reserve)
            });
            self.charged_to_house |= took;
            self.books.write(&[Entry {
                from: if took { Account::House } else { entry.to },
                to: Account::Players,
                ..entry
            }]);
        }
        Ok(own)
    }

    /// The open round of a table.
    pub(super) fn round(&mut self, table: usize) -> Result<&mut super::round::Round, String> {
        let felt = self.felts.get_mut(table).ok_or("no such table")?;
        felt.round.as_mut().ok_or_else(|| "no round".to_owned())
    }

    /// What a person's command finds: a hit of an open round.
    pub(super) fn hit_mut(&mut self, table: usize, number: u64) -> Option<&mut Hit> {
        let round = self.felts.get_mut(table)?.round.as_mut()?;
        round.hits.iter_mut().find(|hit| hit.number == number)
    }

    /// The same, to read.
    pub(crate) fn hit(&self, table: usize, number: u64) -> Option<&Hit> {
        let round = self.felts.get(table)?.round.as_ref()?;
        round.hits.iter().find(|hit| hit.number == number)
    }

    /// Marks a payout as paid with this document.
    pub(super) fn pay(
        &mut self,
        table: usize,
        number: u64,
        index: usize,
        document: &str,
    ) -> Verdict {
        let hit = self.hit(table, number).ok_or("no such hit")?;
        let due = hit.due.get(index).ok_or("no such payout")?;
        let entry = self.payment(hit, due);
        self.books.write(&[entry]);
        let hit = self.hit_mut(table, number).ok_or("no such hit")?;
        hit.due[index].document = Some(document.to_owned());
        Ok(())
    }
}
