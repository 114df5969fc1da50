//! A server as a process that is killed at any time while a table plays: every stored command is counted once.
//!
//! # Shape
//! This test program is started again as a server: engine and gRPC on a given database, on a port that it prints. It is
//! killed (SIGKILL) after a number of outcomes, and the cable leads to the next one.

use std::process::Stdio;
use std::str::FromStr as _;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_client::{Close, Controller};
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_store::{PgConnectOptions, Store, StoreOptions};
use meterhouse_tests::in_time;
use sqlx::ConnectOptions as _;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use crate::fixture::{Fixture, coin_in};

/// The variable with the database's address, which only the server's process has.
const DATABASE: &str = "METERHOUSE_CLIENT_SERVER";
/// Prefix of the line for the parent. The test harness prints other lines.
const MARK: &str = "> ";
const KILLS: usize = 4;
/// Rounds between two kills.
const ROUNDS: u64 = 40;

/// Starts a server. Returns the process and its address.
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

/// The server's process. Without its variable, it does nothing.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test that kills it"]
async fn server() {
    let Some(database) = std::env::var_os(DATABASE) else {
        return;
    };
    let connect = PgConnectOptions::from_str(database.to_str().expect("text")).expect("a URL");
    let options = StoreOptions {
        servers: connect.into(),
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
    let catalogue = Catalogue::compiled_in().expect("our own paytables are well");
    let options = meterhouse_grpc::ServeOptions::default();
    let serving = meterhouse_grpc::serve(listener, engine, Arc::new(catalogue), options);
    serving.await.expect("it serves until it is killed");
}

/// Plays rounds, and waits for half of the outcomes, so that the server is killed with commands in flight.
async fn play(controller: &Controller) {
    let mut receipts = Vec::new();
    for _ in 0..ROUNDS {
        receipts.push(controller.send(coin_in(&[1, 3])).await.expect("stored"));
        receipts.push(controller.send(Close).await.expect("stored"));
    }
    for receipt in receipts
        .into_iter()
        .take(usize::try_from(ROUNDS).expect("few"))
    {
        let outcome = in_time("the outcome", receipt.outcome()).await;
        assert!(outcome.expect("the controller runs").is_accepted());
    }
}

/// See the header of this file.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_and_doubles_no_command() {
    let fixture = Fixture::open().await;
    let database = fixture
        .house
        .database
        .application
        .to_url_lossy()
        .to_string();
    let (mut process, address) = start(&database).await;
    fixture.cable.leads_to(address);
    let (controller, mut outcomes) = fixture.controller().await;
    let mut commands = 0;
    for _ in 0..KILLS {
        play(&controller).await;
        commands += 2 * ROUNDS;
        process.kill().await.expect("it can be killed");
        let (next, address) = start(&database).await;
        process = next;
        fixture.cable.leads_to(address);
    }
    // The second half of the last outcomes.
    loop {
        let outcome = in_time("the outcome", outcomes.take()).await;
        let outcome = outcome.expect("the controller runs");
        assert!(outcome.is_accepted(), "{outcome:?}");
        if outcome.sequence.get() == commands {
            break;
        }
    }
    fixture.assert_counted(commands, commands).await;
    controller.close().await.expect("closed");
    process.kill().await.expect("it can be killed");
    fixture.house.end().await;
}
