//! Listeners: one port for API, feed and page, one for gRPC.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use meterhouse_catalogue::Catalogue;
use meterhouse_engine::Engine;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_http::Options;
use meterhouse_tls::Acceptor;
use tokio::net::{TcpListener, TcpSocket, lookup_host};
use tokio::task::JoinSet;

use crate::failure::Failure;
use crate::settings::PLAIN_TEXT;

/// Longest time for open requests to end after the request to stop.
const DRAIN_MAX: Duration = Duration::from_secs(10);
/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1_024;

/// The addresses to listen on.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// Address of page, API and feed.
    pub(crate) http: String,
    /// Address of table controllers' streams and feeds; `None` without gRPC.
    pub(crate) grpc: Option<String>,
    /// True if other machines may be served: with TLS, or on purpose without.
    pub(crate) is_remote_allowed: bool,
}

impl Addresses {
    /// Binds the addresses, before anything is created for a server and while the process may bind
    /// any port.
    pub(crate) async fn bind(&self) -> Result<BoundAddresses, Failure> {
        let bound = BoundAddresses {
            http: Socket::take(&self.http, "--listen").await?,
            grpc: match &self.grpc {
                Some(grpc) => Some(Socket::take(grpc, "--grpc-listen").await?),
                None => None,
            },
        };
        for socket in [Some(&bound.http), bound.grpc.as_ref()] {
            if let Some(socket) = socket.filter(|_| !self.is_remote_allowed) {
                socket.refuse_remote()?;
            }
        }
        Ok(bound)
    }
}

/// The bound addresses. Connections are refused until the server listens.
#[derive(Debug)]
pub(crate) struct BoundAddresses {
    http: Socket,
    grpc: Option<Socket>,
}

/// A server that listens.
pub(crate) struct Listening {
    /// Address of page, API and feed.
    pub(crate) http: SocketAddr,
    /// Address of gRPC.
    pub(crate) grpc: Option<SocketAddr>,
    options: Options,
    grpc_acceptor: Acceptor,
    tasks: JoinSet<()>,
}

impl Listening {
    /// Serves on the addresses. Feeds and streams end when `options.stopping` is cancelled.
    pub(crate) fn start(
        bound: BoundAddresses,
        router: Router,
        (engine, catalogue): (Engine, Arc<Catalogue>),
        options: Options,
        grpc_acceptor: Acceptor,
    ) -> Result<Self, Failure> {
        let (http, at) = bound.http.listen()?;
        let mut listening = Self {
            http: at,
            grpc: None,
            options,
            grpc_acceptor,
            tasks: JoinSet::new(),
        };
        // Both sockets listen before anything is served.
        let grpc = bound.grpc.map(Socket::listen).transpose()?;
        listening.serve_http(http, router);
        if let Some((listener, at)) = grpc {
            listening.grpc = Some(at);
            listening.serve_grpc(listener, engine, catalogue);
        }
        Ok(listening)
    }

    fn serve_http(&mut self, listener: TcpListener, router: Router) {
        let serving = meterhouse_http::serve(listener, router, self.options.clone());
        self.tasks.spawn(serving);
    }

    fn serve_grpc(&mut self, listener: TcpListener, engine: Engine, catalogue: Arc<Catalogue>) {
        let options = meterhouse_grpc::ServeOptions {
            acceptor: self.grpc_acceptor.clone(),
            trusted_proxies: self.options.trusted_proxies.clone(),
            stopping: self.options.stopping.clone(),
        };
        let serving = meterhouse_grpc::serve(listener, engine, catalogue, options);
        self.tasks.spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(error = %ErrorChain(&error), "gRPC is served no longer");
            }
        });
    }

    /// Accepts no new connection and waits, for a limited time, for the open requests.
    pub(crate) async fn stop(self) {
        self.options.stopping.cancel();
        self.options.feeds.close();
        // The listener does not wait for feeds, which have tasks of their own.
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

/// A bound address.
#[derive(Debug)]
pub(crate) struct Socket {
    bound: TcpSocket,
    /// Address as given, and the option for another one: for messages.
    address: String,
    option: &'static str,
}

impl Socket {
    /// Binds an address; `option` names the option for another one.
    pub(crate) async fn take(address: &str, option: &'static str) -> Result<Self, Failure> {
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

    /// Refuses an address that other machines reach.
    fn refuse_remote(&self) -> Result<(), Failure> {
        let at = self.bound.local_addr();
        let at = at.map_err(|error| Failure::internal("could not ask the port", error))?;
        if at.ip().is_loopback() {
            return Ok(());
        }
        let option = self.option;
        Err(Failure::Configuration(format!(
            "{option} {at}: {PLAIN_TEXT}"
        )))
    }

    /// Listens and returns the address.
    pub(crate) fn listen(self) -> Result<(TcpListener, SocketAddr), Failure> {
        let listener = self.bound.listen(BACKLOG);
        let listener = listener.map_err(|error| refused(&self.address, self.option, &error))?;
        let at = listener
            .local_addr()
            .map_err(|error| Failure::internal("could not ask the port", error))?;
        Ok((listener, at))
    }
}

/// Binds a socket to the first available address of this name.
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

/// Returns the failure for an address that can't be bound, with the remedy.
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
