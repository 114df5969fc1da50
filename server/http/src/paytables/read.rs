//! `GET /v1/paytables/{paytable}`: one paytable, whole.

use axum::Json;
use axum::extract::State;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{
    Charge, Content, FoldAward, HandRule, Level, Line, Pays, Paytable, Validation,
};
use meterhouse_edge::authorize;
use serde::Serialize;
use utoipa::ToSchema;

use super::{PaytableListed, find};
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{PaytableOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;

/// A paytable, whole.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaytableNow {
    /// What the list says of it.
    #[serde(flatten)]
    listed: PaytableListed,
    /// How hands are ranked.
    #[schema(value_type = String, examples("five-card"))]
    ranking: &'static str,
    /// How the progressive hand is formed.
    #[schema(value_type = String, examples("own-five"))]
    hand_rule: &'static str,
    /// Whether the dealer's hand can be wagered on.
    bet_on_dealer: bool,
    /// `forfeited` or `kept`: the award of a seat that folded.
    #[schema(value_type = String)]
    fold_award: &'static str,
    /// Whether a folded hand still gives envy to the others.
    folded_hand_gives_envy: bool,
    /// From which odds on a person has to validate a fixed pay; null where every hit has to be. Percentages
    /// always are.
    validated_from_for_one: Option<u32>,
    /// Its levels, highest first.
    levels: Vec<PaytableLevel>,
    /// Its lines, highest hand first; only the highest pays.
    lines: Vec<PaytableLine>,
    /// What a Magic Card pays, for 1; null where it is not offered.
    magic_card: Option<u32>,
    /// What a Lucky Bonus pays, for 1; null where it is not offered.
    lucky_bonus: Option<u32>,
    /// Who owes what, and how it is handed over.
    settlement: SettlementNow,
    /// Wagers for which the source prints an envy schedule; empty where there is no envy.
    envy_printed_for: Vec<Amount>,
}

/// A level of a paytable; seeds are for 1: times the link's wager.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaytableLevel {
    /// The level.
    level: String,
    /// What it opens with, for 1.
    seed: u32,
    /// What it restarts with after it paid 100%, for 1.
    reseed: u32,
    /// The share of each wager that the displayed balance takes.
    #[schema(examples("9%"))]
    primary: String,
    /// The share of each wager that the reserve takes.
    #[schema(examples("0%"))]
    reserve: String,
}

/// A line: a hand and what it pays, a percentage of a level or fixed odds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaytableLine {
    /// The hand.
    #[schema(value_type = String, examples("royal-flush"))]
    hand: &'static str,
    /// The percentage.
    percent: Option<u8>,
    /// Of this level; beside fixed odds, the level that they come off.
    level: Option<String>,
    /// Fixed odds: for 1.
    for_one: Option<u32>,
    /// What each other player gets, for 1.
    envy: Option<u32>,
}

/// Who owes what, and how it is handed over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SettlementNow {
    /// A percentage of a level.
    percent: ChargeNow,
    /// Fixed odds.
    for_one: ChargeNow,
    /// An envy bonus.
    envy: ChargeNow,
}

/// Who owes a pay and how it is handed over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChargeNow {
    /// `meter` or `house`.
    #[schema(value_type = String)]
    charged_to: &'static str,
    /// `slip`, `rack` or `game_account`.
    #[schema(value_type = String)]
    handed_over: &'static str,
}

/// Reads a paytable.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}",
    operation_id = "read_paytable",
    tag = "paytables",
    security(("token" = [])),
    params(("paytable" = String, Path, description = "The paytable",
        pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The paytable", body = PaytableNow), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PaytableOf(id): PaytableOf,
    query: Query,
) -> Result<Json<PaytableNow>, Failure> {
    authorize::read_everything(&caller)?;
    query.only(&[])?;
    let paytable = find(&shared.catalogue, &id)?;
    Ok(Json(PaytableNow::from(paytable)))
}

impl From<&Paytable> for PaytableNow {
    fn from(it: &Paytable) -> Self {
        let content = &it.content;
        let dollars = |it: &u32| Amount(Money::DOLLAR.for_one(*it).unwrap_or_default());
        Self {
            listed: PaytableListed::from(it),
            ranking: content.ranking.name(),
            hand_rule: HandRule::name(it.rules.hand_rule),
            bet_on_dealer: content.bet_on_dealer,
            fold_award: FoldAward::name(it.rules.fold.award),
            folded_hand_gives_envy: it.rules.fold.hand_gives_envy,
            validated_from_for_one: match content.validation {
                Validation::EveryHit => None,
                Validation::PercentAndForOneAtLeast(least) => Some(least),
            },
            levels: content.levels.iter().map(level).collect(),
            lines: content.lines.iter().map(|it| line(content, it)).collect(),
            magic_card: content.magic_card,
            lucky_bonus: content.lucky_bonus,
            settlement: SettlementNow {
                percent: charge(content.settlement.percent),
                for_one: charge(content.settlement.for_one),
                envy: charge(content.settlement.envy),
            },
            envy_printed_for: content.envy_printed_for.iter().map(dollars).collect(),
        }
    }
}

fn level(it: &Level) -> PaytableLevel {
    PaytableLevel {
        level: it.name.to_string(),
        seed: it.seed,
        reseed: it.reseed,
        primary: it.primary.to_string(),
        reserve: it.reserve.to_string(),
    }
}

fn line(content: &Content, it: &Line) -> PaytableLine {
    let (percent, level, for_one) = match it.pays {
        Pays::Percent { percent, level } => (Some(percent), content.levels.get(level), None),
        Pays::ForOne(odds) => (None, None, Some(odds)),
        Pays::ForOneOf { odds, level } => (None, content.levels.get(level), Some(odds)),
    };
    PaytableLine {
        hand: it.hand.name(),
        percent,
        level: level.map(|it| it.name.to_string()),
        for_one,
        envy: it.envy,
    }
}

fn charge(it: Charge) -> ChargeNow {
    ChargeNow {
        charged_to: it.charged_to.name(),
        handed_over: it.handed_over.name(),
    }
}
