//! The database is lost: in the middle of a commit, for a while, or killed. Whoever waits hears something, what was
//! acknowledged stays, and the engine goes on by itself.
//!
//! # What counts as failure
//! What [`crate::ledger`] and [`crate::rush`] say; "nothing was counted" about a command whose commit was lost.
//!
//! # Known sources of nondeterminism
//! Where Postgres is when a connection is cut: a statement whose connection is cut at once may be carried out or
//! not. A late statement races with the confirmation or the commit that comes after it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
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
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, controller, engine, open};
use crate::ledger::{Ledger, stored};
use crate::proxy::{Fault, Proxy};
use crate::rush::{HEARD_WITHIN, Nodes, all_done, rush};
use crate::script::{command, wagers};

const TABLES: usize = 4;
const COMMANDS: u64 = 60;
/// Denials that are heard before a lost network comes back.
const DENIALS: u64 = 50;
/// Numbers of a table after which the first is sought in the journal.
const OLD: u64 = 66;
/// Callers of a link that can't be loaded.
const CALLERS: usize = 12;

/// A store through these options, as small as a test's.
async fn store(connect: PgConnectOptions) -> Store {
    let options = StoreOptions {
        connect,
        pool_connections: 4,
        commit_connections: 2,
    };
    Store::connect(options)
        .await
        .expect("the database can be reached")
}

/// Lets all tables rush.
fn rush_all(seed: Seed, nodes: &Nodes, tables: &[TableName], ledger: &Arc<Ledger>) -> JoinSet<()> {
    let count = times(COMMANDS);
    let mut rushing = JoinSet::new();
    for table in tables {
        rushing.spawn(rush(
            seed,
            nodes.clone(),
            table.clone(),
            count,
            Arc::clone(ledger),
        ));
    }
    rushing
}

/// The meters are the sum of all tables' wagers.
async fn assert_sums(seed: Seed, engine: &Engine, tables: &[TableName]) {
    let count = times(COMMANDS);
    let expected = tables
        .iter()
        .map(|it| wagers(seed, it.as_str(), count))
        .sum();
    let view = engine
        .table(&tables[0])
        .await
        .expect("the link can be read");
    assert_meters(&view.state, expected);
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

/// Commits are cut before they arrive, while they run, after they are done, or arrive when they are given up for
/// lost; another node on a good network commits meanwhile. Each command is counted once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_that_are_cut_count_once() {
    let seed = Seed::announce("cut");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let (bad, good) = (store(proxy.through()).await, database.store().await);
    let engines = [engine(&bad, "bad").await, engine(&good, "good").await];
    let tables = open(&engines[1], "cut", TABLES).await;
    let met: Arc<Mutex<BTreeMap<String, u64>>> = Arc::default();
    let mut rng = seed.rng("faults");
    let meeting = Arc::clone(&met);
    proxy.meet(move || {
        let fault = fault(&mut rng);
        let mut met = meeting.lock().expect("nobody failed");
        *met.entry(format!("{fault:?}")).or_default() += 1;
        fault
    });
    let [bad_node, good_node] = engines;
    // Most go through the bad network.
    let nodes = Nodes::new(vec![
        bad_node.clone(),
        bad_node.clone(),
        bad_node,
        good_node.clone(),
    ]);
    let ledger = Arc::new(Ledger::default());
    all_done(rush_all(seed, &nodes, &tables, &ledger)).await;
    proxy.meet(|| Fault::None);
    println!("cut: {:?}", met.lock().expect("nobody failed"));
    assert_sums(seed, &good_node, &tables).await;
    in_time("the engines stop", nodes.stop()).await;
    ledger.assert_kept(&database.application, &good).await;
    assert!(
        met.lock().expect("nobody failed").len() > 4,
        "some fault never happened"
    );
}

async fn send(engine: &Engine, table: &TableName, sequence: u64) -> Result<Answer, NotExecuted> {
    let command: TableCommand = command(Seed(0), table.as_str(), sequence);
    let sent = engine.table_command(table, controller(), Sequence(sequence), command);
    timeout(HEARD_WITHIN, sent)
        .await
        .expect("something is heard in time")
}

/// The commit is done, the answer is lost, and the database with it. Until the outcome can be found out nobody says
/// that the command was not counted; then it gets its answer, once.
#[tokio::test]
async fn a_lost_commit_stays_unknown_until_it_is_settled() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through()).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "lost", 2).await;
    proxy.meet(|| Fault::Last);
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
    proxy.meet(|| Fault::None);
    proxy.come_back();
    let answer = send(&engine, &tables[0], 1)
        .await
        .expect("the database is back");
    assert!(answer.replayed, "it had been counted");
    let answer = send(&engine, &tables[1], 1)
        .await
        .expect("the database is back");
    assert!(!answer.replayed, "it had not been counted");
    engine.stop().await;
    assert_eq!(stored(&database.application).await.len(), 2);
}

/// The network is gone for a while: everybody hears so, again and again; afterwards all goes on by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_outlives_its_network() {
    let seed = Seed::announce("network");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through()).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "network", TABLES).await;
    let ledger = Arc::new(Ledger::default());
    let nodes = Nodes::new(vec![engine.clone()]);
    let rushing = rush_all(seed, &nodes, &tables, &ledger);
    let mut rng = seed.rng("network");
    let mut heard = ledger.heard();
    for _ in 0..2 {
        let answers = heard.borrow().answers + rng.random_range(1..40);
        in_time(
            "commands are answered",
            heard.wait_for(|it| it.answers >= answers),
        )
        .await
        .ok();
        let denials = heard.borrow().denials + DENIALS;
        proxy.go_down();
        in_time(
            "callers hear of it",
            heard.wait_for(|it| it.denials >= denials),
        )
        .await
        .ok();
        proxy.come_back();
    }
    all_done(rushing).await;
    assert_sums(seed, &engine, &tables).await;
    engine.stop().await;
    ledger.assert_kept(&database.application, &store).await;
}

/// The network goes silent, which no connection notices by itself: a commit and an old repeat are given up
/// in time, and once it is back both are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_given_up() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let store = store(proxy.through()).await;
    let engine = engine(&store, "node").await;
    let commits = open(&engine, "commits", 1).await;
    let repeats = open(&engine, "repeats", 1).await;
    for sequence in 1..=OLD {
        send(&engine, &repeats[0], sequence)
            .await
            .expect("the network is well");
    }
    proxy.go_silent();
    let (commit, repeat) =
        tokio::join!(send(&engine, &commits[0], 1), send(&engine, &repeats[0], 1));
    assert!(
        matches!(commit, Err(NotExecuted::OutcomeUnknown)),
        "{commit:?}"
    );
    assert!(
        matches!(repeat, Err(NotExecuted::DatabaseUnavailable)),
        "{repeat:?}"
    );
    proxy.come_back();
    // Its statement may have arrived late.
    send(&engine, &commits[0], 1)
        .await
        .expect("the network is back");
    let repeat = send(&engine, &repeats[0], 1)
        .await
        .expect("the network is back");
    assert!(repeat.replayed);
    engine.stop().await;
}

/// A link that can't be loaded: all who ask for it hear so in time, not one after the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_of_a_link_that_cannot_be_loaded_wait_together() {
    let database = Database::new().await;
    let store = database.store().await;
    let opener = engine(&store, "opener").await;
    let tables = open(&opener, "slow", CALLERS).await;
    opener.stop().await;
    let fresh = engine(&store, "fresh").await;
    let mut blocker = PgConnection::connect_with(&database.superuser)
        .await
        .expect("it is there");
    let lock = "BEGIN; LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock)
        .execute(&mut blocker)
        .await
        .expect("a superuser may");
    let asking = tables.iter().map(|table| send(&fresh, table, 1));
    for heard in futures_util::future::join_all(asking).await {
        assert!(
            matches!(heard, Err(NotExecuted::DatabaseUnavailable)),
            "{heard:?}"
        );
    }
    sqlx::raw_sql("COMMIT")
        .execute(&mut blocker)
        .await
        .expect("a superuser may");
    for table in &tables {
        send(&fresh, table, 1)
            .await
            .expect("the link can be loaded");
    }
    fresh.stop().await;
}

/// The postmaster is killed under load and started again, twice: nothing acknowledged is lost, and the engine goes
/// on by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_outlives_a_killed_postgres() {
    let seed = Seed::announce("postgres");
    let folder = tempfile::Builder::new()
        .prefix("mh-killed-")
        .tempdir()
        .expect("a folder");
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(), everybody).expect("ours");
    let options = Options::small(folder.path());
    let mut server = Server::start(&options).await.expect("Postgres starts");
    let superuser = server.connect_options();
    migrate(&superuser).await.expect("it is migrated");
    let store = store(superuser.clone().username("meterhouse_app")).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "postgres", TABLES).await;
    let ledger = Arc::new(Ledger::default());
    let rushing = rush_all(seed, &Nodes::new(vec![engine.clone()]), &tables, &ledger);
    let mut rng = seed.rng("kill");
    let mut heard = ledger.heard();
    for _ in 0..2 {
        let answers = heard.borrow().answers + rng.random_range(1..60);
        in_time(
            "commands are answered",
            heard.wait_for(|it| it.answers >= answers),
        )
        .await
        .ok();
        kill(Pid::from_raw(server.pid()), Signal::SIGKILL).expect("it lives");
        in_time("its death is noticed", server.died()).await;
        server.stop().await.expect("it has ended");
        server = in_time("Postgres starts again", Server::start(&options))
            .await
            .expect("it starts");
    }
    all_done(rushing).await;
    assert_sums(seed, &engine, &tables).await;
    engine.stop().await;
    ledger.assert_kept(&superuser, &store).await;
    store.close().await;
    in_time("Postgres stops", server.stop())
        .await
        .expect("it stops");
}
