//! `GET /v1/links/{link}/lifetime`: the meters that only grow.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{LevelMeter, LifetimeView, LineMeter, PoolMeter};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;

/// Lifetime meters of a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Lifetime {
    /// The link.
    link: String,
    /// The batch that they are as of.
    sequence: u64,
    /// Rounds locked.
    rounds: u64,
    /// Wagers accepted, those of void rounds among them.
    wagers: u64,
    /// Wagers that void rounds gave back.
    wagers_voided: u64,
    /// What was wagered.
    coin_in: Amount,
    /// What void rounds gave back.
    coin_in_voided: Amount,
    /// What wagers added, pool by pool.
    pools: Vec<Pool>,
    /// Level by level, then `fixed`: odds and envy, which touch no meter.
    levels: Vec<LevelCounted>,
    /// Line by line of the paytable, then Magic Card and Lucky Bonus where it offers them.
    lines: Vec<LineCounted>,
}

/// What one pool took from wagers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pool {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// `meter` or `reserve`.
    #[schema(value_type = String)]
    account: &'static str,
    /// What wagers added, exact.
    contributed: Amount,
    /// What void rounds took back, exact.
    voided: Amount,
}

/// What is counted of one level.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelCounted {
    /// The level, or `fixed`.
    level: String,
    /// Paid by the machine itself: nothing, on live tables.
    machine_paid: Amount,
    /// Paid with the help of a person.
    attendant_paid: Amount,
    /// What the house put in: seeds, reseeds, fixed pays, and what it covered.
    house_funded: Amount,
    /// What a ceiling kept out of the meter.
    overflow: Amount,
    /// What two people added.
    adjusted_up: Amount,
    /// What two people took away.
    adjusted_down: Amount,
    /// How often it was won.
    resets: u64,
}

/// What is counted of one line.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LineCounted {
    /// The hand, `magic_card` or `lucky_bonus`.
    #[schema(examples("royal-flush"))]
    line: String,
    /// Hits that were not undone.
    hits: u64,
    /// What they are owed.
    due: Amount,
}

/// Reads the lifetime meters of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/lifetime",
    operation_id = "read_lifetime",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The meters", body = Lifetime), ReadProblems),
)]
pub(crate) async fn lifetime(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<Lifetime>, Failure> {
    authorize::read_link(&caller, &link)?;
    query.only(&[])?;
    Ok(Json(Lifetime::from(&shared.engine.lifetime(&link).await?)))
}

impl From<&LifetimeView> for Lifetime {
    fn from(view: &LifetimeView) -> Self {
        Self {
            link: view.link.to_string(),
            sequence: view.batch,
            rounds: view.rounds,
            wagers: view.wagers,
            wagers_voided: view.wagers_voided,
            coin_in: Amount(view.coin_in),
            coin_in_voided: Amount(view.coin_in_voided),
            pools: view.pools.iter().map(Pool::from).collect(),
            levels: view.levels.iter().map(LevelCounted::from).collect(),
            lines: view.lines.iter().map(LineCounted::from).collect(),
        }
    }
}

impl From<&PoolMeter> for Pool {
    fn from(it: &PoolMeter) -> Self {
        Self {
            level: it.level.to_string(),
            account: it.account.name(),
            contributed: Amount(it.contributed),
            voided: Amount(it.voided),
        }
    }
}

impl From<&LevelMeter> for LevelCounted {
    fn from(it: &LevelMeter) -> Self {
        Self {
            level: it.name.clone(),
            machine_paid: Amount(it.machine_paid),
            attendant_paid: Amount(it.attendant_paid),
            house_funded: Amount(it.house_funded),
            overflow: Amount(it.overflow),
            adjusted_up: Amount(it.adjusted_up),
            adjusted_down: Amount(it.adjusted_down),
            resets: it.resets,
        }
    }
}

impl From<&LineMeter> for LineCounted {
    fn from(it: &LineMeter) -> Self {
        Self {
            line: it.name.clone(),
            hits: it.hits,
            due: Amount(it.due),
        }
    }
}
