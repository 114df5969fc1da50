//! Loading, finding, snapshots, the feed and the reports.

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::position::Position;
use meterhouse_store::{Commit, Head, Journal as _, Mark, Store, StoredSnapshot};

use crate::common::{CommitOne as _, NOW, PERIOD, World, after, coin_ins, following, open, sealed};
use crate::hits::commit_hits;

/// Old commands are found through the marks, across months, and only if they exist.
#[tokio::test]
async fn old_commands_are_found() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    for step in 0..10_u64 {
        let mut events = coin_ins(1, 1 + 20 * step, 20);
        events.extend(coin_ins(2, 1 + 3 * step, 3));
        let mut new = following(link, &head, events);
        new.batch.period = PERIOD + i32::from(step >= 5);
        for (position, event) in new.batch.events.iter().enumerate() {
            let sequence = event.sequence.unwrap();
            if sequence % 64 == 1 {
                let position = u32::try_from(position).unwrap();
                new.marks.push(Mark {
                    table: event.table.unwrap(),
                    sequence,
                    position,
                });
            }
        }
        let new = sealed(new);
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
    }
    for (table, last) in [(1_u32, 200_u64), (2, 30)] {
        for sequence in 1..=last {
            let found = journal.find(table, sequence).await.unwrap().unwrap();
            let event = &found.batches[0].batch.events[found.position];
            assert_eq!((event.table, event.sequence), (Some(table), Some(sequence)));
        }
        assert_eq!(journal.find(table, last + 1).await.unwrap(), None);
    }
    assert_eq!(journal.find(3, 1).await.unwrap(), None);
}

/// Reading continues where it stopped, and tells if there is more.
#[tokio::test]
async fn batches_are_read_in_pages() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, start) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let mut head = start;
    for step in 0..7 {
        let new = following(link, &head, coin_ins(1, 1 + step, 2));
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
    }
    let one = journal.read_after(&start, 4).await.unwrap();
    assert_eq!((one.batches.len(), one.more, one.head), (4, true, head));
    let middle = Head {
        batch: one.batches[3].batch.number,
        ..start
    };
    let other = journal.read_after(&middle, 4).await.unwrap();
    assert_eq!((other.batches.len(), other.more), (3, false));
    assert!(store.journal(LinkId(99)).read_head().await.is_err());
}

/// The last two snapshots are kept. A snapshot that follows no batch of the journal is ignored.
#[tokio::test]
async fn the_last_two_snapshots_are_kept() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    assert_eq!(journal.load_snapshot(None).await.unwrap(), None);
    let mut kept = Vec::new();
    for step in 0..4_u8 {
        let new = following(link, &head, coin_ins(1, 1 + u64::from(step), 1));
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
        let state = vec![step; 100_000];
        let (batch, chain_hash) = (head.batch, head.chain_hash);
        let snapshot = StoredSnapshot {
            batch,
            format: 3,
            chain_hash,
            state,
        };
        journal.save_snapshot(&snapshot).await.unwrap();
        journal.save_snapshot(&snapshot).await.unwrap();
        kept.push(snapshot);
    }
    assert_eq!(
        journal.load_snapshot(None).await.unwrap().as_ref(),
        Some(&kept[3])
    );
    let older = journal.load_snapshot(Some(head.batch)).await.unwrap();
    assert_eq!(older.as_ref(), Some(&kept[2]));
    assert_eq!(
        journal.load_snapshot(Some(kept[2].batch)).await.unwrap(),
        None
    );
    world
        .run_as_admin("UPDATE snapshot SET chain_hash = 'x' WHERE batch = 5")
        .await
        .unwrap();
    assert_eq!(
        journal.load_snapshot(None).await.unwrap().as_ref(),
        Some(&kept[2])
    );
}

/// Commits four batches over two months, each with two coin-ins and one notable event.
async fn four_batches(store: &Store) -> LinkId {
    let (link, mut head) = open(store, "main").await;
    let mut journal = store.journal(link);
    for step in 0..4_u64 {
        let mut events = coin_ins(1, 1 + 2 * step, 2);
        events.push(EventRow {
            actor: 1,
            kind: 20,
            record: Some(vec![1, 2]),
            ..EventRow::default()
        });
        let mut new = following(link, &head, events);
        new.batch.period = PERIOD + i32::from(step >= 2);
        new.batch.deltas[0] = -570_000 * 2;
        new.batch.deltas[2] = 570_000 * 2;
        let new = sealed(new);
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
    }
    link
}

/// The feed returns notable events, the page every event. Each continues where it stopped.
#[tokio::test]
async fn the_feed_returns_notable_events_and_the_page_every_event() {
    let world = World::new().await;
    let store = world.store().await;
    let link = four_batches(&store).await;
    let heads = store.heads(&[LinkId(77), link]).await.unwrap();
    assert_eq!(
        (heads.len(), heads[0].batch, heads[0].balances.len()),
        (1, 5, 16)
    );
    let seen = store
        .notable_after(link, Position::behind(1), 5, 3)
        .await
        .unwrap();
    assert_eq!(
        seen.iter()
            .map(|happening| happening.position.batch)
            .collect::<Vec<_>>(),
        [2, 3, 4]
    );
    assert_eq!(seen[0].event.record.as_deref(), Some(&[1, 2][..]));
    assert_eq!(seen[0].at, Timestamp(NOW + 1));
    let seen = store
        .notable_after(link, seen[2].position, 5, 3)
        .await
        .unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(
        store
            .notable_after(link, Position::default(), 2, 9)
            .await
            .unwrap()
            .len(),
        2
    );

    let mut lines = Vec::new();
    let mut after = Position::default();
    loop {
        let page = store.journal_page(link, after, 4).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.line.position;
        lines.extend(page);
    }
    assert_eq!(lines.len(), 13);
    // A position in a batch that doesn't exist has no events after it, and doesn't return to the
    // beginning.
    for batch in [6, 7, u64::MAX] {
        let beyond = Position { batch, index: 0 };
        assert_eq!(store.journal_page(link, beyond, 4).await.unwrap(), []);
    }
    let whole = store.journal_page(link, Position::behind(0), 99).await;
    assert_eq!(whole.unwrap(), lines);
    assert!(
        lines
            .windows(2)
            .all(|two| two[0].line.position < two[1].line.position)
    );
    assert_eq!(lines[0].actor_name.as_deref(), Some("meterhouse"));
}

/// The reports find the balances of a time and of a batch.
#[tokio::test]
async fn balances_are_found_by_time_and_by_batch() {
    let world = World::new().await;
    let store = world.store().await;
    let link = four_batches(&store).await;
    assert_eq!(
        store.balances_at(link, Timestamp(NOW - 1)).await.unwrap(),
        None
    );
    let at = store
        .balances_at(link, Timestamp(NOW + 2))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((at.batch, at.after[2]), (3, 100_000_000));
    assert_eq!(store.balances_after(link, 3).await.unwrap(), Some(at));
    assert_eq!(store.balances_after(link, 6).await.unwrap(), None);
}

/// Links and tables are found by name and listed in pages. A view shows exact dollars.
#[tokio::test]
async fn links_and_tables_are_found() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    commit_hits(&store, link, &head, vec![]).await;
    let found = store.find_link("main").await.unwrap().unwrap();
    assert_eq!(
        (found.link, found.wager_micros, found.decks),
        (link, 1_000_000, 1)
    );
    assert_eq!(store.find_link_by_id(link).await.unwrap(), Some(found));
    assert_eq!(store.find_link("none").await.unwrap(), None);
    let table = store
        .find_table(&format!("T-{link}"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (table.link, table.table, table.seats),
        (link, TableNo(1), 6)
    );
    let listed = store
        .list_tables(None, (LinkId(0), TableNo(0)), 10)
        .await
        .unwrap();
    assert_eq!(listed, [table]);
    assert_eq!(
        store
            .list_tables(Some(link), (link, TableNo(1)), 10)
            .await
            .unwrap(),
        []
    );
    let shown =
        "SELECT count(*) FROM meter WHERE link = 'main' AND level = 0 AND meter = 100.000000";
    assert_eq!(world.number(shown).await, 1);
    assert_eq!(world.number("SELECT count(*) FROM meter").await, 1);
    assert_eq!(
        world
            .number("SELECT count(*) FROM book WHERE is_fixed")
            .await,
        1
    );
}
