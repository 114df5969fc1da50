//! The naive baseline: one transaction a coin-in on the same server, with all clients on the same four meters.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};

use crate::Failure;
use crate::load::Throughput;
use crate::setup::run;

/// Meters that a coin-in feeds.
const METERS: i32 = 4;
/// The amount added to each meter.
const ADDED: i64 = 90_000;
/// Number of tables.
const TABLES: u64 = 500;

const SCHEMA: &str = "
DROP TABLE IF EXISTS meter, coin_in, ledger;
CREATE TABLE meter (link_id integer, meter_no integer, amount bigint NOT NULL, PRIMARY KEY (link_id, meter_no));
INSERT INTO meter SELECT 1, n, 0 FROM generate_series(1, 4) AS n;
CREATE TABLE coin_in (id uuid PRIMARY KEY, link_id integer NOT NULL, table_no integer NOT NULL,
  seats smallint NOT NULL, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, link_id integer NOT NULL,
  meter_no integer NOT NULL, coin_in uuid NOT NULL, amount bigint NOT NULL);";
const INSERT: &str = "INSERT INTO coin_in (id, link_id, table_no, seats, amount)
  VALUES (gen_random_uuid(), 1, $1, 15, 4000000) RETURNING id::text";
const UPDATE: &str = "UPDATE meter SET amount = amount + $2 WHERE link_id = 1 AND meter_no = $1";
const LEDGER: &str = "INSERT INTO ledger (link_id, meter_no, coin_in, amount)
  VALUES (1, 1, $1::uuid, $2), (1, 2, $1::uuid, $2), (1, 3, $1::uuid, $2), (1, 4, $1::uuid, $2)";
const COUNT: &str = "SELECT count(*) FROM coin_in";
const WRONG: &str =
    "SELECT count(*) FROM meter WHERE amount <> $1 * (SELECT count(*) FROM coin_in)";

/// Creates the database's tables.
pub(crate) async fn prepare(options: &PgConnectOptions) -> Result<(), Failure> {
    run(options, SCHEMA).await
}

/// Runs this number of clients for this time.
pub(crate) async fn play(
    options: &PgConnectOptions,
    clients: u64,
    length: Duration,
) -> Result<Throughput, Failure> {
    let mut connections = Vec::new();
    for _ in 0..clients {
        connections.push(PgConnection::connect_with(options).await?);
    }
    let start = Instant::now();
    let end = start + length;
    let clients: Vec<_> = (0_u64..)
        .zip(connections)
        .map(|(number, connection)| tokio::spawn(client(connection, number, end)))
        .collect();
    let mut commands = 0;
    let mut latency = Histogram::new(3)?;
    for client in clients {
        let own = client.await??;
        commands += own.len();
        latency.add(own)?;
    }
    Ok(Throughput {
        commands,
        elapsed: start.elapsed(),
        latency,
    })
}

async fn client(
    mut connection: PgConnection,
    number: u64,
    end: Instant,
) -> Result<Histogram<u64>, Failure> {
    let mut latency = Histogram::new(3)?;
    let mut table = number;
    while Instant::now() < end {
        table = (table + 1) % TABLES;
        let sent = Instant::now();
        sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
        let insert = sqlx::query_scalar::<_, String>(INSERT).bind(i32::try_from(table)?);
        let id = insert.fetch_one(&mut connection).await?;
        for meter in 1..=METERS {
            sqlx::query(UPDATE)
                .bind(meter)
                .bind(ADDED)
                .execute(&mut connection)
                .await?;
        }
        sqlx::query(LEDGER)
            .bind(id)
            .bind(ADDED)
            .execute(&mut connection)
            .await?;
        sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
        latency.record(u64::try_from(sent.elapsed().as_micros())?)?;
    }
    connection.close().await?;
    Ok(latency)
}

/// Checks the books: every acknowledged coin-in is stored, and each meter is the sum.
pub(crate) async fn check(options: &PgConnectOptions, acknowledged: u64) -> Result<(), Failure> {
    let mut connection = PgConnection::connect_with(options).await?;
    let stored: i64 = sqlx::query_scalar(COUNT).fetch_one(&mut connection).await?;
    let wrong: i64 = sqlx::query_scalar(WRONG)
        .bind(ADDED)
        .fetch_one(&mut connection)
        .await?;
    if wrong != 0 || u64::try_from(stored)? != acknowledged {
        return Err(format!(
            "the naive way: {acknowledged} acknowledged, {stored} stored, {wrong} meters wrong"
        )
        .into());
    }
    Ok(connection.close().await?)
}
