//! A bad network in front of Postgres: slow, cut in the middle of a commit, or gone.
//!
//! # Shape
//! Listens on a socket of its own and forwards to the server's. A [`Fault`] happens to a commit, chosen when it
//! passes. The whole network is [`Network`]: changed for all connections at once.
//!
//! # What order holds
//! Bytes of one direction keep their order; a group of messages is forwarded whole or not at all.

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

use crate::wire::{Asked, Wire};

/// Bytes that are forwarded at once.
const CHUNK: usize = 65_536;

type FromServer = Box<dyn AsyncRead + Send + Unpin>;
type ToServer = Box<dyn AsyncWrite + Send + Unpin>;

/// What happens to one commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// The connection is cut before the statement arrives.
    Before,
    /// It arrives; the connection is cut at once, on both sides.
    During,
    /// It is carried out; the answer is lost.
    After,
    /// It is carried out; the whole network goes down before the answer.
    Last,
    /// The client is cut off; the statement arrives when this many later commits or confirmations have passed.
    Late(u64),
}

/// The whole network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    /// How long every group of messages and every answer takes.
    pub(crate) latency: Duration,
    /// Whether there is none: what is open is cut, what is new is refused.
    pub(crate) is_down: bool,
    /// Whether nothing is forwarded, and nobody hears of it.
    pub(crate) is_silent: bool,
}

type Choose = Box<dyn FnMut() -> Fault + Send>;

struct Shared {
    server: PgConnectOptions,
    network: watch::Sender<Network>,
    choose: Mutex<Choose>,
    /// Commits and confirmations that have passed.
    passed: watch::Sender<u64>,
    /// Transactions that were begun.
    begun: watch::Sender<u64>,
}

/// The proxy; dropped, it is gone.
pub(crate) struct Proxy {
    folder: TempDir,
    shared: Arc<Shared>,
}

/// The state of one connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Open,
    /// The next answer is lost, and the connection with it.
    Swallows,
    /// Instead of the next answer the network goes down.
    Ends,
    Cut,
}

impl Proxy {
    /// A proxy in front of this server, without faults.
    pub(crate) fn new(server: &PgConnectOptions, latency: Duration) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("mh-proxy-")
            .tempdir()
            .expect("a folder");
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("ours");
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

    /// The same database, through this proxy.
    pub(crate) fn through(&self) -> PgConnectOptions {
        self.shared.server.clone().socket(self.folder.path())
    }

    /// From now on every commit meets what this says.
    pub(crate) fn meet(&self, choose: impl FnMut() -> Fault + Send + 'static) {
        *self.shared.choose.lock().expect("nobody failed") = Box::new(choose);
    }

    /// The network goes down: nobody gets through, and who is connected is cut off.
    pub(crate) fn go_down(&self) {
        self.shared.network.send_modify(|it| it.is_down = true);
    }

    /// The network goes silent: nothing gets through, and nobody is cut off.
    pub(crate) fn go_silent(&self) {
        self.shared.network.send_modify(|it| it.is_silent = true);
    }

    /// It comes back, after it was down or silent.
    pub(crate) fn come_back(&self) {
        self.go_down();
        self.shared
            .network
            .send_modify(|it| (it.is_down, it.is_silent) = (false, false));
        self.listen();
    }

    /// Transactions that were begun through it.
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

/// Takes connections until the network goes down.
async fn accept(listener: UnixListener, shared: Arc<Shared>) {
    let mut network = shared.network.subscribe();
    loop {
        let (client, _) = tokio::select! {
            accepted = listener.accept() => accepted.expect("a connection"),
            _ = network.wait_for(|it| it.is_down) => return,
        };
        // Without a server the client is refused: dropped.
        let Ok((from_server, to_server)) = connect(&shared.server).await else {
            continue;
        };
        let (from_client, to_client) = client.into_split();
        let line = watch::Sender::new(Line::Open);
        tokio::spawn(down(
            from_server,
            to_client,
            Arc::clone(&shared),
            line.clone(),
        ));
        tokio::spawn(up(from_client, to_server, Arc::clone(&shared), line));
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

/// Client to server.
async fn up(
    mut client: OwnedReadHalf,
    mut server: ToServer,
    shared: Arc<Shared>,
    line: watch::Sender<Line>,
) {
    let mut wire = Wire::default();
    let mut bytes = vec![0; CHUNK];
    let mut network = shared.network.subscribe();
    let mut cut = line.subscribe();
    loop {
        let read = tokio::select! {
            read = client.read(&mut bytes) => read.unwrap_or(0),
            _ = cut.wait_for(|it| *it == Line::Cut) => 0,
            _ = network.wait_for(|it| it.is_down) => 0,
        };
        if read == 0 {
            line.send_replace(Line::Cut);
            return;
        }
        wire.push(&bytes[..read]);
        while let Some((group, asked)) = wire.group() {
            let latency = network.borrow().latency;
            sleep(latency).await;
            until_heard(&mut network).await;
            let fault = shared.see(asked);
            match fault {
                Fault::None | Fault::During => {}
                Fault::After => drop(line.send_replace(Line::Swallows)),
                Fault::Last => drop(line.send_replace(Line::Ends)),
                Fault::Before => {
                    line.send_replace(Line::Cut);
                    return;
                }
                Fault::Late(passed) => {
                    line.send_replace(Line::Cut);
                    drop(client);
                    return arrive_late(&shared, passed, server, group).await;
                }
            }
            let sent = server.write_all(&group).await;
            if sent.is_err() || fault == Fault::During {
                line.send_replace(Line::Cut);
                return;
            }
        }
    }
}

/// Server to client.
async fn down(
    mut server: FromServer,
    mut client: OwnedWriteHalf,
    shared: Arc<Shared>,
    line: watch::Sender<Line>,
) {
    let mut bytes = vec![0; CHUNK];
    let mut network = shared.network.subscribe();
    let mut cut = line.subscribe();
    loop {
        let read = tokio::select! {
            read = server.read(&mut bytes) => read.unwrap_or(0),
            _ = cut.wait_for(|it| *it == Line::Cut) => 0,
            _ = network.wait_for(|it| it.is_down) => 0,
        };
        let latency = network.borrow().latency;
        sleep(latency).await;
        until_heard(&mut network).await;
        let state = *cut.borrow();
        if state == Line::Ends {
            shared.network.send_modify(|it| it.is_down = true);
        }
        let is_lost = matches!(state, Line::Swallows | Line::Ends);
        if read == 0 || is_lost || client.write_all(&bytes[..read]).await.is_err() {
            line.send_replace(Line::Cut);
            return;
        }
    }
}

/// Waits while the network is silent; one that is gone is not.
async fn until_heard(network: &mut watch::Receiver<Network>) {
    drop(network.wait_for(|it| it.is_down || !it.is_silent).await);
}

/// The statement of a client that is long gone.
async fn arrive_late(shared: &Shared, passed: u64, mut server: ToServer, group: Vec<u8>) {
    let mut passing = shared.passed.subscribe();
    let until = *passing.borrow() + passed;
    // The network may end before.
    if passing.wait_for(|it| *it >= until).await.is_ok() {
        drop(server.write_all(&group).await);
        drop(server.shutdown().await);
    }
}

impl Shared {
    /// A group passes: what happens to it.
    fn see(&self, asked: Asked) -> Fault {
        match asked {
            Asked::Commit => {
                self.passed.send_modify(|it| *it += 1);
                (self.choose.lock().expect("nobody failed"))()
            }
            Asked::Confirm => {
                self.passed.send_modify(|it| *it += 1);
                Fault::None
            }
            Asked::Begin => {
                self.begun.send_modify(|it| *it += 1);
                Fault::None
            }
            Asked::Other => Fault::None,
        }
    }
}
