//! The gRPC server: streams of table controllers (`TableGateway`), feeds of displays (`MeterFeed`),
//! and the settlement of rounds (`RoundSettlement`).
//!
//! # Shape
//! [`serve`] is the only entry point. `listener` and `connection` accept connections. `play`
//! contains the streams of tables, `watch` the feeds, `settlement` the settled rounds. `read` and
//! `write` convert between messages and the domain's types, and `status` turns errors into gRPC
//! statuses. Commands mean the same as over HTTP, and `meterhouse_edge` contains the shared part.
//!
//! # Limits
//! - [`CONNECTIONS_MAX`] connections, and [`SILENT_MAX`] that have sent nothing yet.
//! - [`CONNECTION_STREAMS_MAX`] streams per connection, each with [`STREAM_WINDOW_BYTES`] of unread
//!   data.
//! - [`STREAMS_MAX`] streams of tables in total, each with [`WINDOW`] commands in flight, and
//!   [`UNATTACHED_MAX`] without a table.
//! - [`KEEPALIVE_EVERY`] plus [`KEEPALIVE_WAIT_MAX`] until a lost client is noticed.
//!
//! # Order
//! A stopping server accepts no new connection. Streams end after the outcomes of
//! submitted commands, within [`STOP_WAIT_MAX`].

mod connection;
mod fields;
mod listener;
mod play;
mod read;
mod round_wagers;
mod settlement;
mod standing;
mod status;
mod trace;
mod values;
mod watch;
mod write;

use std::sync::Arc;
use std::time::Duration;

use meterhouse_catalogue::Catalogue;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_engine::Engine;
use meterhouse_proto::encoded::meter_feed_server::MeterFeedServer;
use meterhouse_proto::encoded::table_gateway_server::TableGatewayServer;
use meterhouse_proto::round::round_settlement_server::RoundSettlementServer;
use meterhouse_tls::Acceptor;
use tokio::net::TcpListener;
use tokio::select;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Error, Server};

pub use listener::{ANONYMOUS_LIMITS, CONNECTIONS_MAX, PREFACE_WAIT_MAX, SILENT_MAX};
pub use play::{
    ANSWER_WAIT_MAX, ATTACH_WAIT_MAX, MESSAGE_BYTES_MAX, STREAMS_MAX, TABLES_MAX, TOKENS_EVERY,
    UNATTACHED_MAX, WINDOW,
};

/// Maximum number of streams per connection.
pub const CONNECTION_STREAMS_MAX: u32 = 128;
/// Maximum number of unread bytes of one stream: several hundred commands.
pub const STREAM_WINDOW_BYTES: u32 = 64 * 1_024;
/// Maximum number of unread bytes of one connection, so that no unread stream blocks another.
const CONNECTION_WINDOW_BYTES: u32 = CONNECTION_STREAMS_MAX * STREAM_WINDOW_BYTES;
/// Maximum size in bytes of a request's headers: a token and little else.
const HEADER_BYTES_MAX: u32 = 16 * 1_024;
/// Interval between two keepalive pings of a connection.
pub const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
/// Longest wait for the answer to a keepalive ping.
pub const KEEPALIVE_WAIT_MAX: Duration = Duration::from_secs(10);
/// Longest time for streams to end when the server stops.
pub const STOP_WAIT_MAX: Duration = Duration::from_secs(10);

/// The options of the server.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// Plain text or TLS.
    pub acceptor: Acceptor,
    /// Proxies, of which one address may have as many anonymous connections as all together.
    pub trusted_proxies: TrustedProxies,
    /// Token that stops the server. Streams then end with UNAVAILABLE, after the outcomes of
    /// submitted commands.
    pub stopping: CancellationToken,
}

/// Serves gRPC until [`ServeOptions::stopping`]. Rounds are settled by the catalogue's tables.
///
/// # Errors
/// An error of the library if the server can't run. An error of one connection ends only that
/// connection.
pub async fn serve(
    listener: TcpListener,
    engine: Engine,
    catalogue: Arc<Catalogue>,
    options: ServeOptions,
) -> Result<(), Error> {
    let all = CancellationToken::new();
    // Dropping this future ends every connection.
    let _all = all.clone().drop_guard();
    let stopping = options.stopping.clone();
    let connections = listener::accept_until(
        listener,
        options.acceptor,
        options.trusted_proxies,
        stopping.clone(),
        all,
    );
    let feeds = watch::Watch::new(engine.clone(), stopping.clone());
    let feeds = MeterFeedServer::new(feeds).max_decoding_message_size(watch::REQUEST_BYTES_MAX);
    let settlements = settlement::Settlements::new(engine.clone(), Arc::clone(&catalogue));
    let settlements = RoundSettlementServer::new(settlements)
        .max_decoding_message_size(settlement::ROUND_BYTES_MAX);
    let gateway = play::Gateway::new(engine, catalogue, options.stopping);
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
        .add_service(settlements)
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
