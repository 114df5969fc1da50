//! `PUT /v1/hits/{hit}/validation`: a supervisor approves or rejects.

use axum::extract::State;
use meterhouse_domain::card::Card;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::Note;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Idempotent, NotExecuted};
use meterhouse_engine::view::{Person, Rejected};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{HitOf, JsonBody, Loose};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{At, ResettledHit};
use crate::replay::Written;

/// What a supervisor decides.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Validation)]
pub(crate) struct ValidationBody {
    /// `approve` or `reject`.
    #[schema(value_type = String, examples("approve"))]
    decision: Loose,
    /// The cards that the supervisor saw; only beside `approve`.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    cards: Option<Vec<Loose>>,
    /// What should be remembered.
    #[schema(value_type = Option<String>, max_length = 256)]
    note: Option<Loose>,
    /// Whether later hits of the level get the amounts that they have without this one; only beside `reject`.
    resettle: Option<bool>,
}

/// What was decided: the same whenever it is asked for, whatever became of the hit later.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Validated {
    /// The hit.
    hit: String,
    /// `approve` or `reject`.
    #[schema(value_type = String)]
    decision: &'static str,
    /// Who decided.
    by: Option<String>,
    /// When.
    at: Option<At>,
    /// The cards that the supervisor saw.
    cards: Option<Vec<String>>,
    /// What should be remembered.
    note: Option<String>,
    /// Later hits of the level with new amounts, in their order.
    resettled: Vec<ResettledHit>,
}

/// A decision.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// The hit is right.
    Approve(Option<Vec<Card>>),
    /// It is not: its entries are reversed.
    Reject {
        /// And later hits of its level get new amounts.
        resettle: bool,
    },
}

impl Decision {
    /// The words on the wire.
    const WORDS: [&str; 2] = ["approve", "reject"];

    const fn word(&self) -> &'static str {
        match self {
            Self::Approve(_) => Self::WORDS[0],
            Self::Reject { .. } => Self::WORDS[1],
        }
    }
}

/// Approves or rejects a hit. Who keyed it may not approve it.
#[utoipa::path(
    put,
    path = "/v1/hits/{hit}/validation",
    operation_id = "validate_hit",
    tag = "hits",
    security(("token" = [])),
    params(("hit" = String, Path, description = "The hit: TABLE.NUMBER or TABLE.NUMBER.N",
        pattern = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]*(\.[1-9][0-9]*)?$")),
    request_body = ValidationBody,
    responses(
        (status = 201, description = "Decided", body = Validated),
        (status = 200, description = "Decided so before", body = Validated,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn validate(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    HitOf(hit): HitOf,
    JsonBody(body): JsonBody<ValidationBody>,
) -> Result<Written<Validated>, Failure> {
    authorize::decide_hits(&caller)?;
    let (decision, note) = body.read()?;
    let word = decision.word();
    let done = decide(&shared.engine, &caller.person, &hit, decision, note).await?;
    Ok(Written {
        body: Validated::new(word, &done.value),
        replayed: done.replayed,
    })
}

/// What the engine answers: the hit, and with a reject later hits with new amounts.
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

impl ValidationBody {
    fn read(&self) -> Result<(Decision, Option<Note>), EdgeError> {
        let word = self.decision.word("decision", &Decision::WORDS, |it| it)?;
        let cards = self
            .cards
            .as_deref()
            .map(|cards| Loose::cards("cards", cards))
            .transpose()?;
        let note = self
            .note
            .as_ref()
            .map(|it| it.free_text("note"))
            .transpose()?;
        let wrong = |field: &str, detail: &str| {
            Err(EdgeError::because(EdgeCode::InvalidValue, detail).with("field", field))
        };
        let resettle = self.resettle.unwrap_or(false);
        let decision = match (word == Decision::WORDS[1], cards) {
            (false, _) if resettle => {
                return wrong("resettle", "resettle stands beside reject only");
            }
            (false, cards) => Decision::Approve(cards),
            (true, None) => Decision::Reject { resettle },
            (true, Some(_)) => {
                let detail = "cards stand beside approve only; say in note what was wrong";
                return wrong("cards", detail);
            }
        };
        Ok((decision, note))
    }
}

impl Validated {
    fn new(decision: &'static str, done: &Rejected) -> Self {
        let (view, row) = (&done.hit, &done.hit.row);
        let words = |text: &String| text.split_whitespace().map(str::to_owned).collect();
        Self {
            hit: view.name().to_string(),
            decision,
            by: row.decided_by.clone(),
            at: row.decided_at.map(At::from_micros),
            cards: row.validated_cards.as_ref().map(words),
            note: row.note.clone(),
            resettled: done.resettled.iter().map(ResettledHit::from).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::parse;

    fn read(text: &str) -> Result<(Decision, Option<Note>), &'static str> {
        let body = parse::<ValidationBody>(text.as_bytes());
        body.and_then(|body| body.read())
            .map_err(|it| it.code.code())
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
