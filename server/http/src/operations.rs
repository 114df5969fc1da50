//! Whether the server lives, whether it can work, and what it speaks.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use meterhouse_engine::view::Readiness;
use serde::Serialize;
use utoipa::ToSchema;

use crate::options::Shared;

/// The server lives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `alive`.
    #[schema(value_type = String, examples("alive"))]
    status: &'static str,
}

/// Whether the server can do its work.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Whether every check is well.
    ready: bool,
    /// What was looked at.
    checks: Vec<Check>,
}

/// Something that was looked at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Check {
    /// What.
    #[schema(value_type = String, examples("database"))]
    name: &'static str,
    /// Whether it is well.
    ok: bool,
    /// In a sentence.
    detail: String,
}

/// Says that the server lives: the process answers, whatever its database does.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "read_health",
    tag = "operations",
    security(()),
    responses((status = 200, description = "Alive", body = Health)),
)]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "alive" })
}

/// Says whether the server can do its work: the database is reachable, its schema is this release's or a newer one's.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "read_readiness",
    tag = "operations",
    security(()),
    responses(
        (status = 200, description = "Ready", body = Ready),
        (status = 503, description = "Not ready, and why", body = Ready),
    ),
)]
pub(crate) async fn ready(State(shared): State<Shared>) -> (StatusCode, Json<Ready>) {
    let stopping = shared.options.stopping.is_cancelled();
    let readiness = shared.engine.readiness().await;
    let body = Ready::new(readiness, stopping);
    let status = if body.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(body))
}

/// The document that describes all this.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "read_openapi",
    tag = "operations",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1", body = serde_json::Value)),
)]
pub(crate) async fn openapi(State(shared): State<Shared>) -> Response {
    (
        [(CONTENT_TYPE, "application/json")],
        shared.document.to_string(),
    )
        .into_response()
}

impl Ready {
    fn new(readiness: Readiness, stopping: bool) -> Self {
        let mut checks: Vec<Check> = readiness
            .checks
            .into_iter()
            .map(|(name, ok, detail)| Check { name, ok, detail })
            .collect();
        if stopping {
            let detail = "the server is stopping".to_owned();
            checks.push(Check {
                name: "lifecycle",
                ok: false,
                detail,
            });
        }
        Self {
            ready: readiness.ready && !stopping,
            checks,
        }
    }
}
