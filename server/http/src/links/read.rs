//! `GET /v1/links/{link}`: one link, for everybody. Never a reserve.

use axum::Json;
use axum::extract::State;
use meterhouse_api::returns::LinkReturns;
use meterhouse_domain::link::Book;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Level;
use meterhouse_edge::link_returns;
use meterhouse_engine::view::{LinkView, ListedLink, TableRow};
use meterhouse_journal::terms::{content_version, version_text};
use serde::Serialize;
use utoipa::ToSchema;

use super::settings::Settings;
use crate::document::PublicProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;

/// A link with what its signs show.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LinkNow {
    /// The link.
    #[schema(examples("main"))]
    link: String,
    /// What people call its paytable; null where what the link was opened with can't be read.
    title: Option<String>,
    /// Its paytable.
    #[schema(examples("pa-657a-five-card-c"))]
    paytable: String,
    /// The version of its content that the link was opened with, as the paytable's own.
    #[schema(examples("0f3a5b6c7d8e9f01"))]
    paytable_version: String,
    /// The one progressive wager.
    wager: Amount,
    /// Decks in play in one round.
    decks: u8,
    /// Adjacent boxes on which one player may wager in one round; null where there is no limit.
    boxes_max: Option<u8>,
    /// `open`, `suspended`, `closed` or `faulted`; `unavailable` in a list where the link did not answer in time.
    #[schema(value_type = String)]
    state: &'static str,
    /// Why it is not open.
    reason: Option<String>,
    /// Whether a manager accepted its first values: it takes no coin-in before. True of a link that was opened before they had to
    /// be; null where it can't be read.
    values_accepted: Option<bool>,
    /// What the operator chose for it; null where what the link was opened with can't be read.
    settings: Option<Settings>,
    /// What its wager returns in the long run; null where what the link was opened with can't be read.
    returns: Option<LinkReturns>,
    /// The newest batch: amounts with a larger one are newer.
    sequence: u64,
    /// What the signs show.
    levels: Vec<LevelNow>,
    /// Its tables, in the order of joining.
    tables: Vec<LinkedTable>,
}

/// A level with what its sign shows.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelNow {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// What its sign shows.
    amount: Amount,
    /// What it never shows more than, where it has a ceiling.
    ceiling: Option<Amount>,
    /// Whether it is off: it takes nothing, and only rounds that were locked before can win it.
    disabled: bool,
}

/// A table of a link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LinkedTable {
    /// The table.
    table: String,
    /// Its game.
    game: String,
    /// Seats on its layout.
    seats: u8,
    /// `in_service`, or `unavailable` where its progressive can't be played. The floor's feed says why: `lost` after too
    /// long a silence, `disabled` by a manager.
    #[schema(value_type = String)]
    state: &'static str,
}

/// Reads a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}",
    operation_id = "read_link",
    tag = "links",
    security(()),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The link", body = LinkNow), PublicProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<LinkNow>, Failure> {
    query.only(&[])?;
    let view = shared.engine.link(&link).await?;
    Ok(Json(LinkNow::from(&view)))
}

impl From<&LinkView> for LinkNow {
    fn from(view: &LinkView) -> Self {
        let terms = &view.terms;
        Self {
            link: terms.name.to_string(),
            title: Some(terms.paytable.title.clone()),
            paytable: terms.paytable.id.to_string(),
            paytable_version: content_version(terms.content()),
            wager: Amount(terms.wager),
            decks: terms.decks,
            boxes_max: terms.limits.boxes_max,
            state: view.state.name(),
            reason: view.reason.clone(),
            values_accepted: view.values_accepted,
            settings: Some(Settings::from(&terms.settings)),
            returns: Some(link_returns::of_terms(terms)),
            sequence: view.batch,
            levels: LevelNow::all(view),
            tables: view
                .present_tables()
                .map(LinkedTable::for_players)
                .collect(),
        }
    }
}

impl From<&ListedLink> for LinkNow {
    fn from(listed: &ListedLink) -> Self {
        let link = match listed {
            ListedLink::Shown(view) => return Self::from(view.as_ref()),
            ListedLink::Unreadable(link) => link,
        };
        Self {
            link: link.name.to_string(),
            title: None,
            paytable: link.paytable.clone(),
            paytable_version: version_text(link.content_hash),
            wager: Amount(link.wager),
            decks: link.decks,
            boxes_max: None,
            state: link.state.name(),
            reason: Some(link.reason.clone()),
            values_accepted: None,
            settings: None,
            returns: None,
            sequence: link.batch,
            levels: Vec::new(),
            tables: link.tables.iter().map(LinkedTable::for_players).collect(),
        }
    }
}

impl LevelNow {
    fn all(view: &LinkView) -> Vec<Self> {
        let levels = view.terms.content().levels.iter().zip(&view.displayed);
        let one = |(index, (level, amount)): (usize, (&Level, &Money))| Self {
            level: level.name.to_string(),
            amount: Amount(amount.displayed()),
            ceiling: view.terms.settings.ceiling(Book::level(index)).map(Amount),
            disabled: view.disabled.contains(&level.name),
        };
        levels.enumerate().map(one).collect()
    }
}

impl LinkedTable {
    /// A table as players see it.
    fn for_players(row: &TableRow) -> Self {
        Self {
            state: row.status.for_players().name(),
            ..Self::from(row)
        }
    }
}

impl From<&TableRow> for LinkedTable {
    fn from(row: &TableRow) -> Self {
        Self {
            table: row.name.to_string(),
            game: row.game.to_string(),
            seats: row.seats,
            state: row.status.name(),
        }
    }
}
