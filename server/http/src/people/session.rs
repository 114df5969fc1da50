//! `GET` and `DELETE /v1/session`: who this is, and the end of a session.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use meterhouse_api::access::{EndedCredentials, Holder};
use meterhouse_api::text::Text;
use meterhouse_api::words::{CredentialKind, Role};
use meterhouse_engine::access::Only;
use meterhouse_engine::tokens::{Right, Role as HolderRole};
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::cookie;
use crate::caller::Identified;
use crate::document::{ReadProblems, WriteProblems};
use crate::extract::parameters::{NoParameters, QueryOf, Switch, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a logout.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogoutQuery {
    /// `true` to end all sessions of the person, on every machine.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<bool>)]
    all: Option<Switch>,
}

/// Returns the holder of the session or token.
#[utoipa::path(
    get,
    path = "/v1/session",
    operation_id = "read_session",
    tag = "people",
    security(("token" = [])),
    responses((status = 200, description = "The holder", body = Holder), ReadProblems),
)]
pub(crate) async fn session(identified: Identified, _: QueryOf<NoParameters>) -> Json<Holder> {
    Json(holder(&identified))
}

/// Ends the session of this request, or all sessions of its person.
#[utoipa::path(
    delete,
    path = "/v1/session",
    operation_id = "log_out",
    tag = "people",
    security(("token" = [])),
    params(LogoutQuery),
    responses(
        (status = 200, description = "Ended", body = EndedCredentials),
        WriteProblems,
    ),
)]
pub(crate) async fn logout(
    State(shared): State<Shared>,
    identified: Identified,
    QueryOf(query): QueryOf<LogoutQuery>,
) -> Result<impl IntoResponse, Failure> {
    let (_, secret) = identified.session()?;
    let name = identified.caller.person.name.to_string();
    let access = shared.engine.access();
    let ended = if query.all.is_some_and(|all| all.0) {
        let by = &identified.by;
        access.end_sessions(by, Only::Always, &name).await?
    } else {
        access.logout(&identified.by, &name, secret).await?
    };
    Ok(([cookie("", 0)?], Json(EndedCredentials { name, ended })))
}

/// Returns the holder of a request's credential.
pub(super) fn holder(identified: &Identified) -> Holder {
    let Identified {
        caller, session, ..
    } = identified;
    let rights = caller.rights.as_ref();
    let session = session.as_ref().map(|(session, _)| session);
    Holder {
        name: caller.person.name.to_string(),
        role: role(caller.role),
        department: caller.person.department.as_ref().map(ToString::to_string),
        rights: rights.map(|rights| rights.iter().map(Right::name).map(str::to_owned).collect()),
        table: caller.table.clone().map(Text),
        link: caller.link.clone().map(Text),
        credential: match session {
            Some(_) => CredentialKind::Session,
            None => CredentialKind::Token,
        },
        csrf: session.map(|session| session.csrf.clone()),
        expires_at: session.map(|session| Text(session.expires_at)),
    }
}

/// Returns the role of a word.
pub(super) fn holder_role(word: &str) -> Result<HolderRole, Failure> {
    word.parse()
        .map_err(|_| Failure::internal("a word of the API is no role"))
}

/// Returns the word of a role.
pub(super) const fn role(role: HolderRole) -> Role {
    match role {
        HolderRole::Controller => Role::Controller,
        HolderRole::Display => Role::Display,
        HolderRole::Supervisor => Role::Supervisor,
        HolderRole::Manager => Role::Manager,
        HolderRole::Auditor => Role::Auditor,
        HolderRole::Administrator => Role::Administrator,
        HolderRole::Witnessed => Role::Witnessed,
    }
}
