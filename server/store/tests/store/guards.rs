//! What the database itself refuses.

use meterhouse_store::{Commit, Journal as _, RolledBack, StoreError};

use crate::common::{PERIOD, World, coin_ins, first_batch, following, new_link, open};

/// Makes deltas and balances wrong.
type Spoil = dyn Fn(&mut Vec<i64>, &mut Vec<i64>);

const APPEND_ONLY: [&str; 7] = [
    "paytable",
    "link",
    "game_table",
    "batch",
    "event",
    "table_mark",
    "actor",
];

/// The application may neither change nor remove a row of the journal, nor reach a partition; and
/// where somebody may by right, the triggers refuse.
#[tokio::test]
async fn the_journal_is_append_only() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut new = following(link, &head, coin_ins(1, 1, 3));
    let table = |name: &str| meterhouse_store::JoinedRow {
        table_no: 1,
        name: name.to_owned(),
        game: "crazy-4-poker".to_owned(),
        seats: 6,
    };
    new.tables.push(table("C4P-01"));
    new.marks.push(meterhouse_store::Mark {
        table: 1,
        sequence: 1,
        position: 0,
    });
    assert!(matches!(
        store.journal(link).commit(&new).await,
        Commit::Committed
    ));

    let partition = format!("event_{PERIOD}");
    let tables = APPEND_ONLY.iter().copied().chain([partition.as_str()]);
    for table in tables {
        let column = match table {
            "paytable" => "paytable_id",
            "link" | "actor" => "name",
            _ => "link_id",
        };
        for sql in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
        ] {
            let error = world.run_as_app(&sql).await.unwrap_err();
            assert_eq!(code(&error).as_deref(), Some("42501"), "{sql}: {error}");
            // Even a superuser hears no.
            let error = world.run_as_admin(&sql).await.unwrap_err();
            assert_eq!(constraint(&error), Some("append_only"), "{sql}: {error}");
        }
    }
    let error = world
        .run_as_app(&format!("INSERT INTO {partition} SELECT * FROM event"))
        .await;
    assert_eq!(code(&error.unwrap_err()).as_deref(), Some("42501"));
    for sql in [
        "DELETE FROM link_head",
        "DELETE FROM hit",
        "DELETE FROM token",
        "UPDATE token SET actor_id = actor_id",
        "UPDATE token SET expires_at = NULL",
        "DROP TABLE event",
        "CREATE TABLE x ()",
    ] {
        assert_eq!(
            code(&world.run_as_app(sql).await.unwrap_err()).as_deref(),
            Some("42501"),
            "{sql}"
        );
    }
}

/// Books that don't balance, or accounts below zero that may not be, are refused by the name of the
/// rule.
#[tokio::test]
async fn books_must_stand() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let sound = following(link, &head, coin_ins(1, 1, 1));
    let spoil: [&Spoil; 9] = [
        &|deltas, _| deltas[0] = 1,
        // Zero over all books is not enough.
        &|deltas, _| (deltas[0], deltas[8]) = (1, -1),
        &|_, after| after[2] = -1,
        &|_, after| after[3] = -1,
        &|_, after| after[4] = -1,
        &|_, after| after[8 + 5] = -1,
        &|deltas, _| deltas.truncate(8),
        &|deltas, after| (*deltas, *after) = (vec![], vec![]),
        &|deltas, after| (*deltas, *after) = (vec![0; 12], vec![0; 12]),
    ];
    for spoil in spoil {
        let mut new = sound.clone();
        spoil(&mut new.batch.deltas, &mut new.batch.after);
        let commit = journal.commit(&new).await;
        let Commit::RolledBack(RolledBack { constraint, .. }) = commit else {
            panic!("{commit:?}");
        };
        assert_eq!(constraint.as_deref(), Some("batch_books_stand"));
    }
    // What is out of range sums to no zero, and is no other error.
    let mut new = sound.clone();
    (new.batch.deltas[0], new.batch.deltas[1]) = (i64::MAX, i64::MAX);
    assert!(
        matches!(journal.commit(&new).await, Commit::RolledBack(it) if it.constraint.is_some())
    );
    assert!(matches!(journal.commit(&sound).await, Commit::Committed));
}

/// A batch of a month without a partition is refused, and an empty one never sent; nothing is lost
/// by that.
#[tokio::test]
async fn what_can_not_be_written_is_rolled_back() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let mut late = following(link, &head, coin_ins(1, 1, 1));
    late.batch.period = PERIOD + 50;
    assert!(matches!(journal.commit(&late).await, Commit::RolledBack(_)));
    let empty = following(link, &head, vec![]);
    let commit = journal.commit(&empty).await;
    assert!(
        matches!(commit, Commit::RolledBack(it) if matches!(it.source, StoreError::EmptyBatch))
    );
    assert_eq!(journal.read_head().await.unwrap(), head);
}

/// A second link of a name is its own error, and leaves nothing behind.
#[tokio::test]
async fn a_name_is_given_once() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, _) = open(&store, "main").await;
    let again = store.open_link(&new_link("main"), &first_batch).await;
    assert!(matches!(again, Err(StoreError::LinkExists { name }) if name == "main"));
    let other = store
        .open_link(&new_link("other"), &|_| first_batch(link))
        .await;
    assert!(matches!(other, Err(StoreError::FirstBatch { .. })));
    assert_eq!(
        store
            .list_links(meterhouse_domain::ids::LinkId(0), 10)
            .await
            .unwrap()
            .len(),
        1
    );
}

/// A name that the domain could not read back is refused, of a link and of a table.
#[tokio::test]
async fn names_have_their_form() {
    let world = World::new().await;
    let store = world.store().await;
    let long = "x".repeat(33);
    for name in ["", "no name", "né", "main\n", "a.b", long.as_str()] {
        let opened = store.open_link(&new_link(name), &first_batch).await;
        let error = opened.unwrap_err();
        assert_eq!(error.constraint(), Some("link_name_form"), "{name:?}");
    }
    let (link, head) = open(&store, &long[1..]).await;
    let mut new = following(link, &head, coin_ins(1, 1, 1));
    new.tables.push(meterhouse_store::JoinedRow {
        table_no: 1,
        name: "C4P 01".to_owned(),
        game: "crazy-4-poker".to_owned(),
        seats: 6,
    });
    let commit = store.journal(link).commit(&new).await;
    let Commit::RolledBack(RolledBack { constraint, .. }) = commit else {
        panic!("{commit:?}");
    };
    assert_eq!(constraint.as_deref(), Some("game_table_name_form"));
}

fn code(error: &sqlx::Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}

fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error()?.constraint()
}
