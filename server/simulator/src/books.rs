//! The simulation's own books, kept from what it sent and was answered: who adds up independently can compare.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::amount;
use crate::plan::{LinkPlan, Plan};
use crate::report::lines;

/// Counts of things that happened.
#[derive(Debug, Default)]
pub(crate) struct Books {
    /// Rounds that were closed or void, counted once a felt.
    pub(crate) rounds: AtomicU64,
    /// Accepted wagers, those of void rounds among them.
    pub(crate) wagers: AtomicU64,
    /// Hits that were cancelled.
    pub(crate) cancelled: AtomicU64,
    /// Hits that the floor rejected.
    pub(crate) rejected: AtomicU64,
    /// Hits with new amounts, because an earlier one was rejected or withdrawn.
    pub(crate) resettled: AtomicU64,
    /// Hits that two people withdrew.
    pub(crate) corrected: AtomicU64,
    /// Hits found after GAME OVER.
    pub(crate) late_hits: AtomicU64,
    /// Rounds of a table that were void.
    pub(crate) voids: AtomicU64,
    /// Rounds of a table whose chips were counted otherwise than its wagers were accepted.
    pub(crate) miscounts: AtomicU64,
    /// Rounds of a table that were settled from all cards.
    pub(crate) settles: AtomicU64,
    /// Bonuses of the draw.
    pub(crate) bonuses: AtomicU64,
    /// Tables that were lost and came back.
    pub(crate) tables_lost: AtomicU64,
    /// Adjustments by two people.
    pub(crate) adjustments: AtomicU64,
    /// Messages that were sent twice.
    pub(crate) repeats: AtomicU64,
    /// Messages whose answer was lost.
    pub(crate) lost_answers: AtomicU64,
    inside: Mutex<Inside>,
}

/// What a lock is needed for.
#[derive(Debug, Default)]
struct Inside {
    rounds_by_game: BTreeMap<String, u64>,
    hits_by_hand: BTreeMap<String, u64>,
    links: BTreeMap<usize, LinkTally>,
    meters: BTreeMap<usize, Vec<(String, String)>>,
    /// Payouts whose documents are complete: hit and number.
    documented: BTreeSet<(String, u32)>,
}

/// What one link took and paid.
#[derive(Copy, Clone, Debug, Default)]
struct LinkTally {
    /// Wagers of rounds that were not void.
    wagers: i64,
    /// Micro-dollars of payouts: by document, or at GAME OVER.
    paid: i64,
    /// Micro-dollars by which two people adjusted meters.
    adjusted: i64,
}

/// One figure that was added up twice: by the simulation and by the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The link.
    pub link: String,
    /// What was added up: `contributions mega`, `adjustments` or `paid`.
    pub what: String,
    /// By the simulation.
    pub counted: String,
    /// By the server.
    pub found: String,
}

impl BookLine {
    /// Whether both agree.
    pub fn agrees(&self) -> bool {
        self.counted == self.found
    }
}

/// Adds one, or some, to a count.
pub(crate) fn add(count: &AtomicU64, some: u64) {
    count.fetch_add(some, Ordering::Relaxed);
}

/// A count as it stands.
pub(crate) fn read(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}

impl Books {
    /// A round was closed or void, at a felt of this game.
    pub(crate) fn played(&self, game: &str) {
        add(&self.rounds, 1);
        *self
            .inside()
            .rounds_by_game
            .entry(game.to_owned())
            .or_default() += 1;
    }

    /// Wagers were accepted (or, negative, went back).
    pub(crate) fn wagered(&self, link: usize, wagers: i64) {
        self.inside().links.entry(link).or_default().wagers += wagers;
    }

    /// A hand was keyed.
    pub(crate) fn keyed(&self, hand: &str) {
        *self
            .inside()
            .hits_by_hand
            .entry(hand.to_owned())
            .or_default() += 1;
    }

    /// Payouts reached their players at GAME OVER.
    pub(crate) fn paid(&self, link: usize, micros: i64) {
        self.inside().links.entry(link).or_default().paid += micros;
    }

    /// The document of a payout is complete; told again, it is counted once.
    pub(crate) fn documented(&self, link: usize, hit: &str, payout: u32, micros: i64) {
        let mut inside = self.inside();
        if inside.documented.insert((hit.to_owned(), payout)) {
            inside.links.entry(link).or_default().paid += micros;
        }
    }

    /// Two people adjusted a meter.
    pub(crate) fn adjusted(&self, link: usize, micros: i64) {
        self.inside().links.entry(link).or_default().adjusted += micros;
        add(&self.adjustments, 1);
    }

    /// Everything before this moment belongs to earlier rounds.
    pub(crate) fn begin(&self) {
        self.inside().links.clear();
    }

    /// What the signs of a link show.
    pub(crate) fn showing(&self, link: usize, meters: Vec<(String, String)>) {
        self.inside().meters.insert(link, meters);
    }

    /// What the signs of a link showed last.
    pub(crate) fn meters(&self, link: usize) -> Vec<(String, String)> {
        self.inside().meters.get(&link).cloned().unwrap_or_default()
    }

    /// How many rounds of each game were played.
    pub(crate) fn rounds_by_game(&self) -> BTreeMap<String, u64> {
        self.inside().rounds_by_game.clone()
    }

    /// How often each hand was keyed.
    pub(crate) fn hits_by_hand(&self) -> BTreeMap<String, u64> {
        self.inside().hits_by_hand.clone()
    }

    /// Compares with the server's reconciliations of before and after the rounds, both in the plan's order.
    pub(crate) fn compare(&self, plan: &Plan, before: &[Value], after: &[Value]) -> Vec<BookLine> {
        let inside = self.inside();
        let links = plan.links.iter().enumerate().zip(before.iter().zip(after));
        links
            .flat_map(|((place, link), (before, after))| {
                let tally = inside.links.get(&place).copied().unwrap_or_default();
                compare_link(link, tally, before, after)
            })
            .collect()
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One line a level, one for adjustments and one for what was paid.
fn compare_link(link: &LinkPlan, tally: LinkTally, before: &Value, after: &Value) -> Vec<BookLine> {
    let grown = |name: Option<&str>, field: &str| {
        let of = |value: &Value| sum(value, name, field);
        match (of(before), of(after)) {
            (Some(before), Some(after)) => amount::show(after - before),
            (None, _) | (_, None) => "not told".to_owned(),
        }
    };
    let compared = |what: String, counted: i64, found: String| BookLine {
        link: link.link.clone(),
        what,
        counted: amount::show(counted),
        found,
    };
    let levels = link.levels.iter().map(|level| {
        let counted = tally.wagers * level.micros_per_wager;
        let found = grown(Some(&level.name), "contributions");
        compared(format!("contributions {}", level.name), counted, found)
    });
    let paid = compared("paid".to_owned(), tally.paid, grown(None, "paid"));
    let found = grown(None, "adjustments");
    let adjusted = compared("adjustments".to_owned(), tally.adjusted, found);
    levels.chain([adjusted, paid]).collect()
}

/// The sum of a field over all lines of a reconciliation, or of the one with this name.
fn sum(reconciliation: &Value, name: Option<&str>, field: &str) -> Option<i64> {
    let mut total = 0_i64;
    let mut found = false;
    for line in lines(reconciliation)? {
        if name.is_none_or(|name| line.get("level").and_then(Value::as_str) == Some(name)) {
            total = total.checked_add(amount::parse(line.get(field)?.as_str()?)?)?;
            found = true;
        }
    }
    found.then_some(total)
}
