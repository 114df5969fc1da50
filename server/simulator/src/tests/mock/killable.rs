//! A server that can be killed.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::{Mock, serve};

/// How often a killed server tries to get its port back.
const BIND_ATTEMPTS: u32 = 200;
/// The pause between two attempts.
const BIND_PAUSE: Duration = Duration::from_millis(10);

/// A server with a runtime of its own, so that it can be killed with all its connections.
pub(in crate::tests) struct Killable {
    mock: Arc<Mutex<Mock>>,
    address: SocketAddr,
    runtime: Runtime,
}

impl Killable {
    /// Starts a server that keeps its state when it is killed.
    pub(in crate::tests) fn start(mock: &Arc<Mutex<Mock>>, address: SocketAddr) -> Self {
        let bound = (0..BIND_ATTEMPTS).find_map(|attempt| {
            // The one before may still be letting go of the port.
            if attempt > 0 {
                sleep(BIND_PAUSE);
            }
            TcpListener::bind(address).ok()
        });
        let listener = bound.expect("the port");
        let address = listener.local_addr().expect("an address");
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime");
        runtime.spawn(serve(Arc::clone(mock), listener));
        Self {
            mock: Arc::clone(mock),
            address,
            runtime,
        }
    }

    /// Where it listens.
    pub(in crate::tests) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Kills it and starts it again.
    pub(in crate::tests) fn restart(self) -> Self {
        self.runtime.shutdown_background();
        Self::start(&self.mock, self.address)
    }

    /// Ends it.
    pub(in crate::tests) fn end(self) {
        self.runtime.shutdown_background();
    }
}
