//! `PUT /v1/links/{link}/proposals/{proposal}`: the first of two people.

use axum::extract::State;
use meterhouse_api::change::{ProposalMade, ProposalRequest};
use meterhouse_edge::adoption::in_jurisdiction;
use meterhouse_edge::authorize;

use super::request::change;
use super::view::proposal_made;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::ProposedChange;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ProposalPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Proposes a change that needs two people. The proposal waits 24 hours for the second person.
///
/// The client makes the UUID. The same request may be sent again, as any write.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/proposals/{proposal}",
    operation_id = "propose_change",
    tag = "links",
    security(("token" = [])),
    params(ProposalPath),
    request_body = ProposalRequest,
    responses(
        (status = 201, description = "Proposed", body = ProposalMade),
        (status = 200, description = "Proposed before", body = ProposalMade,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn propose(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ProposalPath { link, proposal }): PathOf<ProposalPath>,
    JsonBody(body): JsonBody<ProposalRequest>,
) -> Result<Written<ProposalMade>, Failure> {
    let (reason, change) = (body.reason.given(), change(&shared.catalogue, body.change)?);
    authorize::change_by_two(&caller, &change)?;
    let (engine, person) = (&shared.engine, &caller.person);
    if let ProposedChange::AdoptTable(adopted) = &change {
        let of_link = engine.link(&link).await?;
        let jurisdiction = &of_link.terms.paytable.jurisdiction;
        in_jurisdiction(&shared.catalogue, adopted, jurisdiction)?;
    }
    let done = engine.propose(person, &link, proposal.0, reason, change);
    let Idempotent {
        value: view,
        replayed,
    } = done.await?;
    Ok(Written {
        body: proposal_made(&view),
        replayed,
    })
}
