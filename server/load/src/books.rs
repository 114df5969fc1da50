//! Reconciliation: the totals of each link before and after a run, compared with the acknowledged commands.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_api::report::Lifetime;
use meterhouse_api::values::Time;
use meterhouse_domain::money::Money;
use meterhouse_http_client::Client;
use meterhouse_simulator::LevelPlan;

use crate::book_windows::{self, LevelSums};
use crate::counters::Counters;
use crate::error::LoadError;
use crate::plan::Plan;
use crate::prepare::{CONCURRENT_REQUESTS, last_numbers, link_template};
use crate::report::Check;
use crate::table_driver::{Acknowledged, TableDriver};

/// Maximum number of tables that are named because their last sequence numbers differ.
const NAMED_TABLES_MAX: usize = 5;

/// The totals of a link, as the server reports them.
#[derive(Clone, Debug)]
pub(crate) struct LinkTotals {
    rounds: u64,
    wagers: u64,
    hits: u64,
}

/// Reads the totals of all links of a plan, in the plan's order.
pub(crate) async fn read(
    plan: &Plan,
    manager: &str,
    client: &Client,
) -> Result<Vec<LinkTotals>, LoadError> {
    let totals = stream::iter(plan.link_names()).map(async |link| {
        let path = format!("/v1/links/{link}/lifetime");
        let lifetime: Lifetime = client.get(manager, path).await?;
        Ok(LinkTotals {
            rounds: lifetime.rounds,
            wagers: lifetime.wagers,
            hits: lifetime.lines.iter().map(|line| line.hits).sum(),
        })
    });
    totals.buffered(CONCURRENT_REQUESTS).try_collect().await
}

/// The state of the server before the first command, and the starts of the windows since then.
pub(crate) struct Baseline {
    /// Totals of all links, in the plan's order.
    pub(crate) totals: Vec<LinkTotals>,
    /// Starts of the windows. The first is before the first command.
    pub(crate) window_starts: Vec<Time>,
}

/// Compares all acknowledged commands with the server's books.
pub(crate) async fn check(
    plan: &Plan,
    manager: &str,
    client: &Client,
    baseline: &Baseline,
    tables: &[TableDriver],
    counters: &Counters,
) -> Result<Vec<Check>, LoadError> {
    let after = read(plan, manager, client).await?;
    let sums = book_windows::window_sums(plan, manager, client, &baseline.window_starts).await?;
    let levels = link_template()?.levels;
    let mut checks = vec![check_last_sequences(tables, manager, client).await?];
    let links = plan.link_names().into_iter().enumerate();
    let books = baseline.totals.iter().zip(&after).zip(&sums);
    for ((index, link), ((before, after), sums)) in links.zip(books) {
        let own_tables = tables.iter().filter(|table| table.link_index == index);
        let acknowledged = own_tables.fold(Acknowledged::default(), |sum, table| Acknowledged {
            rounds: sum.rounds + table.acknowledged.rounds,
            wagers: sum.wagers + table.acknowledged.wagers,
            hits: sum.hits + table.acknowledged.hits,
        });
        checks.extend(check_totals(&link, acknowledged, before, after));
        checks.extend(check_sums(&link, acknowledged, sums, &levels));
    }
    checks.push(check_replies(counters));
    Ok(checks)
}

/// Compares the last sequence number of every table with the last acknowledged one.
async fn check_last_sequences(
    tables: &[TableDriver],
    manager: &str,
    client: &Client,
) -> Result<Check, LoadError> {
    let names = tables.iter().map(|table| table.name.clone()).collect();
    let found = last_numbers(names, manager, client).await?;
    let acknowledged: BTreeMap<String, u64> = tables
        .iter()
        .map(|table| (table.name.clone(), table.last_acknowledged))
        .collect();
    let differing = acknowledged
        .iter()
        .filter(|(name, last)| found.get(*name) != Some(*last));
    let mismatches: Vec<String> = differing
        .map(|(name, last)| format!("{name} has {:?}, acknowledged {last}", found.get(name)))
        .collect();
    let count = tables.len() - mismatches.len();
    let shown: Vec<String> = mismatches.into_iter().take(NAMED_TABLES_MAX).collect();
    let what = if shown.is_empty() {
        "tables whose last sequence number is the last acknowledged one".to_owned()
    } else {
        format!(
            "tables whose last sequence number is the last acknowledged one ({})",
            shown.join("; ")
        )
    };
    Ok(Check::new(what, &tables.len(), &count))
}

/// Compares the growth of one link's totals with the acknowledged commands. A total that fell differs.
fn check_totals(
    link: &str,
    acknowledged: Acknowledged,
    before: &LinkTotals,
    after: &LinkTotals,
) -> [Check; 3] {
    let grown = |what: &str, expected: u64, before: u64, after: u64| {
        let found = i128::from(after) - i128::from(before);
        Check::new(format!("{link} {what}"), &expected, &found)
    };
    [
        grown("rounds", acknowledged.rounds, before.rounds, after.rounds),
        grown("wagers", acknowledged.wagers, before.wagers, after.wagers),
        grown("hits", acknowledged.hits, before.hits, after.hits),
    ]
}

/// Compares the sums over one link's events with the acknowledged commands.
fn check_sums(
    link: &str,
    acknowledged: Acknowledged,
    sums: &LevelSums,
    levels: &[LevelPlan],
) -> Vec<Check> {
    let wagers = i64::try_from(acknowledged.wagers).unwrap_or(i64::MAX);
    let shown = |micros| Money::from_micros(micros).to_string();
    let contributions = levels.iter().map(|level| {
        let found = sums.get(&level.name).map(|sum| sum.contributions);
        let found = found.map_or_else(|| "not reported".to_owned(), shown);
        let expected = shown(wagers.saturating_mul(level.micros_per_wager));
        let what = format!("{link} contributions {}", level.name);
        Check::new(what, &expected, &found)
    });
    let differences = sums.iter().map(|(level, sum)| {
        let what = format!("{link} difference {level}");
        Check::new(what, &"0.00", &shown(sum.difference))
    });
    contributions.chain(differences).collect()
}

/// Checks the replies: each repeat got its first outcome, and no command that was sent once was answered as a repeat.
fn check_replies(counters: &Counters) -> Check {
    let what = format!(
        "{} repeats got their first outcome, {} gaps the expected number, no command was answered twice",
        counters.repeats, counters.reorderings
    );
    let found = match counters.violations {
        0 => "all".to_owned(),
        wrong => format!(
            "{wrong} contract violations: {}",
            counters.described_violations.join("; ")
        ),
    };
    Check::new(what, &"all", &found)
}

#[cfg(test)]
mod tests {
    use meterhouse_simulator::LevelPlan;

    use super::{LinkTotals, check_sums, check_totals};
    use crate::book_windows::{LevelSum, LevelSums};
    use crate::table_driver::Acknowledged;

    fn totals(wagers: u64) -> LinkTotals {
        LinkTotals {
            rounds: wagers / 3,
            wagers,
            hits: 1,
        }
    }

    fn sums(contributions: i64, difference: i64) -> LevelSums {
        let sum = LevelSum {
            contributions,
            difference,
        };
        LevelSums::from([("mega".to_owned(), sum)])
    }

    /// Nothing was played, and the totals are lower than before.
    #[test]
    fn a_total_that_fell_differs() {
        let checks = check_totals("load-1", Acknowledged::default(), &totals(3), &totals(0));
        let found = checks.each_ref().map(|check| check.found.as_str());
        assert_eq!(found, ["-1", "-3", "0"]);
        assert_eq!(checks.map(|check| check.agrees()), [false, false, true]);
    }

    /// The growth between two readings is compared, and each figure that differs is named.
    #[test]
    fn each_differing_figure_is_named() {
        let levels = [LevelPlan {
            name: "mega".to_owned(),
            micros_per_wager: 90_000,
        }];
        let acknowledged = Acknowledged {
            rounds: 2,
            wagers: 6,
            hits: 0,
        };
        let differing = |after: &LinkTotals, sums: &LevelSums| {
            let mut checks = check_totals("load-1", acknowledged, &totals(3), after).to_vec();
            checks.extend(check_sums("load-1", acknowledged, sums, &levels));
            assert_eq!(checks.len(), 5);
            let differing = checks.into_iter().filter(|check| !check.agrees());
            differing.map(|check| check.what).collect::<Vec<_>>()
        };
        assert!(differing(&totals(9), &sums(540_000, 0)).is_empty());
        assert_eq!(
            differing(&totals(9), &sums(450_000, 0)),
            ["load-1 contributions mega"]
        );
        assert_eq!(
            differing(&totals(9), &sums(540_000, -10_000)),
            ["load-1 difference mega"]
        );
        let doubled = differing(&totals(12), &sums(810_000, 0));
        assert_eq!(
            doubled,
            [
                "load-1 rounds",
                "load-1 wagers",
                "load-1 contributions mega"
            ]
        );
    }
}
