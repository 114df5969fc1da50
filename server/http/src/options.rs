//! What the application gives the router, and what every handler is given.

use std::collections::BTreeMap;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::ids::GameName;
use meterhouse_edge::manual::{ManualPage, pages};
use meterhouse_engine::Engine;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::listener::limits::Limits;

/// How the server stops, and what connections may take.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Cancelled when the server stops: every feed is then closed with 1001.
    pub stopping: CancellationToken,
    /// The feeds that are open. A server's graceful shutdown doesn't wait for them: close and await this.
    pub feeds: TaskTracker,
    /// What connections may take.
    pub limits: Limits,
}

/// What handlers are given.
#[derive(Clone)]
pub(crate) struct Shared {
    /// What answers.
    pub(crate) engine: Engine,
    /// The paytables that links may open with.
    pub(crate) catalogue: Arc<Catalogue>,
    /// The manual's pages: made once, since the catalogue doesn't change while the server runs.
    pub(crate) manual: Arc<BTreeMap<GameName, ManualPage>>,
    /// How the server stops.
    pub(crate) options: Options,
    /// The `OpenAPI` document, as text.
    pub(crate) document: Arc<str>,
}

impl Shared {
    pub(crate) fn new(
        engine: Engine,
        catalogue: Arc<Catalogue>,
        options: Options,
        document: Arc<str>,
    ) -> Self {
        Self {
            engine,
            manual: Arc::new(pages(&catalogue)),
            catalogue,
            options,
            document,
        }
    }
}
