//! `GET /v1/links/{link}/large-wins`: hits that pay a player at least a threshold.

use axum::extract::State;
use meterhouse_api::large_win::{LargeWin, LargeWins, WinningPlayer};
use meterhouse_api::text::Text;
use meterhouse_api::values::{Time, UnsignedAmount};
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{self, LargeWinFilter};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit_detail::hit_detail;
use crate::report::{Format, Report};

/// The amount from which a win is large if the caller names none (DECISIONS 185).
const LARGE_WIN_DEFAULT: Money = Money::from_micros(1_200_000_000);
/// The amount from which a win needs a tax form if the caller names none (DECISIONS 185).
const TAX_FORM_DEFAULT: Money = Money::from_micros(2_000_000_000);

/// The period and the thresholds of large wins.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LargeWinsQuery {
    /// Start of the period; the opening if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// End of the period; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Amount from which a player's win is large; 1200.00 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    threshold: Option<UnsignedAmount>,
    /// Amount from which a player's win needs a tax form; 2000.00 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    tax_threshold: Option<UnsignedAmount>,
}

/// Reads the large wins of a link: hits that pay a player at least one of two thresholds.
///
/// A hit belongs to the time of its entry. Hits that were cancelled or rejected, or whose round is void, are left out.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/large-wins",
    operation_id = "read_large_wins",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, LargeWinsQuery),
    responses((status = 200, description = "The wins", body = LargeWins), JudgedProblems),
)]
pub(crate) async fn large_wins(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<LargeWinsQuery>,
) -> Result<Report<LargeWins>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let amount =
        |given: Option<UnsignedAmount>, default| given.map_or(default, |amount| amount.0.0);
    let filter = LargeWinFilter {
        from,
        to,
        threshold: amount(query.threshold, LARGE_WIN_DEFAULT),
        tax_threshold: amount(query.tax_threshold, TAX_FORM_DEFAULT),
    };
    let view = shared.engine.large_wins(&link, filter).await?;
    Ok(Report(
        format,
        LargeWins {
            link: Text(view.link),
            from: query.from,
            to: query.to,
            threshold: Text(filter.threshold),
            tax_threshold: Text(filter.tax_threshold),
            wins: view.wins.iter().map(win).collect(),
        },
    ))
}

fn win(win: &view::LargeWin) -> LargeWin {
    LargeWin {
        hit: hit_detail(&win.hit, None),
        players: win.players.iter().map(player).collect(),
    }
}

fn player(player: &view::WinningPlayer) -> WinningPlayer {
    WinningPlayer {
        player: player.player.clone().map(Text),
        seats: player.seats.clone(),
        amount: Text(player.amount),
        paid: Text(player.paid),
        large: player.large,
        tax_form: player.tax_form,
    }
}
