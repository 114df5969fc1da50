//! The books: what the server says about a link before and after, and whether what lies between is what was
//! acknowledged.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_simulator::{Client, LevelPlan, Request, show_amount};
use serde::Deserialize;

use crate::error::LoadError;
use crate::felt::{Booked, Felt};
use crate::moments::{self, Sums};
use crate::plan::Plan;
use crate::prepare::{AT_ONCE, last_numbers, pattern};
use crate::report::Check;
use crate::tally::Tally;

/// Tables that are named where their last numbers differ.
const NAMED_MAX: usize = 5;

/// What the server says about a link.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    rounds: u64,
    wagers: u64,
    hits: u64,
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
        let question = Request::get(format!("/v1/links/{link}/lifetime"));
        let answer = client.ask(manager, &question).await?;
        let lifetime: Lifetime = question.read(&answer, &[200])?;
        Ok(Books {
            rounds: lifetime.rounds,
            wagers: lifetime.wagers,
            hits: lifetime.lines.iter().map(|it| it.hits).sum(),
        })
    });
    books.buffered(AT_ONCE).try_collect().await
}

/// What was there before the first command, and moments since.
pub(crate) struct Before {
    /// Of all links, in the plan's order.
    pub(crate) books: Vec<Books>,
    /// The first one before the first command.
    pub(crate) moments: Vec<String>,
}

/// Compares everything that was acknowledged with what the server has.
pub(crate) async fn checks(
    plan: &Plan,
    manager: &str,
    client: &Client,
    before: &Before,
    felts: &[Felt],
    tally: &Tally,
) -> Result<Vec<Check>, LoadError> {
    let after = read(plan, manager, client).await?;
    let sums = moments::sums(plan, manager, client, &before.moments).await?;
    let levels = pattern()?.levels;
    let mut checks = vec![last(felts, manager, client).await?];
    let links = plan.link_names().into_iter().enumerate();
    let books = before.books.iter().zip(&after).zip(&sums);
    for ((place, link), ((before, after), sums)) in links.zip(books) {
        let own = felts.iter().filter(|it| it.link == place);
        let booked = own.fold(Booked::default(), |sum, felt| Booked {
            rounds: sum.rounds + felt.booked.rounds,
            wagers: sum.wagers + felt.booked.wagers,
            hits: sum.hits + felt.booked.hits,
        });
        checks.extend(of_link(&link, booked, before, after));
        checks.extend(of_sums(&link, booked, sums, &levels));
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

/// What grew on one link, or fell: that is no figure that stayed.
fn of_link(link: &str, booked: Booked, before: &Books, after: &Books) -> [Check; 3] {
    let grown = |what: &str, expected: u64, before: u64, after: u64| {
        let found = i128::from(after) - i128::from(before);
        Check::new(format!("{link} {what}"), &expected, &found)
    };
    [
        grown("rounds", booked.rounds, before.rounds, after.rounds),
        grown("wagers", booked.wagers, before.wagers, after.wagers),
        grown("hits", booked.hits, before.hits, after.hits),
    ]
}

/// What the events of one link add up to.
fn of_sums(link: &str, booked: Booked, sums: &Sums, levels: &[LevelPlan]) -> Vec<Check> {
    let wagers = i64::try_from(booked.wagers).unwrap_or(i64::MAX);
    let contributions = levels.iter().map(|level| {
        let found = sums.get(&level.name).map(|it| it.contributions);
        let found = found.map_or_else(|| "not told".to_owned(), show_amount);
        let expected = show_amount(wagers.saturating_mul(level.micros_per_wager));
        let what = format!("{link} contributions {}", level.name);
        Check::new(what, &expected, &found)
    });
    let differences = sums.iter().map(|(level, sum)| {
        let what = format!("{link} difference {level}");
        Check::new(what, &"0.00", &show_amount(sum.difference))
    });
    contributions.chain(differences).collect()
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

    use super::{Books, of_link, of_sums};
    use crate::felt::Booked;
    use crate::moments::{Sum, Sums};

    fn books(wagers: u64) -> Books {
        Books {
            rounds: wagers / 3,
            wagers,
            hits: 1,
        }
    }

    fn sums(contributions: i64, difference: i64) -> Sums {
        let sum = Sum {
            contributions,
            difference,
        };
        Sums::from([("mega".to_owned(), sum)])
    }

    /// Nothing was played, and the figures are lower than before.
    #[test]
    fn a_fall_is_seen() {
        let checks = of_link("load-1", Booked::default(), &books(3), &books(0));
        let found = checks.each_ref().map(|it| it.found.as_str());
        assert_eq!(found, ["-1", "-3", "0"]);
        assert_eq!(checks.map(|it| it.agrees()), [false, false, true]);
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
        let named = |after: &Books, sums: &Sums| {
            let mut checks = of_link("load-1", booked, &books(3), after).to_vec();
            checks.extend(of_sums("load-1", booked, sums, &levels));
            assert_eq!(checks.len(), 5);
            let differing = checks.into_iter().filter(|it| !it.agrees());
            differing.map(|it| it.what).collect::<Vec<_>>()
        };
        assert!(named(&books(9), &sums(540_000, 0)).is_empty());
        assert_eq!(
            named(&books(9), &sums(450_000, 0)),
            ["load-1 contributions mega"]
        );
        assert_eq!(
            named(&books(9), &sums(540_000, -10_000)),
            ["load-1 difference mega"]
        );
        let twice = named(&books(12), &sums(810_000, 0));
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
