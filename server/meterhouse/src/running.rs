//! A running server: engine and listener over an open database, started and stopped in order.

use std::net::SocketAddr;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_engine::readiness::AddedCheck;
use meterhouse_engine::{Engine, EngineOptions};

use crate::database::Database;
use crate::failure::Failure;
use crate::known::{self, Keeping};
use crate::listen::{Listening, Taken};

/// A running server.
pub(crate) struct Running {
    /// What serves.
    pub(crate) engine: Engine,
    listening: Listening,
    keeping: Option<Keeping>,
}

impl Running {
    /// Starts the engine, whose readiness has these checks as well, then listens.
    pub(crate) async fn start(
        database: &Database,
        catalogue: Arc<Catalogue>,
        taken: Taken,
        checks: Vec<AddedCheck>,
    ) -> Result<Self, Failure> {
        let mut options = EngineOptions::new(node_name());
        options.checks = database.checks();
        options.checks.extend(checks);
        let engine = Engine::start(database.store.clone(), options)
            .await
            .map_err(|error| Failure::database("could not start the engine", error))?;
        if let Err(failure) = known::fault(&engine, &database.lost).await {
            engine.stop().await;
            return Err(failure);
        }
        let options = meterhouse_http::Options::default();
        let router = meterhouse_http::router(engine.clone(), catalogue, options.clone())
            .merge(meterhouse_web::router());
        match Listening::start(taken, router, engine.clone(), options) {
            Ok(listening) => {
                let keeper = database.keeper.as_ref();
                let keeping = keeper.map(|keeper| keeper.start(database.store.clone()));
                Ok(Self {
                    engine,
                    listening,
                    keeping,
                })
            }
            Err(failure) => {
                engine.stop().await;
                Err(failure)
            }
        }
    }

    /// Where page, API and feed are.
    pub(crate) fn address(&self) -> SocketAddr {
        self.listening.http
    }

    /// Where gRPC is, if it is served.
    pub(crate) fn grpc_address(&self) -> Option<SocketAddr> {
        self.listening.grpc
    }

    /// Takes no new request, ends the feeds, commits what waits, writes snapshots.
    pub(crate) async fn stop(self) {
        self.listening.stop().await;
        self.engine.stop().await;
        if let Some(keeping) = self.keeping {
            keeping.stop().await;
        }
    }
}

/// Which process commits, for people who read the journal: host and process.
fn node_name() -> String {
    let host = nix::unistd::gethostname()
        .ok()
        .and_then(|it| it.into_string().ok());
    format!(
        "{}:{}",
        host.as_deref().unwrap_or("unknown"),
        std::process::id()
    )
}
