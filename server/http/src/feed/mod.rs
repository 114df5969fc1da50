//! `GET /v1/links/{link}/feed`: what displays listen to.
//!
//! # Shape
//! [`feed`] answers the handshake; [`session`] is one connection's life; [`message`] is what it says.

mod message;
mod session;

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value;

pub(crate) use message::FeedMessage;

use crate::document::FeedProblems;
use crate::extract::{LinkOf, Query, Upgrade};
use crate::options::Shared;
use crate::problem::Failure;

/// Displays that may listen at once: what one core serves ten times a second.
pub const FEEDS_MAX: usize = 10_000;

/// Listens to a link: WebSocket, JSON texts.
///
/// First a `snapshot`, with `after` then every happening that was missed, in order; from then on `meters` (the
/// newest amounts, at most ten times a second, never an older after a newer one), `hit`, `hit_changed`, `paid`,
/// `link_state`, `table_state`, and a `heartbeat` each second. Whoever falls too far behind gets a new `snapshot`. A display
/// that has heard nothing for 3 seconds should show that it is stale.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/feed",
    operation_id = "listen_to_feed",
    tag = "displays",
    security(()),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "The position of the last snapshot or happening \
            that was heard", pattern = r"^[0-9]+(\.[0-9]+)?$"),
    ),
    responses(
        (status = 101, description = "Texts of the schema FeedMessage follow"),
        FeedProblems,
    ),
)]
pub(crate) async fn feed(
    State(shared): State<Shared>,
    LinkOf(link): LinkOf,
    query: Query,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Failure> {
    let after = query.only(&["after"])?.get("after", value::place)?;
    let room = Arc::clone(&shared.room)
        .try_acquire_owned()
        .map_err(|_| EdgeCode::Busy)?;
    let first = shared.engine.subscribe(&link, after).await?;
    let (engine, options) = (shared.engine, shared.options);
    Ok(upgrade.on_upgrade(move |socket| {
        let again = move || {
            let (engine, link) = (engine.clone(), link.clone());
            async move { engine.subscribe(&link, None).await }
        };
        let life = session::run(socket, first, again, options.stopping.clone());
        options.feeds.track_future(async move {
            life.await;
            drop(room);
        })
    }))
}
