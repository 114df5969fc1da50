//! Ranges of a journal for reports (CONFORMANCE 57).

use meterhouse_domain::ids::{LinkId, Sequence, TableNo, Timestamp};
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::position::Position;
use meterhouse_store::{
    Commit, Head, JoinedRow, Journal as _, Mark, NewBatch, Store, TableContributions,
};

use crate::common::{
    CommitOne as _, EMPTY, NOW, PERIOD, World, after, coin_ins, following, open, sealed,
};

async fn commit(store: &Store, new: NewBatch) -> Head {
    let new = sealed(new);
    let commit = store.journal(new.batch.link).commit_one(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    after(&new)
}

fn event(kind: u8) -> EventRow {
    EventRow {
        actor: 1,
        kind,
        ..EventRow::default()
    }
}

/// Commits ten batches over two months, each with a coin-in of two tables and events of kinds 20
/// and 21, or of 22.
async fn ten_batches(store: &Store) -> LinkId {
    let (link, mut head) = open(store, "main").await;
    for step in 0..10_u64 {
        let mut events = coin_ins(1, 1 + step, 1);
        events.extend(coin_ins(2, 1 + 2 * step, 2));
        if step.is_multiple_of(2) {
            events.extend([event(20), event(21)]);
        } else {
            events.push(event(22));
        }
        let mut new = following(link, &head, events);
        new.batch.period = PERIOD + i32::from(step >= 5);
        new.tables = if step == 0 { joined() } else { Vec::new() };
        if step == 0 {
            let mark = |(table, position)| Mark {
                table,
                sequence: 1,
                position,
            };
            new.marks = [(1, 0), (2, 1)].map(mark).to_vec();
        }
        head = commit(store, new).await;
    }
    link
}

fn joined() -> Vec<JoinedRow> {
    let table = |table_no| JoinedRow {
        table_no,
        name: format!("C4P-0{table_no}"),
        game: "crazy-4-poker".to_owned(),
        seats: 6,
    };
    [1, 2].map(table).to_vec()
}

/// Events of some kinds come newest first, across months, and continue where they stopped.
#[tokio::test]
async fn notable_events_come_newest_first() {
    let world = World::new().await;
    let store = world.store().await;
    let link = ten_batches(&store).await;
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = store.notable(link, &[20, 21], before, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.position);
        seen.extend(
            page.into_iter()
                .map(|happening| (happening.position, happening.event.kind)),
        );
    }
    let expected: Vec<_> = [10, 8, 6, 4, 2]
        .into_iter()
        .flat_map(|batch| [(4, 21), (3, 20)].map(|(index, kind)| (batch, index, kind)))
        .map(|(batch, index, kind)| (Position { batch, index }, kind))
        .collect();
    assert_eq!(seen, expected);
    let opened = store.notable(link, &[16], None, 9).await.unwrap();
    assert_eq!((opened.len(), opened[0].at), (1, Timestamp(NOW)));
    // A table's routine is never among them, even if its kind is requested.
    assert_eq!(store.notable(link, &[1], None, 9).await.unwrap(), []);
    assert_eq!(store.notable(link, &[], None, 9).await.unwrap(), []);
    // A kind that is named twice is returned once.
    let twice = store.notable(link, &[16, 16], None, 9).await.unwrap();
    assert_eq!(twice, opened);
    let none = store.notable(LinkId(99), &[16], None, 9).await.unwrap();
    assert_eq!(none, []);
}

/// The events of one time are those of all its batches, without the tables' routine.
#[tokio::test]
async fn notable_events_are_found_by_time() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    for (moment, kind) in [(5, 18), (7, 18), (7, 19), (9, 18)] {
        let mut events = coin_ins(1, head.batch, 1);
        events.push(event(kind));
        let mut new = following(link, &head, events);
        new.batch.at = Timestamp(NOW + moment);
        new.batch.period = PERIOD + i32::from(kind == 19);
        head = commit(&store, new).await;
        head.period = PERIOD;
    }
    let found = store.notable_at(link, Timestamp(NOW + 7)).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|happening| {
            (
                happening.position.batch,
                happening.position.index,
                happening.event.kind,
            )
        })
        .collect();
    assert_eq!(found, [(3, 1, 18), (4, 1, 19)]);
    let none = store.notable_at(link, Timestamp(NOW + 8)).await.unwrap();
    assert_eq!(none, []);
}

/// The commands of a table are found by their numbers through the marks, across months, among
/// commands of other tables.
#[tokio::test]
async fn commands_of_a_table_are_found() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    for step in 0..30_u64 {
        let mut events = coin_ins(2, 1 + 5 * step, 5);
        events.extend(coin_ins(1, 1 + 10 * step, 10));
        let mut new = following(link, &head, events);
        new.batch.period = PERIOD + i32::from(step >= 15);
        for (index, event) in (0..).zip(&new.batch.events) {
            let (table, sequence) = (event.table.unwrap(), event.sequence.unwrap());
            if sequence % 64 == 1 {
                new.marks.push(Mark {
                    table,
                    sequence,
                    position: index,
                });
            }
        }
        head = commit(&store, new).await;
    }
    let table = TableNo(1);
    for (from, limit, count) in [
        (1, 1, 1),
        (60, 20, 20),
        (64, 1, 1),
        (65, 64, 64),
        (140, 20, 20),
        (290, 256, 11),
        (301, 9, 0),
        (20, 9_999, 256),
        (u64::MAX, 9, 0),
    ] {
        let found = store.table_events(link, table, Sequence(from), limit).await;
        let found = found.unwrap();
        let numbers: Vec<u64> = found
            .iter()
            .map(|happening| happening.event.sequence.unwrap())
            .collect();
        assert_eq!(numbers, (from..from + count).collect::<Vec<_>>());
        assert!(
            found
                .iter()
                .all(|happening| happening.event.table == Some(1))
        );
        for event in &found {
            let batch = store
                .batch(link, event.position.batch)
                .await
                .unwrap()
                .unwrap();
            let position = usize::try_from(event.position.index).unwrap();
            assert_eq!(batch.batch.events[position], event.event);
            assert_eq!(batch.batch.at, event.at);
        }
    }
    let unknown = store.table_events(link, TableNo(3), Sequence(1), 9).await;
    assert_eq!(unknown.unwrap(), []);
    for number in [0, 32, u64::MAX] {
        assert_eq!(store.batch(link, number).await.unwrap(), None);
    }
}

/// CONFORMANCE 57: the sums between two positions are the sums of the events between them, for
/// every pair of positions.
#[tokio::test]
async fn contributions_equal_the_sums_of_the_events() {
    let world = World::new().await;
    let store = world.store().await;
    let link = ten_batches(&store).await;
    let all = store.journal(link).read_after(&EMPTY, 99).await.unwrap();
    let mut events = Vec::new();
    for stored in &all.batches {
        for (index, event) in (0..).zip(&stored.batch.events) {
            let batch = stored.batch.number;
            events.push((Position { batch, index }, event));
        }
    }
    let count = |table: u32, after: Position, through: Position| {
        let is_in = |entry: &&(Position, &EventRow)| {
            entry.0 > after
                && entry.0 <= through
                && entry.1.kind == 1
                && entry.1.table == Some(table)
        };
        u64::try_from(events.iter().filter(is_in).count()).unwrap()
    };
    let ends = [Position::default(), Position::behind(u64::MAX)];
    let positions: Vec<Position> = events.iter().map(|entry| entry.0).chain(ends).collect();
    for after in positions.iter().step_by(4).copied() {
        for through in positions.iter().rev().step_by(5).copied() {
            let sums = store.contributions(link, after, through).await.unwrap();
            let expected: Vec<TableContributions> = [1, 2]
                .into_iter()
                .map(|table| sum(table, count(table, after, through)))
                .filter(|sum| sum.coin_ins > 0)
                .collect();
            assert_eq!(sums, expected, "{after:?} {through:?}");
        }
    }
    let [first, last] = ends;
    let unknown = store.contributions(LinkId(99), first, last).await.unwrap();
    assert_eq!(unknown, []);
}

/// Returns the sums of this many of the tests' coin-ins.
fn sum(table: u32, coin_ins: u64) -> TableContributions {
    let times = i64::try_from(coin_ins).unwrap();
    TableContributions {
        table: TableNo(table),
        coin_ins,
        own_wagers: 2 * coin_ins,
        dealer_wagers: 0,
        added: [270_000, 210_000, 90_000, 0].map(|micros: i64| micros * times),
    }
}

/// A range of more batches than one statement sums is summed completely, each event once.
#[tokio::test]
async fn contributions_over_several_statements_count_each_event_once() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, _) = open(&store, "main").await;
    let fill = "INSERT INTO batch SELECT 1, n, at + n, 'n', 1, 1, period, 2,
                       array_fill(0::bigint, ARRAY[16]), after, chain_hash
                FROM batch, generate_series(2, 25000) AS n WHERE batch = 1;
                INSERT INTO event (link_id, period, batch, position, table_no, actor_id, sequence,
                                   kind, own_seats, dealer_seats, i1)
                SELECT 1, period, batch, n, 1 + n, 1, batch, 1, 7, 1, batch
                FROM batch, generate_series(0, 1) AS n WHERE batch > 1;
                UPDATE link_head SET batch = 25000";
    world.run_as_admin(fill).await.unwrap();
    let ends = (Position::default(), Position::behind(u64::MAX));
    let sums = store.contributions(link, ends.0, ends.1).await.unwrap();
    let expected = |table| TableContributions {
        table: TableNo(table),
        coin_ins: 24_999,
        own_wagers: 3 * 24_999,
        dealer_wagers: 24_999,
        added: [25_000 * 25_001 / 2 - 1, 0, 0, 0],
    };
    assert_eq!(sums, [1, 2].map(expected));
}

/// Only coin-ins with a fourth share and a record are returned, page by page, up to the last
/// position.
#[tokio::test]
async fn coin_ins_with_more_shares_are_read() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    for step in 0..6_u64 {
        let mut events = coin_ins(1, 1 + 4 * step, 4);
        for event in &mut events[1..] {
            event.numbers[3] = Some(5);
        }
        for event in &mut events[2..] {
            event.record = Some(vec![1, 2, 3]);
        }
        let mut new = following(link, &head, events);
        new.batch.period = PERIOD + i32::from(step >= 3);
        head = commit(&store, new).await;
    }
    let through = Position { batch: 6, index: 2 };
    let mut after = Position { batch: 2, index: 2 };
    let mut seen = Vec::new();
    loop {
        let page = store.wide_coin_ins(link, after, through, 4).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.position;
        seen.extend(
            page.into_iter()
                .map(|happening| (happening.position.batch, happening.position.index)),
        );
    }
    let between = (3..=5).flat_map(|batch| [(batch, 2), (batch, 3)]);
    let expected: Vec<_> = [(2, 3)]
        .into_iter()
        .chain(between)
        .chain([(6, 2)])
        .collect();
    assert_eq!(seen, expected);
}
