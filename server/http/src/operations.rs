//! Whether the server lives, whether it can work, and what it speaks.

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

/// The server lives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `alive`.
    #[schema(value_type = String, examples("alive"))]
    status: &'static str,
}

/// The readiness of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    /// Whether the server can do its work, degraded or not.
    ready: bool,
    /// `ready`, `degraded` (it plays on, and an operator has something to do) or `not_ready`: the worst check's.
    #[schema(value_type = String, examples("ready"))]
    status: &'static str,
    /// What the database was made for: `casino`, `demo` or `load`; null where it can't be asked. Play money is never in a
    /// casino's database.
    #[schema(value_type = Option<String>, examples("casino"))]
    purpose: Option<&'static str>,
    /// What was looked at.
    checks: Vec<Check>,
}

/// Something that was looked at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Check {
    /// What.
    #[schema(value_type = String, examples("database"))]
    name: &'static str,
    /// Whether all is well.
    ok: bool,
    /// `ok`, `degraded` or `failed`.
    #[schema(value_type = String, examples("ok"))]
    status: &'static str,
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
    responses((status = 200, description = "Alive", body = Health), ServerProblems),
)]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "alive" })
}

/// Checks if the server can do its work. Degraded is still 200: the server plays on, and an operator has something to do.
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

/// The document that describes all this.
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
