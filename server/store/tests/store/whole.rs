//! A whole link, read by COPY, by plain statements and as it was committed.

use meterhouse_domain::ids::{HitOrder, TableNo};
use meterhouse_journal::batch::EventRow;
use meterhouse_store::verify::LinkReader;
use meterhouse_store::verify::pieces::{NoArchive, Piece};
use meterhouse_store::{Commit, Journal as _, Mark, StoreError, StoredBatch};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::common::{
    CommitOne as _, EMPTY, PERIOD, World, after, coin_ins, following, open, sealed,
};

fn event() -> impl Strategy<Value = EventRow> {
    let origin = option::of((0..=i32::MAX.cast_unsigned(), 0..=i64::MAX.cast_unsigned()));
    let seats = || option::of(0_u16..0x8000);
    let numbers = [
        any::<Option<i64>>(),
        any::<Option<i64>>(),
        any::<Option<i64>>(),
        any::<Option<i64>>(),
    ];
    let record = option::of(vec(any::<u8>(), 0..200));
    let codes = (any::<i32>(), any::<u8>(), any::<Option<u8>>());
    (origin, codes, seats(), seats(), numbers, record).prop_map(
        |(origin, (actor, kind, refusal), own_seats, dealer_seats, numbers, record)| EventRow {
            table: origin.map(|origin| origin.0),
            sequence: origin.map(|origin| origin.1),
            actor,
            kind,
            refusal,
            own_seats,
            dealer_seats,
            numbers,
            record,
        },
    )
}

async fn pieces(view: &mut LinkReader) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut archive = NoArchive;
    let read = view.for_each_batch(&mut archive, |piece| {
        pieces.push(piece);
        Ok::<_, StoreError>(())
    });
    read.await.unwrap();
    pieces
}

/// Random batches over three months: committed, copied and plainly read, they are the same.
#[test]
fn copied_read_and_committed_batches_are_equal() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let world = runtime.block_on(World::new());
    let store = runtime.block_on(world.store());
    let mut runner = TestRunner::new(Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    });
    let batches = vec((vec(event(), 1..30), vec(any::<i64>(), 3), 0..2_i32), 1..12);
    let mut link_number = 0;
    let link_number = std::cell::RefCell::new(&mut link_number);
    let outcome = runner.run(&batches, |batches| {
        runtime.block_on(async {
            **link_number.borrow_mut() += 1;
            let (link, mut head) = open(&store, &format!("link-{}", link_number.borrow())).await;
            let mut journal = store.journal(link);
            let mut written = Vec::new();
            for (events, numbers, step) in batches {
                let mut new = following(link, &head, events);
                new.batch.period = (head.period + step).min(PERIOD + 2);
                new.batch.after[0] = numbers[0];
                new.batch.after[6] = numbers[1];
                new.batch.node = format!("node ü {}", numbers[2]);
                let new = sealed(new);
                let commit = journal.commit_one(&new).await;
                prop_assert!(matches!(commit, Commit::Committed), "{commit:?}");
                head = after(&new);
                written.push(StoredBatch {
                    batch: new.batch,
                    chain_hash: new.chain_hash,
                });
            }
            let plain = journal.read_after(&EMPTY, 1_000).await.unwrap().batches;
            prop_assert_eq!(&plain[1..], &written[..]);
            let mut view = store.view_link(link).await.unwrap();
            let copied = pieces(&mut view).await;
            prop_assert_eq!(
                copied,
                plain.into_iter().map(Piece::Batch).collect::<Vec<_>>()
            );
            prop_assert_eq!(view.head().await.unwrap().0, head);
            view.close().await.unwrap();
            Ok(())
        })
    });
    outcome.unwrap();
}

/// A view is consistent: it does not contain what is committed while it reads.
#[tokio::test]
async fn a_link_reader_sees_one_snapshot() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut view = store.view_link(link).await.unwrap();
    let mut new = following(link, &head, coin_ins(1, 1, 5));
    new.marks.push(Mark {
        table: 1,
        sequence: 1,
        position: 0,
    });
    assert!(matches!(
        store.journal(link).commit_one(&new).await,
        Commit::Committed
    ));
    assert_eq!(view.head().await.unwrap().0, head);
    assert_eq!(pieces(&mut view).await.len(), 1);
    assert_eq!(view.marks((0, 0)).await.unwrap(), []);
    view.close().await.unwrap();

    let mut view = store.view_link(link).await.unwrap();
    assert_eq!(pieces(&mut view).await.len(), 2);
    assert_eq!(view.link().await.unwrap().unwrap().name, "main");
    assert_eq!(
        view.paytable().await.unwrap().unwrap().document,
        b"the paytable"
    );
    assert_eq!(view.tables(TableNo(0)).await.unwrap(), []);
    assert_eq!(view.hits(HitOrder(0)).await.unwrap(), []);
    let marks = view.marks((0, 0)).await.unwrap();
    assert_eq!(
        (marks.len(), marks[0].position.batch, marks[0].period),
        (1, 2, PERIOD)
    );
}

/// Rows that were removed, added or moved are reported, each with its position.
#[tokio::test]
async fn removed_added_or_moved_rows_are_reported() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    for step in 0..4 {
        let new = following(link, &head, coin_ins(1, 1 + 3 * step, 3));
        assert!(matches!(
            store.journal(link).commit_one(&new).await,
            Commit::Committed
        ));
        head = after(&new);
    }
    let tamper = "SET session_replication_role = replica;
                  DELETE FROM event WHERE batch = 2 AND position = 1;
                  DELETE FROM batch WHERE batch = 3;
                  DELETE FROM event WHERE batch = 5 AND position = 2";
    world.run_as_admin(tamper).await.unwrap();
    let mut view = store.view_link(link).await.unwrap();
    let pieces = pieces(&mut view).await;
    let broken = |batch: u64| {
        let is_there = |piece: &&Piece| matches!(piece, Piece::Broken { position, .. } if position.batch == batch);
        pieces.iter().filter(is_there).count()
    };
    assert_eq!([1, 2, 3, 4, 5].map(broken), [0, 2, 3, 0, 1]);
    let batches = pieces
        .iter()
        .filter(|piece| matches!(piece, Piece::Batch(_)))
        .count();
    assert_eq!(batches, 4);
}
