//! What keeps the program from working: one sentence that says what to do, and its exit code.

use meterhouse_tests::Database;
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, command, ended, folder, run, run_on};

/// A command line that can't be read.
#[tokio::test]
async fn usage() {
    drop(run(&[]).await.with(2));
    drop(run(&["play"]).await.with(2));
    drop(
        run(&[
            "serve",
            "--database-url",
            "postgres://x",
            "--data-dir",
            "/tmp",
        ])
        .await
        .with(2),
    );
    drop(
        run(&["serve", "--database-url", "no url"])
            .await
            .with(2)
            .saying("is no URL of Postgres: write postgres://"),
    );
    drop(
        run(&["serve", "--log", "a=b=c"])
            .await
            .with(2)
            .saying("--log"),
    );
    drop(run(&["demo", "--stage", "royal"]).await.with(2));
    drop(
        run(&["verify", "--link", "ma in"])
            .await
            .with(2)
            .saying("--link"),
    );
    let version = run(&["--version"]).await.with(0);
    assert!(
        version.stdout.starts_with("meterhouse 0."),
        "{}",
        version.stdout
    );
}

/// A database that nobody answers for.
#[tokio::test]
async fn an_unreachable_database() {
    let database = Database::new().await;
    let at = |options: sqlx::postgres::PgConnectOptions| options.to_url_lossy().to_string();
    let missing = at(database.application.clone().database("nothing"));
    let stranger = at(database.application.clone().username("stranger"));
    for (url, sentence) in [
        // Port 1 is nobody's.
        (
            "postgres://meterhouse_app@127.0.0.1:1/meterhouse",
            "no Postgres listens at 127.0.0.1:1: start it, or correct --database-url",
        ),
        (
            "postgres://meterhouse_app@nowhere.invalid/meterhouse",
            "the host nowhere.invalid is unknown: correct --database-url",
        ),
        (
            &missing,
            "has no database nothing: create it and run `meterhouse migrate`",
        ),
        (&stranger, "does not let the role stranger in"),
    ] {
        for command in [&["serve"] as &[&str], &["verify"], &["migrate"]] {
            let ports = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];
            let ports = if command == ["serve"] {
                &ports[..]
            } else {
                &[]
            };
            let ended = run(&[command, ports, &["--database-url", url]].concat())
                .await
                .with(4);
            drop(ended.saying(sentence));
        }
    }
}

/// No Postgres where one is said to be.
#[tokio::test]
async fn no_postgres() {
    let (data, empty) = (folder(), folder());
    let mut program = command(PROGRAM);
    program
        .args(["serve", "--data-dir"])
        .arg(data.path())
        .env("METERHOUSE_PG_BIN", empty.path());
    let refused = ended(program).await.with(4);
    let folder = empty.path().display().to_string();
    let remedy = "name a folder that does with --pg-bin (METERHOUSE_PG_BIN)";
    let refused = refused.saying("could not start the private Postgres");
    drop(refused.saying(&folder).saying(remedy));
    // A mistyped option makes nothing.
    let new = data.path().join("new");
    let option = ["serve", "--pg-bin", &folder, "--listen", "127.0.0.1:0"];
    drop(run_on(&new, &option).await.with(4).saying(remedy));
    assert!(!new.exists(), "a folder was made");
}

/// A folder of paytables that is not there, and an address that is none.
#[tokio::test]
async fn configuration() {
    let (data, paytables) = (folder(), folder());
    let path = paytables.path().join("none").display().to_string();
    let ended = run_on(data.path(), &["serve", "--paytables", &path])
        .await
        .with(3);
    drop(ended.saying("a paytable can't be used"));
    for wrong in [
        &["--listen", "nowhere"] as &[&str],
        &["--listen", "127.0.0.1:0", "--grpc-listen", "nowhere"],
    ] {
        let arguments = [&["serve"], wrong].concat();
        let ended = run_on(data.path(), &arguments).await.with(2);
        drop(ended.saying("could not listen on"));
    }
}

/// Somebody's own Postgres: only `migrate` makes the schema, and the rest says that it is missing.
#[tokio::test]
async fn somebody_elses_database() {
    let database = Database::new().await;
    let application = database.application.to_url_lossy().to_string();
    let superuser = database.superuser.to_url_lossy().to_string();
    let with = |url: &str, arguments: &[&str]| {
        let mut program = command(PROGRAM);
        program.args(arguments).env("DATABASE_URL", url);
        ended(program)
    };
    drop(with(&application, &["verify"]).await.with(6));
    drop(with(&application, &["migrate", "--check"]).await.with(0));
    let again = with(&superuser, &["migrate"]).await.with(0);
    assert!(
        again.stdout.contains("the schema was current"),
        "{}",
        again.stdout
    );
    database.tamper("DELETE FROM _sqlx_migrations WHERE version = (SELECT max(version) FROM _sqlx_migrations)").await;
    for command in [&["verify"] as &[&str], &["serve"], &["migrate", "--check"]] {
        drop(
            with(&application, command)
                .await
                .with(4)
                .saying("1 migrations behind"),
        );
    }
    database.tamper("UPDATE _sqlx_migrations SET version = version + 1 WHERE version = (SELECT max(version) FROM _sqlx_migrations)").await;
    drop(
        with(&application, &["verify"])
            .await
            .with(4)
            .saying("newer than this program"),
    );
}
