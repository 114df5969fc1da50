//! The database itself refuses to forget: as the server's role nothing that is written can be changed.

use meterhouse_tests::{FIVE_CARD_C, House};
use sqlx::Row as _;

/// Every table of the journal, and every partition of its events.
async fn journal_tables(house: &House) -> Vec<String> {
    let partitions =
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'event'::regclass";
    let rows = house.database.rows(partitions).await;
    let mut tables: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert!(
        tables.len() >= 4,
        "this month and the next three: {tables:?}"
    );
    let others = [
        "paytable",
        "link",
        "game_table",
        "batch",
        "event",
        "table_mark",
        "actor",
        "attempt",
    ];
    tables.extend(others.map(str::to_owned));
    tables
}

/// A column of a table that an update can name.
async fn column(house: &House, table: &str) -> String {
    let sql = format!(
        "SELECT attname::text FROM pg_attribute
         WHERE attrelid = '{table}'::regclass AND attnum > 0 AND attidentity = '' ORDER BY attnum LIMIT 1"
    );
    house.database.rows(&sql).await[0].get(0)
}

async fn played() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    dealers[0].rounds(2, &[1, 2]).await;
    house
}

/// CONFORMANCE 38 and 57: UPDATE, DELETE and TRUNCATE are refused to the server's role, on every table of the journal.
#[tokio::test]
async fn the_server_can_only_add() {
    let house = played().await;
    for table in journal_tables(&house).await {
        let column = column(&house, &table).await;
        for sql in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
            format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
            format!("DROP TABLE {table} CASCADE"),
        ] {
            let error = house
                .database
                .run_as_application(&sql)
                .await
                .expect_err(&sql);
            let code = error
                .as_database_error()
                .and_then(sqlx::error::DatabaseError::code);
            assert_eq!(code.as_deref(), Some("42501"), "{sql}: {error}");
        }
    }
    house.end().await;
}

/// The owner's triggers refuse it even to a superuser, until somebody disables them.
#[tokio::test]
async fn the_triggers_stand_behind_the_rights() {
    let house = played().await;
    for table in journal_tables(&house).await {
        let column = column(&house, &table).await;
        let is_empty = house
            .database
            .rows(&format!("SELECT FROM {table} LIMIT 1"))
            .await
            .is_empty();
        let whole = format!("TRUNCATE {table} CASCADE");
        let rows = [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
        ];
        for sql in rows.into_iter().filter(|_| !is_empty).chain([whole]) {
            let error = house.database.run_as_superuser(&sql).await.expect_err(&sql);
            let message = error.as_database_error().map(|it| it.message().to_owned());
            assert!(
                message.is_some_and(|it| it.contains("append-only")),
                "{sql}: {error}"
            );
        }
    }
    house.end().await;
}
