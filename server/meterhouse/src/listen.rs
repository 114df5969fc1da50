//! Listening: one port for API, feed and page.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt as _;
use meterhouse_http::Options;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::failure::Failure;

/// How long open requests may take to end once asked to stop.
const DRAIN_MAX: Duration = Duration::from_secs(10);

/// A server that listens.
pub(crate) struct Listening {
    /// Where.
    pub(crate) address: SocketAddr,
    options: Options,
    task: JoinHandle<std::io::Result<()>>,
}

impl Listening {
    /// Takes the address and serves on it; feeds end when `options.stopping` is cancelled.
    pub(crate) async fn start(
        address: &str,
        router: Router,
        options: Options,
    ) -> Result<Self, Failure> {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::AddrInUse => Failure::InUse(format!(
                    "another process listens on {address}: stop it, or choose another with --listen"
                )),
                _ => Failure::Usage(format!("could not listen on {address:?}: {error}")),
            })?;
        let address = listener
            .local_addr()
            .map_err(|error| Failure::internal("could not ask the port", error))?;
        // What a display is told next doesn't wait until it has acknowledged the last.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let asked = options.stopping.clone();
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
            asked.cancelled().await;
        });
        let task = tokio::spawn(async move { serving.await });
        Ok(Self {
            address,
            options,
            task,
        })
    }

    /// Takes no new connection and waits, bounded, for the open requests.
    pub(crate) async fn stop(self) {
        self.options.stopping.cancel();
        self.options.feeds.close();
        // The listener doesn't wait for feeds: they are tasks of their own.
        let feeds = self.options.feeds.clone();
        let drained = async { tokio::join!(self.task, feeds.wait()) };
        if tokio::time::timeout(DRAIN_MAX, drained).await.is_err() {
            tracing::warn!(
                drain.max_s = DRAIN_MAX.as_secs(),
                "open requests were cut off"
            );
        }
    }
}
