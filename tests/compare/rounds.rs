//! The rounds of the comparison: each plays every cell once, in another order than the round before.

use std::path::Path;
use std::time::Instant;

use meterhouse_load::Report;
use meterhouse_postgres::Server;
use meterhouse_tests::comparison::rounds::order;

use crate::machine::{self, Load, Watch};
use crate::options::Options;
use crate::ours::Ours;
use crate::pgbench::Bench;
use crate::programs::Programs;
use crate::way::{Cells, Measured, Way, What};
use crate::{Failure, ground, rows, sql, table};

/// The database of our server.
const OURS: &str = "meterhouse";
/// A measurement that others disturbed by more hundredths of a core is made again, so often.
pub(crate) const DISTURBED: u64 = 30;
pub(crate) const AGAIN: usize = 3;

/// Everything that plays.
struct Players<'a> {
    postgres: &'a Server,
    options: &'a Options,
    ours: Ours,
    sql: Bench,
}

/// Measures what was asked for, and `needed` in addition; prints the table.
pub(crate) async fn run(
    postgres: &Server,
    folder: &Path,
    programs: &Programs,
    options: &Options,
    needed: &[What],
) -> Result<Cells, Failure> {
    let mut cells = Cells::of(options, needed);
    if cells.0.is_empty() {
        return Ok(cells);
    }
    let links = cells.0.iter().map(|cell| cell.what.links).max();
    let links = links.unwrap_or_default();
    let mut players = Players {
        postgres,
        options,
        ours: ground::ours(postgres, &programs.server, OURS).await?,
        sql: sql::prepare(postgres, programs, folder, links).await?,
    };
    for round in 0..options.rounds {
        for index in order(round, options.rounds, cells.0.len()) {
            let Some(cell) = cells.0.get_mut(index) else {
                continue;
            };
            let begun = Instant::now();
            let measured = players.measure(cell.what).await?;
            let progress = rows::progress(cell, &measured, begun.elapsed());
            eprintln!("round {}: {progress}", round + 1);
            cell.rounds.push(measured);
        }
    }
    players.ours.stop().await?;
    rows::print(&cells, options);
    Ok(cells)
}

impl Players<'_> {
    /// Makes one measurement, the least disturbed of a few.
    async fn measure(&mut self, what: What) -> Result<Measured, Failure> {
        let mut best: Option<Measured> = None;
        for _ in 0..AGAIN {
            let measured = self.measure_once(what).await?;
            let others = measured.load.others;
            if best.as_ref().is_none_or(|best| others < best.load.others) {
                best = Some(measured);
            }
            if others <= DISTURBED {
                break;
            }
        }
        best.ok_or_else(|| "nothing was measured".into())
    }

    async fn measure_once(&mut self, what: What) -> Result<Measured, Failure> {
        ground::execute(&self.postgres.connect_options(), "CHECKPOINT").await?;
        machine::quiet(self.postgres.pid(), self.options.quiet).await?;
        let written = ground::written(self.postgres).await?;
        let (count, mut measured) = match what.way {
            Way::Naive | Way::Function => self.of_sql(what).await?,
            Way::Http | Way::Stream | Way::Single => self.of_ours(what).await?,
        };
        let bytes = ground::written(self.postgres).await? - written;
        measured.wal = bytes / count.max(1);
        Ok(measured)
    }

    /// Plays transactions. Returns their number with the measurement.
    async fn of_sql(&mut self, what: What) -> Result<(u64, Measured), Failure> {
        let watch = Watch::start(self.postgres.pid(), None)?;
        let (script, seconds) = (sql::script(what.way), self.options.length.as_secs().max(1));
        let bench = &mut self.sql;
        let latencies = bench
            .play(script, what.in_flight, what.links, seconds)
            .await?;
        let rate = latencies.len() / seconds;
        let [p50, p99, _] = table::percentiles(&latencies);
        let measured = Measured {
            rate,
            coin_ins: rate,
            latency: [p50, p99],
            load: watch.read()?,
            wal: 0,
        };
        self.sql.check().await?;
        Ok((latencies.len(), measured))
    }

    /// Plays commands. Returns their number with the measurement.
    async fn of_ours(&mut self, what: What) -> Result<(u64, Measured), Failure> {
        let watch = Watch::start(self.postgres.pid(), self.ours.pid())?;
        let report = self.ours.play_way(what, self.options.length).await?;
        let others = watch.read()?.others;
        Ok((report.commands, of_report(&report, others)))
    }
}

/// Returns the measurement of the load generator.
fn of_report(report: &Report, others: u64) -> Measured {
    let latency = report.latency;
    Measured {
        rate: report.a_second,
        coin_ins: report.a_second * report.coin_ins / report.commands.max(1),
        latency: [latency.p50, latency.p99],
        load: Load {
            others,
            own: report.cpu.generator,
            server: report.cpu.server.unwrap_or_default(),
            postgres: report.cpu.postgres.unwrap_or_default(),
        },
        wal: 0,
    }
}
