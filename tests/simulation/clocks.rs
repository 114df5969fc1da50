//! Clocks that disagree, step back or run far ahead: the month of the journal never goes back, and a month that has
//! no partition yet stops nothing for longer than the clock is wrong.
//!
//! # Shape
//! Committers over the real journal, each with a clock of its own. [`crate::lies`] steps the clock at random.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use meterhouse_domain::command::{Command, Envelope};
use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo, Timestamp};
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::clock::{now, period_of};
use meterhouse_engine::simulation::Simulated;
use meterhouse_store::Store;
use meterhouse_tests::Database;
use sqlx::Row as _;

use crate::chance::Seed;
use crate::felts::{engine, open};
use crate::ledger::Ledger;
use crate::script::command;

const LINK: LinkId = LinkId(1);
/// The longest month.
const MONTH: i64 = 31 * 86_400 * 1_000_000;

/// A committer with a clock that can be set.
struct Node {
    committer: Simulated,
    ahead: Arc<AtomicI64>,
}

impl Node {
    async fn start(store: &Store, name: &str) -> Self {
        let ahead = Arc::new(AtomicI64::new(0));
        let clock = Arc::clone(&ahead);
        let clock = move || Timestamp(now().0 + clock.load(Ordering::Relaxed));
        let committer = Simulated::start(LINK, name, store.journal(LINK), clock).await;
        Self {
            committer: committer.expect("the link is loaded"),
            ahead,
        }
    }

    /// The table's command of this number, while the clock is so far ahead.
    async fn send(&self, ahead: i64, table: u32, sequence: u64) -> Result<Answer, NotExecuted> {
        self.ahead.store(ahead, Ordering::Relaxed);
        let command = Command::Table {
            table: TableNo(table),
            sequence: Sequence(sequence),
            command: command(Seed(0), &format!("clocks-{table}"), sequence),
        };
        let envelope = Envelope {
            actor: ActorId(1),
            by: None,
            device_time: None,
            command,
        };
        let answer = self.committer.submit(envelope).await?;
        Ok(answer.expect("a table's command has an outcome"))
    }
}

async fn periods(database: &Database) -> Vec<i32> {
    let rows = database
        .rows("SELECT period FROM batch ORDER BY batch")
        .await;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Two nodes, one a month or two ahead of the other, and a clock that steps back.
#[tokio::test]
async fn the_month_never_goes_back() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    open(&opener, "clocks", 2).await;
    let (one, other) = (
        Node::start(&store, "one").await,
        Node::start(&store, "other").await,
    );
    let ledger = Ledger::default();
    for (sequence, ahead) in (1..).zip([0, MONTH, 0, 2 * MONTH, -MONTH, 0, MONTH]) {
        let answer = one.send(ahead, 1, sequence).await.expect("it is counted");
        ledger.note(
            "clocks-1",
            sequence,
            (answer.outcome.batch, answer.outcome.position),
        );
        let answer = other.send(0, 2, sequence).await.expect("it is counted");
        ledger.note(
            "clocks-2",
            sequence,
            (answer.outcome.batch, answer.outcome.position),
        );
    }
    let periods = periods(&database).await;
    assert!(periods.is_sorted(), "{periods:?}");
    let span = periods.last().expect("some") - period_of(now());
    assert!((1..=2).contains(&span), "{periods:?}");
    one.committer.stop().await;
    other.committer.stop().await;
    opener.stop().await;
    ledger.assert_kept(&database.application, &store).await;
}

/// A clock a year ahead: that month has no partition, so nothing is counted, and nothing is broken either.
#[tokio::test]
async fn a_clock_far_ahead_stops_nothing_for_longer() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    open(&opener, "clocks", 1).await;
    let node = Node::start(&store, "node").await;
    node.send(0, 1, 1).await.expect("it is counted");
    let denied = node.send(12 * MONTH, 1, 2).await;
    assert!(
        matches!(denied, Err(NotExecuted::DatabaseUnavailable)),
        "{denied:?}"
    );
    let answer = node.send(0, 1, 2).await.expect("it is counted");
    assert!(!answer.replayed, "nothing had been counted");
    node.committer.stop().await;
    opener.stop().await;
    Ledger::default()
        .assert_kept(&database.application, &store)
        .await;
}
