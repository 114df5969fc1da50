//! Memory of the server's own process with many streams.

use meterhouse_load::{Pace, Plan};

use super::{grouped, open};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::{COMMANDS_A_MESSAGE, Ours, streams};

/// Streams, with a table each.
const STREAMS: u32 = 1_000;
/// Commands in flight.
const IN_FLIGHT: u32 = 4_096;
/// MiB at most.
const ASKED: u64 = 200;
/// KiB of a MiB.
const MIB: u64 = 1_024;

/// One run on a server that has done nothing else.
pub(super) async fn measure(stage: &Stage) -> Result<Figure, Failure> {
    let figure = async |ours: &mut Ours| figure(stage, ours).await;
    stage.on_fresh("memory", figure).await
}

async fn figure(stage: &Stage, ours: &Ours) -> Result<Figure, Failure> {
    let length = stage.options.long(open::FAST_SECONDS);
    let plan = Plan {
        tables: STREAMS,
        transport: streams(STREAMS, COMMANDS_A_MESSAGE),
        pace: Pace::InFlight(IN_FLIGHT),
        ..ours.plan("memory", length)
    };
    ours.seated(&plan).await?;
    stage.settle().await?;
    let (before, _) = ours.memory()?;
    let report = ours.play(plan).await?;
    let (after, most) = ours.memory()?;
    // The last begun MiB counts.
    let [before, after, most] = [before, after, most].map(|it| it.div_ceil(MIB));
    Ok(Figure::new(
        format!(
            "the server's own memory, 1,000 streams, 4,096 in flight for {} s",
            length.as_secs()
        ),
        format!(
            "{most} MiB at most, {before} before and {after} after, at {}/s",
            grouped(report.a_second)
        ),
        format!("{ASKED} MiB"),
        Some(most <= ASKED),
    ))
}
