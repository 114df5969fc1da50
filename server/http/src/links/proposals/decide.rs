//! `PUT /v1/links/{link}/proposals/{proposal}/approval`: the second of two people.

use axum::extract::State;
use meterhouse_api::change::{Approval, ProposalDecisionRequest};
use meterhouse_api::words::ProposalDecision;
use meterhouse_domain::ids::Note;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

use super::view::approval;
use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ProposalPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::names::Names;
use crate::replay::Written;

/// A decision.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// The change is executed.
    Approve,
    /// The change is not executed.
    Decline(Note),
}

/// Approves or declines a change that another person of another department proposed.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/proposals/{proposal}/approval",
    operation_id = "decide_change",
    tag = "links",
    security(("token" = [])),
    params(ProposalPath),
    request_body = ProposalDecisionRequest,
    responses(
        (status = 201, description = "Decided", body = Approval),
        (status = 200, description = "Decided so before", body = Approval,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn decide(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ProposalPath { link, proposal }): PathOf<ProposalPath>,
    JsonBody(body): JsonBody<ProposalDecisionRequest>,
) -> Result<Written<Approval>, Failure> {
    authorize::any_change_by_two(&caller)?;
    let decision = decision(body)?;
    let (engine, person) = (&shared.engine, &caller.person);
    let proposed = engine.proposal(&link, proposal.0).await?;
    authorize::change_by_two(&caller, &proposed.change)?;
    let Idempotent {
        value: view,
        replayed,
    } = match decision {
        Decision::Approve => engine.approve(person, &link, proposal.0).await?,
        Decision::Decline(note) => engine.decline(person, &link, proposal.0, note).await?,
    };
    let of_link = engine.link(&link).await?;
    Ok(Written {
        body: approval(Names::of_view(&of_link), &view),
        replayed,
    })
}

/// Returns the decision of a request.
fn decision(request: ProposalDecisionRequest) -> Result<Decision, EdgeError> {
    let wrong = |detail: &str| {
        let error = EdgeError::because(EdgeCode::InvalidValue, detail);
        Err(error.with("field", "note"))
    };
    match (request.decision, request.note) {
        (ProposalDecision::Approve, None) => Ok(Decision::Approve),
        (ProposalDecision::Decline, Some(note)) => Ok(Decision::Decline(note.given())),
        (ProposalDecision::Decline, None) => wrong("give the reason of the decline in note"),
        (ProposalDecision::Approve, Some(_)) => {
            wrong("a note is allowed with decline only; the proposal has its reason")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::request::parse;

    fn read(text: &str) -> Result<Decision, &'static str> {
        let body = parse::<ProposalDecisionRequest>("the body", text.as_bytes());
        body.and_then(decision).map_err(|error| error.code.code())
    }

    #[test]
    fn a_decline_has_a_reason() {
        assert_eq!(read(r#"{"decision":"approve"}"#), Ok(Decision::Approve));
        let declined = read(r#"{"decision":"decline","note":"the camera shows a flush"}"#);
        assert!(matches!(declined, Ok(Decision::Decline(_))), "{declined:?}");
        for wrong in [
            r#"{"decision":"decline"}"#,
            r#"{"decision":"decline","note":""}"#,
            r#"{"decision":"approve","note":"x"}"#,
            r#"{"decision":"reject","note":"x"}"#,
            r#"{"decision":true}"#,
        ] {
            assert_eq!(read(wrong), Err("invalid_value"), "{wrong}");
        }
        assert_eq!(read("{}"), Err("malformed_body"));
        assert_eq!(
            read(r#"{"decision":"approve","resettle":true}"#),
            Err("unknown_field")
        );
    }
}
