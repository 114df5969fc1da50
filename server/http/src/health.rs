//! `GET /healthz`, `GET /readyz` and `GET /openapi.json`: the server's liveness, readiness and description.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use meterhouse_engine::readiness::{self, CheckState};
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::ServerProblems;
use crate::options::Shared;

/// The liveness of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `alive`.
    #[schema(value_type = String, examples("alive"))]
    status: &'static str,
}

/// The readiness of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    /// True if the server can do its work, degraded or not.
    ready: bool,
    /// The status of the worst check: `ready`, `degraded` or `not_ready`. A degraded server plays on, and an operator
    /// has to act.
    #[schema(value_type = String, examples("ready"))]
    status: &'static str,
    /// The purpose of the database: `casino`, `demo` or `load`; null if the database does not answer. Play money is
    /// never in a casino's database.
    #[schema(value_type = Option<String>, examples("casino"))]
    purpose: Option<&'static str>,
    /// All checks.
    checks: Vec<Check>,
}

/// One check.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Check {
    /// Subject of the check.
    #[schema(value_type = String, examples("database"))]
    name: &'static str,
    /// True if the check passed.
    ok: bool,
    /// `ok`, `degraded` or `failed`.
    #[schema(value_type = String, examples("ok"))]
    status: &'static str,
    /// Result in a sentence.
    detail: String,
}

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
    Json(Health { status: "alive" })
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
    let body = Readiness::new(checks, purpose, stopping);
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
    (
        [(CONTENT_TYPE, "application/json")],
        shared.document.to_string(),
    )
        .into_response()
}

impl Readiness {
    fn new(
        mut checks: Vec<readiness::Check>,
        purpose: Option<&'static str>,
        stopping: bool,
    ) -> Self {
        if stopping {
            let stopping = readiness::Check::failed("lifecycle", "the server is stopping");
            checks.push(stopping);
        }
        let worst = checks.iter().map(|check| check.state).max();
        let (ready, status) = match worst {
            None | Some(CheckState::Ok) => (true, "ready"),
            Some(CheckState::Degraded) => (true, "degraded"),
            Some(CheckState::Failed) => (false, "not_ready"),
        };
        Self {
            ready,
            status,
            purpose,
            checks: checks.into_iter().map(Check::from).collect(),
        }
    }
}

impl From<readiness::Check> for Check {
    fn from(check: readiness::Check) -> Self {
        Self {
            name: check.name,
            ok: check.state == CheckState::Ok,
            status: match check.state {
                CheckState::Ok => "ok",
                CheckState::Degraded => "degraded",
                CheckState::Failed => "failed",
            },
            detail: check.detail,
        }
    }
}
