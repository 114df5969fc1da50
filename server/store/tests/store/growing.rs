//! Batches that grow while they wait for a statement of several links.

use std::panic::{AssertUnwindSafe, catch_unwind};

use meterhouse_store::{Commit, JoinedRow, Journal as _, NewBatch, OpenBatch};

use crate::combined::{batches, open_links};
use crate::common::{CommitOne as _, World, coin_ins, sealed, waiting};
use crate::held_batches::{begin, poll_once};

const STATEMENTS: &str = "SELECT count(DISTINCT xmin::text) FROM batch WHERE batch = 2";

/// Adds coin-ins of a table to a batch, if it grows.
fn add(open: &OpenBatch, table: u32, count: u64) -> bool {
    let more = coin_ins(table, 1, count);
    open.grow(more.len(), |new| {
        new.batch.events.extend(more);
        *new = sealed(new.clone());
    })
}

/// Adds a table to a batch, if it grows.
fn join(open: &OpenBatch, name: &str) -> bool {
    open.grow(0, |new| {
        new.tables.push(JoinedRow {
            table_no: 90,
            name: name.to_owned(),
            game: "caribbean_stud".to_owned(),
            seats: 7,
        });
    })
}

/// A batch grows while it waits, is sent whole, and grows no more from the moment that its turn begins.
#[tokio::test]
async fn a_batch_grows_until_it_is_sent() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 3).await;
    let new: Vec<_> = batches(&links).iter().map(waiting).collect();
    let heads: Vec<_> = links.iter().map(|link| link.head).collect();
    let (mut held, [first, mut second, third]) = begin(&world, &mut links, &new).await;
    assert!(!add(&new[0], 50, 1), "it is sent at once");
    assert!(add(&new[1], 51, 2) && add(&new[2], 52, 3) && add(&new[2], 53, 4));
    held.release().await;
    assert!(matches!(first.await, Commit::Committed));
    held.hold_again().await;
    poll_once(&mut second);
    assert!(
        !add(&new[1], 54, 1) && !add(&new[2], 55, 1),
        "both are sent"
    );
    held.release().await;
    for commit in [second.await, third.await] {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    for ((link, new), head) in links.iter_mut().zip(&new).zip(heads) {
        let stored = link.journal.read_after(&head, 10).await.unwrap();
        assert_eq!(stored.batches[0].batch, new.seal().batch);
        assert_eq!(stored.head.chain_hash, new.seal().chain_hash);
    }
    let events = new.iter().map(|new| new.seal().batch.events.len());
    assert_eq!(events.collect::<Vec<_>>(), [2, 3 + 2, 1 + 7]);
    assert_eq!(world.number(STATEMENTS).await, 2);
}

/// A batch to which its committer adds commands at the moment when others are sent is left for the next turn.
#[tokio::test]
async fn a_batch_that_grows_at_that_moment_is_sent_next() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 3).await;
    let new: Vec<_> = batches(&links).iter().map(waiting).collect();
    let (mut held, [first, mut second, third]) = begin(&world, &mut links, &new).await;
    held.release().await;
    assert!(matches!(first.await, Commit::Committed));
    held.hold_again().await;
    assert!(new[2].grow(0, |_| poll_once(&mut second)));
    assert!(add(&new[2], 52, 3), "it was not sent");
    held.release().await;
    for commit in [second.await, third.await] {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    assert_eq!(world.number(STATEMENTS).await, 3);
}

/// A batch whose committer panics while it adds commands is not sent, and the others are.
#[tokio::test]
async fn what_a_panic_left_is_not_sent() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 3).await;
    let new: Vec<_> = batches(&links).iter().map(waiting).collect();
    let (mut held, [first, second, third]) = begin(&world, &mut links, &new).await;
    let growing = AssertUnwindSafe(|| new[2].grow(0, |_| panic!("a test of a panic")));
    assert!(catch_unwind(growing).is_err());
    held.release().await;
    for commit in [first.await, second.await] {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    drop(third);
    let batches = "SELECT count(*) FROM batch WHERE batch = 2";
    assert_eq!(world.number(batches).await, 2);
}

/// A batch that grows by what can't share a statement goes alone, the one with the turn as well as one beside it.
#[tokio::test]
async fn a_batch_that_grows_by_a_table_goes_alone() {
    for grown in [1, 2] {
        let world = World::new().await;
        let mut links = open_links(&world.store().await, 4).await;
        let new: Vec<_> = batches(&links).iter().map(waiting).collect();
        let (mut held, commits) = begin::<4>(&world, &mut links, &new).await;
        assert!(join(&new[grown], "table-90"));
        held.release().await;
        for commit in futures_util::future::join_all(commits).await {
            assert!(matches!(commit, Commit::Committed), "{grown}: {commit:?}");
        }
        let tables = "SELECT count(*) FROM game_table WHERE name = 'table-90'";
        assert_eq!(world.number(tables).await, 1);
        // The first one, the one with the table, and the two others together.
        assert_eq!(world.number(STATEMENTS).await, 3, "{grown}");
    }
}

/// A batch grows up to what may share a statement.
#[tokio::test]
async fn a_batch_grows_up_to_256_events() {
    let world = World::new().await;
    let links = open_links(&world.store().await, 1).await;
    let new: &NewBatch = &batches(&links)[0];
    let open = waiting(new);
    let room = 256 - u64::try_from(new.batch.events.len()).unwrap();
    assert!(!add(&open, 50, room + 1));
    assert!(add(&open, 50, room));
    assert!(!add(&open, 51, 1));
    assert_eq!(open.seal().batch.events.len(), 256);
}

/// A link that commits alone has no limit of its own, and one in company sends what may share a statement.
#[tokio::test]
async fn a_link_in_company_sends_small_batches() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 2).await;
    let new = batches(&links);
    let [first, second] = links.as_mut_slice() else {
        panic!("two links");
    };
    let commit = first.journal.commit_one(&new[0]).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    assert_eq!(first.journal.events_max(), None);
    assert_eq!(second.journal.events_max(), Some(256));
    let commit = second.journal.commit_one(&new[1]).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    assert_eq!(first.journal.events_max(), Some(256));
    assert_eq!(second.journal.events_max(), Some(256));
}
