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
use crate::way::{Cells, MOVES, Measured, Way, What};
use crate::{Failure, ground, pgledger, rows, sql, table, tigerbeetle};

/// The database of our server.
const OURS: &str = "meterhouse";
/// Microseconds of a millisecond.
const MICROS: u64 = 1_000;
/// A measurement that others disturbed by more hundredths of a core is made again, so often.
pub(crate) const DISTURBED: u64 = 30;
pub(crate) const AGAIN: usize = 3;

/// Everything that plays.
struct Players<'a> {
    postgres: &'a Server,
    options: &'a Options,
    programs: &'a Programs,
    /// The folder for what is written while it is played.
    folder: &'a Path,
    ours: Ours,
    sql: Bench,
    pgledger: Option<Bench>,
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
        programs,
        folder,
        ours: ground::ours(postgres, &programs.server, OURS).await?,
        sql: sql::prepare(postgres, programs, folder, links).await?,
        pgledger: None,
    };
    if let Some(files) = &programs.pgledger {
        let bench = pgledger::prepare(postgres, programs, files, folder, links).await?;
        players.pgledger = Some(bench);
    }
    for round in 0..options.rounds {
        for index in order(round, options.rounds, cells.0.len()) {
            let Some(cell) = cells.0.get_mut(index) else {
                continue;
            };
            let begun = Instant::now();
            let measured = players.measure(cell.what).await?;
            let progress = rows::progress(cell.what, &measured, begun.elapsed());
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
        if let Way::Http | Way::Stream | Way::Single = what.way {
            // So that its measurement has no links to open and no tables to seat.
            let plan = self.ours.plan_of(what, self.options.length)?;
            self.ours.seated(&plan).await?;
        }
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
            Way::Naive | Way::Function | Way::Pgledger => self.of_pgbench(what).await?,
            Way::TigerBeetle => self.of_tigerbeetle().await?,
            Way::Http | Way::Stream | Way::Single => self.of_ours(what).await?,
        };
        let bytes = ground::written(self.postgres).await? - written;
        measured.wal = bytes / count.max(1);
        Ok(measured)
    }

    /// Plays transactions. Returns their number with the measurement.
    async fn of_pgbench(&mut self, what: What) -> Result<(u64, Measured), Failure> {
        let (bench, script, moves) = match (what.way, &mut self.pgledger) {
            (Way::Pgledger, Some(bench)) => (bench, pgledger::SCRIPT, MOVES),
            (way, _) => (&mut self.sql, sql::script(way), 1),
        };
        let watch = Watch::start(self.postgres.pid(), None)?;
        let seconds = self.options.length.as_secs().max(1);
        let latencies = bench
            .play(script, what.in_flight, what.links, seconds)
            .await?;
        let load = watch.read()?;
        bench.check().await?;
        let rate = latencies.len() / seconds;
        let [p50, p99, _] = table::percentiles(&latencies);
        let measured = Measured {
            rate,
            coin_ins: rate / moves,
            wagers: None,
            latency: [p50, p99],
            load,
            wal: 0,
        };
        Ok((latencies.len(), measured))
    }

    /// Plays transfers. `TigerBeetle` writes no WAL, so that none are counted.
    async fn of_tigerbeetle(&self) -> Result<(u64, Measured), Failure> {
        let program = self.programs.tigerbeetle.as_deref();
        let program = program.ok_or("tigerbeetle is not named")?;
        let watch = Watch::start(self.postgres.pid(), None)?;
        let played = tigerbeetle::play(program, self.folder, self.options.length).await?;
        let measured = Measured {
            rate: played.a_second,
            coin_ins: played.a_second / MOVES,
            wagers: None,
            latency: [played.p50_millis, played.p99_millis].map(|millis| millis * MICROS),
            load: watch.read()?,
            wal: 0,
        };
        Ok((u64::MAX, measured))
    }

    /// Plays commands. Returns their number with the measurement.
    async fn of_ours(&mut self, what: What) -> Result<(u64, Measured), Failure> {
        let plan = self.ours.plan_of(what, self.options.length)?;
        let watch = Watch::start(self.postgres.pid(), self.ours.pid())?;
        let report = self.ours.play(plan).await?;
        let others = watch.read()?.others;
        Ok((report.commands, of_report(&report, others)))
    }
}

/// Returns the measurement of the load generator.
fn of_report(report: &Report, others: u64) -> Measured {
    let latency = report.latency;
    let share = |count: u64| report.a_second * count / report.commands.max(1);
    Measured {
        rate: report.a_second,
        coin_ins: share(report.coin_ins),
        wagers: Some(share(report.wagers)),
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
