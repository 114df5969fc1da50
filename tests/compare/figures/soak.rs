//! A long time at a steady rate: latencies, memory, WAL and tables, minute by minute.

use std::time::Duration;

use meterhouse_load::{Interval, Plan};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, interval_at};

use super::{Section, grouped, open};
use crate::figure::{Figure, Stage};
use crate::ours::{Ours, WARM_UP};
use crate::table::thousandths;
use crate::{Failure, ground};

/// A minute, of which there is a line.
const MINUTE: Duration = Duration::from_mins(1);
/// Bytes and KiB of a MiB.
const MIB: u64 = 1_048_576;
const KIB: u64 = 1_024;
/// What Postgres says of the tables: bytes of the journal's partitions and of the heads, dead versions of heads, how
/// often autovacuum had been at the heads and at all tables.
const TABLES: &str = "SELECT
  (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM pg_inherits
    WHERE inhparent = 'public.event'::regclass),
  pg_total_relation_size('public.link_head'),
  (SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'link_head'),
  (SELECT autovacuum_count FROM pg_stat_user_tables WHERE relname = 'link_head'),
  (SELECT sum(autovacuum_count)::bigint FROM pg_stat_user_tables)";
/// The head of the lines.
const HEAD: &str = "| minute | p50 ms | p99 ms | p99.9 ms | server MiB | WAL MiB | events MiB | link_head KiB | its dead rows | its autovacuums | all autovacuums |
|---|---|---|---|---|---|---|---|---|---|---|";

/// How things stood at the end of a minute.
struct Sample {
    /// KiB of the server's process.
    memory: u64,
    /// Bytes of WAL since the beginning.
    wal: u64,
    /// What Postgres says of the tables, as [`TABLES`] asks for it.
    tables: (i64, i64, i64, i64, i64),
}

/// One run on a database of its own.
pub(super) async fn measure(stage: &Stage) -> Result<Section, Failure> {
    let soak = async |ours: &mut Ours| soak(stage, ours).await;
    stage.on_fresh("soak", soak).await
}

async fn soak(stage: &Stage, ours: &Ours) -> Result<Section, Failure> {
    let minutes = stage.options.soak;
    let length = MINUTE * u32::try_from(minutes)?;
    let plan = Plan {
        interval: MINUTE,
        ..open::looped(ours.plan("soak", length), open::SLOW, Duration::ZERO)
    };
    ours.seated(&plan).await?;
    stage.settle().await?;
    let before = ground::written(&stage.postgres).await?;
    let mut ends = interval_at(Instant::now() + WARM_UP + MINUTE, MINUTE);
    let mut samples = Vec::new();
    let mut playing = Box::pin(ours.play(plan));
    let report = loop {
        tokio::select! {
            report = &mut playing => break report?,
            // Whoever plays has tasks of its own, and is not held up by this.
            _ = ends.tick() => {
                let sample = sample(stage, ours, before).await?;
                eprintln!("soak, minute {}: {}", samples.len() + 1, words(&sample));
                samples.push(sample);
            }
        }
    };
    samples.push(sample(stage, ours, before).await?);
    let first = samples.first().map_or(0, |it| it.memory / KIB);
    let last = samples.last().map_or(0, |it| it.memory / KIB);
    // What is answered behind the end belongs to no minute.
    let whole = |it: &&Interval| it.number < minutes;
    let intervals: Vec<Interval> = report.intervals.iter().filter(whole).copied().collect();
    let worst = intervals.iter().map(|it| it.latency.p999).max();
    let [p50, p99, p999] =
        [report.latency.p50, report.latency.p99, report.latency.p999].map(thousandths);
    let rate = grouped(open::SLOW);
    let figure = Figure::new(
        format!("soak, {minutes} minutes at {rate}/s, autovacuum running; lines below"),
        format!(
            "p50 {p50}, p99 {p99}, p99.9 {p999} ms, {} in the worst minute; server {first} MiB after the first, {last} MiB \
             after the last; {} never sent",
            thousandths(worst.unwrap_or_default()),
            report.unsent
        ),
        "",
        None,
    );
    Ok(Section {
        figures: vec![figure],
        appendix: lines(&intervals, &samples),
    })
}

/// A line a minute.
fn lines(intervals: &[Interval], samples: &[Sample]) -> String {
    let mut text =
        format!("\nSoak, at the end of each minute; WAL since the beginning:\n\n{HEAD}\n");
    for (interval, sample) in intervals.iter().zip(samples) {
        let latency = interval.latency;
        let [p50, p99, p999] = [latency.p50, latency.p99, latency.p999].map(thousandths);
        let minute = interval.number + 1;
        let line = format!(
            "| {minute} | {p50} | {p99} | {p999} | {} |\n",
            words(sample)
        );
        text.push_str(&line);
    }
    text
}

/// What stands behind the latencies.
fn words(sample: &Sample) -> String {
    let (events, head, dead, vacuums, all) = sample.tables;
    let [events, head] = [events, head].map(|it| u64::try_from(it).unwrap_or_default());
    format!(
        "{} | {} | {} | {} | {dead} | {vacuums} | {all}",
        sample.memory / KIB,
        sample.wal / MIB,
        events / MIB,
        head / KIB
    )
}

async fn sample(stage: &Stage, ours: &Ours, before: u64) -> Result<Sample, Failure> {
    let database = stage.postgres.connect_options().database(ours.database());
    let mut connection = PgConnection::connect_with(&database).await?;
    let tables = sqlx::query_as(TABLES).fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(Sample {
        memory: ours.memory()?.0,
        wal: ground::written(&stage.postgres).await? - before,
        tables,
    })
}
