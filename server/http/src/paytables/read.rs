//! `GET /v1/paytables/{paytable}`: one paytable, complete.

use axum::Json;
use axum::extract::State;
use meterhouse_api::paytable::{PaidBy, Paytable, PaytableLevel, PaytableLine, Settlement};
use meterhouse_api::text::Text;
use meterhouse_api::values::Amount;
use meterhouse_catalogue::{LevelOutline, LineOutline, Outline, Sheet};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Charge, Pays, Validation};
use meterhouse_edge::authorize;
use meterhouse_edge::paytables::sheet;

use super::list::listed_paytable;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::PaytablePath;
use crate::options::Shared;
use crate::problem::Failure;

/// Reads a paytable.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}",
    operation_id = "read_paytable",
    tag = "paytables",
    security(("token" = [])),
    params(PaytablePath),
    responses((status = 200, description = "The paytable", body = Paytable), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(PaytablePath { paytable: id }): PathOf<PaytablePath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<Paytable>, Failure> {
    authorize::read_everything(&caller)?;
    Ok(Json(paytable(sheet(&shared.catalogue, &id)?)))
}

/// Returns the response of `GET /v1/paytables/{paytable}`, for the command line as well.
pub fn paytable(sheet: &Sheet) -> Paytable {
    let outline = &sheet.outline;
    let (magic_card, lucky_bonus) = outline.bonuses();
    let printed = outline.envy_printed_for.iter();
    Paytable {
        listed: listed_paytable(sheet),
        ranking: Text(outline.ranking),
        hand_rule: Text(sheet.rules.hand_rule),
        bet_on_dealer: outline.bet_on_dealer,
        fold_award: Text(sheet.rules.fold.award),
        folded_hand_gives_envy: sheet.rules.fold.hand_gives_envy,
        validated_from_for_one: match outline.validation {
            Validation::EveryHit => None,
            Validation::PercentAndForOneAtLeast(least) => Some(least),
        },
        decks_max: sheet.limits.decks_max,
        boxes_max: sheet.limits.boxes_max,
        levels: outline.levels.iter().map(level).collect(),
        lines: outline.lines.iter().map(|one| line(outline, one)).collect(),
        magic_card,
        lucky_bonus,
        settlement: Settlement {
            percent: paid_by(outline.settlement.percent),
            for_one: paid_by(outline.settlement.for_one),
            envy: paid_by(outline.settlement.envy),
        },
        envy_printed_for: printed.copied().map(dollars).collect(),
    }
}

/// Returns whole dollars as an amount.
fn dollars(whole: u32) -> Amount {
    Text(Money::DOLLAR.for_one(whole).unwrap_or_default())
}

fn level(outline: &LevelOutline) -> PaytableLevel {
    PaytableLevel {
        level: Text(outline.name.clone()),
        seed: outline.seeds.map(|(seed, _)| seed),
        reseed: outline.seeds.map(|(_, reseed)| reseed),
        seed_least: outline.seed_least.map(dollars),
        primary: outline.rates.map(|(primary, _)| primary.to_string()),
        reserve: outline.rates.map(|(_, reserve)| reserve.to_string()),
    }
}

fn line(outline: &Outline, line: &LineOutline) -> PaytableLine {
    let (percent, level, for_one) = match line.pays {
        None => (None, None, None),
        Some(Pays::Percent { percent, level }) => (Some(percent), outline.levels.get(level), None),
        Some(Pays::ForOne(odds)) => (None, None, Some(odds)),
        Some(Pays::ForOneOf { odds, level }) => (None, outline.levels.get(level), Some(odds)),
    };
    PaytableLine {
        hand: Text(line.hand),
        percent,
        level: level.map(|level| Text(level.name.clone())),
        for_one,
        envy: line.envy,
    }
}

fn paid_by(charge: Charge) -> PaidBy {
    PaidBy {
        charged_to: Text(charge.charged_to),
        handed_over: Text(charge.handed_over),
    }
}
