//! A running server: engine and listener over an open database, started and stopped in order.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use meterhouse_catalogue::Catalogue;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_engine::access::{AccessControl, Announcements, By, Only, Vouching};
use meterhouse_engine::push::PushSender;
use meterhouse_engine::readiness::AddedCheck;
use meterhouse_engine::signing::introduce_first;
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_openid::Provider;
use meterhouse_store::Store;
use meterhouse_tls::{Acceptor, Protocol, Tls};

use crate::database::Database;
use crate::failure::Failure;
use crate::known_heads::{self, RunningHeadWriter};
use crate::listen::{BoundAddresses, Listening};
use crate::signing_key::ServerKey;

/// What stands between the network and the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    /// TLS; `None` for plain text.
    pub(crate) tls: Option<Tls>,
    /// Proxies whose word about a client's address counts.
    pub(crate) trusted_proxies: TrustedProxies,
    /// Provider of logins by OpenID Connect.
    pub(crate) openid: Option<Arc<Provider>>,
    /// Origins whose pages may call the API.
    pub(crate) allowed_origins: Vec<HeaderValue>,
    /// Pages beside those that every server has.
    pub(crate) pages: Router,
}

impl Front {
    fn acceptor(&self, protocol: Protocol) -> Acceptor {
        match &self.tls {
            Some(tls) => Acceptor::Tls(tls.clone(), protocol),
            None => Acceptor::Plain,
        }
    }
}

/// What the server says to others by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outward {
    /// Announcements of accesses that may configure.
    pub(crate) announcements: Option<Announcements>,
    /// Way to push services.
    pub(crate) push: Option<Arc<dyn PushSender>>,
}

/// A running server.
pub(crate) struct Running {
    /// Engine that serves.
    pub(crate) engine: Engine,
    listening: Listening,
    head_writer: Option<RunningHeadWriter>,
}

impl Running {
    /// Starts the engine with additional readiness checks, the key that signs heads, and what it says to others, then
    /// listens.
    pub(crate) async fn start(
        database: &Database,
        catalogue: Arc<Catalogue>,
        bound: BoundAddresses,
        front: Front,
        checks: Vec<AddedCheck>,
        key: Option<ServerKey>,
        outward: Outward,
    ) -> Result<Self, Failure> {
        let mut options = EngineOptions::new(node_name());
        options.checks = database.checks();
        options.checks.extend(checks);
        options.announcements = outward.announcements;
        options.push = outward.push;
        if let Some(key) = key {
            introduce(&database.store, &key).await?;
            options.older_keys = key.older;
            options.signing = Some(key.signing);
        }
        let engine = Engine::start(database.store.clone(), options)
            .await
            .map_err(|error| Failure::database("could not start the engine", error))?;
        if let Err(failure) = known_heads::fault(&engine, &database.lost).await {
            engine.stop().await;
            return Err(failure);
        }
        let options = meterhouse_http::Options {
            acceptor: front.acceptor(Protocol::Http),
            trusted_proxies: front.trusted_proxies.clone(),
            openid: front.openid.clone(),
            origins: front.allowed_origins.clone(),
            ..meterhouse_http::Options::default()
        };
        let router =
            meterhouse_http::router(engine.clone(), Arc::clone(&catalogue), options.clone())
                .merge(meterhouse_web::router())
                .merge(front.pages.clone());
        match Listening::start(
            bound,
            router,
            (engine.clone(), catalogue),
            options,
            front.acceptor(Protocol::Grpc),
        ) {
            Ok(listening) => {
                let head_writer = database.head_writer.as_ref();
                let head_writer =
                    head_writer.map(|head_writer| head_writer.start(database.store.clone()));
                Ok(Self {
                    engine,
                    listening,
                    head_writer,
                })
            }
            Err(failure) => {
                engine.stop().await;
                Err(failure)
            }
        }
    }

    /// Returns the address of page, API and feed.
    pub(crate) fn address(&self) -> SocketAddr {
        self.listening.http
    }

    /// Returns the address of gRPC, if it is served.
    pub(crate) fn grpc_address(&self) -> Option<SocketAddr> {
        self.listening.grpc
    }

    /// Accepts no new request, ends the feeds, commits the waiting commands and writes snapshots.
    pub(crate) async fn stop(self) {
        self.listening.stop().await;
        self.engine.stop().await;
        if let Some(head_writer) = self.head_writer {
            head_writer.stop().await;
        }
    }
}

/// Introduces the key as the first one of its database. A key that was made by this start vouches for the tokens, passwords
/// and codes that were there before.
async fn introduce(store: &Store, key: &ServerKey) -> Result<(), Failure> {
    let failed = |error| Failure::database("could not introduce the signing key", error);
    let secret = &key.signing.key;
    let introduced = introduce_first(store, secret.public()).await;
    if introduced.map_err(failed)? && key.is_new {
        let vouching = Vouching::of(store, Some(secret.clone()), &[]).await;
        let access = AccessControl::new(store.clone(), Arc::new(vouching.map_err(failed)?));
        let by = By {
            proof: "server",
            ..By::default()
        };
        let found = access.vouch_for_stored(&by, Only::Always).await;
        let found = found
            .map_err(|error| Failure::database("could not vouch for what was there", error))?;
        tracing::info!(
            count = found.vouched.len(),
            "the new signing key vouches for the tokens, passwords and codes that were there"
        );
    }
    Ok(())
}

/// Returns the name of the committing process, for readers of the journal: host and process id.
fn node_name() -> String {
    let host = nix::unistd::gethostname()
        .ok()
        .and_then(|name| name.into_string().ok());
    format!(
        "{}:{}",
        host.as_deref().unwrap_or("unknown"),
        std::process::id()
    )
}
