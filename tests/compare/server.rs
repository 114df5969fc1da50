//! The server, as a process of its own, so that its processor time can be told from the load's.

use std::process::Stdio;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_load::Node;
use meterhouse_store::{Store, StoreOptions};
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use crate::Failure;

/// The role of the application.
const ROLE: &str = "meterhouse_app";

/// The store of a database, as the application's role.
pub(crate) async fn store(socket: &str, database: &str) -> Result<Store, Failure> {
    let connect = PgConnectOptions::new()
        .socket(socket)
        .username(ROLE)
        .database(database);
    Ok(Store::connect(StoreOptions::new(connect)).await?)
}

/// Serves until the standard input ends; says first where.
pub(crate) async fn serve(socket: &str, database: &str) -> Result<(), Failure> {
    let store = store(socket, database).await?;
    let engine = Engine::start(store.clone(), EngineOptions::new("compare")).await?;
    let (http, grpc) = (
        TcpListener::bind("127.0.0.1:0").await?,
        TcpListener::bind("127.0.0.1:0").await?,
    );
    println!("{} {}", http.local_addr()?, grpc.local_addr()?);
    let catalogue = Arc::new(Catalogue::compiled_in()?);
    let options = meterhouse_http::Options::default();
    let streams = meterhouse_grpc::ServeOptions {
        stopping: options.stopping.clone(),
        ..meterhouse_grpc::ServeOptions::default()
    };
    let router = meterhouse_http::router(engine.clone(), catalogue, options.clone());
    let streams = meterhouse_grpc::serve(grpc, engine.clone(), streams);
    let input = tokio::task::spawn_blocking(|| std::io::read_to_string(std::io::stdin()));
    tokio::select! {
        () = meterhouse_http::serve(http, router, options) => {}
        served = streams => served?,
        ended = input => drop(ended??),
    }
    engine.stop().await;
    store.close().await;
    Ok(())
}

/// A running server. Dropped, it is killed.
pub(crate) struct Running {
    child: Child,
    /// Where its HTTP API is.
    pub(crate) http: String,
    /// Where its gRPC API is.
    pub(crate) grpc: String,
}

impl Running {
    /// Starts this program again as the server, with this in its environment.
    pub(crate) async fn start(
        socket: &str,
        database: &str,
        environment: &[(&str, &str)],
    ) -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--serve", socket, database])
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("the server has no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let line = line.ok_or("the server ended at once")?;
        let (http, grpc) = line.split_once(' ').ok_or("the server says no address")?;
        Ok(Self {
            http: format!("http://{http}"),
            grpc: format!("http://{grpc}"),
            child,
        })
    }

    /// Its addresses, for a load.
    pub(crate) fn node(&self) -> Node {
        Node {
            base: self.http.clone(),
            grpc: Some(self.grpc.clone()),
        }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Ends it without asking, as a failing machine would, and waits.
    pub(crate) async fn kill(&mut self) -> Result<(), Failure> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to stop, and waits.
    pub(crate) async fn stop(&mut self) -> Result<(), Failure> {
        drop(self.child.stdin.take());
        let status = self.child.wait().await?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }
}
