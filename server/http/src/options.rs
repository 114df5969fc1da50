//! The options of the router, and the state that all handlers share.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::http::HeaderValue;
use meterhouse_api::manual::ManualPage;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::ids::GameName;
use meterhouse_edge::manual::pages;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_engine::Engine;
use meterhouse_openid::Provider;
use meterhouse_tls::Acceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::feed::group::Groups;
use crate::listener::limits::Limits;
use crate::operation_rights::OperationRights;

/// The options of the server: its stop and its limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Token that is cancelled when the server stops. Every feed is then closed with 1001.
    pub stopping: CancellationToken,
    /// Tracker of the open feeds. [`serve`](crate::serve) does not wait for them: close and await this tracker.
    pub feeds: TaskTracker,
    /// Limits of connections.
    pub limits: Limits,
    /// Plain text or TLS.
    pub acceptor: Acceptor,
    /// Proxies whose word about a client's address counts.
    pub trusted_proxies: TrustedProxies,
    /// Provider of logins by OpenID Connect.
    pub openid: Option<Arc<Provider>>,
    /// Origins whose pages may call the API from a browser (CORS).
    pub origins: Vec<HeaderValue>,
}

/// The state that all handlers share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// The engine that executes commands and queries.
    pub(crate) engine: Engine,
    /// The paytables that a link may open with.
    pub(crate) catalogue: Arc<Catalogue>,
    /// The manual's pages, made once for their first reader: the catalogue does not change while the server runs.
    manual: Arc<OnceLock<BTreeMap<GameName, ManualPage>>>,
    /// The options of the server.
    pub(crate) options: Options,
    /// The groups of displays.
    pub(crate) groups: Groups,
    /// The `OpenAPI` document, as text.
    pub(crate) document: &'static LazyLock<String>,
    /// The access to each operation.
    pub(crate) rights: Arc<OperationRights>,
}

impl Shared {
    pub(crate) fn new(
        engine: Engine,
        catalogue: Arc<Catalogue>,
        options: Options,
        document: &'static LazyLock<String>,
        rights: OperationRights,
    ) -> Self {
        Self {
            engine,
            manual: Arc::default(),
            catalogue,
            options,
            groups: Groups::default(),
            document,
            rights: Arc::new(rights),
        }
    }

    /// Returns the manual's pages by game.
    pub(crate) fn manual(&self) -> &BTreeMap<GameName, ManualPage> {
        self.manual.get_or_init(|| pages(&self.catalogue))
    }
}
