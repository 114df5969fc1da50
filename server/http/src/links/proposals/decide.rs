//! `PUT /v1/links/{link}/proposals/{proposal}/approval`: the second of two people.

use axum::extract::State;
use meterhouse_domain::ids::Note;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use serde::Deserialize;
use utoipa::ToSchema;

use super::view::Approval;
use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LinkOf, Loose, ProposalOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Names;
use crate::replay::Written;

/// What the second person decides.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Decision)]
pub(crate) struct ApprovalBody {
    /// `approve` or `decline`.
    #[schema(value_type = String, examples("approve"))]
    decision: Loose,
    /// Why it is declined; needed beside `decline`, and only there.
    #[schema(value_type = Option<String>, max_length = 256)]
    note: Option<Loose>,
}

/// A decision.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// It is done.
    Approve,
    /// It is not to be done.
    Decline(Note),
}

/// Approves or declines a change that another person of another department proposed.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/proposals/{proposal}/approval",
    operation_id = "decide_change",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("proposal" = String, Path, description = "The proposal: a UUID", pattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
    ),
    request_body = ApprovalBody,
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
    LinkOf(link): LinkOf,
    ProposalOf(proposal): ProposalOf,
    JsonBody(body): JsonBody<ApprovalBody>,
) -> Result<Written<Approval>, Failure> {
    authorize::change_by_two(&caller)?;
    let decision = body.read()?;
    let (engine, person) = (&shared.engine, &caller.person);
    let Idempotent {
        value: view,
        replayed,
    } = match decision {
        Decision::Approve => engine.approve(person, &link, proposal).await?,
        Decision::Decline(note) => engine.decline(person, &link, proposal, note).await?,
    };
    let of_link = engine.link(&link).await?;
    Ok(Written {
        body: Approval::new(Names::of_view(&of_link), &view),
        replayed,
    })
}

impl ApprovalBody {
    fn read(&self) -> Result<Decision, EdgeError> {
        let words = ["approve", "decline"];
        let word = self.decision.word("decision", &words, |it| it)?;
        let wrong = |detail: &str| {
            let error = EdgeError::because(EdgeCode::InvalidValue, detail);
            Err(error.with("field", "note"))
        };
        match (word == "decline", &self.note) {
            (false, None) => Ok(Decision::Approve),
            (true, Some(note)) => Ok(Decision::Decline(note.free_text("note")?)),
            (true, None) => wrong("say in note why it is declined"),
            (false, Some(_)) => {
                wrong("a note stands beside decline only; the proposal has its reason")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::parse;

    fn read(text: &str) -> Result<Decision, &'static str> {
        let body = parse::<ApprovalBody>(text.as_bytes());
        body.and_then(|body| body.read())
            .map_err(|it| it.code.code())
    }

    #[test]
    fn who_declines_says_why() {
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
