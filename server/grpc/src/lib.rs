//! The way in over gRPC: streams of table controllers (`TableGateway`) and feeds of displays (`MeterFeed`).
//!
//! # Shape
//! [`serve`] is the one door. `door` and `connection` let connections in; `play` has the streams of tables, `watch` the
//! feeds; `read` and `write` lead from the wire to the rules and back, `status` says why something has no answer. The
//! meaning is that of HTTP: what both share is in `meterhouse_edge`.
//!
//! # What bounds it
//! [`CONNECTIONS_MAX`] connections, [`SILENT_MAX`] that have said nothing yet; [`CONNECTION_STREAMS_MAX`] streams of
//! each, with [`STREAM_WINDOW_BYTES`] that were not read yet; [`STREAMS_MAX`] streams of tables in all, each with
//! [`WINDOW`] commands under way, and [`UNATTACHED_MAX`] that have no table yet. A client that is gone is noticed by
//! [`KEEPALIVE_EVERY`] and [`KEEPALIVE_WAIT_MAX`].
//!
//! # Order
//! Stopping: no new connection, streams end after the outcomes of what was handed over, at most [`STOP_WAIT_MAX`].

mod connection;
mod door;
mod fields;
mod play;
mod read;
mod standing;
mod status;
mod watch;
mod write;

use std::time::Duration;

use meterhouse_engine::Engine;
use meterhouse_proto::encoded::meter_feed_server::MeterFeedServer;
use meterhouse_proto::table::table_gateway_server::TableGatewayServer;
use tokio::net::TcpListener;
use tokio::select;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Error, Server};

pub use door::{CONNECTIONS_MAX, PREFACE_WAIT_MAX, SILENT_MAX, STRANGER_LIMITS};
pub use play::{
    ANSWER_WAIT_MAX, ATTACH_WAIT_MAX, MESSAGE_BYTES_MAX, STREAMS_MAX, TABLES_MAX, TOKENS_EVERY,
    UNATTACHED_MAX, WINDOW,
};

/// Streams of one connection.
pub const CONNECTION_STREAMS_MAX: u32 = 128;
/// Bytes of one stream that may have come and not been read yet: several hundred commands.
pub const STREAM_WINDOW_BYTES: u32 = 64 * 1_024;
/// Bytes of one connection: so many that no stream that isn't read stops another.
const CONNECTION_WINDOW_BYTES: u32 = CONNECTION_STREAMS_MAX * STREAM_WINDOW_BYTES;
/// Bytes of the headers of a request: a token and little else.
const HEADER_BYTES_MAX: u32 = 16 * 1_024;
/// How often a connection is asked whether it is there.
pub const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
/// How long it may take to answer that.
pub const KEEPALIVE_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long streams may take to end when the server stops.
pub const STOP_WAIT_MAX: Duration = Duration::from_secs(10);

/// How the server stops.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Cancelled when the server stops: streams end with UNAVAILABLE after the outcomes of what was handed over.
    pub stopping: CancellationToken,
}

/// Serves gRPC until [`Options::stopping`].
///
/// # Errors
/// What the library says where it can't serve at all; what is wrong with one connection ends only that.
pub async fn serve(listener: TcpListener, engine: Engine, options: Options) -> Result<(), Error> {
    let all = CancellationToken::new();
    // Whoever drops this future ends every connection with it.
    let _all = all.clone().drop_guard();
    let stopping = options.stopping.clone();
    let connections = door::open(listener, stopping.clone(), all);
    let feeds = watch::Watch::new(engine.clone(), stopping.clone());
    let feeds = MeterFeedServer::new(feeds).max_decoding_message_size(watch::REQUEST_BYTES_MAX);
    let gateway = play::Gateway::new(engine, options.stopping);
    let gateway = TableGatewayServer::new(gateway).max_decoding_message_size(MESSAGE_BYTES_MAX);
    let serving = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_EVERY))
        .http2_keepalive_timeout(Some(KEEPALIVE_WAIT_MAX))
        .http2_max_header_list_size(HEADER_BYTES_MAX)
        .max_concurrent_streams(CONNECTION_STREAMS_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .add_service(gateway)
        .add_service(feeds)
        .serve_with_incoming_shutdown(connections, stopping.clone().cancelled_owned());
    let overdue = async {
        stopping.cancelled().await;
        sleep(STOP_WAIT_MAX).await;
    };
    select! {
        served = serving => served,
        () = overdue => {
            tracing::warn!("streams that didn't end in time are cut off");
            Ok(())
        }
    }
}
