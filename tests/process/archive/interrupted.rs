//! A command that was killed between two steps is run again and goes on.

use meterhouse_tests::eventually;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use super::Played;

/// A file that was renamed and not recorded is proven and recorded. One that was not renamed is written anew.
#[tokio::test]
async fn a_killed_write_goes_on() {
    let played = Played::begin().await;
    let part = played.file().with_extension("part");
    std::fs::write(&part, "half a file").expect("a file");
    let first = played.write().await.with_code(0);
    assert!(!part.exists());
    let written = std::fs::read(played.file()).expect("the file");

    let forget = "DELETE FROM archived_state; DELETE FROM archived_period";
    played.house.database.tamper(forget).await;
    let second = played.write().await.with_code(0);
    assert_eq!(first.stdout, second.stdout);
    let third = played.write().await.with_code(0);
    assert!(
        third.stdout.contains("was archived before"),
        "{}",
        third.stdout
    );

    // A lost file is written again as long as the events are in the database, byte by byte the same.
    std::fs::remove_file(played.file()).expect("no file");
    drop(played.write().await.with_code(0));
    assert_eq!(std::fs::read(played.file()).expect("the file"), written);

    // Another file in the way is not overwritten.
    played.house.database.tamper(forget).await;
    std::fs::write(played.file(), "something else").expect("a file");
    drop(
        played
            .write()
            .await
            .with_code(3)
            .with_error("does not begin as a file"),
    );
    played.end().await;
}

/// A detach that waits for a transaction is killed half way. Meanwhile and afterwards tables play, and the next run
/// finishes it. An attached month is read from the database again.
#[tokio::test]
async fn a_killed_detach_goes_on() {
    let played = Played::begin().await;
    drop(played.write().await.with_code(0));
    let partition = format!("event_{}", played.month.0);
    let mut reader = PgConnection::connect_with(&played.house.database.application)
        .await
        .expect("a connection");
    sqlx::raw_sql("BEGIN; SELECT count(*) FROM event")
        .execute(&mut reader)
        .await
        .expect("a reader");
    let cut = format!(
        "SET lock_timeout = '200ms'; ALTER TABLE event DETACH PARTITION {partition} CONCURRENTLY"
    );
    let mut owner = PgConnection::connect_with(&played.house.database.superuser)
        .await
        .expect("a connection");
    for statement in cut.split("; ") {
        let done = sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&mut owner)
            .await;
        assert_eq!(done.is_err(), statement.starts_with("ALTER"), "{statement}");
    }
    let list = played.archive(&["list"]).await.with_code(0);
    assert!(list.stdout.contains("detaching"), "{}", list.stdout);
    played.dealers[0].rounds(1, &[1]).await;
    let manager = played.house.manager().await;
    drop(
        manager
            .journal("main", "?after=0")
            .await
            .problem(410, "position_archived"),
    );
    sqlx::raw_sql("COMMIT")
        .execute(&mut reader)
        .await
        .expect("an end");
    drop(played.detach().await.with_code(0));

    // Detached, and killed before the table had its other name.
    let back = format!("ALTER TABLE archived_{partition} RENAME TO {partition}");
    played.house.database.tamper(&back).await;
    drop(played.detach().await.with_code(0));
    let again = played.detach().await.with_code(0);
    assert!(again.stdout.contains("is detached"), "{}", again.stdout);

    let month = played.month.to_string();
    drop(
        played
            .archive(&["attach", "--month", &month])
            .await
            .with_code(0),
    );
    drop(manager.journal("main", "?after=0").await.is(200));
    drop(played.verify(&[]).await.with_code(0));
    eventually("the month is detached again", async || {
        let detached = played.detach().await;
        (detached.code == Some(0)).then_some(())
    })
    .await;
    drop(played.verify_all().await.with_code(0));
    played.end().await;
}
