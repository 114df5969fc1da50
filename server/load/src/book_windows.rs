//! Windows of the server's books: the time of a run is split into windows, and the server sums each one.
//!
//! # Limits
//! A window is [`WINDOW`] long. The server sums so much of the fastest link well within a request's time limit. It
//! can't sum a whole history within the limit.
//!
//! # Order
//! A window ends where the next one starts, by the same timestamp of the server. No event lies between two windows.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_api::link::LinkMeters;
use meterhouse_api::report::{Reconciliation, ReconciliationLine};
use meterhouse_api::values::Time;
use meterhouse_http_client::Client;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::error::LoadError;
use crate::plan::Plan;
use crate::prepare::CONCURRENT_REQUESTS;

/// Length of a window.
const WINDOW: Duration = Duration::from_secs(5);

/// Sums over the events of one level, in micro-dollars.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelSum {
    /// Contributions of wagers.
    pub(crate) contributions: i64,
    /// The first difference between events and balances that is not zero.
    pub(crate) difference: i64,
}

/// Sums by the name of the level, with `fixed` among them.
pub(crate) type LevelSums = BTreeMap<String, LevelSum>;

/// Returns the server's time.
pub(crate) async fn server_time(
    plan: &Plan,
    token: &str,
    client: &Client,
) -> Result<Time, LoadError> {
    let link = plan.link_names().into_iter().next().unwrap_or_default();
    let path = format!("/v1/links/{link}/meters");
    let meters: LinkMeters = client.get(token, path).await?;
    Ok(meters.at)
}

/// Records the start of each window until `ended` is cancelled. A start that can't be read is left out, so that the
/// window before it is longer.
pub(crate) async fn record_windows(
    plan: Plan,
    token: String,
    client: Client,
    ended: CancellationToken,
) -> Vec<Time> {
    let mut ticks = interval_at(Instant::now() + WINDOW, WINDOW);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut window_starts = Vec::new();
    let recording = async {
        loop {
            ticks.tick().await;
            window_starts.extend(server_time(&plan, &token, &client).await.ok());
        }
    };
    let _: Option<()> = ended.run_until_cancelled(recording).await;
    window_starts
}

/// Sums the events of each link of a plan since the first window, window by window.
pub(crate) async fn window_sums(
    plan: &Plan,
    manager: &str,
    client: &Client,
    window_starts: &[Time],
) -> Result<Vec<LevelSums>, LoadError> {
    let sums = stream::iter(plan.link_names()).map(async |link| {
        let mut sums = LevelSums::new();
        for (index, from) in window_starts.iter().enumerate() {
            let until = window_starts.get(index + 1).map(|end| format!("&to={end}"));
            let until = until.unwrap_or_default();
            let path = format!("/v1/links/{link}/reconciliation?from={from}{until}");
            let reconciliation: Reconciliation = client.get(manager, path).await?;
            for line in &reconciliation.levels {
                add(&mut sums, line);
            }
        }
        Ok(sums)
    });
    sums.buffered(CONCURRENT_REQUESTS).try_collect().await
}

/// Adds a line to the sums.
fn add(sums: &mut LevelSums, line: &ReconciliationLine) {
    let sum = sums.entry(line.level.to_string()).or_default();
    let contributions = line.contributions.micros();
    sum.contributions = sum.contributions.saturating_add(contributions);
    if sum.difference == 0 {
        sum.difference = line.difference.micros();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(contributions: &str, difference: &str) -> ReconciliationLine {
        let amount = |text: &str| text.parse().expect("an amount");
        ReconciliationLine {
            level: "mega".parse().expect("a name"),
            opening: amount("0.00"),
            contributions: amount(contributions),
            house: amount("0.00"),
            paid: amount("0.00"),
            adjustments: amount("0.00"),
            closing: amount(contributions),
            pending: amount("0.00"),
            difference: amount(difference),
        }
    }

    /// Contributions are added. Differences that cancel each other out are still reported.
    #[test]
    fn contributions_add_up_and_differences_do_not_cancel_out() {
        let mut sums = LevelSums::new();
        for line in [
            line("0.27", "0.00"),
            line("0.09", "0.01"),
            line("1.00", "-0.01"),
        ] {
            add(&mut sums, &line);
        }
        let expected = LevelSum {
            contributions: 1_360_000,
            difference: 10_000,
        };
        assert_eq!(sums, LevelSums::from([("mega".to_owned(), expected)]));
    }
}
