//! The order in which connections are closed, their timeouts, and the answer over a limit.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{get, post};
use meterhouse_edge::anonymous_connections::AnonymousLimits;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::anonymous_connection::AnonymousConnection;
use super::*;

/// Longest wait for anything that has to happen.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longer than a test.
const LONG: Duration = Duration::from_hours(1);
/// Timeout of tests that wait until it is over.
const SHORT: Duration = Duration::from_millis(300);
/// Pause between two bytes of a slow client.
const BYTE_PAUSE: Duration = Duration::from_millis(10);

const LIMITS: Limits = Limits {
    connections: 64,
    silent: 64,
    anonymous: ANONYMOUS_LIMITS,
    head_wait: LONG,
    idle: LONG,
};

/// A server with a few routes.
struct TestServer {
    address: SocketAddr,
    stopping: CancellationToken,
    /// Notified when a slow request has begun.
    begun: Arc<Notify>,
    /// Awaited by a slow request before it is answered.
    continues: Arc<Notify>,
    serving: JoinHandle<()>,
}

async fn start(limits: Limits) -> TestServer {
    start_behind(limits, TrustedProxies::default()).await
}

/// Starts a server behind these proxies.
async fn start_behind(limits: Limits, trusted_proxies: TrustedProxies) -> TestServer {
    let (begun, continues) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = (Arc::clone(&begun), Arc::clone(&continues));
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route("/body", post(|body: String| async move { body }))
        .route("/slow", get(move || wait(slow.0, slow.1)))
        .route("/feed", get(feed))
        .route("/authenticated", get(authenticated));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let options = Options {
        limits,
        trusted_proxies,
        ..Options::default()
    };
    let stopping = options.stopping.clone();
    TestServer {
        address,
        stopping,
        begun,
        continues,
        serving: tokio::spawn(serve(listener, router, options)),
    }
}

async fn wait(begun: Arc<Notify>, continues: Arc<Notify>) -> &'static str {
    begun.notify_one();
    continues.notified().await;
    "slowly"
}

async fn feed(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(async |mut socket: WebSocket| drop(socket.recv().await))
}

/// Answers a request as one with a valid token.
async fn authenticated(Extension(connection): Extension<AnonymousConnection>) -> &'static str {
    connection.mark_authenticated();
    "authenticated"
}

async fn in_time<T>(what: &str, coming: impl Future<Output = T>) -> T {
    let result = timeout(PATIENCE, coming).await;
    result.unwrap_or_else(|_| panic!("not in time: {what}"))
}

struct Client(TcpStream);

impl TestServer {
    async fn connect(&self) -> Client {
        let connecting = in_time("a connection", TcpStream::connect(self.address));
        Client(connecting.await.expect("it listens"))
    }

    /// Waits until the head of a new connection has timed out.
    async fn head_wait_passes(&self) {
        assert_eq!(self.connect().await.rest().await, "");
    }
}

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("it is open");
    }

    /// Sends a GET and receives a response that ends in this text.
    async fn get(&mut self, path: &str, end: &str) {
        self.send(&get_of(path)).await;
        self.receive(end).await;
    }

    /// Receives bytes that end in this text.
    async fn receive(&mut self, end: &str) {
        let mut received = Vec::new();
        while !received.ends_with(end.as_bytes()) {
            let read = in_time("a response", self.0.read_buf(&mut received)).await;
            let so_far = String::from_utf8_lossy(&received);
            assert_ne!(
                read.expect("it is open"),
                0,
                "{so_far:?} instead of {end:?}"
            );
        }
    }

    /// Receives everything until the server closes the connection. A reset is an end as well.
    async fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        drop(in_time("it is closed", self.0.read_to_end(&mut rest)).await);
        String::from_utf8(rest).expect("text")
    }
}

fn get_of(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")
}

fn short_head_wait() -> Limits {
    Limits {
        head_wait: SHORT,
        ..LIMITS
    }
}

#[tokio::test]
async fn a_missing_or_partial_head_times_out() {
    let server = start(short_head_wait()).await;
    let (mut silent, mut partial) = (server.connect().await, server.connect().await);
    partial.send("GET / HTTP/1.1\r\nHo").await;
    assert_eq!(silent.rest().await, "");
    assert_eq!(partial.rest().await, "");
    let mut second = server.connect().await;
    second.get("/", "here").await;
    second.send("GET / HTTP/1.1\r\nHo").await;
    assert_eq!(second.rest().await, "", "the next head has the same limit");
}

#[tokio::test]
async fn a_head_sent_byte_by_byte_times_out() {
    let server = start(short_head_wait()).await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nX: ").await;
    let dribble = async {
        while timeout(BYTE_PAUSE, client.0.read(&mut [0])).await.is_err() {
            drop(client.0.write_all(b"x").await);
        }
    };
    in_time("it is closed", dribble).await;
}

#[tokio::test]
async fn a_pause_between_two_requests_is_no_head() {
    let server = start(short_head_wait()).await;
    let mut client = server.connect().await;
    client.get("/", "here").await;
    server.head_wait_passes().await;
    client.get("/", "here").await;
    let head = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
    client.send(head).await;
    server.head_wait_passes().await;
    client.send("hello").await;
    client.receive("hello").await;
    server.head_wait_passes().await;
    client.get("/", "here").await;
    client.get("/", "here").await;
}

#[tokio::test]
async fn an_idle_connection_times_out() {
    let limits = Limits {
        idle: SHORT,
        ..short_head_wait()
    };
    let server = start(limits).await;
    let mut client = server.connect().await;
    client.get("/", "here").await;
    assert_eq!(client.rest().await, "");
}

#[tokio::test]
async fn silent_connections_keep_no_other_out() {
    let limits = Limits {
        silent: 4,
        ..LIMITS
    };
    let server = start(limits).await;
    let mut active = server.connect().await;
    active.get("/", "here").await;
    let mut silent = Vec::new();
    for _ in 0..12 {
        silent.push(server.connect().await);
    }
    let mut newest = server.connect().await;
    newest.get("/", "here").await;
    for oldest in silent.iter_mut().take(8) {
        assert_eq!(oldest.rest().await, "");
    }
    // The newest silent connections are still open and can be used.
    for last in silent.iter_mut().skip(9) {
        last.get("/", "here").await;
    }
    active.get("/", "here").await;
}

/// Behind a trusted proxy, connections are counted by the addresses of the proxy's clients.
#[tokio::test]
async fn connections_of_a_proxy_are_counted_by_its_clients() {
    let anonymous = AnonymousLimits {
        of_address: 1,
        ..ANONYMOUS_LIMITS
    };
    let limits = Limits {
        anonymous,
        ..LIMITS
    };
    let trusted = TrustedProxies::new(["127.0.0.0/8".parse().expect("a network")]);
    let server = start_behind(limits, trusted).await;
    let get_for = |client: &str| {
        format!("GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6, {client}\r\n\r\n")
    };
    let mut clients = Vec::new();
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.1"] {
        let mut client = server.connect().await;
        client.send(&get_for(address)).await;
        client.receive("here").await;
        clients.push(client);
    }
    assert_eq!(clients[0].rest().await, "", "the older one of the address");
    clients[1].get("/", "here").await;
    clients[2].get("/", "here").await;
}

#[tokio::test]
async fn the_oldest_anonymous_connections_are_closed_and_authenticated_ones_stay() {
    let anonymous = AnonymousLimits {
        all: 4,
        ..ANONYMOUS_LIMITS
    };
    let server = start(Limits {
        anonymous,
        ..LIMITS
    });
    let server = server.await;
    let mut authenticated = server.connect().await;
    authenticated.get("/authenticated", "authenticated").await;
    let mut busy = server.connect().await;
    busy.send(&get_of("/slow")).await;
    in_time("it has begun", server.begun.notified()).await;
    let mut idle = Vec::new();
    for _ in 0..8 {
        let mut anonymous = server.connect().await;
        anonymous.get("/", "here").await;
        idle.push(anonymous);
    }
    for closed in idle.iter_mut().take(4) {
        assert_eq!(closed.rest().await, "");
    }
    for last in idle.iter_mut().skip(4) {
        last.get("/", "here").await;
    }
    authenticated.get("/", "here").await;
    server.continues.notify_one();
    let response = busy.rest().await;
    assert!(
        response.ends_with("slowly"),
        "it ends after its response: {response}"
    );
}

#[tokio::test]
async fn over_the_limit_of_connections_the_answer_is_busy() {
    let limits = Limits {
        connections: 2,
        ..LIMITS
    };
    let server = start(limits).await;
    let (mut first, mut display) = (server.connect().await, server.connect().await);
    first.get("/", "here").await;
    let upgrade = "GET /feed HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    display.send(upgrade).await;
    display.receive("\r\n\r\n").await;
    let third = async || {
        let mut client = server.connect().await;
        client
            .send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .await;
        client.rest().await
    };
    let refused = third().await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("\"code\":\"busy\""), "{refused}");
    first.get("/", "here").await;
    drop(display);
    let freed = async { while !third().await.starts_with("HTTP/1.1 200 ") {} };
    in_time("a feed that ended is not counted", freed).await;
}

#[tokio::test]
async fn an_invalid_or_large_head_is_refused() {
    let server = start(LIMITS).await;
    let response_to = async |text: String| {
        let mut client = server.connect().await;
        client.send(&text).await;
        client.rest().await
    };
    let response = response_to("what?\r\n\r\n".to_owned()).await;
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    // One byte more than the server reads would be answered with a reset.
    let mut large = "GET / HTTP/1.1\r\nX: ".to_owned();
    large.push_str(&"x".repeat(HEAD_BYTES_MAX - large.len()));
    let response = response_to(large).await;
    assert!(response.starts_with("HTTP/1.1 431 "), "{response}");
}

#[tokio::test]
async fn a_stop_waits_for_requests_only() {
    let server = start(LIMITS).await;
    let (mut silent, mut partial, mut idle) = (
        server.connect().await,
        server.connect().await,
        server.connect().await,
    );
    partial.send("GET / HTTP/1.1\r\nHo").await;
    idle.get("/", "here").await;
    let mut busy = server.connect().await;
    busy.send(&get_of("/slow")).await;
    in_time("it has begun", server.begun.notified()).await;
    server.stopping.cancel();
    for closed in [&mut silent, &mut partial, &mut idle] {
        assert_eq!(closed.rest().await, "");
    }
    assert!(TcpStream::connect(server.address).await.is_err());
    assert!(!server.serving.is_finished());
    server.continues.notify_one();
    let response = busy.rest().await;
    assert!(response.ends_with("slowly"), "{response}");
    in_time("it ends", server.serving)
        .await
        .expect("it ends well");
}
