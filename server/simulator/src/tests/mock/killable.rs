//! A server that can be killed.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::{ANY_PORT, Address, Mock, Ports, serve};

/// How often a killed server tries to get its port back.
const BIND_ATTEMPTS: u32 = 200;
/// The pause between two attempts.
const BIND_PAUSE: Duration = Duration::from_millis(10);

/// A server with a runtime of its own, so that it can be killed with all its connections.
pub(in crate::tests) struct Killable {
    mock: Arc<Mutex<Mock>>,
    address: Address,
    runtime: Runtime,
}

impl Killable {
    /// Starts a server that keeps its state when it is killed.
    pub(in crate::tests) fn new(mock: &Arc<Mutex<Mock>>) -> Self {
        Self::start(mock, (ANY_PORT, ANY_PORT))
    }

    fn start(mock: &Arc<Mutex<Mock>>, (http, grpc): (SocketAddr, SocketAddr)) -> Self {
        let bound = (0..BIND_ATTEMPTS).find_map(|attempt| {
            // The one before may still be letting go of its ports.
            if attempt > 0 {
                sleep(BIND_PAUSE);
            }
            Ports::at(http, grpc).ok()
        });
        let listeners = bound.expect("the ports");
        let address = listeners.address();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime");
        runtime.spawn(serve(Arc::clone(mock), listeners));
        Self {
            mock: Arc::clone(mock),
            address,
            runtime,
        }
    }

    /// Where it listens.
    pub(in crate::tests) fn address(&self) -> Address {
        self.address.clone()
    }

    /// Kills it and starts it again.
    pub(in crate::tests) fn restart(self) -> Self {
        self.runtime.shutdown_background();
        let http = self.address.base.trim_start_matches("http://");
        let http = http.parse().expect("an address");
        Self::start(&self.mock, (http, self.address.grpc))
    }

    /// Ends it.
    pub(in crate::tests) fn end(self) {
        self.runtime.shutdown_background();
    }
}
