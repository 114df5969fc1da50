//! `GET /v1/tables/{table}`: what a controller needs to resume.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use meterhouse_api::table::{Round, SeatedPlayer, Table};
use meterhouse_api::text::Text;
use meterhouse_api::values::Position;
use meterhouse_api::words::RoundState;
use meterhouse_domain::ids::{PaytableId, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::state;
use meterhouse_edge::authorize;
use meterhouse_engine::view::TableView;
use serde::Deserialize;
use utoipa::IntoParams;

use super::play::play;
use crate::caller::Authenticated;
use crate::deadline::WAIT_MAX;
use crate::document::ReadProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::TablePath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit::kept_hit;
use crate::render::names::Names;
use crate::render::value::{betting_position, level_amounts, link_state, seat_list, table_state};

/// Maximum wait for a change of the table's hits: less than any request may take.
const HITS_WAIT_MAX: Duration = Duration::from_secs(8);

const _: () = assert!(HITS_WAIT_MAX.as_secs() < WAIT_MAX.as_secs());

/// The parameters of a read of a table.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TableQuery {
    /// Position of an earlier response: waits for a change of the table's hits after it.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Position>,
}

/// Reads a table: its open round, its last number, its link's state.
///
/// With `after`, the position of an earlier response, it waits until a hit of the table changed after that position, at
/// most 8 s, and then responds with the present state. If a hit has changed already, it responds immediately.
#[utoipa::path(
    get,
    path = "/v1/tables/{table}",
    operation_id = "read_table",
    tag = "tables",
    security(("token" = [])),
    params(TablePath, TableQuery),
    responses((status = 200, description = "The table", body = Table), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    QueryOf(query): QueryOf<TableQuery>,
) -> Result<Json<Table>, Failure> {
    authorize::read_table(&caller, &table)?;
    let after = query.after.map(|after| after.0);
    if let Some(after) = after {
        tokio::select! {
            biased;
            moved = shared.engine.hits_moved(&table, after, HITS_WAIT_MAX) => moved?,
            // The present state is sent before the server stops.
            () = shared.options.stopping.cancelled() => {}
        }
    }
    let view = shared.engine.table(&table).await?;
    let own = shared.engine.table_paytable(&table).await?;
    let mut read = present(&view, &own)?;
    // A heartbeat has the same form without this part, which never changes while a table plays.
    let terms = &view.state.terms;
    read.play = view
        .state
        .table(view.number)
        .map(|table| play(terms, table));
    Ok(Json(read))
}

/// Returns the present state of a table with its own paytable.
pub(super) fn present(view: &TableView, own: &PaytableId) -> Result<Table, Failure> {
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    let seal = view.seal;
    let seal = seal.ok_or_else(|| Failure::internal("the state of a table has no seal"))?;
    let terms = &view.state.terms;
    let names = Names::of_state(&view.state);
    let displayed: Vec<Money> = view.state.displayed().collect();
    let lost = view.lost();
    let closed = view.closed_hits();
    Ok(Table {
        table: Text(table.name.clone()),
        link: Text(terms.name.clone()),
        state: table_state(view.status()),
        disabled_reason: table.disabled.as_ref().map(ToString::to_string),
        must_resume: lost.is_some_and(|lost| lost.must_resume),
        heard_at: view.heard_at.map(Text),
        link_state: link_state(view.word()),
        reason: view.reason(),
        disabled: view.disabled().into_iter().map(Text).collect(),
        game: Text(table.game.clone()),
        seats: table.seats,
        paytable: Text(terms.paytable.id.clone()),
        table_paytable: Text(own.clone()),
        wager: Text(terms.wager),
        decks: terms.decks,
        last_sequence: table.last_sequence.0,
        next_sequence: table.last_sequence.0.saturating_add(1),
        play: None,
        round: open_round(names, view.number, table),
        closed_hits: closed
            .map(|closed| kept_hit(names, view.number, closed.round, &closed.hit))
            .collect(),
        position: Text(view.position()),
        seal: Some(Text(seal)),
        levels: level_amounts(terms, &displayed),
    })
}

fn open_round(names: Names<'_>, number: TableNo, table: &state::Table) -> Option<Round> {
    let round: &state::Round = table.round.as_ref()?;
    let settling = round.standing_hits().next().is_some();
    let players = round.players.iter().map(|(seat, player)| SeatedPlayer {
        seat: seat.0,
        player: Text(player.clone()),
    });
    let hits = round.hits.iter();
    Some(Round {
        round: names.round(number, round.sequence),
        state: if settling {
            RoundState::Settling
        } else {
            RoundState::Locked
        },
        seats: seat_list(round.own),
        dealer_seats: seat_list(round.dealer),
        dealt: seat_list(round.dealt),
        folded: seat_list(round.folded),
        magic_card: round.draws.magic_card.map(Text),
        lucky_position: round.draws.lucky_position.map(betting_position),
        players: players.collect(),
        hits: hits
            .map(|hit| kept_hit(names, number, round.sequence, hit))
            .collect(),
    })
}
