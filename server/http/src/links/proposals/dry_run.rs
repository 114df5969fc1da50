//! `GET /v1/links/{link}/proposals/{proposal}/dry-run`: what an approval would do now.

use axum::Json;
use axum::extract::State;
use meterhouse_api::dry_run::{DryRun, LinkBooks};
use meterhouse_api::report::BookBalances;
use meterhouse_api::text::Text;
use meterhouse_domain::link::{Account, Balances, Book};
use meterhouse_domain::state::LinkState;
use meterhouse_edge::authorize;
use meterhouse_edge::link_returns::at_displayed;
use meterhouse_engine::view::{DryRunView, LinkStatus};

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::ProposalPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::change::effect;
use crate::render::event::money_move;
use crate::render::names::Names;
use crate::render::value::link_state;

/// Reads what the approval of an open proposal would do now. Nothing is written. A proposal that can't be approved now is
/// refused as its approval would be.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals/{proposal}/dry-run",
    operation_id = "read_dry_run",
    tag = "links",
    security(("token" = [])),
    params(ProposalPath),
    responses((status = 200, description = "The dry run", body = DryRun), JudgedProblems),
)]
pub(crate) async fn dry_run(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ProposalPath { link, proposal }): PathOf<ProposalPath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<DryRun>, Failure> {
    authorize::read_link(&caller, &link)?;
    let view = shared.engine.dry_run(&link, proposal.0).await?;
    Ok(Json(rendered(&view)))
}

fn rendered(view: &DryRunView) -> DryRun {
    let names = Names::of_state(&view.after);
    let moves = view.moves.iter();
    DryRun {
        proposal: Text(view.proposal),
        link: Text(view.after.terms.name.clone()),
        batch: view.batch,
        at: Text(view.at),
        effect: effect(names, &view.effect),
        moves: moves.map(|one| money_move(names, *one)).collect(),
        before: books(&view.before),
        after: books(&view.after),
    }
}

fn books(state: &LinkState) -> LinkBooks {
    let names = Names::of_state(state);
    let level = |(index, balances): (usize, &Balances)| BookBalances {
        level: names.book(Book::level(index)),
        meter: Text(balances.of(Account::Meter)),
        reserve: Text(balances.of(Account::Reserve)),
        overflow: Text(balances.of(Account::Overflow)),
        pending: Text(balances.of(Account::Pending)),
    };
    LinkBooks {
        state: link_state(LinkStatus::of(state)),
        at_displayed: at_displayed(state),
        levels: state.balances.iter().enumerate().map(level).collect(),
    }
}
