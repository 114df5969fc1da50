//! The Postgres of everything that is compared: private, with its WAL written before the first measurement.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use meterhouse_postgres::{Options as ServerOptions, Server};
use meterhouse_store::migrate;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::ours::Ours;
use crate::server::Launch;
use crate::{Failure, machine};

/// Settings of Postgres: a WAL that is written before the first measurement and used again, and a connection for
/// every client of `pgbench`.
const SETTINGS: [(&str, &str); 2] = [("max_connections", "600"), ("max_wal_size", "4GB")];
/// The least WAL that is kept for use again, MiB.
const MIN_WAL_MIB: u32 = 2_048;
/// A table whose making writes more WAL than is kept.
const FILL: &str = "CREATE TABLE filler AS SELECT n, repeat('x', 900) AS text FROM generate_series(1, 2500000) AS n";
/// Where the WAL ends, as a number.
const WRITTEN: &str = "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint";
const VERSION: &str = "SELECT current_setting('server_version_num')::bigint";

/// Starts Postgres in a folder that its account may enter.
pub(crate) async fn start(folder: &Path) -> Result<Server, Failure> {
    std::fs::set_permissions(folder, Permissions::from_mode(0o755))?;
    let mut options = ServerOptions::new(folder.join("data"));
    options.min_wal_size_mib = MIN_WAL_MIB;
    let settings = SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned()));
    options.extra_settings.extend(settings);
    std::fs::create_dir(&options.data_dir)?;
    std::fs::set_permissions(&options.data_dir, Permissions::from_mode(0o755))?;
    let postgres = Server::start(&options).await?;
    recycle(&postgres.connect_options()).await?;
    Ok(postgres)
}

/// Writes WAL until its files are there to be used again: making them anew costs a commit up to a tenth of a second.
async fn recycle(superuser: &PgConnectOptions) -> Result<(), Failure> {
    for sql in [FILL, "DROP TABLE filler", "CHECKPOINT", "CHECKPOINT"] {
        execute(superuser, sql).await?;
    }
    Ok(())
}

/// Machine and conditions, for the head of the output.
pub(crate) async fn describe(postgres: &Server) -> Result<String, Failure> {
    let version = number(&postgres.connect_options(), VERSION).await?;
    let machine = machine::describe()?;
    Ok(format!(
        "machine: {machine}\n\
         Postgres {version} on the same machine: fsync, synchronous_commit and full_page_writes on; min_wal_size {} GB, \
         max_wal_size 4 GB, its WAL segments written before the first measurement and recycled; a CHECKPOINT before each\n\
         measurement; every command acknowledged once it is durable; load, server and Postgres share the machine\n",
        MIN_WAL_MIB / 1_024
    ))
}

/// Makes an empty database.
pub(crate) async fn create(postgres: &Server, database: &str) -> Result<(), Failure> {
    let create = format!("CREATE DATABASE {database} TEMPLATE template0");
    execute(&postgres.connect_options(), &create).await
}

/// A server of ours as a process of its own, on a new database of this name.
pub(crate) async fn ours(
    postgres: &Server,
    program: &Path,
    database: &str,
) -> Result<Ours, Failure> {
    create(postgres, database).await?;
    migrate(&postgres.connect_options().database(database)).await?;
    let launch = Launch {
        program: program.to_owned(),
        socket: postgres.socket_dir().display().to_string(),
        database: database.to_owned(),
        log: postgres.log().with_file_name(format!("{database}.log")),
    };
    Ours::start(launch, postgres.pid()).await
}

/// Where the WAL ends, as a number of bytes.
pub(crate) async fn written(postgres: &Server) -> Result<u64, Failure> {
    let written = number(&postgres.connect_options(), WRITTEN).await?;
    Ok(u64::try_from(written)?)
}

/// One number of the database.
pub(crate) async fn number(options: &PgConnectOptions, sql: &str) -> Result<i64, Failure> {
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
