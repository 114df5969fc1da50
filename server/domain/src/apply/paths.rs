//! The paths of meters under ceilings: the steps since the last hit of their level.
//!
//! # Order
//! An amount that leaves the range of money is refused before it becomes an event. If a damaged journal holds such an
//! amount, the path stays as it was.

use std::sync::Arc;

use crate::change::Resettled;
use crate::ids::{HitId, TableNo};
use crate::link::{Account, Book, Move};
use crate::meter_path::{MeterPath, Owner, net_of, step_of};
use crate::money::{Money, OutOfRange};
use crate::state::{Hit, LinkState, Round};

impl LinkState {
    /// Adds a step to the path of each level with a ceiling.
    pub(super) fn walk(&mut self, moves: &[Move], owner: Option<Owner>) {
        for book in self.books_with_path() {
            self.change_path(book, |path, ceiling| {
                path.step(step_of(moves, book)?, ceiling, owner)
            });
        }
    }

    /// Removes a void round's coin-in from the paths. The moves are those of its wagers.
    pub(super) fn walk_back(&mut self, moves: &[Move], owner: Owner) {
        for book in self.books_with_path() {
            let to_players = moves.iter().filter(|entry| entry.to == Account::Players);
            let change = net_of(to_players.clone(), book);
            let of_house = to_players
                .filter(|entry| entry.book == book && entry.from == Account::House)
                .map(|entry| entry.amount);
            self.change_path(book, |path, ceiling| {
                let covered = of_house.into_iter().try_fold(Money::ZERO, Money::plus)?;
                path.give_back(owner, Money::ZERO.minus(change?)?, covered, ceiling)
            });
        }
    }

    /// Makes the amounts permanent that finished rounds kept out.
    pub(super) fn close_paths(&mut self) {
        // Every round's end calls this, and finding the open rounds reads every table.
        if self.paths.iter().all(Option::is_none) {
            return;
        }
        let open: Vec<Owner> = self.open_rounds();
        for book in self.books_with_path() {
            self.change_path(book, |path, _| {
                path.close(|owner| !open.contains(&owner));
                Ok(())
            });
        }
    }

    /// Makes each path lead to its meter's present balance.
    pub(super) fn arrive(&mut self) {
        for book in self.books_with_path() {
            let meter = self.balance(book, Account::Meter);
            self.change_path(book, |path, ceiling| {
                path.arrive(path.begun, meter, ceiling)
            });
        }
    }

    /// Begins a level's path anew at its meter's present balance.
    pub(super) fn begin_path(&mut self, book: Book) {
        let begun = self.balance(book, Account::Meter);
        self.change_path(book, |path, _| {
            *path = MeterPath::beginning(begun);
            Ok(())
        });
    }

    /// Continues the path to a hit that is taken back, if no later one stands. Must be called before the hit's
    /// entries are reversed.
    pub(super) fn rejoin(&mut self, id: HitId) {
        let Some((hit, book)) = self.hit_with_path(id) else {
            return;
        };
        let Some(path) = &hit.path else { return };
        let open = self.open_rounds();
        let meter = self.balance(book, Account::Meter);
        let mut joined = path.as_ref().clone();
        joined.close(|owner| !open.contains(&owner));
        let found = hit.taken.map_or(meter, |taken| taken.before);
        self.change_path(book, |path, ceiling| {
            let reversed = meter.minus(net_of(&hit.moves, book)?)?;
            joined.step(reversed.minus(found)?, ceiling, None)?;
            *path = joined;
            Ok(())
        });
    }

    /// Leads the paths past a withdrawn hit to the later ones, which found other balances. Must be called once these
    /// are resettled and all entries are made.
    pub(super) fn repath(&mut self, withdrawn: &Hit, resettled: &[Resettled]) {
        let Some(book) = withdrawn.taken.map(|taken| Book(taken.level)) else {
            return;
        };
        let ceiling = self.terms.settings.ceiling(book);
        let (Some(lead), Some(ceiling)) = (withdrawn.path.clone(), ceiling) else {
            return;
        };
        let mut before = vec![Arc::clone(&lead)];
        let mut after = Vec::new();
        let (mut lead, mut begun) = (Some(lead), None);
        for new in resettled {
            let Some(old) = self.hit(new.hit).and_then(|hit| hit.path.clone()) else {
                return;
            };
            let Ok(passed) = passed((lead.take(), begun), &old, new, ceiling) else {
                return;
            };
            let passed = Arc::new(passed);
            before.push(old);
            after.push(Arc::clone(&passed));
            self.change_hit(new.hit, |hit| hit.path = Some(passed));
            let left = net_of(&new.moves, book).and_then(|change| new.taken.before.plus(change));
            begun = left.ok();
        }
        before.extend(self.paths.get(book.index()).cloned().flatten());
        let meter = self.balance(book, Account::Meter);
        self.change_path(book, |path, ceiling| {
            path.arrive(begun.unwrap_or(path.begun), meter, ceiling)
        });
        after.extend(self.paths.get(book.index()).cloned().flatten());
        for owner in self.open_rounds() {
            let kept = sum_by(&after, owner).and_then(|now| now.minus(sum_by(&before, owner)?));
            if let (Ok(more), Some(round)) = (kept, self.round_mut(owner.0)) {
                round.keep_out(book, more);
            }
        }
    }

    fn hit_with_path(&self, id: HitId) -> Option<(Hit, Book)> {
        let hit = self.hit(id).filter(|hit| hit.path.is_some())?;
        let book = Book(hit.taken?.level);
        Some((hit.clone(), book))
    }

    fn open_rounds(&self) -> Vec<Owner> {
        let tables = (1..).zip(&self.tables);
        let open = tables.filter_map(|(number, table)| {
            let round = table.round.as_ref()?;
            Some((TableNo(number), round.sequence))
        });
        open.collect()
    }

    fn books_with_path(&self) -> impl Iterator<Item = Book> + use<> {
        (0..self.paths.len()).map(Book::level)
    }

    fn change_path(
        &mut self,
        book: Book,
        change: impl FnOnce(&mut MeterPath, Money) -> Result<(), OutOfRange>,
    ) {
        let ceiling = self.terms.settings.ceiling(book);
        let path = self.paths.get_mut(book.index()).and_then(Option::as_mut);
        let (Some(path), Some(ceiling)) = (path, ceiling) else {
            return;
        };
        let mut changed = path.as_ref().clone();
        if change(&mut changed, ceiling).is_ok() {
            *path = Arc::new(changed);
        }
    }
}

/// Returns the path to a later hit. If that hit follows the withdrawn one, its path is appended to the withdrawn
/// one's.
fn passed(
    (lead, begun): (Option<Arc<MeterPath>>, Option<Money>),
    old: &MeterPath,
    new: &Resettled,
    ceiling: Money,
) -> Result<MeterPath, OutOfRange> {
    let mut path = old.clone();
    if let Some(lead) = lead {
        path = lead.as_ref().clone();
        path.append(old)?;
    }
    let begun = begun.unwrap_or(path.begun);
    path.arrive(begun, new.taken.before, ceiling)?;
    Ok(path)
}

/// Returns the amount that a round kept out on all of these paths.
fn sum_by(paths: &[Arc<MeterPath>], owner: Owner) -> Result<Money, OutOfRange> {
    let mut sum = Money::ZERO;
    for path in paths {
        sum = sum.plus(path.kept_out_by(owner)?)?;
    }
    Ok(sum)
}

impl Round {
    /// Changes the amount of the round's contribution to a level that is over the ceiling.
    fn keep_out(&mut self, book: Book, more: Money) {
        if more == Money::ZERO {
            return;
        }
        let found = self.over_ceiling.iter().position(|(of, _)| *of == book);
        let before = found.map_or(Money::ZERO, |index| self.over_ceiling.remove(index).1);
        let now = before.plus(more).unwrap_or(before);
        if now > Money::ZERO {
            let index = self.over_ceiling.partition_point(|(of, _)| *of < book);
            self.over_ceiling.insert(index, (book, now));
        }
    }
}
