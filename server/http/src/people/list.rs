//! `GET /v1/people`: the people who may log in.

use axum::Json;
use axum::extract::State;
use meterhouse_api::access::{AdmittedPerson, OpenIdSubject, PeoplePage};
use meterhouse_api::text::Text;
use meterhouse_api::values::Badge;
use meterhouse_edge::authorize;
use meterhouse_engine::access::{PersonRow, is_blocked};
use meterhouse_engine::tokens::Role;
use serde::Deserialize;
use utoipa::IntoParams;

use super::session::role;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of people.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Badge>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the people with what each logs in by.
#[utoipa::path(
    get,
    path = "/v1/people",
    operation_id = "list_people",
    tag = "people",
    security(("token" = [])),
    params(PeopleQuery),
    responses((status = 200, description = "A page of people", body = PeoplePage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<PeopleQuery>,
) -> Result<Json<PeoplePage>, Failure> {
    authorize::admit(&caller)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let after = query.after.map(|after| after.to_string());
    let access = shared.engine.access();
    let page = access.people(after.as_deref().unwrap_or_default(), limit);
    let page = page.await?;
    let people: Option<Vec<AdmittedPerson>> = page.items.iter().map(admitted).collect();
    Ok(Json(PeoplePage {
        people: people.ok_or_else(|| Failure::internal("a stored role is no role"))?,
        more: page.next.is_some(),
        next: page.next,
    }))
}

fn admitted(row: &PersonRow) -> Option<AdmittedPerson> {
    let who = &row.actor.who;
    let stored: Role = who.role.parse().ok()?;
    Some(AdmittedPerson {
        name: who.name.clone(),
        role: role(stored),
        department: who.department.clone(),
        rights: who.rights.clone(),
        created_at: Text(row.actor.created_at),
        password_set_at: row.password.as_ref().map(|password| Text(password.set_at)),
        second_factor: row.factor.is_some(),
        openid: row.openid.as_ref().map(|openid| OpenIdSubject {
            issuer: openid.subject.issuer.clone(),
            subject: openid.subject.subject.clone(),
        }),
        pin_set_at: row.pin.as_ref().map(|pin| Text(pin.set_at)),
        pin_blocked: is_blocked(row.pin_failures),
        seen_at: row.seen_at.map(Text),
        access_ended: row.is_ended,
    })
}
