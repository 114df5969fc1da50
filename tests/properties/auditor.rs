//! The auditor: keeps books of its own from what is commanded and answered, and from nothing else.
//!
//! # Shape
//! It is written from docs/RULES.md, without the code under test: its own money (`i128` micro-dollars), its
//! own paytables ([`sheet`]), turn order, split, envy, restart, ceiling, void and cancel. Of the rules' crate it
//! uses types, to read commands and answers with; never a function that decides or computes.
//!
//! # What it checks
//! For each command: that it was accepted exactly where the page gives no reason to refuse it, and refused
//! with a reason of the page otherwise ([`reasons`], [`of_hits`], [`people`], [`changes`]); that the answer
//! carries the right amounts, seats, order and restart ([`effects`], [`keyed`]); and then that every balance,
//! every hit's state and every lifetime meter is the same ([`Auditor::compare`]).
//!
//! # What it does differently
//! Time is its own clock, one tick an accepted command, where the rules compare hit orders; it remembers all
//! that ever happened to a level, and plays it again when a hit is withdrawn ([`life`]), where the rules
//! forget; it finds all reasons, where the rules stop at one.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Command, Envelope, TableCommand};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::{LinkState, Table};

use crate::same::{Same, same_content};
use crate::setup::{Limits, Restart, Setup, Values};
use crate::world::Answer;

mod answers;
mod badge;
mod beside;
mod books;
mod changes;
mod counts;
mod effects;
pub(crate) mod hit;
mod keyed;
pub(crate) mod known;
mod level;
mod life;
mod link;
mod of_hits;
mod people;
mod reasons;
mod returns;
pub(crate) mod round;
pub(crate) mod sheet;

use books::{Account, Books, Entry};
use counts::Counts;
use hit::{Hit, Name};
use level::{Pot, cut};
use life::Fact;
pub(crate) use link::Proposed;
use round::{Felt, Person};
use sheet::{DOLLAR, Sheet};

/// Whether the auditor agrees, and if not, about what.
pub(crate) type Verdict = Result<(), String>;
/// Refusals for which there is a reason.
pub(crate) type Reasons = Vec<RefusalCode>;

/// Hits of closed rounds that can be corrected, of each book, once they are wholly paid.
const KEPT: usize = 25;

/// Corners that only the auditor sees.
#[derive(Debug, Default)]
pub(crate) struct Corners {
    /// Parts of void rounds that the house gave back.
    pub(crate) charged_to_house: u32,
    /// Parts of void rounds that came out of an overflow.
    pub(crate) overflow_back: u32,
    /// Times the house covered what was missing after something was taken back.
    pub(crate) covered: u32,
    /// Prizes for which a meter was too small.
    pub(crate) short_meter: u32,
}

/// The books of one link.
#[derive(Debug)]
pub(crate) struct Auditor {
    /// The paytable.
    pub(crate) sheet: Sheet,
    /// The tables.
    pub(crate) felts: Vec<Felt>,
    /// All hits ever, in their order.
    pub(crate) hits: Vec<Hit>,
    /// Corners that were turned.
    pub(crate) seen: Corners,
    /// Whether the link takes no coin-in.
    pub(crate) suspended: bool,
    /// Whether two people still have to acknowledge what the link returns.
    pub(crate) unacknowledged: bool,
    /// What two people adopted of each table of fixed wagers: its reading, and what it returns.
    pub(crate) adopted: BTreeMap<String, (Option<String>, u32)>,
    /// Whether a manager accepted what the levels opened with, or nobody has to.
    pub(crate) values_accepted: bool,
    /// The levels that are off.
    pub(crate) disabled: BTreeSet<usize>,
    /// Why the link is faulted, if it is.
    pub(crate) fault: Option<String>,
    /// What waits for a second person, oldest first.
    pub(crate) proposals: Vec<Proposed>,
    wager: i128,
    decks: u8,
    restart: Restart,
    ceilings: Vec<Option<i128>>,
    limits: Limits,
    books: Books,
    facts: Vec<Fact>,
    clock: u64,
    now: i64,
    order: u64,
    kept: Vec<usize>,
    forgotten: Vec<u64>,
    held: Vec<Pot>,
    /// Of each table's open round, what the rules hold to be over each level's ceiling.
    held_over: Vec<Vec<(usize, i128)>>,
    counts: Counts,
}

impl Auditor {
    /// The books of a link that opens: its levels at their seeds, paid by the house.
    pub(crate) fn open(setup: &Setup) -> Self {
        let sheet = Sheet::of(setup);
        let wager = dollars_of_cents(setup.cents);
        let levels = sheet.levels.len();
        let mut books = Books::new(levels + 1);
        let seeds = sheet.levels.iter().enumerate().map(|(book, level)| Entry {
            book,
            from: Account::House,
            to: Account::Meter,
            micros: level.seed * wager,
        });
        let seeds: Vec<Entry> = seeds.collect();
        books.write(&seeds);
        let ceilings = sheet.levels.iter().map(|level| {
            let above = dollars_of_cents(setup.limits.ceiling?);
            Some(level.seed.max(level.reseed) * wager + above)
        });
        Self {
            ceilings: ceilings.collect(),
            unacknowledged: sheet.returns_too_much(),
            adopted: BTreeMap::new(),
            sheet,
            felts: Vec::new(),
            hits: Vec::new(),
            seen: Corners::default(),
            suspended: false,
            values_accepted: setup.values == Values::OfThen,
            disabled: BTreeSet::new(),
            fault: None,
            proposals: Vec::new(),
            wager,
            decks: setup.decks,
            restart: setup.restart,
            limits: setup.limits.clone(),
            books,
            facts: vec![Fact::Entries(seeds)],
            clock: 0,
            now: 0,
            order: 0,
            kept: Vec::new(),
            forgotten: vec![0; levels + 1],
            held: Vec::new(),
            held_over: Vec::new(),
            counts: Counts::new(levels + 1),
        }
    }

    /// Judges the answer to a command of this moment, and does in its own books what was accepted. Of what the
    /// rules hold after it, the auditor looks at no more than [`life`] says.
    pub(crate) fn judge(
        &mut self,
        envelope: &Envelope,
        now: i64,
        answer: &Answer,
        after: &LinkState,
    ) -> Verdict {
        self.now = now;
        self.held = after.balances.iter().map(Pot::held).collect();
        self.held_over = after
            .tables
            .iter()
            .map(|table| over_of(table.as_ref()))
            .collect();
        if self.fault.is_some() && !self.clears(envelope) {
            return match answer {
                Answer::Faulted => Ok(()),
                other => Err(format!("the link is faulted, and {other:?}")),
            };
        }
        match &envelope.command {
            Command::Person(command) => self.judge_person(envelope, command, answer),
            Command::Table {
                table,
                sequence,
                command,
            } => {
                let table = usize::try_from(table.0).unwrap_or(0).wrapping_sub(1);
                let last = self.felts.get(table).ok_or("no such table")?.last;
                if sequence.0 > last + 1 {
                    return match answer {
                        Answer::Gap { expected } => agree("expected number", &(last + 1), expected),
                        other => Err(format!("a gap, not {other:?}")),
                    };
                }
                if sequence.0 <= last {
                    return self.judge_again(table, sequence.0, command, answer);
                }
                self.judge_next(table, sequence.0, &person(envelope), command, answer)
            }
        }
    }

    /// A command under an old number: the first answer again, or told apart.
    fn judge_again(
        &self,
        table: usize,
        number: u64,
        command: &TableCommand,
        answer: &Answer,
    ) -> Verdict {
        let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
        let (first, accepted) = self.felts[table].said.get(index).ok_or("number 0")?;
        match (same_content(first, command, *accepted), answer) {
            (Same::Yes | Same::Unsaid, Answer::Repeated)
            | (Same::No | Same::Unsaid, Answer::Reused) => Ok(()),
            (same, answer) => Err(format!("{command:?} after {first:?}: {same:?}, {answer:?}")),
        }
    }

    fn judge_next(
        &mut self,
        table: usize,
        number: u64,
        by: &Person,
        command: &TableCommand,
        answer: &Answer,
    ) -> Verdict {
        let mut reasons = self.reasons(table, number, command);
        if reasons.is_empty() {
            reasons = self.of_badge(table, by, command);
        }
        match answer {
            Answer::Refused(refusal) if reasons.contains(&refusal.code) => {
                self.use_up(table, number, command, false);
                Ok(())
            }
            Answer::Caused(event) if reasons.is_empty() => {
                self.use_up(table, number, command, true);
                self.clock += 1;
                self.accept(table, number, by, command, event)
            }
            other => Err(format!("{command:?}: expected {reasons:?}, got {other:?}")),
        }
    }

    /// A number is used up; a table that sends no heartbeats is heard by it.
    fn use_up(&mut self, table: usize, number: u64, command: &TableCommand, accepted: bool) {
        let felt = &mut self.felts[table];
        felt.last = number;
        felt.said.push((command.clone(), accepted));
        felt.lost = felt.lost.filter(|must_resume| *must_resume);
    }

    /// What a level displays.
    pub(crate) fn displayed(&self, level: usize) -> i128 {
        cut(self.books.of(level, Account::Meter))
    }

    /// The newest hit's place in the order of the link.
    pub(crate) const fn order(&self) -> u64 {
        self.order
    }

    /// The hits of a table's open round that stand.
    pub(crate) fn standing(&self, table: usize) -> impl Iterator<Item = &Hit> {
        self.of_open_round(table).filter(|hit| hit.stands())
    }

    /// The hits of a table's open round.
    pub(crate) fn of_open_round(&self, table: usize) -> impl DoubleEndedIterator<Item = &Hit> {
        let number = self.felts[table].round.as_ref().map(|round| round.number);
        let hits = self.hits.iter();
        hits.filter(move |hit| hit.name.table == table && Some(hit.round) == number)
    }

    /// Where the hits of a round are.
    fn places_of(&self, table: usize, round: u64) -> impl Iterator<Item = usize> + use<> {
        let hits = self.hits.iter().enumerate();
        let of_it = hits.filter(|(_, hit)| hit.name.table == table && hit.round == round);
        let places: Vec<usize> = of_it.map(|(place, _)| place).collect();
        places.into_iter()
    }

    /// Where a hit is.
    fn place(&self, name: Name) -> Option<usize> {
        self.hits.iter().position(|hit| hit.name == name)
    }

    /// A hit of an open round.
    fn open_hit(&self, name: Name) -> Option<&Hit> {
        self.hits.iter().find(|hit| hit.name == name && !hit.closed)
    }

    /// What a person's command finds: a hit of an open round, or one that is kept of a closed one.
    pub(crate) fn reachable(&self, name: Name) -> Option<usize> {
        let place = self.place(name)?;
        let there = !self.hits[place].closed || self.kept.contains(&place);
        there.then_some(place)
    }

    /// A hit of a closed round is kept, and of its book the oldest paid one no longer, if there are too many.
    fn keep(&mut self, place: usize) {
        let fixed = self.sheet.levels.len();
        let book = |hit: &Hit| hit.level().unwrap_or(fixed);
        let its_book = book(&self.hits[place]);
        self.kept.push(place);
        self.kept.sort_unstable();
        let paid = |it: &usize| self.hits[*it].wholly_paid() && book(&self.hits[*it]) == its_book;
        while self.kept.iter().filter(|it| paid(it)).count() > KEPT
            && let Some(oldest) = self.kept.iter().position(paid)
        {
            let dropped = self.kept.remove(oldest);
            let forgotten = &mut self.forgotten[its_book];
            *forgotten = self.hits[dropped].order.max(*forgotten);
        }
    }
}

/// Two values that must be equal, and what they are.
fn agree<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Verdict {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!(
            "{what}: expected {ours:?}, the rules say {theirs:?}"
        ))
    }
}

/// What of a table's open round is over ceilings, by the rules.
fn over_of(table: &Table) -> Vec<(usize, i128)> {
    let over = table.round.iter().flat_map(|round| &round.over_ceiling);
    over.map(|(book, amount)| (book.index(), i128::from(amount.micros())))
        .collect()
}

/// Who sent a command, in small letters: a name in others is the same person's.
fn person(envelope: &Envelope) -> Person {
    let badge = envelope.by.as_ref();
    let badge = badge.map(|it| it.as_str().to_lowercase());
    (envelope.actor.0, badge)
}

/// Cards as people write them.
fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

/// So much for one, of a wager in cents.
const fn dollars_of_cents(cents: u16) -> i128 {
    cents as i128 * DOLLAR / 100
}
