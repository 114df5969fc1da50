//! Settings and databases that can't be used: one sentence that says what and what to do, and the exit code of the table.

use std::fs;

use meterhouse_store::create_database;
use meterhouse_tests::{Caller, Database};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::program::{PROGRAM, Running, command, folder, run, run_to_end, serve_command};

/// Options for free ports.
const FREE: [&str; 4] = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];

fn url(options: &PgConnectOptions) -> String {
    options.to_url_lossy().to_string()
}

/// Settings that need or exclude each other, and variables of the export that can't be used.
#[tokio::test]
async fn settings_that_contradict_or_lack_another() {
    let folder = folder();
    let file = folder.path().join("meterhouse.toml");
    let path = file.display().to_string();
    for (text, sentence) in [
        (
            "[database]\nurl = \"postgres://127.0.0.1:1/name\"\ndata_dir = \"/data\"\n",
            "names another: keep one",
        ),
        (
            "[database]\nstate_dir = \"/s\"\n",
            "database.state_dir needs database.url",
        ),
        (
            "[tls]\ncertificate = \"/c\"\n",
            "tls.certificate needs tls.key",
        ),
        ("[tls]\nkey = \"/k\"\n", "tls.key needs tls.certificate"),
        (
            "[http]\nlistn = \"127.0.0.1:0\"\n",
            "unknown key `http.listn`: is it `http.listen`?",
        ),
    ] {
        fs::write(&file, text).expect("a file");
        let ended = run(&["serve", "--config", &path]).await.with_code(3);
        assert!(ended.stderr.contains(sentence), "{}", ended.stderr);
    }
    for (variable, value, sentence) in [
        (
            "OTEL_TRACES_EXPORTER",
            "zipkin",
            "OTEL_TRACES_EXPORTER=zipkin: write otlp or none",
        ),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "no url",
            "correct the variables OTEL_EXPORTER_OTLP_",
        ),
    ] {
        let mut program = command(PROGRAM);
        program.args(["version"]).env(variable, value);
        let ended = run_to_end(program).await.with_code(3);
        drop(ended.with_error(sentence));
    }
}

/// Answers each connection as a Postgres of this version, as far as the version is said.
async fn postgres_of(version: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut length = [0; 4];
                // A request for TLS has 8 bytes and is declined. The start of a session follows.
                while stream.read_exact(&mut length).await.is_ok() {
                    let rest = u32::from_be_bytes(length).saturating_sub(4);
                    let mut message = vec![0; usize::try_from(rest).expect("a length")];
                    if stream.read_exact(&mut message).await.is_err() {
                        return;
                    }
                    let answer = if rest == 4 {
                        b"N".to_vec()
                    } else {
                        session(version)
                    };
                    if stream.write_all(&answer).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    format!("postgres://meterhouse_app@{at}/meterhouse")
}

/// Returns the messages by which a session begins: no password, the version, ready.
fn session(version: &str) -> Vec<u8> {
    let message = |kind: u8, content: &[u8]| {
        let length = u32::try_from(content.len() + 4).expect("a length");
        [&[kind][..], &length.to_be_bytes(), content].concat()
    };
    let parameter = format!("server_version\0{version}\0");
    let messages = [
        message(b'R', &[0; 4]),
        message(b'S', parameter.as_bytes()),
        message(b'Z', b"I"),
    ];
    messages.concat()
}

/// A Postgres that is too old is refused by every command, before it is asked anything.
#[tokio::test]
async fn a_postgres_that_is_too_old() {
    let old = postgres_of("14.9 (Debian 14.9-1)").await;
    for arguments in [
        [&["serve"], &FREE[..]].concat(),
        vec!["verify"],
        vec!["migrate"],
        vec!["migrate", "--plan"],
        vec!["token", "list"],
    ] {
        let ended = run(&[&arguments[..], &["--database-url", &old]].concat()).await;
        let ended = ended.with_code(4);
        drop(ended.with_error(
            "its server is Postgres 14.9, and Meterhouse needs 15 or newer: upgrade it",
        ));
    }
}

/// The database of another program is refused and not changed. An empty one gets the schema.
#[tokio::test]
async fn a_database_of_another_program() {
    let database = Database::new().await;
    let name = format!(
        "{}_other",
        database.superuser.get_database().expect("a name")
    );
    create_database(&database.superuser, &name)
        .await
        .expect("a database");
    let other = database.superuser.clone().database(&name);
    let address = url(&other);
    let on =
        async |arguments: &[&str]| run(&[arguments, &["--database-url", &address]].concat()).await;
    drop(
        on(&["verify"])
            .await
            .with_code(4)
            .with_error("run `meterhouse migrate`"),
    );
    let mut connection = other.connect().await.expect("a connection");
    let execute = async |connection: &mut sqlx::PgConnection, text: &'static str| {
        let done = sqlx::raw_sql(text).execute(connection).await;
        done.expect("a superuser may");
    };
    execute(&mut connection, "CREATE TABLE invoice (id int)").await;
    let serve = [&["serve"], &FREE[..]].concat();
    for arguments in [&serve[..], &["verify"], &["migrate"]] {
        let ended = on(arguments).await.with_code(4);
        drop(ended.with_error(
            "the table invoice of another program, and nothing was changed: create an empty",
        ));
    }
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    let count: i64 = sqlx::query_scalar(tables)
        .fetch_one(&mut connection)
        .await
        .expect("a count");
    assert_eq!(count, 1, "something was changed");
    execute(&mut connection, "DROP TABLE invoice").await;
    drop(on(&["migrate"]).await.with_code(0));
    sqlx::Connection::close(connection)
        .await
        .expect("it closes");
}

/// Starts a server on this database. Returns a caller as well.
async fn serve_on(options: &PgConnectOptions) -> (Running, Caller) {
    let mut program = serve_command();
    program.env("DATABASE_URL", url(options));
    let mut running = Running::spawn(program);
    let anonymous = Caller::nobody(running.line_after("listening on ").await);
    (running, anonymous)
}

/// A superuser could change the journal: the server plays and says so. A database that takes no writes is not ready,
/// and its amounts are shown. It is ready when it takes writes again.
#[tokio::test]
async fn a_superuser_and_a_database_that_is_read_only() {
    let database = Database::new().await;
    let (server, anonymous) = serve_on(&database.superuser).await;
    let ready = anonymous.get("/readyz").await.is(200);
    assert_eq!(ready["status"], "degraded");
    let sentence = "not enforced: the database's user is a superuser; connect as meterhouse_app";
    assert!(ready.text.contains(sentence), "{}", ready.text);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let read_only = "ALTER ROLE meterhouse_app IN DATABASE %I SET default_transaction_read_only";
    let set = async |to: &str| {
        let text =
            format!("DO $$ BEGIN EXECUTE format('{read_only} = {to}', current_database()); END $$");
        database
            .run_as_superuser(&text)
            .await
            .expect("a superuser may");
    };
    set("on").await;
    let (server, anonymous) = serve_on(&database.application).await;
    let ready = anonymous.get("/readyz").await.is(503);
    let sentence = "the database takes no writes: it is read-only: make it writable, or connect to the primary";
    assert!(ready.text.contains(sentence), "{}", ready.text);
    drop(anonymous.get("/v1/links").await.is(200));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    set("off").await;
    let (server, anonymous) = serve_on(&database.application).await;
    assert_eq!(anonymous.get("/readyz").await.is(200)["status"], "ready");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
