//! The cable between a table and its server, which is cut and which loses answers on purpose.
//!
//! # Shape
//! A port of its own, whose bytes are forwarded to the server's. A controller needs no other way to fail: whatever
//! happens to its network happens here.
//!
//! # What bounds it
//! [`CHUNK`] bytes in each direction of a connection.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

/// Bytes that are forwarded at a time.
const CHUNK: usize = 16 * 1_024;

/// A cable. Dropped, it is gone, with every connection over it.
#[derive(Debug)]
pub(crate) struct Cable {
    address: SocketAddr,
    faults: Faults,
    task: AbortHandle,
}

/// The faults of a cable.
#[derive(Clone, Debug)]
pub(crate) struct Faults {
    is_cut: Arc<watch::Sender<bool>>,
    loses_answer: Arc<AtomicBool>,
}

impl Cable {
    /// Lays a cable to this server.
    pub(crate) async fn to(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let faults = Faults {
            is_cut: Arc::new(watch::Sender::new(false)),
            loses_answer: Arc::default(),
        };
        let task = tokio::spawn(accept(listener, server, faults.clone())).abort_handle();
        Ok(Self {
            address,
            faults,
            task,
        })
    }

    /// Returns where the table connects to.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns what makes it fail.
    pub(crate) const fn faults(&self) -> &Faults {
        &self.faults
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Faults {
    /// Cuts the cable: nothing gets through until it is mended. Neither side is told.
    pub(crate) fn cut(&self) {
        self.is_cut.send_replace(true);
    }

    /// Mends the cable: what was on its way arrives.
    pub(crate) fn mend(&self) {
        self.is_cut.send_replace(false);
    }

    /// Drops what the server sends next, and the connection with it.
    pub(crate) fn lose_answer(&self) {
        self.loses_answer.store(true, Ordering::Relaxed);
    }

    /// Waits until the cable is whole.
    async fn whole(&self) {
        // Its sender lives as long as this.
        drop(self.is_cut.subscribe().wait_for(|is_cut| !is_cut).await);
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, faults: Faults) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((table, _)) => {
                    connections.spawn(carry(table, server, faults.clone()));
                }
                Err(error) => tracing::debug!(%error, "a connection of a table was not taken"),
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Forwards both ways until either side ends.
async fn carry(mut table: TcpStream, server: SocketAddr, faults: Faults) -> io::Result<()> {
    faults.whole().await;
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
    faults: &Faults,
    has_answers: bool,
) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK];
    loop {
        let count = from.read(&mut bytes).await?;
        let is_lost = has_answers && faults.loses_answer.swap(false, Ordering::Relaxed);
        let Some(read) = bytes.get(..count).filter(|_| count > 0 && !is_lost) else {
            return Ok(());
        };
        faults.whole().await;
        to.write_all(read).await?;
    }
}
