//! `GET /healthz`, `GET /readyz` and `GET /openapi.json`: the server's liveness, readiness and description.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use meterhouse_api::operation::{Health, Readiness, ReadinessCheck};
use meterhouse_api::words::{CheckStatus, HealthStatus, ReadinessStatus};
use meterhouse_engine::readiness::{self, CheckState};

use crate::document::ServerProblems;
use crate::options::Shared;

/// Reports that the process is alive, whatever the state of its database.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "read_health",
    tag = "operations",
    security(()),
    responses((status = 200, description = "Alive", body = Health), ServerProblems),
)]
pub(crate) async fn health() -> Json<Health> {
    Json(Health {
        status: HealthStatus::Alive,
    })
}

/// Checks if the server can do its work. A degraded server answers 200: it plays on, and an operator has to act.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "read_readiness",
    tag = "operations",
    security(()),
    responses(
        (status = 200, description = "Ready, or degraded and why", body = Readiness),
        (status = 503, description = "Not ready, and why", body = Readiness),
        ServerProblems,
    ),
)]
pub(crate) async fn ready(State(shared): State<Shared>) -> (StatusCode, Json<Readiness>) {
    let stopping = shared.options.stopping.is_cancelled();
    let (checks, purpose) = tokio::join!(shared.engine.readiness(), shared.engine.purpose());
    let body = readiness(checks, purpose, stopping);
    let status = if body.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(body))
}

/// Returns the `OpenAPI` document of this server.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "read_openapi",
    tag = "operations",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1", body = serde_json::Value), ServerProblems),
)]
pub(crate) async fn openapi(State(shared): State<Shared>) -> Response {
    let document: &str = shared.document;
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

fn readiness(
    mut checks: Vec<readiness::Check>,
    purpose: Option<&'static str>,
    stopping: bool,
) -> Readiness {
    if stopping {
        let stopping = readiness::Check::failed("lifecycle", "the server is stopping");
        checks.push(stopping);
    }
    let worst = checks.iter().map(|check| check.state).max();
    let status = match worst {
        None | Some(CheckState::Ok) => ReadinessStatus::Ready,
        Some(CheckState::Degraded) => ReadinessStatus::Degraded,
        Some(CheckState::Failed) => ReadinessStatus::NotReady,
    };
    Readiness {
        ready: status != ReadinessStatus::NotReady,
        status,
        purpose: purpose.map(str::to_owned),
        checks: checks.into_iter().map(check).collect(),
    }
}

fn check(check: readiness::Check) -> ReadinessCheck {
    ReadinessCheck {
        name: check.name.to_owned(),
        ok: check.state == CheckState::Ok,
        status: match check.state {
            CheckState::Ok => CheckStatus::Ok,
            CheckState::Degraded => CheckStatus::Degraded,
            CheckState::Failed => CheckStatus::Failed,
        },
        detail: check.detail,
    }
}
