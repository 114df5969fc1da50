//! A server as a process of its own that is killed at any moment while a table plays: what was kept is counted once.
//!
//! # Shape
//! This test program is started again as a server: engine and gRPC on a database that it is told, on a port that it
//! writes. It is killed (SIGKILL) after so many outcomes, and the cable leads to the next one.

use std::process::Stdio;
use std::str::FromStr as _;

use meterhouse_client::{Close, Controller};
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_store::{PgConnectOptions, Store, StoreOptions};
use meterhouse_tests::in_time;
use sqlx::ConnectOptions as _;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use crate::scene::{Scene, coin_in};

/// Where the database is, for the server; nobody else has it.
const DATABASE: &str = "METERHOUSE_CLIENT_SERVER";
/// Before the line that is for the parent; the test harness writes others.
const MARK: &str = "> ";
const KILLS: usize = 4;
/// Rounds between two kills.
const ROUNDS: u64 = 40;

/// Starts a server; where it listens.
async fn start(database: &str) -> (Child, std::net::SocketAddr) {
    let program = std::env::current_exe().expect("this program has a path");
    let mut process = Command::new(program)
        .args(["--exact", "server_killed::server", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(DATABASE, database)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("this program can be started again");
    let output = process.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(output).lines();
    let listening = async {
        while let Some(line) = lines.next_line().await.expect("a line") {
            if let Some(address) = line.strip_prefix(MARK) {
                return address.parse().expect("an address");
            }
        }
        panic!("the server ended");
    };
    let address = in_time("the server listens", listening).await;
    (process, address)
}

/// The server. Without its environment it is nobody's.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test that kills it"]
async fn server() {
    let Some(database) = std::env::var_os(DATABASE) else {
        return;
    };
    let connect = PgConnectOptions::from_str(database.to_str().expect("text")).expect("a URL");
    let options = StoreOptions {
        connect,
        pool_connections: 2,
        commit_connections: 1,
    };
    let store = Store::connect(options).await.expect("a database");
    let node = format!("server-{}", std::process::id());
    let engine = Engine::start(store, EngineOptions::new(node)).await;
    let engine = engine.expect("the engine starts");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a port");
    println!("\n{MARK}{address}");
    let serving =
        meterhouse_grpc::serve(listener, engine, meterhouse_grpc::ServeOptions::default());
    serving.await.expect("it serves until it is killed");
}

/// Keeps rounds, and waits for the outcomes of half of them: the server is killed with the others under way.
async fn play(controller: &Controller) {
    let mut kept = Vec::new();
    for _ in 0..ROUNDS {
        kept.push(controller.send(coin_in(&[1, 3])).await.expect("kept"));
        kept.push(controller.send(Close).await.expect("kept"));
    }
    for kept in kept.into_iter().take(usize::try_from(ROUNDS).expect("few")) {
        let outcome = in_time("the outcome", kept.outcome()).await;
        assert!(outcome.expect("it plays").is_accepted());
    }
}

/// See the head of this file.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_and_doubles_nothing() {
    let scene = Scene::open().await;
    let database = scene.house.database.application.to_url_lossy().to_string();
    let (mut process, address) = start(&database).await;
    scene.cable.leads_to(address);
    let (controller, mut outcomes) = scene.controller().await;
    let mut commands = 0;
    for _ in 0..KILLS {
        play(&controller).await;
        commands += 2 * ROUNDS;
        process.kill().await.expect("it can be killed");
        let (next, address) = start(&database).await;
        process = next;
        scene.cable.leads_to(address);
    }
    // The last one's second half.
    loop {
        let outcome = in_time("the outcome", outcomes.take()).await;
        let outcome = outcome.expect("it plays");
        assert!(outcome.is_accepted(), "{outcome:?}");
        if outcome.sequence.get() == commands {
            break;
        }
    }
    scene.counted(commands, commands).await;
    controller.close().await.expect("closed");
    process.kill().await.expect("it can be killed");
    scene.house.end().await;
}
