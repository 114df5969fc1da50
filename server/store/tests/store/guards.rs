//! Refusals by the database itself.

use meterhouse_store::{Commit, Journal as _, RolledBack, StoreError};

use crate::common::{
    CommitOne as _, PERIOD, World, coin_ins, first_batch, following, new_link, open,
};

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

/// The application may not change or remove a row of the journal, nor reach a partition. A user who
/// has the right is refused by the triggers.
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
        store.journal(link).commit_one(&new).await,
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
            // The triggers refuse a superuser, too.
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

/// Unbalanced books, and accounts below zero that may not be, are refused by the name of the rule.
#[tokio::test]
async fn unbalanced_or_negative_books_are_refused() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let sound = following(link, &head, coin_ins(1, 1, 1));
    let spoil: [&Spoil; 9] = [
        &|deltas, _| deltas[0] = 1,
        // A zero sum over all books is not enough.
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
        let commit = journal.commit_one(&new).await;
        let Commit::RolledBack(RolledBack { constraint, .. }) = commit else {
            panic!("{commit:?}");
        };
        assert_eq!(constraint.as_deref(), Some("batch_books_stand"));
    }
    // A sum out of range is refused like any other wrong sum.
    for large in [(i64::MAX, i64::MAX), (i64::MIN, i64::MAX)] {
        let mut new = sound.clone();
        (new.batch.deltas[0], new.batch.deltas[1]) = large;
        let commit = journal.commit_one(&new).await;
        let Commit::RolledBack(RolledBack { constraint, .. }) = commit else {
            panic!("{commit:?}");
        };
        assert_eq!(constraint.as_deref(), Some("batch_books_stand"));
    }
    // Deltas whose sums have to be exact beyond the range of their type.
    let mut largest = sound;
    (largest.batch.deltas[0], largest.batch.deltas[1]) = (i64::MAX, -i64::MAX);
    assert!(matches!(
        journal.commit_one(&largest).await,
        Commit::Committed
    ));
}

/// A batch of a month without a partition is refused, and an empty batch is never sent. Neither
/// loses anything.
#[tokio::test]
async fn a_batch_without_a_partition_is_rolled_back() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let mut late = following(link, &head, coin_ins(1, 1, 1));
    late.batch.period = PERIOD + 50;
    assert!(matches!(
        journal.commit_one(&late).await,
        Commit::RolledBack(_)
    ));
    let empty = following(link, &head, vec![]);
    let commit = journal.commit_one(&empty).await;
    assert!(
        matches!(commit, Commit::RolledBack(refused) if matches!(refused.source, StoreError::EmptyBatch))
    );
    assert_eq!(journal.read_head().await.unwrap(), head);
}

/// A second link of the same name has its own error and leaves nothing behind.
#[tokio::test]
async fn a_second_link_of_the_same_name_is_refused() {
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

/// A link's or a table's name that the domain can't read back is refused.
#[tokio::test]
async fn names_that_the_domain_cant_read_are_refused() {
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
    let commit = store.journal(link).commit_one(&new).await;
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
