//! A proxy for a faulty network in front of Postgres: slow, interrupted in the middle of a commit, or down.
//!
//! # Shape
//! The proxy listens on its own socket and forwards to the server's socket. A [`Fault`] affects one commit, and is chosen
//! when the commit passes. [`Network`] affects all connections.
//!
//! # Order
//! The bytes of one direction keep their order. A group of messages is forwarded completely or not at all.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use meterhouse_store::PgConnectOptions;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::postgres_protocol::{GroupKind, GroupReader};

/// Maximum number of bytes read at a time.
const CHUNK: usize = 65_536;

type FromServer = Box<dyn AsyncRead + Send + Unpin>;
type ToServer = Box<dyn AsyncWrite + Send + Unpin>;

/// A fault of one commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No fault.
    None,
    /// The connection is closed before the statement arrives.
    Before,
    /// The statement arrives, and the connection is closed immediately on both sides.
    During,
    /// The statement is executed, and its response is dropped.
    After,
    /// The statement is executed, and the whole network goes down before the response.
    Last,
    /// The client's connection is closed. The statement arrives after this many later commits or confirmations.
    Late(u64),
}

/// The state of the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    /// Delay of each group of messages and each response.
    pub(crate) latency: Duration,
    /// If `true`, open connections are closed, and new connections are refused.
    pub(crate) is_down: bool,
    /// If `true`, no bytes are forwarded, and connections stay open.
    pub(crate) is_silent: bool,
}

/// How often each fault was chosen, by name.
pub(crate) type FaultCounts = Arc<Mutex<BTreeMap<String, u64>>>;

type Choose = Box<dyn FnMut() -> Fault + Send>;

struct Shared {
    server: PgConnectOptions,
    network: watch::Sender<Network>,
    choose: Mutex<Choose>,
    /// Number of commits and confirmations that have passed.
    passed: watch::Sender<u64>,
    /// Number of transactions that were begun.
    begun: watch::Sender<u64>,
}

/// A proxy. Dropping the proxy removes its socket.
pub(crate) struct Proxy {
    folder: TempDir,
    shared: Arc<Shared>,
}

/// The state of one connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConnectionState {
    Open,
    /// Drops the next response, then closes.
    DropsResponse,
    /// Drops the next response, then takes the network down.
    EndsNetwork,
    Closed,
}

impl Proxy {
    /// Starts a proxy to this server, without faults.
    pub(crate) fn new(server: &PgConnectOptions, latency: Duration) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("mh-proxy-")
            .tempdir()
            .expect("a folder");
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755))
            .expect("permissions");
        let shared = Arc::new(Shared {
            server: server.clone(),
            network: watch::Sender::new(Network {
                latency,
                is_down: false,
                is_silent: false,
            }),
            choose: Mutex::new(Box::new(|| Fault::None)),
            passed: watch::Sender::new(0),
            begun: watch::Sender::new(0),
        });
        let proxy = Self { folder, shared };
        proxy.listen();
        proxy
    }

    /// Returns the options to connect through this proxy.
    pub(crate) fn through(&self) -> PgConnectOptions {
        self.shared.server.clone().socket(self.folder.path())
    }

    /// Sets the function that chooses the fault of each commit.
    pub(crate) fn set_faults(&self, choose: impl FnMut() -> Fault + Send + 'static) {
        *self.shared.choose.lock().expect("not poisoned") = Box::new(choose);
    }

    /// Sets the function that chooses the fault of each commit. Returns the numbers of the chosen faults, by name.
    pub(crate) fn set_counted_faults(
        &self,
        mut choose: impl FnMut() -> Fault + Send + 'static,
    ) -> FaultCounts {
        let occurred = FaultCounts::default();
        let counted = Arc::clone(&occurred);
        self.set_faults(move || {
            let fault = choose();
            let mut counted = counted.lock().expect("not poisoned");
            *counted.entry(format!("{fault:?}")).or_default() += 1;
            fault
        });
        occurred
    }

    /// Takes the network down: closes all connections and refuses new ones.
    pub(crate) fn disconnect(&self) {
        self.shared
            .network
            .send_modify(|network| network.is_down = true);
    }

    /// Makes the network silent: forwards no bytes and closes no connection.
    pub(crate) fn go_silent(&self) {
        self.shared
            .network
            .send_modify(|network| network.is_silent = true);
    }

    /// Restores the network after [`Self::disconnect`] or [`Self::go_silent`].
    pub(crate) fn restore(&self) {
        self.disconnect();
        self.shared
            .network
            .send_modify(|network| (network.is_down, network.is_silent) = (false, false));
        self.listen();
    }

    /// Subscribes to the number of transactions that were begun.
    pub(crate) fn begun(&self) -> watch::Receiver<u64> {
        self.shared.begun.subscribe()
    }

    fn listen(&self) {
        let port = self.shared.server.get_port();
        let socket = self.folder.path().join(format!(".s.PGSQL.{port}"));
        drop(std::fs::remove_file(&socket));
        let listener = UnixListener::bind(&socket).expect("a free socket");
        tokio::spawn(accept(listener, Arc::clone(&self.shared)));
    }
}

/// Accepts connections until the network goes down.
async fn accept(listener: UnixListener, shared: Arc<Shared>) {
    let mut network = shared.network.subscribe();
    loop {
        let (client, _) = tokio::select! {
            accepted = listener.accept() => accepted.expect("a connection"),
            _ = network.wait_for(|network| network.is_down) => return,
        };
        // Without a server the client's connection is dropped.
        let Ok((from_server, to_server)) = connect(&shared.server).await else {
            continue;
        };
        let (from_client, to_client) = client.into_split();
        let connection = watch::Sender::new(ConnectionState::Open);
        tokio::spawn(down(
            from_server,
            to_client,
            Arc::clone(&shared),
            connection.clone(),
        ));
        tokio::spawn(up(from_client, to_server, Arc::clone(&shared), connection));
    }
}

async fn connect(server: &PgConnectOptions) -> std::io::Result<(FromServer, ToServer)> {
    if let Some(folder) = server.get_socket() {
        let path = folder.join(format!(".s.PGSQL.{}", server.get_port()));
        let (from, to) = UnixStream::connect(path).await?.into_split();
        return Ok((Box::new(from), Box::new(to)));
    }
    let stream = TcpStream::connect((server.get_host(), server.get_port())).await?;
    let (from, to) = stream.into_split();
    Ok((Box::new(from), Box::new(to)))
}

/// Forwards from client to server.
async fn up(
    mut client: OwnedReadHalf,
    mut server: ToServer,
    shared: Arc<Shared>,
    connection: watch::Sender<ConnectionState>,
) {
    let mut groups = GroupReader::default();
    let mut bytes = vec![0; CHUNK];
    let mut network = shared.network.subscribe();
    let mut state = connection.subscribe();
    loop {
        let read = tokio::select! {
            read = client.read(&mut bytes) => read.unwrap_or(0),
            _ = state.wait_for(|state| *state == ConnectionState::Closed) => 0,
            _ = network.wait_for(|network| network.is_down) => 0,
        };
        if read == 0 {
            connection.send_replace(ConnectionState::Closed);
            return;
        }
        groups.push(&bytes[..read]);
        while let Some((group, kind)) = groups.next_group() {
            let latency = network.borrow().latency;
            sleep(latency).await;
            until_forwarding(&mut network).await;
            let fault = shared.fault_of(kind);
            match fault {
                Fault::None | Fault::During => {}
                Fault::After => drop(connection.send_replace(ConnectionState::DropsResponse)),
                Fault::Last => drop(connection.send_replace(ConnectionState::EndsNetwork)),
                Fault::Before => {
                    connection.send_replace(ConnectionState::Closed);
                    return;
                }
                Fault::Late(passed) => {
                    connection.send_replace(ConnectionState::Closed);
                    drop(client);
                    return arrive_late(&shared, passed, server, group).await;
                }
            }
            let sent = server.write_all(&group).await;
            if sent.is_err() || fault == Fault::During {
                connection.send_replace(ConnectionState::Closed);
                return;
            }
        }
    }
}

/// Forwards from server to client.
async fn down(
    mut server: FromServer,
    mut client: OwnedWriteHalf,
    shared: Arc<Shared>,
    connection: watch::Sender<ConnectionState>,
) {
    let mut bytes = vec![0; CHUNK];
    let mut network = shared.network.subscribe();
    let mut state = connection.subscribe();
    loop {
        let read = tokio::select! {
            read = server.read(&mut bytes) => read.unwrap_or(0),
            _ = state.wait_for(|state| *state == ConnectionState::Closed) => 0,
            _ = network.wait_for(|network| network.is_down) => 0,
        };
        let latency = network.borrow().latency;
        sleep(latency).await;
        until_forwarding(&mut network).await;
        let current = *state.borrow();
        if current == ConnectionState::EndsNetwork {
            shared.network.send_modify(|network| network.is_down = true);
        }
        let is_dropped = matches!(
            current,
            ConnectionState::DropsResponse | ConnectionState::EndsNetwork
        );
        if read == 0 || is_dropped || client.write_all(&bytes[..read]).await.is_err() {
            connection.send_replace(ConnectionState::Closed);
            return;
        }
    }
}

/// Waits while the network is silent. A network that is down is not silent.
async fn until_forwarding(network: &mut watch::Receiver<Network>) {
    drop(
        network
            .wait_for(|network| network.is_down || !network.is_silent)
            .await,
    );
}

/// Delivers the statement of a client whose connection is closed.
async fn arrive_late(shared: &Shared, passed: u64, mut server: ToServer, group: Vec<u8>) {
    let mut passing = shared.passed.subscribe();
    let until = *passing.borrow() + passed;
    // The test may end first.
    if passing.wait_for(|passed| *passed >= until).await.is_ok() {
        drop(server.write_all(&group).await);
        drop(server.shutdown().await);
    }
}

impl Shared {
    /// Counts a passing group, and returns its fault.
    fn fault_of(&self, kind: GroupKind) -> Fault {
        match kind {
            GroupKind::Commit => {
                self.passed.send_modify(|count| *count += 1);
                (self.choose.lock().expect("not poisoned"))()
            }
            GroupKind::Confirm => {
                self.passed.send_modify(|count| *count += 1);
                Fault::None
            }
            GroupKind::Begin => {
                self.begun.send_modify(|count| *count += 1);
                Fault::None
            }
            GroupKind::Other => Fault::None,
        }
    }
}
