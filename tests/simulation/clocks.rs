//! Clocks that disagree, step back or run far ahead. The month of the journal never goes back. A month without a partition
//! denies commands only while the clock is wrong.
//!
//! # Shape
//! Committers on the real journal, each with its own clock. [`crate::journal_faults`] steps the clock at random.

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

use crate::acknowledgements::Acknowledgements;
use crate::links::{engine, open};
use crate::script::command;
use crate::seed::Seed;

const LINK: LinkId = LinkId(1);
/// The longest month.
const MONTH: i64 = 31 * 86_400 * 1_000_000;

/// A committer with an adjustable clock.
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

    /// Sends the table's command with this sequence, while the clock is ahead by `ahead`.
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

/// One node's clock is a month or two ahead of the other's, and steps back.
#[tokio::test]
async fn the_month_never_goes_back() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    open(&opener, "clocks", 2).await;
    let (first, second) = (
        Node::start(&store, "first").await,
        Node::start(&store, "second").await,
    );
    let acknowledgements = Acknowledgements::default();
    for (sequence, ahead) in (1..).zip([0, MONTH, 0, 2 * MONTH, -MONTH, 0, MONTH]) {
        let answer = first.send(ahead, 1, sequence).await.expect("a commit");
        acknowledgements.record(
            "clocks-1",
            sequence,
            (answer.outcome.batch, answer.outcome.position),
        );
        let answer = second.send(0, 2, sequence).await.expect("a commit");
        acknowledgements.record(
            "clocks-2",
            sequence,
            (answer.outcome.batch, answer.outcome.position),
        );
    }
    let periods = periods(&database).await;
    assert!(periods.is_sorted(), "{periods:?}");
    let span = periods.last().expect("some") - period_of(now());
    assert!((1..=2).contains(&span), "{periods:?}");
    first.committer.stop().await;
    second.committer.stop().await;
    opener.stop().await;
    acknowledgements
        .assert_stored(&database.application, &store)
        .await;
}

/// A clock a year ahead reaches a month without a partition. The command is denied, and is committed with the right clock.
#[tokio::test]
async fn a_clock_far_ahead_denies_commands_until_it_is_right() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    open(&opener, "clocks", 1).await;
    let node = Node::start(&store, "node").await;
    node.send(0, 1, 1).await.expect("a commit");
    let denied = node.send(12 * MONTH, 1, 2).await;
    assert!(
        matches!(denied, Err(NotExecuted::DatabaseUnavailable)),
        "{denied:?}"
    );
    let answer = node.send(0, 1, 2).await.expect("a commit");
    assert!(!answer.replayed, "the denied command was not committed");
    node.committer.stop().await;
    opener.stop().await;
    Acknowledgements::default()
        .assert_stored(&database.application, &store)
        .await;
}
