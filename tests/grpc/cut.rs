//! A connection that is cut in the middle: a network between a client and the server.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A network between a client and the server, for one connection.
pub(crate) struct Cut {
    /// Where the client connects.
    pub(crate) address: SocketAddr,
    cut: DropGuard,
}

impl Cut {
    /// A network before this server.
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a port");
        let cut = CancellationToken::new();
        let until = cut.clone();
        tokio::spawn(async move {
            let forward = async {
                let (mut client, _) = listener.accept().await.expect("a client");
                let mut server = TcpStream::connect(server).await.expect("the server");
                drop(copy_bidirectional(&mut client, &mut server).await);
            };
            tokio::select! {
                () = until.cancelled() => {}
                () = forward => {}
            }
        });
        let cut = cut.drop_guard();
        Self { address, cut }
    }

    /// Cuts it on both sides; what was on its way is lost.
    pub(crate) fn now(&self) {
        self.cut.token().cancel();
    }
}
