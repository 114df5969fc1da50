//! `PUT /v1/links/{link}/values`: a manager accepts what each level opened with, before anybody plays.

use axum::extract::State;
use meterhouse_domain::ids::LevelName;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;
use meterhouse_edge::wire_error::EdgeError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LinkOf, Loose, Object, bounded};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::LevelAmount;
use crate::replay::Written;

/// What each level opened with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AcceptValues)]
pub(crate) struct AcceptBody {
    /// Every level once, in any order.
    #[schema(value_type = Vec<ValueBody>, max_items = 64)]
    values: Vec<Object<ValueBody>>,
}

/// A level with what it opened with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LevelValue)]
pub(crate) struct ValueBody {
    /// The level.
    #[schema(value_type = String, examples("mega"))]
    level: Loose,
    /// Exactly what it opened with.
    #[schema(value_type = String, examples("10000.00"))]
    amount: Loose,
}

/// The accepted values of a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AcceptedValues {
    /// The link.
    #[schema(examples("main"))]
    link: String,
    /// What each level opened with, highest first.
    values: Vec<LevelAmount>,
}

/// Accepts the first values of a link: until then it takes no coin-in.
///
/// Every level has to be named once, with exactly the amount that it opened with (`values_differ`).
#[utoipa::path(
    put,
    path = "/v1/links/{link}/values",
    operation_id = "accept_values",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = AcceptBody,
    responses(
        (status = 201, description = "Accepted", body = AcceptedValues),
        (status = 200, description = "Accepted before", body = AcceptedValues,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn accept(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    JsonBody(body): JsonBody<AcceptBody>,
) -> Result<Written<AcceptedValues>, Failure> {
    authorize::run_link(&caller)?;
    let values = body.read()?;
    let accepting = shared.engine.accept_values(&caller.person, &link, &values);
    let Idempotent {
        value: view,
        replayed,
    } = accepting.await?;
    Ok(Written {
        body: AcceptedValues::of(&view.terms),
        replayed,
    })
}

impl AcceptBody {
    fn read(&self) -> Result<Vec<(LevelName, Money)>, EdgeError> {
        bounded("values", &self.values)?;
        let values = self
            .values
            .iter()
            .enumerate()
            .map(|(index, Object(value))| {
                let field = |name: &str| format!("values[{index}].{name}");
                let level = value.level.name(&field("level"))?;
                Ok((level, value.amount.amount(&field("amount"))?))
            });
        values.collect()
    }
}

impl AcceptedValues {
    fn of(terms: &LinkTerms) -> Self {
        let levels = terms.content().levels.iter();
        let opened_with = levels.map(|level| terms.opened_with(level).unwrap_or(Money::ZERO));
        Self {
            link: terms.name.to_string(),
            values: LevelAmount::all(terms, &opened_with.collect::<Vec<_>>()),
        }
    }
}
