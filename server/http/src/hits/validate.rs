//! `PUT /v1/hits/{hit}/validation`: a supervisor approves or rejects.

use axum::extract::State;
use meterhouse_api::decision::{Validation, ValidationRequest};
use meterhouse_api::text::Text;
use meterhouse_api::words::HitDecision;
use meterhouse_domain::card::Card;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Note, Timestamp};
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Idempotent, NotExecuted};
use meterhouse_engine::view::{Person, Rejected};

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::HitPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::change::resettled_hit;
use crate::render::value;
use crate::replay::Written;
use crate::tables::request::cards;

/// A decision.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// The hit is right.
    Approve(Option<Vec<Card>>),
    /// The hit is wrong: its entries are reversed.
    Reject {
        /// True to give later hits of the level new amounts.
        resettle: bool,
    },
}

/// Approves or rejects a hit. The person who entered it may not approve it.
#[utoipa::path(
    put,
    path = "/v1/hits/{hit}/validation",
    operation_id = "validate_hit",
    tag = "hits",
    security(("token" = [])),
    params(HitPath),
    request_body = ValidationRequest,
    responses(
        (status = 201, description = "Decided", body = Validation),
        (status = 200, description = "Decided so before", body = Validation,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn validate(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(HitPath { hit }): PathOf<HitPath>,
    JsonBody(body): JsonBody<ValidationRequest>,
) -> Result<Written<Validation>, Failure> {
    authorize::validate_hits(&caller)?;
    let word = body.decision;
    let (decision, note) = decision(body)?;
    let done = decide(&shared.engine, &caller.person, &hit, decision, note).await?;
    Ok(Written {
        body: validation(word, &done.value),
        replayed: done.replayed,
    })
}

/// Decides, and returns the hit; with a reject, also later hits with new amounts.
async fn decide(
    engine: &Engine,
    person: &Person,
    hit: &HitName,
    decision: Decision,
    note: Option<Note>,
) -> Result<Idempotent<Rejected>, NotExecuted> {
    match decision {
        Decision::Approve(cards) => {
            let done = engine.validate_hit(person, hit, cards, note).await?;
            let resettled = Vec::new();
            Ok(done.map(|hit| Rejected { hit, resettled }))
        }
        Decision::Reject { resettle } => engine.reject_hit(person, hit, note, resettle).await,
    }
}

/// Returns the decision and the note of a request.
fn decision(request: ValidationRequest) -> Result<(Decision, Option<Note>), EdgeError> {
    let wrong = |field: &str, detail: &str| {
        Err(EdgeError::because(EdgeCode::InvalidValue, detail).with("field", field))
    };
    let resettle = request.resettle.unwrap_or(false);
    let decision = match (request.decision, request.cards.map(cards)) {
        (HitDecision::Approve, _) if resettle => {
            return wrong("resettle", "resettle is allowed with reject only");
        }
        (HitDecision::Approve, cards) => Decision::Approve(cards),
        (HitDecision::Reject, None) => Decision::Reject { resettle },
        (HitDecision::Reject, Some(_)) => {
            let detail = "cards are allowed with approve only; say in note what was wrong";
            return wrong("cards", detail);
        }
    };
    Ok((decision, request.note.map(Text::given)))
}

fn validation(decision: HitDecision, done: &Rejected) -> Validation {
    let (view, row) = (&done.hit, &done.hit.row);
    Validation {
        hit: Text(view.name()),
        decision,
        by: row.decided_by.clone(),
        at: row.decided_at.map(|at| Text(Timestamp(at))),
        cards: view.validated_cards.as_deref().map(value::cards),
        note: row.note.clone(),
        resettled: done.resettled.iter().map(resettled_hit).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::request::parse;

    fn read(text: &str) -> Result<(Decision, Option<Note>), &'static str> {
        let body = parse::<ValidationRequest>("the body", text.as_bytes());
        body.and_then(decision).map_err(|error| error.code.code())
    }

    #[test]
    fn a_decision_is_one_of_two() {
        assert_eq!(
            read(r#"{"decision":"approve"}"#),
            Ok((Decision::Approve(None), None))
        );
        let (decision, note) =
            read(r#"{"decision":"reject","note":"no royal"}"#).expect("a reject");
        assert_eq!(
            (decision, note.expect("a note").as_str()),
            (Decision::Reject { resettle: false }, "no royal")
        );
        let (decision, _) = read(r#"{"decision":"reject","resettle":true}"#).expect("a reject");
        assert_eq!(decision, Decision::Reject { resettle: true });
        assert_eq!(
            read(r#"{"decision":"approve","resettle":true}"#),
            Err("invalid_value")
        );
        assert_eq!(
            read(r#"{"decision":"reject","resettle":1}"#),
            Err("malformed_body")
        );
        let cards = read(r#"{"decision":"approve","cards":["As","Ks"]}"#)
            .expect("cards")
            .0;
        assert!(matches!(cards, Decision::Approve(Some(cards)) if cards.len() == 2));
        assert_eq!(read(r#"{"decision":"maybe"}"#), Err("invalid_value"));
        assert_eq!(read(r#"{"decision":true}"#), Err("invalid_value"));
        assert_eq!(
            read(r#"{"decision":"reject","cards":[]}"#),
            Err("invalid_value")
        );
        assert_eq!(
            read(r#"{"decision":"approve","cards":["1s"]}"#),
            Err("invalid_card")
        );
        assert_eq!(
            read(r#"{"decision":"approve","note":""}"#),
            Err("invalid_value")
        );
        assert_eq!(
            read(r#"{"decision":"approve","note":"a\u0000b"}"#),
            Err("invalid_value")
        );
        assert_eq!(
            read(r#"{"decision":"reject","force":true}"#),
            Err("unknown_field")
        );
        assert_eq!(read("{}"), Err("malformed_body"));
    }
}
