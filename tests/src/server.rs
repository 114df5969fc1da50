//! A server in this process: the real engine, the real router and the real gRPC on real ports.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use meterhouse_catalogue::Catalogue;
use meterhouse_engine::access::Announcements;
use meterhouse_engine::push::PushSender;
use meterhouse_engine::signing::{HeadKey, Signing, introduce_first};
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_http::Options;
use meterhouse_store::Store;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;

use crate::cluster::Database;
use crate::wait::in_time;
use crate::watch::Watch;

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 64;

/// Paytables that no regulation has, as an operator's folder.
const PAYTABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/paytables");

/// Our own paytables and those of the tests, read once for all servers.
pub(crate) static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| {
    let catalogue = Catalogue::compiled_in().expect("our own paytables are well");
    let catalogue = catalogue.with_folder(Path::new(PAYTABLES));
    Arc::new(catalogue.expect("those of the tests are well"))
});
static NODES: AtomicU32 = AtomicU32::new(1);

/// A running server. Several may serve one database.
pub struct TestServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it listens for gRPC.
    pub grpc: SocketAddr,
    /// What answers.
    pub engine: Engine,
    /// Its connections.
    pub store: Store,
    options: Options,
    task: JoinHandle<()>,
    grpc_task: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl TestServer {
    /// Starts one as a node of its own.
    pub async fn start(database: &Database, watch: Watch) -> Self {
        Self::start_with(database, watch, Options::default()).await
    }

    /// Starts one with options of its own.
    pub async fn start_with(database: &Database, watch: Watch, options: Options) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let of_engine = watch.over(new_node());
        Self::listen(database, of_engine, listener, options).await
    }

    /// Starts one that announces accesses.
    pub async fn start_announcing(
        database: &Database,
        watch: Watch,
        announcements: Announcements,
        options: Options,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut of_engine = watch.over(new_node());
        of_engine.announcements = Some(announcements);
        Self::listen(database, of_engine, listener, options).await
    }

    /// Starts one that tells hits that wait, soon.
    pub async fn start_pushing(database: &Database, way: Arc<dyn PushSender>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut of_engine = Watch::Idle.over(new_node());
        of_engine.push = Some(way);
        of_engine.tell_every = Watch::SOON;
        Self::listen(database, of_engine, listener, Options::default()).await
    }

    /// Starts one whose key signs no head within a test, and vouches for credentials.
    pub async fn start_with_key(database: &Database, key: Arc<dyn HeadKey>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut options = Watch::Idle.over(new_node());
        let every = Watch::NEVER;
        options.signing = Some(Signing { key, every });
        Self::listen(database, options, listener, Options::default()).await
    }

    /// Starts one that can send little before the other side reads.
    pub async fn start_narrow(database: &Database) -> Self {
        /// Some hundred messages; connections inherit it.
        const NARROW: u32 = 32 * 1_024;
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_send_buffer_size(NARROW).expect("a small buffer");
        socket
            .bind(SocketAddr::from(([127, 0, 0, 1], 0)))
            .expect("a free port");
        let listener = socket.listen(BACKLOG).expect("it listens");
        let of_engine = Watch::Idle.over(new_node());
        Self::listen(database, of_engine, listener, Options::default()).await
    }

    async fn listen(
        database: &Database,
        of_engine: EngineOptions,
        listener: TcpListener,
        options: Options,
    ) -> Self {
        let store = database.store().await;
        if let Some(signing) = &of_engine.signing {
            let introduced = introduce_first(&store, signing.key.public()).await;
            introduced.expect("the key is introduced");
        }
        let engine = Engine::start(store.clone(), of_engine).await;
        let engine = engine.expect("the engine starts");
        let catalogue = Arc::clone(&CATALOGUE);
        let router =
            meterhouse_http::router(engine.clone(), Arc::clone(&catalogue), options.clone());
        let address = listener.local_addr().expect("a port");
        let serving = meterhouse_http::serve(listener, router, options.clone());
        let task = tokio::spawn(serving);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let grpc = listener.local_addr().expect("a port");
        let stopping = options.stopping.clone();
        let grpc_options = meterhouse_grpc::ServeOptions {
            stopping,
            ..meterhouse_grpc::ServeOptions::default()
        };
        let serving = meterhouse_grpc::serve(listener, engine.clone(), catalogue, grpc_options);
        let grpc_task = tokio::spawn(serving);
        Self {
            address,
            grpc,
            engine,
            store,
            options,
            task,
            grpc_task,
        }
    }

    /// Before the path of a request.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops in order: no new request, feeds closed, what waits committed, snapshots written.
    pub async fn stop(self) {
        self.options.stopping.cancel();
        self.options.feeds.close();
        in_time("the feeds end", self.options.feeds.wait()).await;
        let ended = in_time("open requests end", self.task).await;
        ended.expect("the listener's task ends");
        let ended = in_time("streams end", self.grpc_task).await;
        ended.expect("its task ends").expect("gRPC ends well");
        in_time("the engine stops", self.engine.stop()).await;
        self.store.close().await;
    }
}

/// Returns the options of a node with a name of its own.
fn new_node() -> EngineOptions {
    EngineOptions::new(format!("node-{}", NODES.fetch_add(1, Ordering::Relaxed)))
}
