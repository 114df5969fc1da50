//! Batches of several links in one commit statement: each link has its own outcome, and none waits for another.

use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{Commit, Head, Journal as _, Mark, NewBatch, PgJournal, Store};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::common::{
    CommitOne as _, World, after, coin_ins, following, open, sealed, store, waiting,
};
use crate::held_batches::{begin, commits, poll_once};
use crate::proxy::Proxy;

const LINKS: u32 = 40;
/// Longest wait for commits that nothing holds up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A link with its journal and its head.
pub(crate) struct OpenLink {
    pub(crate) link: LinkId,
    pub(crate) journal: PgJournal,
    pub(crate) head: Head,
}

pub(crate) async fn open_links(store: &Store, count: u32) -> Vec<OpenLink> {
    let mut links = Vec::new();
    for number in 0..count {
        let (link, head) = open(store, &format!("link-{number}")).await;
        let mut journal = store.journal(link);
        // A journal reads its head before its first commit. So no batch below waits for that.
        assert_eq!(journal.read_head().await.unwrap(), head);
        links.push(OpenLink {
            link,
            journal,
            head,
        });
    }
    links
}

/// Returns a batch of each link, with as many coin-ins as its place says.
pub(crate) fn batches(links: &[OpenLink]) -> Vec<NewBatch> {
    let numbered = (1..).zip(links);
    let batch = |(table, link): (u32, &OpenLink)| {
        let count = 1 + u64::from(table % 3);
        let first = 1 + link.head.batch * 8;
        let mut new = following(link.link, &link.head, coin_ins(table, first, count));
        new.marks = vec![Mark {
            table,
            sequence: first,
            position: 0,
        }];
        new.batch.after[0] = i64::from(table);
        new.batch.after[1] -= i64::from(table);
        new.batch.deltas[0] = i64::from(table);
        new.batch.deltas[1] = -i64::from(table);
        sealed(new)
    };
    numbered.map(batch).collect()
}

/// Commits a batch of each link at the same time. Returns the outcomes in their order.
async fn commit_all(links: &mut [OpenLink], batches: &[NewBatch]) -> Vec<Commit> {
    let each = links.iter_mut().zip(batches);
    let commits = each.map(|(link, new)| link.journal.commit_one(new));
    futures_util::future::join_all(commits).await
}

async fn assert_stored(links: &mut [OpenLink], batches: &[NewBatch]) {
    for (link, new) in links.iter_mut().zip(batches) {
        let stored = link.journal.read_after(&link.head, 10).await.unwrap();
        assert_eq!(stored.head, after(new));
        let stored: Vec<_> = stored.batches.iter().map(|stored| &stored.batch).collect();
        assert_eq!(stored, [&new.batch]);
        let mark = &new.marks[0];
        let found = link.journal.find(mark.table, mark.sequence).await.unwrap();
        let found = found.unwrap();
        assert_eq!((&found.batches[0].batch, found.position), (&new.batch, 0));
    }
}

/// The first batch has a turn by itself; the others wait, and go in one statement.
#[tokio::test]
async fn what_waits_goes_in_one_statement() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, LINKS).await;
    // Half of the links as programs before compact links have them.
    let older = "UPDATE link_head SET is_compact = false WHERE link_id % 2 = 0";
    world.run_as_admin(older).await.unwrap();
    let new = batches(&links);
    for commit in commit_all(&mut links, &new).await {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    assert_stored(&mut links, &new).await;
    let statements = "SELECT count(DISTINCT xmin::text) FROM batch WHERE batch = 2";
    assert_eq!(world.number(statements).await, 2);
    let balances = "SELECT count(*) FROM link_head AS h JOIN batch AS b USING (link_id, batch)
                    WHERE h.balances = b.after AND b.after[1] = b.link_id AND NOT is_compact";
    assert_eq!(world.number(balances).await, i64::from(LINKS) / 2);
    let compact = "SELECT count(*) FROM link_head AS h JOIN batch AS b USING (link_id, batch)
                   WHERE h.balances = '{}' AND b.after[1] = b.link_id AND b.after[4] IS NULL AND is_compact";
    assert_eq!(world.number(compact).await, i64::from(LINKS) / 2);
}

/// Links whose heads another node moved are told so, the first one alone and others among many. All others commit.
#[tokio::test]
async fn a_moved_head_fails_no_other() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, LINKS).await;
    let new = batches(&links);
    let other = world.store().await;
    for index in [0, 7, 39] {
        let (link, head) = (links[index].link, links[index].head);
        let theirs = following(link, &head, coin_ins(1, 1, 1));
        let commit = other.journal(link).commit_one(&theirs).await;
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    for (index, commit) in commit_all(&mut links, &new).await.iter().enumerate() {
        match commit {
            Commit::Moved => assert!([0, 7, 39].contains(&index), "{index}"),
            Commit::Committed => assert!(![0, 7, 39].contains(&index), "{index}"),
            other => panic!("{index}: {other:?}"),
        }
    }
    let events = "SELECT count(*) FROM batch AS b WHERE events <>
        (SELECT count(*) FROM event AS e WHERE e.link_id = b.link_id AND e.batch = b.batch)";
    assert_eq!(world.number(events).await, 0);
}

/// Links whose heads a session of psql holds wait for it, wherever they stand. No other link waits.
#[tokio::test]
async fn a_held_head_delays_no_other() {
    for held in [0, 7, 39] {
        let world = World::new().await;
        let mut links = open_links(&world.store().await, LINKS).await;
        let new = batches(&links);
        let mut blocker = PgConnection::connect_with(&world.admin).await.unwrap();
        let lock = "BEGIN; SELECT FROM link_head WHERE link_id = $1 FOR UPDATE";
        let lock = lock.replace("$1", &links[held].link.0.to_string());
        let lock = sqlx::AssertSqlSafe(lock);
        sqlx::raw_sql(lock).execute(&mut blocker).await.unwrap();
        let mut commits = JoinSet::new();
        for (index, (mut link, new)) in links.drain(..).zip(new.clone()).enumerate() {
            commits.spawn(async move {
                let commit = link.journal.commit_one(&new).await;
                (index, link, commit)
            });
        }
        // The lock ends only once all others have committed.
        for _ in 1..LINKS {
            let (index, _, commit) = commits.join_next().await.unwrap().unwrap();
            assert_ne!(index, held);
            assert!(matches!(commit, Commit::Committed), "{index}: {commit:?}");
        }
        sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
        let (index, _, commit) = commits.join_next().await.unwrap().unwrap();
        assert_eq!(index, held);
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
}

/// A link that waited too long for its head has no turn. The first of two others commits at once, and the second one follows;
/// behind a turn they would wait together, and go in one statement.
#[tokio::test]
async fn a_contested_link_holds_no_turn() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 3).await;
    let new = batches(&links);
    let mut blocker = PgConnection::connect_with(&world.admin).await.unwrap();
    let lock = format!(
        "BEGIN; SELECT FROM link_head WHERE link_id = {} FOR UPDATE",
        links[0].link.0
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock))
        .execute(&mut blocker)
        .await
        .unwrap();
    let late = links[0].journal.commit_one(&new[0]).await;
    assert!(matches!(late, Commit::RolledBack(_)), "{late:?}");
    let commits = commit_all(&mut links, &new);
    let freed = async {
        let second = "SELECT count(*) FROM batch WHERE batch = 2";
        while world.number(second).await < 2 {}
        sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
    };
    let both = async { tokio::join!(commits, freed) };
    let (commits, ()) = timeout(PATIENCE, both).await.expect("both others commit");
    for commit in commits {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    let statements = "SELECT count(DISTINCT xmin::text) FROM batch WHERE batch = 2";
    assert_eq!(world.number(statements).await, 3);
}

/// A batch whose books don't balance is found among the others, which commit.
#[tokio::test]
async fn a_refused_batch_is_found_and_the_others_commit() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, LINKS).await;
    let mut new = batches(&links);
    for index in [5, 23] {
        new[index].batch.deltas[0] += 1;
    }
    for (index, commit) in commit_all(&mut links, &new).await.iter().enumerate() {
        match commit {
            Commit::RolledBack(refused) => {
                assert!([5, 23].contains(&index), "{index}");
                assert_eq!(refused.constraint.as_deref(), Some("batch_books_stand"));
            }
            Commit::Committed => assert!(![5, 23].contains(&index), "{index}"),
            other => panic!("{index}: {other:?}"),
        }
    }
}

/// A statement for several links that is lost, and arrives after some heads were confirmed: those stay as they were
/// confirmed, the others commit, and nothing is committed twice.
#[tokio::test]
async fn a_lost_statement_is_resolved_by_each_link() {
    let world = World::new().await;
    let proxy = Proxy::new(&world.admin, Duration::ZERO);
    let store = store(&proxy.through(&world.app)).await;
    let mut links = open_links(&store, LINKS).await;
    // Both statements are prepared, so that each is a single message from now on.
    let ready = batches(&links);
    for commit in commit_all(&mut links, &ready).await {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    for (link, new) in links.iter_mut().zip(&ready) {
        link.head = after(new);
    }
    let new = batches(&links);
    proxy.hold();
    let (lost, ()) = tokio::join!(commit_all(&mut links, &new), async {
        // The first batch, alone, and the others.
        proxy.holds(2).await;
        proxy.cut();
    });
    for commit in &lost {
        assert!(matches!(commit, Commit::Unknown(_)), "{commit:?}");
    }
    let mut confirmed = Vec::new();
    for link in links.iter_mut().take(20) {
        let head = link.journal.confirm_head().await.unwrap();
        assert_eq!(
            (head.batch, head.epoch),
            (link.head.batch, link.head.epoch + 1)
        );
        confirmed.push(head);
    }
    proxy.release();
    let direct = world.store().await;
    for (index, (link, new)) in links.iter_mut().zip(&new).enumerate() {
        link.journal = direct.journal(link.link);
        let head = link.journal.confirm_head().await.unwrap();
        let was_committed = head.batch == new.batch.number;
        assert!(
            !was_committed || index >= 20,
            "{index} committed after it was confirmed"
        );
        if was_committed {
            assert_eq!(head.chain_hash, new.chain_hash);
            continue;
        }
        let table = u32::try_from(index).unwrap() + 1;
        let count = u64::try_from(new.batch.events.len()).unwrap();
        let again = following(
            link.link,
            &head,
            coin_ins(table, 1 + link.head.batch * 8, count),
        );
        let commit = link.journal.commit_one(&again).await;
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    let twice = "SELECT count(*) FROM (SELECT FROM event WHERE kind = 1
                 GROUP BY link_id, table_no, sequence HAVING count(*) > 1) AS twice";
    assert_eq!(world.number(twice).await, 0);
}

/// A committer that ends while it waits for its turn, or once the turn has passed to it, commits nothing and holds up no
/// other.
#[tokio::test]
async fn a_batch_whose_committer_has_ended_is_not_sent() {
    for has_turn in [false, true] {
        let world = World::new().await;
        let mut links = open_links(&world.store().await, 3).await;
        let new: Vec<_> = batches(&links).iter().map(waiting).collect();
        let (mut held, [first, second, third]) = begin(&world, &mut links, &new).await;
        held.release().await;
        let (first, third) = if has_turn {
            let first = first.await;
            drop(second);
            (first, third.await)
        } else {
            drop(second);
            tokio::join!(first, third)
        };
        assert!(matches!(first, Commit::Committed), "{first:?}");
        assert!(matches!(third, Commit::Committed), "{third:?}");
        let committed = "SELECT count(*) FROM batch WHERE batch = 2";
        assert_eq!(world.number(committed).await, 2);
    }
}

/// A committer whose batch was in the last statement, and who has not been polled since, does not hold up the next turn.
#[tokio::test]
async fn a_turn_passes_by_what_was_sent() {
    let world = World::new().await;
    let mut links = open_links(&world.store().await, 4).await;
    let new: Vec<_> = batches(&links).iter().map(waiting).collect();
    let (earlier, later) = links.split_at_mut(3);
    let (mut held, [first, mut second, third]) = begin(&world, earlier, &new).await;
    let [mut fourth] = commits(later, &new[3..]);
    held.release().await;
    let first = first.await;
    assert!(matches!(first, Commit::Committed), "{first:?}");
    // The second one has the turn now, and takes the third one's batch with it.
    held.hold_again().await;
    poll_once(&mut second);
    poll_once(&mut fourth);
    held.release().await;
    let second = second.await;
    assert!(matches!(second, Commit::Committed), "{second:?}");
    let fourth = fourth.await;
    assert!(matches!(fourth, Commit::Committed), "{fourth:?}");
    let third = third.await;
    assert!(matches!(third, Commit::Committed), "{third:?}");
    let statements = "SELECT count(DISTINCT xmin::text) FROM batch WHERE batch = 2";
    assert_eq!(world.number(statements).await, 3);
}

/// A statement for several links gets no answer. The batches in it are unknown. One that waits for its turn from the
/// beginning is denied by the limit of that wait, and one that comes afterwards when the turn ends. Both can be committed
/// later.
#[tokio::test]
async fn a_turn_without_an_answer_denies_what_waited() {
    let world = World::new().await;
    let proxy = Proxy::new(&world.admin, Duration::ZERO);
    let store = store(&proxy.through(&world.app)).await;
    let mut links = open_links(&store, 5).await;
    // Both statements are prepared, so that each is a single message from now on.
    let ready = batches(&links);
    for commit in commit_all(&mut links, &ready).await {
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
    for (link, new) in links.iter_mut().zip(&ready) {
        link.head = after(new);
    }
    let new = batches(&links);
    proxy.hold();
    let (sent, waiting) = links.split_at_mut(3);
    let (unknown, ()) = tokio::join!(commit_all(sent, &new[..3]), async {
        // The first batch, alone, and the two others.
        proxy.holds(2).await;
        for (link, new) in waiting.iter_mut().zip(&new[3..]) {
            let denied = link.journal.commit_one(new).await;
            assert!(matches!(denied, Commit::RolledBack(_)), "{denied:?}");
        }
    });
    for commit in &unknown {
        assert!(matches!(commit, Commit::Unknown(_)), "{commit:?}");
    }
    proxy.release();
    let direct = world.store().await;
    for (link, new) in waiting.iter().zip(&new[3..]) {
        let mut journal = direct.journal(link.link);
        let commit = journal.commit_one(new).await;
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
    }
}
