//! The ways without a group commit: SQL of our own, played by `pgbench`.
//!
//! # Shape
//! Four meters a link are updated, one coin-in with a unique key and four ledger rows are inserted, in one transaction:
//! statement by statement, the same after SELECT FOR UPDATE of the meters, or in one function with the hot rows last.
//!
//! # What bounds it
//! A client is a connection: [`CLIENTS_MAX`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use hdrhistogram::Histogram;
use meterhouse_postgres::{SUPERUSER, Server, find_binaries};
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::process::Command;

use crate::Failure;
use crate::ground::execute;

/// Clients that a server with a connection each is asked to serve.
pub(crate) const CLIENTS_MAX: usize = 512;
/// Threads of `pgbench`.
const THREADS: &str = "2";
/// How much longer than asked `pgbench` may take.
const SLACK: Duration = Duration::from_mins(1);

const SCHEMA: &str = "
CREATE TABLE meter (link_id integer, meter_no integer, amount bigint NOT NULL, PRIMARY KEY (link_id, meter_no));
INSERT INTO meter SELECT link, n, 0 FROM generate_series(1, 40) AS link, generate_series(1, 4) AS n;
CREATE TABLE coin_in (id uuid PRIMARY KEY, link_id integer NOT NULL, table_no integer NOT NULL,
  seats smallint NOT NULL, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, link_id integer NOT NULL,
  meter_no integer NOT NULL, coin_in uuid NOT NULL, amount bigint NOT NULL);
CREATE FUNCTION coin_in(link integer, felt integer) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE key uuid := gen_random_uuid();
BEGIN
  INSERT INTO coin_in (id, link_id, table_no, seats, amount) VALUES (key, link, felt, 15, 4000000);
  INSERT INTO ledger (link_id, meter_no, coin_in, amount)
    VALUES (link, 1, key, 90000), (link, 2, key, 90000), (link, 3, key, 90000), (link, 4, key, 90000);
  FOR n IN 1..4 LOOP
    UPDATE meter SET amount = amount + 90000 WHERE link_id = link AND meter_no = n;
  END LOOP;
  RETURN key;
END $$;";
const BEGIN: &str = "\\set link random(1, :links)\n\\set felt random(1, 500)\nBEGIN;\n";
const LOCK: &str = "SELECT amount FROM meter WHERE link_id = :link ORDER BY meter_no FOR UPDATE;\n";
const INSERT: &str = "INSERT INTO coin_in (id, link_id, table_no, seats, amount)
  VALUES (gen_random_uuid(), :link, :felt, 15, 4000000) RETURNING id AS key \\gset\n";
const REST: &str = "UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 1;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 2;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 3;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 4;
INSERT INTO ledger (link_id, meter_no, coin_in, amount)
  VALUES (:link::int, 1, :key::uuid, 90000), (:link::int, 2, :key::uuid, 90000), (:link::int, 3, :key::uuid, 90000),
    (:link::int, 4, :key::uuid, 90000);
COMMIT;\n";
const CALL: &str =
    "\\set link random(1, :links)\n\\set felt random(1, 500)\nSELECT coin_in(:link, :felt);\n";
const COUNT: &str = "SELECT count(*) FROM coin_in";
/// Links whose four meters are not what their coin-ins and their ledger say.
const WRONG: &str = "SELECT count(*) FROM meter
  LEFT JOIN (SELECT link_id, count(*) AS n FROM coin_in GROUP BY link_id) AS c USING (link_id)
  LEFT JOIN (SELECT link_id, meter_no, sum(amount) AS l FROM ledger GROUP BY link_id, meter_no) AS s
    USING (link_id, meter_no)
  WHERE amount <> 90000 * coalesce(n, 0) OR amount <> coalesce(l, 0)";

/// One of the ways.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sql {
    /// Statement by statement.
    Naive,
    /// The meters locked first.
    Locked,
    /// One function, one round trip.
    Function,
}

impl Sql {
    /// What the table calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Locked => "select for update",
            Self::Function => "one function",
        }
    }

    fn script(self) -> String {
        match self {
            Self::Naive => [BEGIN, INSERT, REST].concat(),
            Self::Locked => [BEGIN, LOCK, INSERT, REST].concat(),
            Self::Function => CALL.to_owned(),
        }
    }
}

/// The database of these ways, and what plays on it.
pub(crate) struct Bench {
    program: PathBuf,
    folder: PathBuf,
    socket: PathBuf,
    database: PgConnectOptions,
    name: &'static str,
    /// Coin-ins that were acknowledged since the schema was made.
    acknowledged: u64,
}

impl Bench {
    /// Makes the schema in an empty database.
    pub(crate) async fn new(
        server: &Server,
        name: &'static str,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let database = server.connect_options().database(name);
        execute(&database, SCHEMA).await?;
        Ok(Self {
            program: find_binaries(None)?.folder.join("pgbench"),
            folder: folder.to_owned(),
            socket: server.socket_dir().to_owned(),
            database,
            name,
            acknowledged: 0,
        })
    }

    /// Plays one way with so many clients on so many links for so long. Answers the latencies of its
    /// coin-ins, µs.
    pub(crate) async fn play(
        &mut self,
        sql: Sql,
        clients: usize,
        links: usize,
        length: Duration,
    ) -> Result<Histogram<u64>, Failure> {
        let script = self.folder.join("script.sql");
        std::fs::write(&script, sql.script())?;
        let prefix = self.folder.join("latency");
        let threads = if clients == 1 { "1" } else { THREADS };
        let mut command = Command::new(&self.program);
        command
            .args(["-n", "-M", "prepared", "-l", "-U", SUPERUSER])
            .args(["-j", threads, "-c", &clients.to_string()])
            .args(["-T", &length.as_secs().max(1).to_string()])
            .args(["-D", &format!("links={links}")])
            .arg("-h")
            .arg(&self.socket)
            .arg("-f")
            .arg(&script)
            .arg(format!("--log-prefix={}", prefix.display()))
            .arg(self.name)
            .kill_on_drop(true);
        let ended = tokio::time::timeout(length + SLACK, command.output()).await??;
        if !ended.status.success() {
            return Err(format!("pgbench: {}", String::from_utf8_lossy(&ended.stderr)).into());
        }
        let played = self.latencies()?;
        self.acknowledged += played.len();
        Ok(played)
    }

    /// Reads and removes what `pgbench` wrote of each transaction: client, number, µs, …
    fn latencies(&self) -> Result<Histogram<u64>, Failure> {
        let mut latencies = Histogram::new(3)?;
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|it| it.to_str());
            if !name.is_some_and(|it| it.starts_with("latency.")) {
                continue;
            }
            for line in std::fs::read_to_string(&path)?.lines() {
                let micros = line.split(' ').nth(2).ok_or("pgbench: no latency")?;
                latencies.record(micros.parse()?)?;
            }
            std::fs::remove_file(&path)?;
        }
        Ok(latencies)
    }

    /// Whether acknowledged is stored, and every meter the sum of its ledger.
    pub(crate) async fn check(&self) -> Result<(), Failure> {
        let mut connection = PgConnection::connect_with(&self.database).await?;
        let stored: i64 = sqlx::query_scalar(COUNT).fetch_one(&mut connection).await?;
        let wrong: i64 = sqlx::query_scalar(WRONG).fetch_one(&mut connection).await?;
        let stored = u64::try_from(stored)?;
        if wrong != 0 || stored != self.acknowledged {
            let acknowledged = self.acknowledged;
            return Err(format!(
                "SQL: {acknowledged} acknowledged, {stored} stored, {wrong} meters wrong"
            )
            .into());
        }
        Ok(connection.close().await?)
    }
}
