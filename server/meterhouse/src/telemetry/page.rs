//! The page of metrics, on an address of its own, as Prometheus reads it, and the readiness for `meterhouse ready`.
//!
//! # Limits
//! The page is for a scraper of the house: it is served in plain text, on the address that the settings name.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use meterhouse_engine::Engine;
use meterhouse_engine::readiness::CheckState;
use prometheus::{Encoder as _, Registry, TEXT_FORMAT, TextEncoder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::failure::Failure;
use crate::listen::Socket;

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
        let serving = tokio::spawn(serve(listener, Served { registry, engine }));
        Ok(Self { at, serving })
    }

    /// Ends the page.
    pub(crate) fn stop(self) {
        self.serving.abort();
    }
}

/// The sources of the page.
#[derive(Clone)]
struct Served {
    registry: Registry,
    engine: Engine,
}

async fn serve(listener: TcpListener, served: Served) {
    let router = Router::new()
        .route("/metrics", get(metrics))
        .route("/readyz", get(ready))
        .with_state(served);
    if let Err(error) = axum::serve(listener, router).await {
        tracing::error!(%error, "the metrics are served no longer");
    }
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
