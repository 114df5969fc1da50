//! The record of requests: what people changed over the API, and what was refused.
//!
//! # Shape
//! A write by a person is recorded with its outcome, a refused one within a limit. So is a request that a right, a token
//! or a session refused. What changes logins, people and tokens records itself, with more facts.
//!
//! # Failures
//! A client that disconnects before the answer may have changed something: its act says that the outcome is unknown.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use meterhouse_engine::Engine;
use meterhouse_engine::access::{By, NewAct};

use crate::caller::{Known, has_credential, stranger};
use crate::client_address::ClientAddress;
use crate::problem::ProblemCode;

/// Beginnings of the routes whose changes record themselves.
const RECORD_THEMSELVES: [&str; 7] = [
    "/v1/login",
    "/v1/password",
    "/v1/session",
    "/v1/signatures",
    "/v1/people",
    "/v1/screens",
    "/v1/tokens",
];
/// Routes of commands, which the journal has, of what changes nothing, and of what screens send.
const UNRECORDED: [&str; 6] = [
    "/v1/tables/{table}/commands/{sequence}",
    "/v1/tables/{table}/heartbeat",
    "/v1/evaluations",
    "/v1/rounds/settlements",
    "/v1/pairings",
    "/v1/shown",
];
/// Maximum length of a path that is recorded, in characters.
const PATH_MAX: usize = 200;

/// What a request may do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// It reads, or is a command of a table, which the journal has.
    Unrecorded,
    /// It changes logins, people or tokens. Such a change records itself; a refused one does not.
    ChangeOfAccess,
    /// It changes something else.
    Write,
}

impl Kind {
    fn of(method: &Method, route: &str) -> Self {
        if method.is_safe() || UNRECORDED.contains(&route) {
            Self::Unrecorded
        } else if RECORD_THEMSELVES.iter().any(|own| route.starts_with(own)) {
            Self::ChangeOfAccess
        } else {
            Self::Write
        }
    }

    fn is_recorded(self, status: StatusCode) -> bool {
        match self {
            Self::Unrecorded => false,
            Self::ChangeOfAccess => !status.is_success(),
            Self::Write => true,
        }
    }
}

/// A request that is being handled.
struct Handling {
    engine: Engine,
    known: Known,
    address: Option<ClientAddress>,
    method: Method,
    uri: Uri,
    kind: Kind,
    /// `true` if the request shows a token or a session.
    has_credential: bool,
    is_done: bool,
}

/// Handles a request, and records it.
pub(crate) async fn record(
    State(engine): State<Engine>,
    mut request: Request,
    next: Next,
) -> Response {
    let known = Known::default();
    request.extensions_mut().insert(known.clone());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("", MatchedPath::as_str);
    let kind = Kind::of(request.method(), route);
    let mut handling = Handling {
        engine,
        known,
        address: request.extensions().get().copied(),
        kind,
        method: request.method().clone(),
        uri: request.uri().clone(),
        has_credential: has_credential(request.headers()),
        is_done: false,
    };
    let response = next.run(request).await;
    let code = response.extensions().get::<ProblemCode>().copied();
    handling.done(response.status(), code).await;
    response
}

impl Handling {
    /// Records a request that was answered.
    async fn done(&mut self, status: StatusCode, code: Option<ProblemCode>) {
        self.is_done = true;
        let access = self.engine.access();
        let recorded = match (self.known.0.get(), status) {
            (Some(by), StatusCode::FORBIDDEN) => {
                access
                    .record_refusal(self.act(by, "refused", status, code))
                    .await
            }
            (None, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) if self.has_credential => {
                let act = self.act(&stranger(self.address), "refused", status, code);
                access.record_refusal(act).await
            }
            (Some(by), _) if self.kind.is_recorded(status) => {
                let act = self.act(by, "request", status, code);
                if status.is_client_error() {
                    access.record_refusal(act).await
                } else {
                    access.record(act).await
                }
            }
            _ => return,
        };
        if let Err(error) = recorded {
            let (method, path) = (&self.method, self.path());
            tracing::error!(%error, %method, path, "a request can't be recorded");
        }
    }

    /// Returns the path as it is recorded.
    fn path(&self) -> String {
        self.uri.path().chars().take(PATH_MAX).collect()
    }

    fn act(
        &self,
        by: &By,
        word: &'static str,
        status: StatusCode,
        code: Option<ProblemCode>,
    ) -> NewAct {
        let subject = format!("{} {}", self.method, self.path());
        let mut act = by.act(word, Some(&subject));
        let status = status.as_u16().to_string();
        act.details.push(("status".to_owned(), status));
        let code = code.map(|code| ("code".to_owned(), code.0.to_owned()));
        act.details.extend(code);
        act
    }
}

impl Drop for Handling {
    /// Records a write whose client left before the answer.
    fn drop(&mut self) {
        if self.is_done || self.kind != Kind::Write {
            return;
        }
        let Some(by) = self.known.0.get() else {
            return;
        };
        let subject = format!("{} {}", self.method, self.path());
        let mut act = by.act("request", Some(&subject));
        let outcome = ("outcome".to_owned(), "unknown: the client left".to_owned());
        act.details.push(outcome);
        let engine = self.engine.clone();
        tokio::spawn(async move {
            if let Err(error) = engine.access().record(act).await {
                tracing::error!(%error, subject, "a request can't be recorded");
            }
        });
    }
}
