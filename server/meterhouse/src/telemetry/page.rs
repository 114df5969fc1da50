//! The page of metrics, on an address of its own, as Prometheus reads it.
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
    /// Serves the metrics of a registry.
    pub(crate) fn start(bound: Socket, registry: Registry) -> Result<Self, Failure> {
        let (listener, at) = bound.listen()?;
        let serving = tokio::spawn(serve(listener, registry));
        Ok(Self { at, serving })
    }

    /// Ends the page.
    pub(crate) fn stop(self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, registry: Registry) {
    let router = Router::new()
        .route("/metrics", get(metrics))
        .with_state(registry);
    if let Err(error) = axum::serve(listener, router).await {
        tracing::error!(%error, "the metrics are served no longer");
    }
}

async fn metrics(State(registry): State<Registry>) -> Response {
    let mut page = Vec::new();
    match TextEncoder::new().encode(&registry.gather(), &mut page) {
        Ok(()) => ([(CONTENT_TYPE, TEXT_FORMAT)], page).into_response(),
        Err(error) => {
            tracing::warn!(%error, "the metrics can't be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
