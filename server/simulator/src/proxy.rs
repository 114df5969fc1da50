//! The network proxy between a table and its server: partitions the network and drops responses on purpose.
//!
//! # Shape
//! Each proxy listens on its own port and forwards bytes to the server's port. All network faults of a table happen in
//! its proxy, so its controller needs no code for them.
//!
//! # Limits
//! [`CHUNK`] bytes in each direction of a connection.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

/// Maximum number of bytes forwarded at a time.
const CHUNK: usize = 16 * 1_024;

/// A proxy of one table. Dropping the proxy closes all its connections.
#[derive(Debug)]
pub(crate) struct FaultProxy {
    address: SocketAddr,
    faults: ProxyFaults,
    task: AbortHandle,
}

/// The faults of a proxy.
#[derive(Clone, Debug)]
pub(crate) struct ProxyFaults {
    is_partitioned: Arc<watch::Sender<bool>>,
    drops_response: Arc<AtomicBool>,
}

impl FaultProxy {
    /// Starts a proxy to this server, on a free port.
    pub(crate) async fn to(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let faults = ProxyFaults {
            is_partitioned: Arc::new(watch::Sender::new(false)),
            drops_response: Arc::default(),
        };
        let task = tokio::spawn(accept(listener, server, faults.clone())).abort_handle();
        Ok(Self {
            address,
            faults,
            task,
        })
    }

    /// Returns the address that the table connects to.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) const fn faults(&self) -> &ProxyFaults {
        &self.faults
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ProxyFaults {
    /// Holds back all bytes until [`Self::heal`]. Connections stay open, so neither side is notified.
    pub(crate) fn partition(&self) {
        self.is_partitioned.send_replace(true);
    }

    /// Ends the partition: the bytes that were held back are forwarded.
    pub(crate) fn heal(&self) {
        self.is_partitioned.send_replace(false);
    }

    /// Drops the server's next bytes, and closes their connection.
    pub(crate) fn drop_next_response(&self) {
        self.drops_response.store(true, Ordering::Relaxed);
    }

    /// Waits until there is no partition.
    async fn until_healed(&self) {
        // The sender lives as long as `self`.
        drop(
            self.is_partitioned
                .subscribe()
                .wait_for(|is_partitioned| !is_partitioned)
                .await,
        );
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, faults: ProxyFaults) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((table, _)) => {
                    connections.spawn(forward_connection(table, server, faults.clone()));
                }
                Err(error) => tracing::debug!(%error, "a connection of a table was not accepted"),
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Forwards in both directions until either side closes the connection.
async fn forward_connection(
    mut table: TcpStream,
    server: SocketAddr,
    faults: ProxyFaults,
) -> io::Result<()> {
    faults.until_healed().await;
    let mut server = TcpStream::connect(server).await?;
    table.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut from_table, mut to_table) = table.split();
    let (mut from_server, mut to_server) = server.split();
    tokio::select! {
        up = forward(&mut from_table, &mut to_server, &faults, false) => up,
        down = forward(&mut from_server, &mut to_table, &faults, true) => down,
    }
}

async fn forward(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    faults: &ProxyFaults,
    has_responses: bool,
) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK];
    loop {
        let count = from.read(&mut bytes).await?;
        let is_dropped = has_responses && faults.drops_response.swap(false, Ordering::Relaxed);
        let Some(read) = bytes.get(..count).filter(|_| count > 0 && !is_dropped) else {
            return Ok(());
        };
        faults.until_healed().await;
        to.write_all(read).await?;
    }
}
