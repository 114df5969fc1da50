//! The simulation's own counters and sums, from its commands and their outcomes. The sums are independent of the server's,
//! to compare with the server's reconciliation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use meterhouse_api::report::{Reconciliation, ReconciliationLine};
use meterhouse_api::values::Amount;
use meterhouse_domain::money::Money;

use crate::plan::{LinkPlan, Plan};

/// The counters of a run.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Closed or void rounds, counted once a physical table.
    pub(crate) rounds: AtomicU64,
    /// Accepted wagers, including those of void rounds.
    pub(crate) wagers: AtomicU64,
    /// Cancelled hits.
    pub(crate) cancelled: AtomicU64,
    /// Hits that supervisors rejected.
    pub(crate) rejected: AtomicU64,
    /// Hits with new amounts, because an earlier hit was rejected or withdrawn.
    pub(crate) resettled: AtomicU64,
    /// Hits that two people withdrew.
    pub(crate) corrected: AtomicU64,
    /// Hits found after GAME OVER.
    pub(crate) late_hits: AtomicU64,
    /// Void rounds, counted once a table.
    pub(crate) voids: AtomicU64,
    /// Rounds whose chip count differs from their accepted wagers, counted once a table.
    pub(crate) miscounts: AtomicU64,
    /// Rounds settled from all their cards, counted once a table.
    pub(crate) settles: AtomicU64,
    /// Bonuses of the draw.
    pub(crate) bonuses: AtomicU64,
    /// Tables that were lost and came back.
    pub(crate) tables_lost: AtomicU64,
    /// Adjustments by two people.
    pub(crate) adjustments: AtomicU64,
    /// Commands sent again after their response.
    pub(crate) replays: AtomicU64,
    /// Commands sent again because their response was dropped.
    pub(crate) dropped_responses: AtomicU64,
    totals: Mutex<Totals>,
}

/// The counts and sums by name, behind one lock.
#[derive(Debug, Default)]
struct Totals {
    rounds_by_game: BTreeMap<String, u64>,
    hits_by_hand: BTreeMap<String, u64>,
    links: BTreeMap<usize, LinkTotals>,
    meters: BTreeMap<usize, Vec<(String, String)>>,
    /// Payouts with a recorded document: hit and number.
    documented: BTreeSet<(String, u32)>,
}

/// The sums of one link.
#[derive(Copy, Clone, Debug, Default)]
struct LinkTotals {
    /// Wagers of rounds that were not void.
    wagers: i64,
    /// Micro-dollars of payouts, paid by document or at GAME OVER.
    paid: i64,
    /// Micro-dollars by which two people adjusted meters.
    adjusted: i64,
}

/// A sum that the simulation and the server added up independently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedSum {
    /// The link.
    pub link: String,
    /// The name of the sum: `contributions mega`, `adjustments` or `paid`.
    pub name: String,
    /// The simulation's sum.
    pub simulated: String,
    /// The server's sum.
    pub served: String,
}

impl ComparedSum {
    /// Returns `true` if both sums are equal.
    pub fn agrees(&self) -> bool {
        self.simulated == self.served
    }
}

/// Adds a number to a counter.
pub(crate) fn add(counter: &AtomicU64, number: u64) {
    counter.fetch_add(number, Ordering::Relaxed);
}

/// Returns the value of a counter.
pub(crate) fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl Counters {
    /// Counts a closed or void round of a game.
    pub(crate) fn count_round(&self, game: &str) {
        add(&self.rounds, 1);
        *self
            .totals()
            .rounds_by_game
            .entry(game.to_owned())
            .or_default() += 1;
    }

    /// Adds accepted wagers. A negative number takes back the wagers of a void round.
    pub(crate) fn add_wagers(&self, link: usize, wagers: i64) {
        self.totals().links.entry(link).or_default().wagers += wagers;
    }

    /// Counts a keyed hand.
    pub(crate) fn count_hand(&self, hand: &str) {
        *self
            .totals()
            .hits_by_hand
            .entry(hand.to_owned())
            .or_default() += 1;
    }

    /// Adds payouts that were paid at GAME OVER.
    pub(crate) fn add_paid(&self, link: usize, micros: i64) {
        self.totals().links.entry(link).or_default().paid += micros;
    }

    /// Adds a payout whose document was recorded. Idempotent: each payout is added once.
    pub(crate) fn add_documented(&self, link: usize, hit: &str, payout: u32, micros: i64) {
        let mut totals = self.totals();
        if totals.documented.insert((hit.to_owned(), payout)) {
            totals.links.entry(link).or_default().paid += micros;
        }
    }

    /// Adds an adjustment of a meter by two people.
    pub(crate) fn add_adjustment(&self, link: usize, micros: i64) {
        self.totals().links.entry(link).or_default().adjusted += micros;
        add(&self.adjustments, 1);
    }

    /// Resets the sums of all links: everything so far belongs to rounds of an earlier run.
    pub(crate) fn reset_links(&self) {
        self.totals().links.clear();
    }

    /// Records the displayed amounts of a link: level and amount.
    pub(crate) fn set_meters(&self, link: usize, meters: Vec<(String, String)>) {
        self.totals().meters.insert(link, meters);
    }

    /// Returns the displayed amounts that were recorded last.
    pub(crate) fn meters(&self, link: usize) -> Vec<(String, String)> {
        self.totals().meters.get(&link).cloned().unwrap_or_default()
    }

    /// Returns the number of rounds by game.
    pub(crate) fn rounds_by_game(&self) -> BTreeMap<String, u64> {
        self.totals().rounds_by_game.clone()
    }

    /// Returns the number of keyed hands by hand.
    pub(crate) fn hits_by_hand(&self) -> BTreeMap<String, u64> {
        self.totals().hits_by_hand.clone()
    }

    /// Compares the sums with the server's reconciliations before and after the rounds, both in the plan's order.
    pub(crate) fn compare(
        &self,
        plan: &Plan,
        before: &[Reconciliation],
        after: &[Reconciliation],
    ) -> Vec<ComparedSum> {
        let totals = self.totals();
        let links = plan.links.iter().enumerate().zip(before.iter().zip(after));
        links
            .flat_map(|((index, link), (before, after))| {
                let totals = totals.links.get(&index).copied().unwrap_or_default();
                compare_link(link, totals, before, after)
            })
            .collect()
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compares one link: a sum for each level, one for adjustments and one for payouts.
fn compare_link(
    link: &LinkPlan,
    totals: LinkTotals,
    before: &Reconciliation,
    after: &Reconciliation,
) -> Vec<ComparedSum> {
    let shown = |micros| Money::from_micros(micros).to_string();
    let difference = |level: Option<&str>, amount: fn(&ReconciliationLine) -> Amount| {
        let of = |reconciliation| sum(reconciliation, level, amount);
        match (of(before), of(after)) {
            (Some(before), Some(after)) => shown(after - before),
            (None, _) | (_, None) => "missing".to_owned(),
        }
    };
    let compared = |name: String, simulated: i64, served: String| ComparedSum {
        link: link.link.clone(),
        name,
        simulated: shown(simulated),
        served,
    };
    let levels = link.levels.iter().map(|level| {
        let simulated = totals.wagers * level.micros_per_wager;
        let served = difference(Some(&level.name), |line| line.contributions);
        compared(format!("contributions {}", level.name), simulated, served)
    });
    let served = difference(None, |line| line.paid);
    let paid = compared("paid".to_owned(), totals.paid, served);
    let served = difference(None, |line| line.adjustments);
    let adjusted = compared("adjustments".to_owned(), totals.adjusted, served);
    levels.chain([adjusted, paid]).collect()
}

/// Returns the sum of an amount over all lines of a reconciliation, or over the lines of one level, in micro-dollars.
fn sum(
    reconciliation: &Reconciliation,
    level: Option<&str>,
    amount: fn(&ReconciliationLine) -> Amount,
) -> Option<i64> {
    let is_counted =
        |line: &&ReconciliationLine| level.is_none_or(|level| line.level.as_str() == level);
    let mut lines = reconciliation.levels.iter().filter(is_counted).peekable();
    lines.peek()?;
    lines
        .map(|line| amount(line).micros())
        .try_fold(0, i64::checked_add)
}
