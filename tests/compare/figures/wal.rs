//! Bytes of WAL a command just after a checkpoint, when Postgres writes whole pages.
//!
//! # Shape
//! On a Postgres of its own: WAL is counted for all of its databases, and what was played before in others keeps
//! autovacuum writing for minutes.

use std::time::Duration;

use tempfile::Builder;

use meterhouse_load::Plan;

use super::{grouped, open};
use crate::figure::{Figure, Stage};
use crate::{Failure, ground};

/// How commands come, what that is called, and the bytes that are asked for.
const WAYS: [(Duration, &str, u64); 2] = [
    (Duration::ZERO, "evenly spread", 650),
    (Duration::from_millis(1), "in bursts of 1 ms", 320),
];

/// Both ways, one run each.
pub(super) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let folder = Builder::new().prefix("mh-compare-wal-").tempdir()?;
    let postgres = ground::start(folder.path()).await?;
    let ours = ground::ours(&postgres, &stage.program, "wal").await?;
    let own = Stage {
        postgres,
        options: stage.options.clone(),
        ours,
        program: stage.program.clone(),
    };
    let figures = both(&own).await;
    own.ours.stop().await?;
    own.postgres.stop().await?;
    figures
}

async fn both(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    let length = stage.options.long(open::FAST_SECONDS);
    for (burst, name, asked) in WAYS {
        let plan = stage.ours.plan("open", length);
        let plan = Plan {
            warm_up: Duration::ZERO,
            ..open::looped(plan, open::SLOW, burst)
        };
        // So that nothing but commands is written from the checkpoint on.
        stage.ours.seated(&plan).await?;
        stage.settle().await?;
        ground::execute(&stage.postgres.connect_options(), "CHECKPOINT").await?;
        let before = ground::written(&stage.postgres).await?;
        let report = stage.ours.play(plan).await?;
        let bytes = ground::written(&stage.postgres).await? - before;
        let each = bytes / report.commands.max(1);
        let (rate, seconds) = (grouped(open::SLOW), length.as_secs());
        figures.push(Figure::new(
            format!("WAL a command, {rate}/s {name} for {seconds} s after a CHECKPOINT"),
            format!("{each} bytes"),
            format!("{asked} bytes"),
            Some(each <= asked),
        ));
    }
    Ok(figures)
}
