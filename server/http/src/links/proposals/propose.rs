//! `PUT /v1/links/{link}/proposals/{proposal}`: the first of two people.

use axum::extract::State;
use meterhouse_edge::authorize;

use super::body::ProposeBody;
use super::view::ProposalMade;
use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LinkOf, ProposalOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Proposes a change that needs two people. It waits 24 hours for the second one.
///
/// The client makes the UUID; sending the same again is as safe as with any write.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/proposals/{proposal}",
    operation_id = "propose_change",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("proposal" = String, Path, description = "The proposal: a UUID", pattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
    ),
    request_body = ProposeBody,
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
    LinkOf(link): LinkOf,
    ProposalOf(proposal): ProposalOf,
    JsonBody(body): JsonBody<ProposeBody>,
) -> Result<Written<ProposalMade>, Failure> {
    authorize::change_by_two(&caller)?;
    let (reason, change) = body.read()?;
    let (engine, person) = (&shared.engine, &caller.person);
    let done = engine.propose(person, &link, proposal, reason, change);
    let Idempotent {
        value: view,
        replayed,
    } = done.await?;
    Ok(Written {
        body: ProposalMade::new(&view),
        replayed,
    })
}
