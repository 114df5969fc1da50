//! Commits of two writers: one wins, the other catches up.

use meterhouse_store::{Commit, Head, Journal as _, Store};

use crate::common::{CommitOne as _, World, after, coin_ins, following, open};

/// Of two batches decided on the same head, one commits and the other writes nothing.
#[tokio::test]
async fn one_of_two_writers_commits() {
    let world = World::new().await;
    let (one, other) = (world.store().await, world.store().await);
    let (link, mut head) = open(&one, "main").await;
    let (mut first, mut second) = (one.journal(link), other.journal(link));
    for round in 0..50 {
        let left = following(link, &head, coin_ins(1, 1 + round, 2));
        let right = following(link, &head, coin_ins(2, 1 + round, 3));
        let (one, other) = tokio::join!(first.commit_one(&left), second.commit_one(&right));
        let winner = match (one, other) {
            (Commit::Committed, Commit::Moved) => left,
            (Commit::Moved, Commit::Committed) => right,
            both => panic!("{both:?}"),
        };
        head = after(&winner);
        assert_eq!(first.read_head().await.unwrap(), head);
    }
    assert_eq!(world.number("SELECT count(*) FROM batch").await, 51);
    let lost = "SELECT count(*) FROM batch AS b
                WHERE events <> (SELECT count(*) FROM event AS e WHERE e.batch = b.batch)";
    assert_eq!(world.number(lost).await, 0);
}

/// A number, a hash or an epoch that is not the head's moves nothing.
#[tokio::test]
async fn only_a_batch_that_follows_the_head_commits() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let other_hash = meterhouse_journal::batch::ChainHash([9; 32]);
    for wrong in [
        Head {
            batch: head.batch + 1,
            ..head
        },
        Head {
            epoch: head.epoch + 1,
            ..head
        },
        Head {
            chain_hash: other_hash,
            ..head
        },
    ] {
        let new = following(link, &wrong, coin_ins(1, 1, 1));
        assert!(matches!(journal.commit_one(&new).await, Commit::Moved));
    }
    assert_eq!(journal.read_head().await.unwrap(), head);
}

/// A head whose row is on another page than the writer knows is looked up again: nothing was missed, and the batch commits.
#[tokio::test]
async fn a_row_on_another_page_is_found_again() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    assert_eq!(journal.read_head().await.unwrap(), head);
    let page = "SELECT (ctid::text::point)[0]::bigint FROM link_head";
    let before = world.number(page).await;
    // The versions of one transaction are all kept, and fill the page.
    let moves = "BEGIN; DO $$ BEGIN FOR i IN 1..100 LOOP UPDATE link_head SET status = status; END LOOP; END $$; COMMIT";
    world.run_as_admin(moves).await.unwrap();
    assert_ne!(world.number(page).await, before);
    let new = following(link, &head, coin_ins(1, 1, 2));
    assert!(matches!(journal.commit_one(&new).await, Commit::Moved));
    let missed = journal.lock_and_read_after(&head).await.unwrap();
    assert_eq!((missed.head, missed.batches.len()), (head, 0));
    let commit = journal.commit_one(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    assert_eq!(journal.read_head().await.unwrap(), after(&new));
}

/// A writer whose head moved locks, reads what it missed and commits after it. Meanwhile no other
/// writer commits.
#[tokio::test]
async fn a_writer_whose_head_moved_catches_up_under_the_lock() {
    let world = World::new().await;
    let (one, other) = (world.store().await, world.store().await);
    let (link, start) = open(&one, "main").await;
    let (mut first, mut second) = (one.journal(link), other.journal(link));
    let mut head = start;
    let mut written = Vec::new();
    for round in 0..3 {
        let new = following(link, &head, coin_ins(1, 1 + round, 2));
        assert!(matches!(first.commit_one(&new).await, Commit::Committed));
        head = after(&new);
        written.push(new);
    }
    let stale = following(link, &start, coin_ins(2, 1, 1));
    assert!(matches!(second.commit_one(&stale).await, Commit::Moved));
    let missed = second.lock_and_read_after(&start).await.unwrap();
    assert_eq!((missed.head, missed.more), (head, false));
    let batches: Vec<_> = missed.batches.iter().map(|missed| &missed.batch).collect();
    assert_eq!(
        batches,
        written.iter().map(|new| &new.batch).collect::<Vec<_>>()
    );
    assert_eq!(missed.batches[2].chain_hash, head.chain_hash);

    let mine = following(link, &head, coin_ins(2, 1, 1));
    let theirs = following(link, &head, coin_ins(1, 4, 1));
    let ((), theirs) = tokio::join!(
        async { assert!(matches!(second.commit_one(&mine).await, Commit::Committed)) },
        first.commit_one(&theirs),
    );
    assert!(matches!(theirs, Commit::Moved));
    assert_eq!(first.read_head().await.unwrap(), after(&mine));
    assert_can_commit(&one, &after(&mine), link).await;
}

/// A lock that is given back, dropped or idle too long delays other commits only briefly.
#[tokio::test]
async fn a_lock_ends_when_it_is_released_dropped_or_idle() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut holder = store.journal(link);
    holder.lock_and_read_after(&head).await.unwrap();
    holder.unlock().await;
    head = assert_can_commit(&store, &head, link).await;

    let mut dropped = store.journal(link);
    dropped.lock_and_read_after(&head).await.unwrap();
    drop(dropped);
    head = assert_can_commit(&store, &head, link).await;

    // The server ends the idle transaction, and its late commit writes nothing.
    holder.lock_and_read_after(&head).await.unwrap();
    let late = following(link, &head, coin_ins(3, 1, 1));
    head = assert_can_commit(&store, &head, link).await;
    assert!(!matches!(holder.commit_one(&late).await, Commit::Committed));
    assert_eq!(
        holder.confirm_head().await.unwrap(),
        Head {
            epoch: head.epoch + 1,
            ..head
        }
    );
}

/// A batch that is refused under the lock ends the lock, and the head stays as it was.
#[tokio::test]
async fn a_batch_refused_under_the_lock_ends_the_lock() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    journal.lock_and_read_after(&head).await.unwrap();
    let mut wrong = following(link, &head, coin_ins(1, 1, 1));
    wrong.batch.deltas[0] = 1;
    assert!(matches!(
        journal.commit_one(&wrong).await,
        Commit::RolledBack(_)
    ));
    assert_can_commit(&store, &head, link).await;
}

/// Eight nodes on one link, each catching up after a moved head: every batch follows its
/// predecessor, and none is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_nodes_lose_nothing() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, start) = open(&store, "main").await;
    let nodes = (1..=8_u32).map(|table| {
        let app = world.app.clone();
        tokio::spawn(async move {
            let store = crate::common::store(&app).await;
            let mut journal = store.journal(link);
            let mut head = start;
            for sequence in 1..=20 {
                let new = following(link, &head, coin_ins(table, sequence, 1));
                let settled = match journal.commit_one(&new).await {
                    Commit::Committed => new,
                    Commit::Moved => {
                        let missed = journal.lock_and_read_after(&head).await.unwrap();
                        assert!(!missed.more);
                        let again = following(link, &missed.head, coin_ins(table, sequence, 1));
                        let commit = journal.commit_one(&again).await;
                        assert!(matches!(commit, Commit::Committed), "{commit:?}");
                        again
                    }
                    other => panic!("{other:?}"),
                };
                head = after(&settled);
            }
        })
    });
    for node in nodes.collect::<Vec<_>>() {
        node.await.unwrap();
    }
    let mut journal = store.journal(link);
    let all = journal.read_after(&start, 1_000).await.unwrap();
    assert_eq!((all.batches.len(), all.more), (160, false));
    let mut previous = start.chain_hash;
    for stored in &all.batches {
        previous = meterhouse_journal::chain::chain_hash(previous, &stored.batch);
        assert_eq!(previous, stored.chain_hash);
    }
}

async fn assert_can_commit(
    store: &Store,
    head: &Head,
    link: meterhouse_domain::ids::LinkId,
) -> Head {
    let new = following(link, head, coin_ins(9, head.batch, 1));
    let commit = store.journal(link).commit_one(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    after(&new)
}
