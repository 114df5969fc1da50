//! The rate of one link with a long history behind it, and how soon a server that starts plays it.
//!
//! # What bounds it
//! The disk: where less than [`BYTES_A_COMMAND`] are free for each, nothing is begun.

use meterhouse_load::{End, Pace, Plan};
use nix::sys::statvfs::statvfs;

use super::{Rates, grouped, in_turn, restart};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::Ours;

/// Commands in flight while the history is made.
const FILL_IN_FLIGHT: u32 = 4_096;
/// Disk that a command of the history may need, its WAL and indexes included.
const BYTES_A_COMMAND: u64 = 400;
/// What the load is called.
const PREFIX: &str = "history";
/// Commands of a million.
const MILLION: u64 = 1_000_000;
/// Bytes of a GB.
const GB: u64 = 1_000_000_000;
/// Of a hundred of the first figure.
const PERCENT_ASKED: u64 = 90;

/// The rate on a fresh database, and again behind each history that is asked for.
pub(super) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    room(stage)?;
    let behind_each = async |ours: &mut Ours| behind_each(stage, ours).await;
    stage.on_fresh("history", behind_each).await
}

/// Whether there is room for the longest history.
fn room(stage: &Stage) -> Result<(), Failure> {
    let millions = stage.options.history.iter().copied().max();
    let millions = u64::try_from(millions.unwrap_or_default())?;
    let needed = millions * MILLION * BYTES_A_COMMAND;
    let disk = statvfs(stage.postgres.log())?;
    let free = disk.blocks_available().saturating_mul(disk.fragment_size());
    if free < needed {
        return Err(format!(
            "{millions} million events need {} GB of disk, {} GB are free: give less with --history-millions, or set TMPDIR",
            needed.div_ceil(GB),
            free / GB
        )
        .into());
    }
    Ok(())
}

async fn behind_each(stage: &Stage, ours: &mut Ours) -> Result<Vec<Figure>, Failure> {
    let first = rate(stage, ours).await?;
    let mut figures = vec![Figure::new(
        "streams, one link, 512 in flight on a fresh database",
        first.words(),
        "",
        None,
    )];
    for millions in &stage.options.history {
        let millions = u64::try_from(*millions)?;
        let count = fill(stage, ours, millions * MILLION).await?;
        let then = rate(stage, ours).await?;
        let percent = then.median() * 100 / first.median().max(1);
        figures.push(Figure::new(
            format!("the same behind {} events of history", grouped(count)),
            format!("{percent}%: {}", then.words()),
            format!("{PERCENT_ASKED}% of the first figure"),
            Some(percent >= PERCENT_ASKED),
        ));
    }
    figures.extend(restart::measure(stage, ours, PREFIX).await?);
    Ok(figures)
}

async fn rate(stage: &Stage, ours: &Ours) -> Result<Rates, Failure> {
    let plan = ours.plan(PREFIX, stage.options.length);
    let [rates] = in_turn(stage, ours, [plan]).await?;
    Ok(rates)
}

/// Plays at full speed until the link has so many events; how many it has then.
async fn fill(stage: &Stage, ours: &Ours, events: u64) -> Result<u64, Failure> {
    let there = ours.events(&stage.postgres).await?;
    let missing = events.saturating_sub(there);
    if missing > 0 {
        let plan = Plan {
            pace: Pace::InFlight(FILL_IN_FLIGHT),
            end: End::Commands(missing),
            // Its length is not asked for.
            ..ours.plan(PREFIX, stage.options.length)
        };
        eprintln!("history: {} more events", grouped(missing));
        ours.play(plan).await?;
    }
    ours.events(&stage.postgres).await
}
