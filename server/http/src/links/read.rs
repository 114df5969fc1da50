//! `GET /v1/links/{link}`: one link, without a token and without reserves.

use axum::Json;
use axum::extract::State;
use meterhouse_api::level::{LevelHand, LinkLevel};
use meterhouse_api::link::{Link, LinkedTable};
use meterhouse_api::text::Text;
use meterhouse_domain::link::Book;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Content, Level};
use meterhouse_edge::link_returns;
use meterhouse_engine::view::{LinkView, ListedLink, TableRow};
use meterhouse_journal::terms::{content_version, version_text};

use super::settings::settings;
use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::change::adopted_table;
use crate::render::value::{link_presentation, link_state, linked_table, table_state};

/// Reads a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}",
    operation_id = "read_link",
    tag = "links",
    security(()),
    params(LinkPath),
    responses((status = 200, description = "The link", body = Link), PublicProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<Link>, Failure> {
    let view = shared.engine.link(&link).await?;
    Ok(Json(shown_link(&view)))
}

fn shown_link(view: &LinkView) -> Link {
    let terms = &view.terms;
    Link {
        link: Text(terms.name.clone()),
        title: Some(terms.paytable.title.clone()),
        paytable: Text(terms.paytable.id.clone()),
        paytable_version: content_version(terms.content()),
        wager: Text(terms.wager),
        decks: terms.decks,
        boxes_max: terms.limits.boxes_max,
        state: link_state(view.state),
        reason: view.reason.clone(),
        values_accepted: view.values_accepted,
        adopted: view.adopted.iter().map(adopted_table).collect(),
        settings: Some(settings(&terms.settings)),
        returns: Some(link_returns::of_terms(terms)),
        presentation: Some(link_presentation(&view.presentation)),
        batch: view.batch,
        levels: levels(view),
        tables: view.present_tables().map(table_for_players).collect(),
    }
}

/// Returns a link of a list.
pub(super) fn listed_link(listed: &ListedLink) -> Link {
    let link = match listed {
        ListedLink::Shown(view) => return shown_link(view),
        ListedLink::Unreadable(link) => link,
    };
    Link {
        link: Text(link.name.clone()),
        title: None,
        paytable: Text(link.paytable.clone()),
        paytable_version: version_text(link.content_hash),
        wager: Text(link.wager),
        decks: link.decks,
        boxes_max: None,
        state: link_state(link.state),
        reason: Some(link.reason.clone()),
        values_accepted: None,
        adopted: Vec::new(),
        settings: None,
        returns: None,
        presentation: None,
        batch: link.batch,
        levels: Vec::new(),
        tables: link.tables.iter().map(table_for_players).collect(),
    }
}

fn levels(view: &LinkView) -> Vec<LinkLevel> {
    let levels = view.terms.content().levels.iter().zip(&view.displayed);
    let one = |(index, (level, amount)): (usize, (&Level, &Money))| LinkLevel {
        level: Text(level.name.clone()),
        amount: Text(amount.displayed()),
        ceiling: view.terms.settings.ceiling(Book::level(index)).map(Text),
        disabled: view.disabled.contains(&level.name),
        hands: level_hands(view.terms.content(), index),
    };
    levels.enumerate().map(one).collect()
}

fn level_hands(content: &Content, level: usize) -> Vec<LevelHand> {
    let hands = content.level_hands(level).into_iter();
    hands
        .map(|(hand, percent)| LevelHand {
            hand: Text(hand),
            percent,
        })
        .collect()
}

/// Returns a table as players see it.
fn table_for_players(row: &TableRow) -> LinkedTable {
    LinkedTable {
        state: table_state(row.status.for_players()),
        ..linked_table(row)
    }
}
