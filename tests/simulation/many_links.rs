//! Forty links on two and three nodes: batches of several links share statements, on networks that fail or go silent,
//! beside a session that holds heads. Each command is committed once, and no link waits for another one's head.
//!
//! # Failures
//! The failures of [`crate::acknowledgements`] and [`crate::pipelining`], and meters that differ from the sum of the
//! wagers.
//!
//! # Nondeterminism
//! Which batches share a statement, and the state of Postgres when a connection is closed. The seed decides the commands,
//! the first node of each, and the heads that are held.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::TableName;
use meterhouse_engine::Engine;
use meterhouse_tests::{Database, in_time};
use rand::RngExt as _;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use crate::acknowledgements::Acknowledgements;
use crate::links::{assert_sums, engine, open};
use crate::outage::store;
use crate::pipelining::{Nodes, all_done, send_all};
use crate::proxy::{Fault, Proxy};
use crate::seed::{Seed, times};

const LINKS: usize = 40;
const COMMANDS: u64 = 20;
/// Maximum number of acknowledgements while a head is held.
const HELD_MAX: u64 = 40;
/// Connections that commit on each node on the bad network.
const CONNECTIONS: usize = 8;
/// Batches that are in the statement of another one.
const SHARED: &str = "SELECT count(*) - count(DISTINCT xmin::text) FROM batch";

/// Returns the fault of a commit by its number: five of fifty have one, each kind in turn.
const fn fault(number: u64) -> Fault {
    match number % 50 {
        5 => Fault::Before,
        15 => Fault::During,
        25 => Fault::After,
        35 => Fault::Late(1),
        45 => Fault::Late(2),
        _ => Fault::None,
    }
}

/// Holds the head of a random link while others are acknowledged, again and again until half of all commands are, so that
/// there are others. Returns how often.
async fn hold_heads(seed: Seed, database: &Database, acknowledgements: &Acknowledgements) -> u64 {
    let half = u64::try_from(LINKS).expect("few") * times(COMMANDS) / 2;
    let mut rng = seed.rng("held");
    let mut counts = acknowledgements.counts();
    let mut session = PgConnection::connect_with(&database.superuser)
        .await
        .expect("a connection");
    let mut held = 0;
    while counts.borrow().acknowledged < half {
        let skipped = rng.random_range(0..LINKS);
        // Rows that an OFFSET skips would be locked as well.
        let lock = format!(
            "BEGIN; SELECT FROM link_head WHERE link_id =
             (SELECT link_id FROM link ORDER BY link_id OFFSET {skipped} LIMIT 1) FOR UPDATE"
        );
        let locked = sqlx::raw_sql(AssertSqlSafe(lock))
            .execute(&mut session)
            .await;
        locked.expect("a superuser's statement");
        let next = counts.borrow().acknowledged + rng.random_range(1..=HELD_MAX);
        let others = counts.wait_for(|counts| counts.acknowledged >= next);
        in_time("other links are acknowledged", others).await.ok();
        let end = sqlx::raw_sql("ROLLBACK").execute(&mut session).await;
        end.expect("the session is open");
        held += 1;
    }
    held
}

/// Opens the links, each with one table.
async fn open_all(engine: &Engine, name: &str) -> Vec<TableName> {
    let mut tables = Vec::new();
    for link in 0..LINKS {
        tables.extend(open(engine, &format!("{name}-{link}"), 1).await);
    }
    tables
}

/// Asserts that the meters of each link are the sums of its wagers.
async fn assert_all_sums(seed: Seed, engine: &Engine, tables: &[TableName]) {
    for table in tables {
        let link = std::slice::from_ref(table);
        assert_sums(seed, engine, link, times(COMMANDS)).await;
    }
}

/// Returns the number of batches that are in the statement of another one.
async fn shared(database: &Database) -> i64 {
    let mut session = PgConnection::connect_with(&database.superuser)
        .await
        .expect("a connection");
    let shared = sqlx::query_scalar(SHARED).fetch_one(&mut session).await;
    shared.expect("a superuser's query")
}

/// Statements for several links are cut before they arrive, while they run and after it, and arrive late. A head that is
/// held keeps only its link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_for_many_links_commit_each_command_once() {
    let seed = Seed::announce("many-links");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let (bad, good) = (
        store(proxy.through(), CONNECTIONS).await,
        database.store().await,
    );
    let (first, second) = (engine(&bad, "bad").await, engine(&bad, "worse").await);
    let third = engine(&good, "good").await;
    let tables = open_all(&third, "many").await;
    let mut commits = 0;
    let occurred = proxy.set_counted_faults(move || {
        commits += 1;
        fault(commits)
    });
    let nodes = Nodes::new(vec![first, second, third.clone()]);
    let acknowledgements = Arc::new(Acknowledgements::default());
    let sent = all_done(send_all(
        seed,
        &nodes,
        &tables,
        times(COMMANDS),
        &acknowledgements,
    ));
    let held = hold_heads(seed, &database, &acknowledgements);
    let (held, ()) = tokio::join!(held, sent);
    proxy.set_faults(|| Fault::None);
    let occurred = occurred.lock().expect("not poisoned").clone();
    let shared = shared(&database).await;
    println!("many-links: {occurred:?}, {held} heads held, {shared} batches shared a statement");
    assert_all_sums(seed, &third, &tables).await;
    nodes.stop().await;
    acknowledgements
        .assert_stored(&database.application, &good)
        .await;
    assert!(occurred.len() > 4, "a fault did not occur");
    assert!(
        held > 0 && shared > 0,
        "no head was held, or no statement shared"
    );
}

/// A node's network goes silent under load, so that statements for several links neither fail nor end. Another node moves
/// the same links meanwhile. What was under way arrives late, or never, and each command is committed once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_network_loses_no_command_of_many_links() {
    let seed = Seed::announce("many-silent");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let (bad, good) = (
        store(proxy.through(), CONNECTIONS).await,
        database.store().await,
    );
    let (silent, other) = (engine(&bad, "silent").await, engine(&good, "good").await);
    let tables = open_all(&other, "silent").await;
    let nodes = Nodes::new(vec![silent, other.clone()]);
    let acknowledgements = Arc::new(Acknowledgements::default());
    let count = times(COMMANDS);
    let sent = all_done(send_all(seed, &nodes, &tables, count, &acknowledgements));
    let mut counts = acknowledgements.counts();
    let fail = async {
        let quarter = u64::try_from(LINKS).expect("few") * count / 4;
        let enough = counts.wait_for(|counts| counts.acknowledged >= quarter);
        in_time("commands are acknowledged", enough).await.ok();
        let before = counts.borrow().acknowledged;
        proxy.go_silent();
        let unknown = counts.wait_for(|counts| counts.unknown > 0);
        in_time("a commit times out", unknown).await.ok();
        let during = counts.borrow().acknowledged - before;
        proxy.restore();
        during
    };
    let (during, ()) = tokio::join!(fail, sent);
    let shared = shared(&database).await;
    println!(
        "many-silent: {during} acknowledged in the silence, {shared} batches shared a statement"
    );
    assert_all_sums(seed, &other, &tables).await;
    nodes.stop().await;
    acknowledgements
        .assert_stored(&database.application, &good)
        .await;
    assert!(
        during > 0 && shared > 0,
        "the other node stood still, or no statement was shared"
    );
}
