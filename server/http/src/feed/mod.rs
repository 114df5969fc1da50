//! `GET /v1/links/{link}/feed`: what displays listen to.
//!
//! # Shape
//! [`feed`] answers the handshake; [`session`] is one connection's life; [`message`] is what it says as JSON.

pub(crate) mod message;
mod session;

use axum::extract::State;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use meterhouse_edge::{authenticate, value};
use meterhouse_engine::answer::NotExecuted;

use self::message::FeedMessage;
use self::session::Form;
use crate::document::FeedProblems;
use crate::extract::{LinkOf, Query, Upgrade};
use crate::options::Shared;
use crate::problem::Failure;

/// The subprotocol of a display that wants binary frames.
const BINARY: &str = "meterhouse.v1.proto";

/// Listens to a link: WebSocket, JSON texts or binary frames.
///
/// First a `snapshot`, with `after` then every happening that was missed, in order; from then on `meters` (the
/// newest amounts, at most ten times a second, never an older after a newer one), `hit`, `hit_changed`, `paid`,
/// `link_state`, `table_state`, and a `heartbeat` each second. Whoever falls too far behind gets a new `snapshot`. A display
/// that has heard nothing for 3 seconds should show that it is stale.
///
/// Players hear of a hit that is cancelled, rejected, void or withdrawn that it is `undone`, and of a table that is lost
/// or disabled that it is `unavailable`. With the token of a supervisor, manager or auditor who may read the link this
/// is the floor's feed, which says which; it ends with the token.
///
/// Whoever asks for the subprotocol `meterhouse.v1.proto` gets the same messages as binary frames, each a
/// `meterhouse.feed.v1.FeedMessage` of Protocol Buffers; without it, or with one that is unknown, they are texts.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/feed",
    operation_id = "listen_to_feed",
    tag = "displays",
    security((), ("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "The position of the last snapshot or happening \
            that was heard", pattern = r"^[0-9]+(\.[0-9]+)?$"),
        ("Sec-WebSocket-Protocol" = Option<String>, Header, description = "`meterhouse.v1.proto` for binary \
            frames; the answer repeats it"),
    ),
    responses(
        (status = 101, description = "Texts of this schema follow, or binary frames", body = FeedMessage),
        FeedProblems,
    ),
)]
pub(crate) async fn feed(
    State(shared): State<Shared>,
    LinkOf(link): LinkOf,
    query: Query,
    headers: HeaderMap,
    Upgrade(upgrade, connection): Upgrade,
) -> Result<Response, Failure> {
    let after = query.only(&["after"])?.get("after", value::position)?;
    let (engine, options) = (shared.engine, shared.options);
    let header = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
    let pass = authenticate::floor_token(&engine, header, &link).await?;
    if header.is_some()
        && let Some(connection) = &connection
    {
        connection.mark_authenticated();
    }
    let listener = engine
        .listen(&link, after, pass, options.stopping.clone())
        .await?;
    if connection.is_some_and(|connection| !connection.count_as_feed()) {
        return Err(NotExecuted::TooManyFeeds.into());
    }
    let upgrade = upgrade.protocols([BINARY]);
    let form = match upgrade.selected_protocol() {
        Some(_) => Form::Binary,
        None => Form::Text,
    };
    Ok(upgrade.on_upgrade(move |socket| {
        let life = session::run(socket, listener, form);
        options.feeds.track_future(life)
    }))
}
