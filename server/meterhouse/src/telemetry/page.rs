//! The page of metrics, on an address of its own, as Prometheus reads it, and the readiness for `meterhouse ready`.
//!
//! # Limits
//! The page is for a scraper of the house: it is served in plain text, on the address that the settings name. It has the
//! listener of the API, with [`SCRAPERS_MAX`] connections. The oldest one is closed for a newer one, so that a slow
//! scraper keeps no other out.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use meterhouse_edge::anonymous_connections::AnonymousLimits;
use meterhouse_engine::Engine;
use meterhouse_engine::readiness::CheckState;
use meterhouse_http::{HEAD_WAIT_MAX, Limits, Options};
use prometheus::{Encoder as _, Registry, TEXT_FORMAT, TextEncoder};
use tokio::task::JoinHandle;

use crate::failure::Failure;
use crate::listen::Socket;

/// Maximum number of connections that have sent a request, and of those that have not: a few scrapers and people.
const SCRAPERS_MAX: usize = 16;
/// Maximum number of connections in addition to these, which end with their response. More are answered with `busy`.
const ENDING_MAX: usize = 256;
/// Maximum pause of a connection between two requests, and while a page is not read: as long as Prometheus waits for a
/// page. It is checked once per interval, so a pause may last up to twice as long.
const IDLE_MAX: Duration = Duration::from_secs(10);
/// Limits of the connections.
const LIMITS: Limits = Limits {
    connections: SCRAPERS_MAX + ENDING_MAX,
    silent: SCRAPERS_MAX,
    anonymous: AnonymousLimits {
        all: SCRAPERS_MAX,
        of_address: SCRAPERS_MAX,
        feeds: 0,
        feeds_of_address: 0,
    },
    head_wait: HEAD_WAIT_MAX,
    idle: IDLE_MAX,
};

/// A served page of metrics.
pub(crate) struct Page {
    /// Address of the page.
    pub(crate) at: SocketAddr,
    serving: JoinHandle<()>,
}

impl Page {
    /// Serves the metrics of a registry, and the readiness of an engine.
    pub(crate) fn start(
        bound: Socket,
        registry: Registry,
        engine: Engine,
    ) -> Result<Self, Failure> {
        let (listener, at) = bound.listen()?;
        let router = Self::routes().with_state(Served { registry, engine });
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let serving = tokio::spawn(meterhouse_http::serve(listener, router, options));
        Ok(Self { at, serving })
    }

    /// Returns the routes of the page.
    pub(crate) fn routes() -> Router<Served> {
        Router::new()
            .route("/metrics", get(metrics))
            .route("/readyz", get(ready))
    }

    /// Ends the page.
    pub(crate) fn stop(self) {
        self.serving.abort();
    }
}

/// The sources of the page.
#[derive(Clone)]
pub(crate) struct Served {
    registry: Registry,
    engine: Engine,
}

async fn metrics(State(served): State<Served>) -> Response {
    let mut page = Vec::new();
    match TextEncoder::new().encode(&served.registry.gather(), &mut page) {
        Ok(()) => ([(CONTENT_TYPE, TEXT_FORMAT)], page).into_response(),
        Err(error) => {
            tracing::warn!(%error, "the metrics can't be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Answers in plain text with the checks that are not ok. A degraded server is ready, as on the page of the API.
async fn ready(State(served): State<Served>) -> (StatusCode, String) {
    let checks = served.engine.readiness().await;
    let is_failed = checks.iter().any(|check| check.state == CheckState::Failed);
    let (status, first) = if is_failed {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    } else {
        (StatusCode::OK, "ready")
    };
    let concerns = checks.iter().filter(|check| check.state != CheckState::Ok);
    let concerns = concerns.map(|check| format!("; {}: {}", check.name, check.detail));
    (status, format!("{first}{}\n", concerns.collect::<String>()))
}
