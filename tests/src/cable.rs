//! The cable between a table and its server: cut, silent, pulled, plugged in again, or led to another server.
//!
//! # Shape
//! Listens on a port of its own and forwards to the server's, bytes of one direction in their order. [`Cable::cut`]
//! says after how many bytes of answers each new connection is cut: in the middle of one, most often.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Bytes that are forwarded at once.
const CHUNK: usize = 4_096;

type Choose = Box<dyn FnMut() -> Option<usize> + Send>;

/// The cable; dropped, it is gone.
pub struct Cable {
    /// Where the table connects to.
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    state: watch::Sender<State>,
    choose: Mutex<Choose>,
    cuts: watch::Sender<usize>,
}

#[derive(Clone, Copy)]
struct State {
    server: SocketAddr,
    is_pulled: bool,
    is_silent: bool,
    is_gone: bool,
}

impl Cable {
    /// A cable to this server, without faults.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a port");
        let state = watch::Sender::new(State {
            server,
            is_pulled: false,
            is_silent: false,
            is_gone: false,
        });
        let shared = Arc::new(Shared {
            state,
            choose: Mutex::new(Box::new(|| None)),
            cuts: watch::Sender::new(0),
        });
        tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, shared }
    }

    /// Cuts what is open; from now on new connections go to this server.
    pub fn leads_to(&self, server: SocketAddr) {
        self.shared.state.send_modify(|it| it.server = server);
    }

    /// Cuts what is open and refuses what is new.
    pub fn pull(&self) {
        self.shared.state.send_modify(|it| it.is_pulled = true);
    }

    /// Nothing gets through any more, and nobody is cut off.
    pub fn go_silent(&self) {
        self.shared.state.send_modify(|it| it.is_silent = true);
    }

    /// It is as new: what was open is cut, what is new gets through.
    pub fn plug_in(&self) {
        self.pull();
        self.shared
            .state
            .send_modify(|it| (it.is_pulled, it.is_silent) = (false, false));
    }

    /// From now on each new connection is cut after as many bytes of answers as this says.
    pub fn cut(&self, after: impl FnMut() -> Option<usize> + Send + 'static) {
        *self.shared.choose.lock().expect("nobody failed") = Box::new(after);
    }

    /// How often a connection was cut in the middle of answers.
    pub fn cuts(&self) -> usize {
        *self.shared.cuts.borrow()
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.shared.state.send_modify(|it| it.is_gone = true);
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut state = shared.state.subscribe();
    loop {
        let (client, _) = tokio::select! {
            accepted = listener.accept() => accepted.expect("a connection"),
            _ = state.wait_for(|it| it.is_gone) => return,
        };
        let now = *state.borrow();
        if now.is_pulled {
            continue;
        }
        // Without a server the table is refused: dropped.
        let Ok(server) = TcpStream::connect(now.server).await else {
            continue;
        };
        tokio::spawn(carry(client, server, Arc::clone(&shared)));
    }
}

/// Forwards both ways until either ends, the cable is pulled, or the bytes of this connection are used up.
async fn carry(client: TcpStream, server: TcpStream, shared: Arc<Shared>) {
    let after = (shared.choose.lock().expect("nobody failed"))();
    let mut state = shared.state.subscribe();
    if state.borrow_and_update().is_pulled {
        return;
    }
    let pulled = async {
        // Whatever changes cuts it, but silence: plugged in again at once, it was pulled all the same.
        while state.changed().await.is_ok() && state.borrow_and_update().is_silent {}
    };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let up = forward(from_client, to_server, None, shared.state.subscribe());
    let down = forward(from_server, to_client, after, shared.state.subscribe());
    tokio::select! {
        () = pulled => {}
        _ = up => {}
        is_cut = down => if is_cut {
            shared.cuts.send_modify(|it| *it += 1);
        }
    }
}

/// Forwards one way; says whether it was cut because its bytes are used up.
async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut left: Option<usize>,
    mut state: watch::Receiver<State>,
) -> bool {
    let mut bytes = vec![0; CHUNK];
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        let is_there = state.wait_for(|it| !it.is_silent).await.is_ok();
        if read == 0 || !is_there {
            return false;
        }
        let passes = left.map_or(read, |left| left.min(read));
        if to.write_all(&bytes[..passes]).await.is_err() {
            return false;
        }
        if let Some(left) = &mut left {
            *left -= passes;
            if *left == 0 {
                return true;
            }
        }
    }
}
