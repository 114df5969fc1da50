//! The cells of the table: measured in turn, round after round, and printed as medians.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use meterhouse_load::Report;
use meterhouse_postgres::{Options as ServerOptions, Server};
use meterhouse_store::migrate;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::machine::{self, Load, Watch};
use crate::options::Options;
use crate::ours::{Ours, Way};
use crate::sql::{Bench, CLIENTS_MAX, Sql};
use crate::{Failure, table};

/// Databases: ours, and the one of the SQL ways.
const OURS: &str = "meterhouse";
const THEIRS: &str = "compared";
/// Settings of the server: a WAL that is written before the first measurement and used again, and a connection for
/// every client of `pgbench`.
const SETTINGS: [(&str, &str); 2] = [("max_connections", "600"), ("max_wal_size", "4GB")];
/// The least WAL that is kept for use again, MiB.
const MIN_WAL_MIB: u32 = 2_048;
/// A table whose making writes more WAL than is kept.
const FILL: &str = "CREATE TABLE filler AS SELECT n, repeat('x', 900) AS text FROM generate_series(1, 2500000) AS n";
/// A measurement that others disturbed by more hundredths of a core is made again, so often.
const DISTURBED: u64 = 30;
const AGAIN: usize = 3;

/// A way of counting coin-ins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// SQL of our own.
    Sql(Sql),
    /// Ours.
    Ours(Way),
}

/// A row of the table.
struct Cell {
    way: Counted,
    in_flight: usize,
    links: usize,
    rounds: Vec<Measured>,
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
struct Ground {
    server: Server,
    ours: Ours,
    theirs: Bench,
}

/// Measures what was asked for.
pub(crate) async fn run(options: &Options) -> Result<(), Failure> {
    let folder = tempfile::Builder::new().prefix("mh-compare-").tempdir()?;
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    let mut server = ServerOptions::new(folder.path().join("data"));
    server.min_wal_size_mib = MIN_WAL_MIB;
    let settings = SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned()));
    server.extra_settings.extend(settings);
    std::fs::create_dir(&server.data_dir)?;
    std::fs::set_permissions(&server.data_dir, Permissions::from_mode(0o755))?;
    let server = Server::start(&server).await?;
    let superuser = server.connect_options();
    for name in [OURS, THEIRS] {
        execute(
            &superuser,
            &format!("CREATE DATABASE {name} TEMPLATE template0"),
        )
        .await?;
    }
    migrate(&superuser.clone().database(OURS)).await?;
    let theirs = Bench::new(&server, THEIRS, folder.path()).await?;
    recycle(&superuser).await?;
    let socket = server.socket_dir().display().to_string();
    let ours = Ours::start(&socket, OURS, server.pid()).await?;
    let mut ground = Ground {
        server,
        ours,
        theirs,
    };
    let mut cells = cells(options);
    for round in 1..=options.rounds {
        for cell in &mut cells {
            let measured = ground.measure(cell, options).await?;
            eprintln!(
                "round {round}: {}",
                row(cell, std::slice::from_ref(&measured))
            );
            cell.rounds.push(measured);
        }
    }
    ground.theirs.check().await?;
    let version = number(
        &superuser,
        "SELECT current_setting('server_version_num')::bigint",
    )
    .await?;
    println!("machine: {}", machine::describe()?);
    println!(
        "Postgres {version}; medians of {} rounds in turn, {} s each; every command acknowledged once it is durable\n",
        options.rounds,
        options.length.as_secs()
    );
    println!("{HEAD}");
    for cell in &cells {
        println!("{}", row(cell, &cell.rounds));
    }
    println!(
        "\nbooks: after each measurement what was acknowledged was stored, and meters were the sums"
    );
    ground.ours.stop().await?;
    Ok(ground.server.stop().await?)
}

/// Writes WAL until its files are there to be used again: making them anew costs a commit up to a tenth of a second.
async fn recycle(superuser: &PgConnectOptions) -> Result<(), Failure> {
    let database = superuser.clone().database(THEIRS);
    for sql in [FILL, "DROP TABLE filler", "CHECKPOINT", "CHECKPOINT"] {
        execute(&database, sql).await?;
    }
    Ok(())
}

/// What can be measured of what was asked for.
fn cells(options: &Options) -> Vec<Cell> {
    let ways = [
        ("naive", Counted::Sql(Sql::Naive)),
        ("locked", Counted::Sql(Sql::Locked)),
        ("function", Counted::Sql(Sql::Function)),
        ("http", Counted::Ours(Way::Http)),
        ("stream", Counted::Ours(Way::Stream)),
    ];
    let mut cells = Vec::new();
    for links in &options.links {
        for (word, way) in ways {
            let most = match way {
                Counted::Sql(_) => CLIENTS_MAX,
                Counted::Ours(_) => usize::MAX,
            };
            for in_flight in options.in_flight.iter().filter(|it| **it <= most) {
                if options.has(word) {
                    cells.push(Cell {
                        way,
                        in_flight: *in_flight,
                        links: *links,
                        rounds: Vec::new(),
                    });
                }
            }
        }
    }
    cells
}

impl Ground {
    /// One measurement, the least disturbed of a few.
    async fn measure(&mut self, cell: &Cell, options: &Options) -> Result<Measured, Failure> {
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

    async fn measure_once(&mut self, cell: &Cell, options: &Options) -> Result<Measured, Failure> {
        let superuser = self.server.connect_options();
        execute(&superuser, "CHECKPOINT").await?;
        machine::quiet(self.server.pid(), options.quiet).await?;
        let written = written(&superuser).await?;
        let mut measured = match cell.way {
            Counted::Sql(sql) => {
                let watch = Watch::start(self.server.pid(), None)?;
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
                let watch = Watch::start(self.server.pid(), self.ours.pid())?;
                let report = self
                    .ours
                    .play(way, cell.in_flight, cell.links, options.length)
                    .await?;
                of_report(&report, watch.read()?.others)
            }
        };
        // Commands until here; bytes a command from here on.
        let bytes = u64::try_from((self::written(&superuser).await? - written).max(0))?;
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
fn row(cell: &Cell, rounds: &[Measured]) -> String {
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

/// Where the WAL ends, as a number.
async fn written(options: &PgConnectOptions) -> Result<i64, Failure> {
    number(
        options,
        "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint",
    )
    .await
}

/// One number of the database.
async fn number(options: &PgConnectOptions, sql: &str) -> Result<i64, Failure> {
    let mut connection = PgConnection::connect_with(options).await?;
    let number = sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(number)
}

/// Runs a statement that answers nothing.
pub(crate) async fn execute(options: &PgConnectOptions, sql: &str) -> Result<(), Failure> {
    let mut connection = PgConnection::connect_with(options).await?;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await?;
    Ok(connection.close().await?)
}
