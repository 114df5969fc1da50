//! `GET /v1/paytables/{paytable}`: one paytable, whole.

use axum::Json;
use axum::extract::State;
use meterhouse_catalogue::{LevelOutline, LineOutline, Outline, Sheet};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Charge, FoldAward, HandRule, Pays, Validation};
use meterhouse_edge::authorize;
use meterhouse_edge::paytables::sheet;
use serde::Serialize;
use utoipa::ToSchema;

use super::PaytableListed;
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
    /// Decks that may be in play in one round; null where that is not limited.
    decks_max: Option<u8>,
    /// Adjacent boxes on which one player may wager in one round; null where the number is filed, and said when a link
    /// opens.
    boxes_max: Option<u8>,
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
    /// What it opens with, for 1; null where that is lacking.
    seed: Option<u32>,
    /// What it restarts with after it paid 100%, for 1; null where that is lacking.
    reseed: Option<u32>,
    /// The least that it may open and restart with at any wager; null where only the odds are given.
    seed_least: Option<Amount>,
    /// The share of each wager that the displayed balance takes; null where that is lacking.
    #[schema(examples("9%"))]
    primary: Option<String>,
    /// The share of each wager that the reserve takes; null where that is lacking.
    #[schema(examples("0%"))]
    reserve: Option<String>,
}

/// A line: a hand and what it pays, a percentage of a level or fixed odds; neither where that is lacking.
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
    Ok(Json(PaytableNow::from(sheet(&shared.catalogue, &id)?)))
}

/// Returns what `GET /v1/paytables/{paytable}` answers, for programs that read the command line's JSON.
pub fn paytable(sheet: &Sheet) -> impl Serialize + use<> {
    PaytableNow::from(sheet)
}

impl From<&Sheet> for PaytableNow {
    fn from(it: &Sheet) -> Self {
        let outline = &it.outline;
        let dollars = |it: &u32| Amount(Money::DOLLAR.for_one(*it).unwrap_or_default());
        let (magic_card, lucky_bonus) = outline.bonuses();
        Self {
            listed: PaytableListed::from(it),
            ranking: outline.ranking.name(),
            hand_rule: HandRule::name(it.rules.hand_rule),
            bet_on_dealer: outline.bet_on_dealer,
            fold_award: FoldAward::name(it.rules.fold.award),
            folded_hand_gives_envy: it.rules.fold.hand_gives_envy,
            validated_from_for_one: match outline.validation {
                Validation::EveryHit => None,
                Validation::PercentAndForOneAtLeast(least) => Some(least),
            },
            decks_max: it.limits.decks_max,
            boxes_max: it.limits.boxes_max,
            levels: outline.levels.iter().map(level).collect(),
            lines: outline.lines.iter().map(|it| line(outline, it)).collect(),
            magic_card,
            lucky_bonus,
            settlement: SettlementNow {
                percent: charge(outline.settlement.percent),
                for_one: charge(outline.settlement.for_one),
                envy: charge(outline.settlement.envy),
            },
            envy_printed_for: outline.envy_printed_for.iter().map(dollars).collect(),
        }
    }
}

fn level(it: &LevelOutline) -> PaytableLevel {
    PaytableLevel {
        level: it.name.to_string(),
        seed: it.seeds.map(|(seed, _)| seed),
        reseed: it.seeds.map(|(_, reseed)| reseed),
        seed_least: it
            .seed_least
            .map(|it| Amount(Money::DOLLAR.for_one(it).unwrap_or_default())),
        primary: it.rates.map(|(primary, _)| primary.to_string()),
        reserve: it.rates.map(|(_, reserve)| reserve.to_string()),
    }
}

fn line(outline: &Outline, it: &LineOutline) -> PaytableLine {
    let (percent, level, for_one) = match it.pays {
        None => (None, None, None),
        Some(Pays::Percent { percent, level }) => (Some(percent), outline.levels.get(level), None),
        Some(Pays::ForOne(odds)) => (None, None, Some(odds)),
        Some(Pays::ForOneOf { odds, level }) => (None, outline.levels.get(level), Some(odds)),
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
