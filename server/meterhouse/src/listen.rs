//! Listening: one port for API, feed and page, one for gRPC.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use meterhouse_engine::Engine;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_http::Options;
use tokio::net::{TcpListener, TcpSocket, lookup_host};
use tokio::task::JoinSet;

use crate::failure::Failure;

/// How long open requests may take to end once asked to stop.
const DRAIN_MAX: Duration = Duration::from_secs(10);
/// Connections that wait to be taken, at most.
const BACKLOG: u32 = 1_024;

/// Where to listen.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// Page, API and feed.
    pub(crate) http: String,
    /// Streams of table controllers, and feeds; none where nobody needs them.
    pub(crate) grpc: Option<String>,
}

impl Addresses {
    /// Takes the addresses, before anything is made for a server and while it has the right to any of them.
    pub(crate) async fn take(&self) -> Result<Taken, Failure> {
        Ok(Taken {
            http: Socket::take(&self.http, "--listen").await?,
            grpc: match &self.grpc {
                Some(grpc) => Some(Socket::take(grpc, "--grpc-listen").await?),
                None => None,
            },
        })
    }
}

/// Addresses that are taken. Who connects is refused until they are listened on.
#[derive(Debug)]
pub(crate) struct Taken {
    http: Socket,
    grpc: Option<Socket>,
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
    /// Serves on the addresses; feeds and streams end when `options.stopping` is cancelled.
    pub(crate) fn start(
        taken: Taken,
        router: Router,
        engine: Engine,
        options: Options,
    ) -> Result<Self, Failure> {
        let (http, at) = taken.http.listen()?;
        let mut listening = Self {
            http: at,
            grpc: None,
            options,
            tasks: JoinSet::new(),
        };
        // Both are listened on before anything is served.
        let grpc = taken.grpc.map(Socket::listen).transpose()?;
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
        let options = meterhouse_grpc::ServeOptions {
            stopping: self.options.stopping.clone(),
        };
        let serving = meterhouse_grpc::serve(listener, engine, options);
        self.tasks.spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(error = %ErrorChain(&error), "gRPC is served no longer");
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

/// An address that is taken.
#[derive(Debug)]
struct Socket {
    bound: TcpSocket,
    /// As it was written, and the option that chooses another: for messages.
    address: String,
    option: &'static str,
}

impl Socket {
    /// Takes an address; `option` is what chooses another.
    async fn take(address: &str, option: &'static str) -> Result<Self, Failure> {
        let address = address.to_owned();
        match bind(&address).await {
            Ok(bound) => Ok(Self {
                bound,
                address,
                option,
            }),
            Err(error) => Err(refused(&address, option, &error)),
        }
    }

    /// Listens, and returns where.
    fn listen(self) -> Result<(TcpListener, SocketAddr), Failure> {
        let listener = self.bound.listen(BACKLOG);
        let listener = listener.map_err(|error| refused(&self.address, self.option, &error))?;
        let at = listener
            .local_addr()
            .map_err(|error| Failure::internal("could not ask the port", error))?;
        Ok((listener, at))
    }
}

/// Binds a socket to the first address of this name that can be had.
async fn bind(address: &str) -> io::Result<TcpSocket> {
    let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for at in lookup_host(address).await? {
        let socket = if at.is_ipv4() {
            TcpSocket::new_v4()?
        } else {
            TcpSocket::new_v6()?
        };
        // A server that was just stopped leaves connections in TIME_WAIT.
        socket.set_reuseaddr(true)?;
        match socket.bind(at) {
            Ok(()) => return Ok(socket),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Says what to do about an address that can't be had.
fn refused(address: &str, option: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AddrInUse => Failure::InUse(format!(
            "another process listens on {address}: stop it, or choose another with {option}"
        )),
        _ => Failure::Usage(format!(
            "could not listen on {address:?} ({error}): write {option} as 127.0.0.1:8080, with port 0 for a free one"
        )),
    }
}
