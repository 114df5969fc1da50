//! Hits: written with their batch, read back, listed (CONFORMANCE 57 and 62).

use meterhouse_domain::ids::{HitId, HitOrder, LinkId, Sequence, TableNo};
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow};
use meterhouse_store::{
    Commit, FoundHit, Head, HitSelection, JoinedRow, Journal as _, NewestHits, Store,
};

use crate::common::{CommitOne as _, NOW, World, after, following, open};

fn named(sequence: u64, number: u8) -> HitId {
    HitId {
        table: TableNo(1),
        sequence: Sequence(sequence),
        number,
    }
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
        number: 0,
        hit_order: order,
        round: 9,
        state,
        kind: 1,
        hand: Some(200),
        seat: Some(3),
        level: Some(0),
        percent: Some(100),
        before: Some(7),
        after: Some(-7),
        reserve_before: Some(8),
        overflow_before: Some(9),
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

pub(crate) async fn commit_hits(
    store: &Store,
    link: LinkId,
    head: &Head,
    hits: Vec<HitRow>,
) -> Head {
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
    let commit = store.journal(link).commit_one(&new).await;
    assert!(matches!(commit, Commit::Committed), "{commit:?}");
    after(&new)
}

/// Hits are written and rewritten with the batch, and read back as they were written.
#[tokio::test]
async fn hits_are_read_back_as_written() {
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
    let found = store.find_hit(link, named(11, 0)).await.unwrap().unwrap();
    assert_eq!((&found.hit, found.link_name.as_str()), (&first[0], "main"));
    assert_eq!(found.table_name, format!("T-{link}"));
    assert_eq!(store.find_hit(link, named(99, 0)).await.unwrap(), None);
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
        store
            .find_hit(link, named(11, 0))
            .await
            .unwrap()
            .unwrap()
            .hit,
        settled
    );
}

/// The hits of all links come in the order of (link, order), page by page, and also those of one
/// state or of one link.
#[tokio::test]
async fn hits_are_listed_in_order() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let (other, other_head) = open(&store, "other").await;
    let hits = vec![
        hit(1, HitState::Paid, 1),
        hit(2, HitState::Cancelled, 0),
        hit(3, HitState::Pending, 3),
    ];
    commit_hits(&store, link, &head, hits).await;
    let hits = vec![hit(1, HitState::Pending, 1)];
    commit_hits(&store, other, &other_head, hits).await;

    let all = HitSelection::default();
    let start = (LinkId(0), HitOrder(0));
    let page = store.list_hits(all, start, 3).await.unwrap();
    let positions = |page: &[FoundHit]| {
        page.iter()
            .map(|found| (found.link, found.hit.hit_order))
            .collect::<Vec<_>>()
    };
    assert_eq!(positions(&page), [(link, 1), (link, 2), (link, 3)]);
    let page = store.list_hits(all, (link, HitOrder(3)), 3).await.unwrap();
    assert_eq!(positions(&page), [(other, 1)]);
    // The order of a cursor applies to its own link only.
    let page = store.list_hits(all, (link, HitOrder(2)), 9).await.unwrap();
    assert_eq!(positions(&page), [(link, 3), (other, 1)]);
    let pending = HitSelection {
        state: Some(HitState::Pending),
        ..all
    };
    let page = store.list_hits(pending, start, 200).await.unwrap();
    assert_eq!(positions(&page), [(link, 3), (other, 1)]);
    assert_eq!(page[0].hit.payouts.len(), 3);
    let cursor = (link, HitOrder(3));
    let page = store.list_hits(pending, cursor, 200).await.unwrap();
    assert_eq!(positions(&page), [(other, 1)]);
    let of_other = HitSelection {
        link: Some(other),
        ..all
    };
    assert_eq!(
        positions(&store.list_hits(of_other, start, 9).await.unwrap()),
        [(other, 1)]
    );
}

/// Several hits under one sequence number each have their own payouts. Rewriting one leaves the
/// others as they are. A bonus has no hand.
#[tokio::test]
async fn several_hits_of_one_command_keep_their_own_payouts() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let numbered = |number: u8, payouts| HitRow {
        sequence: 50,
        number,
        ..hit(u64::from(number), HitState::Pending, payouts)
    };
    let bonus = HitRow {
        hand: None,
        reserve_before: None,
        overflow_before: None,
        ..numbered(3, 1)
    };
    let hits = vec![numbered(1, 2), numbered(2, 3), bonus.clone()];
    let head = commit_hits(&store, link, &head, hits.clone()).await;
    let mut second = numbered(2, 1);
    second.state = HitState::Withdrawn;
    second.payouts[0].amount = 1;
    let rewritten = vec![second.clone()];
    commit_hits(&store, link, &head, rewritten).await;
    for (number, expected) in [(1, &hits[0]), (2, &second), (3, &bonus)] {
        let found = store.find_hit(link, named(50, number)).await.unwrap();
        assert_eq!(&found.unwrap().hit, expected);
    }
    assert_eq!(store.find_hit(link, named(50, 0)).await.unwrap(), None);
    let mut journal = store.journal(link);
    let asked = [named(50, 3), named(50, 9), named(50, 1)];
    let rows = journal.hit_rows(&asked).await.unwrap();
    assert_eq!(rows, [bonus, hits[0].clone()]);
}

fn orders(hits: &[FoundHit]) -> Vec<u64> {
    hits.iter().map(|found| found.hit.hit_order).collect()
}

/// CONFORMANCE 62: the history of a link, newest first, by level, by state and page by page.
#[tokio::test]
async fn the_history_is_listed_newest_first() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let one = |order: u64| {
        let is_paid = order.is_multiple_of(3);
        let state = [HitState::Pending, HitState::Paid][usize::from(is_paid)];
        HitRow {
            level: (order > 1).then_some(u8::from(order.is_multiple_of(2))),
            ..hit(order, state, 2)
        }
    };
    commit_hits(&store, link, &head, (1..=30).map(one).collect()).await;
    let all = NewestHits::default();
    let page = store.newest_hits(link, all, 25).await.unwrap();
    assert_eq!(orders(&page), (6..=30).rev().collect::<Vec<_>>());
    assert!(page.iter().all(|found| found.hit.payouts.len() == 2));
    let before = Some(HitOrder(6));
    let rest = store.newest_hits(link, NewestHits { before, ..all }, 25);
    assert_eq!(orders(&rest.await.unwrap()), [5, 4, 3, 2, 1]);
    let level = Some(1);
    let of_level = NewestHits { level, ..all };
    let page = store.newest_hits(link, of_level, 3).await.unwrap();
    assert_eq!(orders(&page), [30, 28, 26]);
    let state = Some(HitState::Paid);
    let paid = NewestHits { state, ..all };
    let page = store.newest_hits(link, paid, 3).await.unwrap();
    assert_eq!(orders(&page), [30, 27, 24]);
    let both = NewestHits {
        level,
        state,
        before: Some(HitOrder(30)),
        ..all
    };
    let page = store.newest_hits(link, both, 3).await.unwrap();
    assert_eq!(orders(&page), [24, 18, 12]);
}

/// CONFORMANCE 57: a payoff begins after the last hit that took all of its level and was not taken
/// back.
#[tokio::test]
async fn the_last_reset_was_not_taken_back() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let taking = |order, percent, state| HitRow {
        percent,
        ..hit(order, state, 1)
    };
    let mut other = taking(8, Some(100), HitState::Paid);
    other.level = Some(1);
    let hits = vec![
        taking(1, Some(100), HitState::Paid),
        taking(2, Some(100), HitState::Validated),
        taking(3, Some(10), HitState::Paid),
        taking(4, None, HitState::Paid),
        taking(5, Some(100), HitState::Withdrawn),
        taking(6, Some(100), HitState::Cancelled),
        taking(7, Some(100), HitState::Rejected),
        other,
        taking(9, Some(100), HitState::Void),
        taking(10, Some(100), HitState::Pending),
    ];
    commit_hits(&store, link, &head, hits).await;
    for (before, expected) in [(11, Some(10)), (10, Some(2)), (2, Some(1)), (1, None)] {
        let found = store.last_reset(link, 0, HitOrder(before)).await.unwrap();
        assert_eq!(found.map(|found| found.hit.hit_order), expected, "{before}");
    }
}
