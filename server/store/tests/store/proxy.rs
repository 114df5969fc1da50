//! A faulty network between the store and its server: slow, cut, or holding bytes back.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::common::folder;

const SOCKET: &str = ".s.PGSQL.5432";
const PORT: u16 = 5432;

/// The two directions of a connection to the server.
type FromServer = Box<dyn AsyncRead + Send + Unpin>;
type ToServer = Box<dyn AsyncWrite + Send + Unpin>;

/// The state of the network. Connections are numbered from 1 in the order of their creation.
#[derive(Clone, Copy, Default)]
struct Network {
    latency: Duration,
    /// Last connection from which nothing reaches the server; 0 for none.
    held: u32,
    /// Last connection whose client is cut off without the server noticing.
    cut: u32,
    /// Last connection to which nothing returns from the server; 0 for none.
    muted: u32,
    made: u32,
    /// Number of messages that are held back now.
    waiting: u32,
}

/// Longest wait for a message to be held back.
const HOLD_MAX: Duration = Duration::from_secs(10);

pub(crate) struct Proxy {
    folder: TempDir,
    network: watch::Sender<Network>,
}

impl Proxy {
    /// Starts a proxy to the server of these options.
    pub(crate) fn new(server: &PgConnectOptions, latency: Duration) -> Self {
        let folder = folder();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let network = watch::Sender::new(Network {
            latency,
            ..Network::default()
        });
        tokio::spawn(listen(listener, server.clone(), network.clone()));
        Self { folder, network }
    }

    pub(crate) fn through(&self, options: &PgConnectOptions) -> PgConnectOptions {
        options.clone().socket(self.folder.path()).port(PORT)
    }

    /// Holds back what the present connections send.
    pub(crate) fn hold(&self) {
        self.network
            .send_modify(|network| network.held = network.made);
    }

    /// Releases the messages that are held back.
    pub(crate) fn release(&self) {
        self.network.send_modify(|network| network.held = 0);
    }

    /// Waits until this many messages are held back.
    pub(crate) async fn holds(&self, messages: u32) {
        let mut network = self.network.subscribe();
        let held = network.wait_for(|network| network.waiting >= messages);
        tokio::time::timeout(HOLD_MAX, held)
            .await
            .expect("the messages come")
            .unwrap();
    }

    /// Drops every answer to the present connections, without notice to either side.
    pub(crate) fn mute(&self) {
        self.network
            .send_modify(|network| network.muted = network.made);
    }

    /// Cuts the clients of the present connections off.
    pub(crate) fn cut(&self) {
        self.network
            .send_modify(|network| network.cut = network.made);
    }
}

async fn listen(listener: UnixListener, server: PgConnectOptions, network: watch::Sender<Network>) {
    while let Ok((client, _)) = listener.accept().await {
        let (from_server, to_server) = reach(&server).await;
        network.send_modify(|network| network.made += 1);
        let number = network.borrow().made;
        let (from_client, to_client) = client.into_split();
        tokio::spawn(up(number, from_client, to_server, network.clone()));
        tokio::spawn(down(number, from_server, to_client, network.subscribe()));
    }
}

/// Connects to the server, at its socket or over TCP.
async fn reach(server: &PgConnectOptions) -> (FromServer, ToServer) {
    if let Some(folder) = server.get_socket() {
        let stream = UnixStream::connect(folder.join(SOCKET)).await.unwrap();
        let (from, to) = stream.into_split();
        return (Box::new(from), Box::new(to));
    }
    let address = (server.get_host(), server.get_port());
    let (from, to) = TcpStream::connect(address).await.unwrap().into_split();
    (Box::new(from), Box::new(to))
}

async fn up(
    number: u32,
    mut from: OwnedReadHalf,
    mut to: ToServer,
    counted: watch::Sender<Network>,
) {
    let mut bytes = vec![0; 65_536];
    let mut network = counted.subscribe();
    let mut is_cut = counted.subscribe();
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read.unwrap_or(0),
            _ = is_cut.wait_for(|network| network.cut >= number) => break,
        };
        if read == 0 {
            break;
        }
        let latency = network.borrow().latency;
        sleep(latency).await;
        if network.borrow().held >= number {
            counted.send_modify(|network| network.waiting += 1);
        }
        if network
            .wait_for(|network| network.held < number)
            .await
            .is_err()
            || to.write_all(&bytes[..read]).await.is_err()
        {
            return;
        }
    }
    drop(from);
    // The server does not notice a lost client for the duration of the test.
    let _ = network.wait_for(|_| false).await;
}

async fn down(
    number: u32,
    mut from: FromServer,
    to: OwnedWriteHalf,
    mut network: watch::Receiver<Network>,
) {
    let mut bytes = vec![0; 65_536];
    let mut to = Some(to);
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read.unwrap_or(0),
            _ = network.wait_for(|network| network.cut >= number), if to.is_some() => {
                to = None;
                continue;
            }
        };
        if read == 0 {
            return;
        }
        let latency = network.borrow().latency;
        sleep(latency).await;
        if network
            .wait_for(|network| network.muted < number)
            .await
            .is_err()
        {
            return;
        }
        if let Some(client) = &mut to
            && client.write_all(&bytes[..read]).await.is_err()
        {
            to = None;
        }
    }
}
