//! The reads of the running check (CONFORMANCE 44 and 45).

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{BatchEnd, CHECK_BATCHES_MAX, Commit, Head, RunningCheck, Store};

use crate::common::{CommitOne as _, World, after, coin_ins, following, open, sealed};

/// Commits `count` batches, each of which moves a dollar from the house into the meter.
async fn batches(store: &Store, link: LinkId, head: &Head, count: u64) -> Head {
    let mut journal = store.journal(link);
    let mut head = *head;
    for _ in 0..count {
        let mut new = following(link, &head, coin_ins(1, head.batch, 1));
        let moved = i64::try_from(head.batch).unwrap() * 1_000_000;
        (new.batch.deltas[1], new.batch.deltas[2]) = (-1_000_000, 1_000_000);
        new.batch.after[1] -= moved;
        new.batch.after[2] += moved;
        let new = sealed(new);
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
    }
    head
}

/// Compares the parts of a check as a caller does.
fn agrees(since: u64, check: &RunningCheck) -> bool {
    let opening = match &check.since {
        Some(end) => end.after.clone(),
        None if since == 0 => vec![0; check.moved.len()],
        None => return false,
    };
    let (Some(last), Some(end)) = (&check.last, &check.end) else {
        return false;
    };
    let moved = if check.moved.is_empty() {
        opening
    } else {
        let pairs = opening.iter().zip(&check.moved);
        pairs.map(|(before, moved)| before + moved).collect()
    };
    check.head.batch >= since
        && check.head.balances == last.after
        && check.head_hash == last.chain_hash
        && check.batches == check.through - since
        && moved == end.after
}

/// A sound link agrees, from its first batch and from any other, while batches are committed
/// concurrently.
#[tokio::test]
async fn a_sound_link_agrees() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let head = batches(&store, link, &head, 5).await;
    for since in 0..=6 {
        let check = store.running_check(link, since).await.unwrap().unwrap();
        assert!(agrees(since, &check), "{since}: {check:?}");
        assert_eq!((check.through, check.batches), (6, 6 - since));
        assert_eq!(check.last, check.end);
    }
    let check = store.running_check(link, 4).await.unwrap().unwrap();
    assert_eq!((check.moved[1], check.moved[2]), (-2_000_000, 2_000_000));
    let end = check.end.unwrap();
    let BatchEnd {
        batch,
        after,
        chain_hash,
    } = end;
    assert_eq!((batch, chain_hash), (6, head.chain_hash));
    assert_eq!(after[2], 105_000_000);
    assert_eq!(store.running_check(LinkId(99), 0).await.unwrap(), None);

    let work = batches(&store, link, &head, 30);
    let checks = async {
        for _ in 0..30 {
            let check = store.running_check(link, 6).await.unwrap().unwrap();
            assert!(agrees(6, &check), "{check:?}");
        }
    };
    tokio::join!(work, checks);
}

/// CONFORMANCE 44 and 45: a changed balance, a missing or changed batch and a head that went back
/// each show. None of them reads as a sound link.
#[tokio::test]
async fn a_running_check_detects_changed_balances_batches_and_heads() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    batches(&store, link, &head, 5).await;
    let replica = "SET session_replication_role = replica; ";
    let steps = [
        (
            "UPDATE link_head SET balances[3] = 1",
            "UPDATE link_head SET balances = '{}'",
        ),
        (
            "UPDATE link_head SET chain_hash = sha256('x')",
            "UPDATE link_head AS h SET chain_hash = b.chain_hash FROM batch AS b
             WHERE b.batch = h.batch",
        ),
        (
            "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) - 1, deltas[3] = COALESCE(deltas[3], 0) + 1 WHERE batch = 5",
            "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) + 1, deltas[3] = COALESCE(deltas[3], 0) - 1 WHERE batch = 5",
        ),
        (
            "CREATE TABLE kept AS SELECT * FROM batch WHERE batch = 5;
             DELETE FROM batch WHERE batch = 5",
            "INSERT INTO batch SELECT * FROM kept; DROP TABLE kept",
        ),
        (
            "CREATE TABLE kept AS SELECT * FROM batch WHERE batch = 6;
             DELETE FROM batch WHERE batch = 6",
            "INSERT INTO batch SELECT * FROM kept; DROP TABLE kept",
        ),
        (
            "CREATE TABLE kept AS SELECT * FROM batch WHERE batch = 3;
             DELETE FROM batch WHERE batch = 3",
            "INSERT INTO batch SELECT * FROM kept; DROP TABLE kept",
        ),
        (
            "UPDATE link_head SET batch = 2",
            "UPDATE link_head SET batch = 6",
        ),
    ];
    for (spoil, restore) in steps {
        world
            .run_as_admin(&format!("{replica}{spoil}"))
            .await
            .unwrap();
        let check = store.running_check(link, 3).await.unwrap().unwrap();
        assert!(!agrees(3, &check), "{spoil}: {check:?}");
        world
            .run_as_admin(&format!("{replica}{restore}"))
            .await
            .unwrap();
        let check = store.running_check(link, 3).await.unwrap().unwrap();
        assert!(agrees(3, &check), "{restore}: {check:?}");
    }
}

/// A check that is far behind continues where it stopped.
#[tokio::test]
async fn a_long_running_check_is_done_in_steps() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, _) = open(&store, "main").await;
    let fill = "INSERT INTO batch SELECT 1, n, at + n, 'n', 1, 1, period, 1,
                       array_fill(0::bigint, ARRAY[16]), after, chain_hash
                FROM batch, generate_series(2, 12000) AS n WHERE batch = 1;
                UPDATE link_head SET batch = 12000";
    world.run_as_admin(fill).await.unwrap();
    let mut since = 0;
    for through in [CHECK_BATCHES_MAX, 12_000, 12_000] {
        let check = store.running_check(link, since).await.unwrap().unwrap();
        assert!(agrees(since, &check));
        assert_eq!(check.through, through);
        since = check.through;
    }
}
