//! A meter falls for a reason that the journal names, or the database refuses the batch.

use meterhouse_domain::ids::LinkId;
use meterhouse_domain::link::{ACCOUNTS, Account};
use meterhouse_domain::paytable::LEVELS_MAX;
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::kind;
use meterhouse_store::{Commit, Head, Journal as _, NewBatch, RolledBack};

use crate::common::{CommitOne as _, World, after, coin_ins, following, open, sealed};

/// Events that may lower a meter: a win, a cancellation, a rejection, a void, a change by two
/// people.
const REASONS: [u8; 7] = [
    kind::HIT_RECORDED,
    kind::ROUND_SETTLED_WITH_HITS,
    kind::ROUND_SETTLED_WITH_WAGERS_AND_HITS,
    kind::HIT_CANCELLED,
    kind::HIT_REJECTED,
    kind::ROUND_VOIDED,
    kind::CHANGE_APPROVED,
];
/// Number of books: one for every level that a link can have, and one in addition.
const BOOKS: usize = LEVELS_MAX + 1;
/// Name of the constraint that refuses.
const RULE: &str = "batch_meter_fall_has_reason";
/// A dollar.
const DOLLAR: i64 = 1_000_000;

fn event(kind: u8) -> EventRow {
    EventRow {
        actor: 1,
        kind,
        ..EventRow::default()
    }
}

/// Returns a batch with these events that takes a dollar out of each of these books' meters, of
/// 100.
fn falling(link: LinkId, head: &Head, events: Vec<EventRow>, books: &[usize]) -> NewBatch {
    let mut new = following(link, head, events);
    let account_index = |book: usize, account: Account| book * ACCOUNTS + account.index();
    new.batch.deltas = vec![0; BOOKS * ACCOUNTS];
    for book in books {
        new.batch.deltas[account_index(*book, Account::Meter)] = -DOLLAR;
        new.batch.deltas[account_index(*book, Account::Pending)] = DOLLAR;
    }
    let mut balances = new.batch.deltas.clone();
    for book in 0..BOOKS {
        balances[account_index(book, Account::Meter)] += 100 * DOLLAR;
        balances[account_index(book, Account::House)] -= 100 * DOLLAR;
    }
    new.batch.after = balances;
    sealed(new)
}

#[track_caller]
fn assert_refused(commit: Commit) {
    let Commit::RolledBack(RolledBack { constraint, source }) = commit else {
        panic!("{commit:?}");
    };
    assert_eq!(constraint.as_deref(), Some(RULE), "{source}");
    assert!(source.refuses_content());
}

/// CONFORMANCE 38: a batch that lowers a meter of any level is refused by the database unless it
/// holds an event that may lower one.
#[tokio::test]
async fn the_database_refuses_a_lower_meter_without_a_reason() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let levels = (0..BOOKS).map(|book| vec![book]);
    for books in levels.chain([vec![0, 2], (0..BOOKS).collect()]) {
        let routine = falling(link, &head, coin_ins(1, 1, 3), &books);
        assert_refused(journal.commit_one(&routine).await);
        assert_eq!(journal.read_head().await.unwrap(), head);
        let won = falling(link, &head, vec![event(kind::HIT_RECORDED)], &books);
        let commit = journal.commit_one(&won).await;
        assert!(matches!(commit, Commit::Committed), "{books:?}: {commit:?}");
        head = after(&won);
    }
}

/// CONFORMANCE 38: the kinds of the events that may lower a meter count at any index, and no other
/// kind does.
#[tokio::test]
async fn only_some_kinds_of_events_may_lower_a_meter() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    for kind in 1..=kind::CHANGE_DECLINED {
        let mut events = coin_ins(1, 1, 2);
        events.insert(1, event(kind));
        let new = falling(link, &head, events, &[0]);
        let commit = journal.commit_one(&new).await;
        if REASONS.contains(&kind) {
            assert!(matches!(commit, Commit::Committed), "{kind}: {commit:?}");
            head = after(&new);
        } else {
            assert_refused(commit);
        }
    }
}

/// CONFORMANCE 38: a reason in another batch does not count. Neither the application's own
/// statements nor a superuser's bypass the rule.
#[tokio::test]
async fn a_reason_for_a_lower_meter_counts_in_its_own_batch_only() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let won = falling(link, &head, vec![event(kind::HIT_RECORDED)], &[1]);
    assert!(matches!(journal.commit_one(&won).await, Commit::Committed));
    let routine = falling(link, &after(&won), coin_ins(1, 1, 1), &[1]);
    assert_refused(journal.commit_one(&routine).await);

    let again = "INSERT INTO batch SELECT link_id, batch + 1, at, node, epoch, rule_version, period, events,
                 deltas, after, chain_hash FROM batch ORDER BY batch DESC LIMIT 1";
    for error in [
        world.run_as_app(again).await.unwrap_err(),
        world.run_as_admin(again).await.unwrap_err(),
    ] {
        let constraint = error
            .as_database_error()
            .and_then(|error| error.constraint());
        assert_eq!(constraint, Some(RULE), "{error}");
    }
}
