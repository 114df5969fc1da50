//! Compact links: their batches store no zeros, their heads no balances, and they read as any other.

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{Commit, Head, Journal as _, NewBatch, Store};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::common::{CommitOne as _, World, after, coin_ins, following, open, sealed};
use crate::unknown::until;

/// Batches whose arrays hold zeros, and heads that hold balances.
const STORED: &str = "
    SELECT (SELECT count(*) FROM batch WHERE 0 = ANY (deltas) OR 0 = ANY (after))
         + (SELECT count(*) FROM link_head WHERE balances <> '{}')";

/// Commits a batch that moves a dollar into the meter, alone or as a full one. Returns it.
async fn commit(store: &Store, link: LinkId, head: &Head, is_full: bool) -> NewBatch {
    let mut new = following(link, head, coin_ins(1, 1 + head.batch, 2));
    let moved = i64::try_from(head.batch).unwrap() * 1_000_000;
    (new.batch.deltas[1], new.batch.deltas[2]) = (-1_000_000, 1_000_000);
    new.batch.after[1] -= moved;
    new.batch.after[2] += moved;
    if is_full {
        new.tables.push(meterhouse_store::JoinedRow {
            table_no: u32::try_from(head.batch).unwrap(),
            name: format!("T-{link}-{}", head.batch),
            game: "crazy-4-poker".to_owned(),
            seats: 6,
        });
    }
    let new = sealed(new);
    let commit = store.journal(link).commit_one(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    new
}

/// Checks what every reader of a link's balances returns after a batch.
async fn assert_read(world: &World, store: &Store, new: &NewBatch) {
    let (link, batch) = (new.batch.link, &new.batch);
    let heads = store.heads(&[link]).await.unwrap();
    assert_eq!(heads[0].balances, batch.after);
    let before = Head {
        batch: batch.number - 1,
        ..after(new)
    };
    let stored = store.journal(link).read_after(&before, 1).await.unwrap();
    assert_eq!(&stored.batches[0].batch, batch);
    let found = store.balances_after(link, batch.number).await.unwrap();
    assert_eq!(found.unwrap().after, batch.after);
    let check = store.running_check(link, 0).await.unwrap().unwrap();
    assert_eq!(
        (&check.head.balances, &check.moved),
        (&batch.after, &batch.after)
    );
    let mut reader = store.view_link(link).await.unwrap();
    assert_eq!(reader.head().await.unwrap().1.balances, batch.after);
    reader.close().await.unwrap();
    let meter = format!(
        "SELECT (meter * 1000000)::bigint FROM book JOIN link ON link.name = book.link WHERE book = 0 AND link_id = {link}"
    );
    assert_eq!(world.number(&meter).await, batch.after[2]);
}

/// The batches of a compact link have no zeros, its head has no balances, and all readers return both.
#[tokio::test]
async fn a_compact_link_reads_as_any_other() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    for is_full in [false, true, false] {
        let new = commit(&store, link, &head, is_full).await;
        assert_read(&world, &store, &new).await;
        head = after(&new);
    }
    assert_eq!(world.number(STORED).await, 0);
}

/// A link that a program before this form opened stays as that program can read it, as do those that are opened beside it. Then
/// all are made compact, and what was stored before is still read.
#[tokio::test]
async fn older_links_stay_until_they_are_made_compact() {
    let world = World::new().await;
    let store = world.store().await;
    let (old, old_head) = open(&store, "old").await;
    // As the column's default, with which an older program opens a link.
    let older = "UPDATE link_head SET is_compact = false";
    world.run_as_admin(older).await.unwrap();
    let (new, new_head) = open(&store, "new").await;
    let first = commit(&store, old, &old_head, false).await;
    let second = commit(&store, new, &new_head, true).await;
    for batch in [&first, &second] {
        assert_read(&world, &store, batch).await;
    }
    let dense = "SELECT count(*) FROM link_head AS h JOIN batch AS b USING (link_id, batch)
                 WHERE h.balances = b.after AND NOT is_compact AND num_nulls(VARIADIC deltas || after) = 0";
    assert_eq!(world.number(dense).await, 2);

    assert_eq!(store.compact_links().await.unwrap(), 2);
    assert_eq!(store.compact_links().await.unwrap(), 0);
    for batch in [&first, &second] {
        assert_read(&world, &store, batch).await;
    }
    let third = commit(&store, old, &after(&first), true).await;
    let fourth = commit(&store, new, &after(&second), false).await;
    for batch in [&third, &fourth] {
        assert_read(&world, &store, batch).await;
    }
    let (newest, newest_head) = open(&store, "newest").await;
    commit(&store, newest, &newest_head, false).await;
    let compact = "SELECT count(*) FROM link_head AS h JOIN batch AS b USING (link_id, batch)
                   WHERE h.balances = '{}' AND is_compact AND num_nulls(VARIADIC deltas || after) > 20";
    assert_eq!(world.number(compact).await, 3);
}

/// A head that another session holds is waited for, while all other links commit.
#[tokio::test]
async fn a_held_head_holds_up_no_other() {
    let world = World::new().await;
    let store = world.store().await;
    let mut links = Vec::new();
    for name in ["first", "held", "last"] {
        links.push(open(&store, name).await);
    }
    let older = "UPDATE link_head SET is_compact = false";
    world.run_as_admin(older).await.unwrap();
    let mut holder = PgConnection::connect_with(&world.admin).await.unwrap();
    let hold = "BEGIN; SELECT FROM link_head WHERE link_id = 2 FOR UPDATE";
    sqlx::raw_sql(hold).execute(&mut holder).await.unwrap();
    let other = world.store().await;
    let making = tokio::spawn(async move { other.compact_links().await });
    let compact = "SELECT count(*) FROM link_head WHERE is_compact";
    until(&world, compact, 1).await;
    for (link, head) in [links[0], links[2]] {
        commit(&store, link, &head, false).await;
    }
    assert!(!making.is_finished());
    holder.close().await.unwrap();
    assert_eq!(making.await.unwrap().unwrap(), 3);
}
