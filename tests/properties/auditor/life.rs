//! The life of a level: all that ever happened to it, played again without a hit that is withdrawn.
//!
//! # Shape
//! What a level holds follows from everything that happened to it ([`Fact`]). When a hit is withdrawn and others
//! came after it, the auditor plays again, step by step, what came after ([`Auditor::play_again`]). The rules
//! remember no such history; they walk from hit to hit.
//!
//! # Readings
//! On the way without the withdrawn hit, what is missing is covered by the house where the level is looked at: at
//! a later hit, and at the end. Where a level has a ceiling, and money left it on the way or a hit came and went,
//! the page doesn't say how what is there is split into meter and overflow, and who knows only the sums can't
//! know it: any split of the same money is right that keeps no more out than came in, and leaves the meter
//! no higher than its ceiling. So is any amount of an open round that is over the ceiling, up to what it added. Which of
//! these it has to be is checked step by step in `server/domain/tests/resettled_ceilings.rs`.

use std::collections::BTreeMap;

use super::books::{Account, Entry};
use super::hit::{Due, For, Hit, Status, Taken, Took, Way};
use super::level::Pot;
use super::sheet::Prize;
use super::{Auditor, Verdict};

/// Something that happened to the link's levels.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    /// Entries that are no hit's, ceilings aside.
    Entries(Vec<Entry>),
    /// What the wagers of a table's round added.
    Locked((usize, u64), Vec<Entry>),
    /// What was given back of it: from the house, or else from where it then was, meter or overflow.
    Void((usize, u64), Vec<Entry>),
    /// The hit at this place took what it takes, if it stands.
    Hit(usize),
    /// A ceiling kept out more, or less, than the facts before make it, by the order of things since undone.
    Order(usize, i128),
}

/// A level while its life is played again.
#[derive(Debug)]
struct Life {
    level: usize,
    ceiling: Option<i128>,
    pot: Pot,
    over: BTreeMap<(usize, u64), i128>,
    /// Since the last look: what came in, what left, and whether the split is anybody's guess.
    came: i128,
    left: i128,
    loose: bool,
    looked: Pot,
    /// What void rounds gave back out of an overflow in which it is not on this way: by figure L the house
    /// may have to give it.
    of_the_house: i128,
}

impl Life {
    fn of(level: usize, ceiling: Option<i128>, pot: Pot) -> Self {
        Self {
            level,
            ceiling,
            pot,
            over: BTreeMap::new(),
            came: 0,
            left: 0,
            loose: false,
            looked: pot,
            of_the_house: 0,
        }
    }

    /// What is no hit happens, and what is too much for the ceiling goes over.
    fn live(&mut self, fact: &Fact) {
        let before = self.pot;
        match fact {
            Fact::Entries(entries) | Fact::Locked(_, entries) => {
                self.pot.write(self.level, entries);
            }
            Fact::Void(round, entries) => self.give_back(*round, entries),
            Fact::Order(level, _) => self.loose |= *level == self.level,
            Fact::Hit(_) => {}
        }
        let by = self.pot.meter + self.pot.overflow - before.meter - before.overflow;
        self.came += by.max(0);
        self.left -= by.min(0);
        self.loose |= by < 0;
        let excess = self.pot.excess(self.level, self.ceiling);
        self.pot.write(self.level, &excess);
        if let Fact::Locked(round, _) = fact {
            self.over
                .insert(*round, excess.iter().map(|it| it.micros).sum());
        }
    }

    /// What went over the ceiling on this way comes back from there, the rest from the meter. Of a round that was
    /// locked before, it comes from where it came then.
    fn give_back(&mut self, round: (usize, u64), entries: &[Entry]) {
        let Some(over) = self.over.get(&round).copied() else {
            return self.pot.write(self.level, entries);
        };
        let mut from_both = 0;
        for entry in entries.iter().filter(|entry| entry.book == self.level) {
            match entry.from {
                Account::Meter | Account::Overflow => from_both += entry.micros,
                _ => self.pot.write(self.level, &[*entry]),
            }
        }
        let from_overflow = over.min(from_both).min(self.pot.overflow);
        let mut of_level = entries.iter().filter(|entry| entry.book == self.level);
        let hit_since = of_level.any(|entry| entry.from == Account::House);
        if hit_since {
            self.of_the_house += from_both - from_overflow;
        }
        self.pot.overflow -= from_overflow;
        self.pot.meter -= from_both - from_overflow;
    }

    /// Somebody looks: what is missing is covered, as a fact; and where the split is anybody's guess, it is taken
    /// as he says, if it can be.
    fn look(&mut self, said: Pot) -> Result<Option<Fact>, String> {
        let before = self.pot;
        let mut cover = before.cover(self.level);
        self.pot.write(self.level, &cover);
        if self.loose && self.ceiling.is_some() && self.pot != said {
            let both = |pot: Pot| pot.meter + pot.overflow;
            let (covered, mine) = (both(said) - both(before), both(self.pot) - both(before));
            // Nothing is covered but what is missing, on his way or on ours.
            let missing = covered > 0 && said.meter == 0;
            let given = (0..=self.of_the_house).contains(&covered);
            let same = given || covered == mine || missing;
            let kept_out = said.overflow <= self.looked.overflow + self.came;
            let let_in = said.overflow >= self.looked.overflow - self.left;
            let below = self.ceiling.is_none_or(|ceiling| said.meter <= ceiling);
            if !(same && kept_out && let_in && below && self.pot.reserve == said.reserve) {
                return Err(format!("on the way {self:?}, but the rules say {said:?}"));
            }
            cover.retain(|entry| entry.to == Account::Reserve);
            cover.extend((covered > 0).then_some(Entry {
                book: self.level,
                from: Account::House,
                to: Account::Meter,
                micros: covered,
            }));
            self.pot = said;
        }
        self.looked_at();
        Ok((!cover.is_empty()).then_some(Fact::Entries(cover)))
    }

    fn looked_at(&mut self) {
        (self.came, self.left, self.loose, self.of_the_house) = (0, 0, false, 0);
        self.looked = self.pot;
    }
}

impl Auditor {
    /// Plays again what came after a withdrawn hit, without it: the later ones get new amounts by that. Then the
    /// level holds what its life ends with. The rules said what those hits found, and hold this now.
    pub(super) fn play_again(&mut self, withdrawn: usize, said: &[Taken]) -> Verdict {
        let Some(took) = self.hits[withdrawn].took.clone() else {
            return Ok(());
        };
        let level = took.taken.level;
        let mut life = Life::of(level, self.ceilings[level], took.taken.found());
        let mut facts = std::mem::take(&mut self.facts).into_iter();
        let mut lived = Vec::new();
        for fact in facts.by_ref() {
            let here = matches!(fact, Fact::Hit(place) if place == withdrawn);
            lived.push(fact);
            if here {
                break;
            }
        }
        let mut said = said.iter();
        for fact in facts {
            if let Fact::Hit(place) = fact {
                if let Some(took) = self.took_from(place, level) {
                    let found = said.next().map_or(life.pot, Taken::found);
                    lived.extend(life.look(found)?);
                    let (each, again) =
                        self.win(life.pot, level, took.prize, took.shares, took.late);
                    life.pot.write(level, &again.entries);
                    life.looked_at();
                    self.hits[place].owe_again(each, again);
                } else {
                    // It came and went, and while it was there the meter was another.
                    life.loose |= self.hits[place].level() == Some(level);
                }
            } else {
                life.live(&fact);
            }
            lived.push(fact);
        }
        lived.extend(life.look(self.held[level])?);
        self.facts = lived;
        self.set_level(level, life.pot);
        self.over_again(level)
    }

    /// What is over the ceiling of a round that is still open depends on the way as well.
    fn over_again(&mut self, level: usize) -> Verdict {
        for (felt, held) in self.felts.iter_mut().zip(&self.held_over) {
            let Some(round) = &mut felt.round else {
                continue;
            };
            let of_meter = |entry: &&Entry| entry.book == level && entry.to == Account::Meter;
            let added: i128 = round
                .added
                .iter()
                .filter(of_meter)
                .map(|entry| entry.micros)
                .sum();
            let over = held.iter().find(|(book, _)| *book == level);
            let micros = over.map_or(0, |(_, micros)| *micros);
            if !(0..=added).contains(&micros) {
                return Err(format!("{micros} over the ceiling of {added}"));
            }
            round.over.retain(|entry| entry.book != level);
            round.over.extend((micros > 0).then_some(Entry {
                book: level,
                from: Account::Meter,
                to: Account::Overflow,
                micros,
            }));
        }
        Ok(())
    }

    /// How a hit took from this level, if it did and stands.
    fn took_from(&self, place: usize, level: usize) -> Option<Took> {
        let hit = &self.hits[place];
        let took = hit.took.clone().filter(|_| hit.stands());
        took.filter(|took| took.taken.level == level)
    }

    /// A level's life as the facts tell it ends with what the books say; where a ceiling made a difference that
    /// depends on the order of things, that becomes a fact.
    pub(super) fn check_history(&mut self) -> Verdict {
        for level in 0..self.sheet.levels.len() {
            let mut life = Life::of(level, self.ceilings[level], Pot::default());
            for fact in &self.facts {
                match fact {
                    Fact::Hit(place) => {
                        let took = self.took_from(*place, level);
                        if let Some(took) = took {
                            life.pot.write(level, &took.entries);
                        }
                    }
                    Fact::Order(of, micros) if *of == level => {
                        life.pot.meter += micros;
                        life.pot.overflow -= micros;
                    }
                    other => life.live(other),
                }
            }
            let (pot, books) = (life.pot, self.pot(level));
            if pot == books {
                continue;
            }
            let whole = |it: Pot| (it.meter + it.overflow, it.reserve);
            if self.ceilings[level].is_none() || whole(pot) != whole(books) {
                return Err(format!("level {level} lived to {pot:?}, not {books:?}"));
            }
            self.facts.push(Fact::Order(level, books.meter - pot.meter));
        }
        Ok(())
    }
}

impl Taken {
    /// What the level held.
    const fn found(&self) -> Pot {
        Pot {
            meter: self.before,
            reserve: self.behind.0,
            overflow: self.behind.1,
        }
    }
}

impl Hit {
    /// Gets the amounts that it has without an earlier hit. What was paid stays paid: who is owed more gets a
    /// supplement, who was paid too much keeps it.
    fn owe_again(&mut self, each: i128, again: Took) {
        if let (Prize::Share(..), None) = (again.prize, again.late) {
            for winner in self
                .due
                .iter()
                .filter(|due| due.what == For::Line)
                .cloned()
                .collect::<Vec<_>>()
            {
                self.owe_winner(&winner, each);
            }
            while self.due.last().is_some_and(|due| {
                due.what == For::Supplement && due.paid.is_none() && due.micros == 0
            }) {
                self.due.pop();
            }
        }
        if !self.paid() && matches!(self.status, Status::Validated(_)) {
            self.status = Status::Pending;
        }
        self.took = Some(again);
    }

    fn owe_winner(&mut self, winner: &Due, each: i128) {
        let is_his =
            |due: &Due| due.seat == winner.seat && matches!(due.what, For::Line | For::Supplement);
        let his = self.due.iter().filter(|due| is_his(due));
        let paid = his
            .filter(|due| due.paid.is_some())
            .map(|due| due.micros)
            .sum::<i128>();
        let owed = (each - paid).max(0);
        match self
            .due
            .iter_mut()
            .find(|due| is_his(due) && due.paid.is_none())
        {
            Some(unpaid) => unpaid.micros = owed,
            None if owed > 0 => self.due.push(Due {
                what: For::Supplement,
                micros: owed,
                way: Way::Slip,
                metered: true,
                paid: None,
                ..winner.clone()
            }),
            None => {}
        }
    }
}
