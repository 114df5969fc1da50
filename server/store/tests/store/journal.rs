//! Loading, finding, snapshots, hits, the feed and the reports.

use meterhouse_domain::name::{HitOrder, LinkId, TableNo, Timestamp};
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow};
use meterhouse_store::{
    Commit, Head, HitFilter, JoinedRow, Journal as _, Mark, Position, Store, StoredSnapshot,
};

use crate::common::{NOW, PERIOD, World, after, coin_ins, following, open, sealed};

/// Old commands are found through the marks, across months, and only where they are.
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
        assert!(matches!(journal.commit(&new).await, Commit::Committed));
        head = after(&new);
    }
    for (table, last) in [(1_u32, 200_u64), (2, 30)] {
        for sequence in 1..=last {
            let found = journal.find(table, sequence).await.unwrap().unwrap();
            let event = &found.stored.batch.events[found.position];
            assert_eq!((event.table, event.sequence), (Some(table), Some(sequence)));
        }
        assert_eq!(journal.find(table, last + 1).await.unwrap(), None);
    }
    assert_eq!(journal.find(3, 1).await.unwrap(), None);
}

/// Reading goes on where it stopped, and says whether there is more.
#[tokio::test]
async fn batches_are_read_in_pages() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, start) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let mut head = start;
    for step in 0..7 {
        let new = following(link, &head, coin_ins(1, 1 + step, 2));
        assert!(matches!(journal.commit(&new).await, Commit::Committed));
        head = after(&new);
    }
    let one = journal.read_after(&start, 4).await.unwrap();
    assert_eq!((one.batches.len(), one.more, one.head), (4, true, head));
    let place = Head {
        batch: one.batches[3].batch.number,
        ..start
    };
    let other = journal.read_after(&place, 4).await.unwrap();
    assert_eq!((other.batches.len(), other.more), (3, false));
    assert!(store.journal(LinkId(99)).read_head().await.is_err());
}

/// The last two states are kept; one that follows no batch of the journal is not believed.
#[tokio::test]
async fn two_states_are_kept() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    assert_eq!(journal.load_snapshot(None).await.unwrap(), None);
    let mut kept = Vec::new();
    for step in 0..4_u8 {
        let new = following(link, &head, coin_ins(1, 1 + u64::from(step), 1));
        assert!(matches!(journal.commit(&new).await, Commit::Committed));
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

fn hit(order: u64, state: HitState, payouts: u32) -> HitRow {
    let payout = |number| PayoutRow {
        number,
        seat: 3,
        player: (number == 1).then(|| "p-77".to_owned()),
        kind: 1,
        amount: 5_000_000,
        charged_to: 1,
        handed_over: 2,
        paid_at: None,
        paid_by_actor: None,
        document: None,
    };
    HitRow {
        table: 1,
        sequence: 10 + order,
        hit_order: order,
        round: 9,
        state,
        kind: 1,
        hand: 200,
        seat: Some(3),
        level: Some(0),
        percent: Some(100),
        before: Some(7),
        after: Some(-7),
        due: 5_000_000,
        cards: Some("As Ks".to_owned()),
        validated_cards: None,
        keyed_by_actor: 1,
        keyed_by: Some("d-12".to_owned()),
        keyed_at: NOW,
        decided_by_actor: None,
        decided_by: None,
        decided_at: None,
        note: None,
        payouts: (1..=payouts).map(payout).collect(),
    }
}

async fn commit_hits(store: &Store, link: LinkId, head: &Head, hits: Vec<HitRow>) -> Head {
    let kind = EventRow {
        actor: 1,
        kind: 18,
        table: Some(1),
        ..EventRow::default()
    };
    let mut new = following(link, head, vec![kind]);
    new.hits = hits;
    if head.batch == 1 {
        let (name, game) = (format!("T-{link}"), "poker".to_owned());
        new.tables.push(JoinedRow {
            table_no: 1,
            name,
            game,
            seats: 6,
        });
    }
    let commit = store.journal(link).commit(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    after(&new)
}

/// Hits are written and rewritten with the batch, and read back as they were written.
#[tokio::test]
async fn hits_stand_as_written() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let (other, other_head) = open(&store, "other").await;
    let first = vec![hit(1, HitState::Pending, 2), hit(2, HitState::Cancelled, 0)];
    let head = commit_hits(&store, link, &head, first.clone()).await;
    commit_hits(
        &store,
        other,
        &other_head,
        vec![hit(1, HitState::Pending, 1)],
    )
    .await;
    let found = store.find_hit(link, 1, 11).await.unwrap().unwrap();
    assert_eq!((&found.hit, found.link_name.as_str()), (&first[0], "main"));
    assert_eq!(found.table_name, format!("T-{link}"));
    assert_eq!(store.find_hit(link, 1, 99).await.unwrap(), None);
    let pending = [link, other];
    assert_eq!(
        store.links_with_hits(HitState::Pending).await.unwrap(),
        pending
    );

    let mut settled = hit(1, HitState::Paid, 1);
    settled.payouts[0].document = Some("JP-1".to_owned());
    settled.payouts[0].paid_at = Some(NOW);
    settled.note = Some("seen".to_owned());
    commit_hits(
        &store,
        link,
        &head,
        vec![settled.clone(), hit(3, HitState::Pending, 3)],
    )
    .await;
    assert_eq!(
        store.find_hit(link, 1, 11).await.unwrap().unwrap().hit,
        settled
    );

    let all = HitFilter::default();
    let start = (LinkId(0), HitOrder(0));
    let page = store.list_hits(all, start, 3).await.unwrap();
    let places = |page: &[meterhouse_store::FoundHit]| {
        page.iter()
            .map(|it| (it.link, it.hit.hit_order))
            .collect::<Vec<_>>()
    };
    assert_eq!(places(&page), [(link, 1), (link, 2), (link, 3)]);
    let page = store.list_hits(all, (link, HitOrder(3)), 3).await.unwrap();
    assert_eq!(places(&page), [(other, 1)]);
    let pending = HitFilter {
        state: Some(HitState::Pending),
        ..all
    };
    let page = store.list_hits(pending, start, 200).await.unwrap();
    assert_eq!(places(&page), [(link, 3), (other, 1)]);
    assert_eq!(page[0].hit.payouts.len(), 3);
    let of_other = HitFilter {
        link: Some(other),
        ..all
    };
    assert_eq!(
        places(&store.list_hits(of_other, start, 9).await.unwrap()),
        [(other, 1)]
    );
}

/// Four batches over two months, each two coin-ins and something that is no routine.
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
        assert!(matches!(journal.commit(&new).await, Commit::Committed));
        head = after(&new);
    }
    link
}

/// The feed sees what is no routine, the page everything; each goes on where it stopped.
#[tokio::test]
async fn the_feed_and_the_page() {
    let world = World::new().await;
    let store = world.store().await;
    let link = four_batches(&store).await;
    let heads = store.heads(&[LinkId(77), link]).await.unwrap();
    assert_eq!(
        (heads.len(), heads[0].batch, heads[0].balances.len()),
        (1, 5, 16)
    );
    let seen = store
        .happenings(link, Position::behind(1), 5, 3)
        .await
        .unwrap();
    assert_eq!(
        seen.iter().map(|it| it.place.batch).collect::<Vec<_>>(),
        [2, 3, 4]
    );
    assert_eq!(seen[0].event.record.as_deref(), Some(&[1, 2][..]));
    assert_eq!(seen[0].at, Timestamp(NOW + 1));
    let seen = store.happenings(link, seen[2].place, 5, 3).await.unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(
        store
            .happenings(link, Position::default(), 2, 9)
            .await
            .unwrap()
            .len(),
        2
    );

    let mut lines = Vec::new();
    let mut place = Position::default();
    loop {
        let page = store.journal_page(link, place, 4).await.unwrap();
        let Some(last) = page.last() else { break };
        place = last.line.place;
        lines.extend(page);
    }
    assert_eq!(lines.len(), 13);
    assert!(
        lines
            .windows(2)
            .all(|two| two[0].line.place < two[1].line.place)
    );
    assert_eq!(lines[0].actor_name.as_deref(), Some("meterhouse"));
}

/// The reports find the balances of a moment and the sums between two.
#[tokio::test]
async fn the_reports() {
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
    let sums = store.sums(link, 2, 5).await.unwrap();
    assert_eq!((sums.len(), sums[0].kind, sums[0].events), (2, 1, 6));
    assert_eq!(sums[0].numbers, [6 * 270_000, 6 * 210_000, 6 * 90_000, 0]);
    let deltas = store.deltas(link, 1, 5).await.unwrap();
    assert_eq!((deltas.len(), deltas[2]), (16, 4 * 2 * 570_000));
}

/// Links and tables are found by name and listed in pages; people see exact dollars.
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
