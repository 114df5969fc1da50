//! Moments of the server while it is played: what happened on a link is summed from one to the next.
//!
//! # What bounds it
//! A moment is noted every [`NOTED_EVERY`]: the server sums what the fastest link does in so long well within the time
//! that a request may take, and of a whole history it can't.
//!
//! # Order
//! Two sums share a moment, so that nothing lies between them, whatever it is that the server calls that moment.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_simulator::{Client, Request, parse_amount};
use serde::Deserialize;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::error::LoadError;
use crate::plan::Plan;
use crate::prepare::AT_ONCE;

/// Between two moments.
const NOTED_EVERY: Duration = Duration::from_secs(5);

/// What the events of one level add up to, in micro-dollars.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// What wagers added.
    pub(crate) contributions: i64,
    /// The first of its differences between events and balances that is one.
    pub(crate) difference: i64,
}

/// By the names of the levels, `fixed` among them.
pub(crate) type Sums = BTreeMap<String, Sum>;

#[derive(Deserialize)]
struct Meters {
    at: String,
}

#[derive(Deserialize)]
struct Reconciliation {
    levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Level {
    #[serde(rename = "level")]
    name: String,
    contributions: String,
    difference: String,
}

/// The server's time now.
pub(crate) async fn now(plan: &Plan, token: &str, client: &Client) -> Result<String, LoadError> {
    let link = plan.link_names().into_iter().next().unwrap_or_default();
    let question = Request::get(format!("/v1/links/{link}/meters"));
    let answer = client.ask(token, &question).await?;
    let meters: Meters = question.read(&answer, &[200])?;
    Ok(meters.at)
}

/// Notes moments until `ended`. One that can't be had is left out: the next sum is the longer for it.
pub(crate) async fn note(
    plan: Plan,
    token: String,
    client: Client,
    ended: CancellationToken,
) -> Vec<String> {
    let mut ticks = interval_at(Instant::now() + NOTED_EVERY, NOTED_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut moments = Vec::new();
    let noting = async {
        loop {
            ticks.tick().await;
            moments.extend(now(&plan, &token, &client).await.ok());
        }
    };
    let _: Option<()> = ended.run_until_cancelled(noting).await;
    moments
}

/// What happened on each link of a plan since the first of these moments, summed from one to the next.
pub(crate) async fn sums(
    plan: &Plan,
    manager: &str,
    client: &Client,
    moments: &[String],
) -> Result<Vec<Sums>, LoadError> {
    let sums = stream::iter(plan.link_names()).map(async |link| {
        let mut sums = Sums::new();
        for (place, from) in moments.iter().enumerate() {
            let until = moments.get(place + 1).map(|it| format!("&to={it}"));
            let until = until.unwrap_or_default();
            let path = format!("/v1/links/{link}/reconciliation?from={from}{until}");
            let question = Request::get(path);
            let answer = client.ask(manager, &question).await?;
            let reconciliation: Reconciliation = question.read(&answer, &[200])?;
            for level in &reconciliation.levels {
                level.add_to(&mut sums);
            }
        }
        Ok(sums)
    });
    sums.buffered(AT_ONCE).try_collect().await
}

impl Level {
    fn add_to(&self, sums: &mut Sums) {
        let sum = sums.entry(self.name.clone()).or_default();
        // What is no amount is as wrong as an amount can be.
        let micros = |text: &str| parse_amount(text).unwrap_or(i64::MAX);
        sum.contributions = sum
            .contributions
            .saturating_add(micros(&self.contributions));
        if sum.difference == 0 {
            sum.difference = micros(&self.difference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(contributions: &str, difference: &str) -> Level {
        Level {
            name: "mega".to_owned(),
            contributions: contributions.to_owned(),
            difference: difference.to_owned(),
        }
    }

    /// Contributions are added up; differences that cancel each other out don't vanish.
    #[test]
    fn what_lies_between_moments_adds_up() {
        let mut sums = Sums::new();
        for one in [
            level("0.27", "0.00"),
            level("0.09", "0.01"),
            level("1.00", "-0.01"),
        ] {
            one.add_to(&mut sums);
        }
        let expected = Sum {
            contributions: 1_360_000,
            difference: 10_000,
        };
        assert_eq!(sums, Sums::from([("mega".to_owned(), expected)]));
    }
}
