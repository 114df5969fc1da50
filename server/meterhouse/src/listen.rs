//! Listening: one port for API, feed and page, one for gRPC.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use meterhouse_engine::Engine;
use meterhouse_engine::chain::Chain;
use meterhouse_http::Options;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::failure::Failure;

/// How long open requests may take to end once asked to stop.
const DRAIN_MAX: Duration = Duration::from_secs(10);

/// Where to listen.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// Page, API and feed.
    pub(crate) http: String,
    /// Streams of table controllers, and feeds; none where nobody needs them.
    pub(crate) grpc: Option<String>,
}

impl Addresses {
    /// Checks that the addresses can be listened on, before anything is made for a server.
    pub(crate) async fn check(&self) -> Result<(), Failure> {
        bind(&self.http, "--listen").await?;
        if let Some(grpc) = &self.grpc {
            bind(grpc, "--grpc-listen").await?;
        }
        Ok(())
    }
}

/// A server that listens.
pub(crate) struct Listening {
    /// Where page, API and feed are.
    pub(crate) http: SocketAddr,
    /// Where gRPC is.
    pub(crate) grpc: Option<SocketAddr>,
    options: Options,
    tasks: JoinSet<()>,
}

impl Listening {
    /// Takes the addresses and serves on them; feeds and streams end when `options.stopping` is cancelled.
    pub(crate) async fn start(
        addresses: &Addresses,
        router: Router,
        engine: Engine,
        options: Options,
    ) -> Result<Self, Failure> {
        let (http, at) = bind(&addresses.http, "--listen").await?;
        let mut listening = Self {
            http: at,
            grpc: None,
            options,
            tasks: JoinSet::new(),
        };
        // Both addresses are taken before anything is served.
        let grpc = match &addresses.grpc {
            Some(address) => Some(bind(address, "--grpc-listen").await?),
            None => None,
        };
        listening.serve_http(http, router);
        if let Some((listener, at)) = grpc {
            listening.grpc = Some(at);
            listening.serve_grpc(listener, engine);
        }
        Ok(listening)
    }

    fn serve_http(&mut self, listener: TcpListener, router: Router) {
        let serving = meterhouse_http::serve(listener, router, self.options.clone());
        self.tasks.spawn(serving);
    }

    fn serve_grpc(&mut self, listener: TcpListener, engine: Engine) {
        let options = meterhouse_grpc::Options {
            stopping: self.options.stopping.clone(),
        };
        let serving = meterhouse_grpc::serve(listener, engine, options);
        self.tasks.spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(error = %Chain(&error), "gRPC is served no longer");
            }
        });
    }

    /// Takes no new connection and waits, bounded, for the open requests.
    pub(crate) async fn stop(self) {
        self.options.stopping.cancel();
        self.options.feeds.close();
        // The listener doesn't wait for feeds: they are tasks of their own.
        let feeds = self.options.feeds.clone();
        let drained = async { tokio::join!(self.tasks.join_all(), feeds.wait()) };
        if tokio::time::timeout(DRAIN_MAX, drained).await.is_err() {
            tracing::warn!(
                drain.max_s = DRAIN_MAX.as_secs(),
                "open requests were cut off"
            );
        }
    }
}

/// Takes an address; `option` is what chooses another.
async fn bind(address: &str, option: &str) -> Result<(TcpListener, SocketAddr), Failure> {
    let bound = TcpListener::bind(address).await;
    let listener = bound.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Failure::InUse(format!(
            "another process listens on {address}: stop it, or choose another with {option}"
        )),
        _ => Failure::Usage(format!(
            "could not listen on {address:?} ({error}): write {option} as 127.0.0.1:8080, with port 0 for a free one"
        )),
    })?;
    let at = listener
        .local_addr()
        .map_err(|error| Failure::internal("could not ask the port", error))?;
    Ok((listener, at))
}
