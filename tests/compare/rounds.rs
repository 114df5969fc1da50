//! The cells of the table: measured in turn, round after round, and printed as medians.

use std::path::Path;
use std::time::Instant;

use meterhouse_load::Report;
use meterhouse_postgres::Server;

use crate::machine::{self, Load, Watch};
use crate::options::Options;
use crate::ours::{Ours, Way};
use crate::sql::{Bench, CLIENTS_MAX, Sql};
use crate::{Failure, ground, table};

/// Databases: ours, and the one of the SQL ways.
const OURS: &str = "meterhouse";
const THEIRS: &str = "compared";
/// A measurement that others disturbed by more hundredths of a core is made again, so often.
pub(crate) const DISTURBED: u64 = 30;
pub(crate) const AGAIN: usize = 3;

/// A way of counting coin-ins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// SQL of our own.
    Sql(Sql),
    /// Ours.
    Ours(Way),
}

/// A row of the table.
pub(crate) struct Cell {
    what: What,
    rounds: Vec<Measured>,
}

/// What is measured in a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct What {
    pub(crate) way: Counted,
    pub(crate) in_flight: usize,
    pub(crate) links: usize,
}

/// One measurement of one cell.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Commands a second.
    rate: u64,
    /// How many of a hundred commands are coin-ins.
    coin_ins_percent: u64,
    /// Median, 99th and 99.9th percentile, µs.
    latency: [u64; 3],
    /// The processors meanwhile.
    load: Load,
    /// Bytes of WAL a command, all included.
    wal: u64,
}

/// Everything that plays.
struct Ground<'a> {
    postgres: &'a Server,
    ours: Ours,
    theirs: Bench,
}

/// Measures what was asked for, and `needed` beside it; prints the table.
pub(crate) async fn run(
    postgres: &Server,
    folder: &Path,
    options: &Options,
    needed: &[What],
) -> Result<Vec<Cell>, Failure> {
    let mut cells = cells(options, needed);
    if cells.is_empty() {
        return Ok(cells);
    }
    ground::create(postgres, THEIRS).await?;
    let mut ground = Ground {
        postgres,
        ours: ground::ours(postgres, OURS).await?,
        theirs: Bench::new(postgres, THEIRS, folder).await?,
    };
    for round in 1..=options.rounds {
        for cell in &mut cells {
            let measured = ground.measure(cell.what, options).await?;
            eprintln!(
                "round {round}: {}",
                row(cell.what, std::slice::from_ref(&measured))
            );
            cell.rounds.push(measured);
        }
    }
    ground.theirs.check().await?;
    ground.ours.stop().await?;
    println!(
        "The ways, medians of {} rounds in turn, {} s each; of the rate the least and the most:\n",
        options.rounds,
        options.length.as_secs()
    );
    println!("{HEAD}");
    for cell in &cells {
        println!("{}", row(cell.what, &cell.rounds));
    }
    println!(
        "\nbooks: after each measurement what was acknowledged was stored, and meters were the sums\n"
    );
    Ok(cells)
}

/// What can be measured of what was asked for, and what is needed beside it.
fn cells(options: &Options, needed: &[What]) -> Vec<Cell> {
    let ways = [
        ("naive", Counted::Sql(Sql::Naive)),
        ("locked", Counted::Sql(Sql::Locked)),
        ("function", Counted::Sql(Sql::Function)),
        ("http", Counted::Ours(Way::Http)),
        ("stream", Counted::Ours(Way::Stream)),
    ];
    let mut all = Vec::new();
    for links in &options.links {
        for (word, way) in ways {
            let most = match way {
                Counted::Sql(_) => CLIENTS_MAX,
                Counted::Ours(_) => usize::MAX,
            };
            for in_flight in options.in_flight.iter().filter(|it| **it <= most) {
                if options.has(word) {
                    all.push(What {
                        way,
                        in_flight: *in_flight,
                        links: *links,
                    });
                }
            }
        }
    }
    for what in needed {
        if !all.contains(what) {
            all.push(*what);
        }
    }
    let cell = |what| Cell {
        what,
        rounds: Vec::new(),
    };
    all.into_iter().map(cell).collect()
}

impl Cell {
    /// The median rate of its commands and of its coin-ins, where this cell measured that.
    pub(crate) fn rates(&self, what: What) -> Option<(u64, u64)> {
        let median = |of: fn(&Measured) -> u64| table::median(self.rounds.iter().map(of));
        let rate = median(|it| it.rate).filter(|_| self.what == what)?;
        Some((rate, rate * median(|it| it.coin_ins_percent)? / 100))
    }
}

impl Ground<'_> {
    /// One measurement, the least disturbed of a few.
    async fn measure(&mut self, cell: What, options: &Options) -> Result<Measured, Failure> {
        let mut best: Option<Measured> = None;
        for _ in 0..AGAIN {
            let measured = self.measure_once(cell, options).await?;
            let others = measured.load.others;
            if best.as_ref().is_none_or(|it| others < it.load.others) {
                best = Some(measured);
            }
            if others <= DISTURBED {
                break;
            }
        }
        best.ok_or_else(|| "nothing was measured".into())
    }

    async fn measure_once(&mut self, cell: What, options: &Options) -> Result<Measured, Failure> {
        ground::execute(&self.postgres.connect_options(), "CHECKPOINT").await?;
        machine::quiet(self.postgres.pid(), options.quiet).await?;
        let written = ground::written(self.postgres).await?;
        let mut measured = match cell.way {
            Counted::Sql(sql) => {
                let watch = Watch::start(self.postgres.pid(), None)?;
                let start = Instant::now();
                let theirs = &mut self.theirs;
                let latencies = theirs
                    .play(sql, cell.in_flight, cell.links, options.length)
                    .await?;
                Measured {
                    rate: table::rate(latencies.len(), start.elapsed()),
                    coin_ins_percent: 100,
                    latency: table::percentiles(&latencies),
                    load: watch.read()?,
                    wal: latencies.len(),
                }
            }
            Counted::Ours(way) => {
                let watch = Watch::start(self.postgres.pid(), self.ours.pid())?;
                let report = self
                    .ours
                    .play_way(way, cell.in_flight, cell.links, options.length)
                    .await?;
                of_report(&report, watch.read()?.others)
            }
        };
        // Commands until here; bytes a command from here on.
        let bytes = ground::written(self.postgres).await? - written;
        measured.wal = bytes / measured.wal.max(1);
        Ok(measured)
    }
}

/// What the load generator measured.
fn of_report(report: &Report, others: u64) -> Measured {
    let latency = report.latency;
    Measured {
        rate: report.a_second,
        coin_ins_percent: 50,
        latency: [latency.p50, latency.p99, latency.p999],
        load: Load {
            others,
            own: report.cpu.generator,
            server: report.cpu.server.unwrap_or_default(),
            postgres: report.cpu.postgres.unwrap_or_default(),
        },
        wal: report.commands,
    }
}

/// The head of the table.
const HEAD: &str = "| way | links | in flight | commands/s | coin-ins/s | p50 ms | p99 ms | p99.9 ms | load | server | Postgres | WAL bytes a command |
|---|---|---|---|---|---|---|---|---|---|---|---|";

/// A row: medians, and of the rate the least and the most.
fn row(cell: What, rounds: &[Measured]) -> String {
    let median =
        |of: fn(&Measured) -> u64| table::median(rounds.iter().map(of)).unwrap_or_default();
    let rate = median(|it| it.rate);
    let rates = || rounds.iter().map(|it| it.rate);
    let spread = format!(
        "[{}-{}]",
        rates().min().unwrap_or_default(),
        rates().max().unwrap_or_default()
    );
    let name = match cell.way {
        Counted::Sql(sql) => sql.name(),
        Counted::Ours(way) => way.name(),
    };
    let cores = |of: fn(&Measured) -> u64| table::hundredths(median(of));
    format!(
        "| {name} | {} | {} | {rate} {spread} | {} | {} | {} | {} | {} | {} | {} | {} |",
        cell.links,
        cell.in_flight,
        rate * median(|it| it.coin_ins_percent) / 100,
        table::thousandths(median(|it| it.latency[0])),
        table::thousandths(median(|it| it.latency[1])),
        table::thousandths(median(|it| it.latency[2])),
        cores(|it| it.load.own),
        cores(|it| it.load.server),
        cores(|it| it.load.postgres),
        median(|it| it.wal),
    )
}
