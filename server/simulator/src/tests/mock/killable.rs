//! A mock server that can be killed and restarted.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::{ANY_PORT, Address, Listeners, Mock, serve};

/// Maximum number of attempts to bind the port of a killed server again.
const BIND_ATTEMPTS: u32 = 200;
/// Pause between two attempts.
const BIND_PAUSE: Duration = Duration::from_millis(10);

/// A mock server with its own runtime, so that a kill closes all its connections.
pub(in crate::tests) struct Killable {
    mock: Arc<Mutex<Mock>>,
    address: Address,
    runtime: Runtime,
}

impl Killable {
    /// Starts a server. The mock's state survives a kill.
    pub(in crate::tests) fn new(mock: &Arc<Mutex<Mock>>) -> Self {
        Self::start(mock, (ANY_PORT, ANY_PORT))
    }

    fn start(mock: &Arc<Mutex<Mock>>, (http, grpc): (SocketAddr, SocketAddr)) -> Self {
        let bound = (0..BIND_ATTEMPTS).find_map(|attempt| {
            // The killed server may not have released its ports yet.
            if attempt > 0 {
                sleep(BIND_PAUSE);
            }
            Listeners::bind(http, grpc).ok()
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

    /// Returns the addresses that the server listens on.
    pub(in crate::tests) fn address(&self) -> Address {
        self.address.clone()
    }

    /// Kills the server and starts it again on the same ports.
    pub(in crate::tests) fn restart(self) -> Self {
        self.runtime.shutdown_background();
        let http = self.address.base.trim_start_matches("http://");
        let http = http.parse().expect("an address");
        Self::start(&self.mock, (http, self.address.grpc))
    }

    /// Stops the server.
    pub(in crate::tests) fn stop(self) {
        self.runtime.shutdown_background();
    }
}
