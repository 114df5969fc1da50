//! The payoff report of a bundle against what its batches prove: its ends and its sum.

use meterhouse_domain::event::Event;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_journal::record::from_row;

use super::bundle::{EvidenceProof, ProvenBatch};
use super::derived::Derived;
use crate::reports::payoff::from_level;

/// The figures of a payoff report.
#[derive(Clone, Debug)]
pub struct PayoffFigures {
    /// Win that the report starts with; `None` for the opening.
    pub since_hit: Option<HitName>,
    /// Time of that start.
    pub since: Timestamp,
    /// Meter at the start.
    pub opening: Money,
    /// Contributions and other movements.
    pub moved: Vec<Money>,
    /// Meter before the hit.
    pub before: Money,
    /// Displayed amount before the hit.
    pub displayed: Money,
    /// Amount due from the level.
    pub due: Money,
    /// Meter after the hit.
    pub after: Money,
    /// Difference.
    pub difference: Money,
}

/// Returns the differences between a payoff report and the batches. `None` is a bundle without a report.
pub fn payoff_findings(
    proof: &EvidenceProof,
    derived: &Derived,
    figures: Option<&PayoffFigures>,
) -> Vec<String> {
    let row = &derived.hit.row;
    let taken = row.before.zip(row.after);
    let (Some((before, after)), Some(figures)) = (taken, figures) else {
        let is_same = taken.is_none() && figures.is_none();
        let what =
            "payoff_report: the report belongs to a hit that took from a level, and to no other";
        return if is_same {
            Vec::new()
        } else {
            vec![what.to_owned()]
        };
    };
    let (before, after) = (Money::from_micros(before), Money::from_micros(after));
    let mut findings = Vec::new();
    let mut compare = |member: &str, found: Money, expected: Money| {
        if found != expected {
            findings.push(format!(
                "payoff_report.{member}: the file has {found}, and the journal gives {expected}"
            ));
        }
    };
    compare("before", figures.before, before);
    compare("displayed", figures.displayed, before.displayed());
    compare("due", figures.due, from_level(row, before));
    compare("after", figures.after, after);
    compare("difference", figures.difference, Money::ZERO);
    let moved: i128 = figures
        .moved
        .iter()
        .map(|one| i128::from(one.micros()))
        .sum();
    let sum = i64::try_from(i128::from(figures.opening.micros()) + moved);
    let sum = Money::from_micros(sum.unwrap_or(i64::MAX));
    compare("opening with all that was added", sum, before);
    match beginning(proof, derived, figures) {
        Ok((opening, since)) => {
            compare("opening", figures.opening, opening);
            if since != figures.since {
                findings.push("payoff_report.since: the journal gives another time".to_owned());
            }
        }
        Err(what) => findings.push(what),
    }
    findings
}

/// Returns the meter at the beginning of the report, and its time.
fn beginning(
    proof: &EvidenceProof,
    derived: &Derived,
    figures: &PayoffFigures,
) -> Result<(Money, Timestamp), String> {
    let Some(since) = &figures.since_hit else {
        return opening(proof, derived);
    };
    let missing = || format!("payoff_report.since_hit: the events of hit {since} are missing");
    let mut tables = derived.tables.iter();
    let table = tables.find(|(_, name)| **name == since.table);
    let (table, _) = table.ok_or_else(missing)?;
    let row = derived.rows.get(&since.at(*table)).ok_or_else(missing)?;
    let after = row.after.filter(|_| row.level == derived.hit.row.level);
    let after = after
        .ok_or_else(|| format!("payoff_report.since_hit: hit {since} took from another level"))?;
    Ok((Money::from_micros(after), Timestamp(row.keyed_at)))
}

/// Returns the level's seed, and the time of the opening.
fn opening(proof: &EvidenceProof, derived: &Derived) -> Result<(Money, Timestamp), String> {
    let missing = || "payoff_report: batch 1, which opened the link, is missing".to_owned();
    let first = proof.batch(1).ok_or_else(missing)?;
    let row = first.events.first().and_then(|row| from_row(row).ok());
    let Some(Event::LinkOpened { moves, .. }) = row.map(|recorded| recorded.event) else {
        return Err(missing());
    };
    let level = derived.hit.row.level;
    let seeds = moves.iter().filter(|seed| Some(seed.book.0) == level);
    let seed: i64 = seeds.map(|seed| seed.amount.micros()).sum();
    Ok((Money::from_micros(seed), first.at))
}

/// Returns the balances that a batch declares, from those of the batch before and its own sums.
pub(super) fn balances_follow(before: &ProvenBatch, next: &ProvenBatch) -> bool {
    let (before, next) = (&before.batch, &next.batch);
    let zero = std::iter::repeat(&0);
    let moved = next.deltas.iter().zip(before.after.iter().chain(zero));
    let sums = moved.map(|(delta, before)| delta.checked_add(*before));
    next.deltas.len() == next.after.len() && sums.eq(next.after.iter().map(|after| Some(*after)))
}
