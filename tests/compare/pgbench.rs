//! A database that `pgbench` plays on, and its books.
//!
//! # What bounds it
//! A client is a connection: [`CLIENTS_MAX`](crate::way::CLIENTS_MAX).

use std::path::{Path, PathBuf};
use std::time::Duration;

use hdrhistogram::Histogram;
use meterhouse_postgres::{SUPERUSER, Server};
use meterhouse_tests::comparison::foreign::pgbench_micros;
use sqlx::postgres::PgConnectOptions;
use tokio::process::Command;

use crate::Failure;
use crate::ground::{self, number};
use crate::programs::Programs;

/// Threads of `pgbench`.
const THREADS: &str = "2";
/// The time that `pgbench` may take longer than asked.
const SLACK: Duration = Duration::from_mins(1);
/// The beginning of the names of its logs.
const LOG_PREFIX: &str = "latency";

/// Two questions that tell if a database is right.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Books {
    /// The number of stored transactions.
    pub(crate) stored: &'static str,
    /// The number of balances that are not the sum of what is stored.
    pub(crate) wrong: &'static str,
}

/// A database that `pgbench` plays on.
pub(crate) struct Bench {
    program: PathBuf,
    folder: PathBuf,
    socket: PathBuf,
    database: PgConnectOptions,
    name: &'static str,
    books: Books,
    /// Transactions that were acknowledged since the schema was made.
    acknowledged: u64,
}

impl Bench {
    /// Makes a database with a schema.
    pub(crate) async fn new(
        postgres: &Server,
        programs: &Programs,
        folder: &Path,
        name: &'static str,
        schema: &str,
        books: Books,
    ) -> Result<Self, Failure> {
        ground::create(postgres, name).await?;
        let database = postgres.connect_options().database(name);
        ground::execute(&database, schema).await?;
        Ok(Self {
            program: programs.pgbench.clone(),
            folder: folder.to_owned(),
            socket: postgres.socket_dir().to_owned(),
            database,
            name,
            books,
            acknowledged: 0,
        })
    }

    /// Plays a script with so many clients on so many links for so many seconds. Returns the latencies of its
    /// transactions, µs.
    pub(crate) async fn play(
        &mut self,
        script: &str,
        clients: usize,
        links: usize,
        seconds: u64,
    ) -> Result<Histogram<u64>, Failure> {
        let file = self.folder.join("script.sql");
        std::fs::write(&file, script)?;
        let prefix = self.folder.join(LOG_PREFIX);
        let threads = if clients == 1 { "1" } else { THREADS };
        let mut command = Command::new(&self.program);
        command
            .args(["-n", "-M", "prepared", "-l", "-U", SUPERUSER])
            .args(["-j", threads, "-c", &clients.to_string()])
            .args(["-T", &seconds.to_string()])
            .args(["-D", &format!("links={links}")])
            .arg("-h")
            .arg(&self.socket)
            .arg("-f")
            .arg(&file)
            .arg(format!("--log-prefix={}", prefix.display()))
            .arg(self.name)
            .kill_on_drop(true);
        let most = Duration::from_secs(seconds) + SLACK;
        let ended = tokio::time::timeout(most, command.output()).await??;
        if !ended.status.success() {
            return Err(format!("pgbench: {}", String::from_utf8_lossy(&ended.stderr)).into());
        }
        let played = self.latencies()?;
        self.acknowledged += played.len();
        Ok(played)
    }

    /// Reads and removes the logs of `pgbench`.
    fn latencies(&self) -> Result<Histogram<u64>, Failure> {
        let mut latencies = Histogram::new(3)?;
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str());
            if !name.is_some_and(|name| name.starts_with(LOG_PREFIX)) {
                continue;
            }
            for micros in pgbench_micros(&std::fs::read_to_string(&path)?)? {
                latencies.record(micros)?;
            }
            std::fs::remove_file(&path)?;
        }
        Ok(latencies)
    }

    /// Checks that what was acknowledged is stored, and every balance is the sum of what is stored.
    pub(crate) async fn check(&self) -> Result<(), Failure> {
        let stored = u64::try_from(number(&self.database, self.books.stored).await?)?;
        let wrong = number(&self.database, self.books.wrong).await?;
        let (name, acknowledged) = (self.name, self.acknowledged);
        if wrong == 0 && stored == acknowledged {
            return Ok(());
        }
        Err(
            format!("{name}: {acknowledged} acknowledged, {stored} stored, {wrong} balances wrong")
                .into(),
        )
    }
}
