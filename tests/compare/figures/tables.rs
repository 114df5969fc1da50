//! One table or a thousand on a link, with as many in flight.

use meterhouse_load::{Pace, Plan};

use super::{grouped, in_turn};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::{COMMANDS_A_MESSAGE, streams};
use crate::rows::with_ends;

/// Commands in flight: a table alone has as many, on one stream.
const IN_FLIGHT: u32 = 64;
/// Tables.
const MANY: u32 = 1_000;
/// Of a hundred of the first figure.
const PERCENT_ASKED: u64 = 90;

/// Both in turn, on a link each.
pub(super) async fn measure(stage: &Stage) -> Result<Figure, Failure> {
    let plan = |prefix: &str, tables: u32| Plan {
        tables,
        transport: streams(1, COMMANDS_A_MESSAGE),
        pace: Pace::InFlight(IN_FLIGHT),
        ..stage.ours.plan(prefix, stage.options.length)
    };
    let plans = [plan("one", 1), plan("many", MANY)];
    let [one, many] = in_turn(stage, &stage.ours, plans).await?;
    let percent = many.percent_of(&one);
    Ok(Figure::new(
        format!(
            "{} tables on a link against 1, one stream, {IN_FLIGHT} in flight",
            grouped(u64::from(MANY))
        ),
        format!(
            "{} a round: {} of {}",
            with_ends(percent, |percent| format!("{percent}%")),
            many.words(),
            one.words()
        ),
        format!("{PERCENT_ASKED}% of the first figure"),
        Some(percent.median >= PERCENT_ASKED),
    ))
}
