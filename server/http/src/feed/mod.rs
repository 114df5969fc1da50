//! `GET /v1/links/{link}/feed`: the feed of a link for displays.
//!
//! # Shape
//! [`feed`] answers the handshake, and [`session`] serves one connection. [`group`] serves those that are up to date, many
//! in one loop. [`message`] is the feed's message as JSON, and [`frame`] the bytes that a group writes.

mod frame;
pub(crate) mod group;
pub(crate) mod message;
mod pass;
mod session;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use meterhouse_api::feed::FeedMessage;
use meterhouse_api::text::Text;
use meterhouse_api::values::{Position, Seal};
use meterhouse_api::words::FeedAudience;
use meterhouse_engine::answer::NotExecuted;
use serde::Deserialize;
use utoipa::IntoParams;

use self::group::LoneDisplay;
use self::session::{Form, Session};
use crate::document::FeedProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::extract::upgrade::Upgrade;
use crate::options::Shared;
use crate::problem::Failure;

/// The subprotocol for binary frames.
const BINARY: &str = "meterhouse.v1.proto";
/// The subprotocol for texts, which a page speaks that offers its token beside it.
const TEXT: &str = "meterhouse.v1.json";

/// The parameters of a feed.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// Position of the last received snapshot or event.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Position>,
    /// Newest seal that the display has received.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    seal: Option<Seal>,
    /// Audience: `floor` needs a token or a session with the right to read the link. If left out, a token decides, and a
    /// session does not count.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, pattern = "^(players|floor)$")]
    audience: Option<Text<FeedAudience>>,
}

/// Sends the feed of a link over WebSocket, as JSON texts or binary frames.
///
/// The first message is a `snapshot`. With `after`, every missed event follows in order. Then come `meters`, `hit`,
/// `hit_changed`, `paid`, `link_state`, `table_state` and `presentation`, and a `heartbeat` each second. A `meters` message has the
/// newest amounts. It is sent at most ten times a second, and never an older one after a newer one. A display that
/// falls too far behind gets a new `snapshot`. A display that has received nothing for 3 seconds should show that its
/// amounts are stale.
///
/// The players' feed shows a cancelled, rejected, void or withdrawn hit as `undone`, and a lost or disabled table as
/// `unavailable`. With the token of a supervisor, manager or auditor who may read the link, this is the floor's feed.
/// A browser asks for it with `audience=floor` and its session. The floor's feed names the exact state. A feed ends with
/// its token or session. A browser that has a token of its own offers it as a further subprotocol, `meterhouse.token.TOKEN`
/// behind `meterhouse.v1.json`. A paired screen gets the feeds of its own links only.
///
/// With the subprotocol `meterhouse.v1.proto`, the same messages are binary frames, each a
/// `meterhouse.feed.v1.FeedMessage` of Protocol Buffers. With `meterhouse.v1.json`, without a subprotocol, and with an
/// unknown one, they are texts.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/feed",
    operation_id = "listen_to_feed",
    tag = "displays",
    security((), ("token" = [])),
    params(
        LinkPath,
        FeedQuery,
        ("Sec-WebSocket-Protocol" = Option<String>, Header, description = "`meterhouse.v1.proto` for binary \
            frames, `meterhouse.v1.json` for texts; the response repeats it"),
    ),
    responses(
        (status = 101, description = "Texts of this schema follow, or binary frames", body = FeedMessage),
        FeedProblems,
    ),
)]
pub(crate) async fn feed(
    State(shared): State<Shared>,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<FeedQuery>,
    headers: HeaderMap,
    Upgrade(mut handshake, connection, certificate): Upgrade,
) -> Result<Response, Failure> {
    let after = query.after.map(|after| after.0);
    let audience = query.audience.map(|audience| audience.0);
    let pass = pass::of_handshake(&shared, &headers, &certificate, (&link.0, audience)).await?;
    let is_known = pass.is_some();
    let (engine, options) = (shared.engine, shared.options);
    if is_known && let Some(connection) = &connection {
        connection.mark_authenticated();
    }
    if let Some(Text(seal)) = &query.seal {
        engine.compare_link_seal(&link, seal).await?;
    }
    let listener = engine
        .listen(&link, after, pass, options.stopping.clone())
        .await?;
    if connection.is_some_and(|connection| !connection.count_as_feed()) {
        return Err(NotExecuted::TooManyFeeds.into());
    }
    let form = match handshake.select([BINARY, TEXT]) {
        Some(BINARY) => Form::Binary,
        Some(_) | None => Form::Text,
    };
    let (response, connection) = handshake.accept();
    let (groups, open) = (shared.groups, options.feeds.token());
    tokio::spawn(async move {
        if let Some(socket) = connection.await {
            let session = Session::new(socket, form, &listener);
            let display = LoneDisplay {
                session,
                listener,
                groups,
                was_refused: false,
                open,
            };
            display.run().await;
        }
    });
    Ok(response)
}
