//! Resettled hits under a ceiling: every amount and every split equals that of the single steps.
//!
//! # Method
//! Random play on a level of 21% that is always near its ceiling, against a model that keeps every step. If a hit is
//! withdrawn, the model removes it and takes all steps again from the opening.
//!
//! # Not covered
//! A void round with a hit since its coin-in (figure L), and a hit that comes and goes without a later one (figure
//! P): their moved amounts stay moved. `server/domain/tests/ceilings.rs` has both.

#![expect(clippy::unwrap_used, reason = "small numbers fit")]

use std::collections::BTreeMap;

use meterhouse_domain::command::TableCommand;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::money::Money;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{Link, SUPERVISOR, paytables, reject, terms};

/// Amount that one wager of a dollar adds, in micro-dollars.
const SHARE: i64 = 210_000;
/// Amount that the level opens and restarts with, in micro-dollars.
const SEED: i64 = 10_000_000;
const CENT: i64 = 10_000;
const TABLES: usize = 4;
const STEPS: u32 = 400;
const LINKS: u64 = 8;

/// A step of the level.
#[derive(Clone, Copy, Debug)]
enum Step {
    CoinIn(usize, i64),
    Void(usize),
    Hit(HitId, i64),
}

/// The result of the steps: meter, overflow, and the amount owed for each hit.
#[derive(Debug, Default, PartialEq, Eq)]
struct Level {
    meter: i64,
    overflow: i64,
    owed: BTreeMap<HitId, i64>,
}

/// Takes all steps from the opening.
fn walked(steps: &[Step], ceiling: i64) -> Level {
    let mut level = Level {
        meter: SEED,
        ..Level::default()
    };
    let mut locked = [(0, 0); TABLES];
    for step in steps {
        let before = level.overflow;
        match *step {
            Step::CoinIn(_, amount) => level.meter += amount,
            Step::Void(table) => {
                let (amount, over) = locked[table];
                level.meter -= amount - over;
                level.overflow -= over;
            }
            Step::Hit(id, percent) => {
                let due = level.meter / CENT * CENT * percent / 100 / CENT * CENT;
                level.meter -= due;
                level.owed.insert(id, due);
                if percent == 100 {
                    level.meter += SEED + level.overflow;
                    level.overflow = 0;
                }
            }
        }
        let excess = (level.meter - ceiling).max(0);
        level.meter -= excess;
        level.overflow += excess;
        if let Step::CoinIn(table, amount) = *step {
            locked[table] = (amount, level.overflow - before);
        }
    }
    level
}

/// A source of small pseudo-random numbers that follow from the seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// An open round, from the dealer's view.
#[derive(Default)]
struct Round {
    /// Next seat in turn; 0 if none is left.
    next: u8,
    hits: Vec<HitId>,
    /// Hits of the link before its coin-in.
    hits_before: usize,
}

/// Returns a link of one level with this seed and reseed, and this ceiling.
fn limited(seed: u32, ceiling: i64) -> Link {
    Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(Money::from_micros(ceiling))],
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a_seeded(seed), "1.00")
    })
}

struct Play {
    link: Link,
    steps: Vec<Step>,
    rounds: [Option<Round>; TABLES],
    ceiling: i64,
    /// Number of all hits.
    hits: usize,
    paid: Vec<HitId>,
    resettled: u32,
}

impl Play {
    fn new(ceiling: i64) -> Self {
        let mut link = limited(10, ceiling);
        for _ in 0..TABLES {
            link.table();
        }
        Self {
            link,
            steps: Vec::new(),
            rounds: Default::default(),
            ceiling,
            hits: 0,
            paid: Vec::new(),
            resettled: 0,
        }
    }

    fn step(&mut self, chance: &mut Chance) {
        let index = usize::try_from(chance.below(4)).unwrap();
        let table = TableNo(u32::try_from(index + 1).unwrap());
        let Some(round) = &mut self.rounds[index] else {
            let seats = u8::try_from(1 + chance.below(6)).unwrap();
            let wagers: Vec<u8> = (1..=seats).collect();
            self.link.coin_in(table, &wagers);
            self.steps
                .push(Step::CoinIn(index, i64::from(seats) * SHARE));
            self.rounds[index] = Some(Round {
                next: seats,
                hits: Vec::new(),
                hits_before: self.hits,
            });
            return;
        };
        match chance.below(10) {
            0..3 if round.hits_before == self.hits => {
                self.link.void(table);
                self.steps.push(Step::Void(index));
                self.rounds[index] = None;
            }
            0..6 if round.next > 0 => {
                let (hand, percent) = if chance.below(2) == 0 {
                    (Hand::RoyalFlush, 100)
                } else {
                    (Hand::StraightFlush, 10)
                };
                let hit = self.link.hit(table, round.next, hand).id;
                round.next -= 1;
                round.hits.push(hit);
                self.hits += 1;
                self.steps.push(Step::Hit(hit, percent));
            }
            6..9 => self.reject(chance),
            _ => {
                for hit in std::mem::take(&mut round.hits) {
                    if self
                        .steps
                        .iter()
                        .any(|step| matches!(step, Step::Hit(id, _) if *id == hit))
                    {
                        self.link.validate(hit);
                        self.link.pay(hit, 1);
                        self.paid.push(hit);
                    }
                }
                self.link.play(table, &TableCommand::Close);
                self.rounds[index] = None;
            }
        }
    }

    /// Rejects a pending hit, if there are later ones and none of them is paid.
    fn reject(&mut self, chance: &mut Chance) {
        let hits = self.steps.iter().filter_map(|step| match step {
            Step::Hit(id, _) => Some(*id),
            _ => None,
        });
        let hits: Vec<HitId> = hits.collect();
        let unpaid = hits
            .iter()
            .rposition(|hit| self.paid.contains(hit))
            .map_or(0, |last| last + 1);
        let unpaid = &hits[unpaid..];
        if unpaid.len() < 2 {
            return;
        }
        let chosen = chance.below(u64::try_from(unpaid.len() - 1).unwrap());
        let hit = unpaid[usize::try_from(chosen).unwrap()];
        self.link.person(SUPERVISOR, reject(hit, true));
        self.steps
            .retain(|step| !matches!(step, Step::Hit(id, _) if *id == hit));
        self.resettled += 1;
    }

    /// Returns the rules' amounts for the hits that the model has.
    fn held(&self, like: &Level) -> Level {
        let owed = like.owed.keys().map(|id| {
            let hit = self.link.state.hit(*id);
            let due = hit.map(|hit| hit.payouts[0].payout.amount.micros());
            (*id, due.unwrap_or_else(|| like.owed[id]))
        });
        Level {
            meter: self.link.balance(0, Account::Meter).micros(),
            overflow: self.link.balance(0, Account::Overflow).micros(),
            owed: owed.collect(),
        }
    }
}

/// Eight links of each seed from 500 to 560, under random ceilings: no amount differs from the steps.
#[test]
fn every_resettled_amount_equals_that_of_the_steps() {
    let (mut resettled, mut differences) = (0, Vec::new());
    for seed in (500..=560_u64).flat_map(|seed| (0..LINKS).map(move |link| seed * LINKS + link)) {
        let mut chance = Chance(seed);
        let above = i64::try_from(chance.below(500)).unwrap() * CENT;
        let mut play = Play::new(SEED + above);
        for _ in 0..STEPS {
            play.step(&mut chance);
            let level = walked(&play.steps, play.ceiling);
            let held = play.held(&level);
            if held != level {
                let owed = level.owed.iter().filter(|(id, due)| held.owed[id] != **due);
                let owed: Vec<i64> = owed.map(|(id, due)| held.owed[id] - due).collect();
                differences.push((seed, level.meter - held.meter, owed));
                break;
            }
        }
        resettled += play.resettled;
    }
    assert!(resettled > 1_000, "hardly ever resettled: {resettled}");
    assert!(
        differences.is_empty(),
        "{} of {resettled}: {differences:?}",
        differences.len()
    );
}

/// The meter of a level under a ceiling of 10,500.00 is at `found` when a straight flush takes 10%. These wagers then
/// come in, each round at a table of its own, and the rounds of the first `voided` tables are void. A royal follows
/// at the last table; the straight flush is rejected. Returns the amount owed for the royal, and meter and overflow
/// after it.
fn royal_without_the_tenth(found: &str, seats: &[u8], voided: usize) -> [String; 3] {
    let mut link = limited(10_000, 10_500_000_000);
    let first = link.table();
    link.coin_in(first, &[1]);
    link.set_meter(found);
    let tenth = link.hit(first, 1, Hand::StraightFlush).id;
    let tables: Vec<TableNo> = seats.iter().map(|_| link.table()).collect();
    for (table, seats) in tables.iter().zip(seats) {
        let seats: Vec<u8> = (1..=*seats).collect();
        link.coin_in(*table, &seats);
    }
    for table in &tables[..voided] {
        link.void(*table);
    }
    let last = tables.len() - 1;
    let royal = link.hit(tables[last], seats[last], Hand::RoyalFlush).id;
    link.person(SUPERVISOR, reject(tenth, true));
    let owed = link.hit_state(royal).payouts[0].payout.amount;
    [owed.to_string(), link.meter(), link.of(Account::Overflow)]
}

/// Figure S. At 10,498.95 a straight flush takes 1,049.89; six wagers come in at T2 and one at T3. T2's round is
/// void; T3's royal takes 9,449.27. The straight flush is rejected. Without it T2's 1.26 fill the meter to 10,500.00
/// and 0.21 go over. T3's 0.21 go over, and the void takes back 1.05 and 0.21. The royal is therefore 10,498.95, and
/// the 0.21 come back at its restart. The sums alone would let T3's 0.21 in: 10,499.16. With two void rounds and nine
/// wagers the amount is 1.89.
#[test]
fn figure_s_a_void_round_under_a_ceiling() {
    assert_eq!(
        royal_without_the_tenth("10,498.95", &[6, 1], 1),
        ["10498.95", "10000.21", "0.00"]
    );
    assert_eq!(
        royal_without_the_tenth("10,497.48", &[6, 6, 3, 6], 2),
        ["10497.48", "10001.89", "0.00"]
    );
}
