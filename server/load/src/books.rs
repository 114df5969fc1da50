//! The books: what the server says about a link before and after, and whether what lies between is what was
//! acknowledged.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_simulator::{Client, LevelPlan, Request, parse_amount, show_amount};
use serde::Deserialize;

use crate::error::LoadError;
use crate::felt::{Booked, Felt};
use crate::plan::Plan;
use crate::prepare::{AT_ONCE, last_numbers, pattern};
use crate::report::Check;
use crate::tally::Tally;

/// Tables that are named where their last numbers differ.
const NAMED_MAX: usize = 5;

/// What the server says about a link.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    /// Of each level, and `fixed`.
    levels: Vec<Level>,
    rounds: u64,
    wagers: u64,
    hits: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct Level {
    #[serde(rename = "level")]
    name: String,
    contributions: String,
    difference: String,
}

#[derive(Deserialize)]
struct Reconciliation {
    levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Lifetime {
    rounds: u64,
    wagers: u64,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    hits: u64,
}

/// Reads the books of all links of a plan, in its order.
pub(crate) async fn read(
    plan: &Plan,
    manager: &str,
    client: &Client,
) -> Result<Vec<Books>, LoadError> {
    let books = stream::iter(plan.link_names()).map(async |link| {
        let question = Request::get(format!("/v1/links/{link}/reconciliation"));
        let answer = client.ask(manager, &question).await?;
        let reconciliation: Reconciliation = question.read(&answer, &[200])?;
        let question = Request::get(format!("/v1/links/{link}/lifetime"));
        let answer = client.ask(manager, &question).await?;
        let lifetime: Lifetime = question.read(&answer, &[200])?;
        Ok(Books {
            levels: reconciliation.levels,
            rounds: lifetime.rounds,
            wagers: lifetime.wagers,
            hits: lifetime.lines.iter().map(|it| it.hits).sum(),
        })
    });
    books.buffered(AT_ONCE).try_collect().await
}

/// Compares everything that was acknowledged with what the server has.
pub(crate) async fn checks(
    plan: &Plan,
    manager: &str,
    client: &Client,
    before: &[Books],
    felts: &[Felt],
    tally: &Tally,
) -> Result<Vec<Check>, LoadError> {
    let after = read(plan, manager, client).await?;
    let levels = pattern()?.levels;
    let mut checks = vec![last(felts, manager, client).await?];
    let links = plan.link_names().into_iter().enumerate();
    for ((place, link), (before, after)) in links.zip(before.iter().zip(&after)) {
        let own = felts.iter().filter(|it| it.link == place);
        let booked = own.fold(Booked::default(), |sum, felt| Booked {
            rounds: sum.rounds + felt.booked.rounds,
            wagers: sum.wagers + felt.booked.wagers,
            hits: sum.hits + felt.booked.hits,
        });
        checks.extend(of_link(&link, booked, before, after, &levels));
    }
    checks.push(promises(tally));
    Ok(checks)
}

/// The last number of every table is the last that was acknowledged.
async fn last(felts: &[Felt], manager: &str, client: &Client) -> Result<Check, LoadError> {
    let tables = felts.iter().map(|it| it.name.clone()).collect();
    let found = last_numbers(tables, manager, client).await?;
    let acknowledged: BTreeMap<String, u64> =
        felts.iter().map(|it| (it.name.clone(), it.last)).collect();
    let differing = acknowledged
        .iter()
        .filter(|it| found.get(it.0) != Some(it.1));
    let named: Vec<String> = differing
        .map(|(name, last)| format!("{name} has {:?}, acknowledged {last}", found.get(name)))
        .collect();
    let count = felts.len() - named.len();
    let shown: Vec<String> = named.into_iter().take(NAMED_MAX).collect();
    let what = if shown.is_empty() {
        "tables whose last number is the last acknowledged one".to_owned()
    } else {
        format!(
            "tables whose last number is the last acknowledged one ({})",
            shown.join("; ")
        )
    };
    Ok(Check::new(what, &felts.len(), &count))
}

/// What grew on one link.
fn of_link(
    link: &str,
    booked: Booked,
    before: &Books,
    after: &Books,
    levels: &[LevelPlan],
) -> Vec<Check> {
    let grown = |what: &str, expected: u64, before: u64, after: u64| {
        Check::new(
            format!("{link} {what}"),
            &expected,
            &after.saturating_sub(before),
        )
    };
    let mut checks = vec![
        grown("rounds", booked.rounds, before.rounds, after.rounds),
        grown("wagers", booked.wagers, before.wagers, after.wagers),
        grown("hits", booked.hits, before.hits, after.hits),
    ];
    let wagers = i64::try_from(booked.wagers).unwrap_or(i64::MAX);
    for level in levels {
        let of = |books: &Books| {
            let own = books.levels.iter().find(|it| it.name == level.name)?;
            parse_amount(&own.contributions)
        };
        let found = match (of(before), of(after)) {
            (Some(before), Some(after)) => show_amount(after - before),
            (None, _) | (_, None) => "not told".to_owned(),
        };
        let expected = show_amount(wagers.saturating_mul(level.micros_per_wager));
        checks.push(Check::new(
            format!("{link} contributions {}", level.name),
            &expected,
            &found,
        ));
    }
    for level in &after.levels {
        let what = format!("{link} difference {}", level.name);
        checks.push(Check::new(what, &"0.00", &level.difference));
    }
    checks
}

/// Every repeat was answered with the first outcome, and nothing that was sent once as a repeat.
fn promises(tally: &Tally) -> Check {
    let what = format!(
        "{} repeats answered with their first outcome, {} gaps with the expected number, nothing twice",
        tally.repeats, tally.reorderings
    );
    let found = match tally.wrong {
        0 => "all".to_owned(),
        wrong => format!("{wrong} broken promises: {}", tally.wrongs.join("; ")),
    };
    Check::new(what, &"all", &found)
}

#[cfg(test)]
mod tests {
    use meterhouse_simulator::LevelPlan;

    use super::{Books, Level, of_link};
    use crate::felt::Booked;

    fn books(wagers: u64, contributions: &str, difference: &str) -> Books {
        Books {
            levels: vec![Level {
                name: "mega".to_owned(),
                contributions: contributions.to_owned(),
                difference: difference.to_owned(),
            }],
            rounds: wagers / 3,
            wagers,
            hits: 1,
        }
    }

    /// What lies between two readings is compared; each figure that differs is named.
    #[test]
    fn differences_are_named() {
        let levels = [LevelPlan {
            name: "mega".to_owned(),
            micros_per_wager: 90_000,
        }];
        let booked = Booked {
            rounds: 2,
            wagers: 6,
            hits: 0,
        };
        let before = books(3, "0.27", "0.00");
        let named = |after: &Books| {
            let checks = of_link("load-1", booked, &before, after, &levels);
            assert_eq!(checks.len(), 5);
            let differing = checks.into_iter().filter(|it| !it.agrees());
            differing.map(|it| it.what).collect::<Vec<_>>()
        };
        assert!(named(&books(9, "0.81", "0.00")).is_empty());
        assert_eq!(
            named(&books(9, "0.72", "0.00")),
            ["load-1 contributions mega"]
        );
        assert_eq!(named(&books(9, "0.81", "0.09")), ["load-1 difference mega"]);
        let twice = named(&books(12, "1.08", "0.00"));
        assert_eq!(
            twice,
            [
                "load-1 rounds",
                "load-1 wagers",
                "load-1 contributions mega"
            ]
        );
    }
}
