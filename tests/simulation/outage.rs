//! Database outages: in the middle of a commit, for a while, or by a kill. Every caller gets a reply, acknowledged commands
//! are durable, and the engine recovers by itself.
//!
//! # Failures
//! The failures of [`crate::acknowledgements`] and [`crate::pipelining`], and a denial as not executed of a command whose
//! commit is unresolved.
//!
//! # Nondeterminism
//! The state of Postgres when a connection is closed. A statement whose connection is closed immediately may be executed
//! or not. A late statement races with the next confirmation or commit.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::TableCommand;
use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_postgres::{Options, Server};
use meterhouse_store::{PgConnectOptions, Store, StoreOptions, migrate};
use meterhouse_tests::{Database, in_time};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::RngExt as _;
use rand::rngs::StdRng;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use crate::acknowledgements::{Acknowledgements, stored};
use crate::links::{assert_sums, controller, engine, open};
use crate::pipelining::{Nodes, REPLY_MAX, all_done, send_all};
use crate::proxy::{Fault, Proxy};
use crate::script::command;
use crate::seed::{Seed, times};

/// Connections that commit: few, so that links wait for each other.
const CONNECTIONS: usize = 2;
const TABLES: usize = 4;
const COMMANDS: u64 = 60;
/// Number of denials before a lost network is restored.
const DENIALS: u64 = 50;
/// Commands of a table after which a replay of the first reads the journal.
const OLD: u64 = 66;
/// Number of callers of a link that can't be loaded.
const CALLERS: usize = 12;

/// Returns a store with this many connections that commit.
pub(crate) async fn store(connect: PgConnectOptions, commit_connections: usize) -> Store {
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections: 4,
        commit_connections,
    };
    Store::connect(options).await.expect("a connection")
}

fn fault(rng: &mut StdRng) -> Fault {
    match rng.random_range(0..20) {
        0 => Fault::Before,
        1 => Fault::During,
        2 => Fault::After,
        3 => Fault::Late(1),
        4 => Fault::Late(2),
        _ => Fault::None,
    }
}

/// Connections are closed before a commit arrives, while it runs, or after it, and some commits arrive late. Another node
/// on a good network commits meanwhile. Each command is committed once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupted_commits_are_committed_once() {
    let seed = Seed::announce("interrupted");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let (bad, good) = (
        store(proxy.through(), CONNECTIONS).await,
        database.store().await,
    );
    let engines = [engine(&bad, "bad").await, engine(&good, "good").await];
    let tables = open(&engines[1], "interrupted", TABLES).await;
    let mut rng = seed.rng("faults");
    let occurred = proxy.set_counted_faults(move || fault(&mut rng));
    let [bad_node, good_node] = engines;
    // Three of four commands use the bad network.
    let nodes = Nodes::new(vec![
        bad_node.clone(),
        bad_node.clone(),
        bad_node,
        good_node.clone(),
    ]);
    let acknowledgements = Arc::new(Acknowledgements::default());
    all_done(send_all(
        seed,
        &nodes,
        &tables,
        times(COMMANDS),
        &acknowledgements,
    ))
    .await;
    proxy.set_faults(|| Fault::None);
    println!("interrupted: {:?}", occurred.lock().expect("not poisoned"));
    assert_sums(seed, &good_node, &tables, times(COMMANDS)).await;
    in_time("the engines stop", nodes.stop()).await;
    acknowledgements
        .assert_stored(&database.application, &good)
        .await;
    assert!(
        occurred.lock().expect("not poisoned").len() > 4,
        "a fault did not occur"
    );
}

async fn send(engine: &Engine, table: &TableName, sequence: u64) -> Result<Answer, NotExecuted> {
    let command: TableCommand = command(Seed(0), table.as_str(), sequence);
    let sent = engine.table_command(table, controller(), Sequence(sequence), command);
    timeout(REPLY_MAX, sent).await.expect("a reply in time")
}

/// A commit is executed, then its response and the database are lost. The command's outcome is unknown until it is
/// resolved. After that, the command has its outcome once.
#[tokio::test]
async fn an_unresolved_commit_stays_unknown_until_it_is_resolved() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through(), CONNECTIONS).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "lost", 2).await;
    let unresolved = || {
        let links = engine.measures().links;
        links.iter().filter(|link| link.is_unresolved).count()
    };
    assert_eq!(unresolved(), 0);
    proxy.set_faults(|| Fault::Last);
    let lost = send(&engine, &tables[0], 1).await;
    assert!(matches!(lost, Err(NotExecuted::OutcomeUnknown)), "{lost:?}");
    let again = send(&engine, &tables[0], 1).await;
    assert!(
        matches!(again, Err(NotExecuted::OutcomeUnknown)),
        "{again:?}"
    );
    let other = send(&engine, &tables[1], 1).await;
    assert!(
        matches!(other, Err(NotExecuted::DatabaseUnavailable)),
        "{other:?}"
    );
    assert_eq!(unresolved(), 1);
    proxy.set_faults(|| Fault::None);
    proxy.restore();
    let answer = send(&engine, &tables[0], 1)
        .await
        .expect("the database is back");
    assert!(answer.replayed, "the command was committed");
    assert_eq!(unresolved(), 0);
    let answer = send(&engine, &tables[1], 1)
        .await
        .expect("the database is back");
    assert!(!answer.replayed, "the command was not committed");
    engine.stop().await;
    assert_eq!(stored(&database.application).await.len(), 2);
}

/// During a network outage all callers get temporary denials. After it, the engine recovers by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_recovers_from_a_network_outage() {
    let seed = Seed::announce("network");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through(), CONNECTIONS).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "network", TABLES).await;
    let acknowledgements = Arc::new(Acknowledgements::default());
    let nodes = Nodes::new(vec![engine.clone()]);
    let sending = send_all(seed, &nodes, &tables, times(COMMANDS), &acknowledgements);
    let mut rng = seed.rng("network");
    let mut counts = acknowledgements.counts();
    for _ in 0..2 {
        let enough = counts.borrow().acknowledged + rng.random_range(1..40);
        in_time(
            "commands are acknowledged",
            counts.wait_for(|counts| counts.acknowledged >= enough),
        )
        .await
        .ok();
        let denied = counts.borrow().denied + DENIALS;
        proxy.disconnect();
        in_time(
            "callers are denied",
            counts.wait_for(|counts| counts.denied >= denied),
        )
        .await
        .ok();
        proxy.restore();
    }
    all_done(sending).await;
    assert_sums(seed, &engine, &tables, times(COMMANDS)).await;
    engine.stop().await;
    acknowledgements
        .assert_stored(&database.application, &store)
        .await;
}

/// On a silent network no connection fails by itself: a commit and an old replay time out. After the outage both
/// commands get their outcomes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_on_a_silent_network_time_out() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through(), CONNECTIONS).await;
    let engine = engine(&store, "node").await;
    let commits = open(&engine, "commits", 1).await;
    let replays = open(&engine, "replays", 1).await;
    for sequence in 1..=OLD {
        send(&engine, &replays[0], sequence)
            .await
            .expect("a commit");
    }
    proxy.go_silent();
    let (commit, replay) =
        tokio::join!(send(&engine, &commits[0], 1), send(&engine, &replays[0], 1));
    assert!(
        matches!(commit, Err(NotExecuted::OutcomeUnknown)),
        "{commit:?}"
    );
    assert!(
        matches!(replay, Err(NotExecuted::DatabaseUnavailable)),
        "{replay:?}"
    );
    proxy.restore();
    // The first statement may have arrived late.
    send(&engine, &commits[0], 1)
        .await
        .expect("the network is back");
    let replay = send(&engine, &replays[0], 1)
        .await
        .expect("the network is back");
    assert!(replay.replayed);
    engine.stop().await;
}

/// All callers of a link that can't be loaded are denied in time, concurrently.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_of_a_link_that_cannot_be_loaded_are_denied_concurrently() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    let tables = open(&opener, "slow", CALLERS).await;
    opener.stop().await;
    let fresh = engine(&store, "fresh").await;
    let mut blocker = PgConnection::connect_with(&database.superuser)
        .await
        .expect("a connection");
    let lock = "BEGIN; LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock)
        .execute(&mut blocker)
        .await
        .expect("a superuser's statement");
    let sending = tables.iter().map(|table| send(&fresh, table, 1));
    for reply in futures_util::future::join_all(sending).await {
        assert!(
            matches!(reply, Err(NotExecuted::DatabaseUnavailable)),
            "{reply:?}"
        );
    }
    sqlx::raw_sql("COMMIT")
        .execute(&mut blocker)
        .await
        .expect("a superuser's statement");
    for table in &tables {
        send(&fresh, table, 1).await.expect("a loaded link");
    }
    fresh.stop().await;
}

/// The postmaster is killed under load and started again, twice. No acknowledged command is lost, and the engine recovers
/// by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_recovers_from_a_killed_postgres() {
    let seed = Seed::announce("postgres");
    let folder = tempfile::Builder::new()
        .prefix("mh-killed-")
        .tempdir()
        .expect("a folder");
    let readable_by_all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(), readable_by_all).expect("permissions");
    let options = Options::small(folder.path());
    let mut server = Server::start(&options).await.expect("Postgres starts");
    let superuser = server.connect_options();
    migrate(&superuser).await.expect("a migrated database");
    let store = store(superuser.clone().username("meterhouse_app"), CONNECTIONS).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "postgres", TABLES).await;
    let acknowledgements = Arc::new(Acknowledgements::default());
    let sending = send_all(
        seed,
        &Nodes::new(vec![engine.clone()]),
        &tables,
        times(COMMANDS),
        &acknowledgements,
    );
    let mut rng = seed.rng("kill");
    let mut counts = acknowledgements.counts();
    for _ in 0..2 {
        let enough = counts.borrow().acknowledged + rng.random_range(1..60);
        in_time(
            "commands are acknowledged",
            counts.wait_for(|counts| counts.acknowledged >= enough),
        )
        .await
        .ok();
        kill(Pid::from_raw(server.pid()), Signal::SIGKILL).expect("a running process");
        in_time("the end of Postgres is detected", server.died()).await;
        server.stop().await.expect("Postgres has ended");
        server = in_time("Postgres starts again", Server::start(&options))
            .await
            .expect("Postgres starts");
    }
    all_done(sending).await;
    assert_sums(seed, &engine, &tables, times(COMMANDS)).await;
    engine.stop().await;
    acknowledgements.assert_stored(&superuser, &store).await;
    store.close().await;
    in_time("Postgres stops", server.stop())
        .await
        .expect("Postgres stops");
}
