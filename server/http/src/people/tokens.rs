//! `GET` and `POST /v1/tokens`, `DELETE /v1/tokens/{person}`: the tokens of programs and people.

use core::str::FromStr;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use meterhouse_api::access::{EndedCredentials, IssuedToken, MadeToken, TokenPage, TokenRequest};
use meterhouse_api::text::{InvalidValue, Text};
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::admission::{Admission, checked};
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::access::{Only, TokenRow};
use meterhouse_engine::clock::now;
use meterhouse_engine::tokens::Role;
use serde::Deserialize;
use utoipa::IntoParams;

use super::session::{holder_role, role};
use crate::caller::{Authenticated, Identified};
use crate::document::{ReadProblems, WriteProblems};
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::PersonPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of tokens.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TokensQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    after: Option<TokenCursor>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// The last token of a page, from the `next` of the page before: the name of its holder, and its creation.
struct TokenCursor(String, Timestamp);

impl FromStr for TokenCursor {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let cursor = text
            .rsplit_once('.')
            .and_then(|(name, at)| Some(Self(name.to_owned(), Timestamp(at.parse().ok()?))));
        cursor.ok_or_else(|| {
            let detail = "write what the page before has in next, unchanged";
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

/// Lists the tokens, never their texts.
#[utoipa::path(
    get,
    path = "/v1/tokens",
    operation_id = "list_tokens",
    tag = "people",
    security(("token" = [])),
    params(TokensQuery),
    responses((status = 200, description = "A page of tokens", body = TokenPage), ReadProblems),
)]
pub(crate) async fn list_tokens(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<TokensQuery>,
) -> Result<Json<TokenPage>, Failure> {
    authorize::admit(&caller)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let after = query.after.as_ref();
    let after = after.map_or(("", Timestamp(i64::MIN)), |after| {
        (after.0.as_str(), after.1)
    });
    let page = shared.engine.access().tokens(after, limit).await?;
    let tokens: Option<Vec<IssuedToken>> = page.items.iter().map(issued).collect();
    Ok(Json(TokenPage {
        tokens: tokens.ok_or_else(|| Failure::internal("a stored role is no role"))?,
        more: page.next.is_some(),
        next: page.next.map(|(name, at)| format!("{name}.{}", at.0)),
    }))
}

fn issued(row: &TokenRow) -> Option<IssuedToken> {
    let who = &row.actor.who;
    let stored: Role = who.role.parse().ok()?;
    Some(IssuedToken {
        name: who.name.clone(),
        role: role(stored),
        table: who.table_name.clone(),
        link: who.link_name.clone(),
        department: who.department.clone(),
        rights: who.rights.clone(),
        created_at: Text(row.created_at),
        expires_at: row.expires_at.map(Text),
        revoked_at: row.revoked_at.map(Text),
    })
}

/// Admits a person or program, if the name is new, and makes a token, whose text is shown once.
///
/// A name may have several tokens: make the new one, change over, and let the old one expire.
#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "create_token",
    tag = "people",
    security(("token" = [])),
    request_body = TokenRequest,
    responses((status = 201, description = "The token", body = MadeToken), WriteProblems),
)]
pub(crate) async fn create_token(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<TokenRequest>,
) -> Result<(StatusCode, Json<MadeToken>), Failure> {
    authorize::admit(&identified.caller)?;
    let expires_at = body.expires_at.map(|at| at.0);
    if expires_at.is_some_and(|at| at <= now()) {
        let detail =
            "expires_at is a time to come; without it the token is good until it is revoked";
        return Err(EdgeError::because(EdgeCode::InvalidTime, detail)
            .with("field", "expires_at")
            .into());
    }
    let who = checked(Admission {
        name: body.name.to_string(),
        role: holder_role(body.role.name())?,
        table: body.table.as_ref().map(ToString::to_string),
        link: body.link.map(|link| link.to_string()),
        department: body.department.map(|department| department.to_string()),
        rights: body.rights,
    })?;
    if let Some(table) = &body.table {
        shared.engine.table(table).await?;
    }
    let name = who.name.clone();
    let access = shared.engine.access();
    let token = access
        .new_token(&identified.by, Only::Always, who, expires_at)
        .await?;
    let body = MadeToken {
        name,
        token,
        expires_at: expires_at.map(Text),
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// Revokes all tokens of a name. On a node that has just seen one it may be valid for five seconds more.
#[utoipa::path(
    delete,
    path = "/v1/tokens/{person}",
    operation_id = "revoke_tokens",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Revoked", body = EndedCredentials), WriteProblems),
)]
pub(crate) async fn revoke_tokens(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<EndedCredentials>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    let ended = access
        .revoke_tokens(&identified.by, Only::Always, &name)
        .await?;
    Ok(Json(EndedCredentials { name, ended }))
}
