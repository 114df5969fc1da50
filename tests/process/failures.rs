//! The program's failures: each has one sentence with a remedy, and an exit code.

use meterhouse_tests::Database;
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, command, folder, run, run_on, run_to_end};

/// An invalid command line ends with exit code 2.
#[tokio::test]
async fn an_invalid_command_line() {
    drop(run(&[]).await.with_code(2));
    drop(run(&["play"]).await.with_code(2));
    drop(
        run(&[
            "serve",
            "--database-url",
            "postgres://x",
            "--data-dir",
            "/tmp",
        ])
        .await
        .with_code(2),
    );
    drop(
        run(&["serve", "--database-url", "no url"])
            .await
            .with_code(2)
            .with_error("no URL of Postgres: write postgres://"),
    );
    drop(
        run(&["serve", "--log", "a=b=c"])
            .await
            .with_code(2)
            .with_error("--log"),
    );
    drop(run(&["demo", "--stage", "royal"]).await.with_code(2));
    drop(
        run(&["verify", "--link", "ma in"])
            .await
            .with_code(2)
            .with_error("--link"),
    );
    let version = run(&["--version"]).await.with_code(0);
    assert!(
        version.stdout.starts_with("meterhouse 0."),
        "{}",
        version.stdout
    );
}

/// An unreachable database ends with exit code 4 and its remedy.
#[tokio::test]
async fn an_unreachable_database() {
    let database = Database::new().await;
    let at = |options: sqlx::postgres::PgConnectOptions| options.to_url_lossy().to_string();
    let missing = at(database.application.clone().database("nothing"));
    let stranger = at(database.application.clone().username("stranger"));
    for (url, sentence) in [
        // No process listens on port 1.
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
                .with_code(4);
            drop(ended.with_error(sentence));
        }
    }
}

/// A folder without Postgres is refused with the remedy.
#[tokio::test]
async fn a_missing_postgres() {
    let (data, empty) = (folder(), folder());
    let mut program = command(PROGRAM);
    program
        .args(["serve", "--data-dir"])
        .arg(data.path())
        .env("METERHOUSE_PG_BIN", empty.path());
    let refused = run_to_end(program).await.with_code(4);
    let folder = empty.path().display().to_string();
    let remedy = "name a folder that does with --pg-bin (METERHOUSE_PG_BIN)";
    let refused = refused.with_error("could not start the private Postgres");
    drop(refused.with_error(&folder).with_error(remedy));
    // A mistyped option creates no folder.
    let new = data.path().join("new");
    let option = ["serve", "--pg-bin", &folder, "--listen", "127.0.0.1:0"];
    drop(run_on(&new, &option).await.with_code(4).with_error(remedy));
    assert!(!new.exists(), "a folder was created");
}

/// A missing folder of paytables and an invalid address are refused.
#[tokio::test]
async fn an_invalid_configuration() {
    let (data, paytables) = (folder(), folder());
    let path = paytables.path().join("none").display().to_string();
    let ended = run_on(data.path(), &["serve", "--paytables", &path])
        .await
        .with_code(3);
    drop(ended.with_error("a paytable can't be used"));
    for wrong in [
        &["--listen", "nowhere"] as &[&str],
        &["--listen", "127.0.0.1:0", "--grpc-listen", "nowhere"],
    ] {
        let arguments = [&["serve"], wrong].concat();
        let ended = run_on(data.path(), &arguments).await.with_code(2);
        drop(ended.with_error("is no address: write HOST:PORT"));
    }
}

/// On the operator's own Postgres, only `migrate` creates the schema. Other commands report missing migrations.
#[tokio::test]
async fn only_migrate_creates_the_schema() {
    let database = Database::new().await;
    let application = database.application.to_url_lossy().to_string();
    let superuser = database.superuser.to_url_lossy().to_string();
    let with = |url: &str, arguments: &[&str]| {
        let mut program = command(PROGRAM);
        program.args(arguments).env("DATABASE_URL", url);
        run_to_end(program)
    };
    drop(with(&application, &["verify"]).await.with_code(6));
    drop(
        with(&application, &["migrate", "--check"])
            .await
            .with_code(0),
    );
    let again = with(&superuser, &["migrate"]).await.with_code(0);
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
                .with_code(4)
                .with_error("1 migrations behind"),
        );
    }
    database.tamper("UPDATE _sqlx_migrations SET version = version + 1 WHERE version = (SELECT max(version) FROM _sqlx_migrations)").await;
    drop(
        with(&application, &["verify"])
            .await
            .with_code(4)
            .with_error("newer than this program"),
    );
}
